"""Basic Elements: heads and their modifiers, found by a parser."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.errors import MissingExtraError
from pyramidion.metrics.cases import Cases
from pyramidion.metrics.metric import Metric, Need, option, share
from pyramidion.rouge.basic_elements import BasicElement
from pyramidion.text import is_stop_word, stem
from pyramidion.text.parsing import ParsedWord, Parser, load_parser, spacy_is_installed

__all__ = ["BasicElements", "basic_elements", "parsed_elements", "parser_for"]

_CONTENT = ("NOUN", "PROPN", "VERB", "ADJ", "NUM")
_LINKS = ("subject", "object", "modifier", "apposition", "relative clause", "title", "name")


def basic_elements(words: Sequence[ParsedWord]) -> Iterator[BasicElement]:
    """Give the basic elements of a parsed sentence: content words, and those that depend on them.

    A content word alone is an element without a modifier; a content word that depends on
    another (as `RELATIONS` call it) is that word's modifier.

    Parameters
    ----------
    words
        The sentence.

    Examples
    --------
    >>> rain = ParsedWord("Rain", "rain", "NOUN", 1, "subject")
    >>> fell = ParsedWord("fell", "fall", "VERB", 1, "root")
    >>> [(e.head, e.modifier, e.relation) for e in basic_elements([rain, fell])]
    [('fall', 'rain', 'subject'), ('rain', 'nil', 'nil'), ('fall', 'nil', 'nil')]
    """
    for word in words:
        if not _counts(word):
            continue
        head = words[word.head]
        if word.relation in _LINKS and head is not word and _counts(head):
            yield BasicElement(head.lemma, word.lemma, word.relation)
        yield BasicElement(word.lemma, "nil", "nil")


def _counts(word: ParsedWord) -> bool:
    return word.tag in _CONTENT and not is_stop_word(word.lemma)


def parsed_elements(cases: Cases, parser: Parser) -> dict[int, list[BasicElement]]:
    """Give the basic elements of all texts that are compared, by the number of the text.

    Each text is parsed once, whatever asks for it.

    Parameters
    ----------
    cases
        Summaries and references.
    parser
        What finds heads and modifiers.

    Examples
    --------
    >>> cases = Cases.of_texts(["Heavy rain fell."], [["Roads flooded."]])
    >>> parsed_elements(cases, load_parser("light"))[0][0].head
    'rain'
    """
    peers, models, _ = cases.compared
    known: dict[int, list[BasicElement]] = cases.texts.memo(("basic_elements", parser.name), dict)
    used = np.union1d(peers, models).tolist()
    missing = [number for number in used if number not in known]
    rows = [(n, own) for n in missing for own in cases.texts[n] if own.strip()]
    known.update((number, []) for number in missing)
    parsed = parser.parse([sentence for _, sentence in rows])
    for (number, _), words in zip(rows, parsed, strict=True):
        known[number].extend(basic_elements(words))
    return {number: known[number] for number in used}


def parser_for(metric: Metric, pipeline: str) -> Parser:
    """Load a metric's parser; the light one must be asked for.

    The same name of a metric must mean the same parser everywhere.

    Parameters
    ----------
    metric
        Who needs it.
    pipeline
        Its name, see `load_parser`.

    Examples
    --------
    >>> parser_for(BasicElements(), "light").name
    'light'
    """
    if not pipeline and not spacy_is_installed():
        raise MissingExtraError(f"{metric} (other than with pipeline=light)", extra="nlp")
    return load_parser(pipeline)


@dataclass(frozen=True, slots=True)
class BasicElements(Metric):
    r"""The share of the references' basic elements that a summary expresses.

    An element is a content word with a content word that depends on it, or a content word alone
    (`basic_elements`). Each different element of a reference weighs 1, and those of all
    references are added up, so that one that several references have counts several times. As in
    BEwT-E, elements match after transformations: words become lemmas and (``stem``) stems, so
    that a noun meets its verb; the parts of a name are elements of their own, so that a last
    name meets the full one; a passive subject is an object; relations are compared only if
    ``relations`` is on, so that *the mayor's arrest* meets *the mayor was arrested*.

    References
    ----------
    Hovy, Lin, Zhou and Fukumoto (2006). Automated summarization evaluation with basic elements.
    LREC. Tratz and Hovy (2008). Summarization evaluation using transformed basic elements. TAC.

    Examples
    --------
    >>> str(BasicElements(pipeline="en_core_web_sm"))
    'basic-elements(pipeline=en_core_web_sm)'
    """

    name: ClassVar[str] = "basic-elements"
    title: ClassVar[str] = "Basic Elements"
    summary: ClassVar[str] = "share of the references' heads and modifiers, found by a parser"
    citation: ClassVar[str] = "Hovy et al. 2006"
    needs: ClassVar[frozenset[Need]] = frozenset({"references", "parser"})

    pipeline: str = option("", "light, or a spaCy pipeline's name or folder; our own by default")
    relations: bool = option(False, "compare relations too")
    stem: bool = option(True, "compare stems where lemmas differ")
    single: bool = option(True, "count content words on their own too")

    def require_installed(self) -> None:
        """Refuse to begin where there is no parser."""
        self._parser()

    def statistics(self, cases: Cases) -> Floats:
        """Give the elements that are shared, and all of the references'."""
        return self.compared(cases, self._parser())

    def _parser(self) -> Parser:
        return parser_for(self, self.pipeline)

    def compared(self, cases: Cases, parser: Parser) -> Floats:
        """Compare with the elements that a parser finds.

        Parameters
        ----------
        cases
            Summaries and references.
        parser
            What finds heads and modifiers.
        """
        peers, models, places = cases.compared
        found = parsed_elements(cases, parser)
        units = {number: self._units(elements) for number, elements in found.items()}
        pairs = zip(peers.tolist(), models.tolist(), strict=True)
        counts = [(len(units[p] & units[m]), len(units[m])) for p, m in pairs]
        table = np.array(counts, dtype=np.float64).reshape(-1, 2)[places]
        rows, _ = cases.pairs
        sums = [np.bincount(rows, weights=column, minlength=len(cases)) for column in table.T]
        return np.stack(sums, axis=1)

    def score(self, statistics: Floats) -> Floats:
        """Divide."""
        return share(statistics[..., 0], statistics[..., 1])

    def _units(self, elements: Sequence[BasicElement]) -> frozenset[tuple[str, ...]]:
        return frozenset(
            self._unit(element) for element in elements if self.single or element.modifier != "nil"
        )

    def _unit(self, element: BasicElement) -> tuple[str, ...]:
        head, modifier = (
            stem(word) if self.stem else word for word in (element.head, element.modifier)
        )
        return (head, modifier, element.relation) if self.relations else (head, modifier)
