"""Where the parts of figures are: what `test_layout` compares with `geometry.json`.

``PYTHONPATH=tests python -m rendering.figures.geometry`` records it again. Look at the figures
that change: a number that nobody wanted to change moves something.
"""

import json
import re
from collections import defaultdict
from pathlib import Path

from pyramidion.rendering.charts import Picture

MEASURES = {
    *("x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "rx", "width", "height"),
    *("d", "points", "transform", "font-size", "stroke-width", "stroke-dasharray", "opacity"),
}
RECORDED = Path(__file__).with_name("geometry.json")


def geometry(drawing):
    """Sum up each kind of number: a position, a size or a width that changes, changes a sum."""
    sums = defaultdict(float)
    if isinstance(drawing, Picture):
        for name, value in re.findall(r' ([\w-]+)="([^"]*)"', drawing.to_svg()):
            if name in MEASURES:
                # Without signs: a path goes back as far as it went.
                sums[name] += sum(map(float, re.findall(r"\d+\.?\d*", value)))
    else:
        sums["width"], sums["height"] = drawing.get_size_inches()
        for axes in drawing.axes:
            sums["axes"] += sum(axes.get_position().bounds)
            sums["low"] += axes.get_xlim()[0] + axes.get_ylim()[0]
            sums["high"] += axes.get_xlim()[1] + axes.get_ylim()[1]
            for line in axes.lines:
                sums["stroke"] += line.get_linewidth() + line.get_markersize()
                sums["layer"] += line.get_zorder()
            for patch in axes.patches:
                sums["stroke"] += patch.get_linewidth()
                sums["layer"] += patch.get_zorder()
        sums["text size"] = sum(text.get_fontsize() for text in drawing.texts)
        sums["text position"] = sum(sum(text.get_position()) for text in drawing.texts)
    return {name: round(float(total), 2) for name, total in sorted(sums.items())}


def main():
    """Record the figures that are drawn by default."""
    from rendering.figures.test_layout import FIGURES, as_figure, is_large

    drawings = {name: draw() for name, draw in FIGURES.items() if not is_large(name)}
    recorded = {
        name: geometry(drawing if isinstance(drawing, Picture) else as_figure(drawing))
        for name, drawing in drawings.items()
    }
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(sums)}" for name, sums in recorded.items())
    RECORDED.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
