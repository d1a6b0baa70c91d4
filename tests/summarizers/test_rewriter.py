"""Rewriting inside the selection of sentences: Nenkova (2006), section 4.3.1, steps 4 and 5."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.summarizers import Replacement, Rewritten, parse_summarizer, summarizer_names
from pyramidion.summarizers._rewriter import (
    Rewriting,
    begin_rewriting,
    reads_before,
    rewrite_choice,
    unigrams_kept,
)
from pyramidion.summarizers._selection import Choice, Limit
from pyramidion.summarizers._source import Source
from summarizers.inputs import source_of

TEXTS = (
    "Heavy rain flooded Ardel roads on Monday. Goats were sold at the Ardel market. "
    "Heavy rain fell again. Schools were closed by the mayor.",
    "Heavy rain reached Ardel. The mayor closed the schools of Ardel. Nobody sold goats today.",
)


class Words:
    """Replaces sentences by other texts, and remembers what it was asked."""

    def __init__(self, texts=None):
        self.texts = texts or {}
        self.asked = []

    def begin(self, source):
        self.source = source
        return self

    def rewrite(self, number, weigh, room):
        text = self.source.texts[number]
        self.asked.append((number, text, weigh(text), room))
        if number not in self.texts:
            return Rewritten(text)
        new = self.texts[number]
        return Rewritten(new, (Replacement(0, len(text), text, new, "noun phrase", "test"),))


def summary(method="sum-avr", texts=None, limit=None, source=None, **options):
    rewriter = Words(texts)
    extract = parse_summarizer(method).summarize(
        source or source_of(*TEXTS), limit or Limit(16), rewriter=rewriter, **options
    )
    return extract, rewriter


@pytest.mark.parametrize(
    "method", [name for name in summarizer_names() if name not in ("llm", "oracle")]
)
def test_a_rewriter_that_changes_nothing_changes_nothing(method):
    source = source_of(*TEXTS)
    plain = parse_summarizer(method).summarize(source, Limit(16))
    extract, rewriter = summary(method, source=source)
    assert extract.sentences == plain.sentences
    assert extract.weights == plain.weights
    [reported] = set(extract.notes) - set(plain.notes)
    assert set(plain.notes) < set(extract.notes)
    assert reported.startswith("noun phrases rewritten: 0, in 0 of ")
    assert reported.endswith("100% of the extractive summary's unigrams are kept")
    asked = [text for _, text, _, _ in rewriter.asked]
    chosen = sorted(extract.sentences, key=lambda own: own.rank)
    # Where rewriting does not change what is chosen next, sentences are rewritten as they are read.
    assert asked in (
        [sentence.text for sentence in chosen],
        [sentence.text for sentence in extract.sentences],
    )
    if method.startswith("sum"):
        assert asked == [own.text for own in chosen]


def test_the_words_of_the_new_text_are_said_and_those_of_the_old_are_not():
    source = source_of(*TEXTS)
    _, rewriter = summary(source=source, limit=Limit(50))
    number, text, _, _ = rewriter.asked[0]
    assert text == "Heavy rain reached Ardel."
    _, again = summary(texts={number: "Goats were sold."}, source=source, limit=Limit(50))
    assert again.asked[0] == rewriter.asked[0]

    def weights(asked):
        numbers = source.wording.sentence(asked[0]).tolist()
        return dict(zip((source.words[id] for id in numbers), asked[2], strict=True))

    plain = [weights(call) for call in rewriter.asked[1:]]
    other = [weights(call) for call in again.asked[1:]]
    assert all(own["rain"] <= 1e-6 for own in plain if "rain" in own)
    assert next(own["rain"] for own in other if "rain" in own) > 0.1
    assert next(own["goat"] for own in plain if "goat" in own) > 0.01
    assert all(own["goat"] <= 1e-6 for own in other if "goat" in own)
    # That changes what is chosen next.
    assert [call[0] for call in again.asked] != [call[0] for call in rewriter.asked]


def test_the_length_is_that_of_the_new_text():
    plain, rewriter = summary(limit=Limit(10))
    first = rewriter.asked[0][0]
    assert [call[3] for call in rewriter.asked] == [10, 6]
    extract, again = summary(texts={first: "Rain fell."}, limit=Limit(10))
    assert [call[3] for call in again.asked[:2]] == [10, 8]
    # A sentence of seven words is chosen, which did not fit before.
    longer = "The mayor closed the schools of Ardel."
    assert longer in extract.text
    assert longer not in plain.text
    assert extract.words <= 10


@pytest.mark.parametrize("method", ["sum-avr", "signature", "lead", "lexrank", "kl-sum"])
def test_what_would_not_fit_is_left_as_it_was(method):
    texts = dict.fromkeys(range(7), "Rain " * 40 + "fell.")
    extract, _ = summary(method, texts, Limit(20))
    assert extract.words <= 20
    assert not any(sentence.rewritten for sentence in extract.sentences)


@pytest.mark.parametrize("method", ["sum-avr", "lead", "centroid"])
def test_the_summary_tells_what_was_replaced(method):
    source = source_of(*TEXTS)
    plain, rewriter = summary(method, source=source)
    number, text, _, _ = rewriter.asked[0]
    extract, _ = summary(method, {number: "Mud dried."}, source=source)
    sentence = next(sentence for sentence in extract.sentences if sentence.replacements)
    assert (sentence.text, sentence.before, sentence.rewritten, sentence.cut) == (
        "Mud dried.",
        text,
        True,
        False,
    )
    assert sentence.replacements[0].before == text
    assert extract.notes[-1].startswith("noun phrases rewritten: 1, in 1 of ")
    # Rewritten sentences stand where they stood.
    if method == "lead":
        assert [sentence.rank for sentence in extract.sentences] == [
            sentence.rank for sentence in plain.sentences
        ]


def test_a_sentence_that_is_cut_off_still_comes_last():
    source = source_of(*TEXTS)
    extract, _ = summary(
        texts={0: "Mud dried."}, limit=Limit(9, "truncate"), source=source, order="source"
    )
    assert [sentence.cut for sentence in extract.sentences] == [False] * (
        len(extract.sentences) - 1
    ) + [True]
    assert extract.words == 9


def test_a_text_with_no_words_that_fit_is_cut_and_rewritten():
    extract, _ = summary(limit=Limit(2))
    assert extract.words == 2
    assert extract.sentences[0].cut


def test_the_order_of_reading():
    source = source_of(*TEXTS)
    before = reads_before(source, "source")
    assert before(0, 1)
    assert not before(4, 3)
    assert reads_before(source, "chosen")(4, 3)
    assert not reads_before(source, "cohesive")(0, 1)


def test_weights_are_those_of_the_words_that_count():
    source = Source.of_texts(["Rain fell on the rain of Ardel."])
    weigh = source.weigher(source.counts)
    assert len(weigh("the rain in Ardel")) == 2
    assert weigh("of the") == []
    assert weigh("snow") == []


def test_part_of_the_unigrams_is_kept():
    assert unigrams_kept(["Rain fell."], ["Rain fell."]) == 1
    assert unigrams_kept(["Rain fell on rain."], ["Rain stopped."]) == 0.25
    assert unigrams_kept(["Rain."], []) == 0
    assert unigrams_kept([], ["Rain."]) == 1


@given(st.lists(st.text("abc ", max_size=9)), st.lists(st.text("abc ", max_size=9)))
def test_kept_unigrams_are_a_share(one, other):
    assert 0 <= unigrams_kept(one, other) <= 1
    assert unigrams_kept(one, [*other, *one]) == 1


def test_a_sentence_is_rewritten_and_its_words_are_found():
    shorter = Replacement(0, 10, "Heavy rain", "Rain", "noun phrase", "said before")

    class Shorter:
        def rewrite(self, number, weigh, room):
            return Rewritten("Rain fell.", (shorter,))

    source = Source.of_texts(["Heavy rain fell."])
    rewriting = Rewriting(source, Shorter())
    assert rewriting.rewrite(0, source.counts, 10) == 2
    assert [source.words[id] for id in rewriting.words_of(0)] == ["rain", "fall"]


def test_words_of_any_text():
    source = Source.of_texts(["Heavy rain fell."])
    assert [source.words[id] for id in source.word_ids("Snow and rain!")] == ["rain"]


def test_begin_rewriting():
    class Untouched:
        def begin(self, source):
            return source.texts

    source = Source.of_texts(["Heavy rain fell."])
    session = begin_rewriting(Untouched(), source, lambda a, b: True).session
    assert session == source.texts


def test_reads_before():
    before = reads_before(Source.of_texts(["Rain fell. It was cold."]), "source")
    assert (before(0, 1), before(1, 0)) == (True, False)


def test_rewrite_choice():
    source = Source.of_texts(["Heavy rain fell."])
    session = Words().begin(source)
    begin = lambda: Rewriting(source, session)  # noqa: E731
    choice = rewrite_choice(source, Choice((0,), (1.0,)), Limit(5), begin)
    assert choice.rewritten == {}


def test_unigrams_kept():
    assert (
        unigrams_kept(["The arrest in London was late."], ["The arrest was late."])
        == 0.6666666666666666
    )
