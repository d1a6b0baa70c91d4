"""Standard output of ROUGE-1.5.5, byte for byte, through the command line."""

import pytest

from pyramidion.cli import runtime
from rouge.gold import RUNS, printed


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_output_is_the_scripts_byte_for_byte(run, gold, monkeypatch, capfdbinary):
    monkeypatch.chdir(gold)
    code = runtime.run(["rouge", *run.arguments])
    out, err = capfdbinary.readouterr()
    assert out == (gold / "raw" / f"{run.name}.out").read_bytes()
    # Accents are warned of; what the script prints is the same.
    messages = [line for line in err.decode().splitlines() if not line.startswith("warning: ")]
    errors = [line for line in messages if not line.endswith(": skipped")]
    assert (code, len(errors)) == ((2, 1) if run.rc else (0, 0)), messages
    assert all(line.startswith("pyramidion: ") for line in messages)


def test_the_gold_is_complete(gold):
    outputs = "".join(printed(gold, run.name) for run in RUNS if run.is_of_the_163)
    assert sum(run.is_of_the_163 for run in RUNS) == 163
    assert outputs.count(" Eval ") == 22_044
    assert outputs.count("Average_R:") + outputs.count("M_count:") == 2_525


def test_the_script_died_where_the_gold_says(gold):
    died = {run.name for run in RUNS if run.is_of_the_163 and run.rc}
    assert died == {
        "stress_s", "stress_ms", "stress_ms_l20", "stress_m_l1", "stress_ms_b150",
        "stress_ms_fB_l20",
    }  # fmt: skip
    for name in died:
        assert "ROUGE-L" in printed(gold, name)
        assert "ROUGE-W" not in printed(gold, name)
