"""What two texts say about the same thing: different numbers, praise and complaint."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from pyramidion.support._numbers import Number, is_calendar_or_number, numbers_in
from pyramidion.support._words import Word, key_of, lines_of, normalize, root_of, words_of
from pyramidion.text import is_stop_word


def _word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


#: What happened to the people or things that are counted; other counts often differ for good
#: reasons.
_EVENT_STEMS: Final = _word_set(
    "die hurt arrest detain captur rescu destroi damag evacu displac hospit surviv"
)
_UNCOUNTED_STEMS: Final = _word_set("year month week dai hour minut second time percent dollar")
#: Words that mean the same.
_STEM_GROUPS: Final = {
    **dict.fromkeys(_word_set("kill dead die death fatal slain slai perish toll live"), "die"),
    **dict.fromkeys(_word_set("injur wound hurt injuri"), "hurt"),
    **dict.fromkeys(_word_set("person peopl"), "peopl"),
}
_YEAR_RANGE: Final = range(1500, 2101)
_ORDINAL_ENDINGS: Final = ("st", "nd", "rd", "th")
#: Counts that differ by a larger factor are of different events.
_MAX_COUNT_RATIO: Final = 5
#: Names within a sentence.
_NAME_PATTERN: Final = re.compile(r"(?<=[a-z,;] )[A-Z]\w+")
_MAX_DISTANCE_WORDS: Final = 3
_NEGATION_WORDS: Final = _word_set(
    "not no never n't cannot without hardly isn't wasn't don't didn't doesn't can't won't nothing"
)


@dataclass(frozen=True, slots=True)
class Count:
    """A count of things: how it is written, its value, the things, and what happened to them."""

    phrase: str
    value: float
    things: frozenset[str]
    context: frozenset[str]


def conflicting_counts(text: str, other: str) -> tuple[tuple[str, str], ...]:
    """Return the counts of a text for which another one has a different number.

    Both count the same things (*people*) that were killed, hurt, arrested, destroyed and the like.
    To avoid false alarms, hedged numbers (*at least 5*), measures, numbers that both texts have,
    and numbers that differ by a factor of more than five are not compared, nor are texts that name
    different years, or have no name in common.

    Parameters
    ----------
    text, other
        Sentences, in English.

    Examples
    --------
    >>> conflicting_counts("The quake injured five people.", "It injured three people on Qeshm.")
    (('five people', 'three people'),)
    >>> conflicting_counts("The quake injured five people.", "It killed three people.")
    ()
    """
    text_counts, other_counts = tuple(_find_counts(text)), tuple(_find_counts(other))
    values, other_values = (
        {count.value for count in counts} for counts in (text_counts, other_counts)
    )
    if _years_in(text) != _years_in(other) or _names_differ(
        _names_inside(text), _names_inside(other)
    ):
        return ()
    return tuple(
        (first_count.phrase, second_count.phrase)
        for first_count in text_counts
        for second_count in other_counts
        if first_count.value not in other_values
        and second_count.value not in values
        and first_count.things & second_count.things
        and first_count.context & second_count.context & _EVENT_STEMS
        and max(first_count.value, second_count.value)
        <= _MAX_COUNT_RATIO * min(first_count.value, second_count.value)
    )


def _names_inside(text: str) -> set[str]:
    return {name for name in _NAME_PATTERN.findall(text) if not is_calendar_or_number(key_of(name))}


def _names_differ(names: set[str], other_names: set[str]) -> bool:
    return bool(names and other_names) and names.isdisjoint(other_names)


def _years_in(text: str) -> set[str]:
    """Return the years that a text names; texts with different years are about different events."""
    return set(re.findall(r"\b(?:1[5-9]|20)\d\d\b", text))


def _find_counts(text: str) -> Iterator[Count]:
    normalized_text = normalize(text).text
    words = words_of(normalized_text)
    for number in numbers_in(normalized_text, words):
        key = words[number.first].key
        is_plain = number.is_checked and not number.name and number.tolerance == (1.0, 1.0)
        if not is_plain or not number.values or key.endswith(_ORDINAL_ENDINGS):
            continue
        read_count = _read_count(normalized_text, words, number)
        if read_count is not None and not (read_count.value in _YEAR_RANGE and key.isdigit()):
            yield read_count


def _read_count(text: str, words: Sequence[Word], number: Number) -> Count | None:
    start, end = words[number.first].start, words[number.end - 1].end
    if text[:start].rstrip().endswith(("$", "£", "€", "#")) or "dozen" in text[start:end].lower():
        return None
    counted_words, next_index = list[str](), number.end
    while next_index < min(number.end + 2, len(words)) and text[end : words[next_index].start] in (
        " ",
        "-",
    ):
        if is_stop_word(words[next_index].key) or is_calendar_or_number(words[next_index].key):
            break
        counted_words.append(_grouped_root(words[next_index]))
        end, next_index = words[next_index].end, next_index + 1
    if not counted_words or not _UNCOUNTED_STEMS.isdisjoint(counted_words):
        return None
    nearby_words = [
        *_content_roots(words[max(number.first - _MAX_DISTANCE_WORDS, 0) : number.first][::-1])
    ]
    position = next_index
    while (
        position < min(next_index + _MAX_DISTANCE_WORDS, len(words))
        and text[end : words[position].start] == " "
    ):
        end, position = words[position].end, position + 1
    nearby_words += _content_roots(words[next_index:position])
    phrase = " ".join(text[start : words[next_index - 1].end].split())
    return Count(
        phrase,
        number.values[0],
        frozenset(counted_words),
        frozenset(nearby_words) - {*counted_words},
    )


def _content_roots(words: Sequence[Word]) -> Iterator[str]:
    """Return the stems of content words up to the next number."""
    for word in words:
        if is_calendar_or_number(word.key):
            return
        if not is_stop_word(word.key):
            yield _grouped_root(word)


def _grouped_root(word: Word) -> str:
    root = root_of(word.key)
    return _STEM_GROUPS.get(root, root)


@cache
def _polarities() -> dict[str, int]:
    word_lists = " ".join(lines_of("polarity.txt")).split("|")
    signed_lists = zip((1, -1), word_lists, strict=True)
    return {
        root_of(key_of(word)): sign
        for sign, word_list in signed_lists
        for word in word_list.split()
    }


def polarity(text: str) -> int:
    """Return whether a sentence of a review praises (1), complains (-1), or neither (0).

    Words of praise and complaint are counted; a negation before them reverses them.

    Parameters
    ----------
    text
        A sentence, in English.

    Examples
    --------
    >>> polarity("The battery life is great."), polarity("The screen is not good.")
    (1, -1)
    """
    keys = [word.key for word in words_of(normalize(text).text)]
    total = 0
    for index, key in enumerate(keys):
        sign = _polarities().get(root_of(key), 0)
        is_negated = not _NEGATION_WORDS.isdisjoint(
            keys[max(index - _MAX_DISTANCE_WORDS, 0) : index]
        )
        total += -sign if is_negated else sign
    return (total > 0) - (total < 0)


def is_praise_or_complaint(text: str) -> bool:
    """Return whether a word praises or complains.

    Parameters
    ----------
    text
        A word.

    Examples
    --------
    >>> is_praise_or_complaint("great"), is_praise_or_complaint("battery")
    (True, False)
    """
    return root_of(key_of(text)) in _polarities()
