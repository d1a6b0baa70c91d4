"""The style of all figures, and how they are written to files."""

import io
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, get_args

from pyramidion.errors import InputError, MissingExtraError, Where, visible
from pyramidion.files.writing import write_bytes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pyramidion.rendering.charts.picture import Picture

P = ParamSpec("P")

FigureForm = Literal["svg", "pdf", "png"]

#: The file formats of figures, which are also their extensions.
FIGURE_FORMS: tuple[FigureForm, ...] = get_args(FigureForm)

# Okabe and Ito's colors, which people with any kind of color blindness can distinguish.
BLUE, VERMILLION, GREEN = "#0072b2", "#d55e00", "#009e73"
ORANGE, SKY, PURPLE, BLACK = "#e69f00", "#56b4e9", "#cc79a7", "#000000"
INK, GRAY, PALE, STRIPE = "#222222", "#767676", "#e4e4e4", "#f5f5f5"

_RC_PARAMS: dict[str, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": GRAY,
    "axes.labelcolor": INK,
    "axes.labelsize": 9,
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.unicode_minus": True,
    "figure.dpi": 100,
    "font.size": 9,
    "grid.color": PALE,
    "grid.linewidth": 0.6,
    "hatch.linewidth": 0.5,
    "legend.fontsize": 8,
    "legend.frameon": False,
    "pdf.fonttype": 42,
    "savefig.dpi": 200,
    "svg.fonttype": "path",
    "svg.hashsalt": "pyramidion",
    "text.color": INK,
    "text.parse_math": False,  # a system may be called $x$
    "xtick.color": GRAY,
    "xtick.labelcolor": INK,
    "xtick.labelsize": 8,
    "ytick.color": GRAY,
    "ytick.labelcolor": INK,
    "ytick.labelsize": 8,
}

#: Fonts for characters that matplotlib's own font lacks, if they are installed.
_FALLBACK_FONTS = ("Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans", "Arial Unicode MS")

# The style is set in matplotlib's global settings while a figure is drawn.
_DRAW_LOCK = threading.RLock()


@contextmanager
def style_context() -> Iterator[None]:
    """Apply the project's plot style, regardless of the user's settings."""
    try:
        import matplotlib.style
    except ImportError:
        raise MissingExtraError("drawing figures", extra="plot") from None
    settings = {**_RC_PARAMS, "font.family": _font_families()}
    with _DRAW_LOCK, matplotlib.style.context(["default", settings]), warnings.catch_warnings():
        # A character that no font has is drawn as a box, which says as much as the warning.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield


def in_style(draw: "Callable[P, Figure]") -> "Callable[P, Figure]":
    """Make a function draw in the project's plot style."""

    @wraps(draw)
    def draw_in_style(*arguments: P.args, **options: P.kwargs) -> "Figure":
        with style_context():
            from matplotlib.text import Text

            figure = draw(*arguments, **options)
            for label in figure.findobj(Text):
                # A name may contain characters that SVG does not allow.
                label.set_text(visible(label.get_text(), keep="\n"))
            figure.draw_without_rendering()
        return figure

    return draw_in_style


def _font_families() -> list[str]:
    from matplotlib.font_manager import fontManager

    installed_fonts = set(fontManager.get_font_names())
    return ["DejaVu Sans", *(family for family in _FALLBACK_FONTS if family in installed_fonts)]


def shown_figure(size: tuple[float, float], title: str) -> "Figure":
    """Create a figure that notebooks display, whether or not pyplot was imported."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    class ShownFigure(Figure):
        def _repr_png_(self) -> bytes:
            return render(self, "png")

    figure = ShownFigure(figsize=size, label=title)
    FigureCanvasAgg(figure)
    return figure


def render(figure: "Figure | Picture", form: FigureForm, *, outlines: bool = True) -> bytes:
    """Return the content of a figure's file; equal figures give equal bytes.

    Pictures are written as SVG without matplotlib. In other SVG files, letters are outlines, so
    that they look the same without the font.
    """
    from pyramidion.rendering.charts.picture import Picture

    if isinstance(figure, Picture):
        if form == "svg":
            return figure.to_svg().encode()
        figure = figure.to_figure()
    title = visible(str(figure.get_label()))
    metadata: dict[FigureForm, dict[str, str | None]] = {
        "svg": {"Creator": "Pyramidion", "Date": None, "Title": title},
        "pdf": {"Creator": "Pyramidion", "CreationDate": None, "Title": title},
        "png": {"Software": "Pyramidion", "Title": title},
    }
    stream = io.BytesIO()
    with style_context():
        from matplotlib import rcParams

        rcParams["svg.fonttype"] = "path" if outlines else "none"
        figure.savefig(stream, format=form, dpi=200, metadata=metadata[form])
    return stream.getvalue()


def save(figure: "Figure | Picture", path: str | Path) -> Path:
    """Write a figure, completely or not at all, in the format of the file's extension."""
    target = Path(path)
    write_bytes(target, render(figure, _form(target)))
    return target


def require_figure_file(path: Path) -> None:
    """Reject, before any work, a file that a figure cannot be written to."""
    _form(path)
    if not path.parent.is_dir():
        message = f"the folder {path.parent} does not exist"
        raise InputError(message, where=Where(path), hint="make it first")
    with style_context():
        # Raises an error if the extra for figures is missing.
        pass


def _form(path: Path) -> FigureForm:
    for figure_form in FIGURE_FORMS:
        if path.suffix.lower() == f".{figure_form}":
            return figure_form
    message = f"no figure can be written as {path.suffix!r}"
    raise InputError(message, where=Where(path), hint="end the name in .svg, .pdf or .png")
