"""Who is major and who is known to readers, predicted from references: Tables 5.2 to 5.5."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from itertools import starmap
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal

from pyramidion._types import Bools
from pyramidion.errors import InputError, PyramidionError
from pyramidion.questions import Options, option, question
from pyramidion.rendering.result import Result, signed
from pyramidion.rendering.saving import Savable, no_message
from pyramidion.rendering.table import Table
from pyramidion.rendering.view import Column, View, columns, data, shown
from pyramidion.rewriting import (
    STATUS_FEATURES,
    Status,
    StatusModel,
    default_model,
    person_features,
    statuses_of,
)
from pyramidion.studies._affiliations import AffiliationRule
from pyramidion.studies._references.rates import RATES, Rate
from pyramidion.studies._source import ParserOptions, StudySource
from pyramidion.studies._status_training import (
    DEFAULT_FOLDS,
    STATUS_QUESTIONS,
    AnswerCounts,
    Example,
    LabelAgreement,
    Recipe,
    SelectedFeature,
    collection_examples,
    cross_validate,
    judge_affiliation,
    judge_postmodification,
    judge_status,
    recall_by_agreement,
    recipes_for,
    select_features,
    share_interval,
    train_model,
    training_set,
    with_statuses,
)


@dataclass(frozen=True, slots=True)
class StatusOptions(Options):
    """Which model is evaluated, and how classifiers are validated."""

    model: Path | None = option(
        None, "Model written by --save, to use instead of the built-in one."
    )
    folds: int = option(DEFAULT_FOLDS, "Number of folds of the cross-validation.", min=2)
    learner: Literal["published", "tree", "svm", "linear", "logistic"] = option(
        "published",
        "Classifier that is trained: tree (decision tree), svm (support vector machine), linear "
        "or logistic (logistic regression), or published (as in the thesis: svm for hearer-old, "
        "and tree otherwise).",
        metavar="published|tree|svm|linear|logistic",
    )
    normalize: bool = option(
        False,
        "Also use counts divided by the number of documents of the input, so that models can be "
        "used for inputs of other sizes.",
        flags=("--normalize",),
    )
    seed: int = option(0, "Random seed; the same seed gives the same result.", min=0)

    @property
    def recipes(self) -> dict[str, Recipe]:
        """How classifiers are trained, for each question."""
        learner_aliases: dict[str, Any] = {"published": None, "logistic": "linear"}
        learner = learner_aliases.get(self.learner, self.learner)
        return recipes_for(learner, normalized=self.normalize)


@dataclass(frozen=True, slots=True)
class Decision:
    """How often a question about people was answered correctly, and by what."""

    question: str
    how: str
    judged: AnswerCounts


@dataclass(frozen=True, slots=True)
class Affiliation:
    """How often a rule agrees with summaries on giving an affiliation."""

    rule: AffiliationRule
    judged: AnswerCounts


def noun_rates(examples: Sequence[Example], statuses: Sequence[Status]) -> Iterator[Rate]:
    """Count people that a summary refers to by a noun only, and those the model calls minor."""
    answered_pairs = list(zip((example.labels for example in examples), statuses, strict=True))
    n_named = sum(labels.major for labels, _ in answered_pairs)
    called_pairs = [
        (labels.major, not status.major) for labels, status in answered_pairs if labels.called
    ]
    minor_unnamed = [is_minor for is_major, is_minor in called_pairs if not is_major]
    n_minor = sum(is_minor for _, is_minor in called_pairs)
    n_called = len(called_pairs)
    for rate_name, n_counted, n_total, thesis in (
        ("called by a noun only, of those named or called so", n_called, n_named + n_called, 29),
        ("of these, named by another summary", n_called - len(minor_unnamed), n_called, 39),
        ("minor by the model", n_minor, n_called, 74),
        (
            "minor by the model, of those no summary names",
            sum(minor_unnamed),
            len(minor_unnamed),
            92,
        ),
    ):
        low, high = share_interval(n_counted, n_total)
        rate = n_counted / n_total if n_total else float("nan")
        yield Rate(rate_name, n_counted, n_total, 100 * rate, 100 * low, 100 * high, thesis)


@dataclass(frozen=True, slots=True)
class StatusFindings:
    """The people that summaries name or assume known, and how well a model predicts them."""

    examples: tuple[Example, ...]
    statuses: tuple[Status, ...]  #: predictions of the model
    decisions: tuple[Decision, ...]
    agreement: tuple[LabelAgreement, ...]  #: recall by the number of summaries with the person
    affiliation: tuple[Affiliation, ...]  #: rules compared with human summaries
    nouns: tuple[Rate, ...] = ()  #: references by a noun only
    selected: tuple[SelectedFeature, ...] = ()  #: features selected for each question


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class StatusResult(Result[StatusFindings]):
    """How well status is predicted; `train_model` trains a model on the same people."""

    saves = (
        Savable(
            "save", "Train a model on the people in the data, and write it to this file.",
            lambda result: result.train_model().save, message=no_message,
        ),
    )  # fmt: skip

    model: StatusModel
    corpus: str
    options: StatusOptions

    def train_model(self) -> StatusModel:
        """Train a model on all people of the data."""
        examples, descriptions = self.values[0].examples, self.model.descriptions
        recipes, seed = self.options.recipes, self.options.seed
        return train_model(examples, descriptions, data=self.corpus, recipes=recipes, seed=seed)


@question
def status(source: StudySource, parser: ParserOptions, options: StatusOptions) -> StatusResult:
    """Show which people human summaries name and assume known, and predict it (Tables 5.2-5.5).

    People of the documents are labeled by the references: major if one of them names the person,
    hearer-old if most of these use a title and the last name, or the bare full name.
    References to people by a noun only are counted as well (section 5.2.5).

    Examples
    --------
    >>> from pyramidion.collection import Collection, Document, Summary, Topic
    >>> from pyramidion.studies import status
    >>> topic = Topic("T1", documents=(Document("d", "President Maria Lindqvist signed it."),))
    >>> summary = Summary("T1", "A", "President Lindqvist signed.", kind="human")
    >>> result = status(Collection("c", topics=(topic,), summaries=(summary,)), pipeline="light")
    >>> [(example.person.name, example.labels.major) for example in result[0].examples]
    [('Maria Lindqvist', True)]
    """
    model = default_model() if options.model is None else StatusModel.load(options.model)
    collection = source.read()
    source.require_in(collection)
    loaded_parser = parser.load()
    examples, missing_lines = collection_examples(
        collection, loaded_parser, topics=source.topic, tasks=source.task
    )
    if not examples:
        hint = "use a collection with documents and references"
        raise InputError(f"no people are named in the documents of {collection.name}", hint=hint)
    findings, not_validated = _findings(examples, model, options)
    return StatusResult(
        command="study status",
        signature=signed(
            "study-status", collection.data_hash, options.seed, parser=loaded_parser.name,
            model=sha256(repr(model).encode()).hexdigest()[:8], folds=options.folds,
            **dict(options.changed("learner", "normalize")),
        ),
        values=[findings],
        record=partial(_record, model=model),
        tables=[_people_table(findings), *_judged_tables(findings)],
        left_out=(*collection.left_out, *missing_lines, *not_validated),
        model=model,
        corpus=collection.name,
        options=options,
    )  # fmt: skip


def _findings(
    examples: Sequence[Example], model: StatusModel, options: StatusOptions
) -> tuple[StatusFindings, list[str]]:
    people, sizes = zip(*((example.person, example.documents) for example in examples), strict=True)
    statuses = statuses_of(people, model, sizes)
    results = judge_status(examples, statuses)
    decisions = [Decision(name, "model", results[name]) for name in results]
    decisions.append(Decision("postmodified", "rule", judge_postmodification(examples, statuses)))
    validation, selected_features, left_out = _validate_classifiers(examples, model, options)
    agreement = recall_by_agreement(examples, [status.major for status in statuses])
    affiliations = starmap(Affiliation, judge_affiliation(examples, statuses).items())
    findings = StatusFindings(
        tuple(examples), tuple(statuses), (*decisions, *validation), tuple(agreement),
        tuple(affiliations), tuple(noun_rates(examples, statuses)), tuple(selected_features),
    )  # fmt: skip
    return findings, left_out


def _validate_classifiers(
    examples: Sequence[Example], model: StatusModel, options: StatusOptions
) -> tuple[list[Decision], list[SelectedFeature], list[str]]:
    """Cross-validate classifiers for each question; postmodification uses the other answers."""
    decisions: list[Decision] = []
    left_out: list[str] = []
    selected_features: list[SelectedFeature] = []
    for is_grouped in (False, True):
        origin = "trained here, topics apart" if is_grouped else "trained here"
        answers: dict[str, Bools] = {}
        for name, recipe in options.recipes.items():
            features = recipe.features
            try:
                if name in STATUS_QUESTIONS:
                    training_data = training_set(examples, name, model.descriptions)
                else:
                    training_data = with_statuses(examples, model, answers)
                    features = (
                        *features,
                        *range(len(STATUS_FEATURES), training_data.table.shape[1]),
                    )
                if not is_grouped:
                    selected_features += select_features(training_data, name, features)
                validation = cross_validate(
                    training_data.table, training_data.truth, recipe.learner, features=features,
                    groups=training_data.topics if is_grouped else None, folds=options.folds,
                    seed=options.seed,
                )  # fmt: skip
                answers[name] = validation.answers
                decisions.append(Decision(name, origin, validation.judged))
            except PyramidionError as error:
                left_out.append(f"{name.replace('_', '-')}, {origin}: {error}")
    return decisions, selected_features, left_out


#: The name and the classes of each question.
_QUESTION_LABELS = {
    "major": ("major or minor", "major", "minor"),
    "hearer_old": ("hearer-old or new", "hearer-old", "hearer-new"),
    "postmodified": ("postmodified", "postmodified", "not"),
}
_RULE_NAMES: dict[AffiliationRule, str] = {
    "never": "never", "status": "information status", "salience": "salience", 1: "rule 1",
    2: "rule 2",
}  # fmt: skip
_SELECTED_LABELS = {True: "selected", False: "not selected", None: ""}
_MEASURES = ("precision", "recall", "f")
_INTERVAL_NOTE = "Intervals are Wilson's, at 95%, and assume that people are independent."
_JUDGED_COLUMNS: tuple[Column[Any], ...] = (
    Column("examples", "examples", attrgetter("judged.number")),
    *columns(of="judged", right="", accuracy="accuracy", interval=""),
    shown("low", lambda row: row.judged.interval[0]),
    shown("high", lambda row: row.judged.interval[1]),
    *columns(of="judged", majority="most frequent"),
    data("yes", lambda row: dict(zip(_MEASURES, row.judged.yes(), strict=True))),
    data("no", lambda row: dict(zip(_MEASURES, row.judged.no(), strict=True))),
)
_DECISION_VIEW: View[Decision] = View(
    "accuracy",
    (
        Column("question", "question", show=lambda row: _QUESTION_LABELS[row.question][0]),
        Column("how", "answered by"),
        *_JUDGED_COLUMNS,
    ),
    digits=3,
)
_AFFILIATION_VIEW: View[Affiliation] = View(
    "affiliation",
    (Column("rule", "rule", show=lambda row: _RULE_NAMES[row.rule]), *_JUDGED_COLUMNS),
    digits=3,
)
_AGREEMENT_VIEW: View[LabelAgreement] = View(
    "agreement",
    (
        *columns(named="", summaries=""),
        shown("summaries with the person", lambda row: f"{row.named} of {row.summaries}"),
        *columns("examples", "recalled"),
        shown("recall", attrgetter("recall")),
        data("interval", lambda row: share_interval(row.recalled, row.examples)),
        shown("low", lambda row: share_interval(row.recalled, row.examples)[0]),
        shown("high", lambda row: share_interval(row.recalled, row.examples)[1]),
    ),
    digits=3,
)


_FEATURE_VIEW: View[SelectedFeature] = View(
    "features",
    (
        Column("question", "question", show=lambda row: _QUESTION_LABELS[row.question][0]),
        Column("feature", "feature"),
        Column("correlation", "correlation"),
        Column(
            "published", "in the thesis", show=lambda row: _SELECTED_LABELS[row.published],
        ),
    ),
    digits=3,
)  # fmt: skip


_NOUN_NOTE = (
    "A noun refers to a person if the documents use it to describe only that person, and if it "
    "is not next to a name in the summary. The thesis counted by hand, including people that the "
    "documents do not name."
)


def _record(findings: StatusFindings, model: StatusModel) -> dict[str, Any]:
    return {
        "study": "status",
        "people": len(findings.examples),
        "decisions": _DECISION_VIEW.records(findings.decisions),
        "agreement": _AGREEMENT_VIEW.records(findings.agreement),
        "affiliation": _AFFILIATION_VIEW.records(findings.affiliation),
        "nouns": RATES.records(findings.nouns),
        "selected": _FEATURE_VIEW.records(findings.selected),
        "persons": list(_person_records(findings, model)),
    }


def _person_records(findings: StatusFindings, model: StatusModel) -> Iterator[dict[str, Any]]:
    for example, status in zip(findings.examples, findings.statuses, strict=True):
        features = person_features(example.person, model.descriptions, example.documents)
        labels = ("summaries", "named", "major", "hearer_old")
        yield {
            "topic": example.topic, "task": example.task, "name": example.person.name,
            "unsure": example.person.unsure, "called": example.labels.called,
            **{name: getattr(example.labels, name) for name in labels},
            "probabilities": status.probabilities,
            "features": dict(zip(STATUS_FEATURES, features.tolist(), strict=True)),
        }  # fmt: skip


def _people_table(findings: StatusFindings) -> Table:
    columns = (
        "topic", "task", "person", "documents", "names", "named by", "summaries say", "model",
        "model says",
    )  # fmt: skip
    labels = {None: "", True: "old", False: "new"}
    rows = tuple(
        (
            example.topic, example.task, example.person.name, len(example.person.documents),
            len(example.person.mentions), f"{example.labels.named} of {example.labels.summaries}",
            labels[example.labels.hearer_old], "major" if status.major else "minor",
            labels[status.hearer_old],
        )
        for example, status in zip(findings.examples, findings.statuses, strict=True)
        if example.labels.major or status.major
    )  # fmt: skip
    n_minor = len(findings.examples) - len(rows)
    note = f"Without {n_minor} people named in no summary and predicted as minor."
    return Table(columns, rows, "People", note, name="people")


def _judged_tables(findings: StatusFindings) -> Iterator[Table]:
    note = (
        f"Most frequent: the accuracy of always giving the more frequent answer. {_INTERVAL_NOTE}"
    )
    yield _DECISION_VIEW.table(findings.decisions, "Accuracy (Table 5.2)", note)
    columns = ("answered by", "class", "examples", "precision", "recall", "F")
    rows: list[tuple[str | float, ...]] = []
    for decision in findings.decisions:
        (_, yes, no), answer_counts = _QUESTION_LABELS[decision.question], decision.judged
        rows.append(
            (
                decision.how,
                yes,
                answer_counts.hits + answer_counts.misses,
                *answer_counts.yes(),
            )
        )
        rows.append(
            (
                decision.how,
                no,
                answer_counts.false_alarms + answer_counts.rejections,
                *answer_counts.no(),
            )
        )
    title = "Precision and recall (Table 5.3)"
    yield Table(columns, tuple(rows), title, digits=3, name="classes")
    title = "Selected features (section 5.2.5)"
    note = (
        "Features that correlate with the answer, but little with each other (Hall's merit), the "
        "best first, from all labeled people."
    )
    if findings.selected:
        yield _FEATURE_VIEW.table(findings.selected, title, note)
    title = "Recall of the model and agreement (Table 5.4)"
    yield _AGREEMENT_VIEW.table(findings.agreement, title, _INTERVAL_NOTE)
    title = "People called by a noun only, percent (section 5.2.5)"
    yield replace(
        RATES.table(findings.nouns, title, f"{_NOUN_NOTE} {_INTERVAL_NOTE}"), name="nouns"
    )
    rule_order = list(_RULE_NAMES)
    rules = sorted(findings.affiliation, key=lambda row: rule_order.index(row.rule))
    note = (
        "First mentions in references of people whose country or organization the documents "
        f"give: does the mention give it as well? {_INTERVAL_NOTE}"
    )
    yield _AFFILIATION_VIEW.table(
        rules, "Affiliation (Table 5.5)", note, exclude=("most frequent",)
    )
