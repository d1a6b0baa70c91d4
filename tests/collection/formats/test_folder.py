import gzip
from dataclasses import replace

import pytest
from hypothesis import given

from collection.refusals import refusal
from collection.strategies import collections, few_examples
from pyramidion.checks import find_problems
from pyramidion.collection import (
    SCALES,
    SCU,
    Collection,
    Contributor,
    Document,
    Judgment,
    Part,
    PeerAnnotation,
    Pyramid,
    Scores,
    Summary,
    Task,
    Topic,
)
from pyramidion.collection.formats import format_named
from pyramidion.collection.formats import scores as scores_format
from pyramidion.collection.formats.scores import write_scores
from pyramidion.errors import FormatError, InputError, NotFoundError

FORMAT = format_named("collection")

PYRAMID = Pyramid.from_references(
    {"A": "Rain fell.", "B": "It rained."}, [("Rain", {"A": ["Rain fell"], "B": ["rained"]})]
)
PEER = PeerAnnotation(
    PYRAMID, "Rain.", (SCU("0", "other content", (Contributor((Part(0, 4, "Rain"),)),)),)
)
WHOLE = Collection(
    "mine",
    tasks=(Task("A", word_limit=100),),
    scales={"responsiveness": SCALES["responsiveness"]},
    topics=(Topic("T1", documents=(Document("d", "Rain."),)),),
    summaries=(
        Summary("T1", "A", "Rain fell.", "A", "human"),
        Summary("T1", "B", "It rained.", "A", "human"),
        Summary("T1", "7", "Rain.", "A"),
    ),
    scores=Scores.from_judgments([Judgment("T1", "7", "responsiveness", 4, task="A")]),
    pyramids={("A", "T1"): PYRAMID},
    peer_annotations={("A", "T1", "7"): PEER},
)


@pytest.fixture
def folder(tmp_path):
    FORMAT.write(WHOLE, tmp_path / "mine", False)
    return tmp_path / "mine"


def names(folder):
    return sorted(item.relative_to(folder).as_posix() for item in folder.rglob("*"))


def contents(folder):
    return {item: item.read_bytes() for item in folder.rglob("*") if item.is_file()}


class TestRoundTrips:
    @few_examples
    @given(collections())
    def test_what_is_written_is_read(self, tmp_path_factory, collection):
        path = tmp_path_factory.mktemp("collection") / "mine"
        assert FORMAT.write(collection, path, False) == ()
        again = FORMAT.read(path)
        assert again == collection
        assert again.left_out == ()
        assert again.data_hash == collection.data_hash
        assert FORMAT.matches(path)

    def test_files(self, folder):
        assert names(folder) == [
            "collection.toml",
            "peers",
            "peers/T1-A-7.pan",
            "pyramids",
            "pyramids/T1-A.pyr",
            "scores.csv",
            "summaries.jsonl",
            "topics.jsonl",
        ]
        assert find_problems(FORMAT.read(folder)) == []

    def test_what_is_not_there_has_no_file(self, tmp_path):
        FORMAT.write(Collection("mine"), tmp_path / "mine", False)
        assert names(tmp_path / "mine") == ["collection.toml"]

    def test_duplicates_are_left_to_the_checks(self, tmp_path):
        doubled = replace(
            WHOLE,
            topics=WHOLE.topics * 2,
            summaries=WHOLE.summaries * 2,
            scores=Scores.concatenate([WHOLE.scores] * 2),
        )
        FORMAT.write(doubled, tmp_path / "mine", False)
        assert FORMAT.read(tmp_path / "mine") == doubled


class TestByHand:
    @pytest.fixture
    def hand(self, tmp_path):
        (tmp_path / "collection.toml").write_text('name = "by hand"')
        return tmp_path

    def test_settings_are_enough(self, hand):
        assert FORMAT.read(hand) == Collection("by hand")

    def test_misspelt_key(self, hand):
        (hand / "collection.toml").write_text('name = "by hand"\ndescripton = "x"')
        assert refusal(FormatError, FORMAT.read, hand) == (
            f"{hand / 'collection.toml'}: unknown key `descripton`; "
            "check its spelling, or remove it"
        )

    def test_no_settings(self, tmp_path):
        assert not FORMAT.matches(tmp_path)
        assert refusal(NotFoundError, FORMAT.read, tmp_path) == (
            f"{tmp_path}: there is no collection.toml; add one"
        )

    @pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
    def test_scores_in_any_form(self, hand, ending):
        write_scores(WHOLE.scores, hand / f"scores.{ending}")
        assert FORMAT.read(hand).scores == WHOLE.scores

    def test_scores_in_several_forms(self, hand):
        write_scores(WHOLE.scores, hand / "scores.csv")
        more = Scores.from_judgments([Judgment("T1", "8", "responsiveness", 1, task="A")])
        write_scores(more, hand / "scores.jsonl")
        assert FORMAT.read(hand).scores == Scores.concatenate([WHOLE.scores, more])

    def test_scores_that_disagree(self, hand):
        write_scores(WHOLE.scores, hand / "scores.csv")
        other = Scores.from_judgments([Judgment("T1", "7", "responsiveness", 1, task="A")])
        write_scores(other, hand / "scores.tsv")
        problems = [p for p in find_problems(FORMAT.read(hand)) if p.fatal]
        assert [(p.kind, p.subject) for p in problems] == [
            ("repeated score", "T1, task A, 7, responsiveness")
        ]

    def test_unknown_columns_are_counted(self, hand):
        (hand / "scores.tsv").write_text(
            "topic\tsystem\tkind\tmeasure\tvalue\tnote\nT1\t7\tmachine\tm\t4\tx\n"
        )
        assert FORMAT.read(hand).left_out == ("scores.tsv: 1 unknown column: note",)

    def test_pyramid_of_a_topic_with_a_hyphen(self, folder):
        (folder / "topics.jsonl").write_text('{"id": "oil-price"}')
        (folder / "pyramids" / "T1-A.pyr").rename(folder / "pyramids" / "oil-price.pyr")
        assert list(FORMAT.read(folder).pyramids) == [("", "oil-price")]

    def test_annotation_with_a_name_of_tac(self, folder):
        (folder / "peers" / "T1-A-7.pan").rename(folder / "peers" / "D0901-A.M.100.A.17.pan")
        assert list(FORMAT.read(folder).peer_annotations) == [("A", "D0901", "17", "", "")]


class TestStrangers:
    def test_are_counted(self, folder):
        (folder / "README").write_text("hello")
        assert FORMAT.read(folder).left_out == (
            "1 file or folder that is not part of a collection: README",
        )
        (folder / "topics.jsonl.gz").write_bytes(gzip.compress(b"", mtime=0))
        (folder / "more").mkdir()
        (folder / "pyramids" / "notes.txt").write_text("x")
        assert FORMAT.read(folder).left_out == (
            "4 files or folders that are not part of a collection: "
            "README, more, pyramids/notes.txt, ...",
        )

    def test_file_where_a_folder_belongs(self, tmp_path):
        (tmp_path / "collection.toml").write_text('name = "x"')
        (tmp_path / "peers").write_text("x")
        assert FORMAT.read(tmp_path).left_out == (
            "1 file or folder that is not part of a collection: peers",
        )

    def test_notes_about_pyramids_are_passed_on(self, folder):
        pyramid = folder / "pyramids" / "T1-A.pyr"
        text = pyramid.read_text()
        pyramid.write_text(text.replace("<text>", '<text colour="red">'))
        left_out = FORMAT.read(folder).left_out
        assert len(left_out) == 1
        assert left_out[0].startswith("pyramids/T1-A.pyr: ")
        assert "colour" in left_out[0]


class TestBadFiles:
    LINES = ("collection.toml", "topics.jsonl", "summaries.jsonl", "scores.csv")
    XML = ("pyramids/T1-A.pyr", "peers/T1-A-7.pan")

    @pytest.mark.parametrize("name", [*LINES, *XML])
    def test_empty_file_is_named(self, folder, name):
        (folder / name).write_bytes(b"")
        assert refusal(FormatError, FORMAT.read, folder).startswith(str(folder / name))

    @pytest.mark.parametrize("name", [*LINES, *XML])
    def test_cut_off_file_is_named(self, folder, name):
        whole = (folder / name).read_bytes()
        (folder / name).write_bytes(whole[: len(whole) // 2 - 1])
        assert refusal(FormatError, FORMAT.read, folder).startswith(str(folder / name))

    @pytest.mark.parametrize("name", LINES)
    def test_file_in_latin_1_is_named(self, folder, name):
        whole = (folder / name).read_bytes()
        (folder / name).write_bytes(whole[:-5] + b"\xe9" + whole[-5:])
        message = refusal(FormatError, FORMAT.read, folder)
        assert message.startswith(f"{folder / name}, line ")
        assert "byte 0xe9 is not UTF-8" in message

    def test_two_files_for_one_address(self, folder):
        pyramid = folder / "pyramids" / "T1-A.pyr"
        (folder / "pyramids" / "T1-%41.pyr").write_bytes(pyramid.read_bytes())
        assert refusal(FormatError, FORMAT.read, folder) == (
            f"{pyramid}: T1-%41.pyr has the same topic, task and system; keep one, "
            "or add ~<version> to a pyramid's name, ~<assessor> to an annotation's"
        )

    def test_pyramid_and_annotation_that_disagree(self, folder):
        other = replace(PYRAMID, scus=(replace(PYRAMID.scus[0], label="Snow"),))
        FORMAT.write(replace(WHOLE, pyramids={("A", "T1"): other}), folder, True)
        assert [p.kind for p in find_problems(FORMAT.read(folder))] == ["other pyramid"]

    def test_annotation_without_an_address(self, folder):
        file = (folder / "peers" / "T1-A-7.pan").rename(folder / "peers" / "7.pan")
        assert refusal(FormatError, FORMAT.read, folder).startswith(
            f"{file}: the name does not identify the annotation"
        )


class TestWriting:
    def test_existing_folder_is_not_touched(self, folder):
        before = contents(folder)
        assert refusal(InputError, FORMAT.write, Collection("other"), folder, False) == (
            f"{folder}: the folder already exists; choose another name, or replace it with --force"
        )
        assert contents(folder) == before

    def test_replacing_keeps_what_is_not_ours(self, folder):
        (folder / "README").write_text("hello")
        (folder / "notes").mkdir()
        (folder / "notes" / "a.txt").write_text("a")
        (folder / "pyramids" / "notes.txt").write_text("b")
        FORMAT.write(Collection("other"), folder, True)
        assert FORMAT.read(folder) == Collection("other")
        assert names(folder) == [
            "README",
            "collection.toml",
            "notes",
            "notes/a.txt",
            "pyramids",
            "pyramids/notes.txt",
        ]

    def test_replacing_another_form_of_scores(self, folder):
        write_scores(WHOLE.scores, folder / "scores.parquet")
        FORMAT.write(WHOLE, folder, True)
        assert FORMAT.read(folder) == WHOLE

    def test_folder_that_is_not_a_collection_is_not_replaced(self, tmp_path):
        (tmp_path / "thesis").mkdir()
        (tmp_path / "thesis" / "thesis.tex").write_text("years of work")
        assert refusal(InputError, FORMAT.write, WHOLE, tmp_path / "thesis", True) == (
            f"{tmp_path / 'thesis'}: this folder is not a collection, so it is not replaced; "
            "name another or remove it yourself"
        )
        assert names(tmp_path) == ["thesis", "thesis/thesis.tex"]

    @pytest.mark.parametrize("replaced", [False, True])
    def test_interrupted(self, tmp_path, monkeypatch, replaced):
        path = tmp_path / "mine"
        if replaced:
            FORMAT.write(WHOLE, path, False)
        before = contents(tmp_path)

        def fail(*_arguments, **_options):
            raise RuntimeError

        monkeypatch.setattr(scores_format, "scores_text", fail)
        with pytest.raises(RuntimeError):
            FORMAT.write(replace(WHOLE, name="new"), path, replaced)
        assert contents(tmp_path) == before
        assert sorted(item.name for item in tmp_path.iterdir()) == ["mine"] * replaced

    def test_text_that_no_file_can_hold(self, tmp_path):
        bad = replace(WHOLE, summaries=(Summary("T1", "7", "\ud83d"),))
        message = refusal(InputError, FORMAT.write, bad, tmp_path / "mine", False)
        assert "half of a surrogate pair" in message
        assert names(tmp_path) == []

    def test_character_that_xml_cannot_hold(self, tmp_path):
        bad = replace(WHOLE, pyramids={("A", "T1"): Pyramid("a\x00b")})
        message = refusal(InputError, FORMAT.write, bad, tmp_path / "mine", False)
        assert "U+0000" in message
        assert names(tmp_path) == []

    def test_file_in_the_way(self, tmp_path):
        (tmp_path / "mine").write_text("precious")
        for replaced in (False, True):
            assert refusal(InputError, FORMAT.write, WHOLE, tmp_path / "mine", replaced) == (
                f"{tmp_path / 'mine'}: this is a file; choose a folder to write to"
            )
        assert (tmp_path / "mine").read_text() == "precious"
