"""Methods that solve or approximate a covering problem: coverage, the oracle, KL-sum."""

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from pyramidion import Rouge
from pyramidion.demo import load_demo
from pyramidion.errors import InputError
from pyramidion.summarizers import Limit, Source, _coverage, parse_summarizer
from pyramidion.summarizers._coverage import (
    Cover,
    best_cover,
    exchange_cover,
    greedy_cover,
    ngrams_of,
    occams_cover,
)
from pyramidion.text import count_words, words
from summarizers import plain
from summarizers.inputs import SENTENCES, UNIQUE_TEXTS, source_of

TABLES = st.integers(1, 6).flatmap(
    lambda units: st.lists(
        st.lists(st.integers(0, 2), min_size=units, max_size=units), min_size=1, max_size=6
    )
)


#: Khuller, Moss and Naor (1999): greedy or the best single sentence, whichever covers more.
GUARANTEED = 1 - 1 / math.sqrt(math.e)


@given(TABLES, st.data())
def test_the_best_cover_against_all_sets(table, data):
    units = len(table[0])
    steps = st.lists(st.integers(0, 5), min_size=3, max_size=3).map(lambda w: sorted(w)[::-1])
    weights = np.array(data.draw(st.lists(steps, min_size=units, max_size=units)), float).T
    lengths = data.draw(st.lists(st.integers(1, 9), min_size=len(table), max_size=len(table)))
    limit = data.draw(st.integers(1, 25))
    counted = [Counter(dict(enumerate(row))) for row in table]
    columns = [list(weights[:, unit]) for unit in range(units)]
    observed = best_cover(csr_array(np.array(table, float)), weights, np.array(lengths), limit)
    assert observed.value == pytest.approx(plain.best_subset(counted, columns, lengths, limit))
    assert sum(lengths[number] for number in observed.numbers) <= limit
    assert observed.gap == 0
    assert list(observed.gains) == sorted(observed.gains, reverse=True)
    for find, share in (
        (greedy_cover, 0.0),
        (exchange_cover, GUARANTEED),
        (occams_cover, GUARANTEED),
    ):
        other = find(csr_array(np.array(table, float)), weights, np.array(lengths), limit)
        assert share * observed.value - 1e-9 <= other.value <= observed.value + 1e-9
        assert sum(lengths[number] for number in other.numbers) <= limit
        assert len(set(other.numbers)) == len(other.numbers)


def test_what_a_solver_prints_is_not_a_part_of_the_answer(capfd, monkeypatch):
    """HiGHS 1.12 prints a line by itself, which was found before JSON on the ECB+ topics."""
    import ctypes

    from scipy import optimize

    whole = optimize.milp

    def noisy(*given, **options):
        ctypes.CDLL(None).puts(b"noise")
        return whole(*given, **options)

    monkeypatch.setattr(optimize, "milp", noisy)
    print("before")
    table = csr_array(np.eye(3))
    assert best_cover(table, np.array([1.0, 2.0, 3.0]), np.array([2, 2, 2]), 4).value == 5
    print("after")
    assert capfd.readouterr().out == "before\nafter\n"


def test_too_few_nodes_give_a_cover_and_it_is_reported(monkeypatch):
    nothing = np.zeros(0, dtype=np.int64)
    monkeypatch.setattr(_coverage, "_solve_program", lambda *given: (nothing, np.inf))
    source = source_of("Rain fell on Ardel. Goats sold.", "Rain fell on Ardel. Goats sold well.")
    choice = parse_summarizer("coverage(nodes=2)").choose(source, Limit(6))
    assert choice.numbers
    note = "the search reached its limit (`nodes`): another extract may cover {}more"
    assert choice.notes == (note.format(""),)
    # Three bigrams of two documents and one more are worth 8, the first three alone 6.
    for numbers, gap, most in (([0, 2], 0.25, "25.0%"), ([0], 0.5, "12.5%")):
        monkeypatch.setattr(_coverage, "_solve_program", lambda *given, own=(numbers, gap): own)
        choice = parse_summarizer("coverage").choose(source, Limit(6))
        assert sum(choice.scores) == 8
        assert choice.notes == (note.format(f"up to {most} "),)


def test_a_program_that_is_too_large_is_not_begun(monkeypatch):
    monkeypatch.setattr(_coverage, "_MAX_EXACT_ENTRIES", 3)
    monkeypatch.setattr(_coverage, "_solve_program", None)
    source = source_of("Rain fell on Ardel. Goats sold.", "Rain fell on Ardel. Goats sold well.")
    choice = parse_summarizer("coverage").choose(source, Limit(6))
    assert choice.notes == (
        "the input is too large for an exact search: sentences were exchanged instead",
    )
    weights = np.array([2.0, 1.0, 2.0])
    units = csr_array(np.array([[1, 1, 0], [0, 1, 1], [1, 1, 1]]))
    observed = best_cover(units, weights, np.array([2, 2, 3]), 4)
    assert observed.too_large
    assert observed.numbers == exchange_cover(units, weights, np.array([2, 2, 3]), 4).numbers


def test_a_meaningless_gap_is_not_reported(monkeypatch):
    monkeypatch.setattr(_coverage, "_solve_program", lambda *given: (np.array([0, 1]), 270.0))
    source = source_of("Rain fell on Ardel. Goats sold.", "Rain fell on Ardel. Goats sold well.")
    [note] = parse_summarizer("coverage").choose(source, Limit(6)).notes
    assert note.endswith(": another extract may cover more")


def bigrams(text):
    own = words(text, stem=True)
    return Counter(pairwise(own))


@given(st.lists(SENTENCES, min_size=2, max_size=6, unique=True), st.integers(1, 25))
def test_coverage_against_all_sets(texts, limit):
    source = source_of(*texts, *texts[:2])
    documents = [*texts, *texts[:2]]
    held = Counter(pair for text in documents for pair in bigrams(text))
    content = {w for text in texts for w in words(text, stem=True, stop_words=True)}
    held = {pair: number for pair, number in held.items() if content & {*pair}}
    least = min(2, max(held.values(), default=0))
    weights = {
        pair: [float(held.get(pair, 0))] if held.get(pair, 0) >= least else [0.0]
        for text in texts
        for pair in bigrams(text)
    }
    lengths = [count_words(text) for text in documents]
    best = plain.best_subset([bigrams(text) for text in documents], weights, lengths, limit)
    choice = parse_summarizer("coverage").choose(source, Limit(limit))
    assert sum(choice.scores) == pytest.approx(best)
    assert int(source.lengths[list(choice.numbers)].sum()) <= limit


def test_concepts_by_hand():
    source = source_of(
        "Heavy rain fell on the roads.", "Rain fell on us. On the roads of the town."
    )
    method = parse_summarizer("coverage")
    assert dict(method.weights(source)) == {"rain fall": 2.0, "fall on": 2.0, "the road": 2.0}
    assert dict(method.weights_after(source, [1])) == {"the road": 2.0}
    lone = source_of("Rain fell on Ardel.")
    assert dict(method.weights(lone)) == {"rain fall": 1.0, "fall on": 1.0, "on ardel": 1.0}


def test_concepts_of_a_query_and_of_an_update():
    texts = ("Rain fell on Ardel.", "Rain fell on Ardel.", "Goats sold.")
    with_query = dict(
        parse_summarizer("coverage(query=0.5)").weights(source_of(*texts, query="Goats!"))
    )
    assert with_query["goat sell"] == pytest.approx(0.25)
    assert with_query["rain fall"] == pytest.approx(0.5)
    # Two documents and mentioned once: 2/3 are kept, and of its sentence of three 8/9.
    update = source_of(*texts, known=["Rain fell then."])
    less = dict(parse_summarizer("coverage").weights(update))
    expected = (2 * 2 / 3 * 8 / 9, 2 * 8 / 9)
    assert (less["rain fall"], less["on ardel"]) == pytest.approx(expected)
    same = dict(parse_summarizer("coverage(known=0)").weights(update))
    assert same["rain fall"] == same["on ardel"] == 2.0


def test_documents_that_say_it_early_count_more():
    texts = ("Rain fell. Goats sold.", "Goats sold. Rain fell.", "Mud came. Mud came. Rain fell.")
    weights = dict(parse_summarizer("coverage(position=2)").weights(source_of(*texts)))
    # Three documents have it at the places 0, 1 and 2; two have goats at 1 and 0.
    assert weights == {"rain fall": 3 + 2 * 1.75, "goat sell": 2 + 2 * 1.5}


def test_places_are_counted_among_what_is_new():
    texts = ["Rain fell. Goats sold. Mud came."] * 2
    update = source_of(*texts, known=["Rain fell."])
    weights = dict(parse_summarizer("coverage(position=2)").weights(update))
    # Rain keeps 2/3, and its sentence is 2/3 new: so goats are not a whole place behind it.
    goats, mud = 2 + 2 * 2 * 0.5 ** (2 / 3), 2 + 2 * 2 * 0.5 ** (5 / 3)
    expected = {"rain fall": (2 + 2 * 2) * 4 / 9, "goat sell": goats, "mud come": mud}
    assert weights == pytest.approx(expected)


def test_where_sentences_are_cut_off_long_ones_compete_with_what_is_left_of_them():
    long = "Rain fell on Ardel and on Lisle and on the harbor."
    source = source_of(f"{long} Goats were sold.", f"{long} Goats were sold.")
    method = parse_summarizer("coverage(search=exchange)")
    assert method.summarize(source, Limit(5, "truncate")).text == "Rain fell on Ardel and"
    assert method.summarize(source, Limit(5)).text == "Goats were sold."


def test_occams_packs_what_greed_leaves_out():
    # For their length the first is best, and then nothing fits; two others together cover more.
    units = csr_array(np.eye(3))
    lengths, weights = np.array([6, 5, 5]), np.array([7.0, 5.5, 5.5])
    assert greedy_cover(units, weights, lengths, 10).numbers == (0,)
    assert sorted(occams_cover(units, weights, lengths, 10).numbers) == [1, 2]


def test_room_that_is_left_is_filled_with_what_is_new():
    source = source_of("Rain fell on Ardel.", "Rain fell on Ardel.", "Goats were sold there.")
    assert parse_summarizer("coverage").choose(source, Limit(8)).scores == (6.0, 0.0)
    assert len(parse_summarizer("coverage").choose(source, Limit(8, "stop")).numbers) == 1


def test_what_is_known_gives_way_to_what_is_new_but_keeps_a_weight():
    texts = ("Rain fell on Ardel.", "Rain fell on Ardel.", "Sold were goats.", "Sold were goats.")
    rain, goats = "Rain fell on Ardel.", "Sold were goats."
    method = parse_summarizer("coverage")
    assert method.summarize(source_of(*texts), Limit(4)).text == rain
    assert method.summarize(source_of(*texts, known=[rain] * 5), Limit(4)).text == goats
    # What new documents earn by saying it again is not lost.
    reported = source_of(*texts[:2], goats, known=[rain] * 5)
    assert method.summarize(reported, Limit(4)).text == rain


def test_n_grams_do_not_cross_sentences():
    source = source_of("Rain fell. Goats fell.", references=["Rain fell goats.\nFell."])
    grams = ngrams_of(source, 2, references=True)
    labels = [grams.label(k) for k in range(len(grams.spread))]
    assert labels == ["rain fall", "goat fall", "fall goat"]
    assert grams.references.tolist() == [[1, 0, 1]]
    assert grams.spread.tolist() == [1, 1, 0]
    trigrams = ngrams_of(source_of("A b c d. A b c."), 3)
    assert [trigrams.label(k) for k in range(2)] == ["a b c", "b c d"]
    assert trigrams.table.toarray().tolist() == [[1, 1], [1, 0]]


@given(UNIQUE_TEXTS, st.lists(SENTENCES, min_size=1, max_size=3), st.integers(1, 20))
def test_the_oracle_against_all_sets(texts, references, limit):
    wanted = [bigrams(text) for text in references]
    held = {pair for own in wanted for pair in own}
    steps = {
        pair: [float(sum(own[pair] >= k for own in wanted)) for k in range(1, 9)] for pair in held
    }
    weights = {pair: steps.get(pair, [0.0]) for text in texts for pair in bigrams(text)}
    lengths = [count_words(text) for text in texts]
    best = plain.best_subset([bigrams(text) for text in texts], weights, lengths, limit)
    source = source_of(*texts, references=references)
    choice = parse_summarizer("oracle").choose(source, Limit(limit))
    assert sum(choice.scores) == pytest.approx(best)


def test_the_oracle_is_ahead_of_all_on_the_demo():
    demo = load_demo()
    rouge = Rouge(n=2, l=False, stem=True)

    def recall(name):
        sources = [Source.of_topic(demo, topic, "A") for topic in demo.topics]
        peers = [parse_summarizer(name).summarize(source).text for source in sources]
        return rouge.score(peers, [source.references for source in sources])["rouge-2-r"].mean()

    assert recall("oracle") > 1.2 * max(map(recall, ("sum-avr", "hmm-qr", "coverage", "lexrank")))


def test_the_oracle_takes_references_in_sentences():
    texts = "Heavy rain fell on Ardel. Goats were sold there."
    methods = [
        parse_summarizer("oracle").summarize(source_of(texts, references=[own]), Limit(6)).text
        for own in ("Goats were sold.\nMud.", ("Goats were sold.", "Mud."))
    ]
    assert methods == ["Goats were sold there."] * 2


def test_the_oracle_needs_references():
    with pytest.raises(InputError, match="oracle needs references; add summaries by people"):
        parse_summarizer("oracle").summarize(source_of("Rain fell."))


def test_the_oracle_explains_itself():
    source = source_of(
        "Rain fell and rain fell.", references=["Rain fell. Rain fell.", "Rain fell."]
    )
    method = parse_summarizer("oracle")
    assert method.weights(source) == (("rain fall", 2.0),)
    assert method.weights_after(source, [0]) == ()
    assert method.weights(source_of("Rain fell.")) == ()


@given(UNIQUE_TEXTS, st.sampled_from([0.01, 0.5]), st.integers(1, 20))
def test_kl_sum_against_plain_python(texts, smoothing, limit):
    expected = plain.kl_sum(texts, limit, smoothing)
    source = source_of(*texts, query="zyzzyva")
    choice = parse_summarizer(f"kl-sum(smoothing={smoothing})").choose(source, Limit(limit))
    assert list(choice.numbers) == expected


def test_kl_sum_scores_are_negative_divergences():
    source = source_of("Rain fell.")
    [score] = parse_summarizer("kl-sum(smoothing=1e-9)").choose(source, Limit(2)).scores
    assert score == pytest.approx(0, abs=1e-6)


def test_ngrams_have_labels_and_content():
    grams = ngrams_of(Source.of_texts(["Rain fell on Ardel. Rain fell."]), 2)
    labels = [grams.label(k) for k in range(len(grams.spread))]
    assert labels == ["rain fall", "fall on", "on ardel"]
    assert grams.content.tolist() == [2, 1, 1]


def test_cover():
    assert Cover((2, 0), (3.0, 1.0), 0.0).value == 4.0


def test_best_cover():
    units = csr_array(np.array([[1, 1, 0], [0, 1, 1], [1, 1, 1]]))
    assert best_cover(units, np.array([2.0, 1.0, 2.0]), np.array([2, 2, 5]), 4).value == 5.0


def test_greedy_cover():
    units = csr_array(np.array([[1, 1, 0], [0, 1, 1], [1, 1, 1]]))
    assert greedy_cover(units, np.array([2.0, 1.0, 2.0]), np.array([2, 2, 5]), 4).numbers == (0, 1)
