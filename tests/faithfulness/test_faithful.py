"""The question `faithful`: statements, verdicts, evidence, and what cannot be checked."""

import json
import sys
from dataclasses import replace

import numpy as np
import pytest

from pyramidion import faithful
from pyramidion.checks import find_problems
from pyramidion.cli import runtime
from pyramidion.collection import Collection, Document, Summary, Topic
from pyramidion.errors import InputError, MissingExtraError
from pyramidion.faithfulness import BuiltInChecker, summary_statements
from pyramidion.questions import Progress
from pyramidion.support import SourceIndex
from pyramidion.text import load_parser

STORY = "Ada Lee left Oslo on Monday. She sold the ferry for $12 million, a bank said."


def collection(*texts: str, documents: tuple[str, ...] = (STORY,)) -> Collection:
    """Make a collection with one topic and one system per summary."""
    articles = tuple(Document(f"d{n}", text) for n, text in enumerate(documents))
    summaries = tuple(Summary("T1", f"s{n}", text) for n, text in enumerate(texts))
    return Collection("mine", topics=(Topic("T1", documents=articles),), summaries=summaries)


def test_counts_by_system():
    steps = []
    result = faithful(
        collection("Lee left Oslo on Monday.", "Lee left Rome. Her dog was very happy then."),
        progress=Progress(lambda *step: steps.append(step)),
    )
    assert steps == [(1, 2), (2, 2)]
    rows = {system.system: system for system in result}
    assert dict(rows["s0"].statements) == {"supported": 2}
    assert rows["s0"].unsupported == 0
    assert rows["s1"].statements == {"unsupported": 1, "cannot tell": 1}
    assert (rows["s1"].unsupported, rows["s1"].flagged, rows["s1"].spans) == (0.5, 1, {"name": 1})
    table = result.tables[0]
    answers = [table.columns.index(name) for name in ("supported", "unsupported", "cannot tell")]
    assert [[row[i] for i in answers] for row in table.rows] == [[2, 0, 0], [0, 1, 1]]


def test_findings_about_the_data_are_passed_on():
    doubtful = collection("Lee left Oslo.", "Lee left Oslo.", "Lee left Rome.")
    findings = tuple(find_problems(doubtful))
    assert findings
    assert faithful(replace(doubtful, findings=findings)).findings == findings


def test_intervals_are_over_topics():
    topics = tuple(Topic(f"T{n}", documents=(Document("d", STORY),)) for n in range(6))
    texts = ["Lee left Oslo.", "Lee left Rome."]
    summaries = tuple(Summary(f"T{n}", "s", texts[n % 2]) for n in range(6))
    (system,) = faithful(Collection("mine", topics=topics, summaries=summaries))
    assert system.low < system.unsupported == 0.5 < system.high


def test_offsets_of_spans_are_those_of_the_summary():
    text = "Lee left Oslo. She sold the ferry for $15 million."
    (system,) = faithful(collection(text))
    spans = [span for verdict in system.checked[0].verdicts for span in verdict.spans]
    assert [text[span.start : span.end] for span in spans] == ["15 million"]


def test_one_topic_has_no_interval_and_shares_of_0_leave_room():
    single = faithful(collection("Lee left Oslo."))
    assert np.isnan([single[0].low, single[0].high]).all()
    assert "0.000 [cannot be estimated]" in str(single)
    topics = tuple(Topic(f"T{n}", documents=(Document("d", STORY),)) for n in range(10))
    summaries = tuple(Summary(f"T{n}", "s", "Lee left Oslo.") for n in range(10))
    (system,) = faithful(Collection("mine", topics=topics, summaries=summaries))
    # Wilson's interval of 0 of 10.
    assert (system.low, system.high) == (0.0, pytest.approx(0.2775, abs=1e-4))


def test_json_has_statements_spans_and_evidence():
    result = json.loads(faithful(collection("Lee left Rome.")).to_json())
    (statement,) = result["results"][0]["checked"][0]["statements"]
    assert (statement["text"], statement["answer"]) == ("Lee left Rome", "unsupported")
    assert statement["spans"][0]["evidence"]["position"] == 0


def test_the_page_links_spans_to_their_evidence():
    page = faithful(collection("Lee left Rome & <b>.")).to_page()
    assert 'class=missing title="name not in the source" href="#t0d0s0">Rome</a>' in page
    assert '<span id="t0d0s0">Ada Lee left Oslo on Monday.</span>' in page
    assert "see JSON" not in page
    assert "<b>" not in page


def test_the_page_shows_documents_apart_and_counts_topics_beyond_sixty():
    documents = (Document("d1", "It rained. It snowed."), Document("d2", "It froze."))
    names = [f"T{n}" for n in range(62)]
    result = faithful(
        Collection(
            "mine",
            topics=tuple(Topic(name, documents=documents) for name in names),
            summaries=tuple(Summary(name, "s", "It rained.") for name in names),
        )
    )
    page = result.to_page()
    assert (page.count("<h4>Document 1<"), page.count("<h4>Document 2<")) == (60, 60)
    assert "2 more topics: see JSON." in page


def test_allowed_names_are_supported():
    result = faithful(collection("Lee left Oslo in Norway."), allow="Norway")
    assert not result[0].flagged
    assert "allow:Norway" in str(result.signature)


def test_the_date_of_a_document_is_known():
    topic = Topic("T1", documents=(Document("d", STORY, date="2031-04-12"),))
    summary = Summary("T1", "s", "Lee left Oslo in 2031.")
    assert not faithful(Collection("mine", topics=(topic,), summaries=(summary,)))[0].flagged


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        ((), "there are no documents to compare with"),
        (("Die Brücke wurde am Montag von der Stadt geschlossen, weil es zu viel regnete.",),
         "these documents are German"),
    ],
)  # fmt: skip
def test_what_cannot_be_checked_is_an_error(documents, message):
    with pytest.raises(InputError, match=message):
        faithful(collection("Lee left Oslo.", documents=documents))


def test_summaries_without_documents_are_counted():
    data = collection("Lee left Oslo.")
    other = Summary("T2", "s0", "Snow fell.")
    result = faithful(Collection("x", topics=data.topics, summaries=(*data.summaries, other)))
    assert result.left_out == ("1 summary: there are no documents to compare with (T2, s0)",)


def test_a_statement_of_known_words_is_supported_and_others_cannot_be_told():
    statements = summary_statements("A bank sold the ferry. Her mood improved quite a lot.")
    verdicts = BuiltInChecker().check(statements, SourceIndex([STORY]))
    assert [verdict.answer for verdict in verdicts] == ["supported", "cannot tell"]
    assert verdicts[0].evidence[0].position == 1


@pytest.mark.parametrize(("number", "note"), [(20, ""), (22, "2 more are listed in JSON")])
def test_the_table_lists_twenty_spans(number, note):
    texts = [f"Lee sold {n} ferries." for n in range(30, 30 + number)]
    spans = next(table for table in faithful(collection(*texts)).tables if table.name == "spans")
    assert len(spans.rows) == 20
    assert spans.note.startswith(note)
    assert bool(spans.note) == bool(note)


@pytest.mark.parametrize(
    ("name", "opening"),
    [("x.csv", "task,topic,system"), ("x.md", "**Unsupported statements**"), ("x.json", "{")],
)
def test_output_is_scores_or_the_answer_by_suffix(tmp_path, name, opening):
    collection("Lee left Oslo.").save(tmp_path / "c", format="collection")
    path = tmp_path / name
    assert runtime.run(["faithful", str(tmp_path / "c"), "-o", str(path)]) == 0
    assert path.read_text(encoding="utf-8").startswith(opening)


def test_a_dry_run_writes_neither_scores_nor_a_page(tmp_path, capsys):
    collection("Lee left Oslo.").save(tmp_path / "c", format="collection")
    checker = ("--checker", "judge(model=x,url=http://127.0.0.1:1/v1)", "--dry-run")
    for option, name in (("-o", "x.csv"), ("--html", "x.html")):
        command = ["faithful", str(tmp_path / "c"), *checker, option, str(tmp_path / name)]
        assert runtime.run(command) == 2
        assert "a dry run has no verdicts to write; drop --dry-run" in capsys.readouterr().err
        assert not (tmp_path / name).exists()


def test_systems_without_statements_are_last():
    names = ("s1", "s0", "s3", "s2")
    for texts in (("***", "Lee left Oslo.", "***", "Lee left Rome."), ("Lee left Rome.", "***")):
        summaries = zip(names, texts, strict=False)
        topic = collection(*texts).topics
        peers = tuple(Summary("T1", *pair) for pair in summaries)
        result = faithful(Collection("mine", topics=topic, summaries=peers))
        shares = [system.unsupported for system in result]
        assert shares == sorted(shares, key=lambda share: (np.isnan(share), share))
        assert "nan" not in str(result)


def test_the_built_in_checker_needs_the_parser(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyramidion_english", None)
    load_parser.cache_clear()
    with pytest.raises(MissingExtraError, match="run: pip install pyramidion-english"):
        faithful(collection("Lee left Oslo on Monday, and she sold 99 ferries."))
