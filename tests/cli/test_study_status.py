"""`pyramidion study status`."""

import csv
import io
import json

import pytest

from pyramidion.cli import runtime
from pyramidion.collection import Collection, Document, Summary, Topic
from pyramidion.demo import load_demo

pytestmark = pytest.mark.long


def run(*arguments):
    return runtime.run(["study", "status", *map(str, arguments), "--pipeline", "light"])


def answer(capsys, *arguments):
    assert run(*arguments, "--format", "json") == 0
    content = json.loads(capsys.readouterr().out)
    assert list(content) == ["command", "signature", "results", "left_out"]
    return content


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    path = tmp_path_factory.mktemp("status") / "demo"
    load_demo().save(path)
    return path


@pytest.fixture(scope="module")
def whole(demo, tmp_path_factory):
    """The answer about the whole demo, and the model that was trained on it."""
    folder = tmp_path_factory.mktemp("whole")
    answered, model = folder / "answer.json", folder / "model.json"
    assert run(demo, "--format", "json", "-o", answered, "--save", model) == 0
    return json.loads(answered.read_text(encoding="utf-8")), model


def test_json(whole):
    content, _ = whole
    assert content["command"] == "study status"
    assert content["signature"].startswith("study-status|parser:light")
    [result] = content["results"]
    assert result["study"] == "status"
    assert len(result["persons"]) == result["people"] > 60
    [vorrin] = [
        person
        for person in result["persons"]
        if (person["name"], person["topic"], person["task"]) == ("Casimir Vorrin", "P05", "A")
    ]
    assert (vorrin["named"], vorrin["summaries"], vorrin["major"]) == (4, 4, True)
    assert len(vorrin["features"]) == 29
    assert set(vorrin["probabilities"]) == {"major", "hearer_old"}


def test_numbers_hang_together(whole):
    [result] = whole[0]["results"]
    major = [decision for decision in result["decisions"] if decision["question"] == "major"]
    assert [decision["how"] for decision in major] == [
        "model",
        "trained here",
        "trained here, topics apart",
    ]
    assert {decision["examples"] for decision in major} == {result["people"]}
    named = [person for person in result["persons"] if person["named"]]
    hearer_old = [
        decision for decision in result["decisions"] if decision["question"] == "hearer_old"
    ]
    assert {decision["examples"] for decision in hearer_old} == {len(named)}
    assert sum(row["examples"] for row in result["agreement"]) == len(named)
    for decision in result["decisions"]:
        low, high = decision["interval"]
        assert low <= decision["accuracy"] <= high
    rules = {row["rule"]: row["accuracy"] for row in result["affiliation"]}
    assert set(rules) == {"never", "status", "salience", 1, 2}


@pytest.mark.parametrize("form", ["table", "csv", "latex"])
def test_forms(demo, capsys, tmp_path, form):
    file = tmp_path / "answer.txt"
    assert run(demo, "--topic", "P05,P06", "--format", form, "-o", file) == 0
    assert capsys.readouterr().out == ""
    text = file.read_text(encoding="utf-8")
    if form == "csv":
        assert len(next(csv.reader(io.StringIO(text)))) > 1
    else:
        assert "Linnea Castellan" in text
        assert "Table 5.5" in text


def test_one_topic_and_task(demo, capsys):
    [result] = answer(capsys, demo, "--topic", "P06", "--task", "B")["results"]
    assert {(person["topic"], person["task"]) for person in result["persons"]} == {("P06", "B")}


def test_a_model_of_ones_own(whole, demo, capsys):
    content, file = whole
    card = json.loads(file.read_text(encoding="utf-8"))["card"]
    assert card["people_major"] == content["results"][0]["people"]
    [shipped] = answer(capsys, demo, "--topic", "P06")["results"]
    [from_file] = answer(capsys, demo, "--topic", "P06", "--model", file)["results"]
    assert [person["named"] for person in from_file["persons"]] == [
        person["named"] for person in shipped["persons"]
    ]
    likely = [
        [person["probabilities"] for person in result["persons"]] for result in (shipped, from_file)
    ]
    assert likely[0] != likely[1]


@pytest.mark.long
def test_folds_and_seed(demo, capsys):
    first = answer(capsys, demo, "--topic", "P05,P06", "--folds", 5, "--seed", 3)
    assert first == answer(capsys, demo, "--topic", "P05,P06", "--folds", 5, "--seed", 3)
    assert "|seed:3|" in first["signature"]


def test_a_small_collection_leaves_out_what_it_cannot_tell(tmp_path, capsys):
    topic = Topic("T1", documents=(Document("d", "President Maria Lindqvist signed a treaty."),))
    summary = Summary("T1", "A", "President Lindqvist signed.", kind="human")
    Collection("c", topics=(topic,), summaries=(summary,)).save(tmp_path / "c")
    content = answer(capsys, tmp_path / "c")
    [result] = content["results"]
    assert [(person["name"], person["named"]) for person in result["persons"]] == [
        ("Maria Lindqvist", 1)
    ]
    assert len([line for line in content["left_out"] if "too few to be divided" in line]) == 4


def test_without_scikit_learn(demo, capsys, monkeypatch):
    for part in ("tree", "linear_model", "model_selection"):
        monkeypatch.setitem(__import__("sys").modules, f"sklearn.{part}", None)
    content = answer(capsys, demo, "--topic", "P05,P06")
    assert {decision["how"] for decision in content["results"][0]["decisions"]} == {"model", "rule"}
    assert any('pip install "pyramidion[nlp]"' in line for line in content["left_out"])


def test_nobody(tmp_path, capsys):
    topic = Topic("T1", documents=(Document("d", "The ice melts in spring."),))
    summary = Summary("T1", "A", "Ice melts.", kind="human")
    Collection("c", topics=(topic,), summaries=(summary,)).save(tmp_path / "c")
    assert run(tmp_path / "c") == 2
    assert "no people are named in the documents of c" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--topic", "P99"], "P99"),
        (["--model", "nothing.json"], "there is no such file"),
        (["--folds", "1"], "folds"),
    ],
)
def test_bad_input(demo, capsys, arguments, message):
    assert run(demo, *arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert len(err.strip().splitlines()) == 1
