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
from pyramidion.errors import InputError, NotFoundError
from pyramidion.studies import frequent_words, likelihood, word_classes
from studies.thesis import marked_summaries

PLAIN = {"stem": False, "all_words": True}


def texts(document, references, machines=()):
    """Return the texts of a topic: people are P0, P1, ..., machines 0, 1, ..."""
    people = {f"P{n}": (text, "human") for n, text in enumerate(references)}
    return document, people | {f"{n}": (text, "machine") for n, text in enumerate(machines)}


def collection(*topics):
    """Make a collection of topics T1, T2, ... from their `texts`."""
    ids = [f"T{n}" for n in range(1, len(topics) + 1)]
    summaries = [
        Summary(id, name, text, kind=kind)
        for id, (_, by_name) in zip(ids, topics, strict=True)
        for name, (text, kind) in by_name.items()
    ]
    documents = [(Document("d", document),) for document, _ in topics]
    return Collection(
        "c",
        topics=tuple(Topic(id, documents=d) for id, d in zip(ids, documents, strict=True)),
        summaries=tuple(summaries),
    )


def shares_of(*topics, top, **options):
    result = frequent_words(collection(*topics), top=top, **PLAIN, **options)
    return {row.summarizer: row for row in result}


# What the thesis prints


def test_marked_words_of_figures_4_2_and_4_3():
    """SUM-Avr lacks 5 of the 20 words (page 80), the people 9, 9, 7 and 8; the OCR marks one more.

    The input is made so that the word of rank r is the r-th most frequent one.
    """
    machine, *people = marked_summaries()
    words = {rank: f"w{rank}" for rank in range(1, 21)}
    document = " ".join(f"{words[rank]} " * (21 - rank) for rank in words)
    marked = [" ".join(words[rank] for rank in ranks) for ranks in (machine, *people)]
    rows = shares_of(texts(document, marked[1:], marked[:1]), top=20)
    assert rows["0"].shares[0] == pytest.approx(15 / 20)
    assert [len(ranks) for ranks in people] == [11, 11, 13 + 1, 12 + 1]
    assert rows["one person"].shares[0] == pytest.approx(mean([11, 11, 14, 13]) / 20)
    assert rows["people together"].shares[0] == pytest.approx(17 / 20)


# The most frequent words


def test_words_are_bracketed_with_their_ranks():
    """Ice occurs three times, snow and rain twice each: snow comes first."""
    document = "Ice, ice and snow. Rain, snow; rain and ice."
    people = ["The ice's edge: Ice melts.", "Rain on Snow-white roads."]
    mine = collection(texts(document, people, ["Icy."]))
    _, person, machine, *summaries = frequent_words(mine, top=2, brackets=4)
    # No word has the fourth rank.
    assert person.by_rank == pytest.approx((0.5, 0.5, 0.5, float("nan")), nan_ok=True)
    assert machine.by_rank == pytest.approx((0, 0, 0, float("nan")), nan_ok=True)
    assert len(summaries) == 3
    summaries = list(frequent_words(mine, top=2, brackets=2))[3:]
    assert [summary.text for summary in summaries] == [
        "The [ice's]1 edge: [Ice]1 melts.", "Rain on [Snow]2-white roads.", "Icy."
    ]  # fmt: skip
    assert [summary.lacking for summary in summaries] == [("snow",), ("ice",), ("ice", "snow")]
    assert [(summary.topic, summary.summarizer) for summary in summaries[1:]] == [
        ("T1", "P1"),
        ("T1", "0"),
    ]


@given(st.lists(st.integers(0, 4), min_size=1, max_size=6).filter(any), st.integers(1, 6))
def test_ties_are_shared_as_lots_would(counts, number):
    """The weight of a word is its chance to be among the first when ties are broken by lot."""
    words = [f"w{index}" for index in range(len(counts))]
    occurring = [index for index, count in enumerate(counts) if count]
    chosen = [0] * len(counts)
    orders = list(permutations(occurring))
    for order in orders:
        # Sorting is stable, so that the order breaks the ties.
        for index in sorted(order, key=lambda index: -counts[index])[:number]:
            chosen[index] += 1
    document = " ".join(f"{word} " * count for word, count in zip(words, counts, strict=True))
    rows = shares_of(texts(document, ["x"], words), top=number)
    size = min(number, len(occurring))
    for index, count in enumerate(chosen):
        weight = float(Fraction(count, len(orders)))
        assert rows[str(index)].shares[0] == pytest.approx(weight / size)


def test_people_together_one_at_a_time_and_machines():
    rows = shares_of(
        texts("a a a a b b b c c d", ["a b", "a c"], ["a b c d"]),
        texts("a a b", ["b", "c"], ["c"]),
        top=(1, 2),
    )
    assert [(row.summarizer, row.kind, row.topics) for row in rows.values()] == [
        ("people together", "human", 2),
        ("one person", "human", 2),
        ("0", "machine", 2),
    ]
    assert rows["people together"].shares == pytest.approx((0.5, 0.75))
    assert rows["one person"].shares == pytest.approx((0.5, mean([0.75, 0.25])))
    assert rows["0"].shares == pytest.approx((0.5, 0.5))


@given(
    st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=30).map(" ".join),
    st.lists(
        st.lists(st.sampled_from("abcdefg"), max_size=9).map(" ".join), min_size=1, max_size=4
    ),
)
def test_together_is_at_least_the_mean_and_order_does_not_matter(document, references):
    filled = [text or "x" for text in references]
    rows = shares_of(texts(document, filled), top=(5, 8, 12))
    again = shares_of(texts(document, filled[::-1]), top=(5, 8, 12))
    for name, row in rows.items():
        assert row.shares == pytest.approx(again[name].shares)
    together, singly = rows["people together"].shares, rows["one person"].shares
    for share, single in zip(together, singly, strict=True):
        assert 1 + 1e-9 >= share >= single - 1e-9 >= -1e-9


@pytest.mark.parametrize("tops", [(), (0,), (5, -1)])
def test_numbers_of_words_must_be_positive(tops):
    with pytest.raises(InputError, match=r"most frequent items|at least 1"):
        shares_of(texts("a", ["a"]), top=tops)


def test_inputs_with_few_words_are_reported():
    result = frequent_words(collection(texts("a b", ["a"])), top=(2, 3), **PLAIN)
    assert "1 topic with fewer than 3 words: all are taken" in result.left_out
    assert result[0].shares == (0.5, 0.5)
    enough = frequent_words(collection(texts("a b c", ["a"])), top=3, **PLAIN)
    assert enough.left_out == ()


# Classes of the input's words

TEXTS = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=12).map(" ".join)


def classes_of(*topics):
    [classes] = word_classes(collection(*topics), **PLAIN)
    return classes


@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS, TEXTS), min_size=1, max_size=3))
def test_classes_are_those_of_a_plain_count(topics):
    classes = classes_of(*(texts(document, people, [peer]) for document, *people, peer in topics))
    unshared = []
    for row, (document, first, second, machine) in enumerate(topics):
        words = document.split()
        weight = {w: (w in first.split()) + (w in second.split()) for w in "abcdefgh"}
        for number in range(3):
            members = [word for word in set(words) if weight[word] == number]
            assert classes.sizes[row, number] == len(members)
            assert classes.totals[row, number] == sum(words.count(word) for word in members)
            lacking = [w for w in "abcdefgh" if number and weight[w] == number and w not in words]
            assert classes.absent[row, number] == len(lacking)
        unshared.append(len({word for word in machine.split() if not weight[word]}))
        if len(set(words)) > 2:
            counts = [words.count(word) for word in sorted(set(words))]
            weights = [weight[word] for word in sorted(set(words))]
            if len(set(counts)) > 1 and len(set(weights)) > 1:
                value = scipy_stats.spearmanr(counts, weights).statistic
                assert classes.correlations[row].value == pytest.approx(value)
    assert classes.machines[0].unshared == pytest.approx(mean(unshared))


def test_means_over_topics_leave_empty_classes_out():
    classes = classes_of(texts("a a a b", ["a"], ["b"]), texts("c c", ["d"], ["c"]))
    assert classes.mean_sizes.tolist() == [1.0, 0.5]
    assert classes.mean_frequencies.tolist() == [1.5, 3.0]
    assert classes.pooled_frequencies.tolist() == [1.5, 3.0]
    [machine] = classes.machines
    assert machine.shares == (1.0, 0.0)
    assert machine.unshared == 1.0


def test_a_machine_gets_nothing_for_words_that_the_input_lacks():
    """One reference has a, b and x each; x is in the machine's summary, but in no document."""
    classes = classes_of(texts("a a b", ["a x", "b"], ["a x y"]))
    assert classes.sizes.tolist() == [[0, 2, 0]]
    assert classes.absent.tolist() == [[0, 1, 0]]
    [machine] = classes.machines
    assert machine.shares[1] == 0.5
    assert np.isnan([machine.shares[0], machine.shares[2]]).all()
    assert machine.unshared == 1.0


def test_topics_with_another_number_of_references_are_left_out():
    """As many topics have one reference as two: those with more references are used."""
    result = word_classes(collection(texts("a", ["a"]), texts("a b", ["a", "b"])), **PLAIN)
    assert result[0].references == 2
    assert "T1: 1 reference, most topics have 2" in result.left_out


# Topics


def incomplete(**options):
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


def test_topics_need_documents_and_people():
    result = likelihood(incomplete())
    assert [(row.summarizer, row.topics) for row in result] == [("7", 1), ("A", 1)]
    assert result.left_out[:2] == (
        "T2: it has no summary by a person",
        "T3: it has no documents",
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"topics": ()}, "no topic of c has documents; .*topics.jsonl"),
        ({"summaries": ()}, "there are no summaries in c"),
        ({"summaries": (Summary("T2", "7", "Snow."),)}, "T2: it has no summary by a person"),
    ],
)
def test_missing_data_is_an_error(options, message):
    with pytest.raises(InputError, match=message):
        frequent_words(incomplete(**options))


def test_unknown_topics_and_tasks_are_errors():
    with pytest.raises(NotFoundError, match="there is no topic 'T9'; available: T1, T2, T3"):
        frequent_words(incomplete(), topic="T9")
    with pytest.raises(NotFoundError, match="there is no task 'B'"):
        frequent_words(incomplete(), task="B")


def test_inputs_without_words_are_left_out():
    result = frequent_words(collection(texts("It is.", ["Ice"]), texts("Ice.", ["Ice"])))
    assert result[0].topics == 1
    assert "T1: the input has no word that counts" in result.left_out
    with pytest.raises(InputError, match="no input has a word that counts"):
        frequent_words(collection(texts("It is.", ["Ice"])))


def test_the_figure_of_ranks_has_a_line_for_each_kind_of_summarizer():
    document = "apple apple apple apple berry berry berry cherry cherry date"
    result = frequent_words(
        collection(texts(document, ["apple berry", "apple date"], ["cherry date"])), brackets=3
    )
    (figure,) = (chart.draw() for chart in result.charts if chart.kind == "ranks")
    lines = figure.axes[0].lines
    assert {line.get_label(): line.get_ydata().tolist() for line in lines} == {
        "people together": [100, 100, 0], "one person": [100, 50, 0], "0": [0, 0, 100],
    }  # fmt: skip
    assert len({line.get_color() for line in lines}) == 3
