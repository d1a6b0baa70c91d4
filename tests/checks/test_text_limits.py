"""Checks of texts at their limits: one text fewer, and nothing is said."""

import numpy as np
import pytest

from pyramidion.checks import find_problems
from pyramidion.collection import Collection, Document, Summary, Topic

REFERENCE, MACHINES = "R", "abc"


def prose(size, topic, *seed):
    """Write a sentence of different words of a topic."""
    chosen = np.random.default_rng([topic, *seed]).permutation(500)[:size]
    return " ".join(f"w{topic}x{n}" for n in chosen) + "."


def collection(change, number, topics=20, *, size=30, reference=30, document=None):
    """Change so many summaries of the system b, given those of a and of the references."""
    summaries, articles = [], []
    for topic in range(topics):
        texts = {name: prose(size, topic, ord(name)) for name in MACHINES}
        texts[REFERENCE] = prose(reference, topic, 0)
        if topic < number:
            texts["b"] = change(texts, topic)
        summaries += [
            Summary(
                f"T{topic}", name, text, kind="human" if name == REFERENCE else "machine",
                role="reference" if name == REFERENCE else "peer",
            )
            for name, text in texts.items()
        ]  # fmt: skip
        if document:
            articles.append(
                Topic(f"T{topic}", documents=(Document(f"D{topic}", document(texts, topic)),))
            )
    return Collection("c", topics=tuple(articles), summaries=tuple(summaries))


def found(*arguments, **options):
    return {f.kind: f for f in find_problems(collection(*arguments, **options))}


def same_text(texts, topic):
    return "The same words for every topic, whatever it may be about."


def reference_copied(texts, topic):
    return texts[REFERENCE]


def nearly_the_reference(texts, topic):
    return f"other {texts[REFERENCE].partition(' ')[2]}"


def two_words_off_the_reference(texts, topic):
    return f"other words {texts[REFERENCE].split(' ', 2)[2]}"


def reference_inside(texts, topic):
    return f"{prose(8, topic, 5)} {texts[REFERENCE]}"


def copied(texts, topic):
    return texts["a"].upper()


def nearly_copied(texts, topic):
    return f"other {texts['a'].partition(' ')[2]}"


def other_inside(texts, topic):
    return f"{prose(8, topic, 5)} {texts['a']}"


def prompted(texts, topic):
    return f"In all these cases {texts['b']}"


def three_words_of_a_prompt(texts, topic):
    return f"In these cases {texts['b']}"


def signed(texts, topic):
    return f"{texts['b']} Written by a machine."


def cut_after_ten_words(texts, topic):
    return " ".join(texts["b"].split()[:10]) + 9 * topic * "y"  # of different lengths


def cut_after_thirty_words(texts, topic):
    return texts["b"][:-1] + 9 * topic * "y"


@pytest.mark.parametrize(
    ("change", "topics", "limit", "kind"),
    [
        (same_text, 20, 10, "one text for all topics"),
        (same_text, 5, 3, "one text for all topics"),
        (same_text, 20, 3, "text of several topics"),
        (same_text, 40, 4, "text of several topics"),
        (reference_copied, 20, 18, "system equal to a reference"),
        (reference_copied, 3, 3, "system equal to a reference"),
        (reference_copied, 20, 16, "system like a reference"),
        (reference_copied, 20, 5, "references among the summaries"),
        (reference_copied, 60, 6, "references among the summaries"),
        (nearly_the_reference, 20, 16, "system like a reference"),
        (nearly_the_reference, 5, 5, "system like a reference"),
        (reference_inside, 20, 3, "reference in the summary"),
        (reference_inside, 40, 4, "reference in the summary"),
        (copied, 20, 18, "identical systems"),
        (copied, 3, 3, "identical systems"),
        (copied, 20, 10, "partly identical systems"),
        (copied, 8, 5, "partly identical systems"),
        (nearly_copied, 20, 18, "nearly identical systems"),
        (nearly_copied, 3, 3, "nearly identical systems"),
        (other_inside, 20, 18, "system that contains another"),
        (other_inside, 5, 5, "system that contains another"),
        (prompted, 20, 16, "same beginning"),
        (prompted, 5, 5, "same beginning"),
        (signed, 20, 16, "same ending"),
        (cut_after_ten_words, 20, 3, "truncated texts"),
        (cut_after_ten_words, 40, 4, "truncated texts"),
    ],
)
def test_a_kind_of_mistake_is_named_from_a_number_on(change, topics, limit, kind):
    below, at = (found(change, number, topics) for number in (limit - 1, limit))
    assert kind not in below
    assert "b" in at[kind].subject
    assert str(limit) in at[kind].message


@pytest.mark.parametrize(
    ("change", "number", "topics"),
    [
        (same_text, 4, 4),
        (reference_copied, 2, 2),
        (two_words_off_the_reference, 20, 20),
        (three_words_of_a_prompt, 20, 20),
        (prompted, 4, 4),
        (copied, 2, 2),
    ],
)
def test_fewer_texts_or_words_say_nothing(change, number, topics):
    said = {
        "one text for all topics", "text of several topics", "system equal to a reference",
        "system like a reference", "same beginning", "same ending", "identical systems",
    }  # fmt: skip
    assert not said & found(change, number, topics).keys()


@pytest.mark.parametrize(
    ("change", "number", "severity"),
    [
        (cut_after_ten_words, 9, "warning"),
        (cut_after_ten_words, 10, "severe"),
        (cut_after_thirty_words, 10, "note"),
    ],
)
def test_cut_texts_are_as_severe_as_they_are_many_and_short(change, number, severity):
    finding = found(change, number)["truncated texts"]
    assert finding.severity == severity
    words = 10 if change is cut_after_ten_words else 30
    assert f"{number} of them after {words} words" in finding.message


def test_a_long_text_is_quoted_up_to_forty_characters():
    text = "Rain closed some of the roads in Ardels."
    for whole, shown in ((text, text), (f"{text}.", f"{text[:37]}...")):
        finding = found(lambda texts, topic, same=whole: same, 10)["one text for all topics"]
        assert f"are the same text: '{shown}'" in finding.message


def own_article(texts, topic):
    return prose(100, topic, 9)


@pytest.mark.parametrize(
    ("number", "kind"), [(2, ""), (3, "document in the summary"), (20, "document in the summary")]
)
def test_documents_in_summaries(number, kind):
    def with_document(texts, topic):
        return f"{texts['b']} {own_article(texts, topic)}"

    kinds = found(with_document, number, document=own_article)
    assert [k for k in kinds if k.startswith("document")] == [kind] * bool(kind)


@pytest.mark.parametrize(
    ("size", "number", "kind"),
    [
        (49, 20, ""),
        (50, 20, "document in the summary"),
    ],
)
def test_short_documents_may_be_in_summaries(size, number, kind):
    def article(texts, topic):
        return prose(size, topic, 9)

    def with_document(texts, topic):
        return f"{texts['b']} {article(texts, topic)}"

    kinds = found(with_document, number, document=article)
    assert [k for k in kinds if k.startswith("document")] == [kind] * bool(kind)


@pytest.mark.parametrize(
    ("number", "topics", "kind"),
    [
        (9, 20, ""),
        (10, 20, "one document for all topics"),
        (4, 5, ""),
        (5, 5, "one document for all topics"),
    ],
)
def test_one_document_for_all_topics(number, topics, kind):
    def article(texts, topic):
        return prose(100, 999, 9) if topic < number else own_article(texts, topic)

    kinds = found(copied, 0, topics, document=article)
    assert list(kinds) == [kind] * bool(kind)


@pytest.mark.parametrize(
    ("number", "topics", "kind"),
    [
        (9, 20, ""),
        (10, 20, "documents equal to references"),
        (2, 3, ""),
        (3, 3, "documents equal to references"),
    ],
)
def test_documents_that_are_references(number, topics, kind):
    def article(texts, topic):
        return texts[REFERENCE] if topic < number else own_article(texts, topic)

    kinds = found(copied, 0, topics, document=article)
    assert [k for k in kinds if "shorter" not in k] == [kind] * bool(kind)


@pytest.mark.parametrize(("size", "shorter"), [(29, True), (30, False)])
def test_documents_have_at_least_as_many_words_as_summaries(size, shorter):
    kinds = found(copied, 0, document=lambda texts, topic: prose(size, topic, 9))
    assert ("documents shorter than summaries" in kinds) == shorter


@pytest.mark.parametrize(
    ("size", "reference", "named"),
    [(50, 199, False), (50, 200, True), (51, 203, False), (51, 204, True)],
)
def test_references_four_times_as_long_with_two_hundred_words_are_documents(size, reference, named):
    kinds = found(copied, 0, size=size, reference=reference)
    assert ("documents as references" in kinds) == named
    if named:
        assert kinds["documents as references"].severity == "warning"
