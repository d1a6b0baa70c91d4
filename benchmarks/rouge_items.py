"""Made-up summaries for `rouge.py`: the same at each run.

A peer and four references of about 100 words each, a line a sentence, drawn with Zipf's
frequencies from the words of the embedded demonstration articles and of the table of irregular
forms. A third of the words come from a few that an item has for its own, so that its texts
have more in common than any two texts.
"""

import re
from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from pyramidion.demo import load_demo
from pyramidion.text import tokens as stems

REFERENCES, WORDS = 4, 100
OWN_WORDS, OWN_SHARE = 60, 1 / 3


class Item(NamedTuple):
    """A peer and its references."""

    peer: str
    references: list[str]


def vocabulary() -> list[str]:
    """Words by falling frequency in the demonstration's articles, then the irregular forms."""
    counts: Counter[str] = Counter()
    for topic in load_demo().topics:
        for document in topic.documents:
            counts.update(re.findall(r"[A-Za-z]+", document.text))
    forms = stems._irregular_forms()
    rare = sorted({*forms, *forms.values()} - counts.keys())
    np.random.default_rng(0).shuffle(rare)
    return [word for word, _ in counts.most_common()] + rare


def made_up_items(size: int) -> list[Item]:
    rng = np.random.default_rng(0)
    words = np.array(vocabulary(), dtype=object)
    frequencies = 1 / (np.arange(len(words)) + 2.7)
    frequencies /= frequencies.sum()

    def text(topic_words: Any) -> str:
        length = int(rng.integers(WORDS - 15, WORDS + 16))
        common_words = rng.choice(len(words), length, p=frequencies)
        numbers = np.where(
            rng.random(length) < OWN_SHARE, rng.choice(topic_words, length), common_words
        )
        ends = np.cumsum(rng.integers(12, 26, length // 12))
        lines = np.split(words[numbers], ends[ends < length])
        return "\n".join(" ".join(line) + "." for line in lines)

    def item() -> Item:
        topic_words = rng.choice(len(words), OWN_WORDS, p=frequencies)
        return Item(text(topic_words), [text(topic_words) for _ in range(REFERENCES)])

    return [item() for _ in range(size)]
