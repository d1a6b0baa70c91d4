"""Sets of content units are called like their files, without the endings."""

import json

import pytest

from pyramidion.collection.formats import detect, read_collection

LITE = (
    "eventId,questionId,questionText,answer,author,sourceSummaryId,forUse\n"
    'D407,0,"Ice, too, melts.",Y,W1,D407.M.250.B.D,1\n'
)
ROSE = {
    "source": "Ice melts today.",
    "reference": "Ice melts now.",
    "reference_acus": ["Ice melts."],
    "count_id": 1,
    "example_id": "e1",
    "system_outputs": {"x": "Ice melts today."},
    "annotations": {"x": {"acu_labels": [1], "acu": 1.0, "normalized_acu": 1.0}},
}


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [("mine.v2.csv", LITE, "litepyramids"), ("mine.v2.jsonl", json.dumps(ROSE), "rose")],
)
def test_the_name_ends_at_the_first_period(name, text, kind, tmp_path):
    (tmp_path / name).write_text(text)
    assert detect(tmp_path / name).name == kind
    assert read_collection(tmp_path / name).name == "mine"
