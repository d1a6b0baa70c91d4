"""Users' metrics: a function in a file, or one marked with `metric`."""

import hashlib
import importlib.util
import inspect
import math
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, ClassVar, TypeVar, overload

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection import Measure
from pyramidion.collection.measures import LARGEST_SCORE, register_measure
from pyramidion.errors import InputError, NotFoundError, PyramidionError, Where
from pyramidion.metrics._cases import ScoringBatch
from pyramidion.metrics._metric import SIDES, SingleMetric, code_hash
from pyramidion.questions.options import UserText, is_word

F = TypeVar("F", bound=Callable[..., Any])

#: First parameters of functions that take all summaries at once.
_SUMMARIES_PARAMETERS = ("predictions", "summaries", "candidates", "hypotheses")

#: A function in a file, such as ``my_metric.py:overlap``.
_FUNCTION_IN_FILE = re.compile(r"(?P<file>.+\.py):(?P<function>[^\W\d]\w*)")

#: Metrics marked in this process, by name.
MARKED_FUNCTIONS: dict[str, type["UserMetric"]] = {}

#: The environment variable that forbids loading code, here and in worker processes.
NO_CODE_VARIABLE = "PYRAMIDION_NO_CODE"


@dataclass(frozen=True, slots=True)
class UserCode:
    """A function in a Python file that the user named; no other code can be loaded."""

    path: Path
    function: str

    @classmethod
    def parse(cls, text: UserText) -> "UserCode | None":
        """Parse ``file.py:function`` as typed by the user; None if it is something else."""
        if not isinstance(text, UserText):
            raise TypeError("names read from data cannot name code")
        match = _FUNCTION_IN_FILE.fullmatch(text.strip())
        return cls(Path(match["file"]), match["function"]) if match else None


class UserMetric(SingleMetric):
    """A metric defined by a function of a summary, its references and its documents."""

    function: ClassVar[Callable[..., Any]]
    #: Whether the function takes lists of all cases instead of one case at a time.
    batch: ClassVar[bool] = False
    #: Whether the function takes one reference at a time; its scores are averaged.
    one_reference: ClassVar[bool] = False
    is_slow: ClassVar[bool] = True
    #: What a user should know before it runs.
    costs: ClassVar[str] = ""
    confuses: ClassVar[str] = "not measured"

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Return the score of each case, as a column."""
        if not self.batch:
            return SingleMetric.statistics(self, cases)
        text_of = cases.texts.plain
        sides = [getattr(cases, side) for side in SIDES if side in self.needs]
        rows = [row for row in range(len(cases)) if all(side.sizes[row] for side in sides)]
        columns = [[text_of(int(cases.peers[row])) for row in rows]] + [
            [[text_of(number) for number in side[row].tolist()] for row in rows] for side in sides
        ]
        returned_values = self._call_function("all summaries", *columns) if rows else []
        if not isinstance(returned_values, Iterable):
            hint = f"return a number for each of the {len(rows)} summaries"
            message = f"metric {self.name} returned {_short_repr(returned_values)}, not a list"
            raise InputError(message, hint)
        values = list(returned_values)
        if len(values) != len(rows):
            message = f"metric {self.name} returned {len(values)} scores for {len(rows)} summaries"
            raise InputError(message, hint="return one for each, in the same order")
        scores = np.full((len(cases), 1), np.nan)
        for row, value in zip(rows, values, strict=True):
            scores[row] = self._number(value, cases.names[row])
        return scores

    def scored(self, name: str, summary: str, *sides: list[str]) -> float:
        """Call the function, once for each reference if it takes one."""
        if not self.one_reference:
            return self._number(self._call_function(name, summary, *sides), name)
        references, *documents = sides
        returned_values = (
            self._call_function(name, summary, text, *documents) for text in references
        )
        return float(np.mean([self._number(value, name) for value in returned_values]))

    def _call_function(self, name: str, *arguments: Any) -> Any:
        try:
            result = type(self).function(*arguments)
            # A generator fails when it is run.
            return list(result) if self.batch and isinstance(result, Iterator) else result
        except (PyramidionError, KeyboardInterrupt):
            raise
        except BaseException as error:
            # User code may fail in any way; report where it failed.
            message = f"metric {self.name} failed on {name} ({_error_text(error)})"
            raise InputError(message, hint="correct the metric or the data") from error

    def _number(self, value: Any, name: str) -> float:
        try:
            number = math.nan if value is None else float(value)
        except Exception:  # users' objects may fail in any way
            number = math.inf
        if abs(number) > LARGEST_SCORE:
            hint = f"return a number up to {LARGEST_SCORE:g}, or None if there is no score"
            raise InputError(f"metric {self.name} returned {_short_repr(value)} for {name}", hint)
        return number

    def __reduce__(self) -> tuple[Any, ...]:
        # Other processes load the function from its file, since its class exists only in this one.
        function = type(self).function
        file = inspect.getsourcefile(function)
        if file is None or not Path(file).is_file() or function.__qualname__ != function.__name__:
            message = f"metric {self.name} is not in a file that other processes can read"
            raise InputError(message, hint="put its function into a file")
        code = UserCode(Path(file).absolute(), function.__name__)
        _require_allowed(code)  # before a worker fails
        return load_code, (code,)

    @property
    def cache_key(self) -> str:
        """The key of its scores in a checkpoint: it changes with the code."""
        return f"{self}@{code_hash(type(self).function)}"


@overload
def metric(function: F) -> F: ...
@overload
def metric(
    function: None = None,
    *,
    name: str = ...,
    higher_is_better: bool = ...,
    batch: bool = ...,
    packages: Sequence[str] = ...,
    costs: str = ...,
) -> Callable[[F], F]: ...
def metric(
    function: F | None = None,
    *,
    name: str = "",
    higher_is_better: bool = True,
    batch: bool = False,
    packages: Sequence[str] = (),
    costs: str = "",
) -> F | Callable[[F], F]:
    """Turn a function of a summary, its references and its documents into a metric.

    The function itself does not change. The metric can be used by name in this process, and as
    ``-m my_metric.py:overlap`` everywhere; a function without options need not be marked.

    Parameters
    ----------
    function
        Takes a summary as a text and, if it has such parameters, `references` and `documents` as
        lists of texts; returns a number, or None if there is no score. With a parameter
        `reference`, it takes one text at a time, and its scores for several references are
        averaged.
    name
        Name of the metric; the function's name by default.
    higher_is_better
        Whether a better summary has a higher score.
    batch
        Whether the function takes lists of all summaries, their references and documents, and
        returns a list of numbers, which is faster for models. A function whose first parameter
        is `predictions` or `summaries` does so by default.
    packages
        Required packages; an error is raised at once if one is missing.
    costs
        What users should know before it runs, such as downloads, network access or fees.

    Examples
    --------
    >>> @metric
    ... def overlap(summary, references):
    ...     words = set(summary.split())
    ...     return max(len(words & set(text.split())) / len(words) for text in references)
    >>> from pyramidion.metrics import ScoringBatch, parse_metric, score_cases
    >>> cases = ScoringBatch.of_texts(["rain fell"], [["rain came", "sun"]])
    >>> score_cases(parse_metric("overlap"), cases).tolist()
    [0.5]
    """

    def mark(function: F) -> F:
        metric_class = _metric_class(function, name, higher_is_better, batch)
        metric_class.packages, metric_class.costs = tuple(packages), costs
        MARKED_FUNCTIONS[metric_class.name] = metric_class
        function.__dict__["metric"] = metric_class
        return function

    return mark if function is None else mark(function)


def function_name(function: Any) -> str:
    """Return the name of a function's metric; a function that is not marked yet is marked."""
    if not isinstance(function, FunctionType):
        hint = "define a function with def, or give the name of a metric"
        raise InputError(f"{_short_repr(function)} is not a metric", hint=hint)
    marked_function = function if "metric" in vars(function) else metric(function)
    metric_class: type[UserMetric] = vars(marked_function)["metric"]
    MARKED_FUNCTIONS[metric_class.name] = metric_class
    return metric_class.name


def _metric_class(
    function: Callable[..., Any], name: str = "", higher_is_better: bool = True, batch: bool = False
) -> type[UserMetric]:
    """Make the class of a function's metric; its parameters determine what it needs."""
    name = name or function.__name__.replace("_", "-")
    if name == "<lambda>":
        hint = "define it with def, or give it one: pyramidion.metric(name='overlap')(...)"
        raise InputError("the metric is a lambda, which has no name", hint=hint)
    if not is_word(name):
        raise InputError(f"{name!r} cannot name a metric", hint="use no brackets or commas")
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    side_names = (*SIDES, "reference")
    parameter_names = [
        parameter.name
        for parameter in parameters
        if parameter.default is parameter.empty or parameter.name in side_names
    ]
    batch = batch or parameter_names[:1] in [[name_of_all] for name_of_all in _SUMMARIES_PARAMETERS]
    one_reference = "reference" in parameter_names[1:] and not batch
    sides = [
        "references" if parameter_name == "reference" and one_reference else parameter_name
        for parameter_name in parameter_names[1:]
    ]
    if (
        not parameter_names
        or any(side not in SIDES for side in sides)
        or sides != sorted(set(sides))[::-1]
    ):
        hint = "use (summary), (prediction, reference), (summary, references), (predictions, "
        hint += "references) for lists of all of them, or (summary, references, documents)"
        raise InputError(f"metric {name} takes ({', '.join(parameter_names)})", hint)
    summary = (inspect.getdoc(function) or f"the function {function.__name__}").split("\n", 1)[0]
    fields = {
        "name": name, "title": name, "summary": summary, "higher_is_better": higher_is_better,
        "needs": frozenset(sides), "function": staticmethod(function), "batch": batch,
        "is_slow": not batch, "one_reference": one_reference,
    }  # fmt: skip
    register_measure(name, Measure(lower_is_better=not higher_is_better))
    return type(f"Own_{name}", (UserMetric,), {"__slots__": (), **fields})


def user_metric(text: UserText) -> UserMetric | None:
    """Return a user's metric: marked in this process, or ``file.py:function``."""
    if text in MARKED_FUNCTIONS:
        return MARKED_FUNCTIONS[text]()
    if text.strip().endswith(".py"):
        hint = f"name the function in it, as in -m {text.strip()}:overlap"
        raise InputError(f"{text.strip()} is a file, not a metric", hint=hint)
    code = UserCode.parse(text)
    return load_code(code) if code else None


def _short_repr(value: Any) -> str:
    try:
        return repr(value)[:100]
    except Exception:  # very large numbers and users' objects
        return f"a {type(value).__name__}"


def _error_text(error: BaseException) -> str:
    message = " ".join(str(error).split())
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def load_code(code: UserCode) -> UserMetric:
    """Load the metric in a user's file, unless code is forbidden; nothing else loads Python."""
    if not isinstance(code, UserCode):
        raise TypeError("only code named by the user can be loaded")
    _require_allowed(code)
    return _class_in_file(code.path, code.function)()


def _require_allowed(code: UserCode) -> None:
    if os.environ.get(NO_CODE_VARIABLE, "0") not in ("", "0"):
        message = f"{code.path}:{code.function} is Python code, which is not allowed here"
        raise InputError(
            message, hint=f"leave it out, or run without --no-code and {NO_CODE_VARIABLE}"
        )


@cache
def _class_in_file(path: Path, name: str) -> type[UserMetric]:
    module = _load_file(path)
    function = getattr(module, name, None)
    if not callable(function):
        functions = [member for member, value in vars(module).items() if inspect.isfunction(value)]
        hint = f"functions: {', '.join(functions) or 'none'}"
        raise NotFoundError(f"there is no function {name!r} in it", where=Where(path), hint=hint)
    metric_class = getattr(function, "metric", None)
    return metric_class or _metric_class(function, name.replace("_", "-"))


@cache
def _load_file(path: Path) -> Any:
    if not path.is_file():
        raise NotFoundError("there is no such file", where=Where(path), hint="check the path")
    path_hash = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:8]
    spec = importlib.util.spec_from_file_location(f"{path.stem}_{path_hash}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    folder = str(path.resolve().parent)
    sys.path.insert(0, folder)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        message = f"the file cannot be loaded ({_error_text(error)})"
        raise InputError(message, where=Where(path), hint="correct it") from error
    finally:
        with suppress(ValueError):  # the file may have changed sys.path
            sys.path.remove(folder)
    return module
