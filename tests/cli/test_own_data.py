"""From one's own files to an answer: several sources, metrics computed on the way."""

import json

import pytest

from pyramidion import Collection, compare
from pyramidion.cli.runtime import run
from pyramidion.demo import load_demo
from pyramidion.meta_evaluation import meta_evaluate
from pyramidion.metrics import score


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own") / "demo"
    load_demo().save(folder)
    return folder


def answer(capsys, *arguments):
    assert run([*map(str, arguments), "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.long
def test_meta_computes_the_metrics_it_is_asked_for(demo, capsys):
    human = Collection.load(demo).scores.measures[0]
    answer(capsys, "meta", demo, "--human", human, "-m", "rouge-2,su4")
    result = meta_evaluate(demo, human=human, metrics=["rouge-2", "su4"], n_resamples=100)
    scored = score(demo, metrics=["rouge-2", "su4"])
    joined = meta_evaluate([demo, scored], human=human, metrics=["rouge-2", "su4"], n_resamples=100)
    assert result.to_dict()["results"] == joined.to_dict()["results"]


def test_several_sources_are_joined(demo, tmp_path, capsys):
    file = tmp_path / "scores.csv"
    assert run(["score", str(demo), "-m", "rouge-2", "-o", str(file)]) == 0
    capsys.readouterr()
    human = Collection.load(demo).scores.measures[0]
    joined = answer(capsys, "compare", demo, file, "-m", f"rouge-2,{human}", "--resamples", "199")
    assert {result["measure"] for result in joined["results"]} == {"rouge-2-f", human}
    assert compare([demo, file], measures=["rouge-2"], n_resamples=199)[0].measure == "rouge-2-f"


def test_one_score_given_differently_is_refused(tmp_path, capsys):
    for name, value in (("a", 1), ("b", 2)):
        rows = [f"T{n},x,m,{n}\nT{n},y,m,{value + n}" for n in range(3)]
        (tmp_path / name).write_text("topic,system,measure,value\n" + "\n".join(rows) + "\n")
    assert run(["compare", str(tmp_path / "a"), str(tmp_path / "b")]) == 2
    assert "repeated score: T0, y, m" in capsys.readouterr().err


def test_scores_are_added_to_a_collection_and_replaced(tmp_path, capsys):
    folder = tmp_path / "demo"
    load_demo().save(folder)
    before = Collection.load(folder)
    assert run(["score", str(folder), "-m", "rouge-2", "--add"]) == 0
    first = Collection.load(folder)
    added = first.scores.select(measure="rouge-2-f")
    assert len(first.scores) == len(before.scores) + len(added)
    assert f"added {len(added)} scores to" in capsys.readouterr().err
    assert run(["score", str(folder), "-m", "rouge-2", "--task", "A", "--add"]) == 0
    assert "old ones replaced" in capsys.readouterr().err
    assert Collection.load(folder).scores == first.scores
    assert first.summaries == before.summaries


def test_scores_are_not_added_to_a_file(tmp_path, capsys):
    file = tmp_path / "s.jsonl"
    file.write_text('{"topic": "1", "system": "x", "text": "a"}\n')
    assert run(["score", str(file), "--add"]) == 2
    assert "scores can be added to a collection folder only" in capsys.readouterr().err


def test_an_unknown_task_is_refused(demo, capsys):
    assert run(["score", str(demo), "--task", "Z"]) == 2
    assert "there is no task 'Z'; tasks: A" in capsys.readouterr().err
