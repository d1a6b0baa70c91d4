"""`pyramidion metrics` as a command."""

import csv
import io
import json

import pytest

from pyramidion.cli import runtime
from pyramidion.metrics import all_metrics


def run(*arguments):
    return runtime.run(["metrics", *arguments])


def test_the_list_names_every_metric(capsys):
    assert run() == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    assert lines[0] == "Metrics"
    for metric in all_metrics():
        names = metric.names()
        shown = (
            ", ".join(names) if len(names) <= 7 else f"{names[0]}, {names[1]}, ... ({len(names)})"
        )
        (line,) = [line for line in lines if line.startswith(f" {shown} ")]
        assert metric.title in line
        assert metric.summary in line
        assert metric.better() in line
    assert lines[-1].startswith("metrics|v")


def test_csv_has_one_row_a_metric(capsys):
    assert run("--format", "csv") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == len(all_metrics())
    by_name = {row["metric"]: row for row in rows}
    assert by_name["bleu"]["needs"] == "references"
    assert by_name["js-input"] == {
        "metric": "js-input",
        "title": "Jensen-Shannon divergence from the input",
        "needs": "documents",
        "better is": "less",
        "range": "0 to 1",
        "weaknesses": "affected by copying",
        "what it measures": "divergence of the word distributions of summary and input",
        "source": "Louis and Nenkova 2013",
    }


def test_json_has_everything(capsys):
    assert run("--format", "json") == 0
    content = json.loads(capsys.readouterr().out)
    assert content["command"] == "metrics"
    bleu = next(result for result in content["results"] if result["name"] == "bleu")
    assert bleu["names"] == ["bleu"]
    assert bleu["needs"] == ["references"]
    assert bleu["higher_is_better"] is True
    assert bleu["options"][0] == {
        "name": "n", "default": 4, "choices": [], "min": 1, "max": 9,
        "help": "the longest n-grams",
    }  # fmt: skip
    assert bleu["documentation"].startswith("BLEU: the geometric mean of n-gram precisions")
    assert ">>>" not in bleu["documentation"]


def test_a_narrow_terminal_gets_fewer_columns():
    from pyramidion.metrics import describe_metrics

    text = describe_metrics().render("table", width=80)
    header = text.splitlines()[2].split("  ")
    assert [word.strip() for word in header if word.strip()] == [
        "metric", "needs", "better is", "what it measures",
    ]  # fmt: skip


def test_one_metric_with_its_options_and_documentation(capsys):
    assert run("bleu") == 0
    out, _ = capsys.readouterr()
    assert "precision of n-grams, with a penalty for brevity" in out
    assert "Papineni et al. 2002" in out
    assert "An n-gram counts at most as often as in the reference" in out
    assert ":math:" not in out
    (row,) = [line for line in out.splitlines() if line.startswith(" smooth ")]
    assert row.split()[:3] == ["smooth", "on", "on,"]


def test_a_function_in_a_file_is_described(capsys, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text('def share(summary, references):\n    """Share of words."""\n    return 1.0\n')
    assert run(f"{path}:share") == 0
    out = capsys.readouterr().out
    assert "Share of words." in out
    assert [line.split() for line in out.splitlines() if " needs " in line] == [
        ["needs", "references"]
    ]
    assert "not measured" in out


def test_any_member_of_rouge_describes_the_family(capsys):
    for name in ("rouge-2", "su4-r", "rouge-w-3(stem)"):
        assert run(name, "--format", "json") == 0
        (result,) = json.loads(capsys.readouterr().out)["results"]
        assert result["name"] == "rouge"
        assert "rouge-su4" in result["names"]
        options = {option["name"]: option for option in result["options"]}
        assert "measure" not in options
        assert options["words"]["default"] is None
        assert options["models"]["choices"][:2] == ["average", "best"]


@pytest.mark.parametrize("form", ["table", "json", "csv", "latex"])
def test_every_form_of_every_metric(form, capsys):
    for metric in all_metrics():
        assert run(metric.names()[0], "--format", form) == 0
        assert metric.title in capsys.readouterr().out or form == "latex"


def test_an_unknown_name_is_one_line(capsys):
    assert run("roge-2") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("pyramidion: there is no metric 'roge-2'; did you mean rouge-")
    assert err.count("\n") == 1


def test_the_list_can_be_written_to_a_file(tmp_path, capsys):
    target = tmp_path / "metrics.csv"
    assert run("--format", "csv", "-o", str(target)) == 0
    assert capsys.readouterr().err == f"wrote {target}\n"
    assert target.read_text().startswith("metric,title,needs")
