"""Which lines of a part hold documents to summarize."""

import pytest

from pyramidion.engine.parts import is_topic_line


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b'{"topic": "T1", "documents": ["Rain fell."]}', True),
        (b'{"topic": "T1"}', False),
        (b'{"documents": ["Rain fell."]}', False),
        (b'[{"topic": "T1", "documents": ["Rain fell."]}]', False),
        (b'{"topic": "T1", "documents": ["Rain fell."], "system": "A"}', False),
        (b'{"topic": "T1", "documents": ["Rain fell."], "scus": []}', False),
    ],
)
def test_a_topic_has_documents_and_no_summary(line, expected):
    assert is_topic_line(line) is expected
