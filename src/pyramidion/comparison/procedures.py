"""Tests and corrections: their names, texts about them, and which can be combined."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal, get_args

from pyramidion._types import Floats
from pyramidion.errors import InputError
from pyramidion.questions import fix_plugin, load_plugins

#: Tests of two systems.
TestName = Literal[
    "permutation", "wilcoxon", "paired-t", "unpaired-t", "welch", "mc", "hb", "kruskal"
]
#: Mixed models of single scores, used instead of a test.
ModelName = Literal["lmm", "ordinal"]
#: All models that a comparison may be based on, including those of other questions.
FittedName = ModelName | Literal["bradley-terry", "ppi", "sequential"]
RandomEffect = Literal["topic", "assessor", "run", "system:topic", "system:assessor"]
#: Tests of two metrics: ``permutation`` swaps their values, the others use system means.
MetaTest = Literal["permutation", "williams", "steiger", "zou", "meng"]
Correction = Literal["maxt", "maxt-single", "holm", "bh", "none"]
#: Names of corrections: max-T of mean ranks is Tukey's, that of models a multivariate t.
CorrectionName = Correction | Literal["tukey", "mvt"]
StatisticName = Literal["w", "t", "t-unpaired"]

TESTS: tuple[TestName, ...] = get_args(TestName)
MODELS: tuple[ModelName, ...] = get_args(ModelName)
META_TESTS: tuple[MetaTest, ...] = get_args(MetaTest)
CORRECTIONS: tuple[Correction, ...] = get_args(Correction)
#: Corrections by the largest statistic of each resample.
MAX_T: tuple[Correction, ...] = ("maxt", "maxt-single")

#: Tests whose p-values come from resamples.
RESAMPLING_TESTS: tuple[TestName, ...] = ("permutation", "mc", "hb")
#: Those that resample a chosen statistic.
STATISTIC_TESTS: tuple[TestName, ...] = ("mc", "hb")
#: Tests that take topics into account.
PAIRED_TESTS: tuple[TestName, ...] = ("permutation", "paired-t", "wilcoxon", "mc", "hb")

# Why max-T, which swaps the two scores of a topic, cannot correct a test.
_WHY_NO_MAX_T: Mapping[str, str] = {
    **dict.fromkeys(("unpaired-t", "welch"), "ignores shared topics"),
    **{test: "swaps nothing" for test in META_TESTS if test != "permutation"},
}


def label_of_test(test: TestName | FittedName, statistic: str | None, continuity: bool) -> str:
    """Name a test with what it resamples, or with its continuity correction."""
    if test in STATISTIC_TESTS:
        return f"{test}({statistic})"
    return f"{test}(continuity)" if continuity and test == "wilcoxon" else test


def effective_correction(correction: Correction, test: TestName | MetaTest) -> Correction:
    """Return the correction; Holm's replaces max-T for tests that max-T cannot correct."""
    can_swap = test in (*TESTS, *META_TESTS) and test not in _WHY_NO_MAX_T
    return "holm" if correction in MAX_T and not can_swap else correction


def named_correction(correction: Correction, test: TestName) -> CorrectionName:
    """Return the name of the correction: max-T of mean ranks is Tukey's."""
    effective_name = effective_correction(correction, test)
    return "tukey" if effective_name in MAX_T and test == "kruskal" else effective_name


def fallback_note(correction: Correction, test: TestName | MetaTest) -> str:
    """Explain why another correction was used; empty if none was."""
    if effective_correction(correction, test) == correction:
        return ""
    reason = _WHY_NO_MAX_T.get(test, "swaps nothing")
    return f"{test} {reason}, so Holm's correction replaces max-T."


@dataclass(frozen=True, slots=True)
class ProcedureText:
    """A test in prose: a short name, and a statement of what was done."""

    __test__ = False  # not a class for pytest

    name: str
    method: str


@dataclass(frozen=True, slots=True)
class PairTest:
    """A test of two systems that another package adds through ``pyramidion.pair_tests``.

    The name of its entry point is the value of ``--test``.

    Parameters
    ----------
    title
        A short name for figures and tables, such as ``sign test``.
    method
        What was done, for the report: ``the sign test was used (Arbuthnott 1710)``.
    run
        Takes the scores of two systems on the topics that both have, and returns the statistic,
        the two-sided p-value and an effect size; NaN if the test is undefined.

    Examples
    --------
    >>> PairTest("sign test", "the sign test was used", lambda a, b: (0.0, 1.0, 0.0)).title
    'sign test'
    """

    title: str
    method: str
    run: Callable[[Floats, Floats], tuple[float, float, float]]


@cache
def plugin_tests() -> Mapping[str, PairTest]:
    """Return the tests of other packages by their names."""
    tests: dict[str, PairTest] = {}
    for entry, test in load_plugins("pair_tests"):
        if not isinstance(test, PairTest) or entry.name in TESTS:
            message = f"entry point {entry.value} is not a new PairTest called {entry.name}"
            raise InputError(message, fix_plugin("pair_tests"))
        tests[entry.name] = test
    return tests


def describe_test(test: str) -> ProcedureText:
    """Return the texts about a test."""
    if test in _PROCEDURE_TEXTS["test"]:
        return ProcedureText(**_PROCEDURE_TEXTS["test"][test])
    plugin_test = plugin_tests()[test]
    return ProcedureText(plugin_test.title, plugin_test.method)


@dataclass(frozen=True, slots=True)
class CorrectionText:
    """A correction in prose: a short name, a phrase after "significant at .05", and methods."""

    name: str
    after: str
    method: str
    metric_method: str


STATISTIC_NAMES: Mapping[StatisticName, str] = {
    "w": "|W|",
    "t": "|T|",
    "t-unpaired": "unpaired |T|",
}

_PROCEDURE_TEXTS = tomllib.loads(
    (files(__package__) / "data" / "procedures.toml").read_text(encoding="utf-8")
)
#: ``{over}`` is replaced by what was swapped.
META_TEST_TEXTS: Mapping[MetaTest, ProcedureText] = {
    name: ProcedureText(**texts) for name, texts in _PROCEDURE_TEXTS["metric_test"].items()
}
CORRECTION_TEXTS: Mapping[CorrectionName, CorrectionText] = {
    name: CorrectionText(**texts) for name, texts in _PROCEDURE_TEXTS["correction"].items()
}
