"""The source of summaries, and the guard: the spans of a sentence that it does not support."""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from pyramidion.support._contrast import has_opposite, predicates
from pyramidion.support._names import NameSet, names_in
from pyramidion.support._numbers import NumberSet, numbers_in
from pyramidion.support._words import Normalized, Word, groups_at, normalize, root_of, words_of
from pyramidion.text import is_stop_word, load_parser, sentence_spans
from pyramidion.text.parsing import ParsedSentence, ParsedWord
from pyramidion.text.quotations import Quotations

#: The kinds of spans that the source does not support.
Kind = Literal["name", "number", "quotation", "opposite", "negation", "statement"]


@dataclass(frozen=True, slots=True)
class EvidenceSentence:
    """A sentence of the source: number of its document, its position there, and its text.

    Examples
    --------
    >>> SourceIndex(["Rain fell. It was cold."]).nearest("The cold stayed.")
    EvidenceSentence(document=0, position=1, text='It was cold.')
    """

    document: int
    position: int
    text: str


@dataclass(frozen=True, slots=True)
class UnsupportedSpan:
    """A part of a sentence that is not in the source: its offsets, text and kind.

    Parameters
    ----------
    start, end
        Offsets in the sentence.
    text
        The part.
    kind
        ``name``, ``number``, ``quotation``, ``opposite`` or ``negation``; ``statement`` if a model
        found that the source does not support it as a whole.
    evidence
        The source sentence to compare it with, if any resembles the sentence.

    Examples
    --------
    >>> span, = SourceIndex(["Ada Lee left Oslo on Monday."]).unsupported("Lee left Paris.")
    >>> span.start, span.end, span.text, span.kind
    (9, 14, 'Paris', 'name')
    """

    start: int
    end: int
    text: str
    kind: Kind
    evidence: EvidenceSentence | None = None


class Claim(NamedTuple):
    """A name, number or quotation of a sentence, and whether the source has it."""

    start: int
    end: int
    kind: Kind
    supported: bool
    #: The number of words of a quotation, and of those in runs of the source's words.
    words: int = 0
    copied: int = 0


class SourceLine(NamedTuple):
    """A sentence of a summary or source: original and normalized text, words and stems."""

    text: str
    normalized: Normalized
    words: list[Word]
    keys: list[str]
    #: The stems of words that are not stop words.
    roots: frozenset[str]

    @classmethod
    def of(cls, text: str) -> "SourceLine":
        """Read a sentence."""
        normalized_text = normalize(text)
        words = words_of(normalized_text.text)
        keys = [word.key for word in words]
        roots = frozenset(root_of(key) for key in keys if not is_stop_word(key))
        return cls(text, normalized_text, words, keys, roots)


#: Maximum number of source sentences in which opposites are looked up.
_MAX_SOURCE_SENTENCES: Final = 3
#: A source sentence with at least this share of a sentence's weight says the same.
_MIN_WEIGHT_SHARE: Final = 0.5
#: Minimum number of content words that it must also share.
_MIN_SHARED_WORDS: Final = 3
_MIN_RUN_WORDS: Final = 3
#: The share of a quotation's words that must be in the source's order.
_MIN_QUOTED_SHARE: Final = 0.5


class SourceIndex:
    """The documents that a summary may draw on, read once.

    Checks need no model and cannot see everything: facts of the source that were rearranged, such
    as swapped names, pass. A span that is reported is *not in the source*, which does not make it
    false.

    Parameters
    ----------
    documents
        The text of each document, or its sentences, which then keep their positions.
    facts
        What else is known, such as titles and dates: their names and numbers need no support.

    Examples
    --------
    >>> source = SourceIndex(["The Ardel bridge opened on Monday. It cost $12 million."])
    >>> source.unsupported("The bridge in Ardel cost 12 million dollars.")
    []
    >>> for span in source.unsupported("The bridge closed and cost $15 million."):
    ...     print(span.kind, span.text, "->", span.evidence.text)
    opposite closed -> The Ardel bridge opened on Monday.
    number 15 million -> It cost $12 million.
    """

    def __init__(self, documents: Iterable[str | Sequence[str]], facts: Iterable[str] = ()) -> None:
        self.sentences: list[EvidenceSentence] = []
        self.lines: list[SourceLine] = []
        self._names, self._numbers = NameSet(), NumberSet()
        #: The words of each document in order.
        self.documents: list[list[str]] = []
        for number, document in enumerate([documents] if isinstance(documents, str) else documents):
            texts = _split_document(document) if isinstance(document, str) else document
            self._read_document(number, texts)
        for fact in facts:
            line = SourceLine.of(fact)
            self._names.add(line.normalized.text)
            self._numbers.add(line.normalized.text, line.words)
        self.roots = frozenset[str]().union(*(line.roots for line in self.lines))
        self._parsed: dict[int, list[ParsedWord]] = {}

    def _read_document(self, document: int, texts: Sequence[str]) -> None:
        keys: list[str] = []
        for position, text in enumerate(texts):
            line = SourceLine.of(text)
            self.sentences.append(EvidenceSentence(document, position, text))
            self.lines.append(line)
            keys += line.keys
            self._names.add(line.normalized.text)
            self._numbers.add(line.normalized.text, line.words)
            if line.normalized.joined:
                self._numbers.add(text, words_of(text))
        self.documents.append(keys)

    def unsupported(
        self,
        sentence: str,
        cited: Collection[tuple[int, int]] | None = None,
        allow: Iterable[str] = (),
    ) -> list[UnsupportedSpan]:
        """Find the parts of a sentence that are not in the source; without any, it passes.

        Parameters
        ----------
        sentence
            A sentence of a summary.
        cited
            Document number and position of the source sentences that it cites: they come first
            as evidence, and opposites and negation are compared with them.
        allow
            Names and numbers that need no support, such as well-known facts.
        """
        return self.unsupported_in([sentence], cited, allow)[0]

    def unsupported_in(
        self,
        sentences: Sequence[str],
        cited: Collection[tuple[int, int]] | None = None,
        allow: Iterable[str] = (),
    ) -> list[list[UnsupportedSpan]]:
        """Check sentences of one summary together, which is faster than one by one."""
        lines, parsed_lines = self.parse(sentences)
        allowed_keys = frozenset(
            word.key for name in allow for word in words_of(normalize(name).text)
        )
        checks = zip(lines, parsed_lines, self.claims(lines, parsed_lines), strict=True)
        return [
            sorted(
                self._unsupported_spans(*check, cited or (), allowed_keys),
                key=lambda span: span.start,
            )
            for check in checks
        ]

    def nearest(
        self, sentence: str, cited: Collection[tuple[int, int]] = ()
    ) -> EvidenceSentence | None:
        """Return the source sentence most similar to a sentence, by the weight of shared words."""
        best_numbers = self._best_numbers(SourceLine.of(sentence).roots, cited)
        return self.sentences[best_numbers[0]] if best_numbers else None

    def similar(self, text: str) -> list[int]:
        """Return the numbers of the source sentences that share words with a text, best first."""
        shares = self._weight_shares(SourceLine.of(text).roots)
        return sorted(shares, key=lambda number: (-shares[number], number))

    def evidence(self, statement: str) -> tuple[float, tuple[EvidenceSentence, ...]]:
        """Return the share of a statement's weight that source sentences have, and which ones.

        Up to three sentences are added while each has words that those before it lack.
        """
        roots = SourceLine.of(statement).roots
        weights = {root: self._root_weight(root) for root in roots}
        missing_roots, sentence_numbers = set(roots), list[int]()
        for number in self._best_numbers(roots, ()):
            if missing_roots & self.lines[number].roots:
                sentence_numbers.append(number)
                missing_roots -= self.lines[number].roots
        total = sum(weights.values())
        share = 1 - sum(weights[root] for root in missing_roots) / total if total else 0.0
        return share, tuple(self.sentences[number] for number in sentence_numbers)

    def parse(self, sentences: Sequence[str]) -> tuple[list[SourceLine], list[list[ParsedWord]]]:
        """Read and parse the sentences of a summary.

        Sentences without casing take the casing of the source.
        """
        lines = [SourceLine.of(sentence) for sentence in sentences]
        texts = [self._in_source_case(line) for line in lines]
        return lines, load_parser("light").parse(texts)

    def claims(
        self, lines: Sequence[SourceLine], parsed: Sequence[Sequence[ParsedWord]]
    ) -> list[list[Claim]]:
        """Return the names, numbers and quotations of each sentence; offsets are normalized."""
        texts = [
            ParsedSentence(line.normalized.text, (), "", number)
            for number, line in enumerate(lines)
        ]
        quotations = Quotations(texts)
        return [
            [*self._name_claims(line, words), *self._number_claims(line),
             *self._quotation_claims(line, text, quotations)]
            for line, words, text in zip(lines, parsed, texts, strict=True)
        ]  # fmt: skip

    def _name_claims(self, line: SourceLine, words: Sequence[ParsedWord]) -> Iterator[Claim]:
        for first, last in names_in(words):
            start, end = words[first].start, words[last].end
            name = line.normalized.text[start:end]
            yield Claim(start, end, "name", self._names.supports(name))

    def _number_claims(self, line: SourceLine) -> Iterator[Claim]:
        for number in numbers_in(line.normalized.text, line.words):
            if number.is_checked:
                start, end = line.words[number.first].start, line.words[number.end - 1].end
                yield Claim(start, end, "number", self._numbers.supports(number))

    def _quotation_claims(
        self, line: SourceLine, text: ParsedSentence, quotations: Quotations
    ) -> Iterator[Claim]:
        for first, end in _quoted_runs(line, text, quotations):
            words = line.words[first:end]
            size, n_copied = len(words), sum(self._in_runs([word.key for word in words]))
            is_supported = n_copied / size >= _MIN_QUOTED_SHARE
            yield Claim(words[0].start, words[-1].end, "quotation", is_supported, size, n_copied)

    def _in_runs(self, keys: Sequence[str]) -> list[bool]:
        """Return which words are part of a run of words that a document has too."""
        size = min(_MIN_RUN_WORDS, len(keys))
        is_inside = [False] * len(keys)
        for first in range(len(keys) - size + 1):
            if tuple(keys[first : first + size]) in self.ngrams(size):
                is_inside[first : first + size] = [True] * size
        return is_inside

    def ngrams(self, size: int) -> frozenset[tuple[str, ...]]:
        """Return the n-grams of the documents."""
        if size not in self._ngrams:
            self._ngrams[size] = frozenset(
                gram
                for keys in self.documents
                for gram in zip(*(keys[offset:] for offset in range(size)), strict=False)
            )
        return self._ngrams[size]

    @cached_property
    def _ngrams(self) -> dict[int, frozenset[tuple[str, ...]]]:
        return {}

    @cached_property
    def root_numbers(self) -> dict[str, int]:
        """A number for each stem of the documents."""
        roots = dict.fromkeys(root_of(key) for keys in self.documents for key in keys)
        return {root: number for number, root in enumerate(roots)}

    @cached_property
    def root_ids(self) -> npt.NDArray[np.int64]:
        """The stems of the documents by number, with -1 between documents."""
        numbers = self.root_numbers
        parts = ([numbers[root_of(key)] for key in keys] for keys in self.documents)
        return np.array([-1, *(n for part in parts for n in (*part, -1))], dtype=np.int64)

    @cached_property
    def groups(self) -> frozenset[int]:
        """The groups of names that occur in the documents."""
        return frozenset(group for keys in self.documents for _, _, group in groups_at(keys))

    @cached_property
    def _numbers_by_root(self) -> dict[str, list[int]]:
        """The sentences that have each stem."""
        numbers_by_root: dict[str, list[int]] = defaultdict(list)
        for number, line in enumerate(self.lines):
            for root in line.roots:
                numbers_by_root[root].append(number)
        return numbers_by_root

    def _root_weight(self, root: str) -> float:
        return math.log((len(self.lines) + 1) / (len(self._numbers_by_root.get(root, ())) + 0.5))

    def _weight_shares(self, roots: Iterable[str]) -> dict[int, float]:
        """Return how much of a sentence's weight each source sentence has."""
        # Sets have a different order in every process, and rounding must not decide between ties.
        weights = {root: self._root_weight(root) for root in sorted(roots)}
        total = sum(weights.values()) or 1.0
        shares: dict[int, float] = defaultdict(float)
        for root, weight in weights.items():
            for number in self._numbers_by_root.get(root, ()):
                shares[number] += weight / total
        return {number: round(share, 12) for number, share in shares.items()}

    def _best_numbers(
        self, roots: Iterable[str], cited_addresses: Collection[tuple[int, int]]
    ) -> list[int]:
        """Return the source sentences most like a sentence, cited ones first."""
        shares = self._weight_shares(roots)
        cited_numbers = [
            number
            for number, sentence in enumerate(self.sentences if cited_addresses else ())
            if (sentence.document, sentence.position) in cited_addresses
        ]
        ranked_numbers = sorted(shares, key=lambda number: (-shares[number], number))
        return list(dict.fromkeys([*cited_numbers, *ranked_numbers[:_MAX_SOURCE_SENTENCES]]))

    def _unsupported_spans(
        self,
        line: SourceLine,
        words: Sequence[ParsedWord],
        claims: Iterable[Claim],
        cited_addresses: Collection[tuple[int, int]],
        allowed_keys: frozenset[str],
    ) -> Iterator[UnsupportedSpan]:
        if self._is_copied(line):
            return
        best_numbers = self._best_numbers(line.roots, cited_addresses)
        nearest_sentence = best_numbers[0] if best_numbers else -1
        used_claims: list[Claim] = []
        for claim in claims:
            keys = {word.key for word in line.words if claim.start <= word.start < claim.end}
            if not claim.supported and not (allowed_keys and keys <= allowed_keys):
                used_claims.append(claim)
                yield self._make_span(line, claim.start, claim.end, claim.kind, nearest_sentence)
        for word in line.words:
            number = self._find_opposite(word, best_numbers)
            if number >= 0 and not any(
                claim.start <= word.start < claim.end for claim in used_claims
            ):
                yield self._make_span(line, word.start, word.end, "opposite", number)
        yield from self._negations(line, words)

    def _is_copied(self, line: SourceLine) -> bool:
        """Return whether a sentence is copied from the beginning of a source sentence."""
        copy = f" {' '.join(line.keys)} "
        for text, starts in self._document_texts:
            copy_start = text.find(copy)
            while copy_start >= 0:
                if copy_start in starts:
                    return True
                copy_start = text.find(copy, copy_start + 1)
        return False

    @cached_property
    def _document_texts(self) -> list[tuple[str, frozenset[int]]]:
        """The words of each document as one text, and where its sentences begin."""
        texts, starts = [" "] * len(self.documents), [set[int]() for _ in self.documents]
        for sentence, line in zip(self.sentences, self.lines, strict=True):
            starts[sentence.document].add(len(texts[sentence.document]) - 1)
            texts[sentence.document] += "".join(f"{key} " for key in line.keys)
        return [(text, frozenset(positions)) for text, positions in zip(texts, starts, strict=True)]

    def _make_span(
        self, line: SourceLine, start: int, end: int, kind: Kind, nearest_sentence: int
    ) -> UnsupportedSpan:
        first, last = line.normalized.span(start, end)
        evidence = self.sentences[nearest_sentence] if nearest_sentence >= 0 else None
        return UnsupportedSpan(first, last, line.text[first:last], kind, evidence)

    def _find_opposite(self, word: Word, best_numbers: Sequence[int]) -> int:
        """Return the source sentence that has an opposite of a word, or -1."""
        root = root_of(word.key)
        if root in self.root_numbers or not best_numbers:
            return -1
        source_roots = frozenset[str]().union(
            *(self._line_roots(number) for number in best_numbers)
        )
        if not has_opposite(root, source_roots):
            return -1
        return next(
            number for number in best_numbers if has_opposite(root, self._line_roots(number))
        )

    def _line_roots(self, number: int) -> frozenset[str]:
        """Return the stems of a source sentence, with those of stop words, such as *more*."""
        return frozenset(map(root_of, self.lines[number].keys))

    def _negations(
        self, line: SourceLine, words: Sequence[ParsedWord]
    ) -> Iterator[UnsupportedSpan]:
        """Find predicates that are negated here and nowhere in the source, or the reverse."""
        shares: dict[int, float] | None = None
        for index, root, is_negated in predicates(words):
            if root not in self._numbers_by_root:
                continue
            shares = self._weight_shares(line.roots) if shares is None else shares
            matching_numbers = (
                number
                for number in self._numbers_by_root[root]
                if shares.get(number, 0) >= _MIN_WEIGHT_SHARE
            )
            similar_numbers = [
                number
                for number in matching_numbers
                if len(self.lines[number].roots & line.roots) >= _MIN_SHARED_WORDS
            ]
            signs = [
                sign for number in similar_numbers for sign in self._negation_signs(number, root)
            ]
            if signs and is_negated not in signs:
                best_match = max(similar_numbers, key=lambda number: shares[number])
                yield self._make_span(
                    line, words[index].start, words[index].end, "negation", best_match
                )

    def _negation_signs(self, number: int, root: str) -> list[bool]:
        """Return whether a predicate is negated, for each time a source sentence has it."""
        if number not in self._parsed:
            text = self.lines[number].normalized.text
            self._parsed[number] = load_parser("light").parse([text])[0]
        return [
            is_negated for _, other, is_negated in predicates(self._parsed[number]) if other == root
        ]

    def _in_source_case(self, line: SourceLine) -> str:
        """Write an uncased sentence in the source's case."""
        text = line.normalized.text
        if not line.words or any(map(str.isupper, text[line.words[0].start + 1 :])):
            return text
        cased_forms = {word: self._usual_forms.get(word.key) for word in line.words}
        if text[line.words[0].start].isupper() and not any(
            cased_word and cased_word[0].isupper() for cased_word in list(cased_forms.values())[1:]
        ):
            return text
        letters = list(text)
        for word, cased_word in cased_forms.items():
            if (
                cased_word
                and len(cased_word) == word.end - word.start
                and cased_word.lower() == text[word.start : word.end].lower()
            ):
                letters[word.start : word.end] = cased_word
        return "".join(letters)

    @cached_property
    def _usual_forms(self) -> dict[str, str]:
        """The most frequent case of each word, sentence openings aside."""
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for line in self.lines:
            text = line.normalized.text
            for index, word in enumerate(line.words):
                counts[word.key][text[word.start : word.end]] += 100 if index else 1
        return {key: forms.most_common(1)[0][0] for key, forms in counts.items()}


def _split_document(document: str) -> list[str]:
    """Split a document into sentences, at line breaks too, and between *word.Word*."""
    normalized_text = normalize(document)
    spans = sentence_spans(normalized_text.text, newlines="sentence")
    ranges = [normalized_text.span(start, end) for start, end in spans]
    return [document[start:end] for start, end in ranges]


def _quoted_runs(
    line: SourceLine, parsed_text: ParsedSentence, quotations: Quotations
) -> Iterator[tuple[int, int]]:
    """Return the runs of at least two quoted words: first and end."""
    first = None
    for index, word in enumerate([*line.words, None]):
        if word and quotations.overlap(parsed_text, word.start, word.end):
            first = index if first is None else first
        elif first is not None:
            if index - first > 1:
                yield first, index
            first = None
