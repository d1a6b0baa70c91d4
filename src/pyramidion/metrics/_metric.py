"""A metric is a value: its parameters are its fields, and its text can be parsed."""

import hashlib
import inspect
import math
import sys
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.errors import MissingExtraError
from pyramidion.questions import Parsable, option
from pyramidion.text import TOKENIZERS, english_file
from pyramidion.text.encoding import Reading

if TYPE_CHECKING:
    from pyramidion.metrics._cases import ScoringBatch

#: What a metric may need besides the summary itself.
Need = Literal[
    "references", "documents", "earlier references", "parser", "model",
    "references or content units",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Metric(Parsable):
    """Scores summaries; a subclass is one metric, or one family of metrics.

    A subclass sets the class attributes below and implements `statistics`: one row of numbers per
    case, from which `score` is computed (for some metrics also from sums of rows). Options are
    fields of a frozen dataclass, declared with `option`.

    Examples
    --------
    >>> from pyramidion.metrics import ScoringBatch, parse_metric
    >>> metric = parse_metric("bleu(n=2)")
    >>> str(metric), metric.needs
    ('bleu(n=2)', frozenset({'references'}))
    >>> cases = ScoringBatch.of_texts(["Rain fell today."], [["Rain fell today."]])
    >>> metric.score(metric.statistics(cases)).tolist()
    [1.0]
    """

    #: Whether a better summary has a higher score.
    higher_is_better: ClassVar[bool] = True
    #: Whether it describes summaries, so that neither direction is better.
    descriptive: ClassVar[bool] = False
    #: The range of its values, such as "0 to 1".
    bounds: ClassVar[str] = ""
    #: What it is known to measure instead of quality: length, copying, or something else.
    confuses: ClassVar[str] = ""
    #: What it needs besides the summary.
    needs: ClassVar[frozenset[Need]] = frozenset()
    #: Optional packages it imports, and the extra that installs them.
    packages: ClassVar[tuple[str, ...]] = ()
    extra: ClassVar[str] = ""
    #: Whether it uses models or word counts of `pyramidion-english`.
    needs_english: ClassVar[bool] = False
    #: Whether ``all`` includes it; false for metrics slower than all others together.
    in_all: ClassVar[bool] = True
    #: Whether a summary's score is independent of the other summaries.
    per_case: ClassVar[bool] = True
    #: Whether it only finds words of ASCII letters and has no tokenizer option.
    ascii_only: ClassVar[bool] = False
    #: Whether each score of a `SingleMetric` is checkpointed as soon as it is computed.
    is_slow: ClassVar[bool] = False
    #: Whether it is computed from other metrics, and so cannot be a part of another such metric.
    combines: ClassVar[bool] = False
    #: Options that are part of the name, in order: names in `members` end with their values.
    named: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def statistics(self, cases: "ScoringBatch") -> Floats:
        """Return a row of numbers for each case."""

    def score(self, statistics: Floats) -> Floats:
        """Return the scores of rows of `statistics`, or of sums of them; NaN where undefined."""
        return statistics[..., 0]

    def remark(self, cases: "ScoringBatch") -> str:
        """Return a note on how summaries were scored; empty if there is nothing to report."""
        return ""

    @classmethod
    def read(cls, name: str) -> Mapping[str, Any] | None:
        """Return the options that are part of a name; `None` if it names another metric."""
        if name not in cls.names():
            return None
        values = name.removeprefix(f"{cls.name}-").split("-") if cls.named else []
        return dict(zip(cls.named, values, strict=True))

    def _call(self) -> str:
        return "-".join((self.name, *(str(getattr(self, option)) for option in self.named)))

    def beside(self, metrics: Mapping[str, "Metric"]) -> "Metric":
        """Return the metric for a run with these metrics, which only the user can name."""
        return self

    @classmethod
    def better(cls) -> str:
        """Return which scores are better: more, less or neither."""
        if cls.descriptive:
            return "neither"
        return "more" if cls.higher_is_better else "less"

    @property
    def requirements(self) -> frozenset[Need]:
        """What this metric needs, given its options."""
        if getattr(self, "against", "") == "earlier":
            return self.needs - {"references"} | {"earlier references"}
        return self.needs

    @property
    def reading(self) -> Reading:
        """How texts become words, from the options `stem`, `stop_words` and `tokenizer`."""
        stem, stop_words = (getattr(self, name, False) for name in ("stem", "stop_words"))
        return Reading(stem, stop_words, getattr(self, "tokenizer", None) or "rouge")

    @property
    def cache_key(self) -> str:
        """The key of its scores in a checkpoint; it changes with another package's code."""
        module = type(self).__module__
        is_ours = module.startswith("pyramidion.")
        return self.signed if is_ours else f"{self}@{code_hash(sys.modules[module])}"

    @property
    def signed(self) -> str:
        """The text of a signature: its name and options, and what else its scores depend on."""
        return str(self)

    def require_installed(self) -> None:
        """Raise an error if an optional dependency is missing."""
        if "parser" in self.requirements and find_spec("spacy") is None:
            raise MissingExtraError(str(self), extra="nlp")
        if self.needs_english:
            english_file("", str(self))
        for package in self.packages:
            if find_spec(package) is None:
                raise MissingExtraError(str(self), extra=self.extra or package)


class RatioMetric(Metric):
    """A metric with two statistics: the score is the first divided by the second."""

    def score(self, statistics: Floats) -> Floats:
        """Divide; NaN for a divisor of 0."""
        return share(statistics[..., 0], statistics[..., 1])


class SingleMetric(Metric):
    """A metric that scores one summary at a time."""

    def statistics(self, cases: "ScoringBatch") -> Floats:
        """Return the score of each case, as a column."""
        scores = np.full((len(cases), 1), np.nan)
        for case in self.order(cases):
            scores[case] = self.case(cases, case)
        return scores

    def order(self, cases: "ScoringBatch") -> Sequence[int]:
        """Return the order in which cases are scored fastest."""
        return range(len(cases))

    def case(self, cases: "ScoringBatch", row: int) -> float:
        """Score one case, equal cases once; NaN if something that the metric needs is missing."""
        needed_sides = (side_name for side_name in SIDES if side_name in self.requirements)
        side_numbers = [getattr(cases, side_name)[row].tolist() for side_name in needed_sides]
        if not all(side_numbers):
            return math.nan
        peer, texts = int(cases.peers[row]), cases.texts
        scores = texts.memo(("single", self), dict[tuple[int, ...], float])
        key = (peer, *(number for side_name in side_numbers for number in side_name))
        if key not in scores:
            texts_by_side = [
                [texts.plain(number) for number in side_name] for side_name in side_numbers
            ]
            scores[key] = self.scored(cases.names[row], texts.plain(peer), *texts_by_side)
        return scores[key]

    @abstractmethod
    def scored(self, name: str, summary: str, *sides: list[str]) -> float:
        """Score a summary against the texts of each side that the metric needs."""


#: What a `SingleMetric` may need besides the summary, in this order.
SIDES: tuple[Need, ...] = ("references", "documents")


def tokenizer_option() -> Any:
    """Declare the tokenizer; by default it depends on the texts."""
    help = "tokenizer: rouge, or unicode for other scripts; detected by default"
    return option(None, help, choices=tuple(TOKENIZERS))


def code_hash(source: Any) -> str:
    """Hash the file that defines a module or function, and so what it calls there."""
    try:
        source_bytes = Path(inspect.getsourcefile(source) or "").read_bytes()
    except (OSError, TypeError):  # typed at a prompt
        compiled_code = getattr(source, "__code__", None)
        source_bytes = repr(source).encode() if compiled_code is None else compiled_code.co_code
        source_bytes += repr(getattr(compiled_code, "co_consts", "")).encode()
    return hashlib.sha256(source_bytes).hexdigest()[:12]


def share(parts: Floats, totals: Floats | Ints) -> Floats:
    """Divide; NaN for a divisor of 0."""
    shares: Floats = np.full(totals.shape, np.nan)
    np.divide(parts, totals, out=shares, where=totals > 0)
    return shares
