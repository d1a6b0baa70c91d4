"""The embedded collection is what it says, and the tour shows it."""

import itertools
import re
import shutil
from collections import Counter

import pytest

from pyramidion.collection import TAC_CATEGORIES, Collection, find_problems
from pyramidion.demo import load_demo, tour
from pyramidion.errors import InputError
from pyramidion.metrics import score_collection
from pyramidion.metrics.registry import resolve_metrics
from pyramidion.text import count_words, split_sentences


@pytest.fixture(scope="module")
def demo() -> Collection:
    return load_demo()


@pytest.fixture(scope="module")
def toured(tmp_path_factory):
    """The folder of a tour, and its answer."""
    folder = tmp_path_factory.mktemp("demo") / "tour"
    return folder, tour(folder=folder)


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


def test_the_tour_writes_files_that_read_back(demo, toured):
    folder, answer = toured
    assert Collection.load(folder / "collection") == demo
    for name in ("summaries.jsonl", "scores.csv", "duc", "rouge/rouge.xml", "pyramids"):
        again = Collection.load(folder / name)
        assert again.summaries or len(again.scores)
    assert len(answer.tables) >= 15
    machines = Collection.load(folder / "machines")
    assert machines.pyramids == demo.pyramids
    assert {s.kind for s in machines.summaries if s not in demo.summaries} == {"machine"}
    shown = {table.title: table for table in answer.tables}
    metrics = shown["Other metrics of the references of P01, task A"]
    references = demo.references("P01", "A")
    assert metrics.columns[2:] == tuple(summary.system for summary in references)
    lengths = next(row[2:] for row in metrics.rows if row[0] == "sentence-length")
    result = score_collection(demo, resolve_metrics(["sentence-length"]))
    values = {s.key: value for s, [value] in zip(result.summaries, result.values, strict=True)}
    assert list(lengths) == [values[summary.key] for summary in references]
    assert {row[1] for row in metrics.rows} == {"more", "less"}
    ranked = shown["Ranking of the methods by rouge-2-r ↑, task A: permutation"]
    assert {"sum-avr", "lexrank", "coverage"} <= {row[1] for row in ranked.rows}


def test_the_tour_shows_sentences_words_units_and_judgments_of_its_first_topic(demo, toured):
    """Read off the collection's own files."""
    tables = toured[1].tables
    shown = {table.title: table for table in tables}
    sentences = shown["Sentences of HNS20310412.0031"]
    begins = "A passenger ferry carrying about 400 people caught fire in the Ardel Strait early"
    (_, _, written), (_, _, clean) = sentences.rows
    assert [row[:2] for row in sentences.rows] == [(1, "as written"), (1, "without boilerplate")]
    assert written == f"PORT LISLE, April 12 (HNS) - {clean}"
    assert clean.startswith(begins)
    first = "The ferry Maren Star caught fire in the Ardel Strait, nine miles west of Port Lisle, "
    words = shown["Words of A's summary of P01, task A"]
    assert words.rows[0] == ("text", f"{first}early on April 12, 2031.")
    units = shown["Pyramid of P01, task A: content units by how many references express them"].rows
    assert [(weight, number) for weight, number, _ in units] == [(4, 7), (3, 5), (2, 7), (1, 11)]
    assert {labels.count("; ") for _, _, labels in units} == {2}, "three of each tier"
    judged = shown["Responsiveness of the references, task A (mean of two assessors)"]
    assert judged.shown_cell(judged.rows[0][1]) == "4.50"
    rouge = shown["ROUGE of each person against the others, stemmed, tasks A and B"]
    assert [row[0] for row in rouge.rows] == [*"ABCDEFGH"]
    titles = list(shown)
    compared = titles.index("Significant differences between systems")
    assert titles[compared + 1].startswith("Ranking by responsiveness")
    assert titles[compared + 2] == "Summary of P01, task A, by sum-avr"


@pytest.mark.long
def test_the_tour_replaces_only_its_own_folder(toured, tmp_path):
    shutil.copytree(toured[0], tmp_path / "tour")
    (tmp_path / "tour" / "scores.csv").write_text("old")
    tour(folder=tmp_path / "tour")
    assert (tmp_path / "tour" / "scores.csv").read_text() != "old"
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.txt").write_text("precious")
    with pytest.raises(InputError, match="not from an earlier tour"):
        tour(folder=mine)
    assert [path.name for path in tmp_path.rglob("thesis.txt")] == ["thesis.txt"]
    assert {path.name for path in tmp_path.iterdir()} == {"tour", "mine"}
