"""The embedded collection and the evaluation on it are what they say."""

import csv
import itertools
import re
import shutil
from collections import Counter

import pytest

from pyramidion.checks import find_problems
from pyramidion.collection import TAC_CATEGORIES, Collection
from pyramidion.demo import load_demo, load_evaluation, tour
from pyramidion.errors import InputError
from pyramidion.text import count_words, split_sentences


@pytest.fixture(scope="module")
def demo() -> Collection:
    return load_demo()


@pytest.fixture(scope="module")
def evaluation() -> Collection:
    return load_evaluation()


def test_it_has_a_topic_for_each_category_and_one_about_a_person(demo):
    assert sorted(topic.category for topic in demo.topics) == ["", "1", "2", "3", "4", "5"]


def test_nothing_is_wrong_with_it(demo):
    assert find_problems(demo) == []
    assert demo.left_out == ()


def test_articles(demo):
    for topic in demo.topics:
        assert len(topic.documents_of("base")) == len(topic.documents_of("update")) == 4
        assert len({document.source for document in topic.documents}) >= 4
        for document in topic.documents:
            assert 100 <= count_words(document.text) <= 160, document.id
        dates = [document.date for document in topic.documents]
        assert dates == sorted(dates)


def test_references(demo):
    for topic, task in itertools.product(demo.topics, "AB"):
        references = demo.references(topic.id, task)
        assert len(references) == 4
        assert all(reference.words <= 100 for reference in references)
        assert len({reference.plain for reference in references}) == 4


def test_pyramids_quote_the_references(demo):
    for (task, topic), pyramid in demo.pyramids.items():
        texts = {s.system: s.plain for s in demo.references(topic, task)}
        names = {reference.name.rpartition(".")[2] for reference in pyramid.references}
        assert names == set(texts)
        for scu in pyramid.scus:
            for contributor in scu.contributors:
                writer = pyramid.reference_of(contributor).rpartition(".")[2]
                for part in contributor.parts:
                    assert pyramid.text[part.start : part.end] == part.label
                    assert part.label in texts[writer]


def test_pyramids_are_pyramids(demo):
    assert len(demo.pyramids) == 12
    for pyramid in demo.pyramids.values():
        sizes = {weight: len(scus) for weight, scus in pyramid.tiers().items()}
        assert set(sizes) == {1, 2, 3, 4}
        assert sizes[1] > sizes[4] >= 5


def test_aspects_belong_to_the_topics_category(demo):
    aspects = {c.id: {aspect.id for aspect in c.aspects} for c in TAC_CATEGORIES}
    annotated = [summary for summary in demo.summaries if summary.aspects]
    assert len(annotated) == 20
    for summary in annotated:
        category = demo.topic(summary.topic).category
        assert {span.aspect for span in summary.aspects} <= aspects[category]


def test_relative_utility_counts_the_sentences(demo):
    rows = demo.scores.select(measure="relative-utility")
    units = Counter(unit.rpartition("/")[0] for unit in set(rows.columns["unit"]))
    for document in demo.topic("P01").documents_of("base"):
        assert units[document.id] == len(split_sentences(document.text))


def test_datelines_can_be_taken_off_every_article(demo):
    for document in (d for topic in demo.topics for d in topic.documents):
        first = split_sentences(document.text, boilerplate="strip")[0]
        assert not re.match(r"[A-Z .,]{5,}[(/-]|By [A-Z]", first), first


def test_it_says_that_it_measures_nobody(demo):
    assert "measures anybody" in demo.notice
    assert "invented" in demo.notice


def test_twelve_machines_wrote_for_every_topic_and_task(demo, evaluation):
    machines = [summary for summary in evaluation.summaries if summary.kind == "machine"]
    assert len({summary.system for summary in machines}) == 12
    assert len({summary.key for summary in machines}) == 12 * len(demo.topics) * 2
    assert all(summary.words <= 100 for summary in machines)
    texts = {summary.key: summary.plain for summary in machines}
    same = [
        a == b for a, b in zip(*(_of(texts, name) for name in ("Dogwood", "Kapok")), strict=True)
    ]
    assert all(same), "two identical runs"
    assert all(text[-1] not in '."' for text in _of(texts, "Iris")), "a run that was cut off"


def _of(texts, system):
    return [text for key, text in sorted(texts.items()) if key[2] == system]


def test_three_assessors_and_a_model_judged_everything(evaluation):
    rows = evaluation.scores.select(measure="responsiveness")
    judged = Counter(rows.columns["assessor"])
    assert judged == dict.fromkeys(("Nora", "Otto", "Quinn", "minerva"), len(evaluation.summaries))
    assert set(evaluation.scores.select(assessor="minerva").columns["assessor_kind"]) == {"model"}


def test_annotated_peers_quote_the_summaries(evaluation):
    texts = {summary.key: summary.plain for summary in evaluation.summaries}
    assert {key[:3] for key in evaluation.peer_annotations} == {
        s.key for s in evaluation.summaries if s.kind == "machine"
    }
    for key, peer in evaluation.peer_annotations.items():
        assert peer.text == texts[key[:3]]
        parts = (part for scu in peer.scus for c in scu.contributors for part in c.parts)
        assert all(peer.text[part.start : part.end] == part.label for part in parts)


@pytest.fixture(scope="module")
def toured(tmp_path_factory):
    return tour(folder=tmp_path_factory.mktemp("demo") / "tour").folder


def test_the_files_of_the_tour_read_back(demo, evaluation, toured):
    folder = toured
    assert Collection.load(folder / "collection") == demo
    with pytest.warns(match="identical systems|truncated texts|agrees with nobody"):
        assert Collection.load(folder / "evaluation") == evaluation
    for name in ("summaries.jsonl", "scores.csv", "duc", "rouge/rouge.xml", "pyramids"):
        again = Collection.load(folder / name)
        assert again.summaries or len(again.scores)
    with pytest.warns(match="systems with identical scores"):
        years = Collection.load(folder / "years.csv").scores
    assert set(years.columns["collection"]) == {"2031", "2032"}
    assert len(set(years.select(assessor="Nora").columns["topic"])) == 40
    with (folder / "judged.csv").open(encoding="utf-8", newline="") as file:
        judged = [(row["team"], row["rater"]) for row in csv.DictReader(file)]
    machines = {s.key: s.system for s in evaluation.summaries if s.kind == "machine"}
    people = {"Nora", "Otto", "Quinn"}
    assert Counter(judged) == Counter(itertools.product(machines.values(), people))
    with pytest.warns(match="read as --columns topic=topic,"):
        assert len(Collection.load(folder / "answers.csv").scores)


def test_the_tour_replaces_only_its_own_folder(toured, tmp_path):
    shutil.copytree(toured, tmp_path / "tour")
    (tmp_path / "tour" / "scores.csv").write_text("old")
    tour(folder=tmp_path / "tour")
    assert (tmp_path / "tour" / "scores.csv").read_text() != "old"
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.txt").write_text("precious")
    (mine / "README.txt").write_text("What is in my thesis.")
    with pytest.raises(InputError, match="not from an earlier tour"):
        tour(folder=mine)
    assert [path.name for path in tmp_path.rglob("thesis.txt")] == ["thesis.txt"]
    with pytest.raises(InputError, match="this is a file"):
        tour(folder=mine / "thesis.txt")
    assert {path.name for path in tmp_path.iterdir()} == {"tour", "mine"}
