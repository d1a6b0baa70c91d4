"""What the switch ``--as-printed`` sets: options as in Rankel's dissertation."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pyramidion.collection import Exclusion
from pyramidion.errors import InputError
from pyramidion.questions import Presets, option
from pyramidion.questions.options import split_names

#: Two baselines of TAC 2009 that people had a hand in (reading 36).
TAC_2009_BASELINES = Exclusion("D09", ("2", "3"))

#: Chapter 4, with section 4.4's check by resampling, and chapter 7.
_SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "compare": {
        "test": ("unpaired-t", "paired-t", "wilcoxon", "mc", "hb"), "continuity": True,
        "correction": "none", "n_resamples": 2000, "exactly": True,
        "exclude": ("tac2009-baselines",),
    },
    "verdicts": {"top": ("30",), "exactly": True, "combine_by": "significance"},
}  # fmt: skip
# These options replace the tests of pairs.
_OTHER_METHODS = ("model", "sequential", "judge", "margin")


@dataclass(frozen=True, slots=True)
class PrintedSettings(Presets):
    """Whether options that are not given are set as in the papers."""

    as_printed: bool = option(
        False, "Set options that you do not specify as in Rankel's dissertation: chapter 4 for "
        "compare, chapter 7 for verdicts. The output lists them.", flags=("--as-printed",),
    )  # fmt: skip

    def settings(self, question: str, explicit: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the values of the dissertation's chapter."""
        if not self.as_printed:
            return {}
        if other := next((name for name in _OTHER_METHODS if explicit.get(name)), ""):
            message = f"--as-printed and --{other} cannot go together"
            raise InputError(message, hint="leave one of them out")
        settings = dict(_SETTINGS[question])
        tests = explicit.get("test", settings.get("test", ()))
        if "wilcoxon" not in (split_names(tests) if isinstance(tests, str) else tests):
            settings.pop("continuity", None)
        return settings
