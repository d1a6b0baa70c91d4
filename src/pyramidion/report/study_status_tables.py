"""Tables about who matters and who is known, for people."""

from typing import TYPE_CHECKING

from pyramidion.report.table import Cell, Table
from pyramidion.rewriting.status.affiliation import AffiliationRule
from pyramidion.rewriting.status.judged import Judged, share_interval

if TYPE_CHECKING:
    from pyramidion.report.study_status import StatusFindings

__all__ = ["status_tables"]

_CLASSES = {
    "major": ("major", "minor"),
    "hearer_old": ("hearer-old", "hearer-new"),
    "postmodified": ("postmodified", "not"),
}
_QUESTIONS = {
    "major": "major or minor",
    "hearer_old": "hearer-old or new",
    "postmodified": "postmodified",
}
_RULES: dict[AffiliationRule, str] = {
    "never": "never",
    "status": "information status",
    "salience": "salience",
    1: "rule 1",
    2: "rule 2",
}
_WILSON = "Intervals are Wilson's, at 95%; they take people for independent of each other."


def status_tables(found: "StatusFindings") -> tuple[Table, ...]:
    """Make the tables of the study.

    Parameters
    ----------
    found
        What it found.

    Examples
    --------
    >>> from pyramidion.report.study_status import StatusFindings
    >>> len(status_tables(StatusFindings((), (), (), (), ())))
    5
    """
    return _people(found), _accuracy(found), _classes(found), _agreement(found), _affiliation(found)


def _people(found: "StatusFindings") -> Table:
    rows: list[tuple[Cell, ...]] = []
    for example, status in zip(found.examples, found.statuses, strict=True):
        if not (example.labels.major or status.major):
            continue
        person, labels = example.person, example.labels
        rows.append((
            example.topic,
            example.task,
            person.name,
            len(person.documents),
            len(person.mentions),
            f"{labels.named} of {labels.summaries}",
            _known(labels.hearer_old),
            "major" if status.major else "minor",
            _known(status.hearer_old),
        ))  # fmt: skip
    minor = len(found.examples) - len(rows)
    columns = (
        *("topic", "task", "person", "documents", "names", "named by", "summaries say"),
        *("model", "model says"),
    )
    note = f"Without {minor} people whom no summary names and the model calls minor."
    return Table(columns, tuple(rows), title="People", note=note)


def _known(hearer_old: bool | None) -> str:
    return "" if hearer_old is None else "old" if hearer_old else "new"


def _accuracy(found: "StatusFindings") -> Table:
    rows = tuple(
        (_QUESTIONS[question], how, *_shares(judged), judged.majority)
        for question, how, judged in found.decisions
    )
    columns = ("question", "answered by", "examples", "accuracy", "low", "high", "most frequent")
    note = f"Most frequent: the accuracy of giving everybody the more frequent answer. {_WILSON}"
    return Table(columns, rows, title="Accuracy (Table 5.2)", note=note, digits=3)


def _shares(judged: Judged) -> tuple[Cell, ...]:
    return judged.number, judged.accuracy, *judged.interval


def _classes(found: "StatusFindings") -> Table:
    rows = tuple(
        (how, name, number, *measures)
        for question, how, judged in found.decisions
        for name, number, measures in zip(
            _CLASSES[question],
            (judged.hits + judged.misses, judged.false_alarms + judged.rejections),
            (judged.yes(), judged.no()),
            strict=True,
        )
    )
    columns = ("answered by", "class", "examples", "precision", "recall", "F")
    return Table(columns, rows, title="Precision and recall (Table 5.3)", digits=3)


def _agreement(found: "StatusFindings") -> Table:
    rows = tuple(
        (
            f"{row.named} of {row.summaries}",
            row.examples,
            row.recalled,
            row.recall,
            *share_interval(row.recalled, row.examples),
        )
        for row in found.agreement
    )
    columns = ("summaries with the person", "examples", "recalled", "recall", "low", "high")
    return Table(
        columns, rows, title="Recall of the model and agreement (Table 5.4)", note=_WILSON, digits=3
    )


def _affiliation(found: "StatusFindings") -> Table:
    order = list(_RULES)
    rows = tuple(
        (_RULES[rule], *_shares(judged))
        for rule, judged in sorted(found.affiliation, key=lambda pair: order.index(pair[0]))
    )
    note = (
        "First mentions in references of people whose country or organization the documents tell: "
        f"does the mention tell it, too? {_WILSON}"
    )
    columns = ("rule", "examples", "accuracy", "low", "high")
    return Table(columns, rows, title="Affiliation (Table 5.5)", note=note, digits=3)
