"""Formulas of the documentation as a terminal can show them."""

import re

__all__ = ["plain_math"]

_ROLE = re.compile(r":math:`([^`]*)`")
_DIRECTIVE = re.compile(r"\.\. math::\s+(.+)")

_SIGNS = {
    "cap": "∩",
    "cdot": "·",
    "chi": "χ",
    "delta": "δ",
    "dots": "…",
    "ge": "≥",
    "in": "∈",
    "lambda": "λ",
    "le": "≤",
    "parallel": "‖",
    "prod": "Π",
    "sigma": "σ",
    "sim": "~",
    "sum": "Σ",
}
#: Braces that are meant to be seen, while the others say what belongs together.
_SEEN = {r"\{": "\ue000", r"\}": "\ue001"}

_FRACTION = re.compile(r"\\frac(?:\{([^{}]*)\}\{([^{}]*)\}|(\w)(\w))")
_ROOT = re.compile(r"\\sqrt\{([^{}]*)\}")
_LETTERS = re.compile(r"\\mathrm\{([^{}]*)\}")
_RAISED = re.compile(r"([_^])\{([^{}]*)\}")
_NAME = re.compile(r"\\([a-zA-Z]+)")
_FUNCTION = re.compile(r"\\(?:cos|log|max|min)\S*\s*$")
_SIMPLE = re.compile(r"[\w!]+")


def plain_math(text: str) -> str:
    r"""Write the formulas of a documentation without their marks.

    Parameters
    ----------
    text
        reStructuredText with formulas in LaTeX.

    Examples
    --------
    >>> plain_math(r"It is :math:`\frac{1 - d}{n} + \sum_{j \in S} p_j`, for :math:`p^{n-1}`.")
    'It is (1 - d) / n + Σ_(j ∈ S) p_j, for p^(n-1).'
    >>> plain_math(r":math:`-2\log\lambda + \log_2 \frac{p}{q}`")
    '-2 log λ + log_2 (p / q)'
    """
    text = _DIRECTIVE.sub(lambda found: f"    {_plain(found[1])}", text)
    return _ROLE.sub(lambda found: _plain(found[1]), text)


def _plain(formula: str) -> str:
    for written, sign in _SEEN.items():
        formula = formula.replace(written, sign)
    before = ""
    while before != formula:
        # From the inside to the outside: none of these looks into a group in a group.
        before = formula
        formula = _LETTERS.sub(r"\1", formula)
        formula = _RAISED.sub(lambda found: found[1] + _group(found[2]), formula)
        formula = _ROOT.sub(lambda found: f"√({found[1]})", formula)
        formula = _FRACTION.sub(_fraction, formula)
    formula = _NAME.sub(_named, formula)
    for written, sign in _SEEN.items():
        formula = formula.replace(sign, written[1])
    return " ".join(formula.split())


def _fraction(found: re.Match[str]) -> str:
    above, below = found[1] or found[3], found[2] or found[4]
    fraction = f"{_group(above)} / {_group(below)}"
    return f"({fraction})" if _FUNCTION.search(found.string[: found.start()]) else fraction


def _group(inner: str) -> str:
    return inner if _SIMPLE.fullmatch(inner) else f"({inner})"


def _named(found: re.Match[str]) -> str:
    """Write a sign, or the name of a function apart from its neighbours."""
    name, text = found[1], found.string
    if name in ("Bigl", "Bigr", "bigl", "bigr"):
        return ""
    if name in _SIGNS:
        return _SIGNS[name]
    left = " " if found.start() and text[found.start() - 1].isalnum() else ""
    right = " " if text[found.end() : found.end() + 1].strip("_^( ") else ""
    return f"{left}{name}{right}"
