"""Options are declared once: type, help, choices, bounds and flags.

Metrics and summarizers take them in brackets (``bleu(n=2)``), questions as keywords, the command
line as flags; all of them use the same declaration.
"""

import math
import re
from abc import ABC
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from dataclasses import MISSING, dataclass, field, fields
from numbers import Integral, Real
from pathlib import Path
from types import UnionType
from typing import (
    Any,
    ClassVar,
    Generic,
    Literal,
    Self,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from pyramidion.errors import InputError, NotFoundError, did_you_mean, known_names
from pyramidion.questions._plugins import fix_plugin, load_plugins, plugin_entries

# Only one repetition may match blanks, or a long name from a file would take forever.
_CALL_PATTERN = re.compile(r"([^()\s,]+)\s*(?:\((.*)\))?")

# A text that can be written in brackets, without the characters that separate options.
_WORD_PATTERN = re.compile(r"(?!\s)[^(),]*(?<!\s)")


class UserText(str):
    """Text that a user typed or a Python caller passed, never text that was read from data.

    Only such text may name code or a model to load. `Options.of` creates it from the values of
    options that are declared with ``code=True``; splitting or slicing it yields plain text.
    """

    __slots__ = ()


def option(
    default: Any,
    help: str,
    *,
    choices: tuple[str, ...] = (),
    flags: tuple[str, ...] = (),
    metavar: str | None = None,
    min: float | None = None,
    max: float | None = None,
    between: tuple[float, float] | None = None,
    on_command_line: bool = True,
    functions: bool = False,
    plugins: str = "",
    code: bool | Callable[[Any], str] = False,
    loads: bool | None = None,
    panel: str = "",
) -> Any:
    """Declare an option of a question, a metric or a summarizer.

    Parameters
    ----------
    default
        The value if none is given.
    help
        What it does, understandable without the option's name. Choices (of a `Literal`) and the
        default are added where it is shown.
    choices
        The allowed words, if the type is not a `Literal`.
    flags
        The flags, if they differ from the field's name: ``("--resamples",)``.
    metavar
        The placeholder for the value in the help of the command line.
    min, max
        Bounds of a number, inclusive.
    between
        Bounds of a number, exclusive, such as ``(0, 1)`` for a significance level.
    on_command_line
        Whether the command line has it; False for options that only Python can set.
    functions
        Whether Python may pass a function instead of a word.
    plugins
        The kind of extension whose names are further choices: ``pair_tests`` for the entry points
        of the group ``pyramidion.pair_tests``.
    code
        Whether its values may name the user's code: ``file.py:function``. If it is a function,
        Python may pass functions, and it returns their names.
    loads
        Whether its value names a file, folder, package or model to load, which data must not
        choose; by default, any text that is not one of the choices does.
    panel
        The heading it is listed under at the end of the help, for options that many commands share.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Smoothing:
    ...     words: int = option(100, "Number of words to read.", min=1)
    >>> [spec] = option_specs(Smoothing)
    >>> spec.flags, spec.range
    (('--words',), 'a whole number of at least 1')
    """
    rules = {
        "help": help, "choices": choices, "flags": flags, "metavar": metavar, "min": min,
        "max": max, "between": between, "on_command_line": on_command_line, "positional": False,
        "functions": functions, "plugins": plugins, "code": code, "loads": loads,
        "panel": panel,
    }  # fmt: skip
    return field(default=default, metadata=rules)


def argument(
    help: str,
    default: Any = ...,
    *,
    metavar: str | None = None,
    on_command_line: bool = True,
    multiple: bool = False,
    code: bool | Callable[[Any], str] = False,
) -> Any:
    """Declare a positional argument.

    With `multiple`, the command line accepts one or more values; several arrive as a tuple.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Greeting:
    ...     name: str = argument("Whom to greet.")
    >>> Greeting("Ann").name
    'Ann'
    """
    rules = {
        "help": help,
        "metavar": metavar,
        "on_command_line": on_command_line,
        "multiple": multiple,
        "code": code,
    }
    value = MISSING if default is ... else default  # it must be given
    return field(default=value, metadata={**rules, "positional": True})


@dataclass(frozen=True, slots=True, eq=False)
class OptionSpec:
    """A declared option; its default is `MISSING` if a value is required."""

    name: str
    type: Any
    default: Any
    rules: Mapping[str, Any]

    @property
    def flags(self) -> tuple[str, ...]:
        """Its flags on the command line; empty for a positional argument."""
        if self.rules.get("positional"):
            return ()
        return self.rules.get("flags") or (f"--{self.name.replace('_', '-')}",)

    @property
    def label(self) -> str:
        """Its name in messages: the longest flag without dashes."""
        longest_flag = next((flag for flag in self.flags if flag.startswith("--")), self.name)
        return longest_flag.split("/")[0].removeprefix("--")

    @property
    def inner(self) -> Any:
        """Its type without `None`, and the type of an item for a sequence."""
        kind = _without_none(self.type)
        return get_args(kind)[0] if self.is_sequence else kind

    @property
    def is_sequence(self) -> bool:
        """Whether it holds several values."""
        return get_origin(_without_none(self.type)) is tuple

    @property
    def count(self) -> int:
        """The number of values it takes; 0 if that is not fixed."""
        kinds = get_args(_without_none(self.type)) if self.is_sequence else ()
        return 0 if Ellipsis in kinds else len(kinds)

    @property
    def choices(self) -> tuple[str, ...]:
        """The allowed words; empty if any value is allowed."""
        words = self.rules.get("choices") or ()
        if get_origin(self.inner) is Literal:
            words = map(str, get_args(self.inner))
        kind = self.rules.get("plugins")
        return (*words, *(entry.name for entry in plugin_entries(kind))) if kind else tuple(words)

    @property
    def help(self) -> str:
        """What it does, with its choices and bounds."""
        text: str = self.rules.get("help", "")
        if any(self.rules.get(bound) is not None for bound in ("min", "max", "between")):
            return f"{text} {self.range[0].upper()}{self.range[1:]}."
        if not self.choices or any(f"{word}" in text for word in self.choices):
            return text
        opening = "One or several of" if self.is_sequence else "One of"
        return f"{text} {opening}: {', '.join(self.choices)}."

    @property
    def loads(self) -> bool:
        """Whether its value names something to load, which data must not choose."""
        loads_files: bool | None = self.rules.get("loads")
        if loads_files is None:
            return self.inner not in (bool, int, float) and not self.choices
        return loads_files

    def by_user(self, value: Any) -> Any:
        """Mark the texts of a value as the user's, if the option may name code."""
        if not self.rules.get("code"):
            return value
        if isinstance(value, str):
            return UserText(value)
        if isinstance(value, list | tuple):
            return tuple(map(self.by_user, value))
        name = self.rules["code"]
        return UserText(name(value)) if callable(value) and callable(name) else value

    def read(self, value: Any) -> Any:
        """Convert a value to the declared type, or reject it."""
        if value is self.default or (value is None and self.default is MISSING):
            return value
        if value is None:
            raise InputError(f"{self.label} is None", "give a value, or leave it out")
        if not self.is_sequence:
            return self._read_item(value)
        # A path may have a comma in its name.
        are_words = self.choices or self.inner in (str, int, float)
        given_values = value if isinstance(value, list | tuple) else (value,)
        items = tuple(map(self._read_item, _split_items(value) if are_words else given_values))
        if self.count and len(items) != self.count:
            raise InputError(f"{self.label} has {len(items)} values", f"give {self.count}")
        return items

    def _read_item(self, value: Any) -> Any:
        kind = self.inner
        if isinstance(value, str) and kind in (int, float):
            value = _parse_number(value, kind)
        if problem := self.problem(value):
            hint = f"choose one of {', '.join(self.choices)}" if self.choices else f"give {problem}"
            raise InputError(f"{self.label} is {value!r}", hint)
        return Path(value) if kind is Path else value

    def problem(self, value: Any) -> str:
        """Describe the allowed values if this one is not allowed; empty otherwise."""
        if value is None and self.default is None:
            return ""
        if isinstance(value, bool) and isinstance(self.default, bool):
            return ""
        if callable(value) and self.rules.get("functions"):
            return ""
        if self.choices:
            allowed_text, is_allowed = " or ".join(self.choices), value in self.choices
        elif self.inner in (int, float):
            allowed_text, is_allowed = self.range, self._is_within(value)
        elif self.inner in (bool, str):
            allowed_text = "a text" if self.inner is str else "on or off"
            is_allowed = isinstance(value, self.inner)
        else:
            return ""
        return "" if is_allowed else allowed_text

    def _is_within(self, value: Any) -> bool:
        kind = Integral if self.inner is int else Real
        if isinstance(value, bool) or not isinstance(value, kind) or not math.isfinite(value):
            return False
        if self.rules.get("between"):
            low, high = self.rules["between"]
            return bool(low < value < high)
        low, high = self.rules.get("min"), self.rules.get("max")
        return (low is None or value >= low) and (high is None or value <= high)

    @property
    def range(self) -> str:
        """The allowed numbers, in words."""
        number = "a whole number" if self.inner is int else "a number"
        if self.rules.get("between"):
            low, high = self.rules["between"]
            return f"{number} between {low:g} and {high:g}"
        low, high = self.rules.get("min"), self.rules.get("max")
        if high is None:
            return number if low is None else f"{number} of at least {low:g}"
        return f"{number} up to {high:,}" if low is None else f"{number} from {low:g} to {high:,}"


def _parse_number(text: str, kind: type) -> Any:
    try:
        return kind(text)
    except ValueError:
        return text


def format_value(value: Any) -> str:
    """Format a value for signatures and documentation: ``A+B`` for several."""
    return "+".join(map(str, value)) if isinstance(value, tuple) else str(value)


def split_names(text: str) -> Iterator[str]:
    r"""Split names at commas, except inside brackets or after ``\``."""
    depth, start = 0, 0
    for index, letter in enumerate(f"{text},"):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and (depth == 0 or index == len(text)) and text[index - 1 : index] != "\\":
            name = text[start:index].replace("\\,", ",").strip()
            start = index + 1
            if name:
                yield name


def _split_items(value: Any) -> Iterator[Any]:
    """Split a text at commas, and a sequence into its values; yield any other value itself."""
    if isinstance(value, str):
        yield from map(UserText if isinstance(value, UserText) else str, split_names(value))
    elif isinstance(value, Iterable) and not isinstance(value, bytes | Mapping):
        for item in value:
            yield from _split_items(item) if isinstance(item, str) else (item,)
    else:
        yield value


def _without_none(kind: Any) -> Any:
    if get_origin(kind) in (Union, UnionType):
        kinds = [part for part in get_args(kind) if part is not type(None)]
        return kinds[0] if len(kinds) == 1 else Any
    return kind


# Metrics are created by the thousand, and their types do not change.
_DECLARED_OPTIONS: dict[type, tuple[OptionSpec, ...]] = {}


def option_specs(group: type) -> tuple[OptionSpec, ...]:
    """Return the options of a dataclass, in order."""
    if group not in _DECLARED_OPTIONS:
        declared_fields = (declared for declared in fields(group) if declared.metadata)
        # With the names of long types, for signatures.
        hints = get_type_hints(group, include_extras=True)
        specs = (
            OptionSpec(declared.name, hints[declared.name], declared.default, declared.metadata)
            for declared in declared_fields
        )
        # Shared options come last.
        _DECLARED_OPTIONS[group] = tuple(
            sorted(specs, key=lambda spec: bool(spec.rules.get("panel")))
        )
    return _DECLARED_OPTIONS[group]


def split_name(text: str) -> tuple[str, list[str]]:
    """Split ``name(option,option=value)``."""
    match = _CALL_PATTERN.fullmatch(text.strip())
    if match is None:
        raise InputError(f"{text!r} cannot be read", "write it like bleu(n=2)")
    words = (match[2] or "").split(",")
    return match[1], [word.strip() for word in words if word.strip()]


def option_name(text: str) -> str:
    """Return the name of an option written with or without a value."""
    return text.partition("=")[0].strip()


def read_option(owner: str, specs: Mapping[str, OptionSpec], text: str) -> tuple[str, Any]:
    """Read an option in brackets, such as ``n=2``, ``stem`` or ``stem=off``."""
    name, equals, value = (part.strip() for part in text.partition("="))
    field_name = name.replace("-", "_")
    name = field_name if field_name in specs else name
    if name not in specs and not equals:
        # A word that only one option accepts means that option.
        accepting_options = [spec.name for spec in specs.values() if name in spec.choices]
        name, equals, value = (
            (accepting_options[0], "=", name) if len(accepting_options) == 1 else (name, "", "")
        )
    if name not in specs:
        raise InputError(f"{owner} has no option {name!r}", known_names(name, specs))
    spec = specs[name]
    if isinstance(spec.default, bool) and value not in spec.choices:
        return name, _read_switch(owner, spec, value if equals else "on")
    if value == "none" and spec.default is None:
        return name, None
    try:
        return name, spec.inner(value) if spec.inner in (int, float) else value
    except ValueError:
        raise InputError(f"{owner}: {name} is {value!r}", f"give {spec.range}") from None


def _read_switch(owner: str, spec: OptionSpec, value: str) -> bool:
    if value not in ("on", "off"):
        words = " or ".join(("on", "off", *spec.choices))
        raise InputError(f"{owner}: {spec.name} is {value!r}", f"give {words}")
    return value == "on"


def is_word(text: str) -> bool:
    """Return whether a text may be used in brackets."""
    return _WORD_PATTERN.fullmatch(text) is not None


def format_option(name: str, value: Any) -> str:
    """Format an option so that it can be parsed again."""
    if value is True:
        return name
    if value is False:
        return f"{name}=off"
    return f"{name}={'none' if value is None else word_of(value)}"


def word_of(value: Any) -> str:
    """Format a value; a function is represented by its name."""
    if callable(value):
        return str(getattr(value, "__qualname__", type(value).__qualname__))
    return str(value)


@dataclass(frozen=True, slots=True)
class Parsable(ABC):
    """A value whose parameters are its fields and whose text form can be parsed.

    A subclass is a frozen dataclass whose fields are declared with `option`.

    Examples
    --------
    >>> from pyramidion.questions.options import option
    >>> @dataclass(frozen=True, slots=True)
    ... class Lead(Parsable):
    ...     name: ClassVar[str] = "lead"
    ...     sentences: int = option(3, "how many sentences", min=1)
    >>> str(Lead(5)), Lead.parse("lead(sentences=5)") == Lead(5), Lead.parse("tail")
    ('lead(sentences=5)', True, None)
    """

    #: Its name, as users type it and tables show it.
    name: ClassVar[str]
    #: Its name in prose.
    title: ClassVar[str]
    #: What it does, in one line.
    summary: ClassVar[str]
    #: The publication that describes it.
    citation: ClassVar[str] = ""
    #: The names of a family's members; empty if it has only its own name.
    members: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        for spec in option_specs(type(self)):
            value = getattr(self, spec.name)
            problem = spec.problem(value)
            if isinstance(value, str) and not is_word(value):
                problem = problem or "a text without commas and brackets"
            if problem:
                raise InputError(f"{self.name}: {spec.name} is {value!r}", f"give {problem}")

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Return the names under which it is listed."""
        return cls.members or (cls.name,)

    @classmethod
    def read(cls, name: str) -> Mapping[str, Any] | None:
        """Return the fields that a name implies; `None` if the name is not one of this class."""
        return {} if name == cls.name else None

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Parse a value of this class; `None` if the name belongs to another."""
        return cls._read_call(text)

    @classmethod
    def _read_call(cls, text: str) -> Self | None:
        name, options = split_name(text)
        preset = cls.read(name)
        if preset is None:
            return None
        specs = {spec.name: spec for spec in option_specs(cls) if spec.name not in preset}
        values = dict(read_option(name, specs, word) for word in options)
        if len(values) < len(options):
            raise InputError(f"{text!r} gives an option twice", "keep one")
        return cls(**{**preset, **values})

    def __str__(self) -> str:
        return self.to_string()

    def to_string(self, explicit: Collection[str] = ()) -> str:
        """Return the text that users type; options in `explicit` appear even at their default."""
        options = ",".join(self._options(explicit))
        return f"{self._call()}({options})" if options else self._call()

    def _call(self) -> str:
        """Return the name with the parameters that are part of it."""
        return self.name

    def _options(self, explicit: Collection[str]) -> Iterator[str]:
        named_options = self.read(self._call()) or {}
        for parameter in option_specs(type(self)):
            value = getattr(self, parameter.name)
            is_shown = value != parameter.default or parameter.name in explicit
            if is_shown and parameter.name not in named_options:
                yield format_option(parameter.name, value)


T = TypeVar("T", bound=Parsable)


@dataclass(frozen=True, slots=True)
class Registry(Generic[T]):
    """Classes that users choose by name: built-in ones, and those that other packages declare."""

    kind: type[Parsable]
    built_in: tuple[type[T], ...]
    noun: str
    command: str

    def all(self) -> tuple[type[T], ...]:
        """Return the built-in classes and those of other packages, which are loaded."""
        return self.built_in + tuple(self._from_plugins())

    def parse(self, text: str) -> T:
        """Parse a name with options in brackets."""
        # Other packages are loaded only if no built-in class matches.
        parsed_value = _parse_first(self.built_in, text)
        parsed_value = _parse_first(self.all(), text) if parsed_value is None else parsed_value
        if parsed_value is None:
            name, _ = split_name(text)
            raise NotFoundError(f"there is no {self.noun} {name!r}", self._suggestions(name))
        return parsed_value

    def _from_plugins(self) -> Iterator[type[T]]:
        used_names = {name for kind in self.built_in for name in kind.names()}
        for entry, plugin_class in load_plugins(self.command):
            for kind in plugin_class if isinstance(plugin_class, Iterable) else (plugin_class,):
                if problem := self._plugin_problem(kind, used_names):
                    message = f"entry point {entry.value}: {problem}"
                    raise InputError(message, fix_plugin(self.command))
                used_names.update(kind.names())
                yield kind

    def _plugin_problem(self, plugin: Any, used_names: Set[str]) -> str:
        if not (isinstance(plugin, type) and issubclass(plugin, self.kind)):
            return f"{plugin!r} is not a class of {self.noun}s"
        repeated_names = sorted(used_names & {*plugin.names()})
        return f"there is another {self.noun} {repeated_names[0]!r}" if repeated_names else ""

    def _suggestions(self, name: str) -> str:
        """Suggest similar names."""
        names = (kind_names for kind in self.all() for kind_names in kind.names())
        return f"{did_you_mean(name, names)}`pyramidion {self.command}` lists them"


def _parse_first(kinds: Iterable[type[T]], text: str) -> T | None:
    parsed_values = (kind.parse(text) for kind in kinds)
    return next((value for value in parsed_values if value is not None), None)
