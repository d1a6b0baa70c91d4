"""Training and evaluating models of cognitive status."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np

from pyramidion._types import Bools, Floats
from pyramidion.collection import Collection
from pyramidion.collection.ids import grouped
from pyramidion.errors import InputError, MissingExtraError, ShapeError
from pyramidion.rewriting import (
    NORMALIZED_FEATURES,
    STATUS_FEATURES,
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
    AFFILIATION_RULES,
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


def share_interval(n_right: int, n_examples: int) -> tuple[float, float]:
    """Return Wilson's interval at 95% for a share; NaN without examples."""
    if not n_examples:
        return math.nan, math.nan
    low, high = wilson_interval(np.array(float(n_right)), np.array(float(n_examples)))
    return float(low), float(high)


_ATTACHED_POSTMODIFIERS = ("apposition", "relative clause")
#: Tags of words within a noun phrase.
_INNER_TAGS = frozenset({"NOUN", "PROPN", "ADJ", "NUM", "VERB"})
_SALIENT_MARK, _OTHER_MARK = "s", "n"


@dataclass(frozen=True, slots=True)
class Labels:
    """How summaries refer to a person."""

    summaries: int
    named: int = 0  # summaries that name the person
    old_forms: int | None = 0  # ... first in a short form; None if unknown
    described: int = 0  # ... first with an apposition or relative clause
    annotated: bool | None = None  # hearer-old according to an annotator
    called: int = 0  # summaries with a noun only: *the ambassador*

    @property
    def major(self) -> bool:
        """Whether at least one summary names the person."""
        return self.named > 0

    @property
    def hearer_old(self) -> bool | None:
        """Whether most summaries that name the person use a short form; None if none names them."""
        if self.annotated is not None or self.old_forms is None:
            return self.annotated
        return 2 * self.old_forms > self.named if self.named else None

    @property
    def postmodified(self) -> bool | None:
        """Whether a summary describes the person after the name; None if none names them."""
        return self.described > 0 if self.named else None


def summary_labels(person: Person, summaries: Sequence[str]) -> Labels:
    """Label a person from summaries (section 5.2.3)."""
    chains = [person.in_document(id) for id in summaries]
    # Mentions of the person, not of *the Bush administration*.
    first_mentions = (
        next((mention for mention in chain if mention.head), None) for chain in chains
    )
    heads = [mention for mention in first_mentions if mention]
    return Labels(
        summaries=len(summaries),
        named=sum(map(bool, chains)),
        old_forms=sum(map(short_form, heads)),
        described=sum(mention.post in _ATTACHED_POSTMODIFIERS for mention in heads),
    )


def gum_labels(salience: str, status: str) -> Labels:
    """Label a person from GUM's annotation of the first mention."""
    if not salience or set(salience) - {_SALIENT_MARK, _OTHER_MARK, "_"}:
        raise InputError(f"{salience!r} is not a salience", hint="use letters s and n")
    hearer_old = {"acc:com": True, "new": False}.get(status)
    return Labels(len(salience), salience.count(_SALIENT_MARK), None, annotated=hearer_old)


@dataclass(frozen=True, slots=True)
class AnswerCounts:
    """Answers counted against the truth."""

    hits: int
    false_alarms: int
    misses: int
    rejections: int

    @classmethod
    def of(cls, truth: Sequence[bool] | Bools, answers: object) -> "AnswerCounts":
        """Count answers."""
        true_labels, predicted_labels = (
            np.asarray(truth, dtype=np.bool_),
            np.asarray(answers, dtype=np.bool_),
        )
        if true_labels.shape != predicted_labels.shape:
            problem = f"there are {len(predicted_labels)} answers for {len(true_labels)} examples"
            raise ShapeError(problem, hint="give one for each")
        case_masks = (
            true_labels & predicted_labels,
            ~true_labels & predicted_labels,
            true_labels & ~predicted_labels,
            ~true_labels & ~predicted_labels,
        )
        return cls(*(int(mask.sum()) for mask in case_masks))

    @property
    def number(self) -> int:
        """The number of examples."""
        return self.hits + self.false_alarms + self.misses + self.rejections

    @property
    def right(self) -> int:
        """The number of correct answers."""
        return self.hits + self.rejections

    @property
    def accuracy(self) -> float:
        """The share of correct answers."""
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
        n_called, n_true = self.hits + self.false_alarms, self.hits + self.misses
        return (
            ratio(self.hits, n_called),
            ratio(self.hits, n_true),
            ratio(2 * self.hits, n_called + n_true),
        )

    def no(self) -> tuple[float, float, float]:
        """Return precision, recall and F for no."""
        return AnswerCounts(self.rejections, self.misses, self.false_alarms, self.hits).yes()


#: As in the thesis.
DEFAULT_FOLDS = 20

#: ``linear`` is logistic regression, ``svm`` a support vector machine with a linear kernel like
#: the thesis's SMO (its margins are not calibrated probabilities), ``tree`` a decision tree like
#: its J48.
Learner = Literal["linear", "svm", "tree"]
LEARNERS: tuple[Learner, ...] = ("linear", "svm", "tree")

#: The minimum gain of a split that survives pruning, in bits per example.
_MIN_GAIN = 0.02
_MIN_LEAF_SIZE = 5


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a classifier is trained."""

    learner: Learner
    features: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CrossValidation:
    """Answers of classifiers to examples that they were not trained on."""

    answers: Bools
    judged: AnswerCounts
    folds: int


def _import_sklearn(module: str) -> Any:
    """Import a module of scikit-learn."""
    from importlib import import_module

    try:
        return import_module(f"sklearn.{module}")
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
    columns = tuple(range(table.shape[1])) if features is None else tuple(features)
    if truth.all() or not truth.any():
        hint = "give examples of both answers, for instance more topics"
        raise InputError(f"all {len(truth)} examples have one answer", hint=hint)
    fit = _fit_tree if learner == "tree" else _fit_linear
    return fit(table[:, columns], truth, columns, learner, seed)


def _fit_linear(
    table: Floats, truth: Bools, columns: tuple[int, ...], learner: Learner, seed: int
) -> Classifier:
    centers, spread = table.mean(axis=0), table.std(axis=0)
    # Constant features are not scaled.
    scales = np.where(spread > 0, spread, 1.0)
    if learner == "svm":
        classifier = _import_sklearn("svm").LinearSVC(C=0.1, random_state=seed, max_iter=100_000)
    else:
        classifier = _import_sklearn("linear_model").LogisticRegression(C=0.1, max_iter=10_000)
    classifier.fit((table - centers) / scales, truth)
    means, spreads, weights = (
        tuple(row.tolist()) for row in (centers, scales, classifier.coef_[0])
    )
    return Linear(columns, means, spreads, weights, float(classifier.intercept_[0]))


def _fit_tree(
    table: Floats, truth: Bools, columns: tuple[int, ...], learner: Learner, seed: int
) -> Classifier:
    tree = _import_sklearn(learner).DecisionTreeClassifier(
        criterion="entropy", min_samples_leaf=_MIN_LEAF_SIZE, ccp_alpha=_MIN_GAIN,
        random_state=seed,
    )  # fmt: skip
    fitted_tree = tree.fit(table, truth).tree_
    is_inner = fitted_tree.children_left >= 0
    features = tuple(columns[f] if f >= 0 else -1 for f in fitted_tree.feature)
    node_columns = (fitted_tree.threshold, fitted_tree.children_left, fitted_tree.children_right)
    shares = fitted_tree.value[:, 0, 1] / fitted_tree.value[:, 0].sum(axis=1)
    thresholds, left, right = (
        tuple(np.where(is_inner, column, 0).tolist()) for column in node_columns
    )
    return Tree(features, thresholds, left, right, tuple(shares.tolist()))


def cross_validate(
    table: Floats,
    labels: Sequence[bool] | Bools,
    learner: Learner,
    *,
    groups: Sequence[str] | None = None,
    features: Sequence[int] | None = None,
    folds: int = DEFAULT_FOLDS,
    seed: int = 0,
) -> CrossValidation:
    """Cross-validate classifiers."""
    truth = np.asarray(labels, dtype=np.bool_)
    n_rarer = int(min(truth.sum(), (~truth).sum()))
    n_folds = min(folds, n_rarer, len(truth if groups is None else set(groups)))
    if n_folds < 2:
        problem = f"{len(truth)} examples, {n_rarer} of the rarer answer, are too few to be divided"
        raise InputError(problem, hint="give more topics")
    splitter_name = "StratifiedKFold" if groups is None else "StratifiedGroupKFold"
    splits = getattr(_import_sklearn("model_selection"), splitter_name)(
        n_folds, shuffle=True, random_state=seed
    )
    answers = np.zeros(len(truth), dtype=np.bool_)
    for training_rows, held_out_rows in splits.split(table, truth, groups):
        if truth[training_rows].all() or not truth[training_rows].any():
            answers[held_out_rows] = truth[training_rows][0]
        else:
            training_data = table[training_rows], truth[training_rows]
            fitted_model = train_status(*training_data, learner, features=features, seed=seed)
            answers[held_out_rows] = fitted_model.probabilities(table[held_out_rows]) > 0.5
    return CrossValidation(answers, AnswerCounts.of(truth, answers), n_folds)


#: Prefix of the ids of summaries among documents.
_SUMMARY_PREFIX = "summary by "


@dataclass(frozen=True, slots=True)
class FirstMention:
    """The first mention of a person in a summary."""

    summary: str  # its writer
    mention: Mention
    sentences: tuple[ParsedSentence, ...]  # of the whole summary


@dataclass(frozen=True, slots=True)
class Example:
    """A person of an input, with labels from human summaries."""

    topic: str
    task: str
    person: Person
    labels: Labels
    firsts: tuple[FirstMention, ...] = ()  # first mention of each summary, as the head of a phrase
    documents: int = 0  # of the input


def examples_of(
    documents: Articles, summaries: Articles, *, topic: str, task: str = ""
) -> list[Example]:
    """Label the people of documents by the summaries; names are resolved in both together."""
    summary_sentences = tuple(replace(s, document=_SUMMARY_PREFIX + s.document) for s in summaries)
    ids = tuple(_SUMMARY_PREFIX + id for id in summaries.documents)
    people = find_people(Articles((*documents.sentences, *summary_sentences), documents.parser))
    nouns, called_texts = _person_nouns(people), _nouns_without_names(people, summary_sentences)
    inputs = {*documents.documents}
    examples = []
    for person in people:
        input_person = replace(
            person,
            mentions=tuple(m for m in person.mentions if m.sentence.document in inputs),
            descriptions=tuple(d for d in person.descriptions if d.sentence.document in inputs),
        )
        if input_person.mentions:
            labels = replace(
                summary_labels(person, ids),
                called=_count_called_by_noun(person, nouns, called_texts),
            )
            firsts = tuple(_first_mentions(person, ids, summary_sentences))
            examples.append(Example(topic, task, input_person, labels, firsts, len(inputs)))
    return examples


def _role_words() -> frozenset[str]:
    """Return nouns that identify somebody, unlike *a man* or *her mother*."""
    vague_words = word_list("vague") | word_list("relations") | word_list("bodies")
    return word_list("roles") - vague_words - {"head", "center"}


def _person_nouns(people: Sequence[Person]) -> dict[str, list[Person]]:
    """Return the people that documents describe by each noun, next to the name or by a copula."""
    people_by_noun: dict[str, list[Person]] = {}
    for person in people:
        spans = [(m.sentence, m.phrase_first, m.first - 1) for m in person.mentions]
        descriptions = [*person.described_by("apposition"), *person.described_by("copula")]
        spans += [(d.sentence, d.first, d.last) for d in descriptions]
        words = {
            word.text.lower()
            for sentence, first, last in spans
            if not sentence.document.startswith(_SUMMARY_PREFIX)
            for word in sentence.words[first : last + 1]
        }
        for noun in words & _role_words():
            people_by_noun.setdefault(noun, []).append(person)
    return people_by_noun


def _nouns_without_names(
    people: Sequence[Person], summaries: Sequence[ParsedSentence]
) -> dict[str, set[str]]:
    """Return the nouns for a single person in each summary that are not next to a name."""
    mentions = [mention for person in people for mention in person.mentions]
    spans = [(m.sentence, m.phrase_first, max(m.last, m.post_last)) for m in mentions]
    spans += [(d.sentence, d.first, d.last) for person in people for d in person.descriptions]
    name_positions = {
        (sentence.document, sentence.index, position)
        for sentence, first, last in spans
        for position in range(first, last + 1)
    }
    nouns_by_summary: dict[str, set[str]] = {}
    for sentence in summaries:
        for position, word in enumerate(sentence.words):
            is_in_name = (sentence.document, sentence.index, position) in name_positions
            if (
                word.text in _role_words()
                and not is_in_name
                and _heads_a_phrase(sentence, position)
            ):
                nouns_by_summary.setdefault(sentence.document, set()).add(word.text)
    return nouns_by_summary


def _heads_a_phrase(sentence: ParsedSentence, position: int) -> bool:
    """Return whether a noun ends a phrase that a determiner or possessor begins."""
    tags, nouns = [*(word.tag for word in sentence.words), ""], {"NOUN", "PROPN"}
    phrase_start = position
    while phrase_start and tags[phrase_start] in _INNER_TAGS:
        phrase_start -= 1
    ends_phrase = tags[position] in nouns and tags[position + 1] not in nouns
    return ends_phrase and tags[phrase_start] in {"DET", "PRON", "PART"}


def _count_called_by_noun(
    person: Person, nouns: Mapping[str, list[Person]], called_texts: Mapping[str, set[str]]
) -> int:
    """Count the summaries that use a noun which fits only this person, but not the name."""
    unique_nouns = {
        noun
        for noun, noun_people in nouns.items()
        if len(noun_people) == 1 and noun_people[0] is person
    }
    documents_naming = {mention.sentence.document for mention in person.mentions}
    return sum(
        bool(unique_nouns & text_words)
        for text, text_words in called_texts.items()
        if text not in documents_naming
    )


def _first_mentions(
    person: Person, ids: Sequence[str], sentences: Sequence[ParsedSentence]
) -> Iterator[FirstMention]:
    for id in ids:
        if first_mention := next(
            (mention for mention in person.in_document(id) if mention.head), None
        ):
            summary = tuple(sentence for sentence in sentences if sentence.document == id)
            yield FirstMention(id.removeprefix(_SUMMARY_PREFIX), first_mention, summary)


def collection_examples(
    collection: Collection, parser: Parser, *, topics: Sequence[str] = (), tasks: Sequence[str] = ()
) -> tuple[list[Example], list[str]]:
    """Label the people of a collection's inputs by its references."""
    examples: list[Example] = []
    left_out: list[str] = []
    for topic in topics or collection.topic_ids:
        for task in tasks or collection.task_ids or ("",):
            documents = collection.documents(topic, task)
            references = collection.references(topic, task)
            if documents and references:
                inputs = Articles.of_texts({d.id: d.text for d in documents}, parser)
                sentences = ((r.system, sentences_of(r)) for r in references)
                summary_articles = Articles.of_sentences(sentences, parser)
                examples += examples_of(inputs, summary_articles, topic=topic, task=task)
            else:
                missing_part = "documents" if references else "references"
                scope = f"topic {topic}{f', task {task}' if task else ''}"
                left_out.append(f"{scope}: no {missing_part}")
    return examples, left_out


#: The property predicted about a person.
Question = str
#: The best learner for each question according to the thesis.
_PUBLISHED_LEARNERS: Mapping[Question, Learner] = {
    "major": "tree", "hearer_old": "svm", "postmodified": "tree",
}  # fmt: skip
STATUS_QUESTIONS: tuple[Question, ...] = ("major", "hearer_old")


def recipes_for(learner: Learner | None, *, normalized: bool) -> dict[Question, Recipe]:
    """Return how classifiers are trained: by one learner, or for each question as in the thesis."""
    features = NORMALIZED_FEATURES if normalized else THESIS_FEATURES
    return {
        name: Recipe(learner or published_learner, features)
        for name, published_learner in _PUBLISHED_LEARNERS.items()
    }


THESIS_RECIPES: Mapping[Question, Recipe] = recipes_for(None, normalized=False)


@dataclass(frozen=True, slots=True)
class LabelAgreement:
    """How many people named in a given number of summaries were recalled."""

    named: int  # number of summaries that name them
    summaries: int
    examples: int
    recalled: int  # predicted as major

    @property
    def recall(self) -> float:
        """The share of people recalled."""
        return self.recalled / self.examples


def _count_answers(pairs: Iterable[tuple[bool | None, bool]]) -> AnswerCounts:
    """Count answers against the truth, where it is known."""
    labeled_pairs = [(truth, answer) for truth, answer in pairs if truth is not None]
    return AnswerCounts.of(
        [truth for truth, _ in labeled_pairs], [answer for _, answer in labeled_pairs]
    )


def judge_status(
    examples: Sequence[Example], statuses: Sequence[Status]
) -> dict[Question, AnswerCounts]:
    """Count how often predicted statuses agree with the summaries."""
    answered_pairs = list(zip((example.labels for example in examples), statuses, strict=True))
    truth_by_status = {
        name: [getattr(labels, name) for labels, _ in answered_pairs] for name in STATUS_QUESTIONS
    }
    answers_by_status = {
        name: [getattr(status, name) for _, status in answered_pairs] for name in STATUS_QUESTIONS
    }
    return {
        name: _count_answers(zip(truth_by_status[name], answers_by_status[name], strict=True))
        for name in STATUS_QUESTIONS
    }


def recall_by_agreement(
    examples: Sequence[Example], is_major: Sequence[bool]
) -> list[LabelAgreement]:
    """Count recalled people by the number of summaries that name them (Table 5.4)."""
    groups = grouped(
        ((example.labels.summaries, example.labels.named), bool(answer))
        for example, answer in zip(examples, is_major, strict=True)
        if example.labels.major
    )
    return [
        LabelAgreement(n_named, summaries, len(answers), sum(answers))
        for (summaries, n_named), answers in sorted(groups.items())
    ]


class TrainingSet(NamedTuple):
    """Features, answers and topics of the people whose answer is known."""

    table: Floats
    truth: list[bool]
    topics: list[str]


def training_set(
    examples: Iterable[Example], question: Question, descriptions: DescriptionModel
) -> TrainingSet:
    """Collect people whose answer is known; for postmodification, those the input describes."""
    answers = ((example, getattr(example.labels, question)) for example in examples)
    labeled_examples = [
        (example, truth)
        for example, truth in answers
        if truth is not None and (question in STATUS_QUESTIONS or can_postmodify(example.person))
    ]
    people, sizes = (
        [getattr(e, name) for e, _ in labeled_examples] for name in ("person", "documents")
    )
    table = people_features(people, descriptions, sizes)
    return TrainingSet(
        table, [truth for _, truth in labeled_examples], [e.topic for e, _ in labeled_examples]
    )


#: Names of the features of postmodification: the predicted statuses come last.
POSTMODIFICATION_FEATURES = (*STATUS_FEATURES, "predicted major", "predicted hearer-old")


def with_statuses(
    examples: Sequence[Example], model: StatusModel, answers: Mapping[Question, Bools]
) -> TrainingSet:
    """Return the training set of postmodification, with predicted statuses as features (5.2.5)."""
    missing_question = next(
        (question for question in STATUS_QUESTIONS if question not in answers), None
    )
    if missing_question is not None:
        problem = f"the feature {missing_question.replace('_', '-')} could not be predicted"
        raise InputError(problem, hint="give more topics")
    training_data = training_set(examples, "postmodified", model.descriptions)
    columns = []
    for question in STATUS_QUESTIONS:
        labeled_examples = (e for e in examples if getattr(e.labels, question) is not None)
        pairs = zip(labeled_examples, answers[question], strict=True)
        columns.append(
            [
                is_predicted
                for e, is_predicted in pairs
                if e.labels.named and can_postmodify(e.person)
            ]
        )
    return training_data._replace(table=np.column_stack([training_data.table, *columns]))


@dataclass(frozen=True, slots=True)
class SelectedFeature:
    """A feature that was selected for a question."""

    question: Question
    feature: str
    correlation: float  # with yes
    published: bool | None  # selected in the thesis; None for features it does not have


#: The features selected in section 5.2.5.
_SELECTED_FEATURES: Mapping[Question, tuple[int, ...]] = {
    "major": (1, 4, 5, 6, 8, 9, 12, 14, 16), "hearer_old": (0, 1, 2, 3, 5, 10, 13, 14),
    "postmodified": (14, 17, len(STATUS_FEATURES) + 1),
}  # fmt: skip


def select_features(
    data: TrainingSet, question: Question, features: Sequence[int]
) -> list[SelectedFeature]:
    """Select features that go with the answer but not with each other, the best first.

    One feature after the other is added while this raises the merit of M. Hall's correlation-based
    feature selection, the default of the thesis's toolkit; here with Pearson's coefficients.
    """
    varying_features = [index for index in features if np.ptp(data.table[:, index]) > 0]
    if not varying_features or len({*data.truth}) < 2:
        return []
    signed_correlations = np.corrcoef(
        data.table[:, varying_features].T, np.array(data.truth, dtype=np.float64)
    )
    correlation_sizes = np.abs(signed_correlations)

    def merit(columns: Sequence[int]) -> float:
        return float(
            correlation_sizes[columns, -1].sum()
            / math.sqrt(correlation_sizes[np.ix_(columns, columns)].sum())
        )

    selected_columns: list[int] = []
    while remaining_columns := [
        column for column in range(len(varying_features)) if column not in selected_columns
    ]:
        best_column = max(remaining_columns, key=lambda column: merit([*selected_columns, column]))
        if selected_columns and merit([*selected_columns, best_column]) <= merit(selected_columns):
            break
        selected_columns.append(best_column)
    published_features = {
        *THESIS_FEATURES,
        *range(len(STATUS_FEATURES), len(POSTMODIFICATION_FEATURES)),
    }
    return [
        SelectedFeature(
            question, POSTMODIFICATION_FEATURES[index], float(signed_correlations[column, -1]),
            index in _SELECTED_FEATURES[question] if index in published_features else None,
        )
        for column in selected_columns
        for index in [varying_features[column]]
    ]  # fmt: skip


def judge_affiliation(
    examples: Sequence[Example], statuses: Sequence[Status]
) -> dict[AffiliationRule, AnswerCounts]:
    """Compare rules with summaries, for people whose affiliation the input gives (Table 5.5)."""
    truth: list[bool] = []
    answers: dict[AffiliationRule, list[bool]] = {rule: [] for rule in AFFILIATION_RULES}
    people = grouped((example.topic, example.person) for example in examples)
    for example, status in zip(examples, statuses, strict=True):
        affiliations = affiliations_of(example.person)
        for first_mention in example.firsts if affiliations else ():
            salience = salience_list(
                first_mention.sentences, sentence=first_mention.mention.sentence.index,
                word=first_mention.mention.phrase_first, people=people[example.topic],
            )  # fmt: skip
            truth.append(any(key in affiliations for key in affiliations_in(first_mention.mention)))
            decide = partial(include_affiliation, example.person, salience, status)
            for rule, rule_answers in answers.items():
                rule_answers.append(decide(rule, affiliations=affiliations))
    return {rule: AnswerCounts.of(truth, rule_answers) for rule, rule_answers in answers.items()}


def judge_postmodification(examples: Sequence[Example], statuses: Sequence[Status]) -> AnswerCounts:
    """Compare `postmodify` with summaries, for people that the input postmodifies (5.2.5)."""
    return _count_answers(
        (example.labels.postmodified, postmodify(example.person, status))
        for example, status in zip(examples, statuses, strict=True)
        if example.labels.named and can_postmodify(example.person)
    )


def train_model(
    examples: Sequence[Example],
    descriptions: DescriptionModel,
    *,
    data: str,
    recipes: Mapping[str, Recipe] = THESIS_RECIPES,
    card: Mapping[str, Any] | None = None,
    seed: int = 0,
) -> StatusModel:
    """Train both classifiers on all labeled people."""
    classifiers, majorities, example_counts, accuracies = {}, {}, {}, {}
    for question in STATUS_QUESTIONS:
        table, truth, topics = training_set(examples, question, descriptions)
        if not truth:
            problem = f"nobody is labeled for the question {question.replace('_', '-')}"
            raise InputError(problem, hint="use documents and references that name people")
        learner, features = recipes[question].learner, recipes[question].features
        classifiers[question] = train_status(table, truth, learner, features=features, seed=seed)
        # Too few people cannot be cross-validated.
        with suppress(InputError):
            predictions = cross_validate(
                table, truth, learner, groups=topics, features=features, seed=seed
            )
            accuracies[question] = round(predictions.judged.accuracy, 6)
        majorities[question] = round(sum(truth) / len(truth), 6)
        example_counts[f"people_{question}"] = len(truth)
    card_fields = {"data": data, **example_counts, "accuracy": accuracies, **(card or {})}
    return StatusModel(
        classifiers["major"], classifiers["hearer_old"], majorities, descriptions, card_fields
    )
