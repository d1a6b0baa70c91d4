"""How consistent and how severe assessors are, and manual minus automatic scores (Figure 6.3)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pyramidion.evaluation.assessors.consistency import Consistency
from pyramidion.evaluation.assessors.pyramids import AssessorDifference, TopicDifference
from pyramidion.evaluation.assessors.severity import SeverityModel
from pyramidion.report.assessors_tables import ALL, best_first, span_name
from pyramidion.report.figures.row_panels import PanelRow, RowPanel, row_panels_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["consistency_figure", "difference_figure", "severity_figure"]


def consistency_figure(found: Sequence[Consistency], *, confidence_level: float = 0.95) -> "Figure":
    """Draw alpha of each assessor with its interval, a panel a measure, the best on top.

    Parameters
    ----------
    found
        Assessors of one year, or of all together.
    confidence_level
        Of the intervals.

    Examples
    --------
    >>> from pyramidion.evaluation.assessors.alpha import PairAlpha
    >>> from pyramidion.evaluation.assessors.levels import MeasureLevel
    >>> level = MeasureLevel("ordinal", "asked for")
    >>> alpha = PairAlpha(0.8, 0.6, 0.9)
    >>> own = Consistency("2011", "K", "readability", 60, 0, alpha, level, 0.3, 0.0, 0.7, None)
    >>> consistency_figure([own]).get_label()
    'Consistency of assessors: 2011'
    """
    panels = [
        RowPanel(f"{measure} ({own[0].level.level})", tuple(map(_consistency_row, own)))
        for measure, own in _by_measure(best_first(found)).items()
    ]
    note = (
        f"Krippendorff's alpha of two judgments of the same words, with {confidence_level:.0%} "
        "intervals over topics; the number of pairs is in brackets"
    )
    name = span_name(found[0].collection)
    title = f"Consistency of assessors: {name}"
    return row_panels_figure(panels, title=title, note=note, label="alpha", limits=(0.0, 1.0))


def _by_measure(found: Sequence[Consistency]) -> dict[str, list[Consistency]]:
    measures: dict[str, list[Consistency]] = {}
    for own in found:
        measures.setdefault(own.measure, []).append(own)
    return measures


def _consistency_row(own: Consistency) -> PanelRow:
    name = ALL if own.assessor is None else own.assessor
    alpha = own.alpha
    return PanelRow(
        f"{name} ({own.pairs})", alpha.value, alpha.low, alpha.high, soft=own.assessor is None
    )


def severity_figure(models: Sequence[SeverityModel], *, confidence_level: float = 0.95) -> "Figure":
    """Draw each assessor's effect with its interval, a panel a measure.

    Parameters
    ----------
    models
        Main effects in one year, or in all together.
    confidence_level
        Of the intervals.

    Examples
    --------
    >>> from pyramidion.evaluation.assessors.severity import Severity
    >>> own = Severity("K", 6, 3.1, -0.4, -0.7, -0.1, 0.02, 0.1)
    >>> severity_figure([SeverityModel("2011", "readability", "category", (own,))]).get_label()
    'Severity of assessors: 2011'
    """
    panels = [
        RowPanel(
            model.measure,
            tuple(PanelRow(s.assessor, s.effect, s.low, s.high) for s in model.assessors),
        )
        for model in models
    ]
    beside = dict.fromkeys(model.beside for model in models if model.beside != "nothing")
    model_name = f"assessor + {' or '.join(beside)}" if beside else "assessor alone"
    note = (
        f"main effects that sum to zero, {model_name}, with {confidence_level:.0%} intervals; "
        "severe to the left, lenient to the right"
    )
    name = span_name(models[0].collection)
    title = f"Severity of assessors: {name}"
    return row_panels_figure(panels, title=title, note=note, label="points", form="points")


def difference_figure(
    found: Sequence[AssessorDifference],
    topics: Sequence[TopicDifference] = (),
    *,
    measure: str = "pyramid",
    confidence_level: float = 0.95,
) -> "Figure":
    """Draw the mean of manual minus automatic scores of each assessor's topics, the best on top.

    Parameters
    ----------
    found
        Assessors of one year, or of all together.
    topics
        Their topics, drawn as points.
    measure
        What was scored.
    confidence_level
        Of the intervals.

    Examples
    --------
    >>> own = AssessorDifference("2011", "K", 5, 250, 0.4, 0.35, 0.05, 0.01, 0.09)
    >>> difference_figure([own]).get_label()
    'Manual minus automatic pyramid: 2011'
    """
    collection = found[0].collection
    rows = tuple(
        PanelRow(
            f"{own.assessor} ({own.topics})",
            own.difference,
            own.low,
            own.high,
            points=tuple(
                topic.difference
                for topic in topics
                if topic.assessor == own.assessor and collection in (None, topic.collection)
            ),
        )
        for own in sorted(found, key=lambda own: (-own.difference, own.assessor))
    )
    note = (
        f"means over topics (pale points; their number is in brackets) with {confidence_level:.0%} "
        "intervals; the lower, the less consistently units were marked"
    )
    title = f"Manual minus automatic {measure}: {span_name(collection)}"
    label = "manual − automatic"
    return row_panels_figure(
        [RowPanel("", rows)], title=title, note=note, label=label, form="points"
    )
