"""Files of parts: equal content gives equal bytes."""

import gzip

from pyramidion.engine.parts import encode_records, write_part


def test_packed_parts_have_no_time_and_no_name(tmp_path):
    records = [{"topic": "é"}, {"topic": "b"}]
    for name in ("one.jsonl", "one.jsonl.gz", "two.jsonl.gz"):
        write_part(str(tmp_path), name, encode_records(name, records))
    packed = (tmp_path / "one.jsonl.gz").read_bytes()
    assert packed == (tmp_path / "two.jsonl.gz").read_bytes()
    # The flags, of which one says that there is a name, and the time in seconds.
    assert packed[3:8] == bytes(5)
    text = gzip.decompress(packed).decode()
    assert text == (tmp_path / "one.jsonl").read_text() == '{"topic": "é"}\n{"topic": "b"}\n'
