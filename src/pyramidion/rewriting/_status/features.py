"""Features of people: how texts refer to them."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from pyramidion._types import Floats
from pyramidion.errors import InputError
from pyramidion.rewriting._people.mention import Mention, Person
from pyramidion.rewriting._status.bodies import bodies_in
from pyramidion.rewriting._word_lists import status_words

#: The normal forms of descriptors that are spelled out.
_NORMAL_FORMS = {"senator": "sen", "governor": "gov", "representative": "rep", "reverend": "rev"}
_START_TOKEN, _NAME_TOKEN = "<s>", "</s>"
#: Weight of the unigram probability, as a number of observed pairs.
_UNIGRAM_WEIGHT = 1.0


def description_words(mention: Mention) -> list[str]:
    """Return the words before a name in lower case without dots."""
    words = mention.sentence.words[mention.premodified_first : mention.first]
    plain_words = (word.text.lower().replace(".", "") for word in words)
    return [word for word in plain_words if any(map(str.isalnum, word))]


def frequent_descriptors(words: Iterable[str]) -> set[str]:
    """Return the frequent descriptors of the thesis among some words."""
    return {_NORMAL_FORMS.get(word, word) for word in words} & status_words("frequent_descriptors")


@dataclass(frozen=True)
class DescriptionModel:
    """A bigram model of the words before names, smoothed with unigrams."""

    pairs: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for pair, count in self.pairs.items():
            if len(pair.split()) != 2 or not isinstance(count, int) or count < 1:
                problem = f"{pair!r}: {count!r} is not a count of a pair of words"
                raise InputError(problem, hint='write "word word": number')

    @classmethod
    def of_descriptions(cls, descriptions: Iterable[Sequence[str]]) -> "DescriptionModel":
        """Count the pairs of words in descriptions."""
        counts = Counter(pair for words in descriptions for pair in _pairs(words))
        return cls(dict(sorted(counts.items())))

    @cached_property
    def _counts(self) -> tuple[Counter[str], Counter[str]]:
        """How often each word is the first and the second word of a pair."""
        before_counts, after_counts = Counter[str](), Counter[str]()
        for pair, count in self.pairs.items():
            before, after = pair.split()
            before_counts[before] += count
            after_counts[after] += count
        return before_counts, after_counts

    def log10(self, words: Sequence[str]) -> float:
        """Return the logarithm of a description's probability."""
        return math.fsum(math.log10(self._probability(pair)) for pair in _pairs(words))

    def _probability(self, pair: str) -> float:
        before, after = pair.split()
        before_counts, after_counts = self._counts
        # Add-one smoothing; one additional word represents all unseen ones.
        second_alone = (after_counts[after] + 1) / (after_counts.total() + len(after_counts) + 1)
        pair_count = self.pairs.get(pair, 0) + _UNIGRAM_WEIGHT * second_alone
        return pair_count / (before_counts[before] + _UNIGRAM_WEIGHT)


def _pairs(words: Sequence[str]) -> list[str]:
    tokens = [_START_TOKEN, *words, _NAME_TOKEN]
    return [f"{before} {after}" for before, after in pairwise(tokens)]


_ATTACHED_POSTMODIFIERS = ("apposition", "relative clause")


def short_form(mention: Mention) -> bool:
    """Check whether a first mention is a title or role with a last name, or a bare full name.

    Such mentions assume that readers know the person.

    Examples
    --------
    >>> from pyramidion.rewriting import people_in
    >>> short_form(people_in("Sen. Lock won. Ada Ode lost.", "light")[0].mentions[0])
    True
    """
    if mention.post != "none" or mention.opening:
        return False
    premodifier_range = range(mention.premodified_first, mention.first)
    if mention.form == "full":
        return not premodifier_range
    bodies = bodies_in(mention.sentence, premodifier_indices=premodifier_range)
    return (
        mention.form == "last"
        and bool(premodifier_range)
        and not any(body.first in premodifier_range for body in bodies)
    )


#: Features 0 to 18 of Table 5.1, where "per document" means divided by feature 16; the share of
#: first mentions in a short form, see `short_form`; and the counts of Table 5.1 divided by the
#: number of documents of the input.
STATUS_FEATURES = (
    "references", "references per document", "appositions", "appositions per document",
    "relative clauses", "relative clauses per document", "later names", "copulas",
    "copulas per document", "descriptions", "descriptions per document",
    "mean bigram probability", "greatest bigram probability", "least bigram probability",
    "frequent descriptors", "full first names", "documents", "described first names",
    "described first names per document", "short first names",
    "references / input", "appositions / input", "relative clauses / input",
    "later names / input", "copulas / input", "descriptions / input", "documents / input",
    "described first names / input", "frequent descriptors / input",
)  # fmt: skip

#: The indices of the features of Table 5.1.
THESIS_FEATURES = tuple(range(19))
_COUNT_FEATURES = (0, 2, 4, 6, 7, 9, 16, 17, 14)
#: Those features, and the counts divided by the number of documents of the input.
NORMALIZED_FEATURES = (*THESIS_FEATURES, *range(20, 29))


def person_features(
    person: Person, model: DescriptionModel | None = None, documents: int = 0
) -> Floats:
    """Return the features of Table 5.1 for a person; probabilities are logarithms to base 10.

    Parameters
    ----------
    person
        A person with all mentions in the input.
    model
        The model of words before names; uniform by default.
    documents
        The number of documents of the input; by default those that name the person.

    Examples
    --------
    >>> person_features(Person("Ode", "Ode", ()))[STATUS_FEATURES.index("documents")]
    np.float64(0.0)
    """
    n_input_documents, documents = documents, len(person.documents)
    initial_mentions = person.initial()
    pronouns = sum(description.kind == "pronoun" for description in person.descriptions)
    references = len(person.mentions) + pronouns
    appositions, clauses, copulas = (
        len(person.described_by(kind)) for kind in ("apposition", "relative clause", "copula")
    )
    n_described = sum(mention.post in _ATTACHED_POSTMODIFIERS for mention in initial_mentions)
    descriptions = list(map(description_words, initial_mentions))
    log_probabilities = [(model or DescriptionModel()).log10(words) for words in descriptions] or [
        0.0
    ]
    totals = [
        references,
        appositions,
        clauses,
        copulas,
        appositions + clauses + copulas,
        n_described,
    ]
    means = [total / max(documents, 1) for total in totals]
    features = np.array(
        [
            *(totals[0], means[0], totals[1], means[1], totals[2], means[2]),
            len(person.mentions) - documents,
            *(totals[3], means[3], totals[4], means[4]),
            *(
                sum(log_probabilities) / len(log_probabilities),
                max(log_probabilities),
                min(log_probabilities),
            ),
            len(frequent_descriptors(word for words in descriptions for word in words)),
            sum(mention.form == "full" for mention in initial_mentions) / max(documents, 1),
            documents,
            *(totals[5], means[5]),
            sum(map(short_form, initial_mentions)) / max(documents, 1),
        ],
        dtype=np.float64,
    )
    return np.append(features, features[[*_COUNT_FEATURES]] / max(n_input_documents, documents, 1))


def people_features(
    people: Iterable[Person],
    model: DescriptionModel | None = None,
    documents: int | Sequence[int] = 0,
) -> Floats:
    """Return the features of people, one row per person; see `person_features`.

    Examples
    --------
    >>> people_features([Person("Ode", "Ode", ())]).shape
    (1, 29)
    """
    persons = list(people)
    sizes = np.broadcast_to(documents, len(persons)).tolist()
    pairs = zip(persons, sizes, strict=True)
    rows = [person_features(person, model, size) for person, size in pairs]
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(STATUS_FEATURES))
