"""Clusters of articles for benchmarks, made of the demo's sentences with words exchanged."""

import random
from collections.abc import Iterator, Sequence

from pyramidion.demo import load_demo
from pyramidion.text import is_stop_word, split_sentences

__all__ = ["clusters"]

SENTENCES_AN_ARTICLE = 28
#: Every so-manieth word becomes another, so that no two sentences are the same.
CHANGED = 0.1


def clusters(number: int, *, articles: int = 10, seed: int = 0) -> Iterator[list[str]]:
    """Make clusters, each of articles about one of the demo's topics."""
    rng = random.Random(seed)
    topics = [
        [
            sentence
            for document in topic.documents
            for sentence in split_sentences(document.text, boilerplate="strip")
        ]
        for topic in load_demo().topics
    ]
    words = sorted({word for topic in topics for sentence in topic for word in sentence.split()})
    content = [word for word in words if word.isalpha() and not is_stop_word(word.lower())]
    for index in range(number):
        topic = topics[index % len(topics)]
        yield [_article(topic, content, rng) for _ in range(articles)]


def _article(topic: Sequence[str], words: Sequence[str], rng: random.Random) -> str:
    chosen = rng.choices(topic, k=SENTENCES_AN_ARTICLE)
    return " ".join(_changed(sentence, words, rng) for sentence in chosen)


def _changed(sentence: str, words: Sequence[str], rng: random.Random) -> str:
    first, *middle, last = sentence.split()
    return " ".join(
        [first, *(rng.choice(words) if rng.random() < CHANGED else word for word in middle), last]
    )
