"""NIST's names of files such as ``D0901-A.M.100.A.17``."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

#: A topic in the name of a docset or file.
TOPIC_PATTERN = r"[A-Za-z0-9_]+"
#: A topic as NIST names it, and its letter.
NIST_TOPIC = re.compile(r"(D\d{2,5})([A-Z]?)", re.IGNORECASE | re.ASCII)
_FILE_NAME = re.compile(
    rf"({TOPIC_PATTERN})(?:-([A-Z]))?\.M\.(\d{{1,4}})\.([A-Z0])\.([A-Za-z0-9_-]+)(?:\.txt)?",
    re.ASCII,
)


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
    match = _FILE_NAME.fullmatch(name)
    if not match:
        return None
    topic, task, length, selector, system = match.groups()
    return SummaryName(canonical_topic(topic), task or "", system, int(length), selector)


def parse_annotation_name(stem: str) -> tuple[str, SummaryName] | None:
    """Return the annotator, if the name has one, and the summary of ``100.D0601.M.250.A.1``."""
    annotator, _, summary_name = stem.partition(".")
    if name := parse_summary_name(stem):
        return "", name
    name = parse_summary_name(summary_name)
    return (annotator, name) if name and annotator else None


def without_writers(stem: str, writers: Iterable[str]) -> str:
    """Remove the writers' letters from a pyramid's name: ``D0701-AGHI`` is of D0701."""
    topic, _, letters = stem.rpartition("-")
    return topic if topic and len(letters) > 1 and set(letters) == set(writers) else stem


def canonical_topic(topic: str) -> str:
    """Write NIST's topics in upper case, since folders are often named ``d30001t``."""
    return topic.upper() if NIST_TOPIC.fullmatch(topic) else topic
