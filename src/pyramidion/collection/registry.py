"""Kinds of values by name: the built-in ones, and those of other packages."""

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar

from pyramidion.collection.options import split_name
from pyramidion.collection.spelled import Spelled
from pyramidion.errors import InputError, NotFoundError

__all__ = ["Registry", "entry_point_group"]

T = TypeVar("T", bound=Spelled)


def entry_point_group(command: str) -> str:
    """Name the group in which other packages declare what a command lists."""
    return f"pyramidion.{command}"


@dataclass(frozen=True, slots=True)
class Registry(Generic[T]):
    """What can be typed: classes of this package, and those that other packages declare.

    Parameters
    ----------
    kind
        What every class is a subclass of.
    built_in
        The classes of this package.
    noun
        What messages call one of them.
    command
        The command that lists them; other packages declare theirs as entry points in the group
        ``pyramidion.<command>``, each a class or a tuple of classes.

    Examples
    --------
    >>> from typing import ClassVar
    >>> @dataclass(frozen=True, slots=True)
    ... class Lead(Spelled):
    ...     name: ClassVar[str] = "lead"
    >>> registry = Registry(Spelled, (Lead,), noun="method", command="nothing")
    >>> registry.parse("lead"), [kind.name for kind in registry.all()]
    (Lead(), ['lead'])
    >>> registry.parse("laed")
    Traceback (most recent call last):
    pyramidion.errors.NotFoundError: there is no method 'laed'; did you mean lead? ...
    """

    kind: type[Spelled]
    built_in: tuple[type[T], ...]
    noun: str
    command: str

    @property
    def group(self) -> str:
        """The group of entry points."""
        return entry_point_group(self.command)

    def all(self) -> tuple[type[T], ...]:
        """Give the built-in classes and those of other packages, loading these."""
        return self.built_in + tuple(self._of_others())

    def parse(self, text: str) -> T:
        """Read one as it is typed: its name, options in brackets."""
        # Other packages are loaded only if it is none of ours.
        found = _first(self.built_in, text)
        found = _first(self.all(), text) if found is None else found
        if found is None:
            name, _ = split_name(text)
            raise NotFoundError(f"there is no {self.noun} {name!r}", hint=self._near(name))
        return found

    def _of_others(self) -> Iterator[type[T]]:
        taken = {name for own in self.built_in for name in own.names()}
        for entry in sorted(entry_points(group=self.group), key=lambda entry: entry.name):
            for found in self._loaded(entry):
                problem = self._problem(found, taken)
                if problem:
                    raise InputError(f"entry point {entry.value}: {problem}", hint=self._mend)
                taken.update(found.names())
                yield found

    @property
    def _mend(self) -> str:
        return f"mend or uninstall the package that declares it in {self.group}"

    def _loaded(self, entry: EntryPoint) -> Iterable[Any]:
        try:
            found = entry.load()
        except Exception as error:
            # Other people's code may fail in any way; its name must be told.
            what = f"entry point {entry.value} cannot be loaded ({type(error).__name__}: {error})"
            raise InputError(what, hint=self._mend) from error
        return found if isinstance(found, Iterable) else (found,)

    def _problem(self, found: Any, taken: Set[str]) -> str:
        if not (isinstance(found, type) and issubclass(found, self.kind)):
            return f"{found!r} is no class of {self.noun}s"
        repeated = sorted(taken & {*found.names()})
        return f"there is another {self.noun} {repeated[0]!r}" if repeated else ""

    def _near(self, name: str) -> str:
        """Name those that may be meant."""
        names = [own for kind in self.all() for own in kind.names()]
        wanted = name.lower()
        near = get_close_matches(wanted, names) or [own for own in names if wanted in own]
        meant = f"did you mean {' or '.join(near[:3])}? " if near else ""
        return f"{meant}`pyramidion {self.command}` lists them"


def _first(kinds: Iterable[type[T]], text: str) -> T | None:
    parsed = (kind.parse(text) for kind in kinds)
    return next((found for found in parsed if found is not None), None)
