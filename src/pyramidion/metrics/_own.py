"""Users' own metrics: a function in a file, or one marked with `metric`."""

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

#: A function in a file, as it is typed: ``my_metric.py:overlap``.
_IN_FILE = re.compile(r"(?P<file>.+\.py):(?P<function>[^\W\d]\w*)")

#: Metrics that were marked in this process, by name.
MARKED: dict[str, type["OwnMetric"]] = {}

#: The environment variable that forbids to load code, here and in worker processes.
NO_CODE = "PYRAMIDION_NO_CODE"


@dataclass(frozen=True, slots=True)
class UserCode:
    """A function in a Python file, which is all that can be loaded, and only a user can name it.

    Parameters
    ----------
    path
        The file.
    function
        Its name there.
    """

    path: Path
    function: str

    @classmethod
    def typed(cls, text: UserText) -> "UserCode | None":
        """Read ``file.py:function`` as a user typed it; `None` if it is something else."""
        if not isinstance(text, UserText):
            raise TypeError("names that were read from data cannot name code")
        match = _IN_FILE.fullmatch(text.strip())
        return cls(Path(match["file"]), match["function"]) if match else None


class OwnMetric(SingleMetric):
    """A metric that is a function of a summary and of what it is scored against."""

    function: ClassVar[Callable[..., Any]]
    #: Whether the function takes lists with all cases instead of one case at a time.
    batch: ClassVar[bool] = False
    is_slow: ClassVar[bool] = True
    #: What a user should know before it runs.
    costs: ClassVar[str] = ""
    confuses: ClassVar[str] = "not measured"

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Return the score of each case, as a column."""
        if not self.batch:
            return SingleMetric.statistics(self, cases)
        plain = cases.texts.plain
        sides = [getattr(cases, side) for side in SIDES if side in self.needs]
        places = [place for place in range(len(cases)) if all(own.sizes[place] for own in sides)]
        columns = [[plain(int(cases.peers[place])) for place in places]] + [
            [[plain(number) for number in own[place].tolist()] for place in places] for own in sides
        ]
        found = self._called("all summaries", *columns) if places else []
        if not isinstance(found, Iterable):
            hint = f"give a number for each of {len(places)} summaries"
            raise InputError(f"metric {self.name} gave {_shown(found)}, not a list", hint)
        values = list(found)
        if len(values) != len(places):
            what = f"metric {self.name} gave {len(values)} scores for {len(places)} summaries"
            raise InputError(what, hint="give one for each, in their order")
        scores = np.full((len(cases), 1), np.nan)
        for place, value in zip(places, values, strict=True):
            scores[place] = self._number(value, cases.names[place])
        return scores

    def scored(self, name: str, summary: str, *sides: list[str]) -> float:
        """Call the function."""
        return self._number(self._called(name, summary, *sides), name)

    def _called(self, name: str, *given: Any) -> Any:
        try:
            result = type(self).function(*given)
            # A generator fails when it is run.
            return list(result) if self.batch and isinstance(result, Iterator) else result
        except (PyramidionError, KeyboardInterrupt):
            raise
        except BaseException as error:
            # Other people's code may fail in any way; report where it failed.
            what = f"metric {self.name} failed on {name} ({_described(error)})"
            raise InputError(what, hint="correct the metric or the data") from error

    def _number(self, value: Any, name: str) -> float:
        try:
            number = math.nan if value is None else float(value)
        except Exception:  # other people's objects may fail in any way
            number = math.inf
        if abs(number) > LARGEST_SCORE:
            hint = f"give a number up to {LARGEST_SCORE:g}, or None where there is no score"
            raise InputError(f"metric {self.name} gave {_shown(value)} for {name}", hint)
        return number

    def __reduce__(self) -> tuple[Any, ...]:
        # Other processes find the function in its file; its class was made here.
        function = type(self).function
        file = inspect.getsourcefile(function)
        if file is None or not Path(file).is_file() or function.__qualname__ != function.__name__:
            what = f"metric {self.name} stands in no file that other processes can read"
            raise InputError(what, hint="put its function into a file")
        code = UserCode(Path(file).absolute(), function.__name__)
        _require_allowed(code)  # here, since a worker could only break
        return load_code, (code,)

    @property
    def kept_as(self) -> str:
        """The name under which finished scores are kept: it changes with the code."""
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
    """Make a metric of a function of a summary, its references and its documents.

    The function itself does not change. As a metric it has its own name, and
    ``-m my_metric.py:overlap`` finds it in its file, even unmarked if it needs no options.

    Parameters
    ----------
    function
        Takes a summary as text, and then, if it has such parameters, `references` and `documents`
        as lists of texts; returns a number, or None if there is no score.
    name
        Name of the metric; the function's name by default.
    higher_is_better
        Whether a better summary has a higher score.
    batch
        Whether the function takes lists with all summaries, their references and documents, and
        returns a list of numbers, which is faster for models.
    packages
        Packages it needs; an error is raised at once if one is missing.
    costs
        What users should know before it runs, such as downloads, network access or money.

    Examples
    --------
    >>> @metric
    ... def overlap(summary, references):
    ...     words = set(summary.split())
    ...     return max(len(words & set(one.split())) / len(words) for one in references)
    >>> from pyramidion.metrics import ScoringBatch, parse_metric, score_cases
    >>> cases = ScoringBatch.of_texts(["rain fell"], [["rain came", "sun"]])
    >>> score_cases(parse_metric("overlap"), cases).tolist()
    [0.5]
    """

    def mark(given: F) -> F:
        kind = _made(given, name or given.__name__.replace("_", "-"), higher_is_better, batch)
        kind.packages, kind.costs = tuple(packages), costs
        MARKED[kind.name] = kind
        given.__dict__["metric"] = kind
        return given

    return mark if function is None else mark(function)


def _made(
    function: Callable[..., Any], name: str, higher_is_better: bool, batch: bool
) -> type[OwnMetric]:
    """Make the class of a function's metric; its parameters say what it needs."""
    if not is_word(name):
        raise InputError(f"{name!r} cannot name a metric", hint="use no brackets and commas")
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    named = [one.name for one in parameters if one.default is one.empty or one.name in SIDES]
    sides = named[1:]
    if not named or any(side not in SIDES for side in sides) or sides != sorted(sides)[::-1]:
        hint = "take (summary), (summary, references) or (summary, references, documents)"
        raise InputError(f"metric {name} takes ({', '.join(named)})", hint)
    doc = (inspect.getdoc(function) or f"the function {function.__name__}").split("\n", 1)[0]
    fields = {
        "name": name, "title": name, "summary": doc, "higher_is_better": higher_is_better,
        "needs": frozenset(sides), "function": staticmethod(function), "batch": batch,
        "is_slow": not batch,
    }  # fmt: skip
    register_measure(name, Measure(lower_is_better=not higher_is_better))
    return type(f"Own_{name}", (OwnMetric,), {"__slots__": (), **fields})


def own_metric(text: UserText) -> OwnMetric | None:
    """Read a user's own metric: marked in this process, or ``file.py:function``."""
    if text in MARKED:
        return MARKED[text]()
    if text.strip().endswith(".py"):
        hint = f"name the function in it, as in -m {text.strip()}:overlap"
        raise InputError(f"{text.strip()} is a file, not a metric", hint=hint)
    code = UserCode.typed(text)
    return load_code(code) if code else None


def _shown(value: Any) -> str:
    try:
        return repr(value)[:100]
    except Exception:  # very large numbers, and other people's objects
        return f"a {type(value).__name__}"


def _described(error: BaseException) -> str:
    message = " ".join(str(error).split())
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def load_code(code: UserCode) -> OwnMetric:
    """Load the metric in a user's file, unless code is forbidden; nothing else loads Python."""
    if not isinstance(code, UserCode):
        raise TypeError("only code that a user named can be loaded")
    _require_allowed(code)
    return _in_file(code.path, code.function)()


def _require_allowed(code: UserCode) -> None:
    if os.environ.get(NO_CODE, "0") not in ("", "0"):
        what = f"{code.path}:{code.function} is Python code, which is not allowed here"
        raise InputError(what, hint=f"leave it out, or run without --no-code and {NO_CODE}")


@cache
def _in_file(path: Path, name: str) -> type[OwnMetric]:
    module = _loaded(path)
    function = getattr(module, name, None)
    if not callable(function):
        functions = [own for own, value in vars(module).items() if inspect.isfunction(value)]
        hint = f"there are: {', '.join(functions) or 'none'}"
        raise NotFoundError(f"there is no function {name!r} in it", where=Where(path), hint=hint)
    marked = getattr(function, "metric", None)
    return marked or _made(function, name.replace("_", "-"), higher_is_better=True, batch=False)


@cache
def _loaded(path: Path) -> Any:
    if not path.is_file():
        raise NotFoundError("there is no such file", where=Where(path), hint="check the path")
    unique = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:8]
    spec = importlib.util.spec_from_file_location(f"{path.stem}_{unique}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    folder = str(path.resolve().parent)
    sys.path.insert(0, folder)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        what = f"the file cannot be loaded ({_described(error)})"
        raise InputError(what, where=Where(path), hint="correct it") from error
    finally:
        with suppress(ValueError):  # the file may have changed the path
            sys.path.remove(folder)
    return module
