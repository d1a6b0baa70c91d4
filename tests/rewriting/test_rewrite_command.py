"""`pyramidion rewrite` as a command."""

import json
import sys
from dataclasses import replace

import pytest

from pyramidion.cli import runtime
from pyramidion.collection import AspectSpan, Collection, Document, Topic
from pyramidion.collection.formats import read_summaries
from pyramidion.demo import load_demo
from pyramidion.text.parsing import load_parser

ARTICLE = """NEW ORLEANS (HNS) - Republican candidate Suzanne Haik Terrell drew level with \
Democratic Sen. Mary Landrieu on Monday, five days before Louisiana votes.

Terrell, the state elections commissioner, told supporters in Monroe that the seat could be won. \
Landrieu spent the day in Shreveport.

President Bush campaigned for Terrell on Tuesday. Bush called her a friend of taxpayers.
"""
SUMMARY = """Terrell had 56 percent of the vote to 31 percent for Landrieu in the north.
A poll shows that Suzanne Haik Terrell is ahead of Mary Landrieu in the south.
"""
REWRITTEN = """Republican candidate Suzanne Haik Terrell had 56 percent of the vote to 31 percent \
for Democratic Sen. Mary Landrieu in the north.
A poll shows that Terrell is ahead of Landrieu in the south.
"""


def run(*arguments):
    return runtime.run(["rewrite", *map(str, arguments)])


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    (tmp_path / "article.txt").write_text(ARTICLE)
    (tmp_path / "summary.txt").write_text(SUMMARY)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("pipeline", ["", "light"])
def test_people_are_introduced_once_and_then_called_by_their_last_name(pipeline, capsys):
    """The manner of Nenkova (2006), Figure 5.10."""
    assert run("summary.txt", "-d", "article.txt", "--pipeline", pipeline) == 0
    assert capsys.readouterr().out == REWRITTEN


def test_every_replacement_is_reported_with_its_source(capsys):
    assert run("summary.txt", "-d", "article.txt", "--format", "json") == 0
    [result] = json.loads(capsys.readouterr().out)["results"]
    assert result["changed"] == 2
    first, second = result["sentences"]
    assert (first["before"], first["rewritten"]) == (SUMMARY.splitlines()[0], True)
    terrell = first["replacements"][0]
    assert (terrell["before"], terrell["after"]) == (
        "Terrell",
        "Republican candidate Suzanne Haik Terrell",
    )
    assert (terrell["kind"], terrell["document"], terrell["index"]) == ("person", "article", 0)
    assert [change["after"] for change in second["replacements"]] == ["Terrell", "Landrieu"]


def test_explanations_and_who_is_who_stand_below_the_summary(capsys):
    assert run("summary.txt", "-d", "article.txt", "--explain", "--who") == 0
    out = capsys.readouterr().out
    assert out.startswith(REWRITTEN)
    assert "what was rewritten" in out
    assert "later mention: last name" in out
    assert "who is who" in out
    assert "Mary Landrieu is a Democratic senator" in out


def test_a_limit_leaves_first_mentions_short(capsys):
    assert run("summary.txt", "-d", "article.txt", "--words", "33") == 0
    out, err = capsys.readouterr()
    assert out.startswith("Suzanne Haik Terrell had 56 percent")
    assert len(REWRITTEN.split()) > 33 >= len(out.split())
    assert "no room" in err


def test_nobody_is_named(tmp_path, capsys):
    (tmp_path / "rain.txt").write_text("Heavy rain fell in the north all day.\n")
    assert run("rain.txt", "-d", "article.txt") == 0
    out, err = capsys.readouterr()
    assert out == "Heavy rain fell in the north all day.\n"
    assert "the summary names no people" in err


def test_standard_input_and_an_output_file(tmp_path, monkeypatch, capsys):
    with (tmp_path / "summary.txt").open() as text:
        monkeypatch.setattr(sys, "stdin", text)
        assert run("-", "-d", "article.txt", "-o", "out.txt") == 0
    assert capsys.readouterr().out == ""
    assert (tmp_path / "out.txt").read_text() == REWRITTEN


def test_paragraphs_stay(tmp_path, capsys):
    first, second = SUMMARY.splitlines()
    (tmp_path / "spaced.txt").write_text(f"{first}  {first}\n\n{second}\n")
    assert run("spaced.txt", "-d", "article.txt") == 0
    above, below = REWRITTEN.splitlines()
    out = capsys.readouterr().out
    assert out.startswith(f"{above}  Terrell had 56 percent")
    assert out.endswith(f"\n\n{below}\n")


def test_later_mentions_drawn_from_chains_of_ones_own(tmp_path, capsys):
    from pyramidion.rewriting import MarkovChain, save_chains

    always = MarkovChain.of_counts(
        "name form", ("full", "last", "nickname"), [1, 1, 1], [[98, 1, 1], [98, 1, 1], [98, 1, 1]]
    )
    save_chains(tmp_path / "chains.json", [always], {})
    options = ("--later", "sampled", "--chains", "chains.json")
    assert run("summary.txt", "-d", "article.txt", *options) == 0
    out, err = capsys.readouterr()
    assert out.endswith(SUMMARY.splitlines()[1] + "\n")
    assert "|later:sampled|chains:chains.json|" in err


def test_documents_about_something_else(tmp_path, capsys):
    (tmp_path / "goats.txt").write_text("Goats were sold in the old market of Ardel on Monday.\n")
    assert run("summary.txt", "-d", "goats.txt", "--explain", "--who") == 0
    out, err = capsys.readouterr()
    assert "what was rewritten" not in out or "later mention" in out
    assert "do not say clearly who the people" in err


def test_the_summaries_of_a_collection(tmp_path, capsys):
    demo = load_demo()
    demo.save(tmp_path / "demo")
    peers = [summary for summary in demo.summaries if summary.topic in {"P05", "P06"}][:6]
    (tmp_path / "mine.jsonl").write_text("".join(summary.to_line() for summary in peers))
    assert run("mine.jsonl", "-d", "demo", "-o", "out.jsonl") == 0
    assert "wrote out.jsonl: 6 summaries" in capsys.readouterr().err
    after = read_summaries(tmp_path / "out.jsonl")
    assert [(summary.task, summary.topic, summary.system) for summary in after] == [
        (summary.task, summary.topic, summary.system) for summary in peers
    ]


def test_marks_of_aspects_do_not_outlive_their_text(tmp_path, capsys):
    demo = load_demo()
    demo.save(tmp_path / "demo")
    marks = (AspectSpan(0, 7, "4.1"),)
    texts = ["Nothing is known.", "Nothing is known. They saw 9 ships."]
    originals = [summary for summary in demo.summaries if summary.topic == "P04"]
    pairs = zip(originals, texts, strict=False)
    peers = [replace(original, text=text, aspects=marks) for original, text in pairs]
    (tmp_path / "mine.jsonl").write_text("".join(summary.to_line() for summary in peers))
    arguments = ["mine.jsonl", "-d", "demo", "--rewrite", "", "--guard"]
    assert run(*arguments, "-o", "out.jsonl") == 0
    kept, changed = read_summaries(tmp_path / "out.jsonl")
    assert (kept.text, kept.aspects) == ("Nothing is known.", marks)
    assert (changed.text, changed.aspects) == ("Nothing is known.", ())
    assert "left out: marks of aspects in 1 summary that changed" in capsys.readouterr().err


def test_other_languages_stay_as_they_are(tmp_path, capsys):
    text = "Η βροχή έπεσε στο Άρντελ όλη μέρα. Ο δήμαρχος μίλησε στον κόσμο της πόλης.\n"
    (tmp_path / "greek.txt").write_text(text, encoding="utf-8")
    assert run("greek.txt", "-d", "greek.txt") == 0
    out, err = capsys.readouterr()
    assert out.split() == text.split()
    assert "only English is supported" in err


def test_without_spacy_the_light_parser_is_used_and_said(monkeypatch, capsys):
    load_parser.cache_clear()
    monkeypatch.setattr("pyramidion.text.parsing.spacy_is_installed", lambda: False)
    try:
        assert run("summary.txt", "-d", "article.txt") == 0
    finally:
        load_parser.cache_clear()
    out, err = capsys.readouterr()
    assert out == REWRITTEN
    assert "spaCy is not installed" in err
    assert "parser:light" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["summary.txt"], "the source documents are missing; give them with --documents"),
        (["nothing.txt", "-d", "article.txt"], "nothing.txt"),
        (["summary.txt", "-d", "nothing.txt"], "nothing.txt: there is no such file"),
        (["summary.txt", "-d", "article.txt", "--rewrite", "verbs"], "rewrite is 'verbs'"),
        (["summary.txt", "-d", "article.txt", "--rewrite", ""], "there is nothing to rewrite"),
        (
            ["summary.txt", "-d", "article.txt", "--rewrite", "np-raw"],
            "rewrite is 'np-raw'; choose one of np, people",
        ),
        (
            ["summary.txt", "-d", "article.txt", "--phrase-weight", "product"],
            "phrase-weight is 'product'",
        ),
        (
            ["summary.txt", "-d", "article.txt", "--describe", "new"],
            "the model predicts who is known no better than the majority class",
        ),
        (
            ["summary.txt", "-d", "article.txt", "--phrase-weight", "average"],
            "--phrase-weight has no effect here",
        ),
        (
            ["summary.txt", "-d", "article.txt", "--chains", "c.json"],
            "--chains has no effect here; also give --later sampled",
        ),
        (
            ["summary.txt", "-d", "article.txt", "--later", "sampled", "--chains", "c.json"],
            "c.json: there is no such file",
        ),
        (["summary.txt", "-d", "article.txt", "--words", "0"], "words is 0; give"),
        (["summary.txt", "-d", "article.txt", "--topic", "T9"], "T9"),
        (["summary.txt", "-d", "article.txt", "--pipeline", "en_nothing"], "en_nothing"),
        (["empty.txt", "-d", "article.txt"], "there is no text"),
        (["other.jsonl", "-d", "article.txt"], "there are no documents of topic 'T7'"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(arguments, message, tmp_path, capsys):
    (tmp_path / "empty.txt").write_text(" \n")
    (tmp_path / "other.jsonl").write_text('{"topic": "T7", "system": "1", "text": "Rain."}\n')
    before = sorted(tmp_path.rglob("*"))
    assert run(*arguments, "-o", "out.txt") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_a_model_of_status_of_ones_own(tmp_path, capsys):
    from dataclasses import replace

    from pyramidion.rewriting import Linear, default_model

    everybody = Linear((0,), (0.0,), (1.0,), (0.0,), 9.0)
    card = {"accuracy": {"hearer_old": 0.9}}
    replace(default_model(), hearer_old=everybody, card=card).save(tmp_path / "known.json")
    options = ("--describe", "new", "--status", "known.json")
    assert run("summary.txt", "-d", "article.txt", *options) == 0
    out, err = capsys.readouterr()
    assert out.startswith("Suzanne Haik Terrell had 56 percent")
    assert "|describe:new|status:known.json|" in err
    content = json.loads((tmp_path / "known.json").read_text())
    content["major"]["features"][0] = 99
    (tmp_path / "damaged.json").write_text(json.dumps(content))
    damaged = ("--describe", "new", "--status", "damaged.json")
    assert run("summary.txt", "-d", "article.txt", *damaged) == 2
    assert "there is no feature 99" in capsys.readouterr().err


def test_five_topics_with_documents_are_listed(tmp_path, capsys):
    (tmp_path / "other.jsonl").write_text('{"topic": "T7", "system": "1", "text": "Rain."}\n')
    for number, listed in ((5, "T0, T1, T2, T3, T4"), (6, "T0, T1, T2, T3, T4, ...")):
        documents = (Document("d", "It rained."),)
        topics = tuple(Topic(f"T{index}", documents=documents) for index in range(number))
        Collection("c", topics=topics).save(tmp_path / f"c{number}")
        assert run("other.jsonl", "-d", f"c{number}") == 2
        assert capsys.readouterr().err.endswith(f"topics with documents: {listed}\n")
