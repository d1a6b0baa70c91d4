"""A metric is a value: its parameters are its fields, and its text reads back."""

import hashlib
import inspect
import math
import sys
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection._options import Parsable, option
from pyramidion.errors import MissingExtraError
from pyramidion.text import TOKENIZERS
from pyramidion.text._encoding import Reading

if TYPE_CHECKING:
    from pyramidion.metrics._cases import ScoringBatch

#: What a metric may need beside the summary itself.
Need = Literal[
    "references", "documents", "earlier references", "parser", "model",
    "references or content units",
]  # fmt: skip

#: In the order in which they are told.
NEEDS: tuple[Need, ...] = get_args(Need)


@dataclass(frozen=True, slots=True)
class Metric(Parsable):
    """What scores summaries; a subclass is one metric, or one family of them.

    A subclass is a frozen dataclass whose fields are made with `option`, has the class
    attributes below, and computes `statistics`: for every case one row of numbers from which
    `score` follows, and follows for sums of rows too where the metric allows it.

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

    #: Whether a better summary has a greater score.
    higher_is_better: ClassVar[bool] = True
    #: Whether it describes summaries rather than judging them, so that neither is better.
    descriptive: ClassVar[bool] = False
    #: The values it can have, such as "0 to 1".
    bounds: ClassVar[str] = ""
    #: What it is known to follow instead of quality: length, copying, or something else.
    confuses: ClassVar[str] = ""
    #: What it needs beside the summary.
    needs: ClassVar[frozenset[Need]] = frozenset()
    #: Packages it imports beside those that are always there, and the extra that brings them.
    packages: ClassVar[tuple[str, ...]] = ()
    extra: ClassVar[str] = ""
    #: Whether ``all`` means it, too; not where it takes as long as all others together.
    in_all: ClassVar[bool] = True
    #: Whether a summary's score is the same whatever other summaries are scored with it.
    per_case: ClassVar[bool] = True
    #: Whether it finds words of ASCII letters only, and has no other tokenizer to choose.
    ascii_only: ClassVar[bool] = False

    @abstractmethod
    def statistics(self, cases: "ScoringBatch") -> Floats:
        """Return a row of numbers for each case.

        Parameters
        ----------
        cases
            Summaries with what they are scored against.
        """

    def score(self, statistics: Floats) -> Floats:
        """Return the score that follows from statistics; NaN where it is undefined.

        Parameters
        ----------
        statistics
            Rows of `statistics`, or sums of them.
        """
        return statistics[..., 0]

    @classmethod
    def better(cls) -> str:
        """Say which score is better: more, less or neither."""
        if cls.descriptive:
            return "neither"
        return "more" if cls.higher_is_better else "less"

    @property
    def requirements(self) -> frozenset[Need]:
        """What this very metric needs, where that depends on its options."""
        if getattr(self, "against", "") == "earlier":
            return self.needs - {"references"} | {"earlier references"}
        return self.needs

    @property
    def reading(self) -> Reading:
        """How texts become words, by those of its options that say so."""
        stem, stop_words = (getattr(self, name, False) for name in ("stem", "stop_words"))
        return Reading(stem, stop_words, getattr(self, "tokenizer", None) or "rouge")

    @property
    def kept_as(self) -> str:
        """The name under which finished scores are kept; it changes with another package's code."""
        module = type(self).__module__
        ours = module.startswith("pyramidion.")
        return self.signed if ours else f"{self}@{code_hash(sys.modules[module])}"

    @property
    def signed(self) -> str:
        """The text of a signature: as it is typed, and what else its scores depend on."""
        return str(self)

    def require_installed(self) -> None:
        """Refuse to begin where an optional dependency is missing."""
        if "parser" in self.requirements and find_spec("spacy") is None:
            raise MissingExtraError(str(self), extra="nlp")
        for package in self.packages:
            if find_spec(package) is None:
                raise MissingExtraError(str(self), extra=self.extra or package)


@dataclass(frozen=True, slots=True)
class RatioMetric(Metric):
    """A metric whose statistics are two numbers, of which the first is divided by the second."""

    def score(self, statistics: Floats) -> Floats:
        """Divide; NaN where there is nothing to divide by."""
        return share(statistics[..., 0], statistics[..., 1])


@dataclass(frozen=True, slots=True)
class SingleMetric(Metric):
    """A metric that scores one summary at a time, by a function of texts."""

    def statistics(self, cases: "ScoringBatch") -> Floats:
        """Return the score of each case, as a column."""
        scores = np.full((len(cases), 1), np.nan)
        for place in self.order(cases):
            scores[place] = self.case(cases, place)
        return scores

    @property
    def is_slow(self) -> bool:
        """Whether each score is worth keeping as soon as it is there."""
        return False

    def order(self, cases: "ScoringBatch") -> Sequence[int]:
        """Return the order in which cases are scored best."""
        return range(len(cases))

    def case(self, cases: "ScoringBatch", place: int) -> float:
        """Score one case, NaN where it lacks what the metric needs; equal ones once."""
        needed = (side for side in SIDES if side in self.requirements)
        sides = [getattr(cases, side)[place].tolist() for side in needed]
        if not all(sides):
            return math.nan
        peer, texts = int(cases.peers[place]), cases.texts
        known = texts.memo(("single", self), dict[tuple[int, ...], float])
        key = (peer, *(number for side in sides for number in side))
        if key not in known:
            given = [[texts.plain(number) for number in side] for side in sides]
            known[key] = self.scored(cases.names[place], texts.plain(peer), *given)
        return known[key]

    @abstractmethod
    def scored(self, name: str, summary: str, *sides: list[str]) -> float:
        """Score a summary, given the texts of each side that the metric needs."""


#: What a metric that scores one summary at a time may be given beside it, in this order.
SIDES: tuple[Need, ...] = ("references", "documents")


def tokenizer_option() -> Any:
    """Declare the tokenizer; without one the texts decide."""
    help = "how words are found: rouge, or unicode where the texts are of another script"
    return option(None, help, choices=tuple(TOKENIZERS))


def code_hash(source: Any) -> str:
    """Hash the file that a module or function stands in, since what it calls may stand there."""
    try:
        code = Path(inspect.getsourcefile(source) or "").read_bytes()
    except (OSError, TypeError):  # typed at a prompt
        compiled = getattr(source, "__code__", None)
        code = repr(source).encode() if compiled is None else compiled.co_code
        code += repr(getattr(compiled, "co_consts", "")).encode()
    return hashlib.sha256(code).hexdigest()[:12]


def share(part: Floats, whole: Floats | Ints) -> Floats:
    """Divide; NaN where there is nothing to divide by."""
    shares: Floats = np.full(whole.shape, np.nan)
    np.divide(part, whole, out=shares, where=whole > 0)
    return shares
