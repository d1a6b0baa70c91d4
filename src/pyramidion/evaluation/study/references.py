"""How texts refer to people again and again: Figures 5.4 to 5.8 for any corpus."""

from collections.abc import Sequence
from dataclasses import dataclass

from pyramidion.errors import InputError
from pyramidion.evaluation.study.reference_models import ModelComparison, compare_reference_models
from pyramidion.evaluation.study.reference_people import PeopleFound
from pyramidion.rewriting.people.sequences.chain import MarkovChain, require_addition
from pyramidion.rewriting.people.sequences.counting import (
    MentionChain,
    SequenceCounts,
    count_sequences,
    mention_chains,
)
from pyramidion.rewriting.people.sequences.features import (
    BOTH,
    FEATURES,
    NAME_FORM,
    PREMODIFICATION,
    Feature,
)
from pyramidion.rewriting.people.sequences.intervals import SequenceIntervals, sequence_intervals
from pyramidion.rewriting.people.sequences.stratified import StratifiedModel

__all__ = [
    "FeatureStudy",
    "ReferenceOptions",
    "ReferenceStudy",
    "study_references",
]


@dataclass(frozen=True, slots=True)
class ReferenceOptions:
    """How references are studied.

    Parameters
    ----------
    add
        Added to each count, so that nothing is impossible.
    n_resamples, confidence_level, seed
        Of the bootstrap over documents.

    Examples
    --------
    >>> ReferenceOptions(add=-1)
    Traceback (most recent call last):
    pyramidion.errors.InputError: -1 is added to each count; give 0 or more
    """

    add: float = 0.0
    n_resamples: int = 1999
    confidence_level: float = 0.95
    seed: int = 0

    def __post_init__(self) -> None:
        require_addition(self.add)


@dataclass(frozen=True, slots=True, eq=False)
class FeatureStudy:
    """A feature of mentions in a corpus, under both models.

    Parameters
    ----------
    counts
        What was counted, by document.
    chain, stratified
        The models.
    intervals
        How sure their probabilities are.
    comparison
        Which model foretells better; nothing for very little text.

    Examples
    --------
    >>> from pyramidion.rewriting.articles import ParsedSentence
    >>> from pyramidion.rewriting.people.mention import Mention, Person
    >>> there = ParsedSentence("", (), "d1", 0)
    >>> forms = ("full", "last", "last")
    >>> lee = Person("Ann Lee", "Lee", tuple(Mention(there, 0, 0, form) for form in forms))
    >>> found = study_references(PeopleFound((lee,), ("d1",)))
    >>> found.features[1].chain.transitions[0].tolist()
    [0.0, 1.0, 0.0]
    """

    counts: SequenceCounts
    chain: MarkovChain
    stratified: StratifiedModel
    intervals: SequenceIntervals
    comparison: ModelComparison | None


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceStudy:
    """What a corpus has of people, and how it refers to them.

    Parameters
    ----------
    documents, named
        How many texts there are, and how many of them name somebody.
    people, unsure
        How many people, and how many of them may be several.
    chains
        All chains: a person in a document.
    features
        Modification, name form, postmodification and premodifiers of chains that begin with the
        head of a phrase; heads only.
    premodification, both
        Two more of these for Figure 5.8: premodified or not, and both pre- and postmodified.
    not_head
        The name form in chains that begin with a name that is not the head.

    Examples
    --------
    >>> from pyramidion.rewriting.articles import ParsedSentence
    >>> from pyramidion.rewriting.people.mention import Mention, Person
    >>> there = ParsedSentence("", (), "d1", 0)
    >>> forms = ("full", "last", "last")
    >>> lee = Person("Ann Lee", "Lee", tuple(Mention(there, 0, 0, form) for form in forms))
    >>> study_references(PeopleFound((lee,), ("d1", "d2"))).named
    1
    """

    documents: int
    named: int
    people: int
    unsure: int
    chains: tuple[MentionChain, ...]
    features: tuple[FeatureStudy, ...]
    premodification: FeatureStudy
    both: FeatureStudy
    not_head: FeatureStudy

    @property
    def mentions(self) -> int:
        """How many mentions there are in all."""
        return sum(len(chain.mentions) for chain in self.chains)

    @property
    def heads(self) -> int:
        """How many of them are heads of their phrases."""
        return sum(mention.head for chain in self.chains for mention in chain.mentions)

    @property
    def begin_with_head(self) -> int:
        """How many chains begin with one."""
        return sum(chain.begins_with_head for chain in self.chains)


def study_references(found: PeopleFound, options: ReferenceOptions | None = None) -> ReferenceStudy:
    """Count how texts refer to people, and hold both models against each other.

    Parameters
    ----------
    found
        The people.
    options
        How sure to be, and of what.

    Examples
    --------
    >>> from pyramidion.rewriting.articles import ParsedSentence
    >>> from pyramidion.rewriting.people.mention import Mention, Person
    >>> there = ParsedSentence("", (), "d1", 0)
    >>> forms = ("full", "last", "last")
    >>> lee = Person("Ann Lee", "Lee", tuple(Mention(there, 0, 0, form) for form in forms))
    >>> study = study_references(PeopleFound((lee,), ("d1",)))
    >>> study.mentions, study.features[1].chain.limit().problem
    (3, '')
    """
    chains = mention_chains(found.people)
    if not chains:
        number = len(found.documents)
        raise InputError(
            f"no person is named in {'the text' if number == 1 else f'any of {number:,} texts'}",
            hint="give more text, or another parser (--pipeline)",
        )
    asked = options or ReferenceOptions()
    heads = [chain for chain in chains if chain.begins_with_head]
    others = [chain for chain in chains if not chain.begins_with_head]

    def studied(chains: Sequence[MentionChain], feature: Feature) -> FeatureStudy:
        counts = count_sequences(chains, feature, documents=found.documents)
        return _studied(counts, asked, compared=feature in FEATURES)

    return ReferenceStudy(
        documents=len(found.documents),
        named=len({chain.document for chain in chains}),
        people=len(found.people),
        unsure=sum(bool(person.unsure) for person in found.people),
        chains=tuple(chains),
        features=tuple(studied(heads, feature) for feature in FEATURES),
        premodification=studied(heads, PREMODIFICATION),
        both=studied(heads, BOTH),
        not_head=studied(others, NAME_FORM),
    )


def _studied(counts: SequenceCounts, options: ReferenceOptions, *, compared: bool) -> FeatureStudy:
    add, seed = options.add, options.seed
    times, level = options.n_resamples, options.confidence_level
    return FeatureStudy(
        counts,
        counts.chain(add=add),
        counts.stratified(add=add),
        sequence_intervals(counts, add=add, n_resamples=times, confidence_level=level, rng=seed),
        compare_reference_models(
            counts, add=add, n_resamples=times, confidence_level=level, rng=seed
        )
        if compared
        else None,
    )
