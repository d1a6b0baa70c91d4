"""What a problem is, and how it names what is wrong."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

__all__ = ["Problem", "address_name", "repeated"]

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something missing or inconsistent.

    Parameters
    ----------
    kind
        A short name that groups problems of one sort.
    subject
        The id that is wrong.
    message
        What is wrong and how to mend it.
    fatal
        Whether the collection cannot be used at all: an address stands for two things.

    Examples
    --------
    >>> Problem("no references", "T1, task A", "add references").kind
    'no references'
    """

    kind: str
    subject: str
    message: str
    fatal: bool = False


def address_name(task: str, topic: str, system: str | None = None) -> str:
    """Write an address for people.

    Examples
    --------
    >>> address_name("A", "T1", "7"), address_name("", "T1")
    ('T1, task A, 7', 'T1')
    """
    parts = [topic, *([f"task {task}"] if task else []), *([system] if system is not None else [])]
    return ", ".join(parts)


def repeated(
    kind: str, keys: Iterable[Key], message: str, name: Callable[[Key], str] = str
) -> Iterator[Problem]:
    """Find keys that stand there more than once, which is fatal.

    Parameters
    ----------
    kind, message
        The problem's kind, and how to mend it.
    keys
        What must be unique.
    name
        Writes a key for people.

    Examples
    --------
    >>> [problem.subject for problem in repeated("duplicated topic", ["a", "b", "a"], "rename one")]
    ['a']
    """
    for key, count in Counter(keys).items():
        if count > 1:
            yield Problem(kind, name(key), f"it stands there {count} times; {message}", fatal=True)
