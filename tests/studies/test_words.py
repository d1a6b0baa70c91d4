"""Frequent words of the input in summaries, and how frequent what people share is (4.1)."""

from fractions import Fraction
from itertools import permutations
from statistics import mean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from pyramidion.collection import Collection, Document, Summary, Topic
from pyramidion.errors import InputError, NotFoundError, ShapeError
from pyramidion.studies._source import (
    ALL,
    MostFrequent,
    StudyPart,
    TopicTask,
    TopicWords,
    count_words_of,
    top_weights,
)
from pyramidion.studies._words import bracketed, frequent_shares, input_classes
from pyramidion.text.encoding import Reading
from studies.thesis import marked_summaries

PLAIN = Reading(stem=False, stop_words=False)


def place(documents, references, machines=(), topic="T1"):
    return TopicTask(
        "",
        topic,
        tuple(documents),
        tuple(Summary(topic, f"P{n}", text, kind="human") for n, text in enumerate(references)),
        tuple(Summary(topic, f"{n}", text) for n, text in enumerate(machines)),
    )


def counted(*places, reading=PLAIN):
    return [TopicWords.of(own, reading) for own in places]


# What the thesis prints


def test_marked_words_of_figures_4_2_and_4_3():
    """SUM-Avr lacks 5 of the 20 words (page 80), the people 9, 9, 7 and 8; the OCR marks one more.

    The input is made so that the word of rank r is the r-th most frequent one.
    """
    machine, *people = marked_summaries()
    words = {rank: f"w{rank}" for rank in range(1, 21)}
    document = " ".join(f"{words[rank]} " * (21 - rank) for rank in words)
    texts = [" ".join(words[rank] for rank in own) for own in (machine, *people)]
    topic = counted(place([document], texts[1:], texts[:1]))
    together, one, system = frequent_shares(topic, (20,))
    assert system.shares[0] == pytest.approx(15 / 20)
    assert [len(own) for own in people] == [11, 11, 13 + 1, 12 + 1]
    assert one.shares[0] == pytest.approx(mean([11, 11, 14, 13]) / 20)
    assert together.shares[0] == pytest.approx(17 / 20)


# The most frequent words


def test_words_are_bracketed_with_their_ranks():
    """Ice is there three times, snow and rain twice each: snow comes first."""
    document = "Ice, ice and snow. Rain, snow; rain and ice."
    texts = ["The ice's edge: Ice melts.", "Rain on Snow-white roads."]
    topic = counted(place([document], texts, ["Icy."]), reading=Reading(stem=True, stop_words=True))
    shares = {own.summarizer: own.by_rank for own in frequent_shares(topic, (2,), 4)}
    # No word has the fourth rank.
    assert shares["one person"] == pytest.approx((0.5, 0.5, 0.5, float("nan")), nan_ok=True)
    assert shares["0"] == pytest.approx((0, 0, 0, float("nan")), nan_ok=True)
    found = list(bracketed(topic[0], Reading(stem=True, stop_words=True), 2))
    assert [own.text for own in found] == [
        "The [ice's]1 edge: [Ice]1 melts.", "Rain on [Snow]2-white roads.", "Icy."
    ]  # fmt: skip
    assert [own.lacking for own in found] == [("snow",), ("ice",), ("ice", "snow")]


@given(st.lists(st.integers(0, 4), min_size=1, max_size=6), st.integers(1, 6))
def test_ties_are_shared_as_lots_would(counts, number):
    """The weight of a word is its chance to be among the first when ties are broken by lot."""
    there = [place for place, count in enumerate(counts) if count]
    chosen = [0] * len(counts)
    orders = list(permutations(there))
    for order in orders:
        # Sorting is stable, so that the order breaks the ties.
        for one in sorted(order, key=lambda place: -counts[place])[:number]:
            chosen[one] += 1
    expected = [float(Fraction(count, len(orders))) for count in chosen]
    assert top_weights(counts, number).tolist() == pytest.approx(expected)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=12), st.integers(1, 12))
def test_weights_add_up(counts, number):
    weights = top_weights(counts, number)
    assert weights.sum() == pytest.approx(min(number, np.count_nonzero(counts)))
    assert ((weights >= 0) & (weights <= 1)).all()


def test_people_together_one_at_a_time_and_machines():
    rows = frequent_shares(
        counted(
            place(["a a a a b b b c c d"], ["a b", "a c"], ["a b c d"]),
            place(["a a b"], ["b", "c"], ["c"], topic="T2"),
        ),
        (1, 2),
    )
    assert [(row.summarizer, row.kind, row.topics) for row in rows] == [
        ("people together", "human", 2),
        ("one person", "human", 2),
        ("0", "machine", 2),
    ]
    assert rows[0].shares == pytest.approx((0.5, 0.75))
    assert rows[1].shares == pytest.approx((0.5, mean([0.75, 0.25])))
    assert rows[2].shares == pytest.approx((0.5, 0.5))


@given(
    st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=30).map(" ".join),
    st.lists(
        st.lists(st.sampled_from("abcdefg"), max_size=9).map(" ".join), min_size=1, max_size=4
    ),
)
def test_together_is_at_least_the_mean_and_order_does_not_matter(document, texts):
    filled = [text or "x" for text in texts]
    rows = frequent_shares(counted(place([document], filled)), (5, 8, 12))
    again = frequent_shares(counted(place([document], filled[::-1])), (5, 8, 12))
    assert [row.shares for row in rows] == [pytest.approx(row.shares) for row in again]
    for together, one in zip(rows[0].shares, rows[1].shares, strict=True):
        assert 1 + 1e-9 >= together >= one - 1e-9 >= -1e-9


@pytest.mark.parametrize("tops", [(), (0,), (5, -1)])
def test_numbers_of_words_must_mean_something(tops):
    with pytest.raises(InputError, match=r"most frequent ones|at least 1"):
        MostFrequent(top=tops)


# Classes of the input's words

TEXTS = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=12).map(" ".join)


@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS, TEXTS), min_size=1, max_size=3))
def test_classes_are_those_of_a_plain_count(topics):
    places = [
        place([document], [first, second], [machine], topic=f"T{n}")
        for n, (document, first, second, machine) in enumerate(topics)
    ]
    found = input_classes(counted(*places))
    shares = []
    for row, (document, first, second, machine) in enumerate(topics):
        words = document.split()
        weight = {w: (w in first.split()) + (w in second.split()) for w in "abcdefgh"}
        for number in range(3):
            own = [word for word in set(words) if weight[word] == number]
            assert found.sizes[row, number] == len(own)
            assert found.totals[row, number] == sum(words.count(word) for word in own)
            lacking = [w for w in "abcdefgh" if number and weight[w] == number and w not in words]
            assert found.absent[row, number] == len(lacking)
        unsaid = {word for word in machine.split() if not weight[word]}
        shares.append(len(unsaid))
        if len(set(words)) > 2:
            expected = [words.count(word) for word in sorted(set(words))]
            weights = [weight[word] for word in sorted(set(words))]
            if len(set(expected)) > 1 and len(set(weights)) > 1:
                value = scipy_stats.spearmanr(expected, weights).statistic
                assert found.correlations[row].value == pytest.approx(value)
    assert found.machines[0].own == pytest.approx(mean(shares))


def test_means_over_topics_leave_empty_classes_out():
    found = input_classes(counted(
        place(["a a a b"], ["a"], ["b"]),
        place(["c c"], ["d"], ["c"], topic="T2"),
    ))  # fmt: skip
    assert found.mean_sizes.tolist() == [1.0, 0.5]
    assert found.mean_frequencies.tolist() == [1.5, 3.0]
    assert found.pooled_frequencies.tolist() == [1.5, 3.0]
    [machine] = found.machines
    assert machine.shares == (1.0, 0.0)
    assert machine.own == 1.0


def test_a_machine_gets_nothing_for_words_that_the_input_lacks():
    """One reference has a, b and x each; x is in the machine's summary, but in no document."""
    found = input_classes(counted(place(["a a b"], ["a x", "b"], ["a x y"])))
    assert found.sizes.tolist() == [[0, 2, 0]]
    assert found.absent.tolist() == [[0, 1, 0]]
    [machine] = found.machines
    assert machine.shares[1] == 0.5
    assert np.isnan([machine.shares[0], machine.shares[2]]).all()
    assert machine.own == 1.0


def test_classes_need_as_many_references():
    with pytest.raises(ShapeError, match="topics with 1, 2 references"):
        input_classes(counted(place(["a"], ["a"]), place(["a"], ["a", "b"])))
    with pytest.raises(InputError, match="there is no topic"):
        input_classes([])


# Gathering


def collection(**options):
    topics = (
        Topic("T1", documents=(Document("d", "Ice melts."), Document("e", " "))),
        Topic("T2", documents=(Document("d", "Snow."),)),
        Topic("T3"),
    )
    summaries = (
        Summary("T1", "A", "Ice.", kind="human"),
        Summary("T1", "7", "Melts."),
        Summary("T1", "8", "  "),
        Summary("T2", "7", "Snow."),
        Summary("T3", "A", "Rain.", kind="human"),
    )
    return Collection("c", **{"topics": topics, "summaries": summaries, **options})


def test_places_have_documents_and_people():
    [one], left_out = ALL.places(collection())
    assert one.documents == ("Ice melts.",)
    assert [summary.system for summary in one.machines] == ["7"]
    assert left_out == ["T2: it has no summary by a person", "T3: it has no documents"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"topics": ()}, "no topic of c has documents; .*topics.jsonl"),
        ({"summaries": ()}, "there are no summaries in c"),
        ({"summaries": (Summary("T2", "7", "Snow."),)}, "T2: it has no summary by a person"),
    ],
)
def test_nothing_to_study_is_said(options, message):
    with pytest.raises(InputError, match=message):
        ALL.places(collection(**options))


def test_unknown_topics_and_tasks_are_refused():
    with pytest.raises(NotFoundError, match="there is no topic 'T9'; there are: T1, T2, T3"):
        StudyPart(topic=("T9",)).places(collection())
    with pytest.raises(NotFoundError, match="there is no task 'B'"):
        StudyPart(task=("B",)).places(collection())


def test_inputs_without_words_are_left_out():
    wordless, worded = place(["It is."], ["Ice"]), place(["Ice."], ["Ice"], topic="T2")
    found, left_out = count_words_of([wordless, worded], Reading(stop_words=True))
    assert len(found) == 1
    assert left_out == ["T1: the input has no word that counts"]
