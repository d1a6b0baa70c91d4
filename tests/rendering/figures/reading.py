"""What a reader sees in a picture: names, numbers on the scale, marks and their colors."""

from itertools import pairwise

from pyramidion.rendering.charts.picture import Box, Dot, Line, Text, Tiles

INTERVAL, CLUSTER = 1.6, 0.8


def of(picture, kind):
    return [mark for mark in picture.marks if isinstance(mark, kind)]


def texts(picture):
    return [mark.text for mark in of(picture, Text)]


def labels(picture):
    """Return the names of rows from the top: the texts that end at the left of the plot."""
    ending = [mark for mark in of(picture, Text) if mark.anchor == "end"]
    left = min(mark.x for mark in ending)
    return sorted((mark for mark in ending if mark.x == left), key=lambda mark: mark.y)


def names(picture):
    return [mark.text for mark in labels(picture)]


def row_of(picture, mark, *, middle=0.0):
    """Return the number of the row that a mark is in."""
    heights = [label.y for label in labels(picture)]
    return min(range(len(heights)), key=lambda row: abs(heights[row] - mark.y - middle))


def scale(picture):
    """Return a function from positions to numbers, according to the scale below the plot."""
    bottom = max(line.y + line.down for line in of(picture, Line) if line.down > 0)
    middle = [mark for mark in of(picture, Text) if mark.anchor == "middle"]
    below = [mark for mark in middle if 0 < mark.y - bottom < 0.2]
    ticks = sorted((mark.x, _number(mark.text)) for mark in below)
    (x, value), (last_x, last) = ticks[0], ticks[-1]
    for (a, low), (b, high) in pairwise(ticks):
        assert abs((high - low) / (b - a) - (last - value) / (last_x - x)) < 1e-9 * abs(
            last - value
        )
    return lambda position: value + (position - x) / (last_x - x) * (last - value)


def _number(text):
    number = float(text.removesuffix(" %").replace("−", "-"))
    return number / (100 if text.endswith(" %") else 1)


def intervals(picture):
    """Return the ends and the color of each row's interval, by name."""
    value, rows = scale(picture), names(picture)
    lines = [line for line in of(picture, Line) if line.stroke == INTERVAL]
    return {
        rows[row_of(picture, line)]: (value(line.x), value(line.x + line.across), line.color)
        for line in lines
    }


def points(picture):
    """Return the value, the color and the mark of each row's dot, by name."""
    value, rows = scale(picture), names(picture)
    return {
        rows[row_of(picture, dot)]: (value(dot.x), dot.color, dot.mark) for dot in of(picture, Dot)
    }


def letters(picture):
    """Return the texts to the right of the plot, by row."""
    first = labels(picture)[0]
    ending = sorted(
        (mark for mark in of(picture, Text) if mark.anchor == "end" and mark.x > first.x),
        key=lambda mark: mark.x,
    )
    written: dict[int, str] = {}
    for mark in (mark for mark in ending if mark.y > first.y - 0.1):  # not a heading
        row = row_of(picture, mark)
        written[row] = written.get(row, "") + mark.text
    return written


def bars(picture, gap=0.008):
    """Return the start and the width of the parts of each row's bar, by name and color.

    Between two parts is a gap that is narrower than a hundredth of an inch.
    """
    value, rows = scale(picture), names(picture)
    parts: dict[str, dict] = {name: {} for name in rows}
    for box in of(picture, Box):
        start = value(box.x)
        width = value(box.x + box.width + gap) - start
        row = row_of(picture, box, middle=box.height / 2)
        parts[rows[row]][box.color] = (round(start, 6), round(width, 6))
    return parts


def blocks(picture):
    return of(picture, Tiles)


def tile_colors(tiles):
    """Return the colors of tiles, row by row; None where there is none."""
    return [
        [None if code < 0 else tiles.colors[code] for code in row] for row in tiles.codes.tolist()
    ]


def _inside(tiles, mark):
    column = (mark.x - tiles.x) / tiles.cell[0]
    row = (mark.y - tiles.y) / tiles.cell[1]
    height, width = tiles.codes.shape
    return (int(row), int(column)) if 0 < row < height and 0 < column < width else None


def tile_texts(picture, tiles):
    """Return the texts in tiles, by row and column."""
    middle = [mark for mark in of(picture, Text) if mark.anchor == "middle"]
    return {cell: mark.text for mark in middle if (cell := _inside(tiles, mark))}


def columns(picture, tiles):
    """Return the names above tiles, from the left."""
    right = tiles.x + tiles.codes.shape[1] * tiles.cell[0]
    above = [
        mark
        for mark in of(picture, Text)
        if tiles.x < mark.x < right
        and mark.y < tiles.y
        and (mark.turned or mark.anchor == "middle")
    ]
    return [mark.text for mark in sorted(above, key=lambda mark: mark.x)]


def key(picture):
    return {entry.text: entry.color for entry in picture.key}


def panels_below(picture):
    """Return a function from a mark to its numbers x and y, by the label below each panel."""
    lines = [line for line in of(picture, Line) if line.color == "line"]
    panels = {}
    for label in of(picture, Text):
        if label.anchor != "middle" or label.turned or _is_number(label.text):
            continue
        bottom = label.y - 0.3
        upright = [
            mark for mark in lines if mark.down > 0 and abs(mark.y + mark.down - bottom) < 1e-6
        ]
        rows = [
            mark for mark in lines if mark.across > 0 and mark.x < label.x < mark.x + mark.across
        ]
        rows = [mark for mark in rows if upright[0].y - 1e-6 <= mark.y <= bottom + 1e-6]
        left, right = rows[0].x, rows[0].x + rows[0].across
        numbers = [mark for mark in of(picture, Text) if _is_number(mark.text)]
        below = [
            (mark.x, _number(mark.text))
            for mark in numbers
            if mark.anchor == "middle" and abs(mark.y - bottom - 0.12) < 1e-6
            if left - 0.01 <= mark.x <= right + 0.01
        ]
        beside = [
            (mark.y, _number(mark.text))
            for mark in numbers
            if mark.anchor == "end" and abs(mark.x - left + 0.06) < 1e-6
            if mark.y in [row.y for row in rows]
        ]
        box = left, upright[0].y, right, bottom
        panels[label.text] = (box, _line(sorted(below)), _line(sorted(beside)))
    return panels


def _line(ticks):
    (start, low), (end, high) = ticks[0], ticks[-1]
    return lambda position: low + (position - start) / (end - start) * (high - low)


def _is_number(text):
    return text.replace("−", "").replace(".", "").isdigit()


def points_of_panels(picture):
    """Return the points of each panel as (x, y, mark), by the label below it."""
    return {
        name: [
            (across(dot.x), up(dot.y), dot.mark)
            for dot in of(picture, Dot)
            if left - 0.1 <= dot.x <= right + 0.1 and top - 0.1 <= dot.y <= bottom + 0.1
        ]
        for name, ((left, top, right, bottom), across, up) in panels_below(picture).items()
    }
