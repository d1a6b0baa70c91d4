r"""Traces that programs leave in texts: markup, special tokens, errors, prompts, wrong encodings.

`TRACES` is the list. A trace is searched with a regular expression, but only in texts that contain
one of its guards, so that sound texts cost next to nothing.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from pyramidion._types import Bools
from pyramidion.checks._gathered import evenly_spaced
from pyramidion.checks._thresholds import (
    ANY_SHARE,
    FIRST_SAMPLE_SIZE,
    RARE_SHARE,
    STYLE_SHARE,
    UNUSUAL_SHARE,
    USUAL_SHARE,
)
from pyramidion.collection.findings import Severity
from pyramidion.text import traces

_METRICS_EFFECT = "metrics count it as words of the summary"
_LOW_SCORE_EFFECT = "the system scores less than it should"


@dataclass(frozen=True, slots=True)
class Trace:
    """Something that programs leave in texts.

    Parameters
    ----------
    kind, message, effect, severity
        As in a `Finding`; the message follows "N of M summaries".
    test
        Whether a text has the trace.
    guards
        Strings, one of which occurs in every text that has the trace; none: every text is tested.
    longest, head
        Longer texts are not tested; only this many of their first characters are.
    share
        The minimum share of a system's summaries; a smaller share may be a coincidence.
    folded
        Whether the text is tested in lower case.
    only_beside
        Whether references are needed to tell it from a style.
    """

    kind: str
    message: str
    test: Callable[[str], object]
    guards: tuple[str, ...] = ()
    share: float = RARE_SHARE
    severity: Severity = "warning"
    effect: str = _METRICS_EFFECT
    folded: bool = False
    only_beside: bool = False
    longest: int = 0
    head: int = 0

    def find(
        self, texts: Sequence[str], lowercase_texts: Sequence[str], joined_texts: tuple[str, str]
    ) -> Bools:
        """Return which texts have the trace; `joined_texts` are all as one, plain and lowered."""
        searched_texts, all_texts = (
            (lowercase_texts, joined_texts[1]) if self.folded else (texts, joined_texts[0])
        )
        marks = np.zeros(len(texts), dtype=bool)
        # Single characters are found ten times as fast.
        guards = [guard for guard in self.guards if guard[0] in all_texts and guard in all_texts]
        if self.guards and not guards:
            return marks
        tests_all = bool(self.guards) or bool(self.longest) or not self.share
        if not (tests_all or self._is_frequent_in_sample(searched_texts)):
            return marks
        for index in self._candidates(searched_texts, guards):
            marks[index] = bool(self.test(searched_texts[index][: self.head or None]))
        return marks

    def _is_frequent_in_sample(self, texts: Sequence[str]) -> bool:
        """Return whether a sample of many texts has enough of it to look for it in all texts."""
        sample = evenly_spaced(texts, FIRST_SAMPLE_SIZE)
        if len(sample) == len(texts):
            return True
        number = sum(bool(self.test(text[: self.head or None])) for text in sample)
        return 4 * number >= self.share * len(sample)

    def _candidates(self, texts: Sequence[str], guards: Sequence[str]) -> Iterable[int]:
        if self.longest:
            return [index for index, text in enumerate(texts) if len(text) <= self.longest]
        if not guards:
            return range(len(texts))
        indices = ([index for index, text in enumerate(texts) if guard in text] for guard in guards)
        return sorted({*chain.from_iterable(indices)})

    def example(self, text: str) -> str:
        """Quote the trace in a text."""
        match = self.test(text.lower() if self.folded else text)
        start, end = match.span() if isinstance(match, re.Match) else (0, 40)
        quoted_text = " ".join(text[start:end].split())
        return repr(quoted_text if len(quoted_text) <= 40 else f"{quoted_text[:37]}...")


TRACES = (
    Trace(
        "special tokens", "contain special tokens of a model, such as {}; decode without them",
        traces.SPECIAL, ("<", "[", "▁", "@@", "Ġ", "Ċ", "##", "|||"), ANY_SHARE, "severe",
    ),
    Trace(
        "unknown words", "contain placeholders such as {}; decode with the model's own tokenizer",
        traces.search_function(r"<unk>|\bUNK\b|-[LR][RSC]B-|@?\bentity\d+\b|\[(?:MASK|NAME|NUM)\]"),
        ("unk", "UNK", "B-", "entity", "["), USUAL_SHARE,
    ),
    Trace(
        "hyphenated words", "have words hyphenated at the ends of lines, such as {}; join them",
        traces.search_function(r"[a-z]+-\n[a-z]+"), ("-\n",), UNUSUAL_SHARE,
        effect="halves of words match nothing",
    ),
    Trace("markup", "contain markup such as {}; remove it", traces.HTML, ("<",)),
    Trace("entities", "contain entities such as {}; decode them", traces.ENTITY, ("&",)),
    Trace(
        "Markdown", "contain Markdown such as {}; remove it", traces.MARKDOWN,
        ("**", "#", "```", "](", "|", "__"), UNUSUAL_SHARE, only_beside=True,
    ),
    Trace(
        "lists", "are bulleted lists, unlike the references", traces.BULLETS, ("\n",), USUAL_SHARE,
        "note", only_beside=True,
    ),
    Trace(
        "escaped characters", "contain codes for characters, such as {}; decode them",
        traces.ESCAPED, ("\\", "%20", "+"),
    ),
    Trace(
        "wrong encoding", "contain wrongly decoded characters such as {}; read the file as UTF-8",
        traces.MOJIBAKE, tuple("ÃâÂï\ufffdÐÑãäåæç?"), RARE_SHARE, "severe",
        "damaged words match nothing",
    ),
    Trace(
        "invisible characters", "contain control or zero-width characters such as {}; remove them",
        traces.search_function(f"[{traces.INVISIBLE}]"), tuple(traces.INVISIBLE), RARE_SHARE,
        "note",
    ),
    Trace(
        "decomposed letters", "encode letters and accents separately, as in {}; "
        "normalize them (NFC)",
        traces.search_function(rf"\w*[{traces.ACCENTS}]\w*"), tuple(traces.ACCENTS),
        effect="accented words match nothing",
    ),
    Trace(
        "error in place of a summary", "are error messages, such as {}; run these again",
        traces.CRASH,
        traces.CRASH_GUARDS, ANY_SHARE, "severe", "a failed run counts as a bad summary",
        folded=True,
    ),
    Trace(
        "nothing in place of a summary", "say only {}; is the output missing?", traces.NOTHING, (),
        ANY_SHARE, "severe", "a missing summary counts as a bad one", folded=True, longest=60,
    ),
    Trace(
        "refusal in place of a summary", "are refusals, such as {}; ask again, or exclude them",
        traces.REFUSAL, traces.REFUSAL_GUARDS, ANY_SHARE, "severe",
        "a refusal counts as a bad summary",
        folded=True, head=200,
    ),
    Trace(
        "chat phrases", "begin with phrases addressed to a user, such as {}; remove them",
        traces.CHAT, folded=True, only_beside=True, head=150,
    ),
    Trace(
        "remarks to a user", "contain remarks addressed to a user, such as {}; remove them",
        traces.ASIDE, ("i hope this", "let me know", "would you like me"), folded=True,
        only_beside=True,
    ),
    Trace(
        "label before the text", "begin with a label, such as {}; remove it", traces.LABEL,
        folded=True, head=30, share=UNUSUAL_SHARE,
    ),
    Trace(
        "prompt in the summary", "contain a prompt, such as {}; keep the output only",
        traces.PROMPT, ("summar", "tl;dr", "tldr", "##", "\n", "you are a"), RARE_SHARE, "severe",
        folded=True,
    ),
    Trace(
        "code in place of text", "are written as code, such as {}; extract the text",
        traces.CODE,
    ),
    Trace(
        "names in place of text", "are a number, id or path, such as {}; is it another column?",
        traces.ID, (), RARE_SHARE, "severe", _LOW_SCORE_EFFECT, longest=80,
    ),
    Trace(
        "numbers in place of text", "are numbers such as {}; are these token ids? Decode them",
        traces.NUMBERS, (), RARE_SHARE, "severe", _LOW_SCORE_EFFECT,
    ),
    Trace(
        "summary without words", "have no letters or digits, such as {}; is the text missing?",
        traces.has_no_words, (), RARE_SHARE, "severe", "it scores 0",
    ),
    Trace(
        "citation marks", "contain citation marks such as {}, unlike the references; remove them",
        traces.search_function(r"\[\d{1,3}(?:, ?\d{1,3})*\]"), ("[",), USUAL_SHARE, "note",
        only_beside=True,
    ),
    Trace(
        "letters in one character", "contain letters joined in one character, as in {}; "
        "normalize them (NFKC)",
        traces.search_function(r"\w*[\ufb00-\ufb06]\w*"), tuple(map(chr, range(0xFB00, 0xFB07))),
        effect="these words match nothing",
    ),
    Trace(
        "letters in reverse order", "are written backward, as in {}; reverse them",
        traces.search_function(r"\b(?:eht|dna|taht|htiw)\b.*\b(?:eht|dna|taht|htiw)\b"),
        ("eht", "dna", "taht", "htiw"), RARE_SHARE, "severe", "no word matches", folded=True,
    ),
    Trace(
        "doubled sentences", "contain a sentence twice in a row, such as {}; keep it once",
        traces.has_doubled_sentences, (), UNUSUAL_SHARE, effect="precision falls",
    ),
    Trace(
        "doubled text", "contain their text twice, such as {}; keep it once", traces.is_doubled,
        effect="precision falls, and lengths double",
    ),
    Trace(
        "phrase repeated in a loop", "repeat a phrase again and again, such as {}",
        traces.is_looping, (), RARE_SHARE, "severe", "precision falls, and lengths grow",
    ),
    Trace(
        "missing spaces", "lack the spaces between words, as in {}; decode them again",
        traces.lacks_spaces, (), RARE_SHARE, "severe",
        "words that are glued together match nothing",
    ),
    Trace(
        "letters apart", "are letters separated by spaces, as in {}; was a text read as a list?",
        traces.has_spaced_letters, (), RARE_SHARE, "severe", "letters match no words",
    ),
    Trace(
        "sentences run together", "lack spaces between sentences, as in {}",
        traces.lacks_sentence_spaces, (), USUAL_SHARE, "note",
        "the joined words match nothing",
    ),
)  # fmt: skip

#: Ways of writing that are usual among systems, too: they matter where few are compared.
NATURAL = frozenset({"lower case", "tokenized text"})

#: Ways of writing that matter where they differ from those of the references.
STYLES = (
    Trace(
        "lower case", "have no capitals, unlike the references", str.islower, (), STYLE_SHARE,
        "note",
        "metrics that respect case score it lower",
    ),
    Trace(
        "capitals", "are in capitals, unlike the references", str.isupper, (), STYLE_SHARE, "note",
        "metrics that respect case score it lower",
    ),
    Trace(
        "tokenized text", "have spaces before punctuation marks, unlike the references",
        traces.is_tokenized, (), STYLE_SHARE, "note",
        "metrics that respect punctuation score it lower",
    ),
    Trace(
        "questions", "are questions, but the references are not; is it another column?",
        traces.search_function(r"\?\s*$"), ("?",), USUAL_SHARE,
        effect=_LOW_SCORE_EFFECT,
    ),
    Trace(
        "quotation marks around", "are in quotation marks, unlike the references",
        traces.search_function(r"^\s*[\"“].*[\"”]\s*$", flags=re.DOTALL), ("\"", "“"), STYLE_SHARE,
        "note",
    ),
)  # fmt: skip
