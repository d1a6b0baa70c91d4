"""Parse XML safely, and escape text for it."""

import re
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

from pyramidion.errors import InputError, Where
from pyramidion.files.reading import MAX_XML_BYTES, read_bytes

#: A character that XML 1.0 does not allow, not even as a reference.
ILLEGAL_CHARACTER = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# XML without entity definitions and external parts needs no safe parser, which is slow.
_UNSAFE_MARKUP = re.compile(r"<!ENTITY|<!DOCTYPE[^\[>]*\s(?:SYSTEM|PUBLIC)")

_TEXT_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;"}
)
# A parser replaces white space in an attribute by spaces unless it is a character reference.
_SPACE_ESCAPES = str.maketrans({"\t": "&#9;", "\n": "&#10;"})


def parse_xml(data: bytes | str, where: Where, *, comments: bool = False) -> Element:
    """Parse XML; refuse entity definitions, but not a DTD without them."""
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser

    if not data.strip():
        raise where.error("the file is empty", "fetch it again")
    try:
        is_safe = isinstance(data, str) and not _UNSAFE_MARKUP.search(data)
        builder = TreeBuilder(insert_comments=comments)
        parser: Any = (XMLParser if is_safe else DefusedXMLParser)(target=builder)
        parser.feed(data)
        root: Any = parser.close()
    except DefusedXmlException:
        hint = "replace them by their text and remove the definitions"
        raise where.error("the XML defines entities, which is refused for safety", hint) from None
    except ParseError as error:
        line, column = error.position
        raise Where(where.path, line=line).error(
            f"this is not XML ({str(error).split(':')[0]} at column {column + 1})",
            "the file may be cut off, or its encoding may not be the declared one",
        ) from None
    except (LookupError, ValueError) as error:
        raise where.error(f"the XML cannot be decoded ({error})", "save it as UTF-8") from None
    assert isinstance(root, Element)
    return root


def read_xml(path: str | Path, *, comments: bool = False) -> Element:
    """Read an XML file (see `parse_xml`)."""
    return parse_xml(read_bytes(path, limit=MAX_XML_BYTES), Where(path), comments=comments)


def escape_text(text: str) -> str:
    """Escape text between tags, so that it is read back unchanged."""
    if illegal_match := ILLEGAL_CHARACTER.search(text):
        context = text[max(0, illegal_match.start() - 20) : illegal_match.end() + 20]
        message = (
            f"character U+{ord(illegal_match.group()):04X} in {context!r} cannot be written as XML"
        )
        raise InputError(message, "remove it or write another format")
    return text.translate(_TEXT_ESCAPES)


def escape_attribute(text: str) -> str:
    """Escape text in double quotes, so that it is read back unchanged."""
    return escape_text(text).translate(_SPACE_ESCAPES)
