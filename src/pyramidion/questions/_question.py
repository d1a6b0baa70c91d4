"""A question is declared once, for Python, the command line and the documentation.

A group of options is a frozen dataclass derived from `Options`; its fields are declared with
`argument` and `option`. A question is a function of such groups; the decorator `question` turns it
into a function that takes the fields themselves as keywords.
"""

import inspect
import textwrap
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from dataclasses import MISSING, dataclass, field, replace
from functools import cache, wraps
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self, TypeVar, get_type_hints

import pyramidion
from pyramidion.errors import InputError, did_you_mean
from pyramidion.questions._annotations import TypeText
from pyramidion.questions._plugins import fix_plugin, load_plugins
from pyramidion.questions.options import OptionSpec, format_value, option_specs

Answer_co = TypeVar("Answer_co", covariant=True)

#: For each option that is easily confused with another: the other one, and the difference.
_CONFUSED_OPTIONS = {
    "measures": ("metrics", "measures are existing scores; metrics are computed from texts"),
    "metrics": ("measures", "metrics are computed from texts; measures are existing scores"),
}

#: Sections of a docstring before which the options are described.
_LATER_SECTIONS = ("Returns", "Notes", "References", "Examples")


@dataclass(frozen=True, slots=True)
class Options:
    """A group of options: frozen, and checked when it is created.

    Texts with commas become tuples where several values are expected; declared choices and bounds
    are checked. Subclasses add further checks in the method `check`.

    Examples
    --------
    >>> from typing import Literal
    >>> from pyramidion.questions import option
    >>> @dataclass(frozen=True, slots=True)
    ... class Fit(Options):
    ...     line: Literal["ols", "robust"] = option("ols", "How the line is fitted.")
    ...     task: tuple[str, ...] = option((), "Which tasks; all by default.")
    >>> Fit(task="A, B").task
    ('A', 'B')
    >>> Fit(line="best")
    Traceback (most recent call last):
    pyramidion.errors.InputError: line is 'best'; choose one of ols, robust
    """

    #: The heading of the group in the command line's help, if it has one.
    panel: ClassVar[str] = ""
    #: The kind of plug-in (see `load_plugins`) that may replace this class with a subclass.
    plugins: ClassVar[str] = ""

    def __post_init__(self) -> None:
        for spec in option_specs(type(self)):
            object.__setattr__(self, spec.name, spec.read(getattr(self, spec.name)))
        self.check()

    def check(self) -> None:
        """Reject combinations of values that the declarations alone allow."""

    def changed(self, *names: str) -> tuple[tuple[str, str], ...]:
        """Return the options that differ from their defaults, as a signature shows them."""
        specs_with_values = {
            spec.name: (spec, getattr(self, spec.name)) for spec in option_specs(type(self))
        }
        named_options = (specs_with_values[name] for name in names)
        return tuple(
            (spec.label, format_value(value))
            for spec, value in named_options
            if value != spec.default
        )

    @classmethod
    def installed(cls) -> type[Self]:
        """Return the subclass that an installed package declares, or this class if none does."""
        # The subclass inherits `plugins`, but is not replaced itself.
        kind = vars(cls).get("plugins", "")
        subclasses = dict(load_plugins(kind)) if kind else {}
        for entry, subclass in subclasses.items():
            if not (isinstance(subclass, type) and issubclass(subclass, cls)):
                message = f"entry point {entry.value} is not a subclass of {cls.__name__}"
                raise InputError(message, fix_plugin(kind))
        if len(subclasses) > 1:
            names = " and ".join(entry.value for entry in subclasses)
            raise InputError(f"{names} cannot be combined", "uninstall one of the packages")
        return next(iter(subclasses.values()), cls)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """Create a group from the values that belong to it."""
        options = (option for option in option_specs(cls) if option.name in values)
        return cls(**{option.name: option.by_user(values[option.name]) for option in options})


@dataclass(frozen=True, slots=True)
class Presets(Options):
    """Switches that set other options of a question; none unless a plug-in adds its own.

    A plug-in declares a subclass as an entry point of the group ``pyramidion.presets``. Options
    that the user gives are not changed. `applied` lists the options that were set, as flags.

    Examples
    --------
    >>> Presets().settings("compare", {}), Presets().details
    ({}, {})
    """

    plugins: ClassVar[str] = "presets"

    applied: tuple[str, ...] = ()

    def settings(self, question: str, explicit: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the values that the switches set, by name, for the question's options."""
        return {}

    @property
    def details(self) -> dict[str, str]:
        """The switches that are on and the names of the options they set, for the signature."""
        names = "+".join(flag.split()[0].removeprefix("--") for flag in self.applied)
        return dict.fromkeys(self._active_switches, names or "nothing")

    @property
    def notes(self) -> tuple[str, ...]:
        """What the switches set, one line each."""
        return tuple(
            f"--{name} sets {' '.join(self.applied) or 'nothing'}" for name in self._active_switches
        )

    @property
    def _active_switches(self) -> list[str]:
        return [spec.label for spec in option_specs(type(self)) if getattr(self, spec.name)]


@dataclass(frozen=True, slots=True)
class Progress:
    """Receivers of progress and messages while an answer is computed."""

    advance: Callable[[int, int], None] = field(default=lambda done, total: None, repr=False)
    message: Callable[[str], None] = field(default=lambda text: None, repr=False)

    def part(self, number: int, of: int) -> "Progress":
        """Return the progress of one of `of` parts that take about equally long."""
        return Progress(
            lambda n_done, total: self.advance(number * total + n_done, of * total),
            self.message,
        )


class Question(Protocol[Answer_co]):
    """A public function that takes the options of its groups as keywords."""

    __name__: str
    groups: Mapping[str, type[Options]]
    run: Callable[..., Any]

    def __call__(self, *arguments: Any, **options: Any) -> Answer_co:
        """Answer the question."""


def create_groups(
    question: str,
    kinds: Mapping[str, type[Options]],
    values: Mapping[str, Any],
    explicit: Mapping[str, Any],
) -> dict[str, Options]:
    """Create the groups of options of a question; presets set what is not `explicit`.

    Examples
    --------
    >>> create_groups("compare", {"presets": Presets}, {}, {})
    {'presets': Presets(applied=())}
    """
    presets = {name: kind.of(values) for name, kind in kinds.items() if issubclass(kind, Presets)}
    settings = {
        option: value
        for group in presets.values()
        for option, value in group.settings(question, explicit).items()
        if option not in explicit
    }
    specs = {spec.name: spec for kind in kinds.values() for spec in option_specs(kind)}
    flags = tuple(_format_flag(specs[name], value) for name, value in settings.items())
    groups = {name: kind.of({**values, **settings}) for name, kind in kinds.items()}
    return groups | {name: replace(group, applied=flags) for name, group in presets.items()}


def _format_flag(spec: OptionSpec, value: Any) -> str:
    """Write an option as on the command line."""
    if isinstance(value, bool):
        return f"--{spec.label}" if value else f"no --{spec.label}"
    return f"--{spec.label} {','.join(map(str, value)) if isinstance(value, tuple) else value}"


def question(run: "Callable[..., Answer_co]") -> "Question[Answer_co]":
    """Turn a function of option groups into one that takes their fields as keywords.

    A field that several groups share is passed once and reaches all of them. The new function's
    signature and docstring list every option; `groups` holds the classes, and `run` is the function
    that takes them. A group with `plugins` has the options of the installed package.

    Examples
    --------
    >>> from pyramidion.questions import argument, option
    >>> @dataclass(frozen=True, slots=True)
    ... class Greeting(Options):
    ...     name: str = argument("Whom to greet.")
    ...     times: int = option(1, "How often.", min=1)
    >>> @question
    ... def greet(greeting: Greeting) -> str:
    ...     '''Greet somebody.'''
    ...     return f"Hello {greeting.name}! " * greeting.times
    >>> greet("Ann", times=2)
    'Hello Ann! Hello Ann! '
    >>> "How often. A whole number of at least 1. 1 by default." in greet.__doc__
    True
    """
    hints = get_type_hints(run)
    answer_type = hints.pop("return", Any)
    groups = {name: kind.installed() for name, kind in hints.items()}
    specs_by_name = {spec.name: spec for kind in groups.values() for spec in option_specs(kind)}
    specs = sorted(specs_by_name.values(), key=_is_keyword)
    call_signature = inspect.Signature(
        [*map(_signature_parameter, specs)], return_annotation=TypeText(answer_type)
    )

    @wraps(run)
    def run_and_report(*arguments: Any, **options: Any) -> Any:
        return _with_findings(run, *arguments, **options)

    def call(*arguments: Any, **options: Any) -> Any:
        try:
            bound = call_signature.bind(*arguments, **options).arguments
        except TypeError as error:
            unknown_name = next((name for name in options if name not in specs_by_name), "")
            hint = (
                f"; {_suggestion(unknown_name, specs_by_name)}".rstrip("; ") if unknown_name else ""
            )
            raise TypeError(f"{run.__name__}() {error}{hint}") from None
        return run_and_report(**create_groups(run.__name__, groups, bound, bound))

    for name in ("__module__", "__name__", "__qualname__"):
        setattr(call, name, getattr(run, name))
    call.__doc__ = _with_import(_insert_options(run.__doc__ or "", specs), run)
    call.__dict__.update(groups=groups, run=run_and_report, __signature__=call_signature)
    return call  # type: ignore[return-value]  # its attributes are set above


def _suggestion(unknown_name: str, specs: Mapping[str, OptionSpec]) -> str:
    """Suggest an option for a name that a question does not have."""
    other, difference = _CONFUSED_OPTIONS.get(unknown_name, ("", ""))
    if other in specs:
        return f"did you mean {other}? {difference}"
    # It may be the option's name on the command line.
    flags = {spec.label.replace("-", "_"): spec.name for spec in specs.values()}
    return did_you_mean(flags.get(unknown_name, unknown_name), specs)


# What was found in the data while a question runs; None outside of questions.
_FINDINGS: ContextVar[dict[Any, None] | None] = ContextVar("findings", default=None)


def report_findings(findings: Iterable[Any]) -> None:
    """Add what was found in the data to the result of the running question.

    Examples
    --------
    >>> report_findings([])  # outside of questions, nothing happens
    """
    collected_findings = _FINDINGS.get()
    if collected_findings is not None:
        collected_findings.update(dict.fromkeys(findings))


# The library of the data frames that the running question was given.
_LIBRARIES: ContextVar[dict[str, None] | None] = ContextVar("libraries", default=None)


def report_library(name: str) -> None:
    """Note the library of a data frame, so that results return frames of the same library.

    Examples
    --------
    >>> report_library("polars")  # outside of questions, nothing happens
    """
    libraries = _LIBRARIES.get()
    if libraries is not None:
        libraries[name] = None


def _with_findings(run: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Run a question, and add what was reported meanwhile to its result."""
    collected_findings, libraries = dict[Any, None](), dict[str, None]()
    token, library_token = _FINDINGS.set(collected_findings), _LIBRARIES.set(libraries)
    try:
        result = run(*arguments, **options)
    finally:
        _FINDINGS.reset(token)
        _LIBRARIES.reset(library_token)
    report_findings(collected_findings)  # to the question that called this one
    if len(libraries) == 1 and getattr(result, "library", "none") is None:
        result = replace(result, library=next(iter(libraries)))
    if collected_findings and getattr(result, "findings", None) == ():
        result = replace(
            result, findings=tuple(sorted(collected_findings, key=lambda item: item.order))
        )
    return result


def _is_keyword(spec: OptionSpec) -> bool:
    return not spec.rules.get("positional")


def _signature_parameter(spec: OptionSpec) -> inspect.Parameter:
    kinds = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    kind = kinds[_is_keyword(spec)]
    default = inspect.Parameter.empty if spec.default is MISSING else spec.default
    return inspect.Parameter(spec.name, kind, default=default, annotation=TypeText(spec))


def _with_import(text: str, run: Callable[..., Any]) -> str:
    """Start the example with the import from the package's front."""
    public_module = run.__module__.split("._")[0]
    line = f">>> from {public_module} import {run.__name__}"
    if not public_module.startswith("pyramidion.") or line in text:
        return text
    return text.replace("\nExamples\n--------\n", f"\nExamples\n--------\n{line}\n", 1)


def _source_help(spec: OptionSpec) -> str:
    """Describe what Python accepts as a source besides a path."""
    if "Frame" not in str(spec.type):
        return ""
    return " A path, or a `Collection`, `ScoreMatrix`, `Scores`, pandas or polars frame."


def _insert_options(text: str, options: Iterable[OptionSpec]) -> str:
    """Insert the options into a docstring, before its examples."""
    lines = ["Parameters", "----------"]
    for spec in options:
        # A switch is off unless it says otherwise, and an object has no readable form.
        default = spec.default
        has_text = isinstance(default, str | int | float | tuple | Path) and default is not False
        default_text = (
            f" {format_value(default)} by default." if has_text and default not in ("", ()) else ""
        )
        body = textwrap.wrap(f"{spec.help}{default_text}{_source_help(spec)}", 92)
        lines += [spec.name, *(f"    {line}" for line in body)]
    options_text = "\n".join(lines)
    docstring = inspect.cleandoc(text)
    for section in _LATER_SECTIONS:
        head, heading, details = docstring.partition(f"\n{section}\n---")
        if heading:
            return f"{head}\n{options_text}\n{heading}{details}"
    return f"{docstring}\n\n{options_text}"


@dataclass(frozen=True, slots=True)
class Signature:
    """Everything needed to reproduce a number.

    Parameters
    ----------
    subject
        The metric or command with its parameters, such as ``rouge-2(stem)``.
    data
        The hash of the data (`Collection.data_hash`).
    seed
        The seed, if randomness is involved.
    details
        Anything else that matters, as name and value.

    Examples
    --------
    >>> str(Signature("describe", data="3f2a0c11"))
    'describe|v...|data:3f2a0c11'
    >>> str(Signature("rouge-2(stem)", data="3f2a0c11", details=(("tok", "rouge"),)))
    'rouge-2(stem)|tok:rouge|v...|data:3f2a0c11'
    >>> str(Signature("compare", data="3f2a0c11", seed=0))
    'compare|v...|numpy:...|scipy:...|seed:0|data:3f2a0c11'
    """

    subject: str
    data: str = ""
    seed: int | None = None
    details: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        parts = [self.subject, *(f"{name}:{value}" for name, value in self.details)]
        parts.append(f"v{pyramidion.__version__}")
        parts += library_versions(seeded=self.seed is not None)
        if self.seed is not None:
            parts.append(f"seed:{self.seed}")
        if self.data:
            parts.append(f"data:{self.data}")
        return "|".join(parts)


@cache
def library_versions(*, seeded: bool) -> tuple[str, ...]:
    """List what else may change a digit: the random generator, and kernels that are not compiled.

    NumPy's versions may draw different numbers for the same seed, and SciPy's functions differ in
    their last digits.

    Examples
    --------
    >>> [entry.split(":")[0] for entry in library_versions(seeded=True)][:2]
    ['numpy', 'scipy']
    """
    from importlib.metadata import version

    from pyramidion.kernels.choice import BACKEND

    libraries = tuple(f"{name}:{version(name)}" for name in ("numpy", "scipy")) if seeded else ()
    return libraries if BACKEND == "native" else (*libraries, f"kernels:{BACKEND}")
