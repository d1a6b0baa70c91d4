"""Values that are typed as ``name(option=value)``: metrics, summarizers."""

from abc import ABC
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

from pyramidion.collection.options import declared, is_word, read_option, split_name, written
from pyramidion.errors import InputError

__all__ = ["Spelled"]


@dataclass(frozen=True, slots=True)
class Spelled(ABC):
    """A value whose parameters are its fields and whose text reads back.

    A subclass is a frozen dataclass whose fields are made with `option`.

    Examples
    --------
    >>> from pyramidion.collection.options import option
    >>> @dataclass(frozen=True, slots=True)
    ... class Lead(Spelled):
    ...     name: ClassVar[str] = "lead"
    ...     sentences: int = option(3, "how many sentences", least=1)
    >>> str(Lead(5)), Lead.parse("lead(sentences=5)") == Lead(5), Lead.parse("tail")
    ('lead(sentences=5)', True, None)
    """

    #: As it is typed and stands in tables.
    name: ClassVar[str]
    #: As people call it.
    title: ClassVar[str]
    #: What it does, in a line.
    summary: ClassVar[str]
    #: Who described it.
    citation: ClassVar[str] = ""
    #: The names to list, if it is a family; its own name otherwise.
    members: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        for one in declared(type(self)):
            value = getattr(self, one.name)
            problem = one.problem(value)
            if isinstance(value, str) and not is_word(value):
                problem = problem or "a text without commas and brackets"
            if problem:
                raise InputError(f"{self.name}: {one.name} is {value!r}", hint=f"give {problem}")

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Give the names under which it is listed."""
        return cls.members or (cls.name,)

    @classmethod
    def read(cls, name: str) -> Mapping[str, Any] | None:
        """Give the fields that a name stands for; `None` if it is no name of this."""
        return {} if name == cls.name else None

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Read one of this class; `None` if the name is another's."""
        return cls._read_call(text)

    @classmethod
    def _read_call(cls, text: str) -> Self | None:
        name, options = split_name(text)
        found = cls.read(name)
        if found is None:
            return None
        known = {own.name: own for own in declared(cls) if own.name not in found}
        given = dict(read_option(name, known, word) for word in options)
        if len(given) < len(options):
            raise InputError(f"{text!r} gives an option twice", hint="keep one")
        return cls(**{**found, **given})

    def __str__(self) -> str:
        return self.spelled()

    def spelled(self, always: Collection[str] = ()) -> str:
        """Write it as it is typed.

        Parameters
        ----------
        always
            Options to write even where they have their defaults.
        """
        options = ",".join(self._options(always))
        return f"{self._call()}({options})" if options else self._call()

    def _call(self) -> str:
        """Give the name with the parameters that are part of it."""
        return self.name

    def _options(self, always: Collection[str]) -> Iterator[str]:
        in_name = self.read(self._call()) or {}
        for parameter in fields(self):
            value = getattr(self, parameter.name)
            said = value != parameter.default or parameter.name in always
            if said and parameter.name not in in_name:
                yield written(parameter.name, value)
