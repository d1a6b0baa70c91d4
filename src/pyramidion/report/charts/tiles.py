"""A matrix as coloured tiles, the first row on top."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_tiles"]

# More tiles than this are stored as pixels, also in an SVG.
_MOST_SHAPES = 20_000


def draw_tiles(axes: "Axes", values: npt.NDArray[Any], **colours: Any) -> None:
    """Draw each value as a tile at its column and row; masked values are missing.

    Parameters
    ----------
    axes
        Where to draw.
    values
        Rows and columns.
    **colours
        ``cmap`` and ``norm`` (or ``vmin`` and ``vmax``), as matplotlib takes them.

    Examples
    --------
    >>> from pyramidion.report.charts.layout import Page, Space
    >>> from pyramidion.report.charts.style import style_context
    >>> with style_context():
    ...     axes = Page("", "", plot=(1, 1), space=Space()).axes(0, 0, 1, 1)
    ...     draw_tiles(axes, np.array([[1, 2, 3], [4, 5, 6]]))
    >>> axes.get_children()[0].get_array().shape
    (2, 3)
    """
    rows, columns = values.shape
    many = values.size > _MOST_SHAPES
    axes.pcolormesh(
        np.arange(columns + 1) - 0.5,
        np.arange(rows + 1) - 0.5,
        values,
        edgecolors="none" if many else "white",
        linewidth=0 if many else 0.4,
        rasterized=many,
        **colours,
    )
    axes.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5))
    axes.spines[:].set_visible(False)
