r"""How to recognize what programs leave in texts: markup, special tokens, errors, prompts.

Constants in capitals search a text; functions look at it as a whole.
"""

import re
from collections.abc import Callable


def searching(*patterns: str, flags: int = 0) -> Callable[[str], object]:
    """Return a function that searches a text for any of several regular expressions."""
    return re.compile("|".join(patterns), flags).search


def beginning(*patterns: str, flags: int = 0) -> Callable[[str], object]:
    """Return a function that tests whether a text begins with any of several expressions."""
    return re.compile("|".join(patterns), flags).match


_TAGS = (
    "p|br|b|i|u|em|strong|div|span|ul|ol|li|h[1-6]|a|table|tr|td|html|body|head|title|img|font|sup"
    "|sub|text|doc|document|article|summary|sent|sentence|think|answer|output|t"
)
SPECIAL = searching(
    r"</?s>|<(?:pad|eos|bos|sep|cls|mask|n|q|newline|extra_id_\d+|EOS|BOS|PAD|endoftext)>",
    r"<\|[^|<>]{1,30}\|>|\[(?:SEP|CLS|PAD|MASK|BOS|EOS|/?INST|X_SEP)\]|<0x[0-9A-F]{2}>",
    r"▁|\w@@(?: |$)|Ġ|Ċ|(?:^| )##[a-z]|\|\|\|",
)
HTML = searching(
    rf"<(?:{_TAGS})(?:\s[^<>]*=[^<>]*)?\s*/?>|</(?:{_TAGS})>", r"<!\[CDATA|<\?xml|<!--",
    flags=re.IGNORECASE,
)  # fmt: skip
ENTITY = searching(
    r"&(?:amp|lt|gt|quot|apos|nbsp|[mn]dash|[lr][sd]quo|hellip|[a-z]acute);",
    r"&#(?:\d{2,5}|x[0-9a-fA-F]{2,4});",
)
MARKDOWN = searching(
    r"\*\*[^*\s][^*\n]*\*\*|(?:^|\n)#{1,6} [^\W\d_]|```|\[[^\]\n]+\]\(https?:",
    r"(?:^|\n)\|.*\|\s*\n\||__[A-Z][^_\n]+__",
)
BULLETS = searching(r"(?:^|\n)\s*(?:[-*•▪–]|\d{1,2}[.)]) .*\n\s*(?:[-*•▪–]|\d{1,2}[.)]) ")
ESCAPED = searching(
    # A line break before a lower-case letter, but not a command of LaTeX.
    r"\\[nrt](?![a-z])|(?:(?<=[^\s\\(${])|(?<=[.!?] ))\\n(?!eq|abla|u\b|e\b|ot|ew|or)",
    r"\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[\"']|%20\w|\+\w+\+\w+\+\w+\+",
)
MOJIBAKE = searching(
    r"Ã[^A-Za-zÀ-Ý]|â€.?|Â[^A-Za-zÀ-Ý]|ï»¿|ï¿½|\ufffd|(?:[ÐÑ][^A-Za-z\s]){2}",
    r"[ãäåæç][\x80-\xbf]|[a-z]\?[a-z]+ .*[a-z]\?[a-z]",
)
_CONTROLS = "".join(map(chr, (*range(9), 0x0B, *range(0x0E, 0x20), 0x7F)))
INVISIBLE = _CONTROLS + "\u00ad\u200b\u200e\u200f\u2060\ufeff"
ACCENTS = "".join(map(chr, (*range(0x300, 0x309), 0x30A, 0x30C, 0x327)))
CRASH = searching(
    r"cuda (?:error|out of memory)|traceback \(most recent|\b[a-z]*(?:error|exception): |^error\b",
    r"error code: ?\d|\brate ?limit(?:ed)? (?:reached|exceeded|error)|exceeded your current quota",
    r"internal server error|bad gateway|connection (?:reset|refused|timed out|aborted)",
    r"(?:request|read) timed out|maximum context length|segmentation fault|http error|core dumped",
    r"status code \d\d\d|http/1\.1 \d\d\d|\[error\]|service unavailable|too many requests",
    r"out of memory",
)
CRASH_GUARDS = (
    "error", "memory", "traceback", "exception", "limit", "quota", "gateway", "connection",
    "timed out", "context length", "fault", "status code", "http/", "unavailable", "too many",
    "dumped",
)  # fmt: skip
NOTHING = beginning(
    r"\W*(?:none|nan|null|nil|n/?a|undefined|error|failed|failure|missing|todo|tbd|empty|unknown",
    r"test|true|false|inf|timeout|summary|text|output|prediction|generated[_ ]summary|empty string",
    r"placeholder|lorem ipsum.*|ref!|value!|deleted|removed|object object|no (?:summary|output",
    r"response|answer|text|content|data|result)s?(?: (?:available|generated|found|returned))?)\W*$",
)
REFUSAL_GUARDS = (
    "sorry", "apologi", "unfortunately", "i can", "unable", "not able", "please provide",
    "no text", "no article", "no document", "as an ai", "language model",
)  # fmt: skip
REFUSAL = searching(
    r"^\W*(?:i['’]?m (?:very )?sorry|i am (?:very )?sorry|sorry|i apologi[sz]e|my apologies",
    r"unfortunately|i can(?:not|['’]t)|i['’]?m (?:unable|not able)|i am (?:unable|not able)",
    r"there is no (?:text|article|document)|please provide|no (?:text|article|document) (?:was|is))"
    r"\b.{0,120}\b(?:can(?:not|['’]t)|unable|not able|access|provided?|summari[sz]e|summary|assist",
    r"help|fulfill|article|document)\b",
    r"\bas an ai\b|\bas a (?:large )?language model",
)
CHAT = beginning(
    r"\W*(?:sure|certainly|of course|absolutely|okay|got it|great question)\b[!,.:]*\s+(?:here",
    r"i\b|let|the following|below)",
    r"\W*(?:here(?:['’]s| is| are)|below (?:is|are)|the following is)(?: an?| the| your| my)?\b"
    r"[^.\n]{0,90}?\b(?:summar(?:y|ies)|overview|headlines?|bullet points?|key points|abstract)\b",
)
ASIDE = searching(
    r"\bi hope this (?:summary )?helps",
    r"\blet me know if (?:you|i|there)|\bwould you like me to\b",
)
LABEL = beginning(
    r"\d*\W*(?:article|document|text|passage|input|context|instructions?|prompt|source|summary",
    r"tl;?dr|answer|output|response|headline|abstract|assistant|user|human|system)\s*:(?!//)",
    r"\W*(?:info|debug|warn(?:ing)?)\b[\]: ]|\W*\d{4}-\d\d-\d\d[t ]\d\d:\d\d",
)
PROMPT = searching(
    r"summari[sz]e (?:the )?(?:following|text|article|document|passage|above|this)\b",
    r"\b(?:write|provide|generate|give) (?:me )?an? (?:\w+[ -]){0,3}summary (?:of|for)\b",
    r"#{2,} ?(?:instruction|response|input|summary|article|assistant|user)\b",
    r"\n\s*(?:user|assistant|human|system|summary|article)\s*:\s|\byou are a helpful|tl;?dr\s*:",
    r"\byou are an? (?:expert|ai)\b",
)
CODE = beginning(
    r"\s*(?:\[\s*(?:'.*'|\".*\")\s*,?\s*\]|\(\s*(?:'.*'|\".*\")\s*,?\s*\)|b(?:'.*'|\".*\")",
    r"\{\s*['\"]\w+['\"]\s*:.*\}|\[\{.*\}\]|<[\w.]+ object at 0x[0-9a-f]+>",
    r"(?:tensor|array|Document|AIMessage|Summary|Series|dict|list)\(.*\))\s*$",
    flags=re.DOTALL,
)
ID = beginning(
    r"\s*(?:[-+]?\d[\d.,:\s-]*|[0-9a-f]{8,}|[0-9a-f]{8}-[0-9a-f-]{27}|[^\s/\\<]*[/\\]\S*",
    r"https?://\S+|\S+\.(?:txt|jsonl?|csv|html?|xml|pdf|out|sum)|[a-z]+[-_]?\d+|\w{1,2}",
    r"[\[(]\d+(?:[,\s]+\d+)*[\])])\s*$",
    flags=re.IGNORECASE,
)
NUMBERS = beginning(r"\s*\[?\d+(?:[,\s]+\d+){9,}[\],\s]*$")


def is_doubled(text: str) -> bool:
    """Return whether the second half of a text repeats the first."""
    text = text.strip()
    half_length = len(text) // 2
    if half_length < 25 or text[:12] not in text[half_length - 2 : half_length + 30]:
        return False
    second_start = text.index(text[:12], half_length - 2)
    return text[:second_start].split() == text[second_start:].split()


def is_looping(text: str) -> bool:
    """Return whether a text repeats a phrase again and again, as a decoder in a loop does."""
    words = text.split()
    if len(words) < 12 or 5 * len(set(words)) > 3 * len(words):
        return False
    for period in range(1, 9):
        run = 0
        for earlier_word, word in zip(words, words[period:], strict=False):
            run = run + 1 if word == earlier_word else 0
            if run >= max(8, 3 * period):
                return True
    return False


_SPACED_MARKS = (" , ", " . ", " n't", "`` ", "-LRB-", " 's ")


def is_tokenized(text: str) -> bool:
    """Return whether spaces surround punctuation marks, as in the output of a tokenizer."""
    return any(mark in text for mark in _SPACED_MARKS) or text.endswith(" .")


# Quick to search.
_SEAM_MARK = re.compile(r"[.!?][A-Za-z][a-z]")
# Not part of an address such as www.example.org.
_SEAM = re.compile(r"(?<![\w.])\w*[a-z]{2}[.!?][A-Za-z][a-z]+(?![\w.])")


def has_seams(text: str) -> bool:
    """Return whether spaces between sentences are missing, twice or more often."""
    return bool(_SEAM_MARK.search(text)) and len(_SEAM.findall(text)) > 1


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
