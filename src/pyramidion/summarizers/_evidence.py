"""Which articles report what a summary says, and which contradict it."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection.ids import grouped
from pyramidion.rendering.labels import counted
from pyramidion.summarizers._selection import ChosenSentence
from pyramidion.summarizers._source import Source
from pyramidion.support import conflicting_counts, is_praise_or_complaint, polarity

#: A sentence of an article expresses a sentence that has this share of its content words there.
_MIN_EXPRESSED_SHARE = 0.4
#: Mean share of common content words of sentences whose numbers are compared.
_MIN_COMPARED_SHARE = 0.25
#: Reviews, which may agree or disagree, are short texts in English with at least these shares of
#: words of praise or complaint, and of words for the writer and the reader. Chosen on half of the
#: topics; on the others, all 31 sets of reviews have both, and 1 of 262 sets of short news.
_MAX_REVIEW_WORDS, _MIN_OPINION_SHARE = 60, 0.017
_PERSONAL_PRONOUNS = frozenset(["i", "my", "me", "we", "our", "you", "your"])


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the articles say about a sentence of a summary.

    Each sentence is given as (document, index).
    """

    total: int
    reported: tuple[tuple[str, int], ...]
    opposite: tuple[tuple[str, int], ...] = ()
    #: A number in the summary sentence, the conflicting number, and the document and index of the
    #: sentence that contains it.
    conflicts: tuple[tuple[str, str, str, int], ...] = ()
    reviews: bool = False

    @property
    def label(self) -> str:
        """How many articles report it, or how many reviews agree, in words."""
        if not self.reviews:
            articles = counted(self.total, "article")
            return f"reported by {len(self.reported)} of {articles}"
        verb = "agrees" if len(self.reported) == 1 else "agree"
        text = f"{len(self.reported)} of {counted(self.total, 'review')} {verb}"
        says = "says" if len(self.opposite) == 1 else "say"
        return f"{text}, {len(self.opposite)} {says} the opposite" if self.opposite else text

    @property
    def differences(self) -> tuple[str, ...]:
        """The numbers that articles disagree on, by number of the sentence."""
        groups = grouped(((own_count, other), home) for own_count, other, home, _ in self.conflicts)
        differing_counts: dict[str, list[str]] = grouped(
            (own_count, f"“{other}” in {', '.join(dict.fromkeys(homes))}")
            for (own_count, other), homes in groups.items()
        )
        return tuple(
            f"“{own_count}” here, {', '.join(parts)}"
            for own_count, parts in differing_counts.items()
        )

    def record(self) -> dict[str, Any]:
        """Return it as a JSON record."""
        conflicts = (
            {"number": own_count, "other": other_number, **_sentence_record(home, index)}
            for own_count, other_number, home, index in self.conflicts
        )
        return {
            "articles": self.total,
            "reported": [_sentence_record(*sentence) for sentence in self.reported],
            "opposite": [_sentence_record(*sentence) for sentence in self.opposite],
            "disagree": list(conflicts),
        }


def _sentence_record(document: str, index: int) -> dict[str, Any]:
    return {"document": document, "index": index}


def evidence_of(source: Source, sentences: Sequence[ChosenSentence]) -> tuple[Evidence, ...]:
    """Look for each sentence of a summary in all articles."""
    # Repeated sentences count in each article.
    source = replace(source, uncounted=None)
    reviews = _are_reviews(source)
    return tuple(_sentence_evidence(source, sentence, reviews=reviews) for sentence in sentences)


def _are_reviews(source: Source) -> bool:
    typical_length = np.median(np.bincount(source.homes, source.lengths))
    if source.reading.language != "en" or typical_length >= _MAX_REVIEW_WORDS:
        return False
    words = Counter(re.findall(r"\w+", " ".join(source.texts).lower()))
    n_opinions = sum(words[word] for word in words if is_praise_or_complaint(word))
    n_personal = sum(words[word] for word in _PERSONAL_PRONOUNS)
    min_share = min(n_opinions, n_personal) / words.total()
    return len(source.documents) > 1 and min_share >= _MIN_OPINION_SHARE


def _sentence_evidence(source: Source, sentence: ChosenSentence, *, reviews: bool) -> Evidence:
    ids = np.unique(source.word_ids(sentence.text))
    sign = polarity(sentence.text) if reviews else 0
    if sign:
        topic_ids = [
            word_id for word_id in ids.tolist() if not is_praise_or_complaint(source.words[word_id])
        ]
        ids = np.array(topic_ids, dtype=np.int64)
    shares = _word_shares(source, ids)
    related_sentences = np.flatnonzero(shares >= _MIN_EXPRESSED_SHARE)
    cited_address = sentence.document, sentence.index
    agreeing_sentences, opposite_sentences = related_sentences, related_sentences[:0]
    if sign:
        signs = np.array(
            [polarity(source.texts[word_id]) for word_id in related_sentences.tolist()],
            dtype=np.int64,
        )
        agreeing_sentences, opposite_sentences = (
            related_sentences[signs == sign],
            related_sentences[signs == -sign],
        )
    reported_addresses = {
        cited_address[0]: cited_address,
        **_best_by_document(source, shares, agreeing_sentences),
    } | {cited_address[0]: cited_address}
    contrary_addresses = _best_by_document(source, shares, opposite_sentences)
    return Evidence(
        len(np.unique(source.homes)),
        tuple(reported_addresses.values()),
        tuple(
            value for home, value in contrary_addresses.items() if home not in reported_addresses
        ),
        () if reviews else _find_conflicts(source, sentence, ids, shares),
        reviews,
    )


def _word_shares(source: Source, ids: Ints) -> Floats:
    """Return the share of some words that each sentence of the articles has."""
    has_word = np.zeros(len(source.words))
    has_word[ids] = 1.0
    shares: Floats = source.wording.presence @ has_word / max(len(ids), 1)
    return shares


def _best_by_document(source: Source, shares: Floats, numbers: Ints) -> dict[str, tuple[str, int]]:
    """Return the best sentence of each document that has any."""
    sentence_by_document: dict[str, tuple[str, int]] = {}
    for number in sorted(numbers.tolist(), key=lambda number: (-shares[number], number)):
        home = source.documents[source.homes[number]].id
        sentence_by_document.setdefault(home, (home, int(source.positions[number])))
    return sentence_by_document


def _find_conflicts(
    source: Source, sentence: ChosenSentence, ids: Ints, shares: Floats
) -> tuple[tuple[str, str, str, int], ...]:
    """Return the numbers on which articles and a sentence disagree, if they otherwise agree."""
    if source.reading.language != "en":
        return ()
    sizes = np.diff(source.wording.presence.indptr).clip(1)
    is_alike = (shares + shares * len(ids) / sizes) / 2 >= _MIN_COMPARED_SHARE
    return tuple(
        (
            own_count,
            other_number,
            source.documents[source.homes[number]].id,
            int(source.positions[number]),
        )
        for number in np.flatnonzero(is_alike).tolist()
        if source.documents[source.homes[number]].id != sentence.document
        for own_count, other_number in conflicting_counts(sentence.text, source.texts[number])
    )
