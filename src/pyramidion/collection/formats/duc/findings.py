"""What the files of a DUC or TAC folder hold, before it is put in order."""

from dataclasses import dataclass, field

from pyramidion.collection.aspects import AspectSpan
from pyramidion.collection.formats.duc.names import SummaryName
from pyramidion.collection.formats.duc.nist_tables import NistTable
from pyramidion.collection.formats.duc.topics import Statement
from pyramidion.collection.pyramids import PeerAnnotation, Pyramid
from pyramidion.collection.topics import Document

__all__ = ["Findings"]


@dataclass(slots=True)
class Findings:
    """What the files of a folder hold, before it is put in order.

    Parameters
    ----------
    summaries
        The name, the text and the aspects of each summary.
    documents
        Each article with the names of the folders it lies in, the nearest first.
    statements, tables, pyramids, peers
        What the other files say.
    notes
        What was mended in pyramids.
    strangers, legacy
        Names of files that are not read, and of files in Windows-1252.
    default_topic
        The topic of articles that do not belong to another.

    Examples
    --------
    >>> Findings().is_empty
    True
    """

    summaries: list[tuple[SummaryName, str | tuple[str, ...], tuple[AspectSpan, ...]]] = field(
        default_factory=list
    )
    documents: list[tuple[tuple[str, ...], Document]] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    tables: list[NistTable] = field(default_factory=list)
    pyramids: dict[tuple[str, str], Pyramid] = field(default_factory=dict)
    peers: dict[tuple[str, str, str], PeerAnnotation] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)
    legacy: list[str] = field(default_factory=list)
    default_topic: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was found that belongs to a collection."""
        found = (self.summaries, self.documents, self.statements, self.tables)
        return not any((*found, self.pyramids, self.peers))
