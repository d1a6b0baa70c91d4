"""`pyramidion study references`: people are given, so that numbers are known."""

import csv
import io
import json

import pytest

from pyramidion.cli import runtime
from pyramidion.collection import Collection, Document, Summary, Topic
from pyramidion.rewriting import read_chains, sampled_forms
from pyramidion.studies import _source
from pyramidion.studies._references import measure
from rewriting.people.sequences.reference_samples import person

#: Texts that are codes of mentions, see `reference_samples.mention`.
TEXTS = ("f2a l0 l0", "f0 l0 f0", "f1 n0 n0 l0", "l0- f0", "f3 l0", "f0")


class Codes:
    """Parses nothing."""

    name = "codes"

    def parse(self, sentences):
        return [[] for _ in sentences]


@pytest.fixture(autouse=True)
def given_people(monkeypatch):
    """Read each text as the codes of one person's mentions, none if it is a dash."""

    def find(articles):
        texts = {
            id: " ".join(sentence.text for sentence in articles.of(id)) for id in articles.documents
        }
        return [person({id: text}) for id, text in texts.items() if text != "-"]

    monkeypatch.setattr(measure, "find_people", find)
    monkeypatch.setattr(_source, "load_parser", lambda pipeline: Codes())


def run(*arguments):
    return runtime.run(["study", "references", *map(str, arguments)])


def answer(capsys, *arguments):
    assert run(*arguments, "--format", "json", "--resamples", 199) == 0
    content = json.loads(capsys.readouterr().out)
    assert {result["study"] for result in content["results"]} == {"references"}
    return content


@pytest.fixture
def texts(tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    for number, text in enumerate(TEXTS):
        (folder / f"{number}.txt").write_text(text)
    return folder


def test_what_is_counted(texts, capsys):
    content = answer(capsys, texts)
    corpus, modification, name_form, post, premodifiers, not_head = content["results"]
    assert (corpus["documents"], corpus["people"], corpus["mentions"]) == (6, 6, 15)
    assert (corpus["heads"], corpus["chains_beginning_with_head"]) == (14, 5)
    assert corpus["first_mentions_with_both"]["here"] == pytest.approx(0.2)
    assert corpus["first_mentions_with_both"]["thesis"] == 0.17
    assert name_form["states"] == ["full", "last", "nickname"]
    assert name_form["initial_counts"] == [5, 0, 0]
    assert name_form["transition_counts"] == [[0, 3, 1], [1, 1, 0], [0, 1, 1]]
    assert name_form["transitions"][0] == [0, 0.75, 0.25]
    assert name_form["thesis"]["figure"] == "5.5"
    assert name_form["thesis"]["limit"] == [0.0838, 0.8646, 0.0517]
    assert name_form["limit"] == pytest.approx([2 / 7, 4 / 7, 1 / 7])
    assert modification["stratified_counts"][:2] == [[3, 2], [0, 4]]
    assert post["initial"] == pytest.approx([0.2, 0.8, 0, 0, 0])
    assert premodifiers["initial_counts"] == [2, 1, 1, 1, 0, 0, 0]
    assert (not_head["begins_with_head"], not_head["thesis"]) == (False, None)
    assert not_head["initial_counts"] == [0, 1, 0]
    assert name_form["models"]["folds"] == 5
    assert [row["other"] for row in name_form["models"]["markov_less"]][-1] == "stratified"
    signature = content["signature"]
    assert signature.startswith("study-references(documents)|parser:codes|add:0|resamples:199|")


def test_tables_for_people(texts, capsys, tmp_path):
    figure = tmp_path / "figure.png"
    assert run(texts, "--figure", figure) == 0
    out = capsys.readouterr().out
    for title in (
        "References to people",
        "Markov chain of modification: Figure 5.4",
        "Markov chain of premodifiers: Figure 5.7",
        "Markov chain of name form where the first mention is not the head",
        "Stratified model: Figure 5.8",
        "Which model predicts mentions better",
    ):
        assert title in out
    assert "There is no limit: nobody is mentioned twice" not in out
    assert "No transition leads back to" not in out
    assert figure.read_bytes()[1:4] == b"PNG"


@pytest.mark.parametrize("form", ["csv", "latex"])
def test_other_forms(texts, capsys, form):
    assert run(texts, "--format", form) == 0
    out = capsys.readouterr().out
    if form == "latex":
        assert out.count("\\toprule") == 9
        return
    tables = [list(csv.DictReader(io.StringIO(table))) for table in out.split("\n\n")]
    names = next(t for t in tables if "nickname" in t[0])
    rows = {(row["begins"], row["after"], row["whose"]): row for row in names}
    assert float(rows["head", "full", "here"]["last"]) == 0.75
    assert float(rows["head", "(limit)", "thesis"]["last"]) == 0.8646
    assert float(rows["not head", "last", "here"]["full"]) == 1


def test_summaries_by_people(tmp_path, capsys):
    topic = Topic("T1", documents=(Document("d", "f0"),))
    summaries = (
        Summary("T1", "A", "f1 l0", kind="human"),
        Summary("T1", "B", "f1a l0 l0", kind="human"),
        Summary("T1", "7", "l0 l0"),
    )
    Collection("c", topics=(topic,), summaries=summaries).save(tmp_path / "c")
    corpus = answer(capsys, tmp_path / "c", "--of", "summaries")["results"][0]
    assert (corpus["documents"], corpus["mentions"]) == (2, 5)
    corpus = answer(capsys, tmp_path / "c")["results"][0]
    assert (corpus["documents"], corpus["mentions"]) == (1, 1)


def test_chains_are_saved_and_drawn_from(texts, tmp_path, capsys):
    file = tmp_path / "chains.json"
    assert run(texts, "--save", file, "--add", 1) == 0
    assert f"wrote {file}" in capsys.readouterr().err
    chain = read_chains(file)["name form"]
    assert chain.transitions[0].tolist() == pytest.approx([1 / 7, 4 / 7, 2 / 7])
    assert len(sampled_forms(1, 5, chain)) == 5
    card = json.loads(file.read_text(encoding="utf-8"))["card"]
    assert (card["corpus"], card["mentions"]) == ("texts", 15)


def test_seeds_give_the_same_answer(texts, capsys):
    first, same, other = (answer(capsys, texts, "--seed", seed) for seed in (4, 4, 5))
    assert first == same
    assert first["results"] != other["results"]


def test_one_text_is_little(tmp_path, capsys):
    file = tmp_path / "one.txt"
    file.write_text("f1")
    assert run(file) == 0
    out = capsys.readouterr().out
    assert "There is no limit: nobody is mentioned twice" in out
    assert "Which model predicts mentions better" not in out
    result = answer(capsys, file)["results"][2]
    assert result["transitions"] == [None] * 3
    assert result["initial_interval"] == [[None] * 3] * 2
    assert (result["limit"], result["models"]) == (None, None)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("{nobody}",), "no person is named in the text; give more text, or another parser"),
        (("{nowhere}",), "there is no such file or folder"),
        (("{texts}", "--of", "summaries"), "there are no summaries in texts; add summaries by"),
        (("{texts}", "--of", "words"), "of is 'words'; choose one of documents, summaries"),
        (("{texts}", "--add", "-1"), "add is -1.0; give a number of at least 0"),
        (("{texts}", "--add", "nan"), "add is nan; give a number of at least 0"),
        (("{texts}", "--save", "chains.csv"), "chains.csv: chains are written as JSON"),
        (("{texts}", "--figure", "x.gif"), "no figure can be written as '.gif'"),
        (("{texts}", "--topic", "T9"), "there is no topic 'T9'"),
        (("{texts}", "--resamples", "5"), "resamples is 5; give a whole number of at least 100"),
        ((), "Missing argument"),
    ],
)
def test_bad_input_is_reported_in_one_line(texts, tmp_path, capsys, arguments, message):
    nobody = tmp_path / "nobody.txt"
    nobody.write_text("-")
    places = {"texts": texts, "nobody": nobody, "nowhere": tmp_path / "nowhere"}
    assert run(*(argument.format(**places) for argument in arguments)) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert len(captured.err.splitlines()) == 1
    assert message in captured.err
