"""XML is read without running or fetching anything, and damage is reported in one line."""

import pytest

from pyramidion.collection import Pyramid
from pyramidion.collection.formats import format_named, read_pyramid, write_pyramid
from pyramidion.errors import FormatError, InputError, NotFoundError

BODY = "<pyramid><text><line>rain{}</line></text></pyramid>"


@pytest.fixture
def file(tmp_path):
    return tmp_path / "a.pyr"


def read(path, head, inside=""):
    path.write_text(head + BODY.format(inside))
    return read_pyramid(path)


@pytest.mark.parametrize("character", ["\0", "\x0b", "\x1f", "\ud800", "\ufffe"])
def test_a_character_xml_cannot_hold_is_refused_with_its_surroundings(file, character):
    with pytest.raises(InputError, match=rf"U\+{ord(character):04X} in 'rain.*fell'"):
        write_pyramid(Pyramid(f"rain{character}fell"), file)


def test_a_dtd_without_entities_is_fine(file):
    assert read(file, "<!DOCTYPE pyramid [<!ELEMENT line (#PCDATA)>]>").text == "rain"


@pytest.mark.parametrize(
    "definition",
    [
        '<!ENTITY b "rain">',
        '<!ENTITY b SYSTEM "file:///etc/hostname">',
        '<!ENTITY % b SYSTEM "http://localhost/b.dtd"> %b;',
        '<!ENTITY a "rain"><!ENTITY b "&a;&a;&a;">',
    ],
)
def test_entity_definitions_are_refused(file, definition):
    with pytest.raises(FormatError, match=r"a\.pyr: the XML defines entities"):
        read(file, f"<!DOCTYPE pyramid [{definition}]>", "&b;")


def test_an_external_dtd_is_not_fetched(file):
    assert read(file, '<!DOCTYPE pyramid SYSTEM "file:///nowhere/a.dtd">').text == "rain"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", r"a\.xml: the file is empty"),
        (b" \n", r"a\.xml: the file is empty"),
        (b"<a>\n<b>", r"a\.xml, line 2: this is not XML \(no element found"),
        (b"<a>\n&nbsp;</a>", r"a\.xml, line 2: .*undefined entity"),
        (b"<a>\n\xfc</a>", r"a\.xml, line 2: .*invalid token.*declared one"),
        (b'<?xml version="1.0" encoding="none"?><a/>', r"a\.xml.*encoding"),
    ],
)
def test_damaged_xml_is_refused_in_one_line(tmp_path, data, message):
    path = tmp_path / "a.xml"
    path.write_bytes(data)
    with pytest.raises(FormatError, match=message) as caught:
        format_named("rouge").read(path)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_missing(tmp_path):
    with pytest.raises(NotFoundError, match=r"a\.xml: there is no such file"):
        format_named("rouge").read(tmp_path / "a.xml")
