"""The text of a summary in a file: sentences on lines of their own, or wrapped lines."""

import re

from pyramidion.collection.aspects import AspectSpan, mark_aspects, parse_aspects
from pyramidion.collection.summaries import Summary
from pyramidion.errors import Where

__all__ = ["format_summary", "parse_summary"]

_SENTENCE_END = re.compile(r"[.!?…][\"'`”’)\]]*\Z")

# Nobody wraps lines so late: such a line is a sentence.
_WIDEST_WRAPPED_LINE = 100


def parse_summary(
    text: str, where: Where | None = None
) -> tuple[str | tuple[str, ...], tuple[AspectSpan, ...]]:
    r"""Take the text and the aspect marks out of a summary's file.

    Lines are sentences if all of them but the last end as sentences do, or if one of them is
    longer than 100 characters; otherwise they are the wrapped lines of one text.

    Parameters
    ----------
    text
        The file.
    where
        The place, for messages.

    Examples
    --------
    >>> parse_summary("Rain fell.\nRoads closed.\n")[0]
    ('Rain fell.', 'Roads closed.')
    >>> parse_summary("Rain fell and roads\nclosed.\n")[0]
    'Rain fell and roads closed.'
    """
    lines = [line.strip() for line in text.split("\n")]
    # The line break stands for the blank between sentences, so that the offsets fit.
    marked = "\n".join(line for line in lines if line)
    plain, spans = parse_aspects(marked, where)
    sentences = tuple(plain.split("\n"))
    if len(sentences) > 1 and _are_sentences(sentences):
        return sentences, spans
    return " ".join(sentences), spans


def _are_sentences(lines: tuple[str, ...]) -> bool:
    if not all(lines):
        return False
    if any(len(line) > _WIDEST_WRAPPED_LINE for line in lines):
        return True
    return all(_SENTENCE_END.search(line) for line in lines[:-1])


def format_summary(summary: Summary) -> str:
    r"""Write a summary's text, one sentence a line, with its aspect marks.

    Examples
    --------
    >>> format_summary(Summary("D0901", "17", ("Rain fell.", "Roads closed.")))
    'Rain fell.\nRoads closed.\n'
    """
    sentences = (summary.text,) if isinstance(summary.text, str) else summary.text
    lines = "\n".join(re.sub(r"[\r\n]", " ", sentence) for sentence in sentences)
    return mark_aspects(lines, summary.aspects) + "\n"
