"""How often texts refer to people, at what length, and what comes before a name: 5.0, 5.2.7."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pyramidion.rendering.view import View, field_columns
from pyramidion.rewriting import Mention, Person, bodies_in, word_list
from pyramidion.stats.inputs import Rng
from pyramidion.studies._references.counting import MentionChain, document_draws

#: What is looked at: the documents of a collection, or the summaries that people wrote.
TextKind = Literal["documents", "summaries"]

_ROLES = ("roles", "relations", "plain_adjectives", "offices")
_ATTACHED = ("apposition", "relative clause")

#: Each rate: so many of one thing for so many of another, and what the thesis has for each kind.
_RATES: tuple[tuple[str, str, str, int, Mapping[TextKind, float]], ...] = (
    ("names per 100 words", "names", "words", 100, {}),
    ("names and pronouns per 100 words", "references", "words", 100, {"summaries": 3.85}),
    ("words of a first reference", "whole", "firsts", 1, {"documents": 4.5, "summaries": 3.6}),
    ("words of it up to the name", "first", "firsts", 1, {}),
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
    """So many of one thing for so many of another.

    Parameters
    ----------
    rate
        Its name.
    number, of
        The two counts.
    value, low, high
        Their ratio, or 100 times it, with a bootstrap interval over texts.
    thesis
        What the thesis has; NaN where it has nothing.
    """

    rate: str
    number: int
    of: int
    value: float
    low: float
    high: float
    thesis: float


RATES: View[Rate] = View("rates", field_columns(Rate, value="here"), digits=2)
RATES_NOTE = (
    "Low and high: bootstrap of texts. A reference: the words from a determiner, title or "
    "description to the name, and an apposition or clause that follows. The thesis counts first "
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
    counts = {text: Counter(words=n, sentences=number) for text, (n, number) in sizes.items()}
    for chain in chains:
        counts[chain.document].update(_counted(chain.mentions))
    for person in people:
        for said in person.descriptions:
            counts[said.sentence.document]["references"] += said.kind == "pronoun"
    draws = np.concatenate(list(document_draws(len(counts), n_resamples, rng)))
    found = []
    tail = (1 - level) / 2
    for name, number, of, times, thesis in _RATES:
        above, below = (np.array([own[key] for own in counts.values()]) for key in (number, of))
        value = low = high = np.nan
        if below.any():
            value = times * float(above.sum() / below.sum())
        # The rate of a single text has no interval.
        if np.count_nonzero(below) > 1:
            drawn = draws @ below
            ratios = (draws @ above)[drawn > 0] / drawn[drawn > 0]
            low, high = (times * float(end) for end in np.quantile(ratios, (tail, 1 - tail)))
        totals = int(above.sum()), int(below.sum())
        found.append(Rate(name, *totals, value, low, high, thesis.get(kind, np.nan)))
    return tuple(found)


def _counted(mentions: Sequence[Mention]) -> Counter[str]:
    """Count the references of a chain, their words, and what comes before the first name."""
    first, *later = mentions
    found = Counter(names=len(mentions), references=len(mentions))
    found["attached"] = sum(own.post in _ATTACHED for own in mentions)
    heads = [own for own in later if own.head]
    found.update(laters=len(heads), later=sum(sum(_lengths(own)) for own in heads))
    if first.head:
        name, after = _lengths(first)
        found.update(firsts=1, first=name, whole=name + after)
        found.update(premodifier_kinds(first))
    return found


def _lengths(mention: Mention) -> tuple[int, int]:
    """Return the words of a phrase up to the end of the name, and those of what follows it."""
    words = mention.sentence.words
    name = words[mention.phrase_first : mention.last + 1]
    after = words[mention.post_first : mention.post_last + 1] if mention.post != "none" else ()
    lengths = (sum(word.text[0].isalnum() for word in part) for part in (name, after))
    return next(lengths), next(lengths)


def premodifier_kinds(mention: Mention) -> Counter[str]:
    """Sort the words before a name: titles and roles, affiliations, others; determiners are none.

    Nouns that name no country, state or organization belong to a role (*opposition leader*), and
    so do adjectives that must go with one (*former*, *foreign*).
    """
    before = range(mention.phrase_first, mention.first)
    bodies = bodies_in(mention.sentence, beside=before)
    affiliated = {place for own in bodies for place in range(own.first, own.last + 1)}
    roles = frozenset[str]().union(*map(word_list, _ROLES))
    found: Counter[str] = Counter()
    words = mention.sentence.words[before.start : before.stop]
    for place, word in enumerate(words, start=before.start):
        titled = place >= mention.first - mention.titles
        modifies = place >= mention.premodified_first
        is_role = word.tag in {"NOUN", "PROPN"} or word.text.lower() in roles
        if not word.text[0].isalnum():
            continue
        if place in affiliated and not titled:
            found["affiliation"] += 1
        elif titled or (modifies and is_role):
            found["role"] += 1
        else:
            found["other"] += modifies
    found["before"] = found.total()
    return found
