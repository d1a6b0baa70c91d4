"""Content words by part of speech: nouns, verbs, adjectives and numbers."""

from collections.abc import Sequence

__all__ = ["CONTENT_TAGS", "content_only"]

CONTENT_TAGS = frozenset({"ADJ", "NOUN", "NUM", "PROPN", "VERB"})
"""The parts of speech of content words; auxiliaries and the copula (``AUX``) are none."""


def content_only(sentences: Sequence[str]) -> list[str]:
    """Leave only the content words of English sentences, by the tagger of the package.

    Parameters
    ----------
    sentences
        Sentences; *be*, modal verbs and *have* and *do* before another verb go, *have* in
        *they have goats* stays.

    Examples
    --------
    >>> content_only(["They have seen that 12 wet goats could not swim.", "They have goats."])
    ['seen 12 wet goats swim', 'have goats']
    """
    from pyramidion.text.grammar_tokens import grammar_tokens
    from pyramidion.text.tagging import load_tagger

    words = [[token.text for token in grammar_tokens(sentence)] for sentence in sentences]
    return [
        " ".join(word for word, pair in zip(own, pairs, strict=True) if pair.tag in CONTENT_TAGS)
        for own, pairs in zip(words, load_tagger().tag(words), strict=True)
    ]
