"""NIST's docsets such as ``D1113C-A``, its topics, and the files of summaries."""

import re
from collections.abc import Iterable

from pyramidion.collection import AspectSpan, Summary, mark_aspects, parse_aspects
from pyramidion.collection.formats.nist_names import NIST_TOPIC, TOPIC_PATTERN, canonical_topic
from pyramidion.collection.ids import grouped
from pyramidion.collection.summaries import Kind
from pyramidion.errors import Where

_DOCSET_NAME = re.compile(rf"({TOPIC_PATTERN})(?:-([A-Z]))?")
_GUIDED_TOPIC = re.compile(r"D1[01]\d\d[A-Z]?", re.ASCII)


def parse_docset(text: str) -> tuple[str, str] | None:
    """Split a docset into topic and task; None if it is not the name of a docset."""
    match = _DOCSET_NAME.fullmatch(text)
    return (canonical_topic(match[1]), match[2] or "") if match else None


def kind_of_writer(system: str) -> Kind:
    """Return the kind of a system: a person if its name is one capital letter."""
    return "human" if re.fullmatch("[A-Z]", system) else "machine"


def docset_letter(topic: str) -> str:
    """Return the letter at the end of one of NIST's topics; empty if there is none."""
    match = NIST_TOPIC.fullmatch(topic)
    return match[2].upper() if match else ""


def is_letter_assessor(topic: str) -> bool:
    """Return whether a topic's letter names its assessor, as in 2010 and 2011."""
    return _GUIDED_TOPIC.fullmatch(topic) is not None


def is_nist_topic(topic: str) -> bool:
    """Return whether a topic is named like those of NIST."""
    return NIST_TOPIC.fullmatch(topic) is not None


def unify_topics(topics: Iterable[str]) -> dict[str, str]:
    """Map topics with a letter (``D1113C``) to the same topic without it (``D1113``)."""
    topic_names = set(topics)
    lettered_topics = grouped(
        (topic[:-1], topic) for topic in sorted(topic_names) if docset_letter(topic)
    )
    unambiguous_names = {
        stem: names[0] for stem, names in lettered_topics.items() if len(names) == 1
    }
    return {name: stem for stem, name in unambiguous_names.items() if stem in topic_names}


_SENTENCE_END = re.compile(r"[.!?…][\"'`”’)\]]*\Z")

# A line of more characters is a sentence, not a line of a wrapped text.
_MAX_WRAPPED_LENGTH = 100


def parse_summary(
    text: str, where: Where | None = None
) -> tuple[str | tuple[str, ...], tuple[AspectSpan, ...]]:
    """Return the text and the aspect spans of a summary's file.

    Lines are sentences if all but the last end like sentences, or if one is longer than 100
    characters; otherwise they are the wrapped lines of a text.
    """
    lines = [line.strip() for line in text.split("\n")]
    # A line break instead of the space between sentences keeps the offsets.
    marked_text = "\n".join(line for line in lines if line)
    plain_text, spans = parse_aspects(marked_text, where)
    sentences = tuple(plain_text.split("\n"))
    has_long_line = any(len(line) > _MAX_WRAPPED_LENGTH for line in sentences)
    ends_like_sentences = has_long_line or all(map(_SENTENCE_END.search, sentences[:-1]))
    if len(sentences) > 1 and all(sentences) and ends_like_sentences:
        return sentences, spans
    return " ".join(sentences), spans


def format_summary(summary: Summary) -> str:
    """Write a summary's text, one sentence per line, with its aspect marks."""
    sentences = (summary.text,) if isinstance(summary.text, str) else summary.text
    lines = "\n".join(re.sub(r"[\r\n]", " ", sentence) for sentence in sentences)
    return mark_aspects(lines, summary.aspects) + "\n"
