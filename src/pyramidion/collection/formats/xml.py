"""XML that cannot do harm."""

from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from pyramidion.collection.files import MAX_XML_BYTES, read_bytes
from pyramidion.errors import FormatError, Where

__all__ = ["parse_xml"]


def parse_xml(data: bytes, where: Where) -> Element:
    """Parse XML; entity definitions and external entities are refused, a plain DTD is fine.

    Examples
    --------
    >>> parse_xml(b"<pyramid><text/></pyramid>", Where("a.pyr")).tag
    'pyramid'
    """
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    if not data.strip():
        raise FormatError("the file is empty", where=where, hint="fetch it again")
    try:
        root: Any = fromstring(data, forbid_dtd=False, forbid_entities=True, forbid_external=True)
    except DefusedXmlException:
        raise FormatError(
            "the XML defines entities, which is refused for safety",
            where=where,
            hint="replace them by their text and remove the definitions",
        ) from None
    except ParseError as error:
        line, column = error.position
        raise FormatError(
            f"this is not well-formed XML ({_reason(error)} at column {column + 1})",
            where=Where(where.path, line=line),
            hint="the file may be cut off or have another encoding than it declares",
        ) from None
    except (LookupError, ValueError) as error:
        raise FormatError(f"the XML cannot be decoded ({error})", where=where) from None
    assert isinstance(root, Element)
    return root


def read_xml(path: Path) -> Element:
    """Read an XML file (see `parse_xml`)."""
    return parse_xml(read_bytes(path, limit=MAX_XML_BYTES), Where(path))


def _reason(error: ParseError) -> str:
    return str(error).split(":")[0]
