"""The figure of a search."""

import numpy as np
import pytest

from classy.search_loop import made_up_year
from pyramidion.classy import search_subsets
from pyramidion.classy._train import SearchPanel, search_figure
from pyramidion.rendering.charts.style import render


@pytest.fixture(scope="module")
def search():
    rng = np.random.default_rng(0)
    return search_subsets(made_up_year(rng), made_up_year(rng, topics=5))


def test_best_and_median_of_each_size(search):
    panel = SearchPanel("responsiveness", search)
    for place, method in enumerate(search.methods):
        for size, best, median in zip(
            panel.sizes, panel.by_size(method), panel.by_size(method, np.median), strict=True
        ):
            own = search.values[place, search.sizes == size, 0]
            assert best == np.nanmax(own)
            assert median == np.nanmedian(own)


@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_panel_for_each_search(search, count):
    panels = [SearchPanel(f"target {number}, task A", search) for number in range(count)]
    figure = search_figure(panels, note="Fitted on 2009, scored on 2010.")
    assert [axes.get_title(loc="left") for axes in figure.axes] == [p.title for p in panels]
    winner = search.winner(0)
    label = f"{winner.method}, {len(winner.groups)}: {winner.value:.3f}"
    assert all(label in [text.get_text() for text in axes.texts] for axes in figure.axes)
    assert render(figure, "svg") == render(figure, "svg")


def test_titles_are_wrapped(search):
    long = "a measure with a very long name, task single-document-news, no-models"
    figure = search_figure([SearchPanel(long, search)])
    assert figure.axes[0].get_title(loc="left").replace("\n", " ") == long
    assert "\n" in figure.axes[0].get_title(loc="left")
