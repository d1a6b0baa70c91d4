import string
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.checks import find_problems
from pyramidion.collection import (
    AspectSpan,
    Category,
    Collection,
    Document,
    Judgment,
    PeerAnnotation,
    Pyramid,
    Scale,
    Scores,
    Summary,
    Task,
    Topic,
)
from pyramidion.collection.formats import format_named
from pyramidion.collection.ids import natural_order
from pyramidion.errors import FormatError, InputError, NotFoundError

FORMAT = format_named("duc")


def fill(folder, files):
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def article(docno, text="Rain fell."):
    return f"<DOC><DOCNO> {docno} </DOCNO><TEXT>{text}</TEXT></DOC>"


TAC = {
    "eval/ROUGE/models/D1113-A.M.100.C.A": "Rain fell.\nRoads closed.\n",
    "eval/ROUGE/models/D1113-A.M.100.C.B": "Much rain\nfell.\n",
    "eval/ROUGE/peers/D1113-A.M.100.C.17": "It rained.\n",
    "eval/ROUGE/peers/D1113-B.M.100.C.17": "It went on raining.\n",
    "eval/manual/models/D1113-A.M.100.C.A": "Rain fell. Roads closed.",
    "eval/manual/manual.peer.A": "D1113-A\t17\t0.286\t5\t0\tC\tC\t0.276\t4\t2\n",
    "eval/README": "Names: <topic>-<subset>.M.100.<topic_selectorID>.<summarizerID>\n",
    "docs/D1113C/D1113C-A/NYT20310411.0002": article("NYT20310411.0002"),
    "docs/D1113C/D1113C-A/APW20310412.0031": article("APW20310412.0031"),
    "docs/D1113C/D1113C-B/XIE20310414.0001": article("XIE20310414.0001"),
    "topics.xml": """<!DOCTYPE topics [ <!ELEMENT topic (title)> ]>
<topics>
<topic id = "D1113C" category = "1">
<title> Rain in
Oslo </title>
<docsetA id = "D1113C-A">
<doc id = "APW20310412.0031" />
<doc id = "NYT20310411.0002" />
<doc id = "LTW20310411.0009" />
</docsetA>
<docsetB id = "D1113C-B"><doc id = "XIE20310414.0001" /></docsetB>
</topic>
</topics>
""",
}


# ---- names


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("D0901-A.M.100.A.A", ("D0901", "A", "A", 100, "A")),
        ("D0901-B.M.100.A.17", ("D0901", "B", "17", 100, "A")),
        ("D1113C-A.M.100.C.17", ("D1113C", "A", "17", 100, "C")),
        ("D061.M.250.J.A", ("D061", "", "A", 250, "J")),
        ("D30001.M.100.T.A", ("D30001", "", "A", 100, "T")),
        ("D0701A.M.250.A.1", ("D0701A", "", "1", 250, "A")),
        ("D0901-A.M.100.A.10.txt", ("D0901", "A", "10", 100, "A")),
        ("rain_1-A.M.0.0.my-system", ("rain_1", "A", "my-system", 0, "0")),
    ],
)
def test_names_of_summaries(tmp_path, name, expected):
    collection = FORMAT.read(fill(tmp_path / "tac", {name: "Rain."}))
    [summary], [topic], [task] = collection.summaries, collection.topics, collection.tasks
    selector = topic.extra.get("selector") or topic.assessor or topic.id[-1:]
    address = (summary.topic, summary.task, summary.system, task.word_limit or 0)
    assert address == expected[:-1]
    assert topic.id == "rain_1" or selector == expected[-1]


@pytest.mark.parametrize(
    "name",
    [
        "README",
        "D30001.P.10.T.A.APW19981016.0240",
        "D30003.M.100.T.A.html",
        "D0901-A.M.100.A.17.pan",
        "D0901-A.M.100.AB.17",
        "D0901-1.M.100.A.17",
    ],
)
def test_names_of_other_files(tmp_path, name):
    folder = fill(tmp_path / "tac", {name: "Rain.", "D0901.M.100.A.17": "Sun."})
    assert [summary.text for summary in FORMAT.read(folder).summaries] == ["Sun."]


def test_docsets(tmp_path):
    folder = fill(tmp_path / "tac", {"d061j/A1": article("A1"), "other/A2": article("A2")})
    collection = FORMAT.read(folder)
    assert collection.topic_ids == ("D061J",)
    assert collection.left_out == ("1 documents that belong to no topic",)


@pytest.mark.parametrize(
    ("topics", "ids"),
    [
        (["D0901A", "D0901B", "D0901"], ("D0901", "D0901A", "D0901B")),
        (["rain", "rainA"], ("rain", "rainA")),
        (["D1113C", "D1113", "D1114A"], ("D1113", "D1114A")),
    ],
)
def test_topics_are_unified_only_if_it_is_clear(tmp_path, topics, ids):
    folder = fill(tmp_path / "tac", {f"{topic}.M.100.A.1": f"On {topic}." for topic in topics})
    assert FORMAT.read(folder).topic_ids == ids


# ---- texts


def read_summary(tmp_path, text):
    [summary] = FORMAT.read(fill(tmp_path / "tac", {"D0901.M.100.A.17": text})).summaries
    return summary


def test_lines_that_end_as_sentences_do_are_sentences(tmp_path):
    summary = read_summary(tmp_path, '"Rain fell."\n\n  Did it?  \nIt did (twice).\nand')
    assert summary.text == ('"Rain fell."', "Did it?", "It did (twice).", "and")


def test_a_long_line_is_a_sentence(tmp_path):
    longest = "word " * 19 + "words"
    assert read_summary(tmp_path, f"A title\n{longest} \n").text == f"A title {longest}"
    longer = f"{longest}s"
    assert read_summary(tmp_path, f"A title\n{longer}\n").text == ("A title", longer)


def test_aspects_are_kept_and_count_from_the_plain_text(tmp_path):
    marked = '<aid="4.1">Ice</aid="4.1"> melts.\nIt <aid="4.3">is\nwarm</aid="4.3">.'
    summary = read_summary(tmp_path, marked)
    assert summary.text == "Ice melts. It is warm."
    assert summary.aspects == (AspectSpan(0, 3, "4.1"), AspectSpan(14, 21, "4.3"))
    sentences = ("Ice melts.", "It is.")
    summary = Summary("D0901", "A", sentences, kind="human", aspects=(AspectSpan(4, 13, "4.1"),))
    assert FORMAT.write(Collection("c", summaries=(summary,)), tmp_path / "again", False) == ()
    assert FORMAT.read(tmp_path / "again").summaries == (summary,)


def test_a_line_of_marks_only_is_not_a_sentence(tmp_path):
    summary = read_summary(tmp_path, '<aid="4.1">\nIce melts.\nIt does.\n</aid="4.1">')
    assert summary.text == " Ice melts. It does. "
    assert summary.aspects == (AspectSpan(0, 21, "4.1"),)


def test_an_aspect_that_is_not_closed_is_refused(tmp_path):
    folder = fill(tmp_path / "tac", {"D0901-A.M.100.A.A": 'Ice <aid="4.1"> melts.'})
    with pytest.raises(FormatError, match=r"D0901-A\.M\.100\.A\.A: aspect 4\.1 is not closed"):
        FORMAT.read(folder)


# ---- topic statements


def test_statements_of_duc(tmp_path):
    text = """<topic>
<num> d301i </num>
<title> Rain &amp; sun </title>
<narr>
What fell?

And where?
</narr>
<granularity> specific </granularity>
<docs>
APW20310412.0031
NYT20310411.0002
</docs>
</topic>"""
    names = ("NYT20310411.0002", "APW20310412.0031")
    files = {name: article(name) for name in names} | {"topics.sgml": text}
    [topic] = FORMAT.read(fill(tmp_path / "tac", files)).topics
    assert [document.id for document in topic.documents] == [*reversed(names)]
    assert replace(topic, documents=()) == Topic(
        "D301I", "Rain & sun", "What fell?\n\nAnd where?", extra={"granularity": "specific"}
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<topic>\n<title>Rain</title></topic>", "topics.xml, line 1: a topic has no id; write"),
        ('\n<topic id="a b"></topic>', "topics.xml, line 2: the topic's id is 'a b'; write"),
        ('<topic id="D0901A">\n<title>', "topics.xml, line 1: the last topic is not closed; the"),
        (
            '<topic id="D0901A">\n<!ENTITY a "b">',
            "topics.xml, line 2: the file defines entities",
        ),
    ],
)
def test_bad_statements(tmp_path, text, message):
    with pytest.raises(FormatError) as error:
        FORMAT.read(fill(tmp_path / "tac", {"topics.xml": text}))
    assert str(error.value).startswith(f"{tmp_path}/tac/{message}")


# ---- folders


def test_a_tac_folder_becomes_one_collection(tmp_path):
    folder = fill(tmp_path / "tac", TAC)
    assert FORMAT.matches(folder)
    collection = FORMAT.read(folder)
    assert collection.name == "tac"
    assert [(s.key, s.kind, s.role, s.text) for s in collection.summaries] == [
        (("A", "D1113", "17"), "machine", "peer", "It rained."),
        (("A", "D1113", "A"), "human", "both", ("Rain fell.", "Roads closed.")),
        (("A", "D1113", "B"), "human", "both", "Much rain fell."),
        (("B", "D1113", "17"), "machine", "peer", "It went on raining."),
    ]
    [topic] = collection.topics
    assert (topic.id, topic.title, topic.category) == ("D1113", "Rain in Oslo", "1")
    assert topic.assessor == "C"
    assert [(document.id, document.set) for document in topic.documents] == [
        ("APW20310412.0031", "base"),
        ("NYT20310411.0002", "base"),
        ("XIE20310414.0001", "update"),
    ]
    assert collection.tasks == (
        Task("A", "initial", documents="base", word_limit=100),
        Task("B", "update", documents="update", word_limit=100),
    )
    assert collection.scales["readability"] == Scale(1, 5, 1)
    assert len(collection.scores) == 6
    assert collection.left_out == (
        "1 documents that are listed but missing",
        "1 files that repeat another one verbatim",
        "1 files that were not read: README",
    )
    assert {problem.kind for problem in find_problems(collection)} == {"no references"}


def test_the_letter_of_a_docset_names_the_assessor_of_2010_and_2011_only(tmp_path):
    names = ("D1113C-A.M.100.C.17", "D0901-A.M.100.D.17", "D0701A.M.250.A.1", "D1001-A.M.100.B.17")
    collection = FORMAT.read(fill(tmp_path / "tac", dict.fromkeys(names, "Rain.")))
    assert {topic.id: (topic.assessor, topic.extra) for topic in collection.topics} == {
        "D0701A": ("", {}),
        "D0901": ("", {"selector": "D"}),
        "D1001": ("B", {}),
        "D1113C": ("C", {}),
    }


def test_a_table_without_assessors_is_the_topics_assessors(tmp_path):
    files = {
        "D1113-A.M.100.C.17": "Rain.",
        "D0901-A.M.100.C.17": "Rain.",
        "t.tsv": "docset\tsystem\toverall\trouge-2-r\nD1113-A\t17\t4\t0.1\nD0901-A\t17\t4\t0.1\n",
    }
    scores = FORMAT.read(fill(tmp_path / "tac", files)).scores
    assert {(j.topic, j.measure): j.assessor for j in scores} == {
        ("D1113", "responsiveness"): "C",
        ("D1113", "rouge-2-r"): "",
        ("D0901", "responsiveness"): "",
        ("D0901", "rouge-2-r"): "",
    }


def test_responsiveness_of_2009_is_on_ten_points(tmp_path):
    files = {"manual.peer.A": "D0901-A 17 0.2 5 0 A A 0.2 9 10\n"}
    collection = FORMAT.read(fill(tmp_path / "tac", files))
    assert collection.scales == {
        "readability": Scale(1, 10, 1),
        "responsiveness": Scale(1, 10, 1),
    }
    assert find_problems(collection) == []


def test_articles_find_their_topic_by_folder_or_by_statement(tmp_path):
    files = {
        "docs/d30001t/APW1": article("APW1"),
        "month.sgml": article("NYT1") + article("NYT2") + article("NYT3"),
        "update/D0703A/D0703A-C/XIE1": article("XIE1"),
        "topics.sgml": "<topic> <num> D0704A </num> <docs> NYT2 NYT1 </docs> </topic>",
    }
    collection = FORMAT.read(fill(tmp_path / "duc", files))
    documents_by_topic = {
        t.id: [(d.id, d.set, d.extra) for d in t.documents] for t in collection.topics
    }
    assert documents_by_topic == {
        "D30001T": [("APW1", "base", {})],
        "D0703A": [("XIE1", "C", {})],
        "D0704A": [("NYT2", "base", {}), ("NYT1", "base", {})],
    }
    assert collection.left_out == ("1 documents that belong to no topic",)


def test_old_encodings_are_read_and_counted(tmp_path):
    files = {
        "D0901-A.M.100.A.17": b"Caf\xe9 \x93Oslo\x94.",
        "D0901-A.M.100.A.18": "Café “Oslo”.".encode("utf-8-sig"),
        "jar.bin": b"\xff\xfe\x81\x00",
    }
    collection = FORMAT.read(fill(tmp_path / "tac", files))
    assert {summary.text for summary in collection.summaries} == {"Café “Oslo”."}
    assert collection.left_out == ("1 files that were not read: jar.bin",)
    assert collection.repaired == (
        "1 files were read as Windows-1252, not as UTF-8: D0901-A.M.100.A.17",
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("Rain fell.".encode("utf-16"), "the text is UTF-16, not UTF-8"),
        ("Rain fell.".encode("utf-16-le"), "this is not a text; save it as UTF-8"),
        (b"Rain \x81\xff", "line 1: byte 0x81 is not UTF-8"),
    ],
)
def test_wrong_encodings_are_refused(tmp_path, content, message):
    folder = fill(tmp_path / "tac", {"peers/D0901-A.M.100.A.17": content})
    with pytest.raises(FormatError) as error:
        FORMAT.read(folder)
    assert f"D0901-A.M.100.A.17{',' if 'line' in message else ':'} {message}" in str(error.value)


def test_an_empty_summary_is_a_summary(tmp_path):
    collection = FORMAT.read(fill(tmp_path / "tac", {"D0901-A.M.100.A.17": ""}))
    assert collection.summaries[0].text == ""


def test_a_huge_file_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("pyramidion.datasets._duc.format.MAX_XML_BYTES", 2**20)
    folder = fill(tmp_path / "tac", {"D0901-A.M.100.A.17": b"a" * (2**20 + 1)})
    with pytest.raises(FormatError, match="the file is larger than 1 MiB"):
        FORMAT.read(folder)


def test_different_summaries_of_one_name_are_both_kept_and_reported(tmp_path):
    files = {"a/D0901.M.100.A.17": "Rain.", "b/D0901.M.100.A.17": "Sun."}
    collection = FORMAT.read(fill(tmp_path / "tac", files))
    assert len(collection.summaries) == 2
    assert "duplicated summary" in {problem.kind for problem in find_problems(collection)}


def test_contradicting_names_are_counted(tmp_path):
    names = ("D0901.M.100.A.17", "D0901.M.250.B.18")
    collection = FORMAT.read(fill(tmp_path / "tac", dict.fromkeys(names, "Rain.")))
    assert collection.left_out == (
        "1 topics with several selectors",
        "1 tasks with several lengths",
    )
    assert collection.tasks == (Task(""),)


def test_single_files(tmp_path):
    fill(tmp_path, {"rain.sgml": article("APW1") + article("APW2"), "notes.txt": "Rain."})
    assert FORMAT.matches(tmp_path / "rain.sgml")
    collection = FORMAT.read(tmp_path / "rain.sgml")
    assert [(t.id, len(t.documents)) for t in collection.topics] == [("rain", 2)]
    assert not FORMAT.matches(tmp_path / "notes.txt")
    assert not FORMAT.matches(tmp_path)
    assert not FORMAT.matches(tmp_path / "nothing")


def test_a_folder_without_anything_is_refused(tmp_path):
    with pytest.raises(FormatError, match="there are no files of DUC or TAC here"):
        FORMAT.read(fill(tmp_path / "tac", {"a.txt": "Rain fell.", "empty": ""}))
    with pytest.raises(NotFoundError, match="there is no such folder"):
        FORMAT.read(tmp_path / "nowhere")


# ---- writing


PYRAMID = Pyramid.from_references(
    {"A": "Ice melts.", "B": "The ice is melting."},
    [("Ice melts", {"A": ["Ice melts"], "B": ["ice is melting"]})],
)


def test_a_folder_is_written_as_it_was_read(tmp_path):
    read = FORMAT.read(fill(tmp_path / "tac", TAC))
    collection = replace(
        read,
        pyramids={("A", "D1113"): PYRAMID},
        peer_annotations={("A", "D1113", "17"): PeerAnnotation(PYRAMID, "Ice.", PYRAMID.scus)},
    )
    assert FORMAT.write(collection, tmp_path / "again", False) == ()
    assert replace(FORMAT.read(tmp_path / "again"), name="tac") == collection
    names = {str(f.relative_to(tmp_path / "again")) for f in (tmp_path / "again").rglob("*.*")}
    assert {
        "models/D1113-A.M.100.C.A",
        "peers/D1113-B.M.100.C.17",
        "docs/D1113/D1113-B/XIE20310414.0001",
        "pyramids/D1113-A.pyr",
        "annotations/D1113-A.M.0.0.17.pan",
        "topics.sgml",
        "scores.tsv",
    } <= names


def test_a_pyramid_listed_twice_is_kept_once_and_one_of_another_name_by_its_name(tmp_path):
    collection = Collection("a", pyramids={("A", "D1113"): PYRAMID})
    FORMAT.write(collection, tmp_path / "tac", False)
    data = (tmp_path / "tac/pyramids/D1113-A.pyr").read_bytes()
    fill(tmp_path / "tac", {"x/D1113-A.pyr": data, "x/my pyramid.pyr": data})
    again = FORMAT.read(tmp_path / "tac")
    assert again.pyramids == {**collection.pyramids, ("", "my pyramid"): PYRAMID}
    assert again.left_out == ("D1113-A.pyr, which repeats another file",)


def test_what_is_repaired_in_a_pyramid_is_reported(tmp_path):
    FORMAT.write(Collection("a", pyramids={("A", "D1113"): PYRAMID}), tmp_path / "tac", False)
    file = tmp_path / "tac/pyramids/D1113-A.pyr"
    file.write_bytes(file.read_bytes().replace(b'label="ice is melting"', b'label="no such words"'))
    [line] = FORMAT.read(tmp_path / "tac").left_out
    assert line.startswith("D1113-A.pyr: SCU 1: ")


@pytest.mark.parametrize(
    ("collection", "message"),
    [
        (Collection("a", topics=(Topic("d0901"),)), "topic 'd0901' does not fit the names of a"),
        (Collection("a", topics=(Topic("T-1"),)), "topic 'T-1' does not fit"),
        (
            Collection("a", topics=(Topic("D0901"), Topic("D0901A"))),
            "topic 'D0901A' together with 'D0901' does not fit",
        ),
        (
            Collection("a", summaries=(Summary("D0901", "1", "Rain.", task="main"),)),
            "task 'main' does not fit",
        ),
        (
            Collection("a", summaries=(Summary("D0901", "ref1", "Rain.", kind="human"),)),
            "the person 'ref1' does not fit",
        ),
        (Collection("a", summaries=(Summary("D0901", "A", "Rain."),)), "the machine 'A' does not"),
        (
            Collection("a", summaries=tuple(Summary("D0901", f"v1.{n}", "") for n in range(3))),
            "the machine 'v1.0' does not fit the names of a DUC folder (and 2 more); topics are",
        ),
        (
            Collection("a", topics=(Topic("D0901", documents=(Document("../x", ""),)),)),
            "document '../x' does not fit",
        ),
        (
            Collection("a", summaries=(Summary("D0901", "1", "Rain."),) * 2),
            "peers/D0901.M.0.0.1, which is ambiguous, does not fit",
        ),
        (Collection("a"), "the collection is empty; add"),
    ],
)
def test_what_does_not_fit_is_refused_and_leaves_nothing(tmp_path, collection, message):
    with pytest.raises(InputError) as error:
        FORMAT.write(collection, tmp_path / "out", False)
    assert str(error.value).startswith(message)
    assert list(tmp_path.iterdir()) == []


def test_what_is_lost_is_counted(tmp_path):
    collection = Collection(
        "a",
        description="Mine.",
        notice="Free.",
        tasks=(Task("A", "short", word_limit=10),),
        scales={"readability": Scale(1, 7)},
        categories=(Category("6", "Rain"),),
        topics=(
            Topic("D0901", documents=(Document("A1", "Rain\nfell."), Document("A2", "Sun."))),
            Topic("D0902", extra={"number": 7}),
        ),
        summaries=(
            Summary("D0901", "A", "Rain.", "A", "human", "reference"),
            Summary("D0901", "7", ("No stop", "here"), "A"),
            Summary("D0901", "8", "Rain.", "A"),
        ),
    )
    assert FORMAT.write(collection, tmp_path / "out", False) == (
        "2 summaries that are read back differently",
        "1 topics that are read back differently",
        "1 documents that are read back differently",
        "1 tasks that are read back differently",
        "1 scales that are read back differently",
        "1 description",
        "1 notice",
        "1 categories",
    )


def test_an_existing_folder_is_replaced_only_on_request(tmp_path):
    collection = Collection("a", summaries=(Summary("D0901", "7", "Rain."),))
    fill(tmp_path / "out", {"old": "1"})
    with pytest.raises(InputError, match="already exists"):
        FORMAT.write(collection, tmp_path / "out", False)
    FORMAT.write(collection, tmp_path / "out", True)
    assert not (tmp_path / "out" / "old").exists()


# ---- round trips

WORDS = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"], exclude_characters="\ufeff"),
    min_size=1,
    max_size=6,
)
LINES = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)
PARAGRAPHS = st.lists(LINES, max_size=3).map("\n\n".join)
SENTENCES = st.lists(LINES.map("{}.".format), min_size=2, max_size=4).map(tuple)
TOPICS = ("D061", "D0901", "D0701A", "D1113C", "D1001", "D30001", "rain_1")
SYSTEMS = ("A", "B", "J", "0", "17", "lead", "my-system")
#: The highest judgment on the topics of TAC; NIST's scale was longer in 2009.
HIGHEST = {"D0901": 10, "D0701A": 5, "D1113C": 5, "D1001": 5}
TASKS = {"": Task(""), "A": Task("A", "initial", "base"), "B": Task("B", "update", "update")}


@st.composite
def documents(draw):
    ids = draw(
        st.lists(st.sampled_from(["A1", "b.2", "APW_ENG_20310412.0031", "x-y"]), unique=True)
    )
    articles = [
        Document(
            id=id,
            text=draw(PARAGRAPHS),
            set=draw(st.sampled_from(["base", "update", "C"])),
            date=draw(st.sampled_from(["2031-04-12", "2031-04-12 10:15"])),
            source=draw(LINES),
            headline=draw(st.one_of(st.just(""), LINES)),
            extra=draw(st.dictionaries(st.sampled_from(["dateline", "trailer"]), LINES)),
        )
        for id in ids
    ]
    return tuple(
        sorted(articles, key=lambda document: {"base": "A", "update": "B"}.get(document.set, "C"))
    )


@st.composite
def topics(draw, id):
    guided = id.startswith(("D10", "D11"))
    extra = draw(st.dictionaries(st.just("granularity"), LINES))
    if not guided and id != "D0701A":
        extra |= draw(st.dictionaries(st.just("selector"), st.sampled_from("AKT")))
    return Topic(
        id=id,
        title=draw(st.one_of(st.just(""), LINES)),
        narrative=draw(PARAGRAPHS),
        category=draw(st.sampled_from(["", "1", "5"])),
        assessor=draw(st.sampled_from("CK") if guided else st.sampled_from(["", "Q", "No 1"])),
        documents=draw(documents()),
        extra=extra,
    )


@st.composite
def summaries(draw, topic, system, task):
    text = draw(st.one_of(st.just(""), LINES, SENTENCES))
    plain = text if isinstance(text, str) else " ".join(text)
    aspects = ()
    if plain:
        start = draw(st.integers(0, len(plain) - 1))
        end = draw(st.integers(start + 1, len(plain)))
        aspects = draw(st.sampled_from([(), (AspectSpan(start, end, "4.1"),)]))
    kind = "human" if system in string.ascii_uppercase else "machine"
    return Summary(topic, system, text, task, kind, aspects=aspects)


@st.composite
def collections(draw):
    ids = draw(st.lists(st.sampled_from(TOPICS), min_size=1, max_size=3, unique=True))
    tasks = draw(st.sampled_from([("",), ("A", "B")]))
    keys = st.tuples(st.sampled_from(tasks), st.sampled_from(ids), st.sampled_from(SYSTEMS))
    used = sorted(
        draw(st.lists(keys, max_size=5, unique=True)), key=lambda k: tuple(map(natural_order, k))
    )
    limit = draw(st.sampled_from([None, 100, 250]))
    # A selector stands in the names of summaries only.
    with_summaries = {topic for _, topic, _ in used}
    drawn_topics = [draw(topics(id)) for id in sorted(ids, key=natural_order)]
    drawn_topics = [
        t
        if t.id in with_summaries
        else replace(t, extra={k: v for k, v in t.extra.items() if k != "selector"})
        for t in drawn_topics
    ]
    values = st.floats(allow_nan=False, allow_infinity=False)
    measures = st.sampled_from(["readability", "pyramid-modified", "rouge-2-r"])
    rows = draw(st.lists(st.tuples(keys, measures, values), max_size=4, unique_by=lambda r: r[:2]))
    scores = Scores.from_judgments(
        Judgment(
            topic, system, measure, value, task, "human" if system in "ABJ" else "machine", "K"
        )
        for (task, topic, system), measure, value in rows
    )
    judged = {row.topic for row in scores if row.measure == "readability"}
    highest = [HIGHEST[topic] for topic in judged if topic in HIGHEST]
    return Collection(
        "out",
        tasks=tuple(
            replace(TASKS[task], word_limit=limit) for task in sorted({task for task, _, _ in used})
        ),
        scales={"readability": Scale(1, max(highest), 1)} if highest else {},
        topics=tuple(drawn_topics),
        summaries=tuple(draw(summaries(topic, system, task)) for task, topic, system in used),
        scores=scores,
    )


@given(collections())
def test_collections_round_trip(collection):
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent) / "out"
        assert FORMAT.write(collection, folder, False) == ()
        assert FORMAT.read(folder) == collection


MESSY = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufeff"))


@given(st.one_of(MESSY, st.lists(MESSY, max_size=4).map(tuple)))
def test_every_word_survives_and_every_change_is_counted(text):
    summary = Summary("D0901", "7", text)
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent) / "out"
        lines = FORMAT.write(Collection("out", summaries=(summary,)), folder, False)
        [again] = FORMAT.read(folder).summaries
    assert again.plain.split() == summary.plain.split()
    assert bool(lines) == (again != summary)


def test_what_no_text_file_holds_is_left_out_and_counted(tmp_path):
    collection = Collection("out", summaries=(Summary("D0901", "7", "\ufeffRain\0fell."),))
    lines = FORMAT.write(collection, tmp_path / "out", False)
    assert lines == ("1 summaries that are read back differently",)
    assert FORMAT.read(tmp_path / "out").summaries[0].text == "Rain fell."
