"""ROUGE-BE: basic elements that a parser finds in the texts."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.errors import InputError
from pyramidion.metrics.against import against_option, requirement
from pyramidion.metrics.basic_elements import parsed_elements, parser_for
from pyramidion.metrics.cases import Cases
from pyramidion.metrics.metric import Metric, Need, option
from pyramidion.rouge.basic_elements import BasicElement, count_basic_elements, stemmed
from pyramidion.rouge.counting import Counts, Pairs
from pyramidion.rouge.rouge import PARTS
from pyramidion.rouge.scoring import score
from pyramidion.rouge.variants import BE_MODES

__all__ = ["RougeBasicElements"]

_NAME = re.compile(r"(?:rouge-?)?be-(?P<mode>[a-z]+\d?)(?:-(?P<part>[rpf]))?", re.IGNORECASE)
_PARTS: Mapping[str, str] = dict(zip(PARTS, ("recall", "precision", "f"), strict=True))


@dataclass(frozen=True, slots=True)
class RougeBasicElements(Metric):
    """Recall, precision or F of the basic elements a summary shares with its references.

    An element is a head, its modifier and their relation, see `basic_elements`; the mode says
    which parts of which elements are compared, as in ROUGE-1.5.5: ``H``, ``HM``, ``HMR``,
    ``HM1``, ``HMR1``, ``HMR2``. The name says which: ``rouge-be-hm-r``; a bare ``rouge-be-hm``
    means F. As in all of ROUGE an element that occurs twice counts twice, and counts are added
    up over references. ``pyramidion rouge -3`` reads elements from files instead.

    References
    ----------
    Hovy, Lin, Zhou and Fukumoto (2006). Automated summarization evaluation with basic elements.
    LREC. Lin (2004). ROUGE: a package for automatic evaluation of summaries.

    Examples
    --------
    >>> metric = RougeBasicElements.parse("rouge-be-hm-r(pipeline=light)")
    >>> reference = "The mayor closed the broken road."
    >>> cases = Cases.of_texts(["The mayor closed a road."], [[reference]])
    >>> metric.score(metric.statistics(cases)).round(2).tolist()
    [0.67]
    """

    name: ClassVar[str] = "rouge-be"
    title: ClassVar[str] = "ROUGE-BE"
    summary: ClassVar[str] = "heads and modifiers shared with references, found by a parser"
    citation: ClassVar[str] = "Hovy et al. 2006"
    needs: ClassVar[frozenset[Need]] = frozenset({"references", "parser"})
    members: ClassVar[tuple[str, ...]] = tuple(f"rouge-be-{mode.lower()}" for mode in BE_MODES)

    measure: str = option("rouge-be-hm-f", "the mode, and recall, precision or F")
    pipeline: str = option("", "light, or a spaCy pipeline's name or folder; our own by default")
    stem: bool = option(False, "stem heads and modifiers, which are lemmas")
    alpha: float = option(0.5, "the weight of precision in F", least=0, most=1)
    against: str = against_option()

    def __post_init__(self) -> None:
        Metric.__post_init__(self)
        mode, part = _split(self.measure)
        object.__setattr__(self, "measure", f"rouge-be-{mode.lower()}-{part}")

    @classmethod
    def read(cls, name: str) -> Mapping[str, Any] | None:
        """Read any mode's name."""
        return {"measure": name} if _NAME.fullmatch(name) else None

    def _call(self) -> str:
        return self.measure

    @property
    def requirements(self) -> frozenset[Need]:
        """What this very measure needs."""
        return requirement(self.against) | {"parser"}

    def require_installed(self) -> None:
        """Refuse to begin where there is no parser."""
        parser_for(self, self.pipeline)

    def statistics(self, cases: Cases) -> Floats:
        """Give the elements of the references, of the summary, and those they share."""
        cases = cases.against(self.against)
        peers, models, places = cases.compared
        elements = self._elements(cases)
        pairs = Pairs(peers, models, np.arange(len(peers)))
        counts = count_basic_elements(elements, pairs, _split(self.measure)[0])
        rows, _ = cases.pairs
        sums = [
            np.bincount(rows, weights=own[places], minlength=len(cases)) for own in counts.parts
        ]
        table = np.stack(sums, axis=1).astype(np.float64)
        table[cases.references.sizes == 0] = np.nan
        return table

    def score(self, statistics: Floats) -> Floats:
        """Give recall, precision or F."""
        flat = statistics.reshape(-1, 3)
        scored = score(Counts(*np.nan_to_num(flat).T), alpha=self.alpha)
        values = getattr(scored, _PARTS[_split(self.measure)[1]])
        return np.where(np.isnan(flat[:, 0]), np.nan, values).reshape(statistics.shape[:-1])

    def _elements(self, cases: Cases) -> dict[int, list[BasicElement]]:
        found = parsed_elements(cases, parser_for(self, self.pipeline))
        if not self.stem:
            return found
        return {number: [stemmed(own) for own in elements] for number, elements in found.items()}


def _split(name: str) -> tuple[str, str]:
    """Split a name into the mode and the part, F if there is none."""
    found = _NAME.fullmatch(name)
    mode = found["mode"].upper() if found else name
    if mode not in BE_MODES:
        hint = f"try {', '.join(RougeBasicElements.members)}"
        raise InputError(f"{name!r} is no mode of ROUGE-BE", hint=hint)
    return mode, (found["part"] or "f").lower() if found else "f"
