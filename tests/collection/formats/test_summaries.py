import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collection.refusals import refusal
from collection.strategies import summaries
from pyramidion.checks import find_problems
from pyramidion.collection import (
    Collection,
    Judgment,
    PeerAnnotation,
    Pyramid,
    Scores,
    Summary,
    Topic,
    mark_aspects,
    parse_aspects,
)
from pyramidion.collection.formats import format_named, read_summaries, write_summaries
from pyramidion.errors import DataNote, FormatError, InputError, NotFoundError

FORMAT = format_named("summaries")

LINE = '{"topic": "T1", "system": "7", "text": "Rain."}\n'


@pytest.fixture
def file(tmp_path):
    return tmp_path / "summaries.jsonl"


def read_from(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_summaries(path)


class TestRoundTrips:
    @given(st.lists(summaries(), min_size=1, max_size=5))
    def test_what_is_written_is_read(self, tmp_path_factory, summaries):
        path = tmp_path_factory.mktemp("summaries") / "summaries.jsonl"
        write_summaries(summaries, path)
        assert read_summaries(path) == tuple(summaries)
        assert FORMAT.matches(path)

    def test_marked_aspects_survive(self, file):
        marked = (
            '<aid="4.3">Warm <aid="4.1">seas</aid="4.1"></aid="4.3"> <aid="4.1">rise</aid="4.1">.'
        )
        text, spans = parse_aspects(marked)
        write_summaries([Summary("T1", "A", text, kind="human", aspects=spans)], file)
        summary = read_summaries(file)[0]
        assert mark_aspects(summary.plain, summary.aspects) == marked

    @pytest.mark.parametrize("pack", [bytes, gzip.compress])
    @pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
    def test_gzip_mark_and_other_line_ends(self, file, pack, mark):
        content = pack(mark + (LINE + LINE).replace("\n", "\r\n").encode())
        assert [summary.text for summary in read_from(file, content)] == ["Rain.", "Rain."]
        assert FORMAT.matches(file)


class TestBadFiles:
    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("", ": the file is empty; one JSON object per line"),
            ("\n\n", ": the file is empty; one JSON object per line"),
            (
                LINE + LINE[:44],
                ", line 2: this is not JSON (Unterminated string starting at at column 40); "
                "one JSON object per line; the file may be cut off",
            ),
            (
                LINE + LINE[:20],
                ", line 2: this is not JSON (Unterminated string starting at at column 17); "
                "one JSON object per line; the file may be cut off",
            ),
            (
                LINE + '{"topic": "T1", "system": "7"}\n',
                ", line 2: `text` is missing; add it as text",
            ),
            (
                LINE + '{"topic": "T1", "text": "x"}\n',
                ", line 2: `system` is missing; add it as text",
            ),
            (
                LINE + LINE.replace('"Rain."', "NaN"),
                ", line 2: `text` is nan, not text; write it as text",
            ),
            (
                LINE + LINE.replace('"Rain."', "null"),
                ", line 2: `text` is null, not text; write it as text",
            ),
            (
                LINE + LINE.replace('"text"', '"topic"'),
                ", line 2: `topic` occurs twice; keep one",
            ),
            (LINE + "[1]", ", line 2: this is not a JSON object; write {...}"),
            (
                LINE.encode() + LINE.encode().replace(b"Rain", b"Caf\xe9"),
                ", line 2: byte 0xe9 is not UTF-8; "
                "save the file as UTF-8 (it may be Latin-1 or Windows-1252)",
            ),
            (
                LINE.encode("utf-16"),
                ", line 1: the text is UTF-16, not UTF-8; save it as UTF-8",
            ),
            (
                LINE + LINE.replace("Rain", "\\ud83d"),
                ", line 2: half of a surrogate pair is not valid text; remove the \\u...",
            ),
            (
                LINE + LINE.replace("}", ', "aspects": [{"aspect": "1", "start": 3, "end": 9}]}'),
                ", line 2: aspect 1 of the summary of topic T1 by 7 spans 3 to 9; "
                "the summary has 5 characters",
            ),
        ],
    )
    def test_message(self, file, content, message):
        assert refusal(FormatError, read_from, file, content) == f"{file}{message}"

    def test_line_of_100_megabytes(self, file):
        with file.open("wb") as stream:
            stream.write(LINE.encode())
            stream.truncate(100 * 2**20)
        assert refusal(FormatError, read_summaries, file).startswith(
            f"{file}, line 2: the line is longer than 64 MiB"
        )

    def test_damaged_gzip(self, file):
        message = refusal(FormatError, read_from, file, gzip.compress(LINE.encode(), mtime=0)[:-9])
        assert message.startswith(f"{file}: the gzipped data is damaged (")

    def test_missing_file(self, file):
        assert refusal(NotFoundError, read_summaries, file) == (
            f"{file}: there is no such file; check the path"
        )

    @given(st.binary(max_size=200))
    def test_garbage_is_refused_in_one_line(self, tmp_path_factory, content):
        path = tmp_path_factory.mktemp("garbage") / "summaries.jsonl"
        refusal(FormatError, read_from, path, content)


class TestWriting:
    def test_half_a_surrogate_pair_leaves_the_old_file(self, file):
        write_summaries([Summary("T1", "7", "old")], file)
        message = refusal(InputError, write_summaries, [Summary("T1", "7", "\ud83d")], file)
        assert "half of a surrogate pair" in message
        assert read_summaries(file)[0].text == "old"
        assert len(list(file.parent.iterdir())) == 1

    def test_interrupted(self, file):
        def broken():
            yield Summary("T1", "7", "Rain.")
            raise RuntimeError

        with pytest.raises(RuntimeError):
            write_summaries(broken(), file)
        assert list(file.parent.iterdir()) == []


class TestFormat:
    def test_empty_texts_are_read_and_reported(self, file):
        file.write_text(LINE.replace("Rain.", "") + LINE.replace('"7"', '"A", "kind": "human"'))
        collection = FORMAT.read(file)
        assert collection.name == "summaries"
        assert [problem.kind for problem in find_problems(collection)] == ["empty summary"]

    def test_duplicates_are_left_to_the_checks(self, file):
        file.write_text(LINE + LINE)
        assert len(FORMAT.read(file).summaries) == 2

    def test_what_has_no_place_is_counted(self, file):
        pyramid = Pyramid("")
        summary = Summary("T1", "7", "Rain.")
        collection = Collection(
            "x",
            topics=(Topic("T1"),),
            summaries=(summary,),
            scores=Scores.from_judgments([Judgment("T1", "7", "m", 1)]),
            pyramids={("A", "T1"): pyramid},
            peer_annotations={("A", "T1", "7"): PeerAnnotation(pyramid, "")},
        )
        assert FORMAT.write(collection, file, False) == (
            "1 topics",
            "1 scores",
            "1 pyramids",
            "1 annotated peers",
        )
        assert read_summaries(file) == (summary,)

    def test_collection_without_summaries(self, file):
        assert refusal(InputError, FORMAT.write, Collection("x"), file, False) == (
            "the collection has no summaries; choose another format"
        )

    @pytest.mark.parametrize(
        ("content", "matches"),
        [
            (LINE, True),
            ("\n\n" + LINE, True),
            ('{"topic": "T1", "system": "7"}', False),
            ('{"topic": "T1", "system": "7", "text": "Rain.", "seconds": 3}', True),
            ('{"topic": "T1", "system": "7", "text": "Rain.", "coherence": 3}', False),
            ("{" * 100_000, False),
            ("[" * 100_000, False),
            ('["topic", "system", "text"]', False),
            ("", False),
            ("text", False),
        ],
    )
    def test_recognition(self, file, content, matches):
        file.write_text(content)
        assert FORMAT.matches(file) is matches

    def test_folder_is_not_recognised(self, tmp_path):
        assert not FORMAT.matches(tmp_path)


def test_lines_with_references_and_scores_lose_neither(tmp_path):
    line = {"topic": "T1", "system": "a", "text": "Rain.", "reference": "Rain fell.", "wit": 3}
    lines = [line, {**line, "system": "b", "text": "Sun.", "wit": 2}]
    path = tmp_path / "own.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with pytest.warns(DataNote, match="reference=reference"):
        collection = Collection.load(path)
    assert [summary.plain for summary in collection.references("T1", "")] == ["Rain fell."]
    assert [(row.system, row.value) for row in collection.scores] == [("a", 3.0), ("b", 2.0)]
