"""What tables, charts and file names call things."""

import math

import pytest

from pyramidion.rendering import labels


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (labels.counted(1, "topic"), "1 topic"),
        (labels.counted(1200, "topic"), "1,200 topics"),
        (labels.counted(2, "person", "people"), "2 people"),
        (labels.with_arrow("js-input", "lower"), "js-input ↓"),
        (labels.with_arrow("", "higher"), "score ↑"),
        (labels.heading_of("Ranking", "rouge-2-r", "A"), "Ranking: rouge-2-r, task A"),
        (labels.heading_of("Ranking", "", ""), "Ranking"),
        (labels.p_in_sentence(0.01234), "p = 0.0123"),
        (labels.p_in_sentence(1e-9), "p < 0.0001"),
        (labels.escape('<b title="x">'), "&lt;b title=&quot;x&quot;&gt;"),
    ],
)
def test_words(name, expected):
    assert name == expected


def test_p_values_in_little_room():
    shown = [labels.format_p(p) for p in (0.0123, 0.0004, 1.0, math.nan)]
    assert shown == [".012", "<.001", "1", "?"]


def test_long_names_lose_their_middle_unless_they_would_be_the_same():
    long = "a-system-with-a-very-long-name-and-options-v2"
    short = "a-system-with-a-ve…me-and-options-v2"
    assert labels.short_name(long) == short
    assert labels.short_names(["7", long]) == ["7", short]
    twins = [long, long.replace("ry-long", "ly-long")]
    assert labels.short_names(twins) == twins
