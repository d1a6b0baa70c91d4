"""Studies of judgments and of people in Python: results to hold, draw and use further."""

import numpy as np
import pandas as pd
import pytest

from pyramidion.collection import Collection, Document, ScoreMatrix, Scores, Summary, Topic
from pyramidion.demo import load_demo
from pyramidion.rewriting import read_chains
from pyramidion.studies import quality, references, status, systems, utility
from rendering.figures.reading import names


def judged(**measures):
    rows = [
        (f"T{topic}", f"{system}", measure, values[(topic + system) % len(values)])
        for measure, values in measures.items()
        for topic in range(3)
        for system in range(2)
    ]
    return pd.DataFrame(rows, columns=["topic", "system", "measure", "value"])


def test_quality_of_a_data_frame():
    frame = quality(judged(focus=[1, 5, 5]), measures="focus").to_frame(library="pandas")
    assert frame["very_poor"].tolist() == [pytest.approx(1 / 3)]
    assert frame["below_good"].tolist() == frame["very_poor"].tolist()


def test_the_figure_of_quality_has_one_scale():
    """Two measures from 1 to 5, and one with eleven marks that is not drawn."""
    scores = judged(focus=[1, 5], grammar=[2, 4], **{"relative-utility": [0, 10]})
    [chart] = quality(scores).charts
    assert chart.left_out == ("the figure: relative-utility, on another scale",)
    assert len(names(chart.draw())) == 2
    assert quality(scores, measures="focus").charts[0].left_out == ()


def test_systems_next_to_a_baseline():
    values = np.array([[1, 2, 5], [2, 2, 6], [2, 1, 9], [1, 3, 7]])
    matrix = ScoreMatrix(values, ["T1", "T2", "T3", "T4"], ["a", "b", "c"], measure="m")
    result = systems(matrix, baseline="c", n_resamples=500, confidence_level=0.9)
    assert result.table_names == ("effects", "systems", "pairs")
    frame = result.to_frame("pairs", library="pandas")
    assert frame[["a", "b", "differ"]].values.tolist() == [["a", "c", "*"], ["b", "c", "*"]]
    assert frame["difference"].tolist() == pytest.approx([-5.25, -4.75])
    assert result.to_frame("systems", library="pandas")["system"].tolist() == ["c", "b", "a"]
    assert len(result[0].comparisons.pairs) == 3
    assert result.charts[0].left_out == ()


def test_marks_over_topics():
    units = {"T1": [(1, 9), (2, 3)], "T2": [(1, 9), (2, 9), (3, 9), (4, 0)]}
    rows = [
        (topic, f"d/{number}", mark) for topic, marked in units.items() for number, mark in marked
    ]
    topics, places, marks = zip(*rows, strict=True)
    columns = {
        "topic": topics, "unit": places, "system": ["input"] * 6,
        "measure": ["relative-utility"] * 6,
    }  # fmt: skip
    [study] = utility(Scores(columns, marks))
    assert (study.counts[9], study.counts.sum()) == (4, 6)
    assert study.shares[9] == pytest.approx(4 / 6)
    assert study.mean_shares[9] == pytest.approx((1 / 2 + 3 / 4) / 2)


def people(*texts):
    documents = tuple(Document(f"d{number}", text) for number, text in enumerate(texts))
    summary = Summary("T1", "A", "Mary Landrieu won.", kind="human")
    return Collection("c", topics=(Topic("T1", documents=documents),), summaries=(summary,))


def test_references_are_listed_and_their_chains_saved(tmp_path):
    texts = people(
        "Sen. Mary Landrieu won on Tuesday. Landrieu thanked the voters.",
        "Mary Landrieu spoke. Landrieu smiled.",
    )
    result = references(texts, pipeline="light", people=True, n_resamples=100)
    assert result.table_names[-1] == "people"
    listed = result.to_frame("people", library="pandas")
    assert listed["document"].tolist() == ["T1/d0", "T1/d1"]
    assert result.study.people == len(set(listed["person"])) == 1
    assert result[0] is result.study
    result.save_chains(tmp_path / "chains.json")
    chain = read_chains(tmp_path / "chains.json")["name form"]
    assert chain.transitions[0].tolist() == [0, 1, 0]
    summaries = references(texts, texts="summaries", pipeline="light", n_resamples=100)
    assert summaries.study.mentions == 1


def test_a_model_of_status_is_trained_on_who_was_found():
    pytest.importorskip("sklearn")
    result = status(load_demo(), topic="P05,P06", pipeline="light", folds=4)
    findings = result[0]
    model = result.train_model()
    assert model.card["people_major"] == len(findings.examples)
    assert model.descriptions == result.model.descriptions
    assert model.majority["major"] == pytest.approx(
        np.mean([example.labels.major for example in findings.examples]), abs=1e-6
    )
    answered = result.to_frame("accuracy", library="pandas")
    assert answered["answered_by"].tolist() == [decision.how for decision in findings.decisions]
    classes = result.to_frame("classes", library="pandas")
    major = classes[(classes["class"] == "major") & (classes["answered_by"] == "model")]
    assert major["examples"].tolist() == [
        sum(example.labels.major for example in findings.examples)
    ]
    # Postmodification is learned as well, and features are selected for each question.
    ways = [d.how for d in findings.decisions if d.question == "postmodified"]
    assert ways[:2] == ["rule", "trained here"]
    selected = result.to_frame("features", library="pandas")
    assert set(selected["question"]) >= {"major or minor", "hearer-old or new"}


def test_the_learner_of_status_and_its_features_can_be_chosen():
    pytest.importorskip("sklearn")
    options = {"topic": "P05", "pipeline": "light", "folds": 2}
    plain = status(load_demo(), **options)
    result = status(load_demo(), learner="linear", normalize=True, **options)
    assert "|learner:linear|normalize" in str(result.signature)
    assert "learner" not in str(plain.signature)
    names = type(plain.train_model().major).__name__, type(plain.train_model().hearer_old).__name__
    assert names == ("Tree", "Linear")
    trained = result.train_model()
    assert type(trained.major).__name__ == "Linear"
    named = status(load_demo(), learner="logistic", normalize=True, **options)
    assert named.train_model() == trained
    assert trained.major.features == trained.hearer_old.features == (*range(19), *range(20, 29))
