"""The value `Rouge`, and length limits as in ROUGE-1.5.5, quirks included."""

import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pyramidion.errors import InputError
from pyramidion.questions import Parsable, option
from pyramidion.rouge.counting import UNLIMITED, ModelRule, Variant, parse_variant, weight_text
from pyramidion.text import Tokenizer
from pyramidion.text.encoding import WordFunction
from pyramidion.text.tokens import Stemmer, language_code

if TYPE_CHECKING:
    from pyramidion.rouge.items import TextInput
    from pyramidion.rouge.results import RougeScores


@dataclass(frozen=True, slots=True)
class LengthLimit:
    """A length limit on sentences of bytes: the script truncates first, then tokenizes."""

    size: int
    unit: Literal["words", "bytes"]

    def truncate_flat(self, sentences: Sequence[bytes]) -> list[bytes]:
        """Truncate a text that is read as one sequence of words."""
        if self.unit == "words":
            return self._truncate(
                sentences,
                lambda s: len(_perl_words(s)),
                lambda s, size: b" ".join(_perl_words(s)[:size]),
            )
        return self._truncate(sentences, len, lambda sentence, size: sentence[:size])

    def truncate_sentences(self, sentences: Sequence[bytes]) -> list[bytes]:
        """Truncate a text that is read sentence by sentence, for ROUGE-L and ROUGE-W."""
        if self.unit == "words":
            return self.truncate_flat(sentences)
        # With a limit in bytes, the script does not accumulate the length of sentences.
        cut_lines = []
        for sentence in sentences:
            cut_lines.append(sentence[: self.size])
            if len(sentence) >= self.size:
                break
        return cut_lines

    def _truncate(
        self,
        sentences: Sequence[bytes],
        length: Callable[[bytes], int],
        cut_part: Callable[[bytes, int], bytes],
    ) -> list[bytes]:
        kept_sentences: list[bytes] = []
        size_left = self.size
        for sentence in sentences:
            size = length(sentence)
            if size >= size_left:
                kept_sentences.append(cut_part(sentence, size_left))
                break
            kept_sentences.append(sentence)
            size_left -= size
        return kept_sentences


def _perl_words(sentence: bytes) -> list[bytes]:
    """Split as Perl does: a leading blank yields an empty first word, which counts."""
    split_words = sentence.split()
    return [b"", *split_words] if split_words and sentence[:1].isspace() else split_words


Part = Literal["r", "p", "f"]

SentenceRule = Literal["split", "lines", "whole"]

STEMMERS = ("rouge", "nltk", "snowball")

#: Suffixes of measures: recall, precision and F.
PARTS: tuple[Part, ...] = ("r", "p", "f")


@dataclass(frozen=True, slots=True)
class Rouge(Parsable):
    """A set of ROUGE variants and one way of reading texts.

    It is a value: it compares by its fields, is hashable, and prints as text that `Rouge.parse`
    reads back.

    Parameters
    ----------
    n
        ROUGE-N for each of these n.
    l
        ROUGE-L, summary level (union LCS over sentences).
    w
        ROUGE-W with this weight, at least 1; in exact mode above 0, as in the script.
    s, su
        ROUGE-S and ROUGE-SU with at most this many words in between; negative for no limit.
    stem
        Stem words (``-m``): True for ROUGE-1.5.5's stemmer for English or Snowball's for another
        `language`; ``rouge``, ``nltk`` (as in rouge-score) or ``snowball`` for a specific stemmer;
        or a function from a word to its stem. True is refused if the texts do not look English
        and no `language` is given.
    stop_words
        Remove stop words (``-s``).
    words, bytes
        Truncate peers to this many words or bytes; in exact mode also references, as in the Perl
        script.
    alpha
        Weight of precision in F (``-p``).
    models
        ``average`` sums the counts of all references (``-f A``); ``best`` or ``best-r`` uses the
        reference with the highest recall (``-f B``), ``best-f`` the one with the highest F;
        ``mean`` averages the scores against each, ``jackknife`` those against all but one.
    tokenizer
        ``rouge``, ``unicode`` (words of any script, Chinese and Japanese by character), or a
        function from a text to its words, such as a segmenter. The default is ``rouge`` for
        English, and ``unicode`` for any other `language` or, with a warning, if many letters are
        not ASCII.
    exceptions
        Look up irregular words before stemming; off for installations with an empty table.
    exact
        Reproduce ROUGE-1.5.5 to the digit, quirks included. Otherwise, nothing is rounded before
        the end, averages are sample means, and ROUGE-W's lengths are weighted once.
    sentences
        Sentences for ROUGE-L and ROUGE-W: ``split``, the lines of a text, or the sentences of
        prose on one line; ``lines``, its lines in any case; ``whole``, each text as one sequence.
    language
        Code of the texts' language, such as ``de``.

    Examples
    --------
    >>> rouge = Rouge(n=(1, 2), l=True, su=4, stem=True)
    >>> str(rouge)
    'rouge-1+2+l+su4(stem)'
    >>> Rouge.parse(str(rouge)) == rouge
    True
    >>> rouge.measures[:3]
    ('rouge-1-r', 'rouge-1-p', 'rouge-1-f')
    """

    name: ClassVar[str] = "rouge"
    title: ClassVar[str] = "ROUGE"
    summary: ClassVar[str] = "n-grams, subsequences or skip-bigrams shared with references"
    citation: ClassVar[str] = "Lin 2004"

    n: int | Sequence[int] = (1, 2)
    l: bool = True  # noqa: E741
    w: float | None = None
    s: int | None = None
    su: int | None = None
    stem: bool | str | Stemmer = option(
        False, "stem words, by this stemmer", choices=STEMMERS, functions=True
    )
    stop_words: bool = option(False, "leave stop words out")
    exact: bool = option(False, "ROUGE-1.5.5's numbers to the digit")
    words: int | None = option(None, "truncate summaries to this many words", min=1)
    bytes: int | None = option(None, "truncate summaries to this many bytes", min=1)
    alpha: float = option(0.5, "the weight of precision in F", min=0, max=1)
    models: ModelRule = option("average", "how references are combined")
    tokenizer: Tokenizer | WordFunction | None = option(
        None,
        "how words are found: rouge, or unicode if the texts are in another script",
        choices=("rouge", "unicode"),
        functions=True,
    )
    exceptions: bool = option(True, "look irregular words up before stemming")
    sentences: SentenceRule = option("split", "what ROUGE-L and W treat as sentences")
    language: str | None = option(None, "language code of the texts, such as `de`")

    def __post_init__(self) -> None:
        Parsable.__post_init__(self)
        object.__setattr__(self, "n", tuple(self.n) if isinstance(self.n, Iterable) else (self.n,))
        for problem, hint in self._problems():
            raise InputError(problem, hint=hint)
        if self.tokenizer is None and not self.is_english:
            object.__setattr__(self, "tokenizer", "unicode")
        for gap_field in ("s", "su"):
            if (getattr(self, gap_field) or 0) < 0:
                object.__setattr__(self, gap_field, UNLIMITED)

    def _problems(self) -> Iterator[tuple[str, str]]:
        for name, (is_valid, hint) in _FIELD_RULES.items():
            if not is_valid(getattr(self, name)):
                yield f"{name} is {getattr(self, name)!r}", hint
        if self.w is not None and self.w < 1 and not self.exact:
            problem = f"with a weight w of {self.w!r}, consecutive matches count less than"
            yield f"{problem} separate ones", "give a number of at least 1"
        if self.words is not None and self.bytes is not None:
            yield "words and bytes cannot be combined", "keep one"
        if self.exact and self.tokenizer not in (None, "rouge"):
            yield "exact mode supports only one tokenizer", "use the rouge tokenizer"
        if self.exact and self.stem not in (True, False, "rouge"):
            yield "exact mode supports only one stemmer", "use stem rouge"
        if self.exact and (self.sentences != "split" or self.models in ("best-f", "mean")):
            yield "exact mode reads lines, and sums references or takes the best", "drop `exact`"
        if self.stop_words and not self.is_english:
            yield f"the stop list is English, not {self.language}", "leave stop_words out"
        if not self.variants:
            yield "no variant of ROUGE was chosen", "give n, l, w, s or su"

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The variants in the order of ROUGE-1.5.5's output."""
        n: Any = self.n  # a tuple, even if another sequence was passed
        return _make_variants(n, self.l, self.w, self.s, self.su)

    @property
    def is_english(self) -> bool:
        """Whether the texts are English, according to `language`."""
        return self.language is None or language_code(self.language) == "en"

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures: recall, precision and F of each variant."""
        return measures_of(tuple(variant.measure for variant in self.variants))

    @property
    def limit(self) -> LengthLimit | None:
        """The length limit, if there is one."""
        if self.words is not None:
            return LengthLimit(self.words, "words")
        return LengthLimit(self.bytes, "bytes") if self.bytes is not None else None

    def score(
        self,
        peers: "str | Mapping[Any, TextInput] | Sequence[TextInput]",
        references: "str | Mapping[Any, Sequence[TextInput]]"
        " | Sequence[TextInput | Sequence[TextInput]]",
        *,
        threads: int = 1,
    ) -> "RougeScores":
        """Score peers against references.

        Parameters
        ----------
        peers
            A summary, a list of N, or summaries by id. A summary is a text (its lines are its
            sentences; prose without line breaks is split) or, in a list, a list of sentences.
        references
            A reference or a list of them for one summary; for several, a list of N references or
            lists of references, or such a list per id.
        threads
            Number of threads for the compiled kernels; the scores do not depend on it.

        Examples
        --------
        >>> Rouge(n=(1, 2), stem=True).score(
        ...     {"T1": "Rain flooded roads."}, {"T1": ["The rain floods a road.", "It rained."]}
        ... )["rouge-1-r"].round(4).tolist()
        [0.5714]
        >>> Rouge(n=2).score("rain fell today", "today rain fell")["rouge-2-f"].tolist()
        [0.5]
        """
        from pyramidion.rouge.results import score_texts

        return score_texts(self, peers, references, threads=threads)

    def _call(self) -> str:
        return "rouge-" + "+".join(
            variant.measure.removeprefix("rouge-") for variant in self.variants
        )

    @classmethod
    def read(cls, name: str) -> Mapping[str, Any] | None:
        """Parse names of variants joined with ``+``."""
        if not name.lower().startswith("rouge-"):
            return None
        return _fields_of(map(parse_variant, name[len("rouge-") :].split("+")))

    @classmethod
    def parse(cls, text: str) -> "Rouge":
        """Read what `str` writes.

        Parameters
        ----------
        text
            Names of variants joined with ``+``, options in brackets.

        Examples
        --------
        >>> Rouge.parse("rouge-2(stem,words=100)")
        Rouge(n=(2,), l=False, ..., stem=True, ..., words=100, ...)
        """
        parsed_rouge = cls._read_call(re.sub(r"\s*\+\s*", "+", text))
        if parsed_rouge is None:
            raise InputError(f"{text!r} is not a ROUGE", hint="write it like rouge-1+2+l(stem)")
        return parsed_rouge

    @classmethod
    def of(cls, variants: Iterable[Variant], **options: Any) -> "Rouge":
        """Build a value from variants and options.

        Examples
        --------
        >>> str(Rouge.of((Variant("su", "4"), Variant("n", "1")), stem=True))
        'rouge-1+su4(stem)'
        """
        return cls(**_fields_of(variants), **options)


@lru_cache(maxsize=256)
def _make_variants(
    n: tuple[int, ...], lcs: bool, w: float | None, s: int | None, su: int | None
) -> tuple[Variant, ...]:
    variants = [Variant("n", str(size)) for size in n]
    variants += [Variant("l")] if lcs else []
    variants += [Variant("w", weight_text(w))] if w is not None else []
    variants += [Variant("s", str(s))] if s is not None else []
    variants += [Variant("su", str(su))] if su is not None else []
    return tuple(variants)


@lru_cache(maxsize=256)
def measures_of(variants: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of recall, precision and F of each variant."""
    return tuple(f"{name}-{part}" for name in variants for part in PARTS)


def _fields_of(variants: Iterable[Variant]) -> dict[str, Any]:
    """Return the fields of `Rouge` that select these variants."""
    parameters: dict[str, Any] = {"n": (), "l": False}
    for variant in variants:
        if variant.family == "n":
            parameters["n"] = (*parameters["n"], int(variant.parameter))
        elif variant.family == "l":
            parameters["l"] = True
        elif variant.family == "be":
            hint = "use `pyramidion rouge -3`, or the metric rouge-be-hm"
            raise InputError("basic elements are read from files", hint)
        elif variant.family in parameters:
            hint = "score one after the other"
            raise InputError(f"two variants of ROUGE-{variant.family.upper()} at once", hint)
        else:
            convert = float if variant.family == "w" else int
            parameters[variant.family] = convert(variant.parameter)
    return parameters


def _is_number(value: Any) -> bool:
    is_finite = isinstance(value, int | float) and abs(value) <= sys.float_info.max
    return is_finite and not isinstance(value, bool)


def _is_whole(value: Any, minimum: float = -math.inf) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= minimum


_Rule = tuple[Callable[[Any], bool], str]

_GAP_RULE: _Rule = (
    lambda gap: gap is None or _is_whole(gap),
    "give a whole number, -1 for no limit",
)
#: A check of each field that selects variants, and a hint if it fails.
_FIELD_RULES: Mapping[str, _Rule] = {
    "n": (
        lambda sizes: all(_is_whole(n, 1) for n in sizes) and len(set(sizes)) == len(sizes),
        "give different whole numbers of at least 1",
    ),
    "l": (lambda value: isinstance(value, bool), "give True or False"),
    "w": (lambda w: w is None or (_is_number(w) and w > 0), "give a number above 0"),
    "s": _GAP_RULE,
    "su": _GAP_RULE,
}
