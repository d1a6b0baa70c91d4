"""The statements of a text: predicates with their arguments, circumstances, appositions."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from pyramidion.text import is_stop_word, sentence_spans
from pyramidion.text.parsing import FINITE_TAGS, ParsedWord, Parser

#: Start and end of a part in the text.
Span = tuple[int, int]


def _word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


#: Words that open a statement without being part of it.
_CONNECTIVES: Final = _word_set("and but or so that which who whom yet")
#: Words without which the rest of the clause is a sentence: *because it rained*.
_LINKING_WORDS: Final = _word_set(
    "after although as because once since though when whereas where while even what whose"
)
#: Words that open a clause that cannot stand alone: *if it rains*.
_CONDITION_WORDS: Final = _word_set("before despite if including unless until whether without")
#: Prepositions that always belong to the predicate: *sold to a bank*.
_PREPOSITIONS: Final = _word_set("as by for into of to with")
_DIVIDING_MARK: Final = re.compile(r"[,;:()\[\]{}“”\"«»—–]|-+|\.\.+|…")
_COORDINATORS: Final = _word_set("and but or yet")
#: A statement of fewer content words is joined with its neighbor.
_MIN_CONTENT_WORDS: Final = 2
#: A subject of more words is an error of the parser, or too long to be repeated.
_MAX_SUBJECT_WORDS: Final = 8
_PREDICATE_TAGS: Final = frozenset({"VERB", "AUX"})
_NOUN_TAGS: Final = frozenset({"NOUN", "NUM", "PRON", "PROPN"})
_NAME_TAGS: Final = frozenset({"NUM", "PROPN"})
_NEGATION_WORDS: Final = frozenset({"never", "not", "n't", "n’t"})
_VERB_RELATIONS: Final = frozenset({"auxiliary", "copula", "compound:prt", "expl"})
_CLAUSE_RELATIONS: Final = frozenset({"clause", "relative clause", "conjunct", "parataxis"})

# How firm a border is; a statement with too few content words loses its weakest border.
_CIRCUMSTANCE_BORDER, _COMMA_BORDER, _CLAUSE_BORDER, _SENTENCE_BORDER = 1, 2, 3, 4


class Statement(NamedTuple):
    """A statement: its parts in the text, in order, and a label."""

    parts: tuple[Span, ...]
    label: str
    #: The sentence of the text that contains it.
    sentence: Span


def statements_of(text: str, parser: Parser) -> Iterator[Statement]:
    """Divide a text into statements, so that every content word is in one.

    A statement is a clause with its subject, or a circumstance or apposition that makes sense
    by itself.

    Examples
    --------
    >>> from pyramidion.text import load_parser
    >>> text = "Rain fell, and roads were closed."
    >>> [statement.label for statement in statements_of(text, load_parser("light"))]
    ['Rain fell', 'Roads were closed']
    """
    spans = sentence_spans(text)
    parsed_sentences = parser.parse([text[start:end] for start, end in spans])
    for (start, end), words in zip(spans, parsed_sentences, strict=True):
        yield from _Sentence(text[start:end], words, start).statements()


class _Sentence:
    """A parsed sentence and the dependencies of its words."""

    def __init__(self, text: str, words: Sequence[ParsedWord], offset: int) -> None:
        self.text, self.words, self.offset = text, words, offset
        self.lowercase_words = [word.text.lower() for word in words]
        self.is_spoken = [any(map(str.isalnum, word.text)) for word in words]
        spoken_words = zip(self.is_spoken, self.lowercase_words, strict=True)
        self.is_content = [
            has_letters and not is_stop_word(lowercase) for has_letters, lowercase in spoken_words
        ]
        self.children: list[list[int]] = [[] for _ in words]
        for index, word in enumerate(words):
            if word.head != index:
                self.children[word.head].append(index)
        self.subtrees = [self._subtree(index) for index in range(len(words))]

    def statements(self) -> Iterator[Statement]:
        """Return the statements in order."""
        sentence = self.offset, self.offset + len(self.text)
        for cut_start, next_cut in pairwise([*self._cuts(), len(self.words)]):
            span = self._trim(range(cut_start, next_cut))
            if any(self.is_content[index] for index in span):
                runs = _runs(sorted({*self._subject_outside(span), *span}))
                ends = ((self.words[run[0]].start, self.words[run[-1]].end) for run in runs)
                parts = tuple((self.offset + start, self.offset + end) for start, end in ends)
                yield Statement(parts, self._label(span), sentence)

    def _subtree(self, head: int) -> frozenset[int]:
        """Return a word and its dependents, even if a parser made a cycle."""
        reached_words, frontier = {head}, [head]
        while frontier:
            frontier = [
                child
                for index in frontier
                for child in self.children[index]
                if child not in reached_words
            ]
            reached_words.update(frontier)
        return frozenset(reached_words)

    def _related(self, index: int, *relations: str) -> list[int]:
        """Return the dependents of a word that have one of these relations."""
        return [child for child in self.children[index] if self.words[child].relation in relations]

    def _cuts(self) -> list[int]:
        """Return the indices of words at which statements begin."""
        firmness = self._borders()
        cuts = sorted(firmness)
        while cuts:
            short_statements = []
            for first, last in pairwise([0, *cuts, len(self.words)]):
                n_content_words = sum(self.is_content[first:last])
                # One word is enough for a time or place.
                has_name = any(word.tag in _NAME_TAGS for word in self.words[first:last])
                is_date = (
                    n_content_words and has_name and firmness.get(first) == _CIRCUMSTANCE_BORDER
                )
                if n_content_words < _MIN_CONTENT_WORDS and not is_date:
                    weakest_border = min(
                        (firmness[index], index) for index in (first, last) if index in firmness
                    )
                    short_statements.append((n_content_words, weakest_border))
            if not short_statements:
                break
            cuts.remove(min(short_statements)[1][1])
        return [0, *cuts]

    def _borders(self) -> dict[int, int]:
        """Return where a statement could begin, and how firm that border is."""
        borders: dict[int, int] = {}
        for index, firmness in (
            *self._clause_borders(),
            *self._mark_borders(),
            *self._circumstance_borders(),
        ):
            if 0 < index < len(self.words):
                borders[index] = max(firmness, borders.get(index, 0))
        is_finite = [word.fine in FINITE_TAGS for word in self.words]
        outer_borders = [
            0,
            *sorted(
                border
                for border, border_firmness in borders.items()
                if border_firmness >= _COMMA_BORDER
            ),
            len(self.words),
        ]
        for first, last in pairwise(outer_borders):
            for index in range(first + 1, last):
                # Two finite verbs make two clauses, even if the parser disagrees.
                is_coordinator = self.lowercase_words[index] in _COORDINATORS
                if is_coordinator and any(is_finite[first:index]) and any(is_finite[index:last]):
                    borders[index] = _CLAUSE_BORDER
        return borders

    def _clause_borders(self) -> Iterator[tuple[int, int]]:
        for index, word in enumerate(self.words):
            start = min(self.subtrees[index])
            if word.relation in _CLAUSE_RELATIONS and self._is_predicate(index):
                firmness = self._firmness(index, start)
                if firmness:
                    while start and self.lowercase_words[start - 1] in _CONNECTIVES:
                        start -= 1
                    yield start, firmness
                    if index < word.head:
                        yield max(self.subtrees[index]) + 1, _COMMA_BORDER
            elif word.relation == "apposition":
                yield start, _COMMA_BORDER

    def _firmness(self, predicate: int, start: int) -> int:
        """Return how firm the border of a clause is; 0 if it is part of another."""
        relation = self.words[predicate].relation
        if relation == "conjunct":
            return _SENTENCE_BORDER if self._related(predicate, "subject") else _CLAUSE_BORDER
        if (
            relation == "relative clause"
            or self.lowercase_words[start] in _LINKING_WORDS | _CONDITION_WORDS
        ):
            return _CLAUSE_BORDER
        if start and self._is_dividing_mark(start - 1):
            return _CLAUSE_BORDER
        after_noun = start == predicate and start and self.words[start - 1].tag in _NOUN_TAGS
        return _COMMA_BORDER if after_noun and self._is_participle(predicate) else 0

    def _mark_borders(self) -> Iterator[tuple[int, int]]:
        for index in range(len(self.words)):
            if self._is_dividing_mark(index):
                yield (
                    index + 1,
                    _SENTENCE_BORDER if self.words[index].text in ";:—–" else _COMMA_BORDER,
                )
            if self.lowercase_words[index] in (_LINKING_WORDS | _CONDITION_WORDS) - _PREPOSITIONS:
                yield index, _CLAUSE_BORDER

    def _circumstance_borders(self) -> Iterator[tuple[int, int]]:
        """Return the beginnings of times and places: *in March*, *near Oslo*."""
        for index, word in enumerate(self.words):
            case_words = [child for child in self._related(index, "case") if child < index]
            is_adjunct = (
                word.relation == "modifier"
                and case_words
                and self.lowercase_words[case_words[0]] not in _PREPOSITIONS
            )
            if is_adjunct and any(
                self.words[child].tag in _NAME_TAGS for child in self.subtrees[index]
            ):
                yield min(self.subtrees[index]), _CIRCUMSTANCE_BORDER

    def _is_dividing_mark(self, index: int) -> bool:
        """Return whether a word is a mark between clauses: not in *71-year-old*."""
        word = self.words[index]
        if not _DIVIDING_MARK.fullmatch(word.text):
            return False
        character_before, character_after = self.text[: word.start][-1:], self.text[word.end :][:1]
        is_glued = (
            character_before.isalnum()
            and character_after.isalnum()
            and word.text in {",", ":", "–"}
        )
        is_separate = character_before.isspace() and character_after.isspace()
        return is_separate if set(word.text) == {"-"} else not is_glued

    def _is_predicate(self, index: int) -> bool:
        return self.words[index].tag in _PREDICATE_TAGS or bool(self._related(index, "copula"))

    def _is_participle(self, index: int) -> bool:
        """Return whether a verb is a participle; a past one has no object: *they revised it*."""
        relations = ("auxiliary", "copula", "subject")
        if self.words[index].fine == "VBN":
            return not self._related(index, *relations, "object")
        return self.words[index].fine == "VBG" and not self._related(index, *relations)

    def _trim(self, span: range) -> range:
        """Remove punctuation at both ends, and the link to the statement before."""
        while span and not self.is_spoken[span[0]]:
            span = span[1:]
        while span and not self.is_spoken[span[-1]]:
            span = span[:-1]
        if len(span) > 1 and self.words[span[0]].relation in ("coordinator", "marker"):
            return self._trim(span[1:]) if self.lowercase_words[span[0]] in _CONNECTIVES else span
        return span

    def _predicate(self, span: range) -> int | None:
        """Return the first predicate of a span that heads a clause."""
        for index in span:
            word = self.words[index]
            heads_clause = word.head == index or word.relation in _CLAUSE_RELATIONS
            if heads_clause and self._is_predicate(index):
                return index
        return None

    def _subject(self, predicate: int) -> list[int]:
        """Return the subject, perhaps that of the governing clause; empty if unknown."""
        seen_heads: set[int] = set()
        while predicate not in seen_heads:
            seen_heads.add(predicate)
            word = self.words[predicate]
            subjects = self._related(predicate, "subject")
            if word.fine == "VBN" and self._related(predicate, "auxiliary"):
                subjects += [
                    child for child in self._related(predicate, "object") if child < predicate
                ]
            if word.relation == "relative clause":
                subjects = [word.head]
            if subjects:
                return self._noun_phrase(subjects[0])
            predicate = word.head if word.relation in _CLAUSE_RELATIONS else predicate
        return []

    def _noun_phrase(self, head: int) -> list[int]:
        """Return a noun phrase without its clauses and appositions."""
        dependents = self._related(head, *_CLAUSE_RELATIONS - {"conjunct"}, "apposition", "case")
        subtree = self.subtrees[head] - frozenset().union(
            *(self.subtrees[child] for child in dependents)
        )
        indices = [index for index in sorted(subtree) if self.is_spoken[index]]
        return indices if len(indices) <= _MAX_SUBJECT_WORDS else [head]

    def _subject_outside(self, span: range) -> list[int]:
        predicate = self._predicate(span)
        if predicate is None:
            return []
        # The noun before the verb is probably its subject, even if the parser chose another.
        indices_before = [index for index in span if index < min(self._verb_group(predicate))]
        if indices_before and self.words[indices_before[-1]].tag in _NOUN_TAGS:
            return []
        subject = self._subject(predicate)
        return [] if set(subject) & set(span) else subject

    def _verb_group(self, predicate: int) -> list[int]:
        """Return a predicate with its auxiliaries and negations."""
        negations = (
            child
            for child in self.children[predicate]
            if self.lowercase_words[child] in _NEGATION_WORDS
        )
        return sorted({predicate, *self._related(predicate, *_VERB_RELATIONS), *negations})

    def _label(self, span: range) -> str:
        """Write a statement as a separate sentence, as far as the parser allows."""
        predicate = self._predicate(span)
        core = self._without_connective(span, predicate)
        preamble, linking_word = self._preamble(predicate, span, core)
        if set(preamble) & set(span):
            preamble, linking_word = [], ""
        words = self._text_of(core)
        if preamble and self.words[core[0]].tag != "PROPN":
            words = words[:1].lower() + words[1:]
        label = " ".join(filter(None, [*map(self._text_of, _runs(preamble)), linking_word, words]))
        label = label.replace(" , ", ", ")
        return label[:1].upper() + label[1:]

    def _preamble(self, predicate: int | None, span: range, core: range) -> tuple[list[int], str]:
        """Return the words that must precede a statement, and the word that links the two."""
        if predicate is None:
            # The first word whose head is outside the span.
            heads = ((index, self.words[index].head) for index in span)
            top_index = next(
                (index for index, head in heads if head not in span or head == index), 0
            )
            relation = self.words[top_index].relation
            if relation == "apposition":
                linking_verb = "is" if self._related(top_index, "determiner") else ""
                return self._noun_phrase(self.words[top_index].head), linking_verb
            return (self._governing_clause(top_index) if relation == "modifier" else []), ""
        is_participle = self._is_participle(predicate)
        if is_participle and predicate == core[0]:
            noun_index = predicate - 1
            if predicate and self.words[noun_index].tag in _NOUN_TAGS:
                is_plural = self.words[noun_index].fine in ("NNS", "NNPS")
                return self._noun_phrase_up_to(noun_index), "were" if is_plural else "was"
            return self._governing_clause(predicate), ","
        # A clause that begins with such a word is not a sentence: *if it rains*.
        is_dependent = self.lowercase_words[core[0]] in _CONDITION_WORDS | _LINKING_WORDS | {
            "to",
            "for",
            "with",
        }
        if is_dependent or is_participle:
            return self._governing_clause(predicate), ""
        return self._subject_outside(core), ""

    def _without_connective(self, span: range, predicate: int | None) -> range:
        """Remove the word that opens a clause if the rest is a sentence."""
        while len(span) > 1 and self.lowercase_words[span[0]] in _CONNECTIVES:
            span = span[1:]
        subject = [] if predicate is None else self._subject(predicate)
        if (
            subject
            and set(subject) <= set(span[1:])
            and self.lowercase_words[span[0]] in _LINKING_WORDS
        ):
            return span[1:]
        return span

    def _governing_clause(self, index: int) -> list[int]:
        """Return the nearest governing predicate with its subject and object."""
        for _ in self.words:
            index = self.words[index].head
            if self._is_predicate(index) and not self._is_participle(index):
                objects = (child for child in self._related(index, "object") if child > index)
                noun_indices = (
                    noun for child in objects for noun in self._noun_phrase_up_to(child)
                )
                nouns_after = (noun for noun in noun_indices if noun > index)
                return sorted({*self._subject(index), *self._verb_group(index), *nouns_after})
        return []

    def _noun_phrase_up_to(self, head: int) -> list[int]:
        """Return a noun phrase that ends with its head."""
        return [index for index in self._noun_phrase(head) if index <= head]

    def _text_of(self, run: Sequence[int]) -> str:
        if not run:
            return ""
        text = self.text[self.words[run[0]].start : self.words[run[-1]].end]
        return " ".join(text.split())


def _runs(indices: Sequence[int]) -> list[list[int]]:
    """Group consecutive indices."""
    runs: list[list[int]] = []
    for index in indices:
        if runs and index == runs[-1][-1] + 1:
            runs[-1].append(index)
        else:
            runs.append([index])
    return runs
