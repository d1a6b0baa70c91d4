"""What a page says about itself: requests, offers, notes on authors, comments of readers.

No list of notices is complete, so four properties decide, all within an input that reports what
happened: whether a sentence speaks to the reader, whether it is in the past tense, how many words
it shares with sentences that report, and which sentences surround it.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from pyramidion._types import Bools, Ints
from pyramidion.collection import Document
from pyramidion.summarizers._readable import IRREGULAR_PAST_PATTERN, Readability, without_quotations
from pyramidion.text import english_is_installed
from pyramidion.text._tagging import grammar_tokens, load_tagger

#: A page's text about itself shares at most this many words, or this share of its words, with its
#: article.
_MAX_SHARED_WORDS, _MAX_SHARED_PART = 2, 1 / 3
#: The same for a short paragraph with a request.
_MAX_ASKING_SHARED_PART = 1 / 2
#: Maximum number of sentences of a notice's paragraph.
_MAX_SENTENCES = 4
#: Text that addresses the reader, or speaks for a writer, a visitor or the site.
_ADDRESSING_PATTERN = re.compile(
    r"^The (?:piece|clip|page|newsletter)\b|^Here(?:['’]s| is| are)\b|(?:above|below)\W*$"
    r"|\b(?:[Yy]ou|[Yy]ours?|[Ww]e|us|[Oo]urs?|[Mm]y|me"
    r"|[Tt]h(?:is|ese) (?:page|site|article|report|story|piece|text|video|clip|content|device|post"
    r"|magazine)s?)\b"
    # Not *World War I*.
    r"|(?:^|[^\w\s]\s?|\b[a-z]+ )I\b"
)
#: The number of sentences with the past tense in a report, and their share of its words.
_MIN_REPORTED_SENTENCES, _MIN_REPORTED_SHARE = 4, 0.2
#: The maximum share of sentences of the article itself that address the reader.
_MAX_ADDRESSING_SHARE = 0.2
#: The same, including what pages add; reviews have more.
_MAX_ADDRESSING_SHARE_ON_PAGES = 0.35
#: The approximate number of sentences in which these shares are counted.
_SAMPLE_SIZE = 80
#: Frequent forms of the past tense.
_PAST_TENSE_PATTERN = re.compile(r"ed\b|\b(?:was|were|had|did|said)\b")
#: Verb forms that occur in most sentences of news.
_REPORTING_PATTERN = re.compile(r"\b(?:was|were|had|did|said|has|have|will|would|could|might)\b")
_ANY_PAST_TENSE_PATTERN = re.compile(rf"{IRREGULAR_PAST_PATTERN}|ed\b")
_PASSIVE_TAGS_PATTERN = re.compile(r"(?:NN\w*|PRP)(?: RB)* VBN (?:DT|NN|PRP)")
_SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")
_FULL_NAME_PATTERN = re.compile(r"(?:[A-Z][\w.'’-]* )+[A-Z][\w'’-]*")
_BLANK_LINE_PATTERN = re.compile(r"\n[ \t]*\n")
#: How many characters of a sentence are searched for in its document.
_BEGINNING_LENGTH = 12


@dataclass(frozen=True, eq=False)
class Asides:
    """Which sentences of an input are asides; `rows` and `words` are its pairs of both."""

    readability: Readability
    documents: Sequence[Document]
    homes: Ints
    rows: Ints
    words: Ints
    _known: dict[int, bool] = field(default_factory=dict)
    _starts_by_page: dict[int, list[int]] = field(default_factory=dict)

    def has(self, number: int) -> bool:
        """Return whether a sentence is an aside."""
        if not self.suspects[number]:
            return False
        if number not in self._known:
            is_page = len(self._page(number)) == len(self._paragraph(number)) <= _MAX_SENTENCES
            is_aside = not is_page and (
                self._is_aside_on_its_own(number) or self._is_aside_by_position(number)
            )
            self._known[number] = is_aside and self._is_report
        return self._known[number]

    @cached_property
    def suspects(self) -> Bools:
        """The sentences that share few words with others that report."""
        limits = np.maximum(_MAX_SHARED_WORDS + 1, _MAX_SHARED_PART * self._n_words)
        are_suspects: Bools = (self._n_words > 0) & (self._n_shared <= limits)
        return are_suspects

    @cached_property
    def _is_report(self) -> bool:
        """Whether the input reports, and few of its sentences address the reader."""
        n_reported_words = self._n_words[self._reported].sum()
        if (
            self._reported.sum() < _MIN_REPORTED_SENTENCES
            or n_reported_words < _MIN_REPORTED_SHARE * self._n_words.sum()
        ):
            return False
        sample = np.arange(0, len(self.homes), len(self.homes) // _SAMPLE_SIZE + 1)
        addresses = np.array([self._addresses(number) for number in sample.tolist()])
        if addresses.mean() > _MAX_ADDRESSING_SHARE_ON_PAGES:
            return False
        is_connected = (~self.suspects & (self._n_words > 0))[sample]
        return bool(addresses[is_connected].sum() <= _MAX_ADDRESSING_SHARE * is_connected.sum())

    def _is_aside_on_its_own(self, number: int) -> bool:
        """Recognize a sentence that addresses the reader, or a paragraph that does not report."""
        if self._addresses(number):
            return True
        paragraph = self._paragraph(number)
        is_short = len(paragraph) <= _MAX_SENTENCES
        n_shared = self._n_shared_by(paragraph if is_short else range(number, number + 1))
        if n_shared > (
            is_short and min(_MAX_SHARED_WORDS, _MAX_SHARED_PART * self._n_words_of(paragraph))
        ):
            return False
        numbers = paragraph if n_shared else [number]
        return not self._is_elsewhere(number) and all(map(self._is_timeless, numbers))

    def _is_aside_by_position(self, number: int) -> bool:
        """Recognize a paragraph with a request to the reader, or among notices after the lead."""
        paragraph, page = self._paragraph(number), self._page(number)
        if len(paragraph) > _MAX_SENTENCES:
            return False
        n_shared, n_words = self._n_shared_by(paragraph), self._n_words_of(paragraph)
        max_shared = max(
            _MAX_SHARED_PART * n_words, min(_MAX_SHARED_WORDS, _MAX_ASKING_SHARED_PART * n_words)
        )
        if n_shared <= max_shared and any(map(self._asks, paragraph)):
            return True
        above_title = paragraph.stop in page and self.readability.is_line(paragraph.stop)
        if not above_title and not self._reported[page.start : paragraph.start].any():
            return False
        if self._is_author(paragraph.start) and self._begins_tail(paragraph):
            return True
        if n_shared > _MAX_SHARED_WORDS:
            return False
        neighbors = (
            neighbor for neighbor in (paragraph.start - 1, paragraph.stop) if neighbor in page
        )
        is_suspect = self._is_minor(paragraph) or all(map(self._is_timeless, paragraph))
        return is_suspect and all(map(self._is_apart, neighbors))

    def _is_author(self, number: int) -> bool:
        """Return whether a sentence begins with a name that a line above it has."""
        name = _FULL_NAME_PATTERN.match(self.readability.texts[number])
        lines = filter(self.readability.is_line, range(self._page(number).start, number))
        return name is not None and any(name[0] in self.readability.texts[line] for line in lines)

    def _begins_tail(self, paragraph: range) -> bool:
        """Return whether notices and minor paragraphs follow up to the end of the page."""
        has_notice, next_start, end = False, paragraph.stop, self._page(paragraph.start).stop
        while next_start < end:
            next_paragraph = self._paragraph(next_start)
            is_notice = any(map(self._is_apart, next_paragraph))
            if not is_notice and not self._is_minor(next_paragraph):
                return False
            has_notice, next_start = has_notice or is_notice, next_paragraph.stop
        return has_notice

    def _is_minor(self, paragraph: range) -> bool:
        """Recognize a short paragraph that shares at most one word with sentences that report."""
        return len(paragraph) <= _MAX_SENTENCES // 2 and self._n_shared_by(paragraph) <= 1

    def _n_shared_by(self, paragraph: range) -> int:
        return int(self._n_shared[paragraph.start : paragraph.stop].sum())

    def _n_words_of(self, paragraph: range) -> int:
        return int(self._n_words[paragraph.start : paragraph.stop].sum())

    def _addresses(self, number: int) -> bool:
        return _ADDRESSING_PATTERN.search(self._unquoted(number)) is not None

    def _asks(self, number: int) -> bool:
        """Recognize requests and questions to the reader, outside of quotations."""
        text = self._unquoted(number)
        if not text or text != self.readability.texts[number]:
            return False
        if "?" in text or self._addresses(number):
            return True
        first_tag = self._tags(number)[:1]
        return first_tag in (["VB"], ["VBN"]) and self._is_timeless(number)

    def _is_timeless(self, number: int) -> bool:
        """Return whether a sentence does not report; without a tagger, frequent forms decide."""
        text = self._unquoted(number)
        if not text or _REPORTING_PATTERN.search(text):
            return False
        if not self._has_tagger:
            return _ANY_PAST_TENSE_PATTERN.search(text) is None
        tags = self._tags(number)
        # The tagger takes some forms of the past tense with an object for participles.
        return "VBD" not in tags and not _PASSIVE_TAGS_PATTERN.search(" ".join(tags))

    def _is_apart(self, number: int) -> bool:
        if self.readability.is_line(number) or self._asks(number):
            return True
        return bool(self.suspects[number]) and self._is_aside_on_its_own(number)

    def _unquoted(self, number: int) -> str:
        return without_quotations(self.readability.texts[number])

    def _tags(self, number: int) -> list[str]:
        words = [token.text for token in grammar_tokens(self._unquoted(number))]
        if not words or not self._has_tagger:
            return []
        return [pair.fine for pair in load_tagger().tag([words])[0]]

    @cached_property
    def _has_tagger(self) -> bool:
        """Whether words can be tagged; to look for the package takes as long as many sentences."""
        return english_is_installed()

    @cached_property
    def _reported(self) -> Bools:
        """The sentences with a frequent form of the past tense."""
        return np.array([*map(_reports_past, self.readability.texts)])

    @cached_property
    def _n_words(self) -> Ints:
        return np.bincount(self.rows, minlength=len(self.homes))

    @cached_property
    def _n_shared(self) -> Ints:
        """The number of words of each sentence that others have that report."""
        n_reporting = np.bincount(
            self.words[self._reported[self.rows]], minlength=self.words.max(initial=0) + 1
        )
        is_shared = n_reporting[self.words] > self._reported[self.rows]
        return np.bincount(self.rows[is_shared], minlength=len(self.homes))

    def _paragraph(self, number: int) -> range:
        """Return the sentences of a sentence's paragraph; blank lines separate paragraphs."""
        page = self._page(number)
        if page.start not in self._starts_by_page:
            self._starts_by_page[page.start] = [*self._paragraph_starts(page)]
        starts = self._starts_by_page[page.start]
        index = bisect_right(starts, number)
        return range(starts[index - 1], starts[index] if index < len(starts) else page.stop)

    def _is_elsewhere(self, number: int) -> bool:
        """Return whether other documents have most words of a sentence, as those of an event."""
        return bool(self._n_elsewhere[number] > max(_MAX_SHARED_WORDS, self._n_words[number] / 2))

    @cached_property
    def _n_elsewhere(self) -> Ints:
        """The number of words of each sentence that other documents have, too."""
        n_types = int(self.words.max(initial=0)) + 1
        codes = np.unique(self.homes[self.rows] * n_types + self.words)
        n_documents = np.bincount(codes % n_types, minlength=n_types)
        return np.bincount(self.rows[n_documents[self.words] > 1], minlength=len(self.homes))

    def _page(self, number: int) -> range:
        """Return the sentences of a sentence's document."""
        home = self.homes[number]
        return range(*(int(self.homes.searchsorted(home, side=side)) for side in _SIDES))

    def _paragraph_starts(self, page: range) -> Iterator[int]:
        """Yield the numbers of the first sentences of a page's paragraphs."""
        page_text, end = self.documents[self.homes[page.start]].text, 0
        for number in page:
            begin = page_text.find(self.readability.texts[number][:_BEGINNING_LENGTH], end)
            if (
                number == page.start
                or begin < 0
                or _BLANK_LINE_PATTERN.search(page_text, end, begin)
            ):
                yield number
            end = max(begin + 1, end)


def _reports_past(text: str) -> bool:
    # Searching for frequent endings and words first is much faster.
    return (
        "ed " in text
        or " said " in text
        or " was " in text
        or " were " in text
        or " had " in text
        or _PAST_TENSE_PATTERN.search(text) is not None
    )
