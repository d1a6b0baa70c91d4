"""Writing DUCView's XML: pyramids (``.pyr``) and annotated peers (``.pan``)."""

from pathlib import Path

from pyramidion.collection.files import write_bytes
from pyramidion.collection.formats.xml import escape_attribute, escape_text
from pyramidion.collection.pyramids import SCU, Contributor, Part, PeerAnnotation, Pyramid

__all__ = ["peer_annotation_bytes", "pyramid_bytes", "write_peer_annotation", "write_pyramid"]

_PYRAMID_DTD = """\
 <!ELEMENT pyramid (startDocumentRegEx?,text,scu*)>
 <!ELEMENT startDocumentRegEx (#PCDATA)>
 <!ELEMENT text (line*)>
 <!ELEMENT line (#PCDATA)>
 <!ELEMENT scu (contributor)+>
 <!ATTLIST scu uid CDATA #REQUIRED
               label CDATA #REQUIRED
               comment CDATA #IMPLIED>
 <!ELEMENT contributor (part)+>
 <!ATTLIST contributor label CDATA #REQUIRED
                       comment CDATA #IMPLIED>
 <!ELEMENT part EMPTY>
 <!ATTLIST part label CDATA #REQUIRED
                start CDATA #REQUIRED
                end   CDATA #REQUIRED>
"""

_PEER_DTD = """\
 <!ELEMENT peerAnnotation (pyramid,annotation)>
 <!ELEMENT annotation (text,peerscu+)>
 <!ELEMENT peerscu (contributor)*>
 <!ATTLIST peerscu uid CDATA #REQUIRED
                   label CDATA #REQUIRED
                   comment CDATA #IMPLIED>
"""


def pyramid_bytes(pyramid: Pyramid) -> bytes:
    """Write a pyramid as DUCView does, in UTF-8.

    Examples
    --------
    >>> for line in pyramid_bytes(Pyramid("Ice melts.")).decode().splitlines()[-5:]:
    ...     print(line)
    <pyramid>
     <text>
      <line>Ice melts.</line>
     </text>
    </pyramid>
    """
    return _document("pyramid", _PYRAMID_DTD, _pyramid(pyramid))


def peer_annotation_bytes(peer: PeerAnnotation) -> bytes:
    r"""Write an annotated peer as DUCView does, in UTF-8, with its pyramid.

    Examples
    --------
    >>> peer_annotation_bytes(PeerAnnotation(Pyramid(""), "Ice."))[-32:]
    b'</annotation>\n</peerAnnotation>\n'
    """
    body = "".join(
        (
            "<peerAnnotation>\n",
            _pyramid(peer.pyramid),
            "<annotation>\n",
            _text(peer.text),
            *(_scu("peerscu", scu) for scu in peer.scus),
            "</annotation>\n</peerAnnotation>\n",
        )
    )
    return _document("peerAnnotation", _PEER_DTD + _PYRAMID_DTD, body)


def write_pyramid(pyramid: Pyramid, path: str | Path) -> None:
    """Write a ``.pyr`` file, whole or not at all (see `read_pyramid`).

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_pyramid(Pyramid("Ice melts."), Path(folder) / "T1.pyr")
    """
    write_bytes(path, pyramid_bytes(pyramid))


def write_peer_annotation(peer: PeerAnnotation, path: str | Path) -> None:
    """Write a ``.pan`` file, whole or not at all (see `read_peer_annotation`).

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_peer_annotation(PeerAnnotation(Pyramid(""), "Ice."), Path(folder) / "T1-A-17.pan")
    """
    write_bytes(path, peer_annotation_bytes(peer))


def _document(root: str, dtd: str, body: str) -> bytes:
    return f'<?xml version="1.0"?>\n<!DOCTYPE {root} [\n{dtd}\n]>\n\n{body}'.encode()


def _pyramid(pyramid: Pyramid) -> str:
    scus = "".join(_scu("scu", scu) for scu in pyramid.scus)
    regex = _regex(pyramid.start_document_regex)
    return f"<pyramid>\n{regex}{_text(pyramid.text)}{scus}</pyramid>\n"


def _regex(regex: str) -> str:
    if not regex:
        return ""
    escaped = escape_text(regex)
    if "\r" not in regex:  # which a CDATA section cannot hold
        escaped = f"<![CDATA[{regex.replace(']]>', ']]]]><![CDATA[>')}]]>"
    return f"<startDocumentRegEx>{escaped}</startDocumentRegEx>\n"


def _text(text: str) -> str:
    lines = "".join(f"  <line>{escape_text(line)}</line>\n" for line in text.split("\n"))
    return f" <text>\n{lines} </text>\n"


def _scu(tag: str, scu: SCU) -> str:
    attributes = _attributes(uid=scu.uid, label=scu.label) + _comment(scu.comment)
    contributors = "".join(map(_contributor, scu.contributors))
    return f" <{tag}{attributes}>\n{contributors} </{tag}>\n"


def _contributor(contributor: Contributor) -> str:
    attributes = _attributes(label=contributor.label) + _comment(contributor.comment)
    parts = "".join(map(_part, contributor.parts))
    return f"  <contributor{attributes}>\n{parts}  </contributor>\n"


def _part(part: Part) -> str:
    return f"   <part{_attributes(label=part.label, start=str(part.start), end=str(part.end))}/>\n"


def _comment(comment: str) -> str:
    return _attributes(comment=comment) if comment else ""


def _attributes(**values: str) -> str:
    return "".join(f' {name}="{escape_attribute(value)}"' for name, value in values.items())
