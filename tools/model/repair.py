"""Make the treebanks agree with each other before training; figures are taken on them unchanged."""

from dataclasses import replace
from typing import Any

from treebank import Sentence

__all__ = ["repaired"]


def repaired(sentence: Sentence) -> Sentence:
    """Make a description before a name depend on the name, as both treebanks do mostly.

    In a few sentences of GUM *captain* is the head of *captain Harry Kane*.
    """
    words = list(sentence.words)
    for index in range(1, len(words)):
        name, noun = words[index], words[index - 1]
        if not (name.relation == "flat" and name.upos == "PROPN" and name.head == index - 1):
            continue
        if noun.upos != "NOUN":
            continue
        head = index if noun.head == index - 1 else noun.head
        words[index] = replace(name, head=head, relation=noun.relation)
        words[index - 1] = replace(noun, head=index, relation="nmod:desc")
        for other, word in enumerate(words):
            if word.head == index - 1 and other != index - 1 and not _stays(other, index, word):
                words[other] = replace(word, head=index)
    return replace(sentence, words=tuple(words))


def _stays(other: int, index: int, word: Any) -> bool:
    """Return whether a word belongs to the description rather than to the name."""
    relation = word.relation
    return other < index - 1 and relation in ("amod", "compound", "det", "nmod:poss", "nummod")
