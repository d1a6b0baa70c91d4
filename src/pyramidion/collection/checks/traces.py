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
from pyramidion.collection.checks.finding import Severity
from pyramidion.collection.checks.thresholds import ANY, ODD, RARE, STYLE, USUAL

_METRICS = "metrics count it as words of the summary"
_LOWERS = "the system scores less than it should"


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
        Longer texts are not tested; only so many first characters are.
    share
        The least share of a system's summaries; less than that may be a coincidence.
    folded
        Whether the text is tested in lower case.
    only_beside
        Whether references are needed to tell it from a style.
    """

    kind: str
    message: str
    test: Callable[[str], object]
    guards: tuple[str, ...] = ()
    share: float = RARE
    severity: Severity = "warning"
    effect: str = _METRICS
    folded: bool = False
    only_beside: bool = False
    longest: int = 0
    head: int = 0

    def find(self, texts: Sequence[str], lowered: Sequence[str], joined: tuple[str, str]) -> Bools:
        """Return which texts have the trace; `joined` are all texts as one, plain and lowered."""
        used, whole = (lowered, joined[1]) if self.folded else (texts, joined[0])
        marks = np.zeros(len(texts), dtype=bool)
        guards = [guard for guard in self.guards if guard in whole]
        if self.guards and not guards:
            return marks
        for index in self._suspects(used, guards):
            marks[index] = bool(self.test(used[index][: self.head or None]))
        return marks

    def _suspects(self, texts: Sequence[str], guards: Sequence[str]) -> Iterable[int]:
        if self.longest:
            return [index for index, text in enumerate(texts) if len(text) <= self.longest]
        if not guards:
            return range(len(texts))
        indices = ([i for i, text in enumerate(texts) if guard in text] for guard in guards)
        return sorted({*chain.from_iterable(indices)})

    def example(self, text: str) -> str:
        """Quote the trace in a text."""
        match = self.test(text.lower() if self.folded else text)
        start, end = match.span() if isinstance(match, re.Match) else (0, 40)
        quoted = " ".join(text[start:end].split())
        return repr(quoted if len(quoted) <= 40 else f"{quoted[:37]}...")


def _search(*patterns: str, flags: int = 0) -> Callable[[str], object]:
    return re.compile("|".join(patterns), flags).search


_TAGS = (
    "p|br|b|i|u|em|strong|div|span|ul|ol|li|h[1-6]|a|table|tr|td|html|body|head|title|img|font|sup"
    "|sub|text|doc|document|article|summary|sent|sentence|think|answer|output|t"
)
_SPECIAL = _search(
    r"</?s>|<(?:pad|eos|bos|sep|cls|mask|n|q|newline|extra_id_\d+|EOS|BOS|PAD|endoftext)>",
    r"<\|[^|<>]{1,30}\|>|\[(?:SEP|CLS|PAD|MASK|BOS|EOS|/?INST|X_SEP)\]|<0x[0-9A-F]{2}>",
    r"▁|\w@@(?: |$)|Ġ|Ċ|(?:^| )##[a-z]|\|\|\|",
)
_HTML = _search(
    rf"<(?:{_TAGS})(?:\s[^<>]*=[^<>]*)?\s*/?>|</(?:{_TAGS})>", r"<!\[CDATA|<\?xml|<!--",
    flags=re.IGNORECASE,
)  # fmt: skip
_ENTITY = _search(
    r"&(?:amp|lt|gt|quot|apos|nbsp|[mn]dash|[lr][sd]quo|hellip|[a-z]acute);",
    r"&#(?:\d{2,5}|x[0-9a-fA-F]{2,4});",
)
_MARKDOWN = _search(
    r"\*\*[^*\s][^*\n]*\*\*|(?:^|\n)#{1,6} [^\W\d_]|```|\[[^\]\n]+\]\(https?:",
    r"(?:^|\n)\|.*\|\s*\n\||__[A-Z][^_\n]+__",
)
_BULLETS = _search(r"(?:^|\n)\s*(?:[-*•▪–]|\d{1,2}[.)]) .*\n\s*(?:[-*•▪–]|\d{1,2}[.)]) ")
_ESCAPED = _search(
    # A line break before a small letter, but no command of LaTeX.
    r"\\[nrt](?![a-z])|(?:(?<=[^\s\\(${])|(?<=[.!?] ))\\n(?!eq|abla|u\b|e\b|ot|ew|or)",
    r"\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[\"']|%20\w|\+\w+\+\w+\+\w+\+",
)
_MOJIBAKE = _search(
    r"Ã[^A-Za-zÀ-Ý]|â€.?|Â[^A-Za-zÀ-Ý]|ï»¿|ï¿½|\ufffd|(?:[ÐÑ][^A-Za-z\s]){2}",
    r"[ãäåæç][\x80-\xbf]|[a-z]\?[a-z]+ .*[a-z]\?[a-z]",
)
_CONTROLS = "".join(map(chr, (*range(9), 0x0B, *range(0x0E, 0x20), 0x7F)))
_INVISIBLE = _CONTROLS + "\u200b\u200e\u200f\u2060\ufeff"
_ACCENTS = "".join(map(chr, (*range(0x300, 0x309), 0x30A, 0x30C, 0x327)))
_CRASH = _search(
    r"cuda (?:error|out of memory)|traceback \(most recent|\b[a-z]*(?:error|exception): |^error\b",
    r"error code: ?\d|\brate ?limit(?:ed)? (?:reached|exceeded|error)|exceeded your current quota",
    r"internal server error|bad gateway|connection (?:reset|refused|timed out|aborted)",
    r"(?:request|read) timed out|maximum context length|segmentation fault|http error|core dumped",
    r"status code \d\d\d|http/1\.1 \d\d\d|\[error\]|service unavailable|too many requests",
    r"out of memory",
)
_CRASH_GUARDS = (
    "error", "memory", "traceback", "exception", "limit", "quota", "gateway", "connection",
    "timed out", "context length", "fault", "status code", "http/", "unavailable", "too many",
    "dumped",
)  # fmt: skip
_NOTHING = _search(
    r"^\W*(?:none|nan|null|nil|n/?a|undefined|error|failed|failure|missing|todo|tbd|empty|unknown",
    r"test|true|false|inf|timeout|summary|text|output|prediction|generated[_ ]summary|empty string",
    r"placeholder|lorem ipsum.*|ref!|value!|deleted|removed|object object|no (?:summary|output",
    r"response|answer|text|content|data|result)s?(?: (?:available|generated|found|returned))?)\W*$",
)
_REFUSAL = _search(
    r"^\W*(?:i['’]?m (?:very )?sorry|i am (?:very )?sorry|sorry|i apologi[sz]e|my apologies",
    r"unfortunately|i can(?:not|['’]t)|i['’]?m (?:unable|not able)|i am (?:unable|not able)",
    r"there is no (?:text|article|document)|please provide|no (?:text|article|document) (?:was|is))"
    r"\b.{0,120}\b(?:can(?:not|['’]t)|unable|not able|access|provided?|summari[sz]e|summary|assist",
    r"help|fulfill|article|document)\b",
    r"\bas an ai\b|\bas a (?:large )?language model",
)
_CHAT = _search(
    r"^\W*(?:sure|certainly|of course|absolutely|okay|got it|great question)\b[!,.:]*\s+(?:here",
    r"i\b|let|the following|below)",
    r"^\W*(?:here(?:['’]s| is| are)|below (?:is|are)|the following is)(?: an?| the| your| my)?\b"
    r"[^.\n]{0,90}?\b(?:summar(?:y|ies)|overview|headlines?|bullet points?|key points|abstract)\b",
)
_ASIDE = _search(
    r"\bi hope this (?:summary )?helps",
    r"\blet me know if (?:you|i|there)|\bwould you like me to\b",
)
_LABEL = _search(
    r"^\W*(?:article|document|text|passage|input|context|instructions?|prompt|source|summary",
    r"tl;?dr|answer|output|response|headline|abstract|assistant|user|human|system)\s*:(?!//)",
    r"^\W*(?:info|debug|warn(?:ing)?)\b[\]: ]|^\W*\d{4}-\d\d-\d\d[t ]\d\d:\d\d",
)
_PROMPT = _search(
    r"summari[sz]e (?:the )?(?:following|text|article|document|passage|above|this)\b",
    r"\b(?:write|provide|generate|give) (?:me )?an? (?:\w+[ -]){0,3}summary (?:of|for)\b",
    r"#{2,} ?(?:instruction|response|input|summary|article|assistant|user)\b",
    r"\n\s*(?:user|assistant|human|system|summary|article)\s*:\s|\byou are a helpful|tl;?dr\s*:",
    r"\byou are an? (?:expert|ai)\b",
)
_CODE = _search(
    r"^\s*(?:\[\s*(?:'.*'|\".*\")\s*,?\s*\]|\(\s*(?:'.*'|\".*\")\s*,?\s*\)|b(?:'.*'|\".*\")",
    r"\{\s*['\"]\w+['\"]\s*:.*\}|\[\{.*\}\]|<[\w.]+ object at 0x[0-9a-f]+>",
    r"(?:tensor|array|Document|AIMessage|Summary|Series|dict|list)\(.*\))\s*$",
    flags=re.DOTALL,
)
_ID = _search(
    r"^\s*(?:[-+]?\d[\d.,:\s-]*|[0-9a-f]{8,}|[0-9a-f]{8}-[0-9a-f-]{27}|[^\s/\\<]*[/\\]\S*",
    r"https?://\S+|\S+\.(?:txt|jsonl?|csv|html?|xml|pdf|out|sum)|[a-z]+[-_]?\d+|\w{1,2}",
    r"[\[(]\d+(?:[,\s]+\d+)*[\])])\s*$",
    flags=re.IGNORECASE,
)


def is_doubled(text: str) -> bool:
    """Return whether the second half of a text repeats the first."""
    text = text.strip()
    half = len(text) // 2
    if half < 25 or text[:12] not in text[half - 2 : half + 30]:
        return False
    middle = text.index(text[:12], half - 2)
    return text[:middle].split() == text[middle:].split()


def is_looping(text: str) -> bool:
    """Return whether a text repeats a phrase again and again, as a decoder in a loop does."""
    words = text.split()
    if len(words) < 12 or 5 * len(set(words)) > 3 * len(words):
        return False
    for period in range(1, 9):
        run = 0
        for earlier, word in zip(words, words[period:], strict=False):
            run = run + 1 if word == earlier else 0
            if run >= max(8, 3 * period):
                return True
    return False


_SPACED_MARKS = (" , ", " . ", " n't", "`` ", "-LRB-", " 's ")


def is_tokenized(text: str) -> bool:
    """Return whether punctuation marks stand apart, as a tokenizer writes them."""
    return any(mark in text for mark in _SPACED_MARKS) or text.endswith(" .")


def is_glued(text: str) -> bool:
    """Return whether spaces between words are missing."""
    if len(text) < 30 or len(text) < 14 * (text.count(" ") + text.count("\n") + 1):
        return False
    # Not in scripts without spaces.
    return len(text.encode()) < 1.2 * len(text) and sum(map(str.isalpha, text)) > 0.7 * len(text)


def is_spread(text: str) -> bool:
    """Return whether letters are separated by spaces."""
    if not text.count(" ") > 0.4 * len(text) > 8:
        return False
    words = text.split()
    return sum(map(len, words)) < 1.5 * len(words)


def has_no_words(text: str) -> bool:
    """Return whether a text that is not empty has neither letters nor digits."""
    start = text.lstrip()[:1]
    if not start or start.isalnum():
        return False
    return not any(map(str.isalnum, re.sub(r"<[^<>]*>|&\w+;|\\[nrt]", "", text)))


_SEAM = re.compile(r"[a-z]{2}[.!?][A-Z][a-z]")

TRACES = (
    Trace(
        "special tokens", "contain special tokens of a model, such as {}; decode without them",
        _SPECIAL, ("<", "[", "▁", "@@", "Ġ", "Ċ", "##", "|||"), ANY, "severe",
    ),
    Trace(
        "unknown words", "contain placeholders such as {}; decode with the model's own tokenizer",
        _search(r"<unk>|\bUNK\b|-[LR][RSC]B-"), ("unk", "UNK", "B-"), USUAL,
    ),
    Trace(
        "hyphenated words", "have words hyphenated at the ends of lines, such as {}; join them",
        _search(r"[a-z]+-\n[a-z]+"), ("-\n",), ODD, effect="halves of words match nothing",
    ),
    Trace("markup", "contain markup such as {}; remove it", _HTML, ("<",)),
    Trace("entities", "contain entities such as {}; decode them", _ENTITY, ("&",)),
    Trace(
        "Markdown", "contain Markdown such as {}; remove it", _MARKDOWN,
        ("**", "#", "```", "](", "|", "__"), ODD, only_beside=True,
    ),
    Trace(
        "lists", "are lists of points, unlike the references", _BULLETS, ("\n",), USUAL, "note",
        only_beside=True,
    ),
    Trace(
        "escaped characters", "contain codes for characters, such as {}; decode them", _ESCAPED,
        ("\\", "%20", "+"),
    ),
    Trace(
        "wrong encoding", "contain wrongly decoded characters such as {}; read the file as UTF-8",
        _MOJIBAKE, tuple("ÃâÂï\ufffdÐÑãäåæç?"), RARE, "severe", "damaged words match nothing",
    ),
    Trace(
        "invisible characters", "contain control or zero-width characters such as {}; remove them",
        _search(f"[{_INVISIBLE}]"), tuple(_INVISIBLE), RARE, "note",
    ),
    Trace(
        "decomposed letters", "write letters and accents apart, as in {}; normalize them (NFC)",
        _search(rf"\w*[{_ACCENTS}]\w*"), tuple(_ACCENTS), effect="accented words match nothing",
    ),
    Trace(
        "error in place of a summary", "are error messages, such as {}; run these again", _CRASH,
        _CRASH_GUARDS, ANY, "severe", "a failed run counts as a bad summary", folded=True,
    ),
    Trace(
        "nothing in place of a summary", "say only {}; is the output missing?", _NOTHING, (), ANY,
        "severe", "a missing summary counts as a bad one", folded=True, longest=60,
    ),
    Trace(
        "refusal in place of a summary", "are refusals, such as {}; ask again, or exclude them",
        _REFUSAL, (), ANY, "severe", "a refusal counts as a bad summary", folded=True, head=200,
    ),
    Trace(
        "chat phrases", "begin with phrases for a user, such as {}; remove them", _CHAT,
        folded=True, only_beside=True, head=150,
    ),
    Trace(
        "remarks to a user", "contain remarks to a user, such as {}; remove them", _ASIDE,
        ("i hope this", "let me know", "would you like me"),
        folded=True, only_beside=True,
    ),
    Trace(
        "label before the text", "begin with a label, such as {}; remove it", _LABEL, folded=True,
        head=30, share=ODD,
    ),
    Trace(
        "prompt in the summary", "contain a prompt, such as {}; keep the output only", _PROMPT,
        ("summari", "summary", "tl;dr", "tldr", "##", "user", "assistant", "human", "system",
         "article", "you are a"), RARE, "severe", folded=True,
    ),
    Trace(
        "code in place of text", "are written as code, such as {}; take the text out of it", _CODE,
        ("['", '["', "('", '("', "{", "b'", 'b"', " object at ", "(["),
    ),
    Trace(
        "names in place of text", "are a number, id or path, such as {}; is it another column?",
        _ID, (), RARE, "severe", "the system scores less than it should", longest=80,
    ),
    Trace(
        "summary without words", "have no letters or digits, such as {}; is the text missing?",
        has_no_words, (), RARE, "severe", "it scores 0",
    ),
    Trace(
        "doubled text", "contain their text twice, such as {}; keep it once", is_doubled,
        effect="precision falls, and lengths double",
    ),
    Trace(
        "phrase repeated in a loop", "repeat a phrase again and again, such as {}", is_looping, (),
        RARE, "severe", "precision falls, and lengths grow",
    ),
    Trace(
        "missing spaces", "lack the spaces between words, as in {}; decode them again", is_glued,
        (), RARE, "severe", "words that are glued together match nothing",
    ),
    Trace(
        "letters apart", "are letters separated by spaces, as in {}; was a text read as a list?",
        is_spread, (), RARE, "severe", "letters match no words",
    ),
    Trace(
        "sentences run together", "lack spaces between sentences, as in {}",
        lambda text: len(_SEAM.findall(text)) > 1, (), USUAL, "note",
        "the words at the seams match nothing",
    ),
)  # fmt: skip

#: Ways of writing that are usual among systems, too: they matter where few are compared.
NATURAL = frozenset({"lower case", "tokenized text"})

#: Ways of writing that matter where they differ from those of the references.
STYLES = (
    Trace(
        "lower case", "have no capitals, the references have", str.islower, (), STYLE, "note",
        "metrics that respect case score it lower",
    ),
    Trace(
        "capitals", "are in capitals, the references are not", str.isupper, (), STYLE, "note",
        "metrics that respect case score it lower",
    ),
    Trace(
        "tokenized text", "have spaces before punctuation marks, the references have not",
        is_tokenized, (), STYLE, "note", "metrics that respect punctuation score it lower",
    ),
    Trace(
        "quotation marks around", "are in quotation marks, the references are not",
        _search(r"^\s*[\"“].*[\"”]\s*$", flags=re.DOTALL), ("\"", "“"), STYLE, "note",
    ),
)  # fmt: skip
