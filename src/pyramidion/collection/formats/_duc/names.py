"""NIST's names: docsets such as ``D1113C-A``, files such as ``D0901-A.M.100.A.17``."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pyramidion.collection.ids import grouped
from pyramidion.collection.summaries import AspectSpan, Kind, Summary, mark_aspects, parse_aspects
from pyramidion.errors import Where

_TOPIC = r"[A-Za-z0-9_]+"
_DOCSET = re.compile(rf"({_TOPIC})(?:-([A-Z]))?")
_NAME = re.compile(
    rf"({_TOPIC})(?:-([A-Z]))?\.M\.(\d{{1,4}})\.([A-Z0])\.([A-Za-z0-9_-]+)(?:\.txt)?", re.ASCII
)
_NIST_TOPIC = re.compile(r"(D\d{2,5})([A-Z]?)", re.IGNORECASE | re.ASCII)
_GUIDED_TOPIC = re.compile(r"D1[01]\d\d[A-Z]?", re.ASCII)


@dataclass(frozen=True, slots=True)
class SummaryName:
    """The name of a summary's file."""

    topic: str
    task: str
    system: str
    length: int = 0
    selector: str = "0"

    @property
    def docset(self) -> str:
        """The docset: the topic, and the task where there is one."""
        return f"{self.topic}-{self.task}" if self.task else self.topic

    def __str__(self) -> str:
        return f"{self.docset}.M.{self.length}.{self.selector}.{self.system}"


def parse_summary_name(name: str) -> SummaryName | None:
    """Parse a file's name; None if it is not that of a multi-document summary."""
    match = _NAME.fullmatch(name)
    if not match:
        return None
    topic, task, length, selector, system = match.groups()
    return SummaryName(_canonical(topic), task or "", system, int(length), selector)


def parse_annotation_name(stem: str) -> tuple[str, SummaryName] | None:
    """Return the annotator, if the name has one, and the summary of ``100.D0601.M.250.A.1``."""
    annotator, _, rest = stem.partition(".")
    if name := parse_summary_name(stem):
        return "", name
    name = parse_summary_name(rest)
    return (annotator, name) if name and annotator else None


def without_writers(stem: str, writers: Iterable[str]) -> str:
    """Remove the writers' letters from a pyramid's name: ``D0701-AGHI`` is of D0701."""
    topic, _, letters = stem.rpartition("-")
    return topic if topic and len(letters) > 1 and set(letters) == set(writers) else stem


def parse_docset(text: str) -> tuple[str, str] | None:
    """Split a docset into topic and task; None if it is not the name of a docset."""
    match = _DOCSET.fullmatch(text)
    return (_canonical(match[1]), match[2] or "") if match else None


def kind_of(system: str) -> Kind:
    """Return the kind of a system: a person if its name is one capital letter."""
    return "human" if re.fullmatch("[A-Z]", system) else "machine"


def docset_letter(topic: str) -> str:
    """Return the letter at the end of one of NIST's topics; empty if there is none."""
    match = _NIST_TOPIC.fullmatch(topic)
    return match[2].upper() if match else ""


def is_letter_assessor(topic: str) -> bool:
    """Return whether a topic's letter names its assessor, as in 2010 and 2011."""
    return _GUIDED_TOPIC.fullmatch(topic) is not None


def is_nist_topic(topic: str) -> bool:
    """Return whether a topic is named like those of NIST."""
    return _NIST_TOPIC.fullmatch(topic) is not None


def unify_topics(topics: Iterable[str]) -> dict[str, str]:
    """Map topics with a letter (``D1113C``) to the same topic without it (``D1113``)."""
    present = set(topics)
    lettered = grouped((topic[:-1], topic) for topic in sorted(present) if docset_letter(topic))
    single = {stem: names[0] for stem, names in lettered.items() if len(names) == 1}
    return {name: stem for stem, name in single.items() if stem in present}


def _canonical(topic: str) -> str:
    """Write NIST's topics in upper case, since folders are often named ``d30001t``."""
    return topic.upper() if _NIST_TOPIC.fullmatch(topic) else topic


_SENTENCE_END = re.compile(r"[.!?…][\"'`”’)\]]*\Z")

# A longer line is not wrapped, but a sentence.
_WIDEST_WRAPPED_LINE = 100


def parse_summary(
    text: str, where: Where | None = None
) -> tuple[str | tuple[str, ...], tuple[AspectSpan, ...]]:
    """Return the text and the aspect spans of a summary's file.

    Lines are sentences if all but the last end like sentences, or if one is longer than 100
    characters; otherwise they are the wrapped lines of a text.
    """
    lines = [line.strip() for line in text.split("\n")]
    # A line break instead of the space between sentences keeps the offsets.
    marked = "\n".join(line for line in lines if line)
    plain, spans = parse_aspects(marked, where)
    sentences = tuple(plain.split("\n"))
    long = any(len(line) > _WIDEST_WRAPPED_LINE for line in sentences)
    ended = long or all(map(_SENTENCE_END.search, sentences[:-1]))
    if len(sentences) > 1 and all(sentences) and ended:
        return sentences, spans
    return " ".join(sentences), spans


def format_summary(summary: Summary) -> str:
    """Write a summary's text, one sentence per line, with its aspect marks."""
    sentences = (summary.text,) if isinstance(summary.text, str) else summary.text
    lines = "\n".join(re.sub(r"[\r\n]", " ", sentence) for sentence in sentences)
    return mark_aspects(lines, summary.aspects) + "\n"
