"""SUM_F."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion import Rouge
from pyramidion.demo import load_demo
from pyramidion.errors import InputError
from pyramidion.summarizers import Limit, Source, parse_summarizer
from summarizers import plain
from summarizers.inputs import TEXTS, UNIQUE_TEXTS, source_of

METHODS = ("sum-avr", "sum-prod", "sum-sum")
# rain 3, road 2, mud 1, goat 1, sell 1: eight content words.
SOURCE = source_of("Rain, rain on roads. Mud on the roads. Rain. Goats were sold.")


@pytest.mark.parametrize(
    ("method", "chosen", "scores"),
    [
        ("sum-avr", (2, 1, 3, 0), (3 / 8, 3 / 16, 1 / 8, 1e-6)),
        ("sum-sum", (0, 3, 1, 2), (5 / 8, 2 / 8, 1 / 8 + 1e-6, 1e-6)),
        ("sum-prod", (2, 1, 3, 0), np.log([3 / 8, 2 / 64, 1 / 64, 1e-12])),
        ("sum-avr(context=off)", (2, 0, 1, 3), (3 / 8, 5 / 16, 3 / 16, 1 / 8)),
        ("sum-avr(context=squared)", (2, 0, 3, 1), (3 / 8, (9 / 64 + 2 / 8) / 2, 1 / 8, 3 / 32)),
        ("sum-avr(count=tokens)", (2, 1, 3, 0), (3 / 8, 3 / 16, 1 / 8, 1e-6)),
        ("sum-sum(count=tokens)", (0, 3, 1, 2), (8 / 8, 2 / 8, 1 / 8 + 1e-6, 1e-6)),
    ],
)
def test_by_hand(method, chosen, scores):
    choice = parse_summarizer(method).choose(SOURCE, Limit(12))
    assert choice.numbers == chosen
    assert choice.scores == pytest.approx(scores, rel=1e-5)


@given(
    UNIQUE_TEXTS,
    st.sampled_from(METHODS),
    st.sampled_from(["low", "squared", "off"]),
    st.booleans(),
    st.integers(1, 30),
)
def test_against_plain_python(texts, method, context, tokens, words):
    count = "tokens" if tokens else "types"
    ours = parse_summarizer(f"{method}(context={context},count={count})")
    expected = plain.sum_f(texts, words, method, context=context, tokens=tokens)
    assert list(ours.choose(source_of(*texts), Limit(words)).numbers) == expected


def test_words_weigh_less_once_said():
    method = parse_summarizer("sum-avr")
    assert method.weights(SOURCE)[:2] == (("rain", 3 / 8), ("road", 2 / 8))
    assert method.weights_after(SOURCE, [0])[-2:] == (("rain", 1e-6), ("road", 1e-6))
    assert parse_summarizer("sum-avr(context=off)").weights_after(SOURCE, [0])[0][1] == 3 / 8


def test_saying_a_rare_word_does_not_make_it_more_probable():
    method = parse_summarizer("sum-avr(low=0.5)")
    assert dict(method.weights_after(SOURCE, [0, 1, 2, 3])) == dict(method.weights(SOURCE))


def test_sumbasic_takes_a_sentence_with_the_top_word():
    source = source_of(
        "Rain on roads, bridges and schools.",
        "Rain for Ardel, Norden and Tarn.",
        "Rain in valleys, hills and forests.",
        "Mud goats.",
        "Goats mud.",
    )
    # Rain occurs three times, mud and goats twice; with rain there are three words that do once.
    assert parse_summarizer("sum-avr").choose(source, Limit(6)).numbers[0] == 4
    assert parse_summarizer("sumbasic").choose(source, Limit(6)).numbers == (1,)


def test_sumbasic_goes_on_when_the_top_word_is_used_up():
    source = source_of("Rain fell hard. Goats sold. Schools closed.")
    assert len(parse_summarizer("sumbasic").choose(source, Limit(100)).numbers) == 3


def test_names_and_options_read_back():
    assert str(parse_summarizer("sumbasic(low=0.1)")) == "sumbasic(low=0.1)"
    assert parse_summarizer("sum-avr(context=squared,pick=top-word)") == parse_summarizer(
        "sumbasic"
    )
    assert str(parse_summarizer("sum-prod(words=pos)")) == "sum-prod(words=pos)"
    with pytest.raises(InputError, match="words is 'verbs'; give stop-list or pos"):
        parse_summarizer("sum-prod(words=verbs)")
    with pytest.raises(InputError, match="sum-avr: context is 'on'; give low or squared or off"):
        parse_summarizer("sum-avr(context=on)")


def test_a_query_raises_its_words():
    text = "Rain and more rain fell. Goats were sold."
    with_query = source_of(text, query="Which goats?")
    assert parse_summarizer("sum-avr").choose(source_of(text), Limit(5)).numbers[0] == 0
    assert parse_summarizer("sum-avr(query=0.9)").choose(with_query, Limit(5)).numbers[0] == 1
    weights = dict(parse_summarizer("sum-avr(query=0.5)").weights(with_query))
    # rain 2 of 5 words; goat 1 of 5 and all of the query.
    assert weights["rain"] == pytest.approx(0.5 * 2 / 5)
    assert weights["goat"] == pytest.approx(0.5 * 1 / 5 + 0.5)
    unknown = source_of(text, query="Which sheep?")
    assert parse_summarizer("sum-avr").weights(unknown) == parse_summarizer("sum-avr").weights(
        source_of(text)
    )


def test_what_is_known_counts_as_said():
    text = "Rain fell, and rain again. Goats were sold."
    update = source_of(text, known=["Rain fell last week."])
    for name in ("sum-avr(known=said)", "sum-avr(context=off,known=said)"):
        assert parse_summarizer(name).choose(update, Limit(5)).numbers[0] == 1
    assert parse_summarizer("sum-avr(known=off)").choose(update, Limit(5)).numbers[0] == 0
    damped = dict(parse_summarizer("sum-avr").weights(update))
    # rain: 2/5 in the input, 1/4 of rain, fall, last, week in what is known.
    assert damped["rain"] == pytest.approx(0.4 * 0.4 / (0.4 + 0.25))
    assert damped["goat"] == pytest.approx(0.2)
    squared = dict(parse_summarizer("sum-avr(context=squared,known=said)").weights(update))
    assert squared["rain"] == pytest.approx(0.16)


def test_counting_every_known_word_as_said_is_worse_on_the_demos_updates():
    """`docs/snippets/summarizers_update.py` prints the figures."""
    demo = load_demo()
    sources = [Source.of_topic(demo, topic, "B") for topic in demo.topics]
    rouge = Rouge(n=2, l=False, stem=True)

    def recall(name):
        peers = [parse_summarizer(name).summarize(source).text for source in sources]
        return rouge.score(peers, [source.references for source in sources])["rouge-2-r"].mean()

    for name in ("sum-avr", "sumbasic"):
        assert recall(name) > 1.1 * recall(f"{name}(known=said)")


@pytest.fixture(scope="module")
def demo_sources():
    demo = load_demo()
    return [Source.of_topic(demo, topic, "A", focus="generic") for topic in demo.topics]


def test_table_4_5_sums_take_long_sentences_and_products_short_ones(demo_sources):
    """Nenkova 2006, Table 4.5: 5.58, 4.48 and 2.36 sentences a summary."""
    numbers = {
        name: sum(
            len(parse_summarizer(name).summarize(sentence).sentences) for sentence in demo_sources
        )
        for name in METHODS
    }
    assert numbers["sum-prod"] > numbers["sum-avr"] > numbers["sum-sum"]


def repeated(extract):
    words = [
        word for sentence in extract.sentences for word in sorted(set(plain.content(sentence.text)))
    ]
    return len(words) - len(set(words))


def test_table_4_7_context_adjustment_repeats_less(demo_sources):
    """Nenkova 2006, Table 4.7: 0.84 repeated units with context adjustment, 2.12 without."""
    with_context, without = (
        sum(repeated(parse_summarizer(name).summarize(source)) for source in demo_sources)
        for name in ("sum-avr", "sum-avr(context=off)")
    )
    assert with_context < without / 2


GOATS = "Three old goats have been sold by him. They went away, and we do have more goats there."


def test_content_words_by_part_of_speech():
    source = source_of(GOATS)
    method = parse_summarizer("sum-avr(words=pos)")
    # By hand: 3 old goats sold; went, have (a verb there), more, goats. Not: have been, do.
    expected = {"goat": 2 / 8, "three": 1 / 8, "old": 1 / 8, "sell": 1 / 8}
    expected |= {"go": 1 / 8, "have": 1 / 8, "more": 1 / 8}
    assert dict(method.weights(source)) == pytest.approx(expected)
    assert "old" not in dict(parse_summarizer("sum-avr").weights(source))
    assert method.word_weights(source).sum() == pytest.approx(1)


@pytest.mark.parametrize("name", ["sum-avr", "sum-prod", "sum-sum", "sumbasic"])
def test_every_member_counts_content_words_by_part_of_speech(name):
    source = source_of(GOATS, "Rain fell.", query="Which goats?", known=["Rain fell before."])
    method = parse_summarizer(f"{name}(words=pos)")
    extract = method.summarize(source, Limit(12))
    assert extract.method == str(method)
    assert {word for word, _ in extract.weights} <= set(source.by_part_of_speech.words)
    assert dict(method.weights_after(source, [0]))["goat"] < dict(method.weights(source))["goat"]


def test_parts_of_speech_are_as_the_plain_program_has_them():
    sentences = ["The rain fell on Ardel.", "Rain has flooded roads.", "Goats were sold there."]
    kept = [["rain", "fall", "ardel"], ["rain", "flood", "road"], ["goat", "sell"]]
    source = source_of(*sentences)
    assert [
        [source.by_part_of_speech.words[id] for id in source.by_part_of_speech.wording.sentence(k)]
        for k in range(3)
    ] == kept


def test_parts_of_speech_of_other_languages_are_not_reported():
    extract = parse_summarizer("sum-avr(words=pos)").summarize(source_of("Шёл дождь и снег."))
    assert "parts of speech are tagged for English only: all words count" in extract.notes
    assert extract.sentences


@given(TEXTS)
def test_parts_of_speech_choose_what_fits(texts):
    source = source_of(*texts)
    extract = parse_summarizer("sum-sum(words=pos)").summarize(source, Limit(10))
    assert extract.words <= 10
    assert extract.sentences


def test_words_that_the_summary_has_count_less():
    source = Source.of_texts(["Rain fell all over Ardel. Goats were sold in Ardel market."])
    assert parse_summarizer("sum-avr(low=0)").choose(source, Limit(12)).numbers == (0, 1)


def test_the_query_is_mixed_into_the_distribution():
    source = Source.of_texts(["Rain fell on Ardel fields. Goats sold."], query="goats")
    mixed = parse_summarizer("sum-avr(query=0.5)").word_weights(source)
    assert (source.words[int(mixed.argmax())], float(mixed.sum())) == ("goat", 1.0)
