"""Names of people: their parts, their spans, and evidence that they belong to a person."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from pyramidion.rewriting._people.mention import Mention
from pyramidion.rewriting._word_lists import bare, first_names, folded, short_forms, word_list
from pyramidion.text import STOP_WORDS, ParsedSentence
from pyramidion.text.parsing import ParsedWord

_INITIAL_PATTERN: Final = re.compile(r"(?:[^\W\d_]\.-?)+|[A-Z]")
_NICKNAME_PATTERN: Final = re.compile(r"""["'“‘(][^"'”’()]+["'”’)]""")
_HYPHENATED_GIVEN_NAME: Final = re.compile(r"[A-Z][a-z]+-[a-z]+")
_HYPHENATED_NAME: Final = re.compile(r"[A-Z][a-z]+-[A-Za-z]+")
_MAX_SYLLABLE_LETTERS: Final = 5
_MIN_COMMON_LETTERS: Final = 3


@dataclass(frozen=True, slots=True)
class Name:
    """The parts of a name."""

    first: str  # or its initial; empty if only one name is known
    middle: str = ""
    last: str = ""  # with particles: *van Gennip*
    suffix: str = ""
    nickname: str = ""  # within the name: *Earvin "Magic" Johnson*
    family_first: bool = False  # *Kim Jong-un*

    @property
    def full(self) -> bool:
        """Whether there is a first and a last name."""
        return bool(self.first and self.last)


def read_name(text: str) -> Name:
    """Split a name into its parts."""
    nicknames = _NICKNAME_PATTERN.findall(text)
    words = _NICKNAME_PATTERN.sub(" ", text).replace(",", " ").split()
    suffix = ""
    while len(words) > 1 and bare(words[-1]) in word_list("suffixes"):
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
    begin = _last_name_start(words)
    return Name(words[0], " ".join(words[1:begin]), " ".join(words[begin:]), suffix, nickname)


def could_be_same_person(name: Name, other: Name) -> bool:
    """Return whether two full names may belong to one person."""
    # Different suffixes distinguish parent and child.
    if len({bare(name.suffix), bare(other.suffix)} - {""}) > 1:
        return False
    if folded(name.last) != folded(other.last):
        return _extends(name, other) or _extends(other, name)
    if not _initials_agree(name, other):
        return False
    if not name.first or not other.first or _are_alike(name.first, other.first):
        middle_initials = (folded(part.middle[:1]) for part in (name, other) if part.middle)
        return len(set(middle_initials)) < 2
    if folded(name.first) == folded(other.nickname) or folded(other.first) == folded(name.nickname):
        return True
    return name.middle == other.first or other.middle == name.first


def surnames(name: Name) -> tuple[str, ...]:
    """Return the possible last names, folded: the last one, and the one before it."""
    words = name.middle.split()
    if not words or is_initial(words[-1]) or gender_of(words[-1]):
        return (folded(name.last),)
    begin = _last_name_start(["", *words]) - 1
    return folded(name.last), folded(" ".join(words[begin:]))


def is_initial(word: str) -> bool:
    """Return whether a word of a name is an initial."""
    return bool(_INITIAL_PATTERN.fullmatch(word))


def gender_of(first_name: str) -> str:
    """Return ``female`` or ``male`` for a first name; empty if it is both or unknown."""
    is_female, is_male = (
        folded(first_name) in _folded_word_list(f"{kind}_names") for kind in ("female", "male")
    )
    return "" if is_female == is_male else "female" if is_female else "male"


@cache
def _folded_word_list(name: str) -> frozenset[str]:
    return frozenset(map(folded, word_list(name)))


def _family_comes_first(words: list[str]) -> bool:
    """Recognize Korean, Chinese and Vietnamese names, unless a given name is a Western one."""
    family, *names = words
    if family not in word_list("family_first"):
        return len(words) == 2 and bool(_HYPHENATED_GIVEN_NAME.fullmatch(names[0]))
    if any(is_initial(word) or gender_of(word) for word in names):
        return False
    if family in first_names():
        are_syllables = len(names) == 2 and all(
            len(word) <= _MAX_SYLLABLE_LETTERS for word in names
        )
        return are_syllables or any(_HYPHENATED_NAME.fullmatch(word) for word in names)
    return len(names) > 1 or names[0] not in word_list("family_first")


def _is_particle(word: str) -> bool:
    return word.lower() in word_list("particles")


def _last_name_start(words: list[str]) -> int:
    """Return the index of the first word of the last name, including particles."""
    begin = len(words) - 1
    while begin > 1 and _is_particle(words[begin - 1]) and not is_initial(words[begin - 1]):
        begin -= 1
    return begin


def _are_alike(first_name: str, other: str) -> bool:
    """Check whether two first names may be the same: *W.* and *William*, *Suzie*, *Suzanne*."""
    if folded(first_name) == folded(other) or other in short_forms().get(first_name, ()):
        return True
    if is_initial(first_name) or is_initial(other):
        return folded(first_name[0]) == folded(other[0])
    both_have_gender = all(gender_of(name) for name in (first_name, other))
    n_letters = min(len(first_name), len(other), _MIN_COMMON_LETTERS)
    same_beginning = folded(first_name)[:n_letters] == folded(other)[:n_letters]
    return not both_have_gender and same_beginning and first_name[0] != first_name[0].lower()


def _initials_agree(name: Name, other: Name) -> bool:
    """Return whether initials and a first name agree: *T.J.* is *Thomas J.*, not *Tony*."""
    if not name.first or not other.first or is_initial(name.first) == is_initial(other.first):
        return True
    abbreviated_name, full_name = (name, other) if is_initial(name.first) else (other, name)
    letters = [
        letter
        for letter in f"{abbreviated_name.first}{abbreviated_name.middle}"
        if letter.isupper()
    ][:2]
    initials = [word[0] for word in f"{full_name.first} {full_name.middle}".split()][:2]
    return len(letters) < 2 or letters == initials


def _extends(name: Name, other: Name) -> bool:
    """Return whether a name has one more last name: *Ana Ruiz Soler* for *Ana Ruiz*."""
    if not name.middle or name.family_first or other.family_first or not other.first:
        return False
    given_names = folded(f"{name.first} {name.middle}")
    other_full_first = folded(f"{other.first} {other.middle}".strip())
    return given_names in (
        f"{other_full_first} {folded(other.last)}",
        folded(f"{other.first} {other.last}"),
    )


_HYPHENS: Final = frozenset("-‐‑–")
_QUOTES: Final = frozenset("\"'“”‘’`") | {"``", "''"}
_MARKS_BEFORE_NAMES: Final = _QUOTES | set("([—–-/") | {"--"}
_MAX_RUN_WORDS: Final = 14
_MIN_LETTERS: Final = 12
_MIN_CAPITALS_SHARE: Final = 0.8
_MIN_HEADLINE_SHARE: Final = 0.65
_MAX_SHORT_LETTERS: Final = 3
#: Particles that are also English words and do not open a name.
_ENGLISH_WORDS: Final = frozenset(
    {"do", "ten", "bar", "e", "y", "mac", "st", "ur", "ul", "av", "af"}
)
_TITLE_ENDINGS: Final = ("-elect", "-designate", "-general", "-General", "-in-chief")


@dataclass(frozen=True, slots=True)
class NameSpan:
    """The words of a possible name."""

    first: int
    last: int
    titles: int  # number of words right before it
    run: int  # first word of the run of capitalized words


def name_spans(sentence: ParsedSentence) -> list[NameSpan]:
    """Find possible names of people: runs of capitalized words, without titles."""
    if in_capitals(sentence.text):
        return []
    spans = (_name_in(sentence, run) for run in capital_runs(sentence.words))
    return [span for span in spans if span is not None]


def in_capitals(text: str) -> bool:
    """Return whether a text is in capitals, which hides names."""
    letters = [letter for letter in text if letter.isalpha()]
    capitals = sum(letter.isupper() for letter in letters)
    return len(letters) >= _MIN_LETTERS and capitals > _MIN_CAPITALS_SHARE * len(letters)


def lower_case_words(sentences: Iterable[ParsedSentence]) -> frozenset[str]:
    """Return the words of sentences that are in lower case."""
    texts = (word.text for sentence in sentences for word in sentence.words)
    return frozenset(text for text in texts if text.islower())


def is_headline(sentence: ParsedSentence) -> bool:
    """Return whether most words are capitalized, as in headlines."""
    words = [
        word
        for word in sentence.words
        if len(word.text) > _MAX_SHORT_LETTERS and word.text.isalpha()
    ]
    capitals = sum(word.text[0].isupper() for word in words)
    has_verb = any(word.tag in {"VERB", "AUX"} and word.text.islower() for word in sentence.words)
    return capitals > _MIN_HEADLINE_SHARE * len(words) and not has_verb


def is_title(text: str) -> bool:
    """Return whether a capitalized word is a title."""
    if not text[:1].isupper() and not text.startswith("ex-"):
        return False
    if bare(text) in word_list("titles") | word_list("plural_titles"):
        return True
    if text.lower().startswith(("ex-", "vice-", "co-", "then-")):
        return is_title(text.split("-", 1)[1])
    return text.endswith(_TITLE_ENDINGS) and text.split("-", maxsplit=1)[0] in word_list("titles")


def touches(words: Sequence[ParsedWord], index: int) -> bool:
    """Check whether there is no space before a word."""
    return 0 < index < len(words) and words[index].start == words[index - 1].end


#: A word of a run with what hyphens join to it: first and last index, and the text.
_Unit = tuple[int, int, str]
Run = list[_Unit]


def capital_runs(words: Sequence[ParsedWord]) -> Iterator[Run]:
    """Yield the runs of capitalized words, with particles, suffixes and nicknames."""
    next_index = 0
    for index, word in enumerate(words):
        # Joined to the word before: *anti-Boyle*.
        is_attached = touches(words, index) and words[index - 1].text not in _MARKS_BEFORE_NAMES
        if index < next_index or is_attached:
            continue
        run: Run = []
        if _is_capitalized(word.text):
            run = [_unit(words, index)]
        elif word.text not in _ENGLISH_WORDS:
            run = _particles(words, index)
        while 0 < len(run) < _MAX_RUN_WORDS:
            units = _read_continuation(words, run[-1][1] + 1)
            if not units:
                break
            run += units
        if run:
            next_index = run[-1][1] + 1
            yield run


def _read_continuation(words: Sequence[ParsedWord], index: int) -> Run:
    """Read what continues a run: a word, particles and a word, a suffix, a nickname."""
    if index >= len(words):
        return []
    text = words[index].text
    if text == "," and index + 1 < len(words) and bare(words[index + 1].text) in ("Jr", "Sr"):
        return [(index, index + 1, words[index + 1].text)]
    if touches(words, index):
        return []
    if text in _QUOTES:
        return _nickname(words, index)
    if _is_capitalized(text) or text == "&":
        return [_unit(words, index)]
    return _particles(words, index)


def _nickname(words: Sequence[ParsedWord], index: int) -> Run:
    """Read a nickname in quotation marks, with the name after it."""
    if index + 3 >= len(words) or not touches(words, index + 2):
        return []
    nickname_text, close, after = (word.text for word in words[index + 1 : index + 4])
    if close not in _QUOTES or not _is_capitalized(nickname_text) or not after[:1].isupper():
        return []
    return [(index, index + 2, f'"{nickname_text}"'), _unit(words, index + 3)]


def _particles(words: Sequence[ParsedWord], index: int) -> Run:
    """Read lower-case particles if a capitalized word follows: *de la Cruz*."""
    units: Run = []
    while index < len(words) and len(units) < 3:
        unit = _unit(words, index)
        if _is_capitalized(unit[2]) or "-" in unit[2]:
            is_particle = unit[2].split("-")[0].lower() in word_list("particles")
            return [*units, unit] if units or is_particle else []
        if unit[2] not in word_list("particles") or touches(words, index):
            return []
        units.append(unit)
        index = unit[1] + 1
    return []


def _unit(words: Sequence[ParsedWord], first: int) -> _Unit:
    """Return a word with the parts joined to it by hyphens."""
    last = first
    while (
        last + 2 < len(words)
        and words[last + 1].text in _HYPHENS
        and touches(words, last + 1)
        and touches(words, last + 2)
    ):
        last += 2
    return first, last, "".join(word.text for word in words[first : last + 1])


def _is_capitalized(text: str) -> bool:
    if is_initial(text):
        return text[0].isupper() and (text.endswith(".") or text.isalpha())
    letters = text.replace("'", "").replace("’", "").rstrip(".").replace("-", "")
    if not letters.isalpha() or not text[0].isupper():
        return False
    return not text.isupper() or bare(text) in word_list("suffixes") | {"JR", "SR"}


def _name_in(sentence: ParsedSentence, run: Run) -> NameSpan | None:
    """Cut off titles and other words before a name; return None if no name is left."""
    texts = [text for _, _, text in run]
    suffixes = word_list("suffixes")
    begin, n_titles = _name_start(texts), 0
    while n_titles < begin and is_title(texts[begin - 1 - n_titles]):
        n_titles += 1
    if not begin and len(run) > 1 and _count_office_words_before(sentence, run[1][0]):
        begin = 1
    elif not begin:
        # *When*, *Republican* and *Tuesday* are not names.
        while begin < len(run) and _cannot_open_name(texts[begin], len(run) - begin - 1):
            begin += 1
    if all(bare(text) in suffixes for text in texts[begin:]):
        return None
    first, last = run[begin][0], run[-1][1]
    name_words_inside = sentence.words[first : last + 1]
    is_person = n_titles > 0 or all(word.entity == "person" for word in name_words_inside)
    if _is_not_person(texts[begin:], is_person=is_person):
        return None
    n_title_words = (
        first - run[begin - n_titles][0]
        if n_titles
        else _count_office_words_before(sentence, first)
    )
    return NameSpan(first, last, n_title_words, run[0][0])


def _name_start(texts: list[str]) -> int:
    """Return how many words precede the name if the last of them is a title, else 0."""
    suffixes = word_list("suffixes")
    for index in range(len(texts) - 1, 0, -1):
        text, previous_word = texts[index - 1], texts[index - 2] if index > 1 else ""
        # *Dean Smith* and *Earl Warren* have no title.
        is_last_first_name = text in first_names() and index == len(texts) - 1
        after_name = previous_word in first_names() or (index > 1 and bare(text) in suffixes)
        if (
            is_title(text)
            and not is_last_first_name
            and not after_name
            and bare(texts[index]) not in suffixes
        ):
            return index
    return 0


def _cannot_open_name(text: str, distance: int) -> bool:
    is_never_name = text in word_list("never")
    if text in first_names():
        return is_never_name and distance > 1
    return is_never_name or (
        distance > 1 and text.lower() in word_list("describing") | word_list("roles")
    )


def _count_office_words_before(sentence: ParsedSentence, index: int) -> int:
    """Count the words of an office right before a word: *Secretary of State*."""
    words = sentence.words
    if index < 3 or words[index - 1].text not in word_list("offices"):
        return 0
    preposition, title = words[index - 2].text, words[index - 3].text
    return 3 if preposition == "of" and is_title(title) else 0


def _is_not_person(texts: list[str], *, is_person: bool) -> bool:
    """Return whether a name is that of a place, a company or a prize."""
    if "&" in texts:
        return True
    if len(texts) == 1 and texts[0] in word_list("also_last_names"):
        return False
    for index, text in enumerate(texts):
        is_opening = index == 0 and text in first_names() | word_list("family_first")
        if bare(text) not in word_list("organizations") or (is_opening and len(texts) > 1):
            continue
        is_last = index == len(texts) - 1 and bare(text) in word_list("also_last_names")
        if not (is_last and (is_person or texts[0] in first_names())):
            return True
    if len(texts) > 1 or texts[0] not in word_list("never"):
        return False
    return not is_person or texts[0].lower() in STOP_WORDS - {"may"}


#: The weight of each sign.
SIGN_WEIGHTS: Final[dict[str, float]] = {
    "title": 4,
    "role before": 3,
    "role and comma before": 2,
    "parser says person": 2,
    "parser says place": -2,
    "parser says organization": -2,
    "first name": 2.5,
    "first name or word": 1.5,
    "initial": 2,
    "suffix": 3,
    "age": 3,
    "who": 2,
    "apposition": 1.5,
    "last name alone": 1.5,
    "speaks": 1,
    "acts": 1.5,
    "the": -3,
    "place preposition": -1.5,
    "thing before": -2,
    "which": -2,
}
#: The smallest sum of weights of a person's name.
MIN_NAME_WEIGHT: Final = 2.5

_AGE_RANGE: Final = range(1, 116)
_RELATIVE_PRONOUNS: Final = frozenset({"who", "whose", "whom"})


def signs(sentence: ParsedSentence, span: NameSpan) -> frozenset[str]:
    """Return the signs for and against a person's name."""
    outer_signs = {_sign_before(sentence, span), _sign_after(sentence, span)} - {""}
    return frozenset(_signs_inside(sentence, span) | outer_signs)


def signs_of(mention: Mention) -> frozenset[str]:
    """Return the signs of a mention."""
    span = NameSpan(mention.first, mention.last, mention.titles, mention.first)
    return signs(mention.sentence, span)


def name_words(text: str) -> list[str]:
    """Return the folded words of a name without initials, particles and suffixes."""
    words = _NICKNAME_PATTERN.sub(lambda match: match.group()[1:-1], text).replace(",", " ").split()
    skipped_words = word_list("suffixes") | word_list("particles")
    return [
        folded(word) for word in words if bare(word) not in skipped_words and not is_initial(word)
    ]


def strength(signs: Iterable[str]) -> float:
    """Sum the weights of signs."""
    return sum(SIGN_WEIGHTS[sign] for sign in signs)


def is_age(text: str) -> bool:
    """Return whether a word can be a person's age."""
    return text.isdecimal() and int(text) in _AGE_RANGE


def _signs_inside(sentence: ParsedSentence, span: NameSpan) -> set[str]:
    words = sentence.words[span.first : span.last + 1]
    signs = set()
    if words[0].text in first_names() and len(words) > 1:
        is_also_word = words[0].text in word_list("doubtful_names")
        signs.add("first name or word" if is_also_word else "first name")
    if len(words) > 1 and any(is_initial(word.text) for word in words[:-1]):
        signs.add("initial")
    if len(words) > 2 and bare(words[-1].text) in ("Jr", "Sr"):
        signs.add("suffix")
    for kind in ("person", "place", "organization"):
        if 2 * sum(word.entity == kind for word in words) >= len(words):
            signs.add(f"parser says {kind}")
    return signs


def _sign_before(sentence: ParsedSentence, span: NameSpan) -> str:
    index = span.first - 1
    if span.titles:
        return "title"
    if index < 0:
        return ""
    callings = (word_list("roles") | word_list("relations")) - word_list("company_roles")
    word = sentence.words[index].text
    if word in callings or (index == 0 and word.lower() in callings):
        return "role before"
    if word == "," and sentence.text_at(index - 1) in callings:
        return "role and comma before"
    if word.lower() == "the":
        return "the"
    if word in {"in", "at", "near", "from", "to", "into"}:
        return "place preposition"
    if word in word_list("speech"):
        return "speaks"
    is_thing = sentence.words[index].tag in {"NOUN", "ADJ"} and word.islower()
    return "thing before" if is_thing and word not in word_list("describing") else ""


def _sign_after(sentence: ParsedSentence, span: NameSpan) -> str:
    index, roles = span.last + 1, word_list("roles")
    if sentence.text_at(index) in word_list("speech"):
        return "speaks"
    if sentence.text_at(index) in word_list("acts"):
        return "acts"
    has_comma = sentence.text_at(index) == ","
    index += has_comma
    text = sentence.text_at(index)
    if has_comma and is_age(text) and not sentence.text_at(index + 1)[:1].isalnum():
        return "age"
    if text in _RELATIVE_PRONOUNS:
        return "who"
    if text == "which":
        return "which"
    # An apposition with a role: *a former bank clerk*.
    has_role = any(word.text in roles for word in sentence.words[index : index + 5])
    return "apposition" if has_comma and has_role and text in roles | {"a", "an", "the"} else ""
