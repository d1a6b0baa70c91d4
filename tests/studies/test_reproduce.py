"""Printed results of the papers next to ours."""

import pytest

from pyramidion.errors import InputError
from pyramidion.studies import reproduce


def test_every_entry_is_answered():
    result = reproduce(every=True)
    assert len(result) == 160
    assert sum(row.counts["values"] for row in result) >= 2538
    assert all(row.verdict for row in result)


def test_a_misprint_is_explained():
    (row,) = reproduce("nenkova-3.1")
    assert row.status == "off"
    # 3 x C(10, 2) x C(8, 4) is 9450; 9550 is printed.
    assert row.computed.values[3, 4] == 9450
    assert "9450" in row.verdict


def test_swapped_blocks_of_table_7_5():
    (row,) = reproduce("rankel-7.5")
    # The counts of pairs were searched for, so that nothing counts as reproduced.
    assert (row.status, row.counts["exact"], row.counts["open"]) == ("fitted", 0, 160)
    assert "156 of 160 printed values fit together" in row.verdict
    assert "swapped" in row.verdict


def test_unknown_names_and_missing_folders(tmp_path):
    with pytest.raises(InputError, match=r"did you mean rankel-4\.1"):
        reproduce("rankel-41")
    with pytest.raises(InputError, match="no data"):
        reproduce("rankel-4.1", data=tmp_path)


def test_pairs_of_a_score_table(tmp_path):
    lines = ["task,topic,system,kind,measure,assessor,value"]
    for topic in range(1, 11):
        for system, base in (("1", 1), ("2", 1), ("3", 5)):
            value = base + (topic % 3) * 0.01 * int(system)
            lines.append(f"A,D08{topic:02d},{system},machine,responsiveness,,{value}")
    (tmp_path / "tac2008.csv").write_text("\n".join(lines))
    (row,) = reproduce("rankel-2.1", data=tmp_path)
    assert row.basis == "data"
    assert [row.computed.values[0, column] for column in range(3)] == [10, 3, 0]
