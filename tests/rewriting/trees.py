"""Parsed sentences written by hand: ``The:DET:2:determiner ferry:NOUN:3:subject sank:VERB:0:root``.

A word is its text, its part of speech, the number of its head from 1 (0 for the root), its
relation, and what it is a name of, if anything. A word that begins with ``_`` follows the word
before it without a space.
"""

from collections.abc import Iterable

from pyramidion.rewriting import Articles
from pyramidion.text import ParsedSentence
from pyramidion.text.parsing import ParsedWord

FINE = {"was": "VBD", "is": "VBZ", "'s": "POS", "his": "PRP$", "its": "PRP$", "who": "WP"}
FINE |= {"that": "WDT", "which": "WDT", "drawing": "VBG", "Auditors": "NNPS"}
LEMMAS = {"depots": "depot", "workers": "worker", "trains": "train", "ferries": "ferry"}


def tree(written: str, document: str = "d1", index: int = 0) -> ParsedSentence:
    """Read a sentence written by hand."""
    words: list[ParsedWord] = []
    text = ""
    for token in written.split():
        word, tag, head, relation, *entity = token.split(":")
        if text and not word.startswith("_"):
            text += " "
        word = word.removeprefix("_")
        position = len(words)
        words.append(
            ParsedWord(
                word,
                LEMMAS.get(word, word.lower()),
                tag,
                int(head) - 1 if int(head) else position,
                relation.replace("_", " "),
                len(text),
                _fine(word, tag),
                *entity,
            )
        )
        text += word
    return ParsedSentence(text, tuple(words), document, index)


def _fine(word: str, tag: str) -> str:
    if word in FINE:
        return FINE[word]
    if tag == "NOUN":
        return "NNS" if word in LEMMAS else "NN"
    return {"PROPN": "NNP", "VERB": "VBD", "AUX": "VBD"}.get(tag, "")


def articles(*documents: Iterable[str]) -> Articles:
    """Read documents called d1, d2 and so on, each as sentences written by hand."""
    return Articles(
        tuple(
            tree(written, f"d{number}", index)
            for number, document in enumerate(documents, start=1)
            for index, written in enumerate(document)
        )
    )
