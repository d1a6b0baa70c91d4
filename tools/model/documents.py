"""Turn sentences into spaCy's documents, some of them written in another manner."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from spacy.tokens import Doc, Span
from spacy.training import Example
from treebank import Sentence

__all__ = ["document_of", "examples_of", "varied"]

_CURLY = {
    "'s": "’s",
    "n't": "n’t",
    "'ll": "’ll",
    "'re": "’re",
    "'ve": "’ve",
    "'m": "’m",
    "'d": "’d",
}
_SHARES = (("lower", 0.05), ("upper", 0.04), ("title", 0.02), ("curly", 0.12), ("bare", 0.04))


def document_of(vocab: Any, sentence: Sentence) -> Doc:
    """Make a document with everything that the treebank says."""
    words = sentence.words
    document = Doc(
        vocab,
        words=[word.text for word in words],
        spaces=[word.space for word in words],
        # Lemmas of mail addresses would put parts of them among the pipeline's strings.
        lemmas=[word.text if "@" in word.text else word.lemma for word in words],
        pos=[word.upos for word in words],
        tags=[word.fine for word in words],
        heads=[word.head for word in words],
        deps=["ROOT" if word.head == i else word.relation for i, word in enumerate(words)],
    )
    if sentence.names is not None:
        spans = [Span(document, n.first, n.last, label=n.type) for n in sentence.names if n.type]
        unknown = [document[n.first : n.last] for n in sentence.names if not n.type]
        document.set_ents(spans, missing=unknown, default="outside")
    return document


def examples_of(nlp: Any, sentences: Iterable[Sentence]) -> Iterator[Example]:
    """Return pairs of a text as the pipeline tokenizes it and what the treebank says."""
    for sentence in sentences:
        reference = document_of(nlp.vocab, sentence)
        yield Example(nlp.make_doc(reference.text), reference)


def varied(sentence: Sentence, chance: random.Random) -> Sentence:
    """Write a share of the sentences in capitals, in small letters, with curly quotation marks."""
    share = chance.random()
    for manner, size in _SHARES:
        if share < size:
            return _written(sentence, manner)
        share -= size
    return sentence


def _written(sentence: Sentence, manner: str) -> Sentence:
    words = sentence.words
    if manner == "curly":
        return replace(sentence, words=tuple(_with_curly_marks(sentence)))
    if manner == "bare":
        # A headline has no full stop.
        cut = len(words) > 3 and words[-1].text == "." and words[-1].head < len(words) - 1
        return replace(sentence, words=words[:-1]) if cut else sentence
    change = {"lower": str.lower, "upper": str.upper, "title": _capitalized}[manner]
    return replace(sentence, words=tuple(replace(w, text=change(w.text)) for w in words))


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:] if text.isalpha() and len(text) > 3 else text


def _with_curly_marks(sentence: Sentence) -> Iterator[Any]:
    opened = False
    for word in sentence.words:
        text = _CURLY.get(word.text, word.text)
        if text == '"':
            text = "”" if opened else "“"
            opened = not opened
        yield replace(word, text=text)
