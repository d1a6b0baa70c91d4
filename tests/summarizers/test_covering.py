"""Methods that solve or approximate a covering problem: coverage, the oracle, KL-sum."""

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
from pyramidion.summarizers._coverage import Cover, best_cover, greedy_cover, ngrams_of
from pyramidion.text import count_words, words
from summarizers import plain
from summarizers.inputs import SENTENCES, UNIQUE_TEXTS, source_of

TABLES = st.integers(1, 6).flatmap(
    lambda units: st.lists(
        st.lists(st.integers(0, 2), min_size=units, max_size=units), min_size=1, max_size=6
    )
)


@given(TABLES, st.data())
def test_the_best_cover_against_all_sets(table, data):
    units = len(table[0])
    steps = st.lists(st.integers(0, 5), min_size=3, max_size=3).map(lambda w: sorted(w)[::-1])
    weights = np.array(data.draw(st.lists(steps, min_size=units, max_size=units)), float).T
    lengths = data.draw(st.lists(st.integers(1, 9), min_size=len(table), max_size=len(table)))
    limit = data.draw(st.integers(1, 25))
    counted = [Counter(dict(enumerate(row))) for row in table]
    columns = [list(weights[:, unit]) for unit in range(units)]
    found = best_cover(csr_array(np.array(table, float)), weights, np.array(lengths), limit)
    assert found.value == pytest.approx(plain.best_subset(counted, columns, lengths, limit))
    assert sum(lengths[number] for number in found.numbers) <= limit
    assert found.gap == 0
    assert list(found.gains) == sorted(found.gains, reverse=True)
    greedy = greedy_cover(csr_array(np.array(table, float)), weights, np.array(lengths), limit)
    assert greedy.value <= found.value + 1e-9
    assert sum(lengths[number] for number in greedy.numbers) <= limit


def test_too_little_time_gives_a_cover_and_says_so(monkeypatch):
    nothing = np.zeros(0, dtype=np.int64)
    monkeypatch.setattr(_coverage, "_solved", lambda *given: (nothing, np.inf))
    source = source_of("Rain fell on Ardel. Goats sold.", "Rain fell on Ardel. Goats sold well.")
    choice = parse_summarizer("coverage(seconds=2)").choose(source, Limit(6))
    assert choice.numbers
    assert choice.notes == ("2 seconds were too short: another extract may cover more",)
    said = "10 seconds were too short: another extract may cover at most {} more"
    # Three bigrams of two documents and one more are worth 8, the first three alone 6.
    for numbers, gap, most in (([0, 1], 0.25, "25.0%"), ([0], 0.5, "12.5%")):
        monkeypatch.setattr(_coverage, "_solved", lambda *given, own=(numbers, gap): own)
        choice = parse_summarizer("coverage").choose(source, Limit(6))
        assert sum(choice.scores) == 8
        assert choice.notes == (said.format(most),)


def test_a_program_that_is_too_large_is_not_begun(monkeypatch):
    monkeypatch.setattr(_coverage, "_LARGEST", 3)
    monkeypatch.setattr(_coverage, "_solved", None)
    source = source_of("Rain fell on Ardel. Goats sold.", "Rain fell on Ardel. Goats sold well.")
    choice = parse_summarizer("coverage").choose(source, Limit(6))
    assert choice.notes == (
        "there is too much to find the best extract: each sentence was taken for what it adds",
    )
    weights = np.array([2.0, 1.0, 2.0])
    units = csr_array(np.array([[1, 1, 0], [0, 1, 1], [1, 1, 1]]))
    found = best_cover(units, weights, np.array([2, 2, 3]), 4)
    assert found.too_large
    assert found.numbers == greedy_cover(units, weights, np.array([2, 2, 3]), 4).numbers


def test_a_gap_that_tells_nothing_is_not_told(monkeypatch):
    monkeypatch.setattr(_coverage, "_solved", lambda *given: (np.array([0, 1]), 270.0))
    source = source_of("Rain fell on Ardel. Goats sold.", "Rain fell on Ardel. Goats sold well.")
    [note] = parse_summarizer("coverage").choose(source, Limit(6)).notes
    assert note == "10 seconds were too short: another extract may cover more"


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
    asked = dict(parse_summarizer("coverage(query=0.5)").weights(source_of(*texts, query="Goats!")))
    assert asked["goat sell"] == pytest.approx(0.25)
    assert asked["rain fall"] == pytest.approx(0.5)
    update = source_of(*texts, known=["Rain fell then."])
    assert "rain fall" not in dict(parse_summarizer("coverage").weights(update))
    half = dict(parse_summarizer("coverage(known=0.5)").weights(update))
    assert (half["rain fall"], half["on ardel"]) == (1.0, 2.0)


def test_room_that_is_left_is_filled_with_what_is_new():
    source = source_of("Rain fell on Ardel.", "Rain fell on Ardel.", "Goats were sold there.")
    assert parse_summarizer("coverage").choose(source, Limit(8)).scores == (6.0, 0.0)
    assert len(parse_summarizer("coverage").choose(source, Limit(8, "stop")).numbers) == 1


def test_where_everything_shared_is_known_what_is_new_is_taken():
    texts = ("Rain fell on Ardel.", "Rain fell on Ardel.", "Goats were sold there.")
    update = source_of(*texts, known=["Rain fell on Ardel."])
    choice = parse_summarizer("coverage").choose(update, Limit(4))
    assert choice.numbers == (2,)


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
        peers = [parse_summarizer(name).summarize(own).text for own in sources]
        return rouge.score(peers, [own.references for own in sources])["rouge-2-r"].mean()

    assert recall("oracle") > 1.2 * max(map(recall, ("sum-avr", "hmm-qr", "coverage", "lexrank")))


def test_the_oracle_needs_references():
    with pytest.raises(InputError, match="oracle needs references; give summaries by people"):
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
