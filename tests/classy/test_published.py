"""The sixteen models of Tables 5.2 and 5.3 (Rankel 2016)."""

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from pyramidion.classy._models import predict_summaries, published_model, published_models
from pyramidion.classy._table import feature_groups, feature_set
from pyramidion.collection import Summary
from pyramidion.collection.formats import read_collection
from pyramidion.demo import load_demo
from pyramidion.errors import InputError, NotFoundError
from pyramidion.metrics import parse_metric
from pyramidion.metrics._bigrams import BigramCounts, BigramUnnormalized
from pyramidion.text import split_sentences
from support import shared_file

NAMES = [
    f"classy-2011/{version}/{task}/{peers}"
    for peers in ("all", "no-models")
    for version in ("8", "25", "23", "6")
    for task in "AB"
]

# Rows of Table 5.2, columns Responsiveness (25) canon A and Responsiveness (6) nonneg A and B.
PRINTED = {
    "classy-2011/25/A/all": {
        "R2": 4.8e1,
        "SU4": 3.7e1,
        "Coverage": 3.6e-1,
        "Bigrams": -4.0e-1,
        "Bigrams P2P": 5.9e-1,
        "Coverage P2P": -7.2e-1,
        "log2(1+Term Overlap)": 8.9e-2,
        "Norm Term Overlap": -6.6e-1,
        "-log2(sent length)": 1.2,
        "Neg Sent Entropy": -9.6e-1,
    },
    "classy-2011/6/A/all": {"SU4": 2.3e1, "Coverage": 1.2e-1},
    "classy-2011/6/A/no-models": {
        "SU4": 2.0e1,
        "log2(1+Term Overlap)": 1.0e-1,
        "Redundant 2": 6.0e-4,
    },
}


def plain(column):
    """Return a metric's name without its options."""
    return re.sub(r"\(.*", "", column)


def by_title(model):
    """Return a model's coefficients by the row of the table."""
    groups = feature_groups(model.task == "B")
    rows = {plain(str(group.metrics[0])): group.title for group in groups}
    found = {}
    for column, weight in zip(model.columns, model.coefficients, strict=True):
        found.setdefault(rows[plain(column)], []).append(weight)
    return found


def test_names():
    assert sorted(published_models()) == sorted(NAMES)
    assert [published_model(name).name for name in NAMES] == NAMES
    with pytest.raises(NotFoundError, match="no model 'classy-2011/7/A/all'; write classy-2011/V"):
        published_model("classy-2011/7/A/all")


@pytest.mark.parametrize("name", PRINTED)
def test_printed_coefficients(name):
    assert by_title(published_model(name)) == {k: [v] for k, v in PRINTED[name].items()}


@cache
def tables():
    """Read both tables from the dissertation."""
    text = shared_file("seeds/000_9e84f77a7eb1f22b.txt").read_text(encoding="utf-8")
    found = {}
    for title, peers in (("Table 5.2: Features", "all"), ("Table 5.3: Features", "no-models")):
        lines = text[text.rindex(title) :].splitlines()[2:]
        methods = lines[1].split("\t")[1:]
        for line in lines[3:16]:
            row, *cells = line.split("\t")
            for number, cell in enumerate(cells):
                name = (
                    f"classy-2011/{('8', '25', '23', '6')[number // 2]}/{'AB'[number % 2]}/{peers}"
                )
                _, rows = found.setdefault(name, (methods[number], {}))
                if cell.strip():
                    rows[row] = [float(part.replace(" ", "")) for part in cell.split(",")]
    return found


@pytest.mark.parametrize("name", NAMES)
def test_all_coefficients_are_those_of_the_tables(name):
    method, rows = tables()[name]
    model = published_model(name)
    assert by_title(model) == rows
    assert model.method == method
    assert model.constant == 0


def test_versions():
    targets = {"8": "pyramid", "25": "responsiveness", "23": "readability", "6": "responsiveness"}
    for name, model in published_models().items():
        _, version, task, peers = name.split("/")
        assert (model.target, model.task, model.peers) == (targets[version], task, peers)
        assert version != "6" or model.method == "nonneg"
        assert "two digits" in model.training["note"]


def test_each_is_a_metric():
    for name, model in published_models().items():
        metric = parse_metric(name)
        assert str(metric) == name
        earlier = "earlier references" in metric.requirements
        assert earlier == (model.task == "B")


def with_texts_about_others(shift):
    """Add what people and machines wrote, and the same about a topic it was not written for."""
    demo = load_demo()
    topics = [topic.id for topic in demo.topics]
    added = []
    for place, topic in enumerate(topics):
        other = topics[(place + shift) % len(topics)]
        for task in "AB":
            added += [
                Summary(topic, f"lost{own.system}", own.plain, task=task, kind="human", role="peer")
                for own in demo.references(other, task)
            ]
            added += [
                Summary(topic, f"{name}{number}", leading(document.text), task=task)
                for name, source in (("on", topic), ("lost", other))
                for number, document in enumerate(demo.documents(source, task))
            ]
    return replace(demo, summaries=(*demo.summaries, *added))


def leading(text):
    return " ".join(split_sentences(text)[:4])


@pytest.fixture(scope="module", params=[1, 2])
def collection(request):
    return with_texts_about_others(request.param)


@pytest.mark.parametrize("name", NAMES)
def test_a_summary_of_the_topic_is_above_one_of_another(collection, name):
    prediction = predict_summaries(published_model(name), collection)
    means = {}
    for summary, value in zip(prediction.summaries, prediction.values, strict=True):
        lost = summary.system.startswith("lost")
        means.setdefault((summary.kind, lost), []).append(value)
    kinds = {kind for kind, _ in means}
    # Reading 31: large terms of opposite signs, which no reading but the refuted sum explains.
    sign = -1 if name == "classy-2011/25/B/no-models" else 1
    assert kinds == ({"machine"} if name.endswith("no-models") else {"human", "machine"})
    for kind in kinds:
        assert sign * (np.mean(means[kind, False]) - np.mean(means[kind, True])) > 0, kind


def changed(model, **bigrams):
    """Count shared bigrams with stop words, and Bigrams in another way if told."""
    counted = [
        replace(own, stop_words=False) if isinstance(own, BigramCounts) else own
        for own in model.metrics
    ]
    counted = [
        replace(own, **bigrams) if isinstance(own, BigramUnnormalized) else own for own in counted
    ]
    return replace(model, columns=tuple(map(str, counted)))


@pytest.mark.parametrize("name", ["classy-2011/8/B/all", "classy-2011/25/B/all"])
def test_stop_words_outweigh_rouge(collection, name):
    """Models without Bigrams: were stop words counted, Coverage would turn people round."""
    model = published_model(name)
    assert not any("unnormalized" in column for column in model.columns)
    prediction = predict_summaries(changed(model), collection)
    people = [own.kind == "human" for own in prediction.summaries]
    lost = np.array([own.system.startswith("lost") for own in prediction.summaries])
    values, lost = prediction.values[people], lost[people]
    assert values[lost].mean() > values[~lost].mean()


def test_people_are_above_machines():
    """SQuALITY's judged summaries: with Bigrams added up over references people would be lower."""
    squality = read_collection(shared_file("data/squality.jsonl.gz"))
    model = published_model("classy-2011/8/A/all")
    gaps = []
    for own in (model, changed(model), changed(model, models="sum")):
        found = predict_summaries(own, squality)
        people = np.array([summary.kind == "human" for summary in found.summaries])
        gaps.append(found.values[people].mean() - found.values[~people].mean())
    assert min(gaps[:2]) > 0
    assert gaps[2] < gaps[0]


def test_how_references_come_together():
    """Reading 33: averaged ROUGE and summed Coverage for task A; task B as before."""
    of_a = dict.fromkeys(published_model("classy-2011/8/A/all").columns)
    assert [*of_a][:6] == [
        "rouge-2-r(stem)", "rouge-su4-r(stem)", "bigram-coverage(stop_words,models=sum)",
        "bigram-unnormalized(stop_words)", "bigram-p2p(stop_words)",
        "bigram-coverage-p2p(stop_words)",
    ]  # fmt: skip
    of_b = published_model("classy-2011/8/B/all").columns
    assert of_b[:6] == (
        "rouge-2-r(stem,models=best,against=earlier)", "rouge-2-r(stem,models=best)",
        "rouge-su4-r(stem,models=best,against=earlier)", "rouge-su4-r(stem,models=best)",
        "bigram-coverage(stop_words,against=earlier)", "bigram-coverage(stop_words)",
    )  # fmt: skip


@pytest.mark.parametrize("update", [False, True])
def test_models_can_be_trained_on_the_same_features(update):
    columns = {column for group in feature_set("classy-2011", update=update)
               for column in group.columns}  # fmt: skip
    assert len(columns) == (19 if update else 13)
    of_task = [m for m in published_models().values() if (m.task == "B") == update]
    assert {column for model in of_task for column in model.columns} <= columns


def test_update_models_need_earlier_references():
    demo = load_demo()
    only_updates = replace(demo, summaries=tuple(s for s in demo.summaries if s.task == "B"))
    for name in NAMES:
        if "/B/all" in name:
            with pytest.raises(InputError, match="needs earlier references"):
                predict_summaries(published_model(name), only_updates)
