"""Small files in the formats of published sets, worked by hand and read through package fronts."""

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collection.refusals import refusal
from pyramidion.checks.plausibility import implausible_data
from pyramidion.cli.runtime import run
from pyramidion.collection import (
    Collection,
    Document,
    Scale,
    Summary,
    Task,
    Topic,
)
from pyramidion.collection.formats import detect, format_named, read_collection, write_collection
from pyramidion.demo import load_demo
from pyramidion.errors import FormatError, InputError
from pyramidion.summarizers.articles import read_articles
from support import shared_collection, shared_file

ARTICLE = """<doc><docno> APW20310412.0031 </docno>
<headline> Rain &amp; sun </headline>
<text><p>Rain\nfell on caf&eacute;s &LR; at AT&T.<p>Roads closed.</text></doc>"""
STATEMENT = """<topics>
<topic id="D1113C" category="3"><title> Rain </title>
<docsetB id="D1113C-B"><doc id="APW20310412.0031"/></docsetB></topic></topics>"""


@pytest.fixture
def duc(tmp_path):
    folder = tmp_path / "tac"
    for name, text in {
        "models/D1113-B.M.100.C.A": "Rain fell.\nRoads closed.\n",
        "peers/D1113-B.M.100.C.17": "Rain fell and roads\nclosed.\n",
        "docs/D1113C/D1113C-B/APW20310412.0031": ARTICLE,
        "topics.sgml": STATEMENT,
        "manual.peer.B": "D1113-B 17 0.286 5 0 C C 0.276 4 2",
        "README": "Rain fell.",
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


class TestDuc:
    def test_names_say_who_wrote_what(self, duc):
        summaries = read_collection(duc).summaries
        assert [(s.key, s.kind, s.role, s.text) for s in summaries] == [
            (("B", "D1113", "17"), "machine", "peer", "Rain fell and roads closed."),
            (("B", "D1113", "A"), "human", "both", ("Rain fell.", "Roads closed.")),
        ]

    def test_a_letter_names_the_task(self, duc):
        assert read_collection(duc).tasks == (Task("B", "update", "update", 100, ("base",)),)

    def test_a_topic_has_its_statement_assessor_and_articles(self, duc):
        [topic] = read_collection(duc).topics
        assert (topic.id, topic.title, topic.category, topic.assessor) == (
            "D1113",
            "Rain",
            "3",
            "C",
        )
        text = "Rain fell on cafés at AT&T.\n\nRoads closed."
        assert topic.documents == (
            Document("APW20310412.0031", text, "update", "2031-04-12", "APW", "Rain & sun"),
        )

    def test_a_table_has_scores(self, duc):
        collection = read_collection(duc)
        rows = [(row.measure, row.value, row.assessor) for row in collection.scores]
        assert rows[-2:] == [("readability", 4.0, "C"), ("responsiveness", 2.0, "C")]
        assert collection.scales["readability"] == Scale(1, 5, 1)
        assert collection.left_out == ("1 files that were not read: README",)

    def test_columns_of_a_table_with_a_header(self, tmp_path):
        (tmp_path / "D0901.M.100.A.17").write_text("Rain.")
        table = tmp_path / "scores.txt"
        table.write_text("setID\tpeerID\tnumSCUs\tMy measure\nD0901\t17\t3\t0.5\n")
        assert read_collection(tmp_path, format="duc").scores.measures == (
            "my-measure",
            "pyramid-scus",
        )

    def test_what_is_written_is_read_back(self, duc, tmp_path):
        collection = read_collection(duc)
        assert write_collection(collection, tmp_path / "again", format="duc") == ()
        assert (tmp_path / "again" / "models" / "D1113-B.M.100.C.A").read_text() == (
            "Rain fell.\nRoads closed.\n"
        )
        assert (
            '<topic id="D1113" category="3" assessor="C">\n<title> Rain </title>\n'
            in (tmp_path / "again" / "topics.sgml").read_text()
        )

    def test_what_does_not_fit_is_refused_or_counted(self, tmp_path):
        misfit = Collection("mine", summaries=(Summary("cnn/1", "17", "Rain."),))
        assert "topic 'cnn/1' does not fit the names of a DUC folder;" in refusal(
            InputError, write_collection, misfit, tmp_path / "a", format="duc"
        )
        noticed = Collection("b", notice="Free.", summaries=(Summary("D0901", "17", "Rain."),))
        assert write_collection(noticed, tmp_path / "b", format="duc") == ("1 notice",)


def test_judged_summaries_name_their_references(tmp_path):
    path = tmp_path / "a.jsonl"
    line = {"topic": "T1", "summary": "It rained.", "references": ["Rain."], "id": 3}
    lines = [json.dumps({**line, "system": system, "note": 1}) for system in "78"]
    path.write_text("\n".join(lines))
    collection = read_collection(path, format="judged")
    assert [(s.system, s.role, s.extra) for s in collection.summaries] == [
        ("7", "peer", {"note": 1}),
        ("8", "peer", {"note": 1}),
        ("ref1", "reference", {}),
    ]
    assert collection.left_out == ("2 fields `id`",)


def test_realsumm_lists_units_and_never_loads_a_pickle(tmp_path):
    path = tmp_path / "SCUs_list.csv"
    path.write_text("eventId,questionId,questionText\nT1,0,Rain fell.\nT1,1,BLANK\n")
    [topic] = read_collection(path).topics
    assert [unit["text"] for unit in topic.extra["scus"]] == ["Rain fell."]
    message = refusal(FormatError, format_named("realsumm").read, tmp_path / "abs.pkl")
    assert "abs.pkl: this is a pickle, which is not loaded" in message


def test_judges_of_a_published_set(tmp_path):
    line = {"topic": "T1", "system": "7", "summary": "Rain.", "references": [], "dataset": "d",
            "scores": {"human_coverage": 0.5, "judge_gpt": 0.75}}  # fmt: skip
    path = tmp_path / "set.jsonl"
    path.write_text(json.dumps(line) + "\n")
    read = Collection.load(path)
    rows = [(row.measure, row.assessor, row.assessor_kind, row.value) for row in read.scores]
    assert rows == [("coverage", "", "", 0.5), ("coverage", "gpt", "model", 0.75)]
    write_collection(read, tmp_path / "again.jsonl", format="judged")
    assert Collection.load(tmp_path / "again.jsonl").scores == read.scores


def test_judged_summaries_are_no_stream(tmp_path):
    record = {"topic": "T", "system": "A", "summary": "Rain.", "references": ["x"]}
    (tmp_path / "s.jsonl").write_text(json.dumps(record) + "\n")
    assert detect(tmp_path / "s.jsonl").name == "judged"


def test_judged_topics_keep_their_references(tmp_path):
    line = {"topic": "T1", "documents": ["Rain fell."], "references": ["It rained."]}
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(line))
    collection = read_articles([path])
    assert [summary.plain for summary in collection.summaries] == ["It rained."]


def test_articles_may_be_a_duc_folder(tmp_path):
    load_demo().save(tmp_path / "duc", format="duc")
    assert len(read_articles([tmp_path / "duc"]).topics) == 6


def test_a_written_date_is_kept_in_a_duc_folder(tmp_path):
    date = "January 1, 1989, Sunday, Home Edition"
    text = f"<DOC><DOCNO> LA010189-0001 </DOCNO><DATE> {date} </DATE><TEXT> Rain. </TEXT></DOC>"
    (tmp_path / "a.sgml").write_text(text)
    documents = read_articles([tmp_path / "a.sgml"]).topics[0].documents
    assert documents[0].extra == {"date_written": date}
    collection = Collection("c", topics=(Topic("D0901", documents=documents),))
    assert write_collection(collection, tmp_path / "duc", format="duc") == ()
    assert read_collection(tmp_path / "duc", format="duc").topics == collection.topics


@pytest.mark.parametrize("name", ["realsumm", "summeval", "summeval_op", "squality", "summhay"])
def test_nothing_but_missing_scores_is_said_of_the_open_sets(name):
    problems = implausible_data(shared_collection(f"data/{name}.jsonl.gz"))
    # Notes say which direction of an unknown measure was assumed.
    kinds = {problem.kind for problem in problems if problem.severity != "note"}
    assert kinds <= {"missing scores"}


@pytest.mark.long
def test_realsumm_converts_and_describes(tmp_path, capsys):
    source = shared_file("data/realsumm.jsonl.gz")
    assert run(["convert", str(source), str(tmp_path / "realsumm")]) == 0
    capsys.readouterr()
    assert run(["describe", str(tmp_path / "realsumm"), "--format", "json"]) == 0
    result = json.loads(capsys.readouterr().out)["results"][0]
    # The shared data's README: 100 topics x 25 systems, one reference.
    assert (result["topics"], result["summaries"]) == (100, 2600)


WORDS = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1, max_size=8
)
LINES = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)


@given(
    id=st.from_regex(r"[A-Z]{1,3}[0-9]{1,3}", fullmatch=True),
    text=st.lists(LINES, max_size=4).map("\n\n".join),
    date=st.sampled_from(["", "2031-04-12", "Spring"]),
    source=st.one_of(st.just(""), LINES),
    headline=st.one_of(st.just(""), LINES),
    extra=st.dictionaries(st.sampled_from(["dateline", "byline", "x-y.z"]), LINES),
)
def test_articles_round_trip(id, text, date, source, headline, extra):
    document = Document(id, text, "base", date, source, headline, extra)
    collection = Collection("c", topics=(Topic("D0901", documents=(document,)),))
    with tempfile.TemporaryDirectory() as parent:
        write_collection(collection, Path(parent) / "duc", format="duc")
        again = read_collection(Path(parent) / "duc", format="duc")
    assert again.topics == collection.topics
