"""How much of a summary its source supports: counts, contiguity, and one number."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from pyramidion.support._source import Line, SourceIndex
from pyramidion.support._words import groups_at, root_of
from pyramidion.text import is_stop_word, split_sentences

Ids = npt.NDArray[np.integer]

#: The value of a word by the longest run of source words that ends there.
_BACKOFF_VALUES: Final = (0.0, 0.35, 0.7, 0.9, 1.0)


@dataclass(frozen=True, slots=True)
class SupportCounts:
    """The facts that a summary states, and how many of them are in the source.

    Parameters
    ----------
    names, supported_names, numbers, supported_numbers
        Names and numbers, and how many of them the source has.
    quoted, supported_quoted
        Words in quotations, and how many are part of a run of source words.
    contiguity
        How little the text of the source was cut up: 1 for whole sentences, 0 for unrelated words.
    copied
        How much is worded as in the source, from runs of words and single words.

    Examples
    --------
    >>> source = SourceIndex(["Ada Lee left Oslo on Monday. She was ill."])
    >>> counts = support_counts(source, "Ada Lee left Paris on Monday.")
    >>> counts.names, counts.supported_names, counts.numbers, counts.contiguity
    (2, 1, 1, 0.666...)
    >>> round(counts.support, 2)
    0.49
    """

    names: int = 0
    supported_names: int = 0
    numbers: int = 0
    supported_numbers: int = 0
    quoted: int = 0
    supported_quoted: int = 0
    contiguity: float = 1.0
    copied: float = 1.0

    @property
    def support(self) -> float:
        """How much is worded as in the source, times the share of supported names and numbers."""
        facts = self.names + self.numbers
        n_supported = self.supported_names + self.supported_numbers
        return self.copied * (n_supported / facts if facts else 1.0)


def support_counts(source: SourceIndex, summary: str | Sequence[str]) -> SupportCounts:
    """Count the facts that a summary states, and how many of them its source supports.

    Parameters
    ----------
    source
        The documents.
    summary
        The summary, or its sentences.

    Examples
    --------
    >>> support_counts(SourceIndex(["It rained."]), "It rained all 12 days.").supported_numbers
    0
    """
    if isinstance(summary, str):
        summary = split_sentences(summary, newlines="sentence")
    lines, parsed_lines = source.parse(summary)
    claims = [claim for line_claims in source.claims(lines, parsed_lines) for claim in line_claims]
    names = [claim.supported for claim in claims if claim.kind == "name"]
    numbers = [claim.supported for claim in claims if claim.kind == "number"]
    quotations = [claim for claim in claims if claim.kind == "quotation"]
    return SupportCounts(
        len(names), sum(names), len(numbers), sum(numbers),
        sum(claim.words for claim in quotations), sum(claim.copied for claim in quotations),
        _contiguity(source, lines), _copied_share(source, lines),
    )  # fmt: skip


def _contiguity(source: SourceIndex, lines: Sequence[Line]) -> float:
    numbers = source.root_numbers
    words = np.array([numbers.get(root_of(key), -2) for line in lines for key in line.keys])
    if not len(words):
        return 1.0
    lengths = fragments(words, source.root_ids)
    n_uncovered = len(words) - sum(lengths)
    n_spoken = sum(bool(line.keys) for line in lines)
    return float(np.clip(1 - (len(lengths) - n_spoken + n_uncovered) / len(words), 0, 1))


def _copied_share(source: SourceIndex, lines: Sequence[Line]) -> float:
    """Average the backoff over words with the share of content words that the source has."""
    values = [value for line in lines for value in _backoff(source, line.keys)]
    content = [is_supported for line in lines for is_supported in _content(source, line.keys)]
    shares = [
        sum(values_of_kind) / len(values_of_kind) if values_of_kind else 1.0
        for values_of_kind in (values, content)
    ]
    return sum(shares) / 2


def _backoff(source: SourceIndex, keys: Sequence[str]) -> list[float]:
    """Value each word by the longest source run ending there; one from the start counts as full."""
    values, max_length, run = [], len(_BACKOFF_VALUES) - 1, 0
    for end in range(1, len(keys) + 1):
        run = min(run + 1, max_length, end)
        while run and tuple(keys[end - run : end]) not in source.ngrams(run):
            run -= 1
        values.append(_BACKOFF_VALUES[max_length if run == end else run])
    return values


def _content(source: SourceIndex, keys: list[str]) -> list[bool]:
    """Return for each word that is not a stop word whether the source has its stem or group."""
    grouped_words = {
        index
        for first, end, group in groups_at(keys)
        if group in source.groups
        for index in range(first, end)
    }
    return [
        index in grouped_words or root_of(key) in source.roots
        for index, key in enumerate(keys)
        if not is_stop_word(key)
    ]


def fragments(words: Ids, source: Ids) -> tuple[int, ...]:
    """Return the lengths of a text's fragments, the longest runs of words also in the source.

    Source: Grusky, Naaman and Artzi (2018). Newsroom: a dataset of 1.3 million summaries with
    diverse extractive strategies. NAACL.

    Examples
    --------
    >>> fragments(np.array([1, 2, 9, 3]), np.array([1, 2, 3]))
    (2, 1)
    """
    max_lengths = np.zeros(len(words), dtype=np.int64)
    # Length of the run that begins at each word of the source, for each word of the summary from
    # the last to the first: one more than the run at the next word.
    runs = np.zeros(len(source) + 1, dtype=np.int64)
    for position in range(len(words) - 1, -1, -1):
        runs[:-1] = (runs[1:] + 1) * (source == words[position])
        max_lengths[position] = runs.max(initial=0)
    lengths, position = [], 0
    while position < len(words):
        if max_lengths[position]:
            lengths.append(int(max_lengths[position]))
        position += max(1, int(max_lengths[position]))
    return tuple(lengths)
