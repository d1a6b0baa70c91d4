"""Basic Elements and ROUGE-BE."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.errors import InputError, MissingExtraError
from pyramidion.metrics._cases import ScoringBatch
from pyramidion.metrics._metric import Metric, Need, RatioMetric
from pyramidion.metrics._rouge import against_option
from pyramidion.questions import option
from pyramidion.rouge._basic_elements import BasicElement, count_basic_elements, stem_element
from pyramidion.rouge._rouge import PARTS
from pyramidion.rouge.counting import BE_MODES, Counts, Pairs, score_counts
from pyramidion.text import is_stop_word, load_parser, stem
from pyramidion.text.parsing import ParsedWord, Parser, spacy_is_installed

_CONTENT_TAGS = ("NOUN", "PROPN", "VERB", "ADJ", "NUM")
_LINKING_RELATIONS = (
    "subject",
    "object",
    "modifier",
    "apposition",
    "relative clause",
    "title",
    "name",
)


def basic_elements(words: Sequence[ParsedWord]) -> Iterator[BasicElement]:
    """Return the basic elements of a parsed sentence: content words and their dependents."""
    is_content = [word.tag in _CONTENT_TAGS and not is_stop_word(word.lemma) for word in words]
    for index, word in enumerate(words):
        if is_content[index]:
            if word.relation in _LINKING_RELATIONS and word.head != index and is_content[word.head]:
                yield BasicElement(words[word.head].lemma, word.lemma, word.relation)
            yield BasicElement(word.lemma, "nil", "nil")


def parse_elements(cases: ScoringBatch, parser: Parser) -> dict[int, list[BasicElement]]:
    """Return the basic elements of all compared texts, by number; each is parsed once."""
    peers, models, _ = cases.compared
    elements: dict[int, list[BasicElement]]
    elements = cases.texts.memo(("basic_elements", parser.name), dict)
    text_numbers = np.union1d(peers, models).tolist()
    new_numbers = [number for number in text_numbers if number not in elements]
    rows = [
        (text_number, sentence)
        for text_number in new_numbers
        for sentence in cases.texts[text_number]
        if sentence.strip()
    ]
    elements.update((number, []) for number in new_numbers)
    parsed_sentences = parser.parse([sentence for _, sentence in rows])
    for (number, _), words in zip(rows, parsed_sentences, strict=True):
        elements[number].extend(basic_elements(words))
    return {number: elements[number] for number in text_numbers}


def parser_for(metric: Metric, pipeline: str) -> Parser:
    """Load a metric's parser; the light one only on request, so that a name means one parser."""
    if not pipeline and not spacy_is_installed():
        raise MissingExtraError(f"{metric} (other than with pipeline=light)", extra="nlp")
    return load_parser(pipeline)


@dataclass(frozen=True, slots=True)
class BasicElements(RatioMetric):
    r"""The share of the references' basic elements that a summary expresses.

    An element is a content word, or a content word with another that depends on it. Each distinct
    element of a reference weighs 1; one that several references share counts several times. As in
    BEwT-E, elements match after transformations: words become lemmas and (``stem``) stems, so a
    noun matches its verb; the parts of a name are separate elements, so a last name matches the
    full name; a passive subject is an object; relations are compared only with ``relations``, so
    *the mayor's arrest* matches *the mayor was arrested*.

    Source: Hovy, Lin, Zhou and Fukumoto (2006). Automated summarization evaluation with basic
    elements. LREC. Tratz and Hovy (2008). Summarization evaluation using transformed basic
    elements. TAC.
    """

    name: ClassVar[str] = "basic-elements"
    title: ClassVar[str] = "Basic Elements"
    summary: ClassVar[str] = "share of the references' heads and modifiers, found by a parser"
    bounds: ClassVar[str] = "0 to 1"
    confuses: ClassVar[str] = "affected by length"
    citation: ClassVar[str] = "Hovy et al. 2006"
    ascii_only: ClassVar[bool] = True
    needs: ClassVar[frozenset[Need]] = frozenset({"references", "parser"})

    pipeline: str = option("", "light, or name or folder of a spaCy pipeline; built-in by default")
    relations: bool = option(False, "also compare relations")
    stem: bool = option(True, "compare stems where lemmas differ")
    single: bool = option(True, "also count single content words")

    def require_installed(self) -> None:
        """Raise an error if there is no parser."""
        parser_for(self, self.pipeline)

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Count the shared elements, and all elements of the references."""
        peers, models, indices = cases.compared
        elements_by_text = parse_elements(cases, parser_for(self, self.pipeline))
        units = {number: self._units(elements) for number, elements in elements_by_text.items()}
        pairs = zip(peers.tolist(), models.tolist(), strict=True)
        counts = [(len(units[peer] & units[model]), len(units[model])) for peer, model in pairs]
        table = np.array(counts, dtype=np.float64).reshape(-1, 2)[indices]
        return np.stack([cases.sum_over_references(column) for column in table.T], axis=1)

    def _units(self, elements: Sequence[BasicElement]) -> set[tuple[str, ...]]:
        units: set[tuple[str, ...]] = set()
        for element in elements:
            if self.single or element.modifier != "nil":
                words = (element.head, element.modifier)
                words = (stem(element.head), stem(element.modifier)) if self.stem else words
                units.add((*words, element.relation) if self.relations else words)
        return units


_NAME_PATTERN = re.compile(
    r"(?:rouge-?)?be-(?P<mode>[a-z]+\d?)(?:-(?P<part>[rpf]))?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class RougeBasicElements(Metric):
    """Recall, precision or F of the basic elements a summary shares with its references.

    An element is a head, its modifier and their relation. The mode, part of the name, selects what
    is compared, as in ROUGE-1.5.5: ``H``, ``HM``, ``HMR``, ``HM1``, ``HMR1``, ``HMR2``;
    ``rouge-be-hm-r`` is recall and a bare ``rouge-be-hm`` means F. As in all of ROUGE, an element
    that occurs twice counts twice, and counts are summed over references. ``pyramidion rouge -3``
    reads elements from files instead.

    Source: Hovy, Lin, Zhou and Fukumoto (2006). Automated summarization evaluation with basic
    elements. LREC. Lin (2004). ROUGE: a package for automatic evaluation of summaries.
    """

    name: ClassVar[str] = "rouge-be"
    title: ClassVar[str] = "ROUGE-BE"
    summary: ClassVar[str] = "heads and modifiers shared with references, found by a parser"
    bounds: ClassVar[str] = "0 to 1"
    confuses: ClassVar[str] = "affected by length: recall increases with it, precision decreases"
    citation: ClassVar[str] = "Hovy et al. 2006"
    ascii_only: ClassVar[bool] = True
    needs: ClassVar[frozenset[Need]] = frozenset({"references", "parser"})
    members: ClassVar[tuple[str, ...]] = tuple(f"rouge-be-{mode.lower()}" for mode in BE_MODES)

    measure: str = option("rouge-be-hm-f", "the mode, and recall, precision or F")
    pipeline: str = option("", "light, or name or folder of a spaCy pipeline; built-in by default")
    stem: bool = option(False, "stem heads and modifiers, which are lemmas")
    alpha: float = option(0.5, "the weight of precision in F", min=0, max=1)
    against: str = against_option()

    def __post_init__(self) -> None:
        Metric.__post_init__(self)
        mode, part = _split_name(self.measure)
        object.__setattr__(self, "measure", f"rouge-be-{mode.lower()}-{part}")

    @classmethod
    def read(cls, name: str) -> Mapping[str, Any] | None:
        """Parse the name of a mode."""
        return {"measure": name} if _NAME_PATTERN.fullmatch(name) else None

    def _call(self) -> str:
        return self.measure

    def require_installed(self) -> None:
        """Raise an error if there is no parser."""
        parser_for(self, self.pipeline)

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Count the elements of the references, of the summary, and shared ones."""
        cases = cases.against(self.against)
        peers, models, indices = cases.compared
        elements = parse_elements(cases, parser_for(self, self.pipeline))
        if self.stem:
            elements = {
                number: list(map(stem_element, sentence_elements))
                for number, sentence_elements in elements.items()
            }
        pairs = Pairs(peers, models, np.arange(len(peers)))
        counts = count_basic_elements(elements, pairs, _split_name(self.measure)[0])
        sums = [cases.sum_over_references(column[indices]) for column in counts.parts]
        table = np.stack(sums, axis=1).astype(np.float64)
        table[cases.references.sizes == 0] = np.nan
        return table

    def score(self, statistics: Floats) -> Floats:
        """Return recall, precision or F."""
        rows = statistics.reshape(-1, 3)
        element_scores = score_counts(Counts(*np.nan_to_num(rows).T), alpha=self.alpha)
        values = element_scores[PARTS.index(_split_name(self.measure)[1])]
        return np.where(np.isnan(rows[:, 0]), np.nan, values).reshape(statistics.shape[:-1])


def _split_name(name: str) -> tuple[str, str]:
    """Split a name into mode and part (F by default)."""
    match = _NAME_PATTERN.fullmatch(name)
    mode, part = (match["mode"].upper(), match["part"] or "f") if match else (name, "f")
    if mode not in BE_MODES:
        hint = f"try {', '.join(RougeBasicElements.members)}"
        raise InputError(f"{name!r} is not a mode of ROUGE-BE", hint=hint)
    return mode, part.lower()
