"""The words that tell people from other names, read once from ``words.toml``."""

import tomllib
import unicodedata
from functools import cache
from importlib.resources import files
from typing import Final

__all__ = ["LISTS", "bare", "folded", "short_forms", "words_of"]

#: The lists of ``words.toml``.
LISTS: Final = (
    "acts",
    "also_last_names",
    "also_places",
    "always_small",
    "bodies",
    "courtesy",
    "deictic",
    "describing",
    "doubtful_names",
    "family_first",
    "female_names",
    "female_titles",
    "female_words",
    "honorifics",
    "kin",
    "male_names",
    "male_titles",
    "male_words",
    "never",
    "offices",
    "organizations",
    "particles",
    "passing",
    "peers",
    "performers",
    "plural_titles",
    "possessed",
    "pronouns",
    "relations",
    "roles",
    "royal",
    "speech",
    "suffixes",
    "statesmen",
    "titles",
    "vague",
    "verbs_with_of",
    "with_first_name",
)

#: Letters that have no accent to leave out, though other texts write them without one.
_PLAIN: Final = str.maketrans("øØłŁđĐı", "oOlLdDi")


@cache
def words_of(name: str) -> frozenset[str]:
    """Give a list of words.

    Parameters
    ----------
    name
        One of `LISTS`.

    Examples
    --------
    >>> "Sen" in words_of("titles"), "leader" in words_of("roles")
    (True, True)
    """
    return frozenset(_file()[name].split())


@cache
def short_forms() -> dict[str, frozenset[str]]:
    """Give the names that each first name may stand for or be shortened to.

    Examples
    --------
    >>> sorted(short_forms()["Will"])
    ['Bill', 'Billy', 'Liam', 'Will', 'William', 'Willie']
    """
    groups: dict[str, set[str]] = {}
    for line in _file()["short_forms"].strip().splitlines():
        names = line.split()
        for name in names:
            groups.setdefault(name, set()).update(names)
    return {name: frozenset(group) for name, group in groups.items()}


def bare(word: str) -> str:
    """Give a word as the lists have it: without a full stop at its end.

    Examples
    --------
    >>> bare("Sen.")
    'Sen'
    """
    return word.rstrip(".")


def folded(text: str) -> str:
    """Give a name as it is compared: in small letters, without accents.

    Examples
    --------
    >>> folded("João Sørensen"), folded("Orbán") == folded("ORBAN")
    ('joao sorensen', True)
    """
    parts = unicodedata.normalize("NFKD", text.translate(_PLAIN))
    return "".join(part for part in parts if not unicodedata.combining(part)).casefold()


@cache
def _file() -> dict[str, str]:
    text = files(__package__).joinpath("words.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
