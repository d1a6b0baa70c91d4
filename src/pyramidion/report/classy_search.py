"""The search for a model's features, as a table and as panels of a figure."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from pyramidion.classy.recipe import TrainedModel
from pyramidion.classy.search import SubsetSearch

if TYPE_CHECKING:
    from pyramidion.report.figures.search import SearchPanel

__all__ = ["search_panels", "search_table_csv"]

_HEADER = ("task", "peers", "target", "method", "size", "subset", "value", "iterations")


def search_table_csv(models: Sequence[TrainedModel]) -> Iterator[str]:
    r"""Write everything that was tried as CSV, piece by piece.

    A row is a subset (its features with ``+`` between) and a method, with its score on the year
    of selection; empty where it has none. What a learner tried has no size.

    Parameters
    ----------
    models
        The models; where two were chosen from the same search it is written once.

    Examples
    --------
    >>> from pyramidion.classy.features import FeatureGroup
    >>> from pyramidion.classy.model import LinearModel
    >>> from pyramidion.classy.search import Subsets
    >>> table = SubsetSearch(Subsets.of(1, None), ("canon",), np.array([[[0.5]]]),
    ...                      np.zeros((1, 1), int), "pearson", "summary")
    >>> trained = TrainedModel(LinearModel("m", (), (), target="readability"),
    ...                        (FeatureGroup("r2", "R2", ()),), search=table)
    >>> print("".join(search_table_csv([trained])), end="")
    task,peers,target,method,size,subset,value,iterations
    ,,readability,canon,1,r2,0.5,0
    """
    yield _lines([_HEADER])
    written: set[tuple[str, ...]] = set()
    for trained in models:
        own = trained.model
        about = (own.task, own.peers, own.target)
        if trained.search is not None:
            for method in trained.search.methods:
                if (*about, method) not in written:
                    written.add((*about, method))
                    yield _lines(_subsets(about, method, trained, trained.search))
        elif trained.choice is not None:
            tried = trained.choice.values.items()
            yield _lines((*about, own.method, "", name, value, "") for name, value in tried)


def _subsets(
    about: tuple[str, ...], method: str, trained: TrainedModel, search: SubsetSearch
) -> Iterator[tuple[object, ...]]:
    place = [str(own) for own in search.methods].index(method)
    values = search.values[place, :, 0].tolist()
    repeated = search.iterations[:, 0].tolist() if method == "robust" else [0] * len(values)
    names = [group.name for group in trained.groups]
    sizes, masks = search.sizes.tolist(), search.masks.tolist()
    for mask, size, value, times in zip(masks, sizes, values, repeated, strict=True):
        subset = "+".join(name for bit, name in enumerate(names) if mask >> bit & 1)
        yield *about, method, size, subset, "" if np.isnan(value) else value, times


def _lines(rows: Iterable[Sequence[object]]) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()


def search_panels(models: Sequence[TrainedModel]) -> "list[SearchPanel]":
    """Give the different searches that models were chosen from, to be drawn.

    Where two models were chosen from the same search, the one with more methods is drawn.

    Parameters
    ----------
    models
        The models.

    Examples
    --------
    >>> from pyramidion.classy.model import LinearModel
    >>> search_panels([TrainedModel(LinearModel("m", (), ()), ())])
    []
    """
    from pyramidion.report.figures.search import SearchPanel

    panels: dict[str, SearchPanel] = {}
    for trained in models:
        own = trained.model
        if trained.search is None:
            continue
        task = f"task {own.task}" if own.task else ""
        title = ", ".join(filter(None, (own.target, task, own.peers)))
        drawn = panels.get(title)
        if drawn is None or len(drawn.search.methods) < len(trained.search.methods):
            panels[title] = SearchPanel(title, trained.search)
    return list(panels.values())
