"""Training models of cognitive status, and judging them."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np

from pyramidion._types import Bools, Floats
from pyramidion.collection import Collection
from pyramidion.collection.ids import grouped
from pyramidion.errors import InputError, MissingExtraError, ShapeError
from pyramidion.rewriting import (
    THESIS_FEATURES,
    Articles,
    Classifier,
    DescriptionModel,
    Linear,
    Mention,
    Person,
    Status,
    StatusModel,
    Tree,
    find_people,
    people_features,
    short_form,
    word_list,
)
from pyramidion.stats.inputs import ratio
from pyramidion.stats.mean_intervals import wilson_interval
from pyramidion.studies._affiliations import (
    RULES,
    AffiliationRule,
    affiliations_in,
    affiliations_of,
    can_postmodify,
    include_affiliation,
    postmodify,
    salience_list,
)
from pyramidion.studies._source import sentences_of
from pyramidion.text import ParsedSentence
from pyramidion.text.parsing import Parser


def share_interval(right: int, number: int) -> tuple[float, float]:
    """Return Wilson's interval at 95% for a share; nothing is known of the share of no example."""
    if not number:
        return math.nan, math.nan
    low, high = wilson_interval(np.array(float(right)), np.array(float(number)))
    return float(low), float(high)


_ATTACHED = ("apposition", "relative clause")
#: Tags of words within a noun phrase.
_INSIDE = frozenset({"NOUN", "PROPN", "ADJ", "NUM", "VERB"})
_SALIENT, _OTHER = "s", "n"


@dataclass(frozen=True, slots=True)
class Labels:
    """What summaries show of a person."""

    summaries: int
    named: int = 0  # by how many of them
    old_forms: int | None = 0  # first as somebody known; None: not looked at
    described: int = 0  # in an apposition or relative clause at first
    known: bool | None = None  # what an annotator says instead
    called: int = 0  # by how many only with a noun: *the ambassador*

    @property
    def major(self) -> bool:
        """Whether at least one summary names the person."""
        return self.named > 0

    @property
    def hearer_old(self) -> bool | None:
        """Whether most of those who name the person use a short form; nothing if nobody does."""
        if self.known is not None or self.old_forms is None:
            return self.known
        return 2 * self.old_forms > self.named if self.named else None

    @property
    def postmodified(self) -> bool | None:
        """Whether at least one describes the person after the name; nothing if nobody names."""
        return self.described > 0 if self.named else None


def summary_labels(person: Person, summaries: Sequence[str]) -> Labels:
    """Label a person from summaries (section 5.2.3)."""
    chains = [person.in_document(id) for id in summaries]
    # The first that is about the person, not about *the Bush administration*.
    heads = [own for chain in chains for own in [one for one in chain if one.head][:1]]
    return Labels(
        summaries=len(summaries),
        named=sum(map(bool, chains)),
        old_forms=sum(map(short_form, heads)),
        described=sum(mention.post in _ATTACHED for mention in heads),
    )


def gum_labels(salience: str, status: str) -> Labels:
    """Label a person from GUM's annotation of the first mention."""
    if not salience or set(salience) - {_SALIENT, _OTHER, "_"}:
        raise InputError(f"{salience!r} is not a salience", hint="give letters s and n")
    known = {"acc:com": True, "new": False}.get(status)
    return Labels(len(salience), named=salience.count(_SALIENT), old_forms=None, known=known)


@dataclass(frozen=True, slots=True)
class Judged:
    """Answers counted against the truth."""

    hits: int
    false_alarms: int
    misses: int
    rejections: int

    @classmethod
    def of(cls, truth: Sequence[bool] | Bools, answers: object) -> "Judged":
        """Count answers."""
        true, said = np.asarray(truth, dtype=np.bool_), np.asarray(answers, dtype=np.bool_)
        if true.shape != said.shape:
            hint = "give one for each"
            raise ShapeError(f"there are {len(said)} answers for {len(true)} examples", hint=hint)
        counted = (true & said, ~true & said, true & ~said, ~true & ~said)
        return cls(*(int(one.sum()) for one in counted))

    @property
    def number(self) -> int:
        """How many examples there are."""
        return self.hits + self.false_alarms + self.misses + self.rejections

    @property
    def right(self) -> int:
        """How many answers are right."""
        return self.hits + self.rejections

    @property
    def accuracy(self) -> float:
        """The share of right answers."""
        return ratio(self.right, self.number)

    @property
    def majority(self) -> float:
        """The accuracy of always giving the more frequent answer."""
        yes = self.hits + self.misses
        return ratio(max(yes, self.number - yes), self.number)

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval for the accuracy."""
        return share_interval(self.right, self.number)

    def yes(self) -> tuple[float, float, float]:
        """Return precision, recall and F for yes."""
        called, true = self.hits + self.false_alarms, self.hits + self.misses
        return ratio(self.hits, called), ratio(self.hits, true), ratio(2 * self.hits, called + true)

    def no(self) -> tuple[float, float, float]:
        """Return precision, recall and F for no."""
        return Judged(self.rejections, self.misses, self.false_alarms, self.hits).yes()


#: As many as in the thesis.
FOLDS = 20

#: ``linear`` is logistic regression, ``svm`` a support vector machine with a linear kernel like
#: the thesis' SMO, ``tree`` a decision tree like its J48.
Learner = Literal["linear", "svm", "tree"]
LEARNERS: tuple[Learner, ...] = ("linear", "svm", "tree")

#: What pruning asks a split of the tree to gain, in bits for each example.
_LEAST_GAIN = 0.02
_SMALLEST_LEAF = 5


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a classifier is trained."""

    learner: Learner
    features: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CrossValidation:
    """What classifiers say of examples that they were not trained on."""

    answers: Bools
    judged: Judged
    folds: int


def _learners(part: str) -> Any:
    """Return a part of scikit-learn."""
    from importlib import import_module

    try:
        return import_module(f"sklearn.{part}")
    except ImportError:
        raise MissingExtraError("training", extra="nlp") from None


def train_status(
    table: Floats,
    labels: Sequence[bool] | Bools,
    learner: Learner,
    *,
    features: Sequence[int] | None = None,
    seed: int = 0,
) -> Classifier:
    """Train a classifier."""
    truth = np.asarray(labels, dtype=np.bool_)
    chosen = tuple(range(table.shape[1])) if features is None else tuple(features)
    if truth.all() or not truth.any():
        hint = "give examples of both, for instance more topics"
        raise InputError(f"all {len(truth)} examples have one answer", hint=hint)
    fit = _tree if learner == "tree" else _linear
    return fit(table[:, chosen], truth, chosen, learner, seed)


def _linear(
    table: Floats, truth: Bools, chosen: tuple[int, ...], learner: Learner, seed: int
) -> Classifier:
    centers, spread = table.mean(axis=0), table.std(axis=0)
    # A feature that never changes teaches nothing.
    scales = np.where(spread > 0, spread, 1.0)
    if learner == "svm":
        fitted = _learners("svm").LinearSVC(C=0.1, random_state=seed, max_iter=100_000)
    else:
        fitted = _learners("linear_model").LogisticRegression(C=0.1, max_iter=10_000)
    fitted.fit((table - centers) / scales, truth)
    means, spreads, weights = (tuple(own.tolist()) for own in (centers, scales, fitted.coef_[0]))
    return Linear(chosen, means, spreads, weights, float(fitted.intercept_[0]))


def _tree(
    table: Floats, truth: Bools, chosen: tuple[int, ...], learner: Learner, seed: int
) -> Classifier:
    tree = _learners(learner).DecisionTreeClassifier(
        criterion="entropy", min_samples_leaf=_SMALLEST_LEAF, ccp_alpha=_LEAST_GAIN,
        random_state=seed,
    )  # fmt: skip
    fitted = tree.fit(table, truth).tree_
    inner = fitted.children_left >= 0
    asked = tuple(chosen[f] if own else -1 for f, own in zip(fitted.feature, inner, strict=True))
    numbers = (fitted.threshold, fitted.children_left, fitted.children_right)
    shares = fitted.value[:, 0, 1] / fitted.value[:, 0].sum(axis=1)
    at, left, right = (tuple(np.where(inner, own, 0).tolist()) for own in numbers)
    return Tree(asked, at, left, right, tuple(shares.tolist()))


def cross_validate(
    table: Floats,
    labels: Sequence[bool] | Bools,
    learner: Learner,
    *,
    groups: Sequence[str] | None = None,
    features: Sequence[int] | None = None,
    folds: int = FOLDS,
    seed: int = 0,
) -> CrossValidation:
    """Let classifiers answer for examples that they did not see."""
    truth = np.asarray(labels, dtype=np.bool_)
    fewest = int(min(truth.sum(), (~truth).sum()))
    parts = min(folds, fewest, len(truth if groups is None else set(groups)))
    if parts < 2:
        what = f"{len(truth)} examples, {fewest} of the rarer answer, are too few to be divided"
        raise InputError(what, hint="give more topics")
    name = "StratifiedKFold" if groups is None else "StratifiedGroupKFold"
    divided = getattr(_learners("model_selection"), name)(parts, shuffle=True, random_state=seed)
    answers = np.zeros(len(truth), dtype=np.bool_)
    for rest, held in divided.split(table, truth, groups):
        if truth[rest].all() or not truth[rest].any():
            answers[held] = truth[rest][0]
        else:
            fitted = train_status(table[rest], truth[rest], learner, features=features, seed=seed)
            answers[held] = fitted.probabilities(table[held]) > 0.5
    return CrossValidation(answers, Judged.of(truth, answers), parts)


#: What the ids of summaries begin with where they are read beside documents.
_SUMMARY = "summary by "


@dataclass(frozen=True, slots=True)
class FirstMention:
    """How a summary mentions somebody first, and what it said before."""

    summary: str  # who wrote it
    mention: Mention
    sentences: tuple[ParsedSentence, ...]  # of the whole summary


@dataclass(frozen=True, slots=True)
class Example:
    """A person of an input, and what human summaries show."""

    topic: str
    task: str
    person: Person
    labels: Labels
    firsts: tuple[FirstMention, ...] = ()  # first mention of each summary, as the head of a phrase


def examples_of(
    documents: Articles, summaries: Articles, *, topic: str, task: str = ""
) -> list[Example]:
    """Label the people named in documents by the summaries, where names are looked for at once."""
    marked = tuple(replace(own, document=_SUMMARY + own.document) for own in summaries)
    ids = tuple(_SUMMARY + id for id in summaries.documents)
    people = find_people(Articles((*documents.sentences, *marked), documents.parser))
    nouns, called = _person_nouns(people), _nouns_alone(people, marked)
    inputs = {*documents.documents}
    found = []
    for person in people:
        own = replace(
            person,
            mentions=tuple(m for m in person.mentions if m.sentence.document in inputs),
            descriptions=tuple(d for d in person.descriptions if d.sentence.document in inputs),
        )
        if own.mentions:
            labels = replace(summary_labels(person, ids), called=_called(person, nouns, called))
            firsts = tuple(_firsts(person, ids, marked))
            found.append(Example(topic, task, own, labels, firsts))
    return found


def _role_words() -> frozenset[str]:
    """Return nouns that say who somebody is; *a man* says too little, *her mother* whose."""
    other = word_list("vague") | word_list("relations") | word_list("bodies")
    return word_list("roles") - other - {"head", "center"}


def _person_nouns(people: Sequence[Person]) -> dict[str, list[Person]]:
    """Return the people that documents describe by each noun, beside the name or by a copula."""
    owners: dict[str, list[Person]] = {}
    for person in people:
        spans = [(m.sentence, m.phrase_first, m.first - 1) for m in person.mentions]
        said = [*person.described_by("apposition"), *person.described_by("copula")]
        spans += [(own.sentence, own.first, own.last) for own in said]
        words = {
            word.text.lower()
            for sentence, first, last in spans
            if not sentence.document.startswith(_SUMMARY)
            for word in sentence.words[first : last + 1]
        }
        for noun in words & _role_words():
            owners.setdefault(noun, []).append(person)
    return owners


def _nouns_alone(
    people: Sequence[Person], summaries: Sequence[ParsedSentence]
) -> dict[str, set[str]]:
    """Return the nouns for a single person in each summary that are not beside a name."""
    spans = [
        (own.sentence, own.phrase_first, max(own.last, own.post_last))
        for person in people
        for own in person.mentions
    ]
    spans += [(o.sentence, o.first, o.last) for person in people for o in person.descriptions]
    beside = {
        (own.document, own.index, place)
        for own, first, last in spans
        for place in range(first, last + 1)
    }
    found: dict[str, set[str]] = {}
    for own in summaries:
        for place, word in enumerate(own.words):
            named = (own.document, own.index, place) in beside
            if word.text in _role_words() and not named and _heads_a_phrase(own, place):
                found.setdefault(own.document, set()).add(word.text)
    return found


def _heads_a_phrase(sentence: ParsedSentence, place: int) -> bool:
    """Return whether a noun ends a phrase that a determiner or possessor opens."""
    tags = [*(word.tag for word in sentence.words), ""]
    opening = place
    while opening and tags[opening] in _INSIDE:
        opening -= 1
    opens = tags[opening] in {"DET", "PRON", "PART"}
    return tags[place] in {"NOUN", "PROPN"} and tags[place + 1] not in {"NOUN", "PROPN"} and opens


def _called(
    person: Person, nouns: Mapping[str, list[Person]], called: Mapping[str, set[str]]
) -> int:
    """Count the summaries that do not name somebody, but use a noun that fits nobody else."""
    own = {noun for noun, owners in nouns.items() if len(owners) == 1 and owners[0] is person}
    named = {mention.sentence.document for mention in person.mentions}
    return sum(bool(own & there) for text, there in called.items() if text not in named)


def _firsts(
    person: Person, ids: Sequence[str], sentences: Sequence[ParsedSentence]
) -> Iterator[FirstMention]:
    for id in ids:
        if first := next((own for own in person.in_document(id) if own.head), None):
            whole = tuple(sentence for sentence in sentences if sentence.document == id)
            yield FirstMention(id.removeprefix(_SUMMARY), first, whole)


def collection_examples(
    collection: Collection, parser: Parser, *, topics: Sequence[str] = (), tasks: Sequence[str] = ()
) -> tuple[list[Example], list[str]]:
    """Label the people of a collection's inputs by its references."""
    found: list[Example] = []
    left_out: list[str] = []
    for topic in topics or collection.topic_ids:
        for task in tasks or collection.task_ids or ("",):
            documents = collection.documents(topic, task)
            references = collection.references(topic, task)
            if documents and references:
                inputs = Articles.of_texts({own.id: own.text for own in documents}, parser)
                written = Articles.of_sentences(
                    ((own.system, sentences_of(own)) for own in references), parser
                )
                found += examples_of(inputs, written, topic=topic, task=task)
            else:
                lacking = "documents" if references else "references"
                where = f"topic {topic}{f', task {task}' if task else ''}"
                left_out.append(f"{where}: no {lacking}")
    return found, left_out


#: What is asked of a person.
Question = str
#: How classifiers are trained for each question: as in the thesis, but for logistic regression in
#: place of a support vector machine, which has no probabilities.
RECIPES: Mapping[Question, Recipe] = {
    "major": Recipe("tree", THESIS_FEATURES),
    "hearer_old": Recipe("linear", THESIS_FEATURES),
}


@dataclass(frozen=True, slots=True)
class LabelAgreement:
    """How many of the people that some summaries name were found."""

    named: int  # in how many summaries
    summaries: int
    examples: int
    recalled: int  # called major

    @property
    def recall(self) -> float:
        """The share that was found."""
        return self.recalled / self.examples


def _judged(pairs: Iterable[tuple[bool | None, bool]]) -> Judged:
    """Count answers against the truth, where it is known."""
    known = [(truth, answer) for truth, answer in pairs if truth is not None]
    return Judged.of([truth for truth, _ in known], [answer for _, answer in known])


def judge_status(examples: Sequence[Example], statuses: Sequence[Status]) -> dict[Question, Judged]:
    """Count how often statuses agree with the summaries."""
    both = list(zip((example.labels for example in examples), statuses, strict=True))
    return {
        question: _judged((getattr(own, question), getattr(said, question)) for own, said in both)
        for question in RECIPES
    }


def recall_by_agreement(examples: Sequence[Example], major: Sequence[bool]) -> list[LabelAgreement]:
    """Count how many people were found, by how many summaries name them (Table 5.4)."""
    groups = grouped(
        ((example.labels.summaries, example.labels.named), bool(said))
        for example, said in zip(examples, major, strict=True)
        if example.labels.major
    )
    return [
        LabelAgreement(named, summaries, len(said), sum(said))
        for (summaries, named), said in sorted(groups.items())
    ]


def _training_set(
    examples: Iterable[Example], question: Question, descriptions: DescriptionModel
) -> tuple[Floats, list[bool], list[str]]:
    """Return features, answers and topics of the people whose answer is known."""
    answers = ((example, getattr(example.labels, question)) for example in examples)
    known = [(example, truth) for example, truth in answers if truth is not None]
    table = people_features((example.person for example, _ in known), descriptions)
    return table, [truth for _, truth in known], [example.topic for example, _ in known]


def validate_status(
    examples: Sequence[Example],
    question: Question,
    model: StatusModel,
    *,
    grouped: bool,
    folds: int = FOLDS,
    seed: int = 0,
) -> CrossValidation:
    """Cross-validate classifiers that are trained on a collection's own people."""
    table, truth, topics = _training_set(examples, question, model.descriptions)
    recipe, groups = RECIPES[question], topics if grouped else None
    return cross_validate(
        table, truth, recipe.learner, features=recipe.features, groups=groups, folds=folds,
        seed=seed,
    )  # fmt: skip


def judge_affiliation(
    examples: Sequence[Example], statuses: Sequence[Status]
) -> dict[AffiliationRule, Judged]:
    """Compare rules with summaries, for those whose affiliation the input gives (Table 5.5)."""
    truth: list[bool] = []
    answers: dict[AffiliationRule, list[bool]] = {rule: [] for rule in RULES}
    people = grouped((example.topic, example.person) for example in examples)
    for example, status in zip(examples, statuses, strict=True):
        own = affiliations_of(example.person)
        for first in example.firsts if own else ():
            salience = salience_list(
                first.sentences, sentence=first.mention.sentence.index,
                word=first.mention.phrase_first, people=people[example.topic],
            )  # fmt: skip
            truth.append(any(key in own for key in affiliations_in(first.mention)))
            decide = partial(include_affiliation, example.person, salience, status)
            for rule, said in answers.items():
                said.append(decide(rule, affiliations=own))
    return {rule: Judged.of(truth, said) for rule, said in answers.items()}


def judge_postmodification(examples: Sequence[Example], statuses: Sequence[Status]) -> Judged:
    """Compare `postmodify` with summaries, for people that the input describes so (5.2.5)."""
    return _judged(
        (example.labels.postmodified, postmodify(example.person, status))
        for example, status in zip(examples, statuses, strict=True)
        if example.labels.named and can_postmodify(example.person)
    )


def train_model(
    examples: Sequence[Example],
    descriptions: DescriptionModel,
    *,
    data: str,
    recipes: Mapping[str, Recipe] = RECIPES,
    card: Mapping[str, Any] | None = None,
    seed: int = 0,
) -> StatusModel:
    """Train both classifiers on all labeled people."""
    fitted, majority, numbers, accuracy = {}, {}, {}, {}
    for question in ("major", "hearer_old"):
        table, truth, topics = _training_set(examples, question, descriptions)
        if not truth:
            what = f"it is not known of anybody whether they are {question.replace('_', '-')}"
            raise InputError(what, hint="give documents and references that name people")
        learner, features = recipes[question].learner, recipes[question].features
        fitted[question] = train_status(table, truth, learner, features=features, seed=seed)
        # Of too few people nothing is known.
        with suppress(InputError):
            held = cross_validate(
                table, truth, learner, groups=topics, features=features, seed=seed
            )
            accuracy[question] = round(held.judged.accuracy, 6)
        majority[question] = round(sum(truth) / len(truth), 6)
        numbers[f"people_{question}"] = len(truth)
    about = {"data": data, **numbers, "accuracy": accuracy, **(card or {})}
    return StatusModel(fitted["major"], fitted["hearer_old"], majority, descriptions, about)
