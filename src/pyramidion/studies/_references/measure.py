"""Models of mentions, and how well they predict held-out documents."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from pyramidion._types import Bools, Floats
from pyramidion.collection import Collection
from pyramidion.errors import InputError
from pyramidion.questions import Options, option
from pyramidion.questions.common import confidence_option, resamples_option
from pyramidion.rewriting import (
    MENTION_FEATURES,
    NAME_FORM,
    Articles,
    MarkovChain,
    MentionFeature,
    Person,
    find_people,
)
from pyramidion.rewriting.markov import shares
from pyramidion.stats import permutation_test
from pyramidion.stats.inputs import Interval, Rng, generator
from pyramidion.studies._references.counting import (
    BOTH_MODIFICATIONS,
    MENTION_ORDINALS,
    PREMODIFICATION,
    MentionChain,
    SequenceCounts,
    SequenceIntervals,
    StratifiedModel,
    count_sequences,
    document_draws,
    mention_chains,
    sequence_intervals,
)
from pyramidion.studies._references.rates import Rate, TextKind, reference_rates
from pyramidion.studies._source import EVERYTHING, StudyPart
from pyramidion.text import count_words
from pyramidion.text.parsing import Parser

#: The models; each takes more of the context into account than the one before.
MODELS = ("independent", "first and later", "stratified", "Markov")

_FOLDS = 10

# Added to each count by default: a form that the other documents never show would make a document
# impossible.
_ADDED_COUNT = 0.5


@dataclass(frozen=True, slots=True)
class ModelDifference:
    """How much better the Markov chain predicts a mention than another model does."""

    other: str
    difference: float
    interval: Interval
    p: float


@dataclass(frozen=True, slots=True)
class ModelComparison:
    """How well each of the `MODELS` predicts the mentions of documents it did not see.

    `scores` are mean log-probabilities of a mention, of the first five of each chain.
    """

    feature: str
    documents: int
    folds: int
    mentions: int
    scores: tuple[float, ...]
    differences: tuple[ModelDifference, ...]
    added: float

    @property
    def best(self) -> str:
        """The model with the highest score."""
        return MODELS[int(np.argmax(self.scores))]


def compare_reference_models(
    counts: SequenceCounts, options: "ReferenceOptions | None" = None, rng: Rng | None = None
) -> ModelComparison | None:
    """Predict each tenth of the documents from the others; None with fewer than two documents.

    Mentions after the fifth are left out, since the stratified model does not cover them.
    """
    options = options or ReferenceOptions()
    has_chains = counts.initial.any(axis=1)
    documents = int(np.count_nonzero(has_chains))
    if documents < 2:
        return None
    random_generator = generator(rng)
    smoothing = options.add or _ADDED_COUNT
    initial_counts, steps = (
        counts.initial[has_chains],
        counts.steps[has_chains, : len(MENTION_ORDINALS) - 1],
    )
    folds = random_generator.permutation(documents) % min(_FOLDS, documents)
    values = np.empty((documents, len(MODELS)))
    for fold in range(int(folds.max()) + 1):
        is_held_out = folds == fold
        values[is_held_out] = _log_probabilities(initial_counts, steps, is_held_out, smoothing)
    mentions = initial_counts.sum(axis=1) + steps.sum(axis=(1, 2, 3))
    draws = np.concatenate(list(document_draws(documents, options.n_resamples, random_generator)))
    differences = _differences(values, mentions, draws, options.confidence_level, random_generator)
    scores = tuple((values.sum(axis=0) / mentions.sum()).tolist())
    return ModelComparison(
        counts.feature, documents, int(folds.max()) + 1, int(mentions.sum()), scores,
        tuple(differences), smoothing,
    )  # fmt: skip


def _log_probabilities(
    initial_by_document: Floats, steps_by_document: Floats, is_held_out: Bools, smoothing: float
) -> Floats:
    """Return the log-probability of each held-out document under each model."""
    first_counts, training_steps = (
        initial_by_document[~is_held_out].sum(axis=0),
        steps_by_document[~is_held_out].sum(axis=0),
    )
    later_counts = training_steps.sum(axis=1)
    overall_log_shares = np.log(shares(first_counts + later_counts.sum(axis=0), smoothing))
    first_log_shares = np.log(shares(first_counts, smoothing))
    later_log_shares = np.log(shares(later_counts.sum(axis=0), smoothing))
    stratified_log_shares = np.log(shares(later_counts, smoothing))
    markov_log_shares = np.log(shares(training_steps.sum(axis=0), smoothing))
    held_out_initial, reached_counts = (
        initial_by_document[is_held_out],
        steps_by_document[is_held_out].sum(axis=2),
    )
    transitions = steps_by_document[is_held_out].sum(axis=1)
    initial_logs = held_out_initial @ first_log_shares
    return np.column_stack(
        [
            (held_out_initial + reached_counts.sum(axis=1)) @ overall_log_shares,
            initial_logs + reached_counts.sum(axis=1) @ later_log_shares,
            initial_logs + (reached_counts * stratified_log_shares).sum(axis=(1, 2)),
            initial_logs + (transitions * markov_log_shares).sum(axis=(1, 2)),
        ]
    )


def _differences(
    values: Floats,
    mentions: Floats,
    draws: Floats,
    level: float,
    random_generator: np.random.Generator,
) -> Iterator[ModelDifference]:
    tail = (1 - level) / 2
    for column, other in enumerate(MODELS[:-1]):
        markov, other_model = values[:, -1], values[:, column]
        gains = markov - other_model
        low, high = np.quantile((draws @ gains) / (draws @ mentions), (tail, 1 - tail))
        test = permutation_test(markov, other_model, n_resamples=len(draws), rng=random_generator)
        mean = float(gains.sum() / mentions.sum())
        yield ModelDifference(other, mean, Interval(float(low), float(high), level), test.p)


_HINTS = {
    "documents": "give texts or a collection with documents, or use --of summaries",
    "summaries": "add summaries by people, or use --of documents",
}


@dataclass(frozen=True, slots=True)
class ReferenceOptions(Options):
    """How references are studied."""

    texts: TextKind = option("documents", "Texts to study.", flags=("--of",))
    add: float = option(
        0.0, "Number added to every transition count, so that no transition has probability zero.",
        metavar="N", min=0,
    )  # fmt: skip
    people: bool = option(
        False, "List all references to each person, as in Figure 5.12 of the thesis.",
        flags=("--people",),
    )  # fmt: skip
    n_resamples: int = resamples_option(
        1999, "Number of resamples of documents, for intervals and tests.", min=100, max=None
    )
    seed: int = option(0, "Random seed; the same seed gives the same result.", min=0)
    confidence_level: float = confidence_option(
        "Confidence level of the intervals.", on_command_line=False
    )


@dataclass(frozen=True, slots=True)
class PeopleFound:
    """The people of some texts (once per topic), and the ids of all texts (``topic/document``).

    `sizes` are the words and sentences of each text.
    """

    people: tuple[Person, ...]
    documents: tuple[str, ...]
    sizes: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()


def gather_people(
    collection: Collection,
    parser: Parser,
    part: StudyPart = EVERYTHING,
    *,
    of: TextKind = "documents",
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> PeopleFound:
    """Find the people in the texts of a collection, topic by topic."""
    part.require_in(collection)
    topics = [id for id in collection.topic_ids if not part.topic or id in part.topic]
    people: list[Person] = []
    sizes: dict[str, tuple[int, int]] = {}
    left_out: list[str] = []
    for index, topic in enumerate(topics):
        advance(index, len(topics))
        if texts := dict(_texts(collection, topic, part.task, of)):
            articles = Articles.of_texts(texts, parser)
            people += find_people(articles)
            for id in texts:
                sentences = articles.of(id)
                sizes[id] = sum(count_words(s.text) for s in sentences), len(sentences)
        else:
            left_out.append(f"{topic}: it has no {of}")
    if not sizes:
        raise InputError(f"there are no {of} in {collection.name}", hint=_HINTS[of])
    return PeopleFound(tuple(people), tuple(sizes), sizes, tuple(left_out))


def _texts(
    collection: Collection, topic: str, tasks: Sequence[str], kind: TextKind
) -> Iterator[tuple[str, str]]:
    """Yield a topic's documents, or its human summaries, each with its id."""
    if kind == "documents":
        for task in tasks or ("",):
            for document in collection.documents(topic, task):
                yield f"{topic}/{document.id}", document.text
    else:
        people = (s for s in collection.summaries if s.topic == topic and s.kind == "human")
        for summary in people:
            if not tasks or summary.task in tasks:
                yield "/".join(filter(None, (topic, summary.task, summary.system))), summary.plain


@dataclass(frozen=True, slots=True, eq=False)
class FeatureStudy:
    """A feature of mentions in a corpus: counts by document, both models, and their intervals.

    `comparison` says which model predicts better; None for very little text.
    """

    counts: SequenceCounts
    chain: MarkovChain
    stratified: StratifiedModel
    intervals: SequenceIntervals
    comparison: ModelComparison | None


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceStudy:
    """The people of a corpus, and how it refers to them.

    `features` are modification, name form, postmodification and premodifiers of chains that begin
    with the head of a phrase; heads only.
    """

    documents: int
    named: int  #: documents that name somebody
    people: int
    unsure: int  #: people who may be several
    chains: tuple[MentionChain, ...]
    features: tuple[FeatureStudy, ...]
    premodification: FeatureStudy  #: for Figure 5.8
    both: FeatureStudy  #: pre- and postmodified
    not_head: FeatureStudy  #: the name form in chains that do not begin with a head
    rates: tuple[Rate, ...] = ()

    @property
    def mentions(self) -> int:
        """The number of all mentions."""
        return sum(len(chain.mentions) for chain in self.chains)

    @property
    def heads(self) -> int:
        """The number of mentions that are heads of their phrases."""
        return sum(mention.head for chain in self.chains for mention in chain.mentions)

    @property
    def begin_with_head(self) -> int:
        """The number of chains that begin with a head."""
        return sum(chain.begins_with_head for chain in self.chains)


def study_references(
    people: PeopleFound, options: ReferenceOptions | None = None
) -> ReferenceStudy:
    """Count how texts refer to people, and compare both models."""
    if not (chains := mention_chains(people.people)):
        n_documents = len(people.documents)
        texts_text = "the text" if n_documents == 1 else f"any of {n_documents:,} texts"
        hint = "give more text, or another parser (--pipeline)"
        raise InputError(f"no person is named in {texts_text}", hint=hint)
    options = options or ReferenceOptions()
    heads, not_heads = (
        [chain for chain in chains if chain.begins_with_head == is_head]
        for is_head in (True, False)
    )

    def study_feature(chains: Sequence[MentionChain], feature: MentionFeature) -> FeatureStudy:
        counts = count_sequences(chains, feature, documents=people.documents)
        intervals = sequence_intervals(
            counts, add=options.add, n_resamples=options.n_resamples,
            confidence_level=options.confidence_level, rng=options.seed,
        )  # fmt: skip
        models = counts.chain(add=options.add), counts.stratified(add=options.add)
        is_mention_feature = feature in MENTION_FEATURES
        comparison = (
            compare_reference_models(counts, options, options.seed) if is_mention_feature else None
        )
        return FeatureStudy(counts, *models, intervals, comparison)

    return ReferenceStudy(
        documents=len(people.documents),
        named=len({chain.document for chain in chains}),
        people=len(people.people),
        unsure=sum(bool(person.unsure) for person in people.people),
        chains=tuple(chains),
        features=tuple(study_feature(heads, feature) for feature in MENTION_FEATURES),
        premodification=study_feature(heads, PREMODIFICATION),
        both=study_feature(heads, BOTH_MODIFICATIONS),
        not_head=study_feature(not_heads, NAME_FORM),
        rates=reference_rates(
            chains, people.people, people.sizes, kind=options.texts,
            n_resamples=options.n_resamples, level=options.confidence_level, rng=options.seed,
        ) if people.sizes else (),
    )  # fmt: skip
