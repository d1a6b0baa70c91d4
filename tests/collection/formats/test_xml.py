import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.collection.formats._xml import (
    ILLEGAL_CHARACTER,
    escape_attribute,
    escape_text,
    parse_xml,
    read_xml,
)
from pyramidion.errors import FormatError, InputError, NotFoundError, Where

LEGAL_TEXT = st.text().filter(lambda text: not ILLEGAL_CHARACTER.search(text))
HERE = Where("a.xml")


@given(LEGAL_TEXT, LEGAL_TEXT)
def test_what_is_escaped_is_read_back_unchanged(text, attribute):
    root = parse_xml(f'<a b="{escape_attribute(attribute)}">{escape_text(text)}</a>', HERE)
    assert (root.text or "", root.get("b")) == (text, attribute)


@pytest.mark.parametrize("character", ["\0", "\x0b", "\x1f", "\ud800", "\ufffe"])
def test_a_character_xml_cannot_hold_is_refused_with_its_surroundings(character):
    with pytest.raises(InputError, match=rf"U\+{ord(character):04X} in 'rain.*fell'"):
        escape_text(f"rain{character}fell")


def test_a_dtd_without_entities_is_fine():
    assert parse_xml(b"<!DOCTYPE a [<!ELEMENT a (#PCDATA)>]><a>rain</a>", HERE).text == "rain"


@pytest.mark.parametrize(
    "definition",
    [
        '<!ENTITY b "rain">',
        '<!ENTITY b SYSTEM "file:///etc/hostname">',
        '<!ENTITY % b SYSTEM "http://localhost/b.dtd"> %b;',
        '<!ENTITY a "rain"><!ENTITY b "&a;&a;&a;">',
    ],
)
def test_entity_definitions_are_refused(definition):
    with pytest.raises(FormatError, match=r"^a\.xml: the XML defines entities"):
        parse_xml(f"<!DOCTYPE a [{definition}]><a>&b;</a>", HERE)


def test_an_external_dtd_is_not_fetched():
    assert parse_xml('<!DOCTYPE a SYSTEM "file:///nowhere/a.dtd"><a/>', HERE).tag == "a"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", r"a\.xml: the file is empty"),
        (b" \n", r"a\.xml: the file is empty"),
        (b"<a>\n<b>", r"a\.xml, line 2: this is not XML \(no element found"),
        (b"<a>\n&nbsp;</a>", r"a\.xml, line 2: .*undefined entity"),
        (b"<a>\n\xfc</a>", r"a\.xml, line 2: .*invalid token.*another encoding"),
        (b'<?xml version="1.0" encoding="none"?><a/>', r"a\.xml.*encoding"),
    ],
)
def test_damaged_xml_is_refused_in_one_line(data, message):
    with pytest.raises(FormatError, match=message) as caught:
        parse_xml(data, HERE)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(NotFoundError, match=r"a\.xml: there is no such file"):
        read_xml(tmp_path / "a.xml")
