"""`compare --gate`: decisions by intervals, exit codes, and what the documentation shows."""

import json
import re
import runpy
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pyramidion import compare
from pyramidion.cli.runtime import run
from pyramidion.errors import InputError
from support import needs_package

GATE = Path(__file__).parents[2] / "docs" / "snippets" / "gate"


def table(path, **improvements):
    """Write scores of two systems whose differences have the given means."""
    rng = np.random.default_rng(0)
    rows = []
    for measure, (mean, spread) in improvements.items():
        before = rng.normal(5, 1, 40)
        gains = rng.normal(0, 1, 40)
        after = before + mean + spread * (gains - gains.mean()) / gains.std()
        for system, values in (("old", before), ("new", after)):
            rows += [
                {"topic": f"T{n}", "system": system, "measure": measure, "value": value}
                for n, value in enumerate(values)
            ]
    frame = pd.DataFrame(rows)
    frame["kind"] = "machine"
    order = {"old": 0, "new": 1}
    frame = frame.sort_values("system", key=lambda column: column.map(order), kind="stable")
    frame.to_csv(path, index=False)
    return path


def decisions(path, **options):
    gate = compare(path, gate=True, **options).gate
    return gate, {gated.measure: gated.decision for gated in gate.measures}


@pytest.mark.parametrize(
    ("mean", "margin", "decision", "passes"),
    [
        (0.5, None, "better", True),
        (0.5, 0.1, "better", True),
        (0.0, None, "undecided", True),
        (0.0, 0.1, "undecided", False),
        (0.0, 0.5, "no worse", True),
        (-0.5, None, "worse", False),
        (-0.5, 0.1, "worse", False),
        (-0.5, 2.0, "no worse", True),
    ],
)
def test_decisions_follow_the_interval(tmp_path, mean, margin, decision, passes):
    path = table(tmp_path / "s.csv", quality=(mean, 0.6))
    gate, found = decisions(path, margin=margin)
    assert found == {"quality": decision}
    assert gate.passed is passes
    assert run(
        ["compare", str(path), "--gate", *(["--margin", str(margin)] if margin else [])]
    ) == (0 if passes else 1)


def test_improvements_are_positive_where_lower_is_better(tmp_path):
    path = table(tmp_path / "s.csv", latency=(-0.5, 0.6))
    gate, found = decisions(path, lower_is_better=["latency"])
    assert found == {"latency": "better"}
    assert gate.measures[0].difference == pytest.approx(0.5)
    losses = [after - before for _, before, after in gate.measures[0].changed[:2]]
    assert all(change > 0 for change in losses)


def test_one_bad_measure_fails_all(tmp_path):
    path = table(tmp_path / "s.csv", a=(0.5, 0.6), b=(-0.5, 0.6))
    gate, found = decisions(path)
    assert found == {"a": "better", "b": "worse"}
    assert not gate.passed
    assert "new does not pass: compared with old" in gate.conclusion


def test_intervals_are_wider_with_more_measures(tmp_path):
    alone = decisions(table(tmp_path / "1.csv", a=(0.1, 0.6)))[0].measures[0]
    many = dict.fromkeys("abcdef", (0.1, 0.6))
    first = decisions(table(tmp_path / "2.csv", **many))[0].measures[0]
    assert first.high - first.low > alone.high - alone.low


def test_the_number_of_items_would_decide(tmp_path):
    gated = decisions(table(tmp_path / "s.csv", a=(0.1, 0.6)))[0].measures[0]
    assert gated.decision == "undecided"
    # A paired t-test: n = ((1.96 + 0.84) 0.6 / 0.1)^2
    assert gated.items == pytest.approx(282, rel=0.15)


def test_equal_systems_are_no_worse(tmp_path):
    path = table(tmp_path / "s.csv", a=(0.0, 0.0))
    frame = pd.read_csv(path)
    old = frame[frame.system == "old"].value.to_numpy()
    frame.loc[frame.system == "new", "value"] = old
    frame.to_csv(path, index=False)
    with pytest.warns(match="identical|the same"):
        gate, found = decisions(path, margin=0.1)
    assert found == {"a": "no worse"}
    assert not gate.measures[0].changed


def test_json_has_the_decision(tmp_path, capsys):
    path = table(tmp_path / "s.csv", a=(0.5, 0.6))
    assert run(["compare", str(path), "--gate", "--format", "json"]) == 0
    gate = json.loads(capsys.readouterr().out)["results"][0]["gate"]
    assert gate["passed"] is True
    assert gate["decision"] == "better"
    assert len(gate["changed"]) == 10


def test_a_gate_needs_two_systems(tmp_path):
    path = table(tmp_path / "s.csv", a=(0.5, 0.6))
    frame = pd.read_csv(path)
    frame[frame.system == "old"].to_csv(path, index=False)
    with pytest.raises(InputError):
        compare(path, gate=True)


def test_a_gate_does_not_go_with_a_judge(tmp_path):
    path = table(tmp_path / "s.csv", a=(0.5, 0.6), b=(0.5, 0.6))
    with pytest.raises(InputError, match="leave out --judge, --sequential"):
        compare(path, gate=True, sequential=True)


def log(folder, name, values, *, errors=(), scorer="recall", model="m"):
    """Write a run as a log: items that failed have no score."""
    needs_package("logs")
    samples = [
        {"id": n, "epoch": 1, "input": f"question {n}", "target": "x",
         **({"error": "x", "scores": {}} if n in errors else
            {"scores": {scorer: {"value": float(value)}}})}
        for n, value in enumerate(values)
    ]  # fmt: skip
    path = folder / name
    path.mkdir(parents=True)
    data = {"status": "success", "eval": {"task": "t", "model": model}, "samples": samples}
    (path / "log.json").write_text(json.dumps(data))
    return path


def gate_of(*sources, **options):
    return compare([*sources], gate=True, **options).gate


@pytest.mark.filterwarnings("ignore::pyramidion.errors.DataWarning")
class TestUnsoundGates:
    values = np.linspace(0.2, 0.8, 20)

    def test_a_candidate_that_failed_everywhere_is_not_passed(self, tmp_path):
        base = log(tmp_path, "base", self.values)
        middle = log(tmp_path, "middle", self.values + 0.1, model="n")
        failed = log(tmp_path, "failed", self.values, errors=range(20), model="o")
        with pytest.raises(InputError, match="lacks the scores of recall"):
            gate_of(base, middle, failed)

    def test_errors_count_as_zero_in_a_second_decision(self, tmp_path):
        base = log(tmp_path, "base", self.values)
        better = self.values + np.linspace(0.1, 0.2, 20)
        candidate = log(tmp_path, "candidate", better, errors=range(10, 20))
        gate = gate_of(base, candidate)
        assert [measure.decision for measure in gate.measures] == ["better"]
        assert not gate.passed
        assert "With these as 0: candidate does not pass" in gate.conclusion

    def test_the_order_of_sources_counts_whatever_their_format(self, tmp_path):
        rows = [{"topic": str(n), "system": "old", "measure": "recall", "kind": "machine",
                 "value": v, "task": "t"} for n, v in enumerate(self.values)]  # fmt: skip
        pd.DataFrame(rows).to_csv(tmp_path / "old.csv", index=False)
        new = log(tmp_path, "new", self.values + np.linspace(0.1, 0.2, 20))
        assert gate_of(tmp_path / "old.csv", new).baseline == "old"
        assert gate_of(new, tmp_path / "old.csv").candidate == "old"

    def test_a_source_of_several_systems_is_refused(self, tmp_path):
        base = tmp_path / "base"
        log(base, "a", self.values, model="a")
        log(base, "b", self.values, model="b")
        candidate = log(tmp_path, "candidate", self.values, model="c")
        with pytest.raises(InputError, match="the first source has a, b"):
            gate_of(base, candidate)

    def test_a_test_without_intervals_is_refused(self, tmp_path):
        base, worse = log(tmp_path, "a", self.values), log(tmp_path, "b", self.values**2 / 4)
        with pytest.raises(InputError, match="kruskal gives no interval"):
            gate_of(base, worse, test="kruskal")

    def test_two_items_decide_nothing(self, tmp_path):
        base, better = log(tmp_path, "a", [0.2, 0.5]), log(tmp_path, "b", [0.3, 0.6])
        gate = gate_of(base, better, margin=0.02)
        assert [measure.decision for measure in gate.measures] == ["undecided"]
        assert not gate.passed


@pytest.fixture
def runs(tmp_path, monkeypatch):
    """Write the logs of two runs of the same model, and go to their folder."""
    needs_package("logs")
    rng = np.random.default_rng(1)
    monkeypatch.chdir(tmp_path)
    for folder, shift in (("baseline", 0.0), ("candidate", 0.4)):
        samples = [
            {"id": n, "epoch": 1, "input": f"question {n}", "target": "x",
             "scores": {"recall": {"value": float(value)}}}
            for n, value in enumerate(rng.normal(5 + shift, 0.3, 40))
        ]  # fmt: skip
        log = {"status": "success", "eval": {"task": "t", "model": "m"}, "samples": samples}
        Path(folder).mkdir()
        Path(folder, "log.json").write_text(json.dumps(log))


def test_the_command_of_the_workflow_writes_the_comment(runs):
    workflow = (GATE / "workflow.yml").read_text()
    command = re.search(r"run: pyramidion (.*)", workflow)[1]
    assert run(shlex.split(command)) == 0
    comment = Path("comment.md").read_text()
    assert "| recall ↑ | 40 |" in comment
    assert "candidate passes" in comment


def test_the_test_of_the_documentation_can_fail(runs):
    check = runpy.run_path(str(GATE / "test_no_regression.py"))["test_no_regression"]
    check()
    Path("baseline").rename("other")
    Path("candidate").rename("baseline")
    Path("other").rename("candidate")
    with pytest.raises(AssertionError, match="candidate does not pass"):
        check()


def test_a_measure_without_a_direction_does_not_decide(tmp_path):
    path = table(tmp_path / "scores.csv", quality=(0.5, 1), length=(-3.0, 1))
    result = compare(path, gate=True)
    assert [gated.measure for gated in result.gate.measures] == ["quality"]
    assert result.gate.passed
    assert any(line.startswith("length: more of it is neither") for line in result.left_out)
    for options in ({"measures": "length"}, {"lower_is_better": "length"}):
        assert "length" in decisions(path, **options)[1]
    only = table(tmp_path / "length.csv", length=(-3.0, 1))
    with pytest.raises(InputError, match="more length is neither better nor worse"):
        compare(only, gate=True)
