import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.collection.formats._rouge import SENTENCE_FORMATS, parse_sentences
from support import GOLD, shared_file

INPUTS = GOLD / "rouge_xml" / "inputs"
SENTENCES = st.lists(
    st.binary(min_size=1).filter(lambda sentence: b"\n" not in sentence and b"<" not in sentence)
)
LINES = {
    "SPL": b"%(text)s\n",
    "SEE": b'<a name="%(n)d">[%(n)d]</a> <a href="#%(n)d" id=%(n)d>%(text)s</a>\n',
    "ISI": b'<S SNTNO="%(n)d">%(text)s</S>\n',
}


@pytest.mark.parametrize("format", SENTENCE_FORMATS)
@given(SENTENCES)
def test_what_is_written_is_read(format, sentences):
    lines = (LINES[format] % {b"n": n, b"text": s} for n, s in enumerate(sentences, start=1))
    assert parse_sentences(b"".join(lines), format) == sentences


@pytest.mark.parametrize("name", ["P.1", "P.2", "P.3", "P.4", "M.A", "M.B", "M.C", "M.D"])
def test_the_same_summary_in_three_formats(name):
    # Source: README of the gold standard, "same text, other input formats".
    spl = parse_sentences((INPUTS / "t1" / f"{name}.spl").read_bytes(), "SPL")
    assert bool(spl) == (name != "P.3")
    for format in ("SEE", "ISI"):
        data = (INPUTS / f"t1_{format}" / f"{name}.html").read_bytes()
        assert parse_sentences(data, format) == spl


def test_carriage_returns_and_lines_of_blanks_stay():
    # Source: spec of ROUGE-1.5.5, 2.1; the file is t2.4 of the gold standard.
    sentences = parse_sentences((INPUTS / "t2" / "P.4.spl").read_bytes(), "SPL")
    assert sentences[0].startswith(b"   A warden")
    assert sentences[0].endswith(b".\r")
    assert sentences[1] == b"\r"
    assert sentences[4] == b"   \r"
    assert len(sentences) == 7


@pytest.mark.parametrize(
    ("format", "data", "sentences"),
    [
        ("SPL", b"", []),
        ("SPL", b"\n\n", []),
        ("SPL", b"a &amp; \x85\xff\x00\x0bb", [b"a &amp; \x85\xff\x00\x0bb"]),
        ("SEE", b'<a size="9" name="3">[3]</a>\t<a href="#3" id=3>Rain\r', [b"Rain\r"]),
        ("SEE", b'<a name="1">[1]</a> <a href="#1" id=1>Rain <b>fell</b></a>', [b"Rain "]),
        ("SEE", b'<a name="1">[1]</a> <a href="#1" id=1></a>\nRain fell.\n', []),
        ("ISI", b'<DOC>\n<S SNTNO="1,2">Rain &amp; wind</S>\r\n</DOC>', [b"Rain &amp; wind"]),
        ("ISI", b'<S SNTNO="1">Rain', []),
    ],
)
def test_odd_files(format, data, sentences):
    assert parse_sentences(data, format) == sentences


def test_all_files_of_the_gold_standard_hold_the_texts_they_were_made_from():
    texts = json.loads(shared_file("gold/rouge/inputs.json").read_text())
    for topic, groups in texts.items():
        for letter, files in (("M", groups["models"]), ("P", groups["peers"])):
            for id, text in files.items():
                path = shared_file(f"gold/rouge/inputs/{topic}/{letter}.{id}.spl")
                expected = [line for line in text.encode().split(b"\n") if line]
                assert parse_sentences(path.read_bytes(), "SPL") == expected
