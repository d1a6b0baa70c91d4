"""Letters that show which systems cannot be told apart."""

from collections.abc import Callable, Sequence

__all__ = ["clusters", "group_letters", "letter_name"]

# Some patterns of differences need exponentially many letters, which nobody would read.
_MOST_LETTERS = 52


def group_letters(systems: Sequence[str], differ: Callable[[str, str], bool]) -> dict[str, str]:
    """Give each system letters so that two share one exactly when they do not differ.

    This is the insert-and-absorb algorithm of Piepho (2004): it holds for any pattern of
    differences, also where a better system differs from a near one but not from a far one.
    Where that takes more than 52 letters, each letter marks a run of neighbours in the ranking
    none of which differ: systems that share one still do not differ, but not all pairs that do
    not differ share one.

    Parameters
    ----------
    systems
        In the order of the ranking.
    differ
        Whether two systems are significantly different.

    References
    ----------
    Piepho, H.-P. (2004). An algorithm for a letter-based representation of all-pairwise
    comparisons. Journal of Computational and Graphical Statistics 13, 456-466.

    Examples
    --------
    >>> group_letters(["x", "y", "z"], lambda a, b: {a, b} == {"x", "z"})
    {'x': 'a', 'y': 'ab', 'z': 'b'}
    """
    position = {system: number for number, system in enumerate(systems)}
    columns = [frozenset(position.values())]
    for first, a in enumerate(systems):
        for b in systems[first + 1 :]:
            if differ(a, b):
                columns = _split(columns, position[a], position[b])
        if len(columns) > _MOST_LETTERS:
            columns = _runs(systems, differ)
            break
    ordered = sorted(columns, key=sorted)
    letters = dict.fromkeys(systems, "")
    for number, column in enumerate(ordered):
        for system in systems:
            if position[system] in column:
                letters[system] += letter_name(number)
    return letters


def _split(columns: list[frozenset[int]], a: int, b: int) -> list[frozenset[int]]:
    """Split every column that holds both, and drop what another column contains."""
    kept = [column for column in columns if not (a in column and b in column)]
    fresh = {column - {one} for column in columns if a in column and b in column for one in (a, b)}
    for new in fresh:
        if not any(new < other for other in fresh) and not any(new <= other for other in kept):
            kept.append(new)
    return kept


def _runs(systems: Sequence[str], differ: Callable[[str, str], bool]) -> list[frozenset[int]]:
    """Find the longest runs of neighbours in the ranking none of which differ."""
    runs: list[frozenset[int]] = []
    start = 0
    for end in range(len(systems)):
        while any(differ(systems[inside], systems[end]) for inside in range(start, end)):
            start += 1
        run = frozenset(range(start, end + 1))
        if runs and runs[-1] < run:
            runs.pop()
        runs.append(run)
    return runs


def clusters(systems: Sequence[str], differ: Callable[[str, str], bool]) -> dict[str, int]:
    """Find the clusters of a ranking: all systems of one differ from all of the next.

    Parameters
    ----------
    systems
        In the order of the ranking.
    differ
        Whether two systems are significantly different.

    Examples
    --------
    >>> clusters(["x", "y", "z"], lambda a, b: "z" in (a, b))
    {'x': 1, 'y': 1, 'z': 2}
    """
    found: dict[str, int] = {}
    number = 1
    for place, system in enumerate(systems):
        below = systems[place:]
        if place and all(differ(a, b) for a in systems[:place] for b in below):
            number += 1
        found[system] = number
    return found


def letter_name(number: int) -> str:
    """Name the columns: a to z, then aa, ab and so on in brackets.

    Examples
    --------
    >>> letter_name(0), letter_name(26)
    ('a', '(aa)')
    """
    if number < 26:
        return chr(ord("a") + number)
    name = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, 26)
        name = chr(ord("a") + digit) + name
    return f"({name})"
