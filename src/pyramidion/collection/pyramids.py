"""Content units, pyramids and annotated peers.

Offsets count characters of `Pyramid.text` (or of the peer's text), the end exclusive, as in
DUCView. Nothing in a file is dropped, so that it can be written back.
"""

import hashlib
import re
import warnings
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np

from pyramidion.collection.ids import grouped
from pyramidion.errors import InputError, NotFoundError

#: How a content unit is weighted: by its contributors, as in DUCView; by the different references
#: among them, as in the thesis; or by the weight in the topic's list of content units.
WeightPolicy = Literal["contributors", "references", "given"]

#: DUCView's uid for content of a peer that is not in the pyramid.
NOT_IN_PYRAMID = "0"

#: The system name of annotated documents.
DOCUMENTS = "documents"


@dataclass(frozen=True, slots=True)
class Part:
    """A span of text that expresses (a part of) a content unit.

    Examples
    --------
    >>> Part(4, 8, "melt").label
    'melt'
    """

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class Contributor:
    """How one summary expresses a content unit, in one or several parts.

    Parameters
    ----------
    parts
        The spans, in any order.
    label
        By default, the parts' texts joined by ``...``.

    Examples
    --------
    >>> Contributor((Part(0, 3, "Ice"), Part(20, 24, "fast"))).label
    'Ice...fast'
    """

    parts: tuple[Part, ...]
    label: str = ""
    comment: str = ""

    def __post_init__(self) -> None:
        if not self.label:
            object.__setattr__(self, "label", "...".join(part.label for part in self.parts))

    @property
    def start(self) -> int:
        """The offset of its first character; -1 if it has no parts."""
        return min((part.start for part in self.parts), default=-1)


@dataclass(frozen=True, slots=True)
class SCU:
    """A summary content unit: one piece of information, and where it is expressed.

    Parameters
    ----------
    uid
        Its id in the pyramid.
    label
        The information, in the annotator's words.
    contributors
        The summaries that express it.
    comment
        The annotator's comment.

    Examples
    --------
    >>> SCU("13", "Ice melts", (Contributor((Part(0, 9, "Ice melts"),)),)).uid
    '13'
    """

    uid: str
    label: str
    contributors: tuple[Contributor, ...] = ()
    comment: str = ""


@dataclass(frozen=True, slots=True)
class ReferenceText:
    """A reference's name, and its span in the text of a pyramid."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Original:
    """The bytes of a file, in pieces that other files may share, and the content read from them."""

    pieces: tuple[bytes, ...]
    content: tuple[object, ...]

    def __bytes__(self) -> bytes:
        return b"".join(self.pieces)


def unannotated_entries(scus: Iterable[SCU], weights: Iterable[int]) -> tuple[SCU, ...]:
    """Return the entries of a peer that has not been annotated yet, as DUCView writes them."""
    entries = (SCU(s.uid, f"({weight}) {s.label}") for s, weight in zip(scus, weights, strict=True))
    return (*entries, SCU(NOT_IN_PYRAMID, "All non-matching SCUs go here"))


_REPEATED_GROUP = re.compile(r"\)[*+{]")

# A line of dashes, the name of the file, a line of dashes.
_HEADER_PATTERN = re.compile(r"^-{3,}\n[ \t]*(\S[^\n]*)\n-{3,}(?:\n|\Z)", re.MULTILINE)


@dataclass(frozen=True)
class Pyramid:
    r"""Content units, weighted by how many references express them.

    Parameters
    ----------
    text
        All references, each under a header of three lines: dashes, its name, dashes.
    scus
        The content units.
    start_document_regex
        DUCView's regular expression that finds the headers, as in the file.
    notes
        What a reader repaired or left out, one line each, with the content unit's uid.
    original
        The file it was read from, which is written back as long as the content is the same.

    Examples
    --------
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "B": "The ice is melting."},
    ...     [("Ice melts", {"A": ["Ice melts"], "B": ["ice is melting"]}), ("It is old", {})])
    >>> [pyramid.weight(scu) for scu in pyramid.scus]
    [2, 0]
    >>> [pyramid.references_of(scu) for scu in pyramid.scus]
    [('A', 'B'), ()]
    """

    text: str
    scus: tuple[SCU, ...] = ()
    start_document_regex: str = ""
    notes: tuple[str, ...] = field(default=(), compare=False, repr=False)
    original: Original | None = field(default=None, compare=False, repr=False)

    @classmethod
    def from_references(
        cls, references: Mapping[str, str], units: Iterable[tuple[str, Mapping[str, list[str]]]]
    ) -> "Pyramid":
        """Build a pyramid from texts and quotations.

        Parameters
        ----------
        references
            Texts by name.
        units
            Labels, each with the quoted parts by reference; a part is found at its first
            occurrence in that reference.
        """
        pyramid = cls(joined_references(references))
        if tuple(reference.name for reference in pyramid.references) != tuple(references):
            message = f"the references {', '.join(references)} cannot be distinguished in one text"
            raise InputError(
                message, "write each name on one line, and do not use lines of dashes in a text"
            )
        scus = tuple(
            SCU(str(uid), label, tuple(pyramid.quoted(*item) for item in quotations.items()))
            for uid, (label, quotations) in enumerate(units, start=1)
        )
        return replace(pyramid, scus=scus)

    def quoted(self, reference: str, quotations: Iterable[str]) -> Contributor:
        """Return the contributor whose parts are quoted verbatim from a reference.

        Each part is found at its first occurrence in that reference.
        """
        texts_by_name = {text.name: text for text in self.references}
        if reference not in texts_by_name:
            hint = f"available: {', '.join(texts_by_name)}"
            raise NotFoundError(f"there is no reference {reference!r}", hint)
        parts = []
        for part in quotations:
            start = self.text.find(
                part, texts_by_name[reference].start, texts_by_name[reference].end
            )
            if start < 0 or not part:
                message = f"{part!r} is not in reference {reference}"
                raise InputError(message, "quote it verbatim")
            parts.append(Part(start, start + len(part), part))
        return Contributor(tuple(parts))

    @property
    def content(self) -> tuple[object, ...]:
        """What is written to a file."""
        return self.text, self.scus, self.start_document_regex

    @cached_property
    def references(self) -> tuple[ReferenceText, ...]:
        """The references in the text, found by their headers."""
        headers = self._found_by_regex() or list(_HEADER_PATTERN.finditer(self.text))
        ends = [*(header.start() for header in headers[1:]), len(self.text)]
        references = []
        for header, end in zip(headers, ends, strict=False):
            header_lines = [line.strip() for line in header.group().split("\n") if line.strip(" -")]
            name = header_lines[0] if header_lines else header.group().strip()
            references.append(ReferenceText(name, header.end(), end))
        return tuple(references)

    @property
    def regex_works(self) -> bool:
        """Whether `start_document_regex`, if there is one, finds the headers."""
        return not self.start_document_regex or bool(self._found_by_regex())

    def _found_by_regex(self) -> list[re.Match[str]]:
        pattern = _compile_java_regex(self.start_document_regex)
        matches = pattern.finditer(self.text) if pattern else ()
        return [match for match in matches if match.group().strip()]

    @cached_property
    def _starts(self) -> list[int]:
        return [reference.start for reference in self.references]

    def _index_of(self, contributor: Contributor) -> int | None:
        """Return the index of the reference a contributor belongs to."""
        index = bisect_right(self._starts, contributor.start) - 1
        is_inside = index >= 0 and contributor.start < self.references[index].end
        return index if is_inside else None

    def reference_of(self, contributor: Contributor) -> str | None:
        """Name the reference a contributor belongs to; None if it is in none."""
        index = self._index_of(contributor)
        return None if index is None else self.references[index].name

    @cached_property
    def contributions(self) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
        """How often each reference (column) expresses each content unit (row)."""
        counts = np.zeros((len(self.scus), len(self.references)), dtype=np.int64)
        for row, scu in enumerate(self.scus):
            for contributor in scu.contributors:
                column = self._index_of(contributor)
                if column is not None:
                    counts[row, column] += 1
        counts.flags.writeable = False
        return counts

    @cached_property
    def membership(self) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
        """Which reference (column) expresses which content unit (row)."""
        expresses: np.ndarray[tuple[int, int], np.dtype[np.bool_]] = self.contributions > 0
        expresses.flags.writeable = False
        return expresses

    def counted(
        self, weights: WeightPolicy = "contributors"
    ) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
        """Return what each reference (column) adds to the weight of each content unit (row)."""
        if weights == "given":
            hint = "choose contributors or references"
            raise InputError(
                "given weights apply to whole pyramids, not to single references", hint
            )
        return self.contributions if weights == "contributors" else np.sign(self.contributions)

    @cached_property
    def weights(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """How many contributors each content unit has, which is its weight in DUCView."""
        weights: np.ndarray[tuple[int], np.dtype[np.int64]] = self.contributions.sum(axis=1)
        weights.flags.writeable = False
        return weights

    @cached_property
    def _rows(self) -> dict[str, int]:
        # A repeated uid refers to its first unit; the second is reported when data are read.
        return {scu.uid: row for row, scu in reversed(list(enumerate(self.scus)))}

    def row(self, uid: str) -> int:
        """Return the index of a content unit in `scus`, `weights` and `membership`."""
        if uid not in self._rows:
            hint = "use the pyramid the summary was annotated with"
            raise NotFoundError(f"the pyramid has no content unit {uid}", hint)
        return self._rows[uid]

    def references_of(self, scu: SCU) -> tuple[str, ...]:
        """Name the different references that express a content unit, in order."""
        indices = {self._index_of(contributor) for contributor in scu.contributors}
        return tuple(text.name for index, text in enumerate(self.references) if index in indices)

    def weight(self, scu: SCU) -> int:
        """Count a content unit's contributors, as DUCView does."""
        return sum(self._index_of(contributor) is not None for contributor in scu.contributors)

    @cached_property
    def digest(self) -> str:
        """Sixteen hexadecimal digits that change when the pyramid does."""
        return hashlib.sha256(repr(self).encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def tiers(self) -> dict[int, tuple[SCU, ...]]:
        """Return the content units by weight, the heaviest first."""
        tiers = grouped(zip(self.weights.tolist(), self.scus, strict=True))
        return {weight: tuple(tiers[weight]) for weight in sorted(tiers, reverse=True)}


@dataclass(frozen=True, slots=True)
class PeerAnnotation:
    """A peer whose content was matched with a pyramid's content units.

    Parameters
    ----------
    scus
        One entry per content unit of the pyramid, whose contributors are spans of the peer (none
        if it does not express the unit); the entry with uid `NOT_IN_PYRAMID` has the rest of
        the peer's content.
    notes, original
        As in `Pyramid`.

    Examples
    --------
    >>> PeerAnnotation(Pyramid(""), "Ice melts.", (SCU("1", "(2) Ice melts"),)).scus[0].uid
    '1'
    """

    pyramid: Pyramid
    text: str
    scus: tuple[SCU, ...] = ()
    notes: tuple[str, ...] = field(default=(), compare=False, repr=False)
    original: Original | None = field(default=None, compare=False, repr=False)

    @property
    def content(self) -> tuple[object, ...]:
        """What is written to a file."""
        return self.pyramid, self.text, self.scus

    def __repr__(self) -> str:
        # Hundreds of peers may share a long pyramid.
        pyramid = f"<Pyramid {self.pyramid.digest}>"
        return f"PeerAnnotation(pyramid={pyramid}, text={self.text!r}, scus={self.scus!r})"


def joined_references(references: Mapping[str, str]) -> str:
    """Join references, each under its header."""
    rule = "-" * 18
    parts = (f"{rule}\n {name}\n{rule}\n\n{text}\n\n" for name, text in references.items())
    return "".join(parts).removesuffix("\n")


def _compile_java_regex(regex: str) -> re.Pattern[str] | None:
    """Compile DUCView's expression, which is written for Java, if Python can."""
    # A repeated group can take forever, and no header of DUCView needs one.
    if not regex or _REPEATED_GROUP.search(regex):
        return None
    try:
        with warnings.catch_warnings():
            # Some sets that are valid in Java will change their meaning in Python.
            warnings.simplefilter("ignore", FutureWarning)
            return re.compile(regex, re.MULTILINE)
    except (re.error, OverflowError, RecursionError):
        return None
