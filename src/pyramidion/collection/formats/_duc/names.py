"""What NIST's names say: docsets such as ``D1113C-A``, files such as ``D0901-A.M.100.A.17``."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pyramidion.collection._summaries import AspectSpan, Kind, Summary, mark_aspects, parse_aspects
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
    """The name of a summary's file.

    Parameters
    ----------
    topic, task, system
        The summary's address. A docset's ``-A`` or ``-B`` is the task.
    length
        The word limit; 0 if there is none.
    selector
        The letter of the person who chose the topic; 0 if nobody is known.

    Examples
    --------
    >>> str(SummaryName("D0901", "A", "17", length=100, selector="A"))
    'D0901-A.M.100.A.17'
    """

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
    """Take a file's name apart; `None` if it is not the name of a multi-document summary.

    Examples
    --------
    >>> parse_summary_name("D30001.M.100.T.B")
    SummaryName(topic='D30001', task='', system='B', length=100, selector='T')
    >>> parse_summary_name("README") is None
    True
    """
    found = _NAME.fullmatch(name)
    if not found:
        return None
    topic, task, length, selector, system = found.groups()
    return SummaryName(_canonical(topic), task or "", system, int(length), selector)


def parse_docset(text: str) -> tuple[str, str] | None:
    """Split a docset into topic and task; `None` if it is not the name of a docset.

    Examples
    --------
    >>> parse_docset("D1113C-A"), parse_docset("d30001t"), parse_docset("no docset")
    (('D1113C', 'A'), ('D30001T', ''), None)
    """
    found = _DOCSET.fullmatch(text)
    return (_canonical(found[1]), found[2] or "") if found else None


def kind_of(system: str) -> Kind:
    """Tell people from machines: a person is one capital letter.

    Examples
    --------
    >>> kind_of("A"), kind_of("17")
    ('human', 'machine')
    """
    return "human" if re.fullmatch("[A-Z]", system) else "machine"


def docset_letter(topic: str) -> str:
    """Give the letter at the end of one of NIST's topics, or nothing.

    Examples
    --------
    >>> docset_letter("D1113C"), docset_letter("D0901"), docset_letter("rain")
    ('C', '', '')
    """
    found = _NIST_TOPIC.fullmatch(topic)
    return found[2].upper() if found else ""


def is_letter_assessor(topic: str) -> bool:
    """Tell whether a topic's letter names its assessor, as it did in 2010 and 2011.

    Examples
    --------
    >>> is_letter_assessor("D1113C"), is_letter_assessor("D0901")
    (True, False)
    """
    return _GUIDED_TOPIC.fullmatch(topic) is not None


def is_nist_topic(topic: str) -> bool:
    """Tell whether a topic is named as NIST names them.

    Examples
    --------
    >>> is_nist_topic("D1113C"), is_nist_topic("rain")
    (True, False)
    """
    return _NIST_TOPIC.fullmatch(topic) is not None


def unify_topics(topics: Iterable[str]) -> dict[str, str]:
    """Find topics that are named with and without their letter.

    NIST writes ``D1113`` in the names of summaries and ``D1113C`` in the topic statements.

    Returns
    -------
    dict
        For each topic that has to be renamed, its name without the letter.

    Examples
    --------
    >>> unify_topics(["D1113C", "D1113", "D1114A"])
    {'D1113C': 'D1113'}
    """
    known = set(topics)
    lettered: dict[str, list[str]] = {}
    for topic in sorted(known):
        if docset_letter(topic):
            lettered.setdefault(topic[:-1], []).append(topic)
    return {names[0]: stem for stem, names in lettered.items() if stem in known and len(names) == 1}


def _canonical(topic: str) -> str:
    """Write NIST's topics in capitals: folders are often named ``d30001t``."""
    return topic.upper() if _NIST_TOPIC.fullmatch(topic) else topic


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
