"""How often texts refer to people, at what length, and what precedes a name (5.0 and 5.2.7)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pyramidion.rendering.view import View, field_columns
from pyramidion.rewriting import Mention, Person, bodies_in, word_list
from pyramidion.stats.inputs import Rng
from pyramidion.studies._references.counting import MentionChain, document_draws

#: The documents of a collection, or the summaries by people.
TextKind = Literal["documents", "summaries"]

_ROLE_LISTS = ("roles", "relations", "plain_adjectives", "offices")
_ATTACHED_POSTMODIFIERS = ("apposition", "relative clause")

#: Each rate: its name, the counts to divide, a factor, and the thesis's values.
_RATE_DEFINITIONS: tuple[tuple[str, str, str, int, Mapping[TextKind, float]], ...] = (
    ("names per 100 words", "names", "words", 100, {}),
    ("names and pronouns per 100 words", "references", "words", 100, {"summaries": 3.85}),
    ("words of a first reference", "whole", "firsts", 1, {"documents": 4.5, "summaries": 3.6}),
    ("words of a first reference, up to the name", "first", "firsts", 1, {}),
    ("words of a later reference", "later", "laters", 1, {}),
    (
        "sentences per apposition or relative clause", "sentences", "attached", 1,
        {"documents": 3.9, "summaries": 8.9},
    ),
    ("before first names: title or role, percent", "role", "before", 100, {"summaries": 71}),
    ("before first names: affiliation, percent", "affiliation", "before", 100, {"summaries": 22}),
    ("before first names: other words, percent", "other", "before", 100, {"summaries": 7}),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rate:
    """The ratio of two counts, or 100 times it, with an interval."""

    rate: str
    number: int
    of: int
    value: float
    low: float
    high: float
    thesis: float  # NaN if not in the thesis


RATES: View[Rate] = View("rates", field_columns(Rate, value="here"), digits=2)
RATES_NOTE = (
    "Low and high: bootstrap over texts. A reference: the words from a determiner, title or "
    "description to the name, and a following apposition or clause. The thesis counts first "
    "references to all named entities, appositions and relative clauses of all nouns, and does "
    "not say whether pronouns are references."
)


def reference_rates(
    chains: Iterable[MentionChain],
    people: Iterable[Person],
    sizes: Mapping[str, tuple[int, int]],
    *,
    kind: TextKind,
    n_resamples: int,
    level: float,
    rng: Rng,
) -> tuple[Rate, ...]:
    """Count references to people; `sizes` are the words and sentences of each text."""
    counts = {
        text: Counter(words=n, sentences=numerator_key)
        for text, (n, numerator_key) in sizes.items()
    }
    for chain in chains:
        counts[chain.document].update(_count_references(chain.mentions))
    for person in people:
        for description in person.descriptions:
            counts[description.sentence.document]["references"] += description.kind == "pronoun"
    draws = np.concatenate(list(document_draws(len(counts), n_resamples, rng)))
    rates = []
    tail = (1 - level) / 2
    for name, numerator_key, denominator_key, factor, thesis in _RATE_DEFINITIONS:
        numerators, denominators = (
            np.array([row[key] for row in counts.values()])
            for key in (numerator_key, denominator_key)
        )
        value = low = high = np.nan
        if denominators.any():
            value = factor * float(numerators.sum() / denominators.sum())
        # The rate of a single text has no interval.
        if np.count_nonzero(denominators) > 1:
            resampled_totals = draws @ denominators
            ratios = (draws @ numerators)[resampled_totals > 0] / resampled_totals[
                resampled_totals > 0
            ]
            low, high = (factor * float(end) for end in np.quantile(ratios, (tail, 1 - tail)))
        totals = int(numerators.sum()), int(denominators.sum())
        rates.append(Rate(name, *totals, value, low, high, thesis.get(kind, np.nan)))
    return tuple(rates)


def _count_references(mentions: Sequence[Mention]) -> Counter[str]:
    """Count the references of a chain, their words, and the words before the first name."""
    first_mention, *later_mentions = mentions
    counts = Counter(names=len(mentions), references=len(mentions))
    counts["attached"] = sum(mention.post in _ATTACHED_POSTMODIFIERS for mention in mentions)
    heads = [mention for mention in later_mentions if mention.head]
    counts.update(laters=len(heads), later=sum(sum(_lengths(mention)) for mention in heads))
    if first_mention.head:
        name_length, postmodifier_length = _lengths(first_mention)
        counts.update(firsts=1, first=name_length, whole=name_length + postmodifier_length)
        counts.update(premodifier_kinds(first_mention))
    return counts


def _lengths(mention: Mention) -> tuple[int, int]:
    """Return the number of words up to the end of the name, and of what follows it."""
    words = mention.sentence.words
    name = words[mention.phrase_first : mention.last + 1]
    postmodifier_words = (
        words[mention.post_first : mention.post_last + 1] if mention.post != "none" else ()
    )
    lengths = (sum(word.text[0].isalnum() for word in part) for part in (name, postmodifier_words))
    return next(lengths), next(lengths)


def premodifier_kinds(mention: Mention) -> Counter[str]:
    """Count the words before a name by kind: titles and roles, affiliations, others.

    Nouns other than countries, states and organizations belong to a role (*opposition leader*), as
    do some adjectives (*former*, *foreign*); determiners do not count.
    """
    premodifier_range = range(mention.phrase_first, mention.first)
    bodies = bodies_in(mention.sentence, premodifier_indices=premodifier_range)
    affiliated_positions = {
        position for body in bodies for position in range(body.first, body.last + 1)
    }
    roles = frozenset[str]().union(*map(word_list, _ROLE_LISTS))
    kinds: Counter[str] = Counter()
    words = mention.sentence.words[premodifier_range.start : premodifier_range.stop]
    for position, word in enumerate(words, start=premodifier_range.start):
        is_title = position >= mention.first - mention.titles
        is_modifier = position >= mention.premodified_first
        is_role = word.tag in {"NOUN", "PROPN"} or word.text.lower() in roles
        if not word.text[0].isalnum():
            continue
        if position in affiliated_positions and not is_title:
            kinds["affiliation"] += 1
        elif is_title or (is_modifier and is_role):
            kinds["role"] += 1
        else:
            kinds["other"] += is_modifier
    kinds["before"] = kinds.total()
    return kinds
