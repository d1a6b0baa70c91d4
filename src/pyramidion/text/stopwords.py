"""The stop list of ROUGE-1.5.5: common English words, with words of the news trade."""

from functools import cache
from pathlib import Path

__all__ = ["STOP_WORDS", "is_stop_word"]

STOP_WORDS: frozenset[str]
"""The words of the stop list; read from its file when first asked for.

The file has 598 lines, as ROUGE's has; ``may`` and ``would`` stand in it twice, so that 596
words are left. 53 of them hold an apostrophe or a full stop and never match a token.
"""


def is_stop_word(word: str) -> bool:
    """Tell whether a word is on the stop list, in whatever case.

    Parameters
    ----------
    word
        One word.

    Returns
    -------
    bool
        Whether the stop list holds it.

    Examples
    --------
    >>> is_stop_word("The"), is_stop_word("reuters"), is_stop_word("pyramid")
    (True, True, False)
    """
    return word.lower() in _load()


@cache
def _load() -> frozenset[str]:
    path = Path(__file__).parent / "data" / "stopwords-598.txt"
    return frozenset(path.read_text(encoding="ascii").splitlines())


def __getattr__(name: str) -> frozenset[str]:
    if name == "STOP_WORDS":
        return _load()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
