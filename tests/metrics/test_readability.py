"""Length of sentences and words, and what points back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.scored import score
from pyramidion.errors import InputError
from pyramidion.metrics import ScoringBatch, parse_metric

METRICS = ("sentence-length", "syllables-per-word", "monosyllables", "anaphora")

# Words: it's 1, raining, in, Ohio | The, mayor, and, her, 7, dogs, left, that, day | That, is, all.
WORKED = ("It's raining in Ohio.", "The mayor and her 7 dogs left that day.", "", "That is all.")


@pytest.mark.parametrize(
    ("metric", "by_hand"),
    [
        ("sentence-length", (4 + 9 + 3) / 3),
        # raining 2, Ohio 3, mayor 2; the number is no word with syllables.
        ("syllables-per-word", (12 + 2 + 3 + 2) / 15),
        ("monosyllables", 12 / 15),
        ("anaphora", (2 + 1 + 1) / 3),
        ("anaphora(count=pronouns)", 2 / 3),
        ("anaphora(count=demonstratives)", 1 / 3),
        ("anaphora(count=definite)", 1 / 3),
    ],
)
def test_worked_example(metric, by_hand):
    assert score(metric, WORKED) == pytest.approx(by_hand)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("nothing", ["", "...", ()])
def test_a_text_without_words_has_no_score(metric, nothing):
    assert np.isnan(score(metric, nothing))


def test_numbers_alone_make_sentences_but_no_syllables():
    assert score("sentence-length", "7 8 9") == 3
    assert np.isnan(score("syllables-per-word", "7 8 9"))
    assert np.isnan(score("monosyllables", "7 8 9"))


def test_words_of_other_scripts_need_the_other_tokenizer():
    assert score("sentence-length(tokenizer=unicode)", "Été à Paris.") == 3
    assert score("syllables-per-word(tokenizer=unicode)", "Été à Paris.") == pytest.approx(5 / 3)
    assert np.isnan(score("syllables-per-word(tokenizer=unicode)", "東京"))


def test_statistics_of_many_summaries_add_up():
    cases = ScoringBatch.of_texts([WORKED, "Rain fell."])
    for name in METRICS:
        metric = parse_metric(name)
        pooled = metric.score(metric.statistics(cases).sum(axis=0))
        assert pooled == pytest.approx(score(name, (*WORKED, "Rain fell."))), name


def test_a_pronoun_inside_a_word_does_not_count():
    assert score("anaphora", "Theirs was a hit; hers was a mishit.") == 2
    assert score("anaphora", "I know that the dog is this one.") == 1


WORDS = ("the", "that", "this", "she", "it", "mayor", "dogs", "Ohio", "raining", "7", "it's")
words = st.sampled_from(WORDS)
texts = st.lists(st.lists(words, max_size=6).map(" ".join), max_size=4).map(tuple)


@given(texts, st.randoms())
def test_order_of_sentences_changes_nothing(sentences, random):
    mixed = tuple(random.sample(sentences, len(sentences)))
    for metric in METRICS:
        expected = score(metric, sentences)
        assert score(metric, mixed) == pytest.approx(expected, nan_ok=True), metric


@given(texts)
def test_brute_force(sentences):
    spoken = [sentence.lower().split() for sentence in sentences if sentence]
    everything = [word for sentence in spoken for word in sentence]
    counts = [
        score("syllables-per-word", word.partition("'")[0]) for word in everything if word != "7"
    ]
    back = sum(word.partition("'")[0] in ("this", "she", "it") for word in everything)
    back += sum(sentence[0] in ("the", "that") for sentence in spoken)
    expected = {
        "sentence-length": (len(everything), len(spoken)),
        "syllables-per-word": (sum(counts), len(counts)),
        "monosyllables": (counts.count(1), len(counts)),
        "anaphora": (back, len(spoken)),
    }
    for metric, (part, whole) in expected.items():
        quotient = part / whole if whole else np.nan
        assert score(metric, sentences) == pytest.approx(quotient, nan_ok=True), metric


def test_kinds_of_anaphora_are_checked():
    with pytest.raises(InputError, match="give all or pronouns or demonstratives or definite"):
        parse_metric("anaphora(count=some)")
