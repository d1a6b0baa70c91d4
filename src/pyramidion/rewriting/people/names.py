"""Names taken apart: first, middle and last name, and what follows them."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from pyramidion.rewriting.people.words import bare, folded, short_forms, words_of

__all__ = ["Name", "could_be_one", "gender_of", "is_initial", "read_name", "surnames"]

_INITIAL: Final = re.compile(r"(?:[^\W\d_]\.-?)+|[A-Z]")
_NICKNAME: Final = re.compile(r"""["'“‘(][^"'”’()]+["'”’)]""")
_GIVEN_SYLLABLES: Final = re.compile(r"[A-Z][a-z]+-[a-z]+")
_HYPHENATED: Final = re.compile(r"[A-Z][a-z]+-[A-Za-z]+")
_LONGEST_SYLLABLE: Final = 5
_FEWEST_COMMON_LETTERS: Final = 3


@dataclass(frozen=True, slots=True)
class Name:
    """A name, taken apart.

    Parameters
    ----------
    first
        The first name or its initial; nothing if only one name is known.
    middle
        Middle names and initials.
    last
        The last name with its particles: *van Gennip*, *de la Cruz*.
    suffix
        *Jr.*, *III*.
    nickname
        A nickname that stands within: *Earvin "Magic" Johnson*.
    family_first
        Whether the family name comes first, as in *Kim Jong-un*.

    Examples
    --------
    >>> read_name("Yvonne van Gennip").last
    'van Gennip'
    """

    first: str
    middle: str = ""
    last: str = ""
    suffix: str = ""
    nickname: str = ""
    family_first: bool = False

    @property
    def full(self) -> bool:
        """Whether there is a first and a last name."""
        return bool(self.first and self.last)


def read_name(text: str) -> Name:
    """Take a name apart.

    Parameters
    ----------
    text
        A name without titles.

    Examples
    --------
    >>> read_name("Andrei D. Sakharov")
    Name(first='Andrei', middle='D.', last='Sakharov', suffix='', nickname='', family_first=False)
    >>> read_name("Gustav Hale Jr.").suffix, read_name("Park Sung-ho").last
    ('Jr.', 'Park')
    """
    nicknames = _NICKNAME.findall(text)
    words = _NICKNAME.sub(" ", text).replace(",", " ").split()
    suffix = ""
    while len(words) > 1 and bare(words[-1]) in words_of("suffixes"):
        suffix = words.pop()
    nickname = nicknames[0][1:-1] if nicknames else ""
    if len(words) == 1:
        return Name("", "", words[0], suffix, nickname)
    if not words:
        return Name("", "", text.strip(), suffix, nickname)
    if _family_comes_first(words):
        return Name(" ".join(words[1:]), "", words[0], suffix, nickname, family_first=True)
    if _is_particle(words[0]) and (words[0] != "Van" or _is_particle(words[1])):
        return Name("", "", " ".join(words), suffix, nickname)
    begin = _last_name_begins(words)
    return Name(words[0], " ".join(words[1:begin]), " ".join(words[begin:]), suffix, nickname)


def could_be_one(name: Name, other: Name) -> bool:
    """Tell whether two full names may be one person's.

    The last names are the same, or one name goes on with a second last name.

    Parameters
    ----------
    name, other
        The names.

    Examples
    --------
    >>> could_be_one(read_name("Bill Clark"), read_name("William J. Clark"))
    True
    >>> could_be_one(read_name("Josef Kell"), read_name("Adrian Kell"))
    False
    >>> could_be_one(read_name("Elena Prieto Salas"), read_name("Elena Prieto"))
    True
    """
    if _generations(name, other):
        return False
    if folded(name.last) != folded(other.last):
        return _goes_on(name, other) or _goes_on(other, name)
    if not name.first or not other.first or _alike(name.first, other.first):
        return _middles_agree(name, other)
    if folded(name.first) == folded(other.nickname) or folded(other.first) == folded(name.nickname):
        return True
    return name.middle == other.first or other.middle == name.first


def surnames(name: Name) -> tuple[str, ...]:
    """Give what may be somebody's last name: the last one, and one before it, as compared.

    Examples
    --------
    >>> surnames(read_name("Elena Prieto Salas")), surnames(read_name("Elena B. Salas"))
    (('salas', 'prieto'), ('salas',))
    """
    words = name.middle.split()
    begin = _last_name_begins(["", *words]) - 1
    first = " ".join(words[max(begin, 0) :])
    if not words or is_initial(words[-1]) or gender_of(words[-1]):
        return (folded(name.last),)
    return folded(name.last), folded(first)


def is_initial(word: str) -> bool:
    """Tell whether a word of a name is an initial.

    Examples
    --------
    >>> is_initial("K."), is_initial("J.R."), is_initial("Ed")
    (True, True, False)
    """
    return bool(_INITIAL.fullmatch(word))


def gender_of(first: str) -> str:
    """Tell who bears a first name: ``female``, ``male``, or nothing if both do or none is known.

    Examples
    --------
    >>> gender_of("Mary"), gender_of("Robin")
    ('female', '')
    """
    female, male = (folded(first) in _folded_names(sex) for sex in ("female", "male"))
    return "" if female == male else "female" if female else "male"


@cache
def _folded_names(sex: str) -> frozenset[str]:
    return frozenset(map(folded, words_of(f"{sex}_names")))


def _family_comes_first(words: list[str]) -> bool:
    """Korean, Chinese and Vietnamese names, unless the second word is a first name elsewhere."""
    family, *given = words
    if family not in words_of("family_first"):
        return len(words) == 2 and bool(_GIVEN_SYLLABLES.fullmatch(given[0]))
    if any(is_initial(word) or gender_of(word) for word in given):
        return False
    if family in words_of("female_names") | words_of("male_names"):
        syllables = len(given) == 2 and all(len(word) <= _LONGEST_SYLLABLE for word in given)
        return syllables or any(_HYPHENATED.fullmatch(word) for word in given)
    return not any(word in words_of("family_first") for word in given[-1:]) or len(given) > 1


def _is_particle(word: str) -> bool:
    return word.lower() in words_of("particles")


def _last_name_begins(words: list[str]) -> int:
    """Give the place where the last name begins: its last word, with particles before it."""
    begin = len(words) - 1
    while begin > 1 and _is_particle(words[begin - 1]) and not is_initial(words[begin - 1]):
        begin -= 1
    return begin


def _alike(first: str, other: str) -> bool:
    """Tell whether two first names may be one person's: *W.* and *William*, *Suzie*, *Suzanne*."""
    if folded(first) == folded(other) or other in short_forms().get(first, ()):
        return True
    if is_initial(first) or is_initial(other):
        return folded(first[0]) == folded(other[0])
    known = all(gender_of(name) for name in (first, other))
    common = min(len(first), len(other), _FEWEST_COMMON_LETTERS)
    same = folded(first)[:common] == folded(other)[:common]
    return not known and same and first[0] != first[0].lower()


def _goes_on(name: Name, other: Name) -> bool:
    """Tell whether a name is another with one more last name: *Ana Ruiz*, *Ana Ruiz Soler*."""
    if not name.middle or name.family_first or other.family_first or not other.first:
        return False
    given = folded(f"{name.first} {name.middle}")
    whole = folded(f"{other.first} {other.middle}".strip())
    return given in (f"{whole} {folded(other.last)}", folded(f"{other.first} {other.last}"))


def _middles_agree(name: Name, other: Name) -> bool:
    if not name.middle or not other.middle:
        return True
    return folded(name.middle[0]) == folded(other.middle[0])


def _generations(name: Name, other: Name) -> bool:
    """Tell whether suffixes say that one is the other's parent or child."""
    suffixes = {bare(name.suffix), bare(other.suffix)} - {""}
    return len(suffixes) > 1
