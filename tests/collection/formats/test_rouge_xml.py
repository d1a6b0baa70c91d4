import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.collection import Collection, Document, Scores, Summary, Topic
from pyramidion.collection.formats import _rouge as rouge_xml
from pyramidion.collection.formats._rouge import (
    FORMAT,
    SENTENCE_FORMATS,
    parse_sentences,
    read_rouge_config,
    read_rouge_list,
)
from pyramidion.errors import FormatError, InputError, NotFoundError
from support import GOLD, shared_file

FOLDER = GOLD / "rouge_xml"

# What XML can hold and a line end does not break; a byte order mark is no part of a text.
NAMELESS = '<P ID="2"> </P>'
LETTERS = st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff\ufeff")
IDS = st.text(LETTERS, min_size=1, max_size=12)
TEXTS = st.lists(st.text(LETTERS, min_size=1), max_size=4).map(tuple)


def eval_xml(peers="", models="", *, id="T1", root="", format="SPL"):
    return (
        f'<EVAL ID="{id}">\n<PEER-ROOT>\n {root}\n</PEER-ROOT><MODEL-ROOT>{root} </MODEL-ROOT>\n'
        f'<INPUT-FORMAT TYPE="{format}">\n"</INPUT-FORMAT>\n'
        f"<PEERS>{peers}</PEERS>\n<MODELS>{models}</MODELS>\n</EVAL>\n"
    )


def without(tag):
    whole = eval_xml('<P ID="1">1</P>', '<M ID="A">A</M>')
    return re.sub(rf"<{tag}\b.*</{tag}>", "", whole, flags=re.DOTALL)


def write_config(folder, *evaluations, tag="ROUGE-EVAL"):
    path = folder / "settings.xml"
    path.write_text(f'<{tag} version="1.55">\n{"".join(evaluations)}</{tag}>')
    return path


def addresses(collection):
    return [(s.topic, s.system, s.kind, s.role) for s in collection.summaries]


@st.composite
def collections(draw):
    topics = draw(st.lists(IDS, unique=True, min_size=1, max_size=3))
    machines = [f"m{id}" for id in draw(st.sets(IDS, max_size=3))]
    people = [f"h{id}" for id in draw(st.sets(IDS, max_size=3))]
    summaries = [
        *(Summary(t, s, draw(TEXTS)) for t in topics for s in machines),
        *(Summary(t, s, draw(TEXTS), "", "human", "reference") for t in topics for s in people),
    ]
    return Collection("mine", summaries=tuple(summaries))


@given(collections().filter(lambda c: c.summaries))
def test_round_trip(tmp_path_factory, collection):
    folder = tmp_path_factory.mktemp("rouge") / "mine"
    assert FORMAT.write(collection, folder, False) == ()
    assert FORMAT.matches(folder)
    assert FORMAT.matches(folder / "rouge.xml")
    back = FORMAT.read(folder)
    assert sorted(back.summaries, key=repr) == sorted(collection.summaries, key=repr)
    assert (back.name, back.left_out) == ("mine", ())


@pytest.mark.parametrize("format", ["SPL", "SEE", "ISI"])
def test_gold_configurations(format, monkeypatch):
    # Source: README of the gold standard: configurations count from this folder.
    monkeypatch.chdir(FOLDER)
    if format == "SPL":
        config = read_rouge_list(Path("xml/list.txt"))
        assert [e.id for e in config.evaluations] == ["1", "2"]
        assert [p.id for p in config.evaluations[0].peers] == ["X"]
        models = [m.path.as_posix() for m in config.evaluations[0].models]
        assert models == ["inputs/t1/M.A.spl", "inputs/t1/M.B.spl"]
        return
    collection = FORMAT.read(Path(f"xml/dev.{format}.xml"))
    assert [s.system for s in collection.summaries] == ["1", "2", "3", "4", "A", "B", "C", "D"]
    by_system = {s.system: s for s in collection.summaries}
    assert by_system["1"].kind == "machine"
    assert by_system["1"].role == "peer"
    assert by_system["A"].kind == "human"
    assert by_system["A"].role == "reference"
    assert by_system["A"].text == by_system["2"].text  # "t1.2 copy of a model"
    assert by_system["3"].text == ()  # "t1.3 empty file"
    assert by_system["4"].words == 311


@pytest.mark.parametrize("name", ["dev", "dev.one", "dev.jk", "dev.stress"])
def test_whole_gold_configurations(name, monkeypatch):
    path = shared_file(f"gold/rouge/xml/{name}.xml")
    monkeypatch.chdir(path.parents[1])
    config = read_rouge_config(path)
    collection = FORMAT.read(path)
    assert len(collection.summaries) == sum(len(e.peers + e.models) for e in config.evaluations)
    assert collection.left_out == ()


def test_a_jackknifed_configuration_tells_people_from_machines(tmp_path):
    for name in ("1", "A", "B"):
        (tmp_path / name).write_text("Rain fell.\n")
    path = write_config(
        tmp_path,
        eval_xml('<P ID="1">1</P><P ID="HA">A</P>', '<M ID="B">B</M>', id="T1-A"),
        eval_xml('<P ID="1">1</P><P ID="A">A</P>', '<M ID="A">A</M><M ID="B">B</M>', id="T1"),
        tag="ROUGE_EVAL",
    )
    assert addresses(FORMAT.read(path)) == [
        ("T1-A", "1", "machine", "peer"),
        ("T1-A", "HA", "human", "peer"),
        ("T1-A", "B", "human", "reference"),
        ("T1", "1", "machine", "peer"),
        ("T1", "A", "human", "both"),
        ("T1", "B", "human", "reference"),
    ]


def test_ids_that_only_count_do_not_make_a_model_of_a_machine(tmp_path):
    for name in ("p1", "m1", "m2"):
        (tmp_path / name).write_text(name)
    path = write_config(
        tmp_path, eval_xml('<P ID="1">p1</P>', '<M ID="1">m1</M><M ID="2"> m2\n</M>')
    )
    collection = FORMAT.read(path)
    assert [(s.system, s.text) for s in collection.summaries] == [
        ("1", ("p1",)),
        ("ref1", ("m1",)),
        ("2", ("m2",)),
    ]
    assert collection.left_out == ("1 ids of models that are also ids of peers: 1 (now ref1)",)


def test_carriage_returns_and_marks_are_taken_off_the_text(tmp_path):
    (tmp_path / "1").write_bytes(b"\xef\xbb\xbf Rain fell.\r\n\r\n  \r\nRoads closed.")
    collection = FORMAT.read(write_config(tmp_path, eval_xml('<P ID="1">1</P>')))
    assert collection.summaries[0].text == (" Rain fell.", "  ", "Roads closed.")


@pytest.mark.parametrize("between", ["", "</PEERS><PEERS>"])
def test_an_id_that_stands_there_twice_is_kept_twice(tmp_path, between):
    (tmp_path / "1").write_text("Rain fell.")
    path = write_config(tmp_path, eval_xml(f'<P ID="1">1</P>{between}<P ID="1">1</P>'))
    assert len(read_rouge_config(path).evaluations[0].peers) == 2
    assert len(FORMAT.read(path).summaries) == 2


def test_basic_elements_are_left_out_and_counted(tmp_path):
    path = write_config(tmp_path, eval_xml('<P ID="1">1.be</P>', format="SIMPLE"))
    assert FORMAT.read(path).left_out == ("1 evaluations of basic elements (SIMPLE): T1",)


def test_where_files_are_looked_for(tmp_path, monkeypatch):
    here, elsewhere = tmp_path / "here", tmp_path / "there"
    for folder, names in ((here, ["1"]), (elsewhere, ["1", "2"])):
        (folder / "peers").mkdir(parents=True)
        for name in names:
            (folder / "peers" / name).write_text(folder.name)
    entries = "".join(f'<P ID="{name}">{name}</P>' for name in "123")
    path = write_config(elsewhere, eval_xml(entries, root="peers"))
    monkeypatch.chdir(here)
    peers = read_rouge_config(path).evaluations[0].peers
    assert [p.path for p in peers] == [Path("peers/1"), elsewhere / "peers/2", Path("peers/3")]
    peers = read_rouge_config(path, own_folder_first=True).evaluations[0].peers
    assert [p.path for p in peers] == [elsewhere / "peers" / name for name in "123"]
    with pytest.raises(NotFoundError, match=r"settings\.xml, EVAL T1: the file of 3 .*peers/3; "):
        FORMAT.read(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the file is empty"),
        ("<ROUGE-EVAL>", "line 1: this is not XML"),
        ("<HTML/>", "there is no EVAL"),
        ("<ROUGE-EVAL><PEERS/></ROUGE-EVAL>", "<PEERS> is outside every EVAL"),
        ("<ROUGE-EVAL/>", "there is no EVAL"),
        ("<ROUGE-EVAL><EVAL/></ROUGE-EVAL>", "EVAL no. 1: <EVAL> has no ID"),
        (f"<ROUGE-EVAL>{eval_xml('<P>1</P>')}</ROUGE-EVAL>", "EVAL T1: <P> has no ID"),
        (f"<ROUGE-EVAL>{eval_xml('<P ID=2>a</P>')}</ROUGE-EVAL>", "line 7: this is not XML"),
        (f"<ROUGE-EVAL>{eval_xml(NAMELESS)}</ROUGE-EVAL>", "EVAL T1: <P> 2 names no file"),
        (f"<ROUGE-EVAL>{eval_xml(format='TXT')}</ROUGE-EVAL>", "TYPE of INPUT-FORMAT is 'TXT'"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><ROUGE-EVAL/>', "defines entities"),
        *(
            (f"<ROUGE-EVAL>{without(tag)}</ROUGE-EVAL>", f"EVAL T1: <{tag}> is missing")
            for tag in ("PEER-ROOT", "MODEL-ROOT", "INPUT-FORMAT")
        ),
    ],
)
def test_a_bad_configuration_is_refused_in_one_line(tmp_path, content, message):
    path = tmp_path / "a.xml"
    path.write_text(content)
    with pytest.raises(FormatError) as caught:
        FORMAT.read(path)
    assert str(caught.value).startswith(f"{path}")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("tag", ["PEERS", "MODELS"])
def test_an_evaluation_without_peers_or_models(tmp_path, tag):
    path = tmp_path / "a.xml"
    path.write_text(f"<any>{without(tag)}</any>")
    (evaluation,) = read_rouge_config(path).evaluations
    assert (len(evaluation.peers), len(evaluation.models)) == (tag != "PEERS", tag != "MODELS")


def test_a_list_may_have_comments_and_be_empty(tmp_path):
    (tmp_path / "list.txt").write_text("# a comment\n \n")
    assert read_rouge_list(tmp_path / "list.txt").evaluations == ()
    (tmp_path / "list.txt").write_text("#\npeer\u00a0 model\r\n")
    (evaluation,) = read_rouge_list(tmp_path / "list.txt").evaluations
    assert [file.path.name for file in evaluation.peers + evaluation.models] == [
        "peer\u00a0",
        "model",
    ]


def test_a_summary_in_another_encoding_is_refused(tmp_path):
    (tmp_path / "1.spl").write_bytes(b"Rain.\nZ\xfcrich.\n")
    path = write_config(tmp_path, eval_xml('<P ID="1">1.spl</P>'))
    with pytest.raises(FormatError, match=r"1\.spl, line 2: byte 0xfc is not UTF-8"):
        FORMAT.read(path)


def test_a_huge_file_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(rouge_xml, "MAX_XML_BYTES", 2**20)
    (tmp_path / "1.spl").write_bytes(b"x" * (2**20 + 1))
    path = write_config(tmp_path, eval_xml('<P ID="1">1.spl</P>'))
    with pytest.raises(FormatError, match=r"1\.spl: the file is larger than 1 MiB"):
        FORMAT.read(path)


def test_a_name_longer_than_the_system_allows_is_not_there(tmp_path):
    path = write_config(tmp_path, eval_xml(f'<P ID="1">{"x" * 5000}</P>'))
    with pytest.raises(NotFoundError, match="the file of 1 is missing"):
        FORMAT.read(path)


def test_what_has_no_place_is_counted(tmp_path):
    collection = Collection(
        "mine",
        topics=(Topic("T1", documents=(Document("a", "Rain."),)),),
        scores=Scores(
            {"topic": ["T1"], "system": ["7"], "kind": ["machine"], "measure": ["m"]}, [1]
        ),
        summaries=(
            Summary("T1", "A", ("Rain fell.",), "A", "human"),
            Summary("T1", "student", ("Rain.",), "A", "human", "peer"),
            Summary("T1", "7", ("It rained.",), "A", "machine", "reference"),
        ),
    )
    assert FORMAT.write(collection, tmp_path / "mine", False) == (
        "1 topics' statements and documents",
        "1 scores",
        "1 tasks (written into the EVALs' ids)",
        "1 people among the peers, not distinguished from machines",
        "1 machines among the references, not distinguished from people",
        "1 summaries that are peer and reference (written as models)",
    )
    assert addresses(FORMAT.read(tmp_path / "mine")) == [
        ("T1-A", "student", "machine", "peer"),
        ("T1-A", "A", "human", "reference"),
        ("T1-A", "7", "human", "reference"),
    ]


def test_evaluations_and_files_whose_names_meet_stay_apart(tmp_path):
    summaries = (
        Summary("T1", "7", ("one",), "A"),
        Summary("T1-A", "7", ("two",)),
        Summary("../t1", "7", ("three",)),
        Summary("../T1", "7", ("four",)),
    )
    FORMAT.write(Collection("mine", summaries=summaries), tmp_path / "mine", False)
    back = FORMAT.read(tmp_path / "mine")
    assert {(s.topic, s.text[0]) for s in back.summaries} == {
        ("T1-A", "one"),
        ("T1-A~2", "two"),
        ("../t1", "three"),
        ("../T1", "four"),
    }
    files = [path.name for path in (tmp_path / "mine" / "peers").iterdir()]
    assert len({name.casefold() for name in files}) == 4
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine"]


def test_a_text_is_split_into_sentences(tmp_path):
    summary = Summary("T1", "7", "Rain fell\nin Oslo. Roads were closed.")
    FORMAT.write(Collection("mine", summaries=(summary,)), tmp_path / "mine", False)
    text = FORMAT.read(tmp_path / "mine").summaries[0].text
    assert text == ("Rain fell in Oslo.", "Roads were closed.")


@pytest.mark.parametrize(
    ("summary", "message"),
    [
        (
            Summary("T1", "7", ("Rain \ud800",)),
            "summary of topic T1 by 7 contains half a surrogate",
        ),
        (Summary("T\0", "7", ("Rain.",)), "U\\+0000"),
        (Summary("T1", "\ud800", ("Rain.",)), "U\\+D800"),
    ],
)
def test_nothing_half_written_remains(tmp_path, summary, message):
    with pytest.raises(InputError, match=message):
        FORMAT.write(Collection("", summaries=(summary,)), tmp_path / "mine", False)
    assert not list(tmp_path.iterdir())


def test_a_collection_without_summaries_is_refused(tmp_path):
    with pytest.raises(InputError, match="no summaries"):
        FORMAT.write(Collection("mine"), tmp_path / "mine", False)


@pytest.mark.parametrize("content", [b"<pyramid/>", b"", b"\x1f\x8b damaged", b"ROUGE-EVAL"])
def test_other_files_do_not_match(tmp_path, content):
    (tmp_path / "a.xml").write_bytes(content)
    assert not FORMAT.matches(tmp_path / "a.xml")
    assert not FORMAT.matches(tmp_path)


INPUTS = FOLDER / "inputs"
SENTENCES = st.lists(
    st.binary(min_size=1).filter(lambda sentence: b"\n" not in sentence and b"<" not in sentence)
)
LINES = {
    "SPL": b"%(text)s\n",
    "SEE": b'<a name="%(n)d">[%(n)d]</a> <a href="#%(n)d" id=%(n)d>%(text)s</a>\n',
    "ISI": b'<S SNTNO="%(n)d">%(text)s</S>\n',
}


@pytest.mark.parametrize("format", SENTENCE_FORMATS)
@given(SENTENCES)
def test_what_is_written_is_read(format, sentences):
    lines = (LINES[format] % {b"n": n, b"text": s} for n, s in enumerate(sentences, start=1))
    assert parse_sentences(b"".join(lines), format) == sentences


@pytest.mark.parametrize("name", ["P.1", "P.2", "P.3", "P.4", "M.A", "M.B", "M.C", "M.D"])
def test_the_same_summary_in_three_formats(name):
    # Source: README of the gold standard, "same text, other input formats".
    spl = parse_sentences((INPUTS / "t1" / f"{name}.spl").read_bytes(), "SPL")
    assert bool(spl) == (name != "P.3")
    for format in ("SEE", "ISI"):
        data = (INPUTS / f"t1_{format}" / f"{name}.html").read_bytes()
        assert parse_sentences(data, format) == spl


def test_carriage_returns_and_lines_of_blanks_stay():
    # Source: spec of ROUGE-1.5.5, 2.1; the file is t2.4 of the gold standard.
    sentences = parse_sentences((INPUTS / "t2" / "P.4.spl").read_bytes(), "SPL")
    assert sentences[0].startswith(b"   A warden")
    assert sentences[0].endswith(b".\r")
    assert sentences[1] == b"\r"
    assert sentences[4] == b"   \r"
    assert len(sentences) == 7


@pytest.mark.parametrize(
    ("format", "data", "sentences"),
    [
        ("SPL", b"", []),
        ("SPL", b"\n\n", []),
        ("SPL", b"a &amp; \x85\xff\x00\x0bb", [b"a &amp; \x85\xff\x00\x0bb"]),
        ("SEE", b'<a size="9" name="3">[3]</a>\t<a href="#3" id=3>Rain\r', [b"Rain\r"]),
        ("SEE", b'<a name="1">[1]</a> <a href="#1" id=1>Rain <b>fell</b></a>', [b"Rain "]),
        ("SEE", b'<a name="1">[1]</a> <a href="#1" id=1></a>\nRain fell.\n', []),
        ("ISI", b'<DOC>\n<S SNTNO="1,2">Rain &amp; wind</S>\r\n</DOC>', [b"Rain &amp; wind"]),
        ("ISI", b'<S SNTNO="1">Rain', []),
    ],
)
def test_odd_files(format, data, sentences):
    assert parse_sentences(data, format) == sentences


def test_all_files_of_the_gold_standard_hold_the_texts_they_were_made_from():
    texts = json.loads(shared_file("gold/rouge/inputs.json").read_text())
    for topic, groups in texts.items():
        for letter, files in (("M", groups["models"]), ("P", groups["peers"])):
            for id, text in files.items():
                path = shared_file(f"gold/rouge/inputs/{topic}/{letter}.{id}.spl")
                expected = [line for line in text.encode().split(b"\n") if line]
                assert parse_sentences(path.read_bytes(), "SPL") == expected
