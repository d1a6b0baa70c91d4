"""A finding: something doubtful in the data, what it affects, and the option that fixes it."""

import shlex
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from pyramidion._types import Ints

Key = TypeVar("Key", bound=Hashable)

#: How much a finding may change an answer.
Severity = Literal["severe", "warning", "note"]

#: The kind of finding about a column of scores some of whose cells are not numbers.
UNREAD_COLUMN = "column of scores that is not read"

#: The order in which findings are listed; fatal ones come first.
SEVERITIES: tuple[Severity, ...] = ("severe", "warning", "note")


@dataclass(frozen=True, slots=True)
class Repair:
    """An option that fixes what was found.

    Examples
    --------
    >>> Repair("reverse", "campus 2").flag
    "--reverse 'campus 2'"
    """

    option: str
    value: str

    @property
    def flag(self) -> str:
        """The option as it is typed."""
        return f"--{self.option} {shlex.quote(self.value)}"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something suspicious, missing or inconsistent.

    Parameters
    ----------
    kind
        A short name for findings of this sort.
    subject
        The system, judge, column or topic that is affected.
    message
        What is wrong and how to fix it.
    fatal
        Whether the collection cannot be used, because an address is ambiguous.
    severity
        ``"severe"`` if an answer is probably wrong, ``"warning"`` if it may be, ``"note"`` if it
        is only worth knowing.
    effect
        How it affects an answer.
    repairs
        The options that fix it; alternatives are named in the message.
    rows
        The affected rows of the collection's scores, as indices.
    of_preferences
        Whether `rows` are rows of the preferences.
    summaries
        The affected summaries: task, topic and system.
    bars
        What a picture shows: names and values, such as each judge's correlation with the others.
    bars_title
        The title of the bars.
    measures
        The measures it affects; empty if it affects all.

    Examples
    --------
    >>> Finding("no references", "T1, task A", "add references").code
    'no-references'
    """

    kind: str
    subject: str
    message: str
    fatal: bool = False
    severity: Severity = "warning"
    effect: str = ""
    repairs: tuple[Repair, ...] = ()
    rows: Ints | None = field(default=None, compare=False, repr=False)
    of_preferences: bool = field(default=False, compare=False, repr=False)
    summaries: tuple[tuple[str, str, str], ...] = field(default=(), compare=False, repr=False)
    bars: tuple[tuple[str, float], ...] = field(default=(), compare=False, repr=False)
    bars_title: str = field(default="", compare=False, repr=False)
    measures: tuple[str, ...] = field(default=(), compare=False, repr=False)

    @property
    def code(self) -> str:
        """The kind as one word, for scripts."""
        return "-".join(self.kind.replace("'", "").split())

    @property
    def fix(self) -> str:
        """The options that fix it, as they are typed."""
        return " ".join(repair.flag for repair in self.repairs)

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as a JSON object."""
        return {
            "code": self.code,
            "severity": "fatal" if self.fatal else self.severity,
            "subject": self.subject,
            "message": self.message,
            "effect": self.effect,
            "fix": self.fix,
        }

    @property
    def order(self) -> int:
        """Its place in a list that starts with the most severe findings."""
        return -1 if self.fatal else SEVERITIES.index(self.severity)


def address_name(
    task: str, topic: str, system: str | None = None, assessor: str = "", occasion: str = ""
) -> str:
    """Write an address in words."""
    parts = [topic, *([f"task {task}"] if task else []), *([system] if system is not None else [])]
    labels = [*([f"by {assessor}"] if assessor else []), *([f"({occasion})"] if occasion else [])]
    return " ".join((", ".join(parts), *labels))


def find_repeated(
    kind: str, keys: Iterable[Key], message: str, name: Callable[[Key], str] = str
) -> Iterator[Finding]:
    """Find keys that occur more than once, which is fatal."""
    for key, count in Counter(keys).items():
        if count > 1:
            yield Finding(kind, name(key), f"it occurs {count} times; {message}", fatal=True)
