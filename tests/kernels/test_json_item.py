"""Lines of a stream: the compiled reader gives what `json` gives, or nothing."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pyramidion import kernels

pytestmark = pytest.mark.skipif(kernels.json_item is None, reason="needs the compiled kernels")

NAMES = ("topic", "system", "peer", "references")
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
items = st.fixed_dictionaries(
    dict.fromkeys(NAMES[:3], texts) | {"references": st.lists(texts, min_size=1, max_size=3)}
)
ITEM = {"topic": "T1", "system": "7", "peer": "It rained.", "references": ["Rain fell."]}
LINE = json.dumps(ITEM)


def expected(line):
    """Return what an item has, if `json` reads one from a line that has nothing else."""
    try:
        data = json.loads(line, object_pairs_hook=list)
    except ValueError:
        return None
    if not isinstance(data, list) or sorted(name for name, _ in data) != sorted(NAMES):
        return None
    found = dict(data)
    references = found["references"]
    if not isinstance(references, list) or not references:
        return None
    if not all(isinstance(text, str) for text in [*(found[n] for n in NAMES[:3]), *references]):
        return None
    read = (found["topic"], found["system"], found["peer"], tuple(references))
    try:
        json.dumps(read, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # half of a surrogate pair
        return None
    return read


@given(items, st.booleans(), st.permutations(NAMES), st.sampled_from((None, 1, "\t")))
def test_usual_items(item, ascii, order, indent):
    turned = {name: item[name] for name in order}
    line = json.dumps(turned, ensure_ascii=ascii, indent=indent)
    assert kernels.json_item(line.encode()) == expected(line)


@given(st.integers(0, len(LINE)), st.integers(0, 8), st.text('{}[]"\\,: \nu0dDeEntr', max_size=6))
@example(LINE.index("It"), 0, "\\ud83d\\ude00")
@example(LINE.index("It"), 0, "\\ude00")
@example(LINE.index("It"), 0, "\\ud83d\\u0041")
@example(LINE.index("It"), 0, "\\u00e9\\/\\b\\f\\r\\t")
@example(len(LINE) - 1, 0, ', "topic": "T1"')
@example(len(LINE) - 1, 0, ', "note": "kept out"')
@example(len(LINE), 0, "\r\n")
@example(len(LINE), 0, "x")
def test_damaged_lines(place, cut, put):
    line = LINE[:place] + put + LINE[place + cut :]
    assert kernels.json_item(line.encode()) == expected(line)


@pytest.mark.parametrize(
    "text", [b"caf\xe9", b"\xed\xa0\x80", b"\xc0\x80", b"\xf5\x80\x80\x80", b"\0"]
)
def test_invalid_utf8_or_a_control_character_is_left_to_python(text):
    assert kernels.json_item(LINE.encode().replace(b"It", text)) is None


def test_only_bytes_are_read():
    with pytest.raises(TypeError):
        kernels.json_item(LINE)
