import gzip
import subprocess
import sys
from contextlib import suppress

import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

from collection.refusals import refusal
from collection.strategies import scores as score_tables
from pyramidion.collection import (
    Collection,
    Judgment,
    PeerAnnotation,
    Pyramid,
    Scores,
    Summary,
    Topic,
)
from pyramidion.collection.formats.scores import (
    FORMAT,
    read_scores,
    read_table,
    scores_text,
    write_scores,
)
from pyramidion.errors import (
    FormatError,
    InputError,
    MissingExtraError,
    NotFoundError,
)

ENDINGS = ("csv", "tsv", "jsonl", "parquet")
HEADER = "topic,system,kind,measure,value\n"
ROW = "T1,7,machine,readability,4\n"
JSON_ROW = '{"topic": "T1", "system": "7", "kind": "machine", "measure": "m", "value": 4}\n'


@pytest.fixture
def file(tmp_path):
    return tmp_path / "scores.csv"


@pytest.fixture
def jsonl(tmp_path):
    return tmp_path / "scores.jsonl"


def some():
    return Scores.from_judgments(
        [
            Judgment("T1", "7", "responsiveness", 4, task="A", assessor="K"),
            Judgment("T1", "A", "rouge-2-r", 0.25, task="A", kind="human"),
        ]
    )


def read_from(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_scores(path)


class TestRoundTrips:
    @pytest.mark.parametrize("ending", ENDINGS)
    @given(scores=score_tables(min_size=1))
    def test_what_is_written_is_read(self, tmp_path_factory, ending, scores):
        path = tmp_path_factory.mktemp("scores") / f"scores.{ending}"
        write_scores(scores, path)
        assert read_scores(path) == scores
        assert read_table(path)[2] == ()
        assert FORMAT.matches(path)

    @pytest.mark.parametrize("ending", ENDINGS)
    @pytest.mark.parametrize(
        "value", [0.1, 1 / 3, 5e-324, 1.7976931348623157e308, -1e-300, 2**53 + 1, 1e22, -0.0, -7.0]
    )
    def test_numbers_to_the_last_bit(self, tmp_path, ending, value):
        path = tmp_path / f"scores.{ending}"
        write_scores(Scores.from_judgments([Judgment("T", "7", "m", value)]), path)
        assert read_scores(path).value[0].hex() == float(value).hex()

    @pytest.mark.parametrize("ending", ENDINGS[:3])
    def test_gzipped(self, tmp_path, ending):
        path = tmp_path / f"scores.{ending}"
        write_scores(some(), path)
        zipped = tmp_path / f"scores.{ending}.gz"
        zipped.write_bytes(gzip.compress(path.read_bytes(), mtime=0))
        assert read_scores(zipped) == some()
        assert FORMAT.matches(zipped)

    @pytest.mark.parametrize("ending", ENDINGS[:3])
    def test_mark_and_other_line_ends(self, tmp_path, ending):
        path = tmp_path / f"scores.{ending}"
        write_scores(some(), path)
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
        assert read_scores(path) == some()
        assert FORMAT.matches(path)

    def test_form_follows_from_the_content_not_the_name(self, tmp_path):
        for ending in ENDINGS[:3]:
            write_scores(some(), tmp_path / f"scores.{ending}")
            renamed = (tmp_path / f"scores.{ending}").rename(tmp_path / "scores.txt")
            assert read_scores(renamed) == some()


class TestCsv:
    def test_as_written(self):
        assert scores_text(some()) == (
            "task,topic,system,kind,measure,assessor,value\n"
            "A,T1,7,machine,responsiveness,K,4\n"
            "A,T1,A,human,rouge-2-r,,0.25\n"
        )

    def test_optional_columns(self):
        scores = Scores.from_judgments([Judgment("T1", "17", "coverage", 20, unit="B/3")])
        assert scores_text(scores) == (
            "task,topic,system,kind,measure,assessor,value,unit\n,T1,17,machine,coverage,,20,B/3\n"
        )

    def test_numbers_are_short(self):
        values = [4, -2.5, 0, 1e300, 123456789.0, 1e-7]
        rows = (Judgment("T", str(value), "m", value) for value in values)
        table = scores_text(Scores.from_judgments(rows)).splitlines()[1:]
        written = [row.split(",")[-1] for row in table]
        assert written == ["4", "-2.5", "0", "1e+300", "123456789", "1e-07"]

    def test_columns_in_any_order(self, file):
        scores = read_from(file, "value,measure,system,topic,kind\n4,m,7,T1,human\n")
        assert list(scores) == [Judgment("T1", "7", "m", 4.0, kind="human")]

    def test_blanks_around_names_and_numbers(self, file):
        scores = read_from(file, "topic , system,kind,measure,value\n T1,7 ,machine,m, 4 \n")
        assert list(scores) == [Judgment(" T1", "7 ", "m", 4.0)]

    def test_quoted_header(self, file):
        assert len(read_from(file, HEADER.replace("topic", '"topic"') + ROW)) == 1
        assert FORMAT.matches(file)

    def test_blank_lines(self, file):
        scores = read_from(file, f"\n\n{HEADER}\n{ROW}\n\n")
        assert len(scores) == 1

    def test_lines_are_counted_from_the_top_of_the_file(self, file):
        wrong = f"\n\n{HEADER}\n{ROW}\nT2,7,machine,readability,good\n"
        assert refusal(FormatError, read_from, file, wrong).startswith(f"{file}, line 7: `value`")


class TestJsonl:
    def test_ids_may_be_numbers_and_fields_null(self, jsonl):
        row = (
            '{"topic": 901, "system": 7, "kind": "human", "measure": "m", "value": "4.5", '
            '"assessor": null}'
        )
        assert list(read_from(jsonl, row)) == [Judgment("901", "7", "m", 4.5, kind="human")]

    def test_blank_lines(self, jsonl):
        assert len(read_from(jsonl, f"\n\n  \n{JSON_ROW}\n")) == 1
        assert FORMAT.matches(jsonl)


class TestLeftOut:
    def test_unknown_columns_are_counted(self, file):
        file.write_text("note,topic,system,kind,measure,value,text\nx,T1,7,machine,m,4,y\n")
        assert FORMAT.read(file).left_out == ("2 unknown columns: note, text",)

    def test_unknown_fields_are_counted(self, jsonl):
        jsonl.write_text(JSON_ROW + JSON_ROW.replace("T1", "T2").replace("}", ', "note": 1}'))
        assert FORMAT.read(jsonl).left_out == ("1 unknown column: note",)

    def test_unknown_columns_of_parquet_are_counted(self, tmp_path):
        path = tmp_path / "a[1].parquet"  # not to be taken for a pattern
        write_scores(some(), path)
        polars.read_parquet(path, glob=False).with_columns(note=polars.lit("x")).write_parquet(path)
        collection = FORMAT.read(path)
        assert collection.left_out == ("1 unknown column: note",)
        assert collection.scores == some()


class TestBadCsv:
    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("", ": the file is empty; the header has topic, system, measure, value"),
            (
                "\n \n",
                ": the file is empty; the header has topic, system, measure, value",
            ),
            (HEADER, ": there are no rows under the header; add some"),
            (HEADER + "\n\n", ": there are no rows under the header; add some"),
            (
                f"{HEADER}{ROW}T2,7,mach",
                ", line 3: 3 fields, the header has 5; the file may be cut off; "
                "if the last line is a footer, remove it",
            ),
            (
                f"{HEADER}{ROW}T2,7,machine,m,4,5\n",
                ", line 3: 6 fields, the header has 5; the file may be cut off, "
                "or a field with a comma lacks quotation marks",
            ),
            (
                f'{HEADER}{ROW}"T2,7,machine,m,4\nT3,7,machine,m,4\n',
                ", line 3: this is not CSV (unexpected end of data); "
                "a quotation mark may be open, or the file is cut off",
            ),
            (
                f'{HEADER}{ROW}"T2"x,7,machine,m,4\n',
                ", line 3: this is not CSV (',' expected after '\"'); "
                "a quotation mark may be open, or the file is cut off",
            ),
            (
                f'{HEADER}{ROW}"T2\n",7,machine,m,4\n',
                ", line 3: `topic` has a line break; remove it; a quotation mark may be open",
            ),
            (
                f"{HEADER}{ROW}T2\rT3,7,machine,m,4\n",
                ", line 3: this is not CSV (new-line character seen in unquoted field); "
                "a quotation mark may be open, or the file is cut off",
            ),
            (
                "topic,system,kind,value\nT1,7,machine,4\n",
                ": column `measure` is missing; add it; available: topic, system, kind, value",
            ),
            (
                "topic,system,kind,measure,value,topic\nT1,7,machine,m,4,T1\n",
                ": column `topic` occurs twice; rename one",
            ),
            (
                f"{HEADER}{ROW}T2,7,machine,readability,4\n{ROW}",
                ", line 4: line 2 has the same key; "
                "keep one, or distinguish them by assessor, run or occasion",
            ),
            (
                f"{HEADER}{ROW}T2,7,machine,m,\n",
                ", line 3: `value` is empty; write a number, or leave the row out",
            ),
            (
                f"{HEADER}T2,7,machine,m,NaN\n",
                ", line 2: `value` is 'NaN'; leave out rows without a value",
            ),
            (
                f"{HEADER}T2,7,machine,m,inf\n",
                ", line 2: `value` is 'inf'; leave out rows without a value",
            ),
            (
                f"{HEADER}T2,7,machine,m,true\n",
                ", line 2: `value` is 'true', not a number; write a number, or leave the row out",
            ),
            (
                f"{HEADER}T2,7,robot,m,4\n",
                ", line 2: `kind` is 'robot'; write human or machine",
            ),
            (f"{HEADER},7,machine,m,4\n", ", line 2: `topic` is empty; fill it in"),
            (
                f"{HEADER}{ROW}".encode() + b"caf\xe9,7,machine,m,4\n",
                ", line 3: byte 0xe9 is not UTF-8; "
                "save the file as UTF-8 (it may be Latin-1 or Windows-1252)",
            ),
            (
                f"{HEADER}{ROW}".encode("utf-16"),
                ", line 1: the text is UTF-16, not UTF-8; save it as UTF-8",
            ),
        ],
    )
    def test_message(self, file, content, message):
        assert refusal(FormatError, read_from, file, content) == f"{file}{message}"

    def test_damaged_gzip(self, file):
        whole = gzip.compress((HEADER + ROW * 1000).encode(), mtime=0)
        message = refusal(FormatError, read_from, file, whole[: len(whole) // 2])
        assert message.startswith(f"{file}: the gzipped data is damaged (")

    @pytest.mark.parametrize("head", ["", HEADER, JSON_ROW], ids=["nothing", "CSV", "JSONL"])
    def test_line_of_100_megabytes(self, file, head):
        with file.open("wb") as stream:
            stream.write(head.encode())
            stream.truncate(100 * 2**20)
        assert refusal(FormatError, read_scores, file) == (
            f"{file}, line {2 if head else 1}: the line is longer than 64 MiB; "
            "one record belongs on each line; check that this is the right file"
        )

    def test_missing_file(self, file):
        assert refusal(NotFoundError, read_scores, file) == (
            f"{file}: there is no such file; check the path"
        )

    def test_folder(self, tmp_path):
        assert refusal(FormatError, read_scores, tmp_path) == (
            f"{tmp_path}: this is a folder, not a file; name a file in it"
        )

    @given(st.binary(max_size=200))
    def test_garbage_is_refused_in_one_line(self, tmp_path_factory, content):
        path = tmp_path_factory.mktemp("garbage") / "scores.csv"
        refusal(FormatError, read_from, path, content)

    @given(st.integers(1, 2**16), st.integers(0, 2**16))
    def test_damaged_tables_never_show_a_traceback(self, tmp_path_factory, index, byte):
        content = bytearray((HEADER + ROW + '"T,""2",7,human,m,-1e-3\n').encode())
        content[index % len(content)] = byte % 256
        path = tmp_path_factory.mktemp("damaged") / "scores.csv"
        with suppress(FormatError):
            read_from(path, bytes(content))


class TestBadJsonl:
    @pytest.mark.parametrize(
        ("row", "message"),
        [
            (
                JSON_ROW.replace(', "value": 4', ""),
                "`value` is empty; write a number, or leave the row out",
            ),
            (
                JSON_ROW.replace("4", "NaN"),
                "`value` is nan; leave out rows without a value",
            ),
            (
                JSON_ROW.replace("4", '"NaN"'),
                "`value` is 'NaN'; leave out rows without a value",
            ),
            (
                JSON_ROW.replace("4", "-Infinity"),
                "`value` is -inf; leave out rows without a value",
            ),
            (
                JSON_ROW.replace("4", "null"),
                "`value` is empty; write a number, or leave the row out",
            ),
            (
                JSON_ROW.replace("4", "true"),
                "`value` is True, not a number; write a number, or leave the row out",
            ),
            (
                JSON_ROW.replace("4", "1" + "0" * 400),
                "`value` is too large; write a number below 1e308",
            ),
            (JSON_ROW.replace('"7"', "7.5"), "`system` is 7.5, not text; write it as text"),
            (JSON_ROW.replace('"T1"', '""'), "`topic` is empty; fill it in"),
            (JSON_ROW.replace('"T1"', "null"), "`topic` is empty; fill it in"),
            (
                JSON_ROW.replace('"T1"', '"T\\n1"'),
                "`topic` has a line break; remove it; a quotation mark may be open",
            ),
            (JSON_ROW.replace("machine", "robot"), "`kind` is 'robot'; write human or machine"),
            (JSON_ROW.replace('"system"', '"topic"'), "`topic` occurs twice; keep one"),
            (
                JSON_ROW[:40] + "\n",
                "this is not JSON (Unterminated string starting at at column 40); "
                "one JSON object per line; the file may be cut off",
            ),
            ("[1]\n", "this is not a JSON object; write {...}"),
            (
                JSON_ROW.replace("T1", "T2"),
                "line 1 has the same key; "
                "keep one, or distinguish them by assessor, run or occasion",
            ),
        ],
    )
    def test_message(self, jsonl, row, message):
        content = JSON_ROW.replace("T1", "T2") + "\n" + row
        assert refusal(FormatError, read_from, jsonl, content) == f"{jsonl}, line 3: {message}"


class TestBadParquet:
    @pytest.fixture
    def parquet(self, tmp_path):
        path = tmp_path / "scores.parquet"
        write_scores(some(), path)
        return path

    @pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1 and then garbage PAR1", b"\0" * 100])
    def test_garbage(self, parquet, content):
        message = refusal(FormatError, read_from, parquet, content)
        assert message.startswith(f"{parquet}: this is not a readable Parquet file (")
        assert message.endswith("); write it again")

    @pytest.mark.parametrize(
        "columns",
        [
            dict.fromkeys("abcdefgh", "x") | {"rows": 2_000_000},
            {"topic": "x" * 2**16, "rows": 20_000},
        ],
        ids=["rows", "texts"],
    )
    def test_what_unpacks_to_too_much(self, parquet, columns):
        rows = columns.pop("rows")
        frame = polars.select(polars.repeat(0, rows).alias("n"))
        lazy = frame.with_columns(**{name: polars.lit(text) for name, text in columns.items()})
        lazy.write_parquet(parquet)
        with pytest.raises(FormatError, match=r"the table unpacks to more than .* MiB"):
            read_scores(parquet)

    def test_cut_off(self, parquet):
        whole = parquet.read_bytes()
        message = refusal(FormatError, read_from, parquet, whole[: len(whole) // 2])
        assert message.startswith(f"{parquet}: this is not a readable Parquet file (")

    def test_library_that_panics(self, parquet, monkeypatch):
        def panic(_stream):
            raise polars.exceptions.PanicException("index out of bounds")

        monkeypatch.setattr(polars, "read_parquet", panic)
        assert refusal(FormatError, read_scores, parquet) == (
            f"{parquet}: this is not a readable Parquet file (index out of bounds); write it again"
        )

    def test_no_rows(self, parquet):
        polars.read_parquet(parquet).head(0).write_parquet(parquet)
        assert refusal(FormatError, read_scores, parquet) == (
            f"{parquet}: there are no rows under the header; add some"
        )

    def test_missing_column(self, parquet):
        polars.read_parquet(parquet).drop("measure").write_parquet(parquet)
        assert refusal(FormatError, read_scores, parquet) == (
            f"{parquet}: column `measure` is missing; add it; "
            "available: task, topic, system, kind, assessor, value"
        )

    def test_without_kinds_all_are_machines(self, parquet):
        polars.read_parquet(parquet).drop("kind").write_parquet(parquet)
        assert set(read_scores(parquet).columns["kind"]) == {"machine"}

    def test_bad_value_names_the_row(self, parquet):
        frame = polars.read_parquet(parquet).with_columns(value=polars.Series([1.0, None]))
        frame.write_parquet(parquet)
        assert refusal(FormatError, read_scores, parquet) == (
            f"{parquet}: row 2: `value` is empty; write a number, or leave the row out"
        )

    def test_missing_file(self, tmp_path):
        assert refusal(NotFoundError, read_scores, tmp_path / "no.parquet") == (
            f"{tmp_path / 'no.parquet'}: there is no such file; check the path"
        )

    @pytest.mark.parametrize("call", ["read_scores(path)", "write_scores(scores, path)"])
    def test_polars_is_not_installed(self, parquet, call):
        program = f"""
import sys
sys.modules["polars"] = None
from pyramidion.collection import Judgment, Scores
from pyramidion.collection.formats.scores import read_scores, write_scores
from pyramidion.errors import MissingExtraError
path = {str(parquet)!r}
scores = Scores.from_judgments([Judgment("T", "7", "m", 1)])
try:
    {call}
except MissingExtraError as error:
    print(error)
"""
        answer = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        )
        assert answer.stdout.endswith(
            ' needs an optional dependency; run: pip install "pyramidion[frames]"\n'
        )
        assert len(answer.stdout.splitlines()) == 1
        assert read_scores(parquet) == some()

    def test_missing_extra_is_one_of_ours(self, parquet, monkeypatch):
        monkeypatch.setitem(sys.modules, "polars", None)
        assert refusal(MissingExtraError, read_scores, parquet).startswith("reading Parquet needs")


class TestWriting:
    @pytest.mark.parametrize("ending", ENDINGS)
    @pytest.mark.parametrize(
        ("scores", "message"),
        [
            (Scores({}, []), "there are no scores to write; a table needs at least one row"),
            (
                Scores.from_judgments([Judgment("T\n1", "7", "m", 1)]),
                "a topic has a line break: 'T\\n1'; rename it",
            ),
            (
                Scores.from_judgments([Judgment("T1", "7", "m", 1), Judgment("T1", "", "m", 1)]),
                "row 2 of the scores has no system; fill it in",
            ),
        ],
    )
    def test_what_could_not_be_read_again(self, tmp_path, ending, scores, message):
        path = tmp_path / f"scores.{ending}"
        assert refusal(InputError, write_scores, scores, path) == message
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("ending", ENDINGS[:3])
    def test_half_a_surrogate_pair(self, tmp_path, ending):
        scores = Scores.from_judgments([Judgment("\ud83d", "7", "m", 1)])
        message = refusal(InputError, write_scores, scores, tmp_path / f"scores.{ending}")
        assert "half of a surrogate pair" in message
        assert list(tmp_path.iterdir()) == []

    def test_unknown_ending(self, tmp_path):
        path = tmp_path / "scores.xls"
        assert refusal(InputError, write_scores, some(), path) == (
            f"{path}: scores cannot be written in this format; use .csv, .tsv, .jsonl, .parquet"
        )

    def test_interrupted_parquet_leaves_nothing(self, tmp_path, monkeypatch):
        def fail(_frame, stream):
            stream.write(b"half")
            raise RuntimeError

        monkeypatch.setattr(polars.DataFrame, "write_parquet", fail)
        with pytest.raises(RuntimeError):
            write_scores(some(), tmp_path / "scores.parquet")
        assert list(tmp_path.iterdir()) == []


class TestFormat:
    def test_collection_takes_its_name_from_the_file(self, tmp_path):
        write_scores(some(), tmp_path / "tac.2009.csv")
        collection = FORMAT.read(tmp_path / "tac.2009.csv")
        assert (collection.name, collection.scores) == ("tac", some())

    def test_repeated_keys_are_left_to_the_checks(self, file):
        file.write_text(HEADER + ROW + ROW)
        assert len(FORMAT.read(file).scores) == 2

    def test_what_has_no_place_is_counted(self, file):
        pyramid = Pyramid("")
        collection = Collection(
            "x",
            topics=(Topic("T1"), Topic("T2")),
            summaries=(Summary("T1", "7", "Rain."),),
            scores=some(),
            pyramids={("A", "T1"): pyramid},
            peer_annotations={("A", "T1", "7"): PeerAnnotation(pyramid, "")},
        )
        assert FORMAT.write(collection, file, False) == (
            "2 topics",
            "1 summaries",
            "1 pyramids",
            "1 annotated peers",
        )
        assert read_scores(file) == some()

    def test_collection_without_scores(self, file):
        assert refusal(InputError, FORMAT.write, Collection("x"), file, False) == (
            "the collection has no scores; choose another format"
        )

    @pytest.mark.parametrize(
        ("name", "content", "matches"),
        [
            ("a.csv", HEADER + ROW, True),
            ("a.txt", HEADER.replace(",", "\t"), True),
            ("a.csv", "topic,system,kind,value\n", False),  # a table whose measure has no name
            ("a.csv", (HEADER + ROW).encode("utf-16"), True),  # to say what is wrong with it
            ("a.bin", (HEADER + ROW).encode("utf-16"), False),
            ("a.csv", "id,text\n", False),
            ("a.csv", "", False),
            ("a.jsonl", JSON_ROW, True),
            ("a.jsonl", '{"topic": "T1", "system": "7", "text": "Rain."}\n', False),
            ("a.jsonl", "{" * 50_000, False),
            ("a.jsonl", '{"topic": ' + "[" * 50_000, False),
            ("a.parquet", b"PAR1...", True),
            ("a.txt", b"\x1f\x8bdamaged", False),
        ],
    )
    def test_recognition(self, tmp_path, name, content, matches):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        assert FORMAT.matches(path) is matches

    def test_folder_is_not_recognised(self, tmp_path):
        assert not FORMAT.matches(tmp_path)
