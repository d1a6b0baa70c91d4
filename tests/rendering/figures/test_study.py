"""Figures of the studies: they show the numbers."""

import numpy as np
import pytest
from matplotlib import colormaps
from matplotlib.colors import to_rgba

from pyramidion.rendering.charts.picture import Dot
from pyramidion.rendering.charts.rows import MarkedRow, marked_rows_picture
from pyramidion.studies import FrequencyClasses, QualityCategories, fit_lognormal
from pyramidion.studies._lognormal import ModeledTopic, lognormal_figure
from pyramidion.studies._quality import FIVE_POINT_NAMES, quality_picture
from pyramidion.studies._utility import utility_figure
from pyramidion.studies._vocabulary import TextSetGroup, growth_figure
from pyramidion.studies._words import AgreedClass, agreement_figure
from rendering.figures.reading import bars, key, labels, names, of, row_of, scale, texts
from studies.thesis import word_classes

NAN = float("nan")
COUNTS = [1] * 200 + [2] * 80 + [3] * 40 + [4] * 20 + [7] * 9 + [15, 40]

#: Thesis, page 73, Table 4.2.
TABLE_4_2 = tuple(
    AgreedClass(number, size, mean, NAN, 0.8 * mean, 1.2 * mean)
    for number, size, mean in ((0, 1115, 2), (1, 82, 5), (2, 24, 9), (3, 11, 14), (4, 7, 31))
)

#: Thesis, page 26, Table 2.7, mark 0 first.
TABLE_2_7 = np.array([0.20, 0.98, 2.27, 4.26, 7.74, 11.46, 23.58, 26.93, 17.90, 4.68, 0.14]) / 100


def groups():
    return [
        TextSetGroup("summaries", word_classes("summaries")),
        TextSetGroup("translations", word_classes("translations")),
    ]


def shares(systems=20):
    rows = [
        MarkedRow("people together", "human", (0.9466, 0.9125, 0.8525)),
        MarkedRow("one person", "human", (0.7, 0.65, 0.6)),
    ]
    machines = [
        MarkedRow(f"a-system-with-a-long-name-{n}", "machine", (0.84, 0.7787, NAN))
        for n in range(systems)
    ]
    return [*rows, *machines]


def shares_figure(systems=20):
    series = ["5 most frequent", "8 most frequent", "12 most frequent"]
    return marked_rows_picture(
        shares(systems), title="Shares", note="a note", label="share", series=series, percent=True
    )


def likelihoods():
    rows = [MarkedRow(f"Human{n}", "human", (-200.0 - n,)) for n in range(1, 11)]
    rows += [MarkedRow(f"System{n}", "machine", (-208.0 - n,)) for n in range(1, 17)]
    return marked_rows_picture(rows, title="Likelihood", label="log-likelihood")


def input_of(classes):
    return agreement_figure(
        classes, title="Words", note="a note", label="frequency", bars="quartiles"
    )


def quality(*fractions, kind="machine", measure="grammaticality", categories=FIVE_POINT_NAMES):
    return QualityCategories(measure, "A", kind, categories, fractions, 1600, 1600)


def modeled(counts):
    return ModeledTopic("T1", np.bincount(counts)[1:], fit_lognormal(counts), *[NAN] * 5)


QUALITY = [
    quality(0.0775, 0.0737, 0.1512, 0.3875, 0.3101),
    quality(0.3006, 0.4012, 0.1768, 0.0812, 0.0402, measure="structure and coherence"),
    quality(0.0032, 0.0, 0.0160, 0.1446, 0.8362, kind="human"),
]

FIGURES = {
    "growth": lambda: growth_figure(groups()),
    "growth-one": lambda: growth_figure(
        [TextSetGroup("T1", FrequencyClasses(np.array([[5, 1]]), ("T1",)))]
    ),
    "shares": shares_figure,
    "shares-few": lambda: shares_figure(0),
    "shares-many": lambda: shares_figure(90),
    "likelihood": likelihoods,
    "words": lambda: input_of(TABLE_4_2),
    "units": lambda: input_of([AgreedClass(n, 9, 1.5 * n, 1.0 * n, n, 2.0 * n) for n in range(8)]),
    "units-none": lambda: input_of([AgreedClass(1, 9, 2, 2, 1, 3), AgreedClass(2, 0, *[NAN] * 4)]),
    "quality": lambda: quality_picture(QUALITY),
    "quality-eleven": lambda: quality_picture(
        [quality(*[1 / 11] * 11, categories=tuple(map(str, range(11))))]
    ),
    "utility": lambda: utility_figure(TABLE_2_7, note="20 sets"),
    "utility-nothing": lambda: utility_figure(np.eye(11)[3]),
    "lognormal": lambda: lognormal_figure([modeled(COUNTS)] * 2),
    "lognormal-little": lambda: lognormal_figure([modeled([1, 1, 1, 2])]),
}


def test_growth_lines_are_those_of_figure_2_1():
    axes = growth_figure(groups()).axes[0]
    thick = [line for line in axes.lines if line.get_linewidth() == 2.0]
    assert len(axes.lines) == 42
    for line, group in zip(thick, groups(), strict=True):
        np.testing.assert_allclose(line.get_ydata(), group.classes.growth.mean(axis=0))
    assert [line.get_linestyle() for line in thick] == ["-", "--"]


def test_every_row_has_its_marks():
    picture = shares_figure(1)
    value = scale(picture)
    shown: dict = {}
    for dot in of(picture, Dot):
        shown.setdefault(names(picture)[row_of(picture, dot)], []).append(value(dot.x))
    expected = {row.name: [v for v in row.values if not np.isnan(v)] for row in shares(1)}
    assert [*shown.values()] == [pytest.approx(values) for values in expected.values()]
    assert any(text.endswith(" %") for text in texts(picture))
    assert [label.bold for label in labels(picture)] == [True, True, False]
    looks = {(dot.color, dot.mark) for dot in of(picture, Dot)}
    assert looks == {(entry.color, entry.mark) for entry in picture.key}


def test_classes_are_drawn_with_their_sizes():
    axes = input_of(TABLE_4_2).axes[0]
    assert axes.lines[0].get_ydata().tolist() == [2, 5, 9, 14, 31]
    sizes = [label.get_text() for label in axes.get_xticklabels()]
    assert sizes == ["0\n(1,115)", "1\n(82)", "2\n(24)", "3\n(11)", "4\n(7)"]


def test_bars_have_the_lengths_of_the_fractions():
    picture = quality_picture(QUALITY)
    parts_of = bars(picture)
    for parts, row in zip(parts_of.values(), QUALITY, strict=True):
        widths = [width for _, width in sorted(parts.values())]
        assert widths == pytest.approx([f for f in row.fractions if f], abs=2e-6)
    assert next(iter(parts_of)) == "grammaticality, task A, machines (1,600)"
    assert [*parts_of][-1].startswith("grammaticality, task A, people")
    assert [label.bold for label in labels(picture)] == [False, False, True]


def test_categories_have_the_colors_of_matplotlibs_scale_from_red_to_blue():
    expected = colormaps["RdYlBu"](np.linspace(0.1, 0.9, 9))
    picture = quality_picture([quality(*[1 / 9] * 9, categories=tuple("abcdefghi"))])
    shown = [to_rgba(color) for color in key(picture).values()]
    np.testing.assert_allclose(shown, expected, atol=0.02)


def test_marks_are_bars_of_three_colors():
    axes = utility_figure(TABLE_2_7).axes[0]
    assert [patch.get_height() for patch in axes.patches] == pytest.approx(100 * TABLE_2_7)  # type: ignore[attr-defined]
    colors = [patch.get_facecolor() for patch in axes.patches]
    assert [colors.index(color) for color in colors] == [0] * 5 + [5] * 4 + [9] * 2


def test_words_and_model_are_drawn():
    fit = fit_lognormal(COUNTS)
    spectrum = np.bincount(COUNTS)[1:]
    left, right = lognormal_figure([modeled(COUNTS)]).axes
    model, seen = left.lines
    np.testing.assert_allclose(model.get_ydata(), fit.spectrum(40))
    assert seen.get_ydata().tolist() == spectrum[spectrum > 0].tolist()
    relative, expected = right.lines
    assert relative.get_ydata().tolist() == list(range(16))
    np.testing.assert_allclose(expected.get_ydata(), fit.expected(np.arange(16)))
