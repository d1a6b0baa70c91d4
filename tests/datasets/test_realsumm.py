"""REALSumm's release. All texts are invented; folders, columns and tags are the release's."""

import csv
import gzip
import pickle

import pytest

from pyramidion.checks import find_problems
from pyramidion.collection import Judgment
from pyramidion.collection.formats import format_named
from pyramidion.collection.summaries import Document
from pyramidion.errors import FormatError, NotFoundError

FORMAT = format_named("realsumm")

ANSWERS = "human_annotations/SCUs_and_annotations/SCU_rating_results_{}_systems/{}.csv"
OUTPUTS = "selected_docs_for_human_eval/{}"
BLANK = "BLANK"


def header(statements=3):
    """Return the header of a table of answers; the release's answers are in another order."""
    numbers = range(1, statements + 1)
    return [
        "Input.eventId",
        "Input.summaryId",
        "Input.qIdList",
        "Input.summary_text",
        *(f"Input.statement_{n}" for n in numbers),
        *(f"Answer.S{n}Answer" for n in sorted(numbers, key=str, reverse=True)),
    ]


def sheet(topic="cnndm19", system="bart_out", text="It rained .", answers="ppn", scus=None):
    """Return a worker's row: the answers are told in the order of the statements."""
    scus = scus or ["Rain fell.", BLANK, "It was Oslo."]
    return [topic, system, "['0', '1', '2']", text, *scus, *reversed(answers)]


@pytest.fixture
def write(tmp_path):
    """Write a file of the release, a table or lines."""

    def write_file(name, *rows):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", newline="", encoding="utf-8") as stream:
            if name.endswith(".csv"):
                csv.writer(stream).writerows(rows)
            else:
                stream.writelines(f"{row}\n" for row in rows)
        return path

    return write_file


@pytest.fixture
def release(tmp_path, write):
    """Write a small release of two documents and three systems."""
    write(ANSWERS.format("abs", "bart_out"), header(), sheet(), sheet(answers="nnp"))
    write(ANSWERS.format("ext", "bart_out"), header(), sheet(text="Rain again ."))
    write(
        "human_annotations/SCUs_and_annotations/SCUs_list.csv",
        ["eventId", "questionId", "questionText", "answer", "author", "sourceSummaryId", "forUse"],
        ["cnndm19", "0", "Rain fell.", "Y", "", "cnndm19", "1"],
        ["cnndm19", "1", BLANK, "N", "", "cnndm19", "1"],
        ["cnndm19", "2", "It was Oslo.", "Y", "", "cnndm19", "1"],
    )
    write("human_annotations/amt_settings.txt", "Reward: much")
    write(OUTPUTS.format("selected_documents.md"), "See [here](x).", "```", "[307, 19]", "```")
    for track in ("abs", "ext"):
        write(
            OUTPUTS.format(f"{track}/bart/out.txt"),
            "<t> Sun . </t>",
            "<t> It </t> <t> rained . </t>",
        )
    write(OUTPUTS.format("abs/t5/out_base.txt"), "", "### NO MATCH FOUND ###")
    write(OUTPUTS.format("ext/bart/ref.txt"), "<t> Sun shone . </t>", "<t> Rain fell . </t>")
    write(OUTPUTS.format("abs/t5/ref.txt"), "sun shone.", "rain fell.")
    write(OUTPUTS.format("abs/t5/src.txt"), "sun shone .", "<t> rain fell . </t> <t> oslo . </t>")
    (tmp_path / "scores_dicts").mkdir()
    (tmp_path / "scores_dicts/abs.pkl").write_bytes(pickle.dumps({}))
    write("README.md", "Not data.")
    return tmp_path


def test_a_table_of_answers(write):
    path = write("bart_out.csv", header(), sheet(), sheet(answers="nnp"))
    assert FORMAT.matches(path)
    collection = FORMAT.read(path)
    (summary,) = collection.summaries
    assert (summary.topic, summary.system, summary.text) == ("cnndm19", "bart_out", "It rained .")
    expected = [("worker1", "0", 1), ("worker1", "1", 0), ("worker2", "0", 0), ("worker2", "1", 1)]
    assert list(collection.scores) == [
        Judgment("cnndm19", "bart_out", "scu-answer", value, assessor=worker, unit=unit)
        for worker, unit, value in expected
    ]
    assert collection.topics[0].extra == {
        "scus": [
            {"id": 0, "text": "Rain fell.", "weight": 1},
            {"id": 1, "text": "It was Oslo.", "weight": 1},
        ]
    }


def test_an_empty_last_column_means_nothing(write):
    path = write("bart_out.csv", [*header(), ""], [*sheet(), ""])
    assert len(FORMAT.read(path).scores) == 2


def test_more_than_nine_statements_keep_their_order(write):
    scus = [f"Fact {n}." for n in range(12)]
    path = write("a.csv", header(12), [*sheet()[:4], *scus, *answers_in_file_order("nnpnnnnnnnnp")])
    values = {row.unit: row.value for row in FORMAT.read(path).scores}
    assert [unit for unit, value in values.items() if value] == ["2", "11"]


def answers_in_file_order(answers):
    numbers = sorted(range(1, len(answers) + 1), key=str, reverse=True)
    return [answers[number - 1] for number in numbers]


def test_the_whole_release(release):
    assert FORMAT.matches(release)
    collection = FORMAT.read(release)
    summaries = {(s.topic, s.system): s for s in collection.summaries if s.is_peer}
    assert set(summaries) == {
        ("cnndm307", "abs_bart_out"),
        ("cnndm19", "abs_bart_out"),
        ("cnndm307", "ext_bart_out"),
        ("cnndm19", "ext_bart_out"),
        ("cnndm307", "t5_out_base"),
    }
    assert summaries["cnndm19", "abs_bart_out"].text == ("It", "rained .")
    assert summaries["cnndm19", "abs_bart_out"].extra == {}
    assert summaries["cnndm19", "ext_bart_out"].extra == {"shown": "Rain again ."}
    assert summaries["cnndm307", "t5_out_base"].text == ""
    assert {s.topic: s.text for s in collection.summaries if s.is_reference} == {
        "cnndm307": "sun shone.",
        "cnndm19": "rain fell.",
    }
    assert collection.topic("cnndm19").documents == (Document("d1", "rain fell . oslo ."),)
    assert len(collection.topic("cnndm19").extra["scus"]) == 2
    assert {row.system for row in collection.scores} == {"abs_bart_out", "ext_bart_out"}
    assert set(collection.left_out) == {
        "1 outputs that the release could not align",
        "1 further copies of the references",
        "1 pickles, which are never loaded",
        "1 other files",
    }
    assert not any(problem.fatal for problem in find_problems(collection))


@pytest.mark.parametrize("part", ["human_annotations", "selected_docs_for_human_eval"])
def test_a_part_of_the_release(release, part):
    collection = FORMAT.read(release / part)
    assert {"abs_bart_out", "ext_bart_out"} <= collection.systems.keys()


def test_only_the_list_of_scus(release):
    path = release / "human_annotations/SCUs_and_annotations/SCUs_list.csv"
    assert FORMAT.matches(path)
    assert [topic.id for topic in FORMAT.read(path).topics] == ["cnndm19"]


def test_an_scu_worded_otherwise_is_counted(release, write):
    scus = ["Rain fell!", BLANK, "It was Oslo."]
    write(ANSWERS.format("abs", "t5_out_base"), header(), sheet(system="t5_out_base", scus=scus))
    collection = FORMAT.read(release / "human_annotations")
    assert "1 sheets with another wording of an SCU" in collection.left_out


class TestBadInput:
    def test_a_pickle_is_refused_before_it_is_read(self, tmp_path):
        class Trap:
            def __reduce__(self):
                return pytest.fail, ("the pickle was loaded",)

        for name in ("abs.pkl", "abs.bin"):
            path = tmp_path / name
            path.write_bytes(pickle.dumps(Trap()))
            assert FORMAT.matches(path)
            with pytest.raises(FormatError, match=r"this is a pickle, which is not loaded"):
                FORMAT.read(path)
        with pytest.raises(FormatError, match=r"abs\.bin: this is a pickle"):
            FORMAT.read(tmp_path)

    def test_statements_that_are_not_the_list_s_are_refused(self, release, write):
        statements = ["Rain fell.", BLANK, BLANK]
        write(ANSWERS.format("abs", "t5_out"), header(), sheet(system="t5_out", scus=statements))
        with pytest.raises(FormatError, match=r"t5_out.csv, line 2: 1 statements for the 2 SCUs"):
            FORMAT.read(release)

    def test_outputs_need_the_list_of_documents(self, release):
        (release / OUTPUTS.format("selected_documents.md")).unlink()
        with pytest.raises(NotFoundError, match=r"there is no selected_documents.md"):
            FORMAT.read(release)

    def test_the_list_of_documents_must_hold_numbers(self, release, write):
        write(OUTPUTS.format("selected_documents.md"), "[here]")
        with pytest.raises(
            FormatError, match=r"selected_documents.md: there is no list of document"
        ):
            FORMAT.read(release)

    def test_outputs_must_have_a_line_for_each_document(self, release, write):
        write(OUTPUTS.format("ext/bart/out.txt"), "Sun.")
        with pytest.raises(FormatError, match=r"out.txt: 1 lines for 2 documents"):
            FORMAT.read(release)

    @pytest.mark.parametrize(
        ("row", "message"),
        [
            ([*sheet()[:-1], "x"], "line 2: the answer to statement 1 is 'x'"),
            (sheet()[:-1], "line 2: 9 fields, the header has 10"),
            ([*sheet(), "n"], "line 2: 11 fields, the header has 10"),
            (sheet(topic=""), "line 2: `Input.eventId` is empty"),
        ],
    )
    def test_a_wrong_row_is_named(self, write, row, message):
        with pytest.raises(FormatError, match=message):
            FORMAT.read(write("bart_out.csv", header(), row))

    def test_a_missing_column_is_named(self, write):
        names = [name for name in header() if name != "Input.summary_text"]
        with pytest.raises(FormatError, match=r"line 1: column `Input.summary_text` is missing"):
            FORMAT.read(write("bart_out.csv", names))

    def test_a_missing_answer_is_named(self, write):
        names = [name if name != "Answer.S3Answer" else "Answer.S4Answer" for name in header()]
        with pytest.raises(FormatError, match=r"line 2: the answer to statement 3 is None"):
            FORMAT.read(write("bart_out.csv", names, sheet()))

    @pytest.mark.parametrize(
        ("damage", "message"),
        [
            (lambda data: data[:-40], r"line \d+: this is not CSV"),
            (lambda data: data.replace(b"rained", b"rain\xe9d"), "byte 0xe9 is not UTF-8"),
            (lambda data: gzip.compress(data, mtime=0)[:-9], "the gzipped data is damaged"),
        ],
    )
    def test_a_damaged_table_is_refused(self, write, damage, message):
        path = write("bart_out.csv", header(), sheet(text='It "rained" , \n and how .' * 2))
        path.write_bytes(damage(path.read_bytes()))
        with pytest.raises(FormatError, match=message):
            FORMAT.read(path)

    @pytest.mark.parametrize("name", ["a.csv", "b.txt"])
    def test_another_file_is_refused(self, write, name):
        path = write(name, ["topic", "system"])
        assert not FORMAT.matches(path)
        with pytest.raises(FormatError, match=r"this is not part of REALSumm's release"):
            FORMAT.read(path)

    def test_an_empty_folder_and_a_missing_one(self, tmp_path):
        assert not FORMAT.matches(tmp_path)
        with pytest.raises(FormatError, match=r"this is not part of REALSumm's release"):
            FORMAT.read(tmp_path)
        with pytest.raises(NotFoundError, match=r"there is no such file"):
            FORMAT.read(tmp_path / "a.csv")
