"""Small examples of what the formats are made of, worked by hand."""

import json
import re
import tempfile
from pathlib import Path

import pytest

from pyramidion.collection._collection import Collection
from pyramidion.collection._scores import Judgment, Scores
from pyramidion.collection.files import Record
from pyramidion.collection.formats._duc.format import Findings, assemble, task_named
from pyramidion.collection.formats._duc.names import (
    SummaryName,
    docset_letter,
    format_summary,
    is_letter_assessor,
    is_nist_topic,
    kind_of,
    parse_docset,
    parse_summary,
    parse_summary_name,
    unify_topics,
)
from pyramidion.collection.formats._duc.sgml import (
    collapse,
    decode_entities,
    escape,
    format_statements,
    looks_like_documents,
    looks_like_statements,
    parse_documents,
    parse_statements,
    parse_tags,
    set_letter,
    split_paragraphs,
)
from pyramidion.collection.formats._duc.tables import column_roles, nist_scales, read_nist_table
from pyramidion.collection.formats._duc.writer import count_differences, write_duc_files
from pyramidion.collection.formats._ducview.files import (
    AnnotatedText,
    SharedPyramids,
    decode_ducview,
    peer_annotation_bytes,
    read_ducview,
)
from pyramidion.collection.formats._ducview.format import (
    annotated_summaries,
    file_names,
    peer_key,
    pyramid_key,
    writer_of,
)
from pyramidion.collection.formats._folder import write_settings
from pyramidion.collection.formats._judged.format import read_judged
from pyramidion.collection.formats._judged.realsumm import read_realsumm, read_scu_texts
from pyramidion.collection.formats._judged.sets import (
    JudgedSet,
    ScoreRows,
    group_of,
    judgment_name,
    measure_of,
    score_name,
    unit_names,
    unknown_fields,
)
from pyramidion.collection.formats._pyramid_json import (
    Window,
    answer_lines,
    list_lines,
    peer_from_record,
    peer_lines,
    pyramid_fields,
    pyramid_from_record,
    pyramid_lines,
    read_answers,
    read_contributor,
    read_list,
    reference_windows,
    written_contributor,
)
from pyramidion.collection.formats._xml import escape_attribute, escape_text, parse_xml
from pyramidion.collection.formats.rouge import (
    RougeConfig,
    RougeEvaluation,
    RougeFile,
    collection_from_rouge,
    parse_sentences,
    read_rouge_config,
    read_rouge_list,
)
from pyramidion.collection.formats.scores import require_scores_file, scores_text, writing_scores
from pyramidion.collection.pyramids import SCU, Contributor, Part, PeerAnnotation, Pyramid
from pyramidion.collection.summaries import Document, Summary, Topic
from pyramidion.errors import FormatError, InputError, Where


def test_assemble():
    summary = (SummaryName("D1113", "A", "17", 100, "C"), "Rain fell.", ())
    collection = assemble(Findings(summaries=[summary]), name="mine")
    assert (collection.summaries[0].key, collection.topics[0].assessor) == (
        ("A", "D1113", "17"),
        "C",
    )


def test_task_named():
    assert (
        repr(task_named("B", 100))
        == "Task(id='B', title='update', documents='update', word_limit=100, known=('base',))"
    )


def test_summary_name():
    assert str(SummaryName("D0901", "A", "17", length=100, selector="A")) == "D0901-A.M.100.A.17"


def test_parse_summary_name():
    assert (
        repr(parse_summary_name("D30001.M.100.T.B"))
        == "SummaryName(topic='D30001', task='', system='B', length=100, selector='T')"
    )
    assert parse_summary_name("README") is None


def test_parse_docset():
    assert (parse_docset("D1113C-A"), parse_docset("d30001t"), parse_docset("no docset")) == (
        ("D1113C", "A"),
        ("D30001T", ""),
        None,
    )


def test_kind_of():
    assert (kind_of("A"), kind_of("17")) == ("human", "machine")


def test_docset_letter():
    assert (docset_letter("D1113C"), docset_letter("D0901"), docset_letter("rain")) == ("C", "", "")


def test_is_letter_assessor():
    assert (is_letter_assessor("D1113C"), is_letter_assessor("D0901")) == (True, False)


def test_is_nist_topic():
    assert (is_nist_topic("D1113C"), is_nist_topic("rain")) == (True, False)


def test_unify_topics():
    assert unify_topics(["D1113C", "D1113", "D1114A"]) == {"D1113C": "D1113"}


def test_parse_summary():
    assert parse_summary("Rain fell.\nRoads closed.\n")[0] == ("Rain fell.", "Roads closed.")
    assert parse_summary("Rain fell and roads\nclosed.\n")[0] == "Rain fell and roads closed."


def test_format_summary():
    assert (
        format_summary(Summary("D0901", "17", ("Rain fell.", "Roads closed.")))
        == "Rain fell.\nRoads closed.\n"
    )


def test_parse_tags():
    assert [tag.name for tag in parse_tags("<P>Rain <!-- <B> --> fell.</P>", Where("a.sgml"))] == [
        "p",
        "p",
    ]


def test_decode_entities():
    assert (
        decode_entities("Fish &amp; Chips &LR; caf&eacute; &unknown; AT&T")
        == "Fish & Chips  café &unknown; AT&T"
    )


def test_escape():
    assert escape("Fish & Chips") == "Fish &amp; Chips"


def test_collapse():
    assert collapse("  Rain &amp;\n sun ") == "Rain & sun"


def test_split_paragraphs():
    assert split_paragraphs("Rain\nfell.\n\n  Roads closed.") == "Rain fell.\n\nRoads closed."


def test_looks_like_documents():
    assert (
        looks_like_documents(b"<DOC><DOCNO> A1 </DOCNO>"),
        looks_like_documents(b"Rain fell."),
    ) == (True, False)


def test_parse_documents():
    [article] = parse_documents(
        """<doc><docno> APW20310412.0031 </docno>
    <headline> Rain </headline><text><p>Rain fell.<p>Roads closed.</text></doc>""",
        Where("a"),
    )
    assert (article.id, article.date, article.source, article.headline) == (
        "APW20310412.0031",
        "2031-04-12",
        "APW",
        "Rain",
    )
    assert article.text.split() == ["Rain", "fell.", "Roads", "closed."]


def test_looks_like_statements():
    assert looks_like_statements(b'<topics><topic id="D0901A">')


def test_parse_statements():
    [statement] = parse_statements(
        """<topic id="D0901A" category="3"><title> Rain </title>
    <docsetB id="D0901A-B"><doc id="A1"/></docsetB></topic>""",
        Where("topics.xml"),
    )
    assert (statement.topic.title, statement.topic.category, statement.documents) == (
        "Rain",
        "3",
        (("B", "A1"),),
    )


def test_set_letter():
    assert set_letter(Document("A1", "Rain fell.", set="update")) == "B"


def test_column_roles():
    assert column_roles(["setID", "peerID", "numSCUs", "My measure"]) == [
        "topic",
        "system",
        "pyramid-scus",
        "my-measure",
    ]
    assert column_roles(["Rain", "fell"]) is None


def test_read_nist_table():
    row = "D1001-A 17 0.286 5 0 C C 0.276 4 2"
    table = read_nist_table(row, Where("manual.peer.A"))
    assert [(j.measure, j.value, j.assessor) for j in table.judgments][-2:] == [
        ("readability", 4.0, "C"),
        ("responsiveness", 2.0, "C"),
    ]
    assert read_nist_table("Rain fell.", Where("README")) is None


def test_nist_scales():
    assert (
        repr(nist_scales([Judgment("D0901", "17", "readability", 7)]))
        == "{'readability': Scale(low=1, high=10, step=1)}"
    )


def test_write_duc_files():
    misfit = Collection("mine", summaries=(Summary("cnn/1", "17", "Rain."),))
    with pytest.raises(
        InputError, match=re.escape("topic 'cnn/1' does not fit the names of a DUC folder;")
    ):
        write_duc_files(misfit, Path("nowhere"))


def test_count_differences():
    assert count_differences(Collection("a", notice="Free."), Collection("a")) == ("1 notice",)


def test_file_names():
    keys = [("A", "T1", "17", "", ""), ("", "T-2", "17", "K", "")]
    assert file_names(keys, peer_key, ".pan") == {
        ("A", "T1", "17", "", ""): "T1-A-17.pan",
        ("", "T-2", "17", "K", ""): "T%2D2-17~K.pan",
    }


def test_pyramid_key():
    assert (
        pyramid_key(Path("T1-A.pyr"), {"T1"}),
        pyramid_key(Path("oil-price.pyr"), {"oil-price"}),
    ) == (("A", "T1", ""), ("", "oil-price", ""))


def test_peer_key():
    assert (peer_key(Path("T1-A-17.pan")), peer_key(Path("D0901-A.M.100.A.17.pan"))) == (
        ("A", "T1", "17", "", ""),
        ("A", "D0901", "17", "", ""),
    )


def test_writer_of():
    assert (writer_of("D0901-A.M.100.A.G"), writer_of("ref1")) == ("G", "ref1")


def test_annotated_summaries():
    pyramid = Pyramid.from_references({"A": "Ice melts."}, [])
    assert [(s.system, s.kind, s.role) for s in annotated_summaries({("", "T1"): pyramid}, {})] == [
        ("A", "human", "reference")
    ]


def test_decode_ducview():
    assert decode_ducview(b"<line>Z\xfcrich</line>") == (
        "<line>Zürich</line>",
        ("1 bytes that are not UTF-8 were read as Windows-1252",),
    )


def test_annotated_text():
    text = AnnotatedText("Ice melts.\nIt melts fast.")
    assert (
        repr(text.locate(Part(4, 9, "melts"), "1")) == "(Part(start=4, end=9, label='melts'), None)"
    )
    part, note = text.locate(Part(3, 8, "melts"), "1")
    assert part == Part(4, 9, "melts")
    assert note == "SCU 1: 'melts' is not at 3 to 8 but at 4 to 9, which is used"


def test_shared_pyramids():
    shared = SharedPyramids()
    first = shared.first(Pyramid("Ice melts."))
    assert shared.peer(PeerAnnotation(Pyramid("Ice melts."), "Ice.")).pyramid is first


def test_peer_annotation_bytes():
    assert (
        peer_annotation_bytes(PeerAnnotation(Pyramid(""), "Ice."))[-32:]
        == b"</annotation>\n</peerAnnotation>\n"
    )


def test_write_settings():
    with tempfile.TemporaryDirectory() as folder:
        write_settings(Collection("mine"), Path(folder) / "collection.toml")


def test_read_judged():
    line = (
        '{"topic": "T1", "system": "7", "summary": "It rained.", "references": ["Rain."],'
        ' "scores": {"human_fluency": 4.5}}'
    )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "a.jsonl"
        _ = file.write_text(line)
        collection = read_judged(file)
    assert [summary.system for summary in collection.summaries], collection.scores.measures == (
        ["7", "ref1"],
        ("fluency",),
    )


def test_group_of():
    assert (group_of("expert2"), group_of("K")) == ("expert", "")


def test_measure_of():
    assert (measure_of("human_aspect_coverage"), measure_of("auto_rouge-2_f1")) == (
        "aspect-coverage",
        "auto-rouge-2-f1",
    )
    assert (measure_of("coherence", "expert2"), measure_of("coherence", "rater2")) == (
        "expert-coherence",
        "coherence",
    )


def test_score_name():
    assert (
        score_name("expert-coherence"),
        score_name("fluency", human=True),
        score_name("rouge-2-r"),
    ) == ("expert_coherence", "human_fluency", "rouge-2-r")


def test_judgment_name():
    assert (judgment_name("expert-coherence", "expert2"), judgment_name("coherence", "rater2")) == (
        "coherence",
        "coherence",
    )
    assert judgment_name("coherence", "expert2") == "human_coherence"


def test_unit_names():
    assert unit_names(3) == ["0", "1", "2"]


def test_score_rows():
    rows = ScoreRows()
    rows.add(Summary("T1", "7", "Rain."), ["coherence"] * 2, [4, 5], ["expert1", "expert2"])
    assert repr(rows.scores()) == "<Scores: 2 rows, measures coherence>"


def test_unknown_fields():
    judged = JudgedSet("mine")
    assert unknown_fields(Record({"note": 1, "id": 3}, Where("a.jsonl")), judged) == {"note": 1}
    assert dict(judged.left_out) == {"fields `id`": 1}


def test_reference_windows():
    windows = reference_windows(Pyramid.from_references({"A": "Ice melts."}, []))
    assert windows["A"].text[windows["A"].start : windows["A"].end] == "Ice melts."


def test_written_contributor():
    assert written_contributor(Contributor((Part(0, 3, "Ice"),)), Window("Ice.", 0, 4), {}) == {
        "parts": ["Ice"]
    }


def test_pyramid_from_record():
    data = {
        "references": {"A": "Ice melts."},
        "scus": [{"id": 1, "label": "Ice", "contributors": [{"reference": "A", "parts": ["Ice"]}]}],
    }
    assert pyramid_from_record(Record(data, Where("a.jsonl"))).weights.tolist() == [1]


def test_read_list():
    assert read_list(Record({"scus": [{"id": "a", "label": "Ice melts"}]}, Where("a.jsonl"))) == [
        {"id": "a", "text": "Ice melts"}
    ]


def test_read_answers():
    assert read_answers(Record({"answers": [1, 0]}, Where("a.jsonl")), ["a", "b"]) == {
        "a": 1.0,
        "b": 0.0,
    }


def test_pyramid_fields():
    assert pyramid_fields(Pyramid.from_references({"A": "Ice."}, [("Ice", {"A": ["Ice"]})])) == {
        "references": {"A": "Ice."},
        "scus": [
            {"id": "1", "label": "Ice", "contributors": [{"reference": "A", "parts": ["Ice"]}]}
        ],
    }


def test_pyramid_lines():
    assert list(pyramid_lines({("A", "T1", "2"): Pyramid("Ice.")})) == [
        '{"topic": "T1", "task": "A", "version": "2", "text": "Ice.", "scus": []}\n'
    ]


def test_list_lines():
    topic = Topic("T1", extra={"scus": [{"id": 0, "text": "Ice melts"}]})
    assert list(list_lines(Collection("", topics=(topic,)))) == [
        '{"topic": "T1", "scus": [{"id": "0", "label": "Ice melts"}]}\n'
    ]


def test_peer_lines():
    peer = PeerAnnotation(Pyramid("Ice."), "Rain.")
    assert list(
        peer_lines(
            Collection(
                "", pyramids={("", "T1"): peer.pyramid}, peer_annotations={("", "T1", "7"): peer}
            )
        )
    ) == ['{"topic": "T1", "system": "7", "text": "Rain.", "scus": []}\n']


def test_read_realsumm():
    with pytest.raises(
        FormatError, match=re.escape("abs.pkl: this is a pickle, which is not loaded")
    ):
        read_realsumm("abs.pkl")


def test_parse_sentences():
    assert parse_sentences(b"Rain fell.\r\n\n  \nRoads closed.", "SPL") == [
        b"Rain fell.\r",
        b"  ",
        b"Roads closed.",
    ]
    assert parse_sentences(
        b'<html>\n<a name="1">[1]</a> <a href="#1" id=1>Rain fell.</a>\n', "SEE"
    ) == [b"Rain fell."]
    assert parse_sentences(b'<S SNTNO="1">Rain fell.</S>\n', "ISI") == [b"Rain fell."]


def test_read_rouge_config():
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rouge.xml"
        _ = file.write_text("""<ROUGE-EVAL version="1.0"><EVAL ID="T1">
            <PEER-ROOT>peers</PEER-ROOT><MODEL-ROOT>models</MODEL-ROOT>
            <INPUT-FORMAT TYPE="SPL"/><PEERS><P ID="17">T1.17.spl</P></PEERS>
            <MODELS><M ID="A">T1.A.spl</M></MODELS></EVAL></ROUGE-EVAL>""")
        (evaluation,) = read_rouge_config(file).evaluations
    assert evaluation.peers[0].path.as_posix() == "peers/T1.17.spl"


def test_read_rouge_list():
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "list.txt"
        _ = file.write_text("17.spl A.spl B.spl")
        (evaluation,) = read_rouge_list(file).evaluations
    assert (evaluation.peers[0].id, [model.id for model in evaluation.models]) == ("X", ["1", "2"])


def test_collection_from_rouge():
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "17.spl"
        _ = file.write_text("Rain fell.")
        evaluation = RougeEvaluation("T1", (RougeFile("17", file),), ())
        mine = collection_from_rouge(RougeConfig(Path("a.xml"), (evaluation,)), "mine")
    assert mine.summaries[0].text == ("Rain fell.",)


def test_require_scores_file():
    with pytest.raises(
        InputError,
        match=re.escape("scores.xls: scores cannot be written in this format; use .csv,"),
    ):
        require_scores_file("scores.xls")


def test_scores_text():
    scores = Scores({"topic": ["T1"], "measure": ["m"]}, [4.5])
    assert scores_text(scores).splitlines()[1] == ",T1,,,m,,4.5"


def test_parse_xml():
    assert parse_xml(b"<pyramid><text/></pyramid>", Where("a.pyr")).tag == "pyramid"


def test_escape_text():
    assert escape_text('fish & "chips"') == "fish &amp; &quot;chips&quot;"


def test_escape_attribute():
    assert escape_attribute("two\nlines") == "two&#10;lines"


def test_format_statements():
    assert format_statements([Topic("D0901", "Rain", category="1")]).splitlines() == [
        "<topics>",
        '<topic id="D0901" category="1">',
        "<title> Rain </title>",
        "</topic>",
        "</topics>",
    ]


def test_read_ducview(tmp_path):
    file = tmp_path / "T1.pyr"
    file.write_text("<pyramid><text><line>Ice melts.</line></text></pyramid>")
    assert read_ducview(file) == Pyramid("Ice melts.")


def test_read_contributor():
    record = Record({"parts": ["Ice", {"start": 4, "end": 9}]}, Where("a.jsonl", line=1))
    found = read_contributor(record, Window("Ice melts.", 0, 10), {}, "1", [])
    assert found.label == "Ice...melts"


def test_peer_from_record():
    data = {"text": "Ice.", "scus": [{"id": 1, "contributors": [{"parts": ["Ice"]}]}]}
    pyramid = Pyramid("", (SCU("1", "It is ice"),))
    assert peer_from_record(Record(data, Where("a.jsonl")), pyramid).scus == (
        SCU("1", "(0) It is ice", (Contributor((Part(0, 3, "Ice"),)),)),
        SCU("0", "All non-matching SCUs go here"),
    )


def test_answer_lines():
    rows = [Judgment("T1", "7", "scu", 1, unit=unit) for unit in "ab"]
    [line] = answer_lines(Collection("", scores=Scores.from_judgments(rows)))
    assert json.loads(line) == {
        "topic": "T1",
        "system": "7",
        "kind": "machine",
        "measure": "scu",
        "answers": {"a": 1, "b": 1},
    }


def test_read_scu_texts(tmp_path):
    file = tmp_path / "a.csv"
    file.write_text("eventId,questionId,questionText\nT1,0,Rain fell.\nT1,1,BLANK\n")
    assert read_scu_texts(file) == {"T1": ["Rain fell."]}


def test_writing_scores(tmp_path):
    with writing_scores(tmp_path / "scores.csv") as write:
        write(Scores({"topic": ["T1"], "measure": ["m"]}, [1]))
        write(Scores({"topic": ["T2"], "measure": ["m"]}, [2]))
    assert len((tmp_path / "scores.csv").read_text().splitlines()) == 3


def test_judged_set():
    judged = JudgedSet("mine")
    for system in ("7", "8"):
        judged.add_peer(Summary("T1", system, "It rained."), ("Rain.",), Where("a.jsonl"))
    found = [(summary.system, summary.role) for summary in judged.collection().summaries]
    assert found == [("7", "peer"), ("8", "peer"), ("ref1", "reference")]


def test_window():
    assert Window("A: Ice melts.", 3, 13, "A").written(Part(7, 12, "melts")) == "melts"


def test_tag():
    [tag] = parse_tags('<DOC id="a">Rain', Where("a.sgml"))
    assert (tag.name, tag.attribute("id"), tag.text) == ("doc", "a", "Rain")
