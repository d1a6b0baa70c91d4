"""``meta``, and the metrics on the page of ``report``, as they are typed."""

import csv
import io
import json

import numpy as np
import pytest

from pyramidion.cli import runtime
from pyramidion.collection import ScoreMatrix, Scores
from pyramidion.collection.formats.scores import write_scores
from pyramidion.demo import load_demo

TOPICS = [f"T{i}" for i in range(10)]
SYSTEMS = [*map(str, range(7)), "A", "B"]
PEOPLE = np.array([system.isalpha() for system in SYSTEMS])


@pytest.fixture
def scores(tmp_path):
    rng = np.random.default_rng(3)
    quality = np.linspace(0, 2, len(SYSTEMS)) + rng.normal(size=(len(TOPICS), len(SYSTEMS)))
    human = np.clip(np.rint(quality + 2 * PEOPLE + 2), 1, 5)
    human[4] = 3.0
    metrics = {"rouge-2-f": quality, "js-references": -quality, "length": rng.normal(size=(10, 9))}
    metrics["length"][2, 5] = np.nan
    tables = {"responsiveness": human, **metrics}
    table = Scores.concatenate(
        ScoreMatrix(values, TOPICS, SYSTEMS, PEOPLE, measure=name, task="A").to_scores()
        for name, values in tables.items()
    )
    path = tmp_path / "scores.csv"
    write_scores(table, path)
    return path


def run(*arguments):
    return runtime.run([str(argument) for argument in arguments])


def meta(scores, *more):
    return run("meta", scores, "--human", "responsiveness", "--resamples", 99, *more)


def answer(capsys, scores, *more):
    assert meta(scores, *more, "--format", "json") == 0
    return json.loads(capsys.readouterr().out, parse_constant=pytest.fail)


def test_a_collection_says_which_measures_are_turned(scores, tmp_path, capsys):
    folder = tmp_path / "year"
    folder.mkdir()
    (folder / "scores.csv").write_bytes(scores.read_bytes())
    settings = folder / "collection.toml"
    settings.write_text('name = "year"')
    plain = {result["metric"]: result for result in answer(capsys, folder)["results"]}
    settings.write_text(
        'name = "year"\n[measures.length]\nlower_is_better = true\n[measures.js-references]\n'
    )
    declared = {result["metric"]: result for result in answer(capsys, folder)["results"]}
    for name in ("length", "js-references"):
        before, after = (results[name]["correlations"][0]["value"] for results in (plain, declared))
        assert before == pytest.approx(-after)
    assert plain["rouge-2-f"]["correlations"] == declared["rouge-2-f"]["correlations"]


def test_the_contract(scores, capsys):
    content = answer(capsys, scores)
    assert set(content) == {"command", "signature", "results", "humans", "left_out", "findings"}
    assert content["command"] == "meta"
    assert [result["metric"] for result in content["results"]] == [
        "js-references", "length", "rouge-2-f",
    ]  # fmt: skip
    for result in content["results"]:
        assert set(result) >= {"human", "metric", "task", "correlations", "agreement"}
        assert (result["human"], result["task"]) == ("responsiveness", "A")
        combinations = {
            (row["level"], row["coefficient"], row["peers"]) for row in result["correlations"]
        }
        assert len(combinations) == len(result["correlations"]) == 24
        assert set(result["correlations"][0]) >= {
            "level", "coefficient", "peers", "value", "low", "high", "n",
        }  # fmt: skip
        assert set(result["agreement"]) >= {
            "tp", "fp", "fn", "tn", "accuracy", "precision", "recall", "balanced_accuracy",
            "mean_predictive_value", "direction_conflicts",
        }  # fmt: skip
    assert sorted(content["left_out"]) == [
        # Six machines say little about the spread of their means.
        "js-references, rouge-2-f, length, corrected for noise (machines only): the reliability of "
        "the metric is too low: its interval reaches 0",
        "length, corrected for noise (all peers): the reliability of the metric is too low: its "
        "interval reaches 0",
        "length, task A: 1 missing scores; pairs use shared topics",
        "length, task A: summaries with responsiveness but no score: 1; with a score but no "
        "responsiveness: 0",
    ]
    for part in ("meta(permutation)|human:responsiveness|task:A", "seed:0", "over:both", "n:99"):
        assert part in content["signature"]


def test_turned_metrics_and_undefined_topics_are_reported(scores, capsys):
    content = answer(capsys, scores)
    turned, _, rouge = content["results"]
    assert (turned["turned"], rouge["turned"]) == (True, False)
    # One is the other with the opposite sign.
    assert turned["correlations"] == rouge["correlations"]
    within = [row for row in rouge["correlations"] if row["level"] == "input"]
    assert {(row["n"], row["undefined_inputs"]) for row in within} == {(9, 1)}
    assert meta(scores) == 0
    out = capsys.readouterr().out
    assert "js-references ↓" in out
    assert "↓ lower is better, sign reversed" in out
    assert "undefined within 1 of 10 topics" in out


def test_standings_are_the_rows_of_the_matrix(scores, capsys):
    results = {result["metric"]: result for result in answer(capsys, scores)["results"]}
    standings = {
        name: {(s["level"], s["peers"]): s for s in result["standings"]}
        for name, result in results.items()
    }
    assert set(standings["length"]) == {
        (level, peers) for level in ("system", "input") for peers in ("all", "machines")
    }
    rouge, length = (standings[name]["input", "all"] for name in ("rouge-2-f", "length"))
    (forward,) = (standing for standing in rouge["against"] if standing["metric"] == "length")
    (back,) = (standing for standing in length["against"] if standing["metric"] == "rouge-2-f")
    assert forward["difference"] == -back["difference"] > 0
    assert forward["p_adjusted"] == back["p_adjusted"] <= 0.05
    assert (rouge["group"], length["group"]) == ("a", "b")
    assert (rouge["cluster"], length["cluster"]) == (1, 2)


def test_csv_has_every_correlation_and_every_pair(scores, capsys):
    assert meta(scores, "--format", "csv", "--test", "permutation,williams") == 0
    out = capsys.readouterr().out
    blocks = [list(csv.DictReader(io.StringIO(block))) for block in out.split("\n\n")]
    (pairs,) = (rows for rows in blocks if {"a", "b", "p_adjusted"} <= set(rows[0]))
    (correlations,) = (rows for rows in blocks if {"metric", "coefficient"} <= set(rows[0]))
    assert len(correlations) == 3 * 24
    assert {row["human"] for row in correlations} == {"responsiveness"}
    # Three pairs of metrics, two peer sets; permutation at two levels, Williams at one.
    assert len(pairs) == 3 * 2 * 3
    assert {row["test"] for row in pairs} == {"permutation", "williams"}


def test_latex_and_narrow_tables(scores, capsys):
    assert meta(scores, "--format", "latex") == 0
    out = capsys.readouterr().out
    assert out.count("% Correlation with responsiveness, task A") == 1
    assert out.count("% Metrics by Kendall at") == 4
    assert r"js-references $\downarrow$" in out


def test_chosen_levels_coefficients_and_peers(scores, capsys):
    options = ["--level", "global", "--coefficient", "pearson,spearman", "--peers", "machines"]
    content = answer(capsys, scores, *options, "-m", "rouge-2", "-m", "length")
    assert [result["metric"] for result in content["results"]] == ["rouge-2-f", "length"]
    standings = content["results"][0]["standings"]
    assert [(s["level"], s["coefficient"], s["peers"]) for s in standings] == [
        ("global", "pearson", "machines"),
        ("global", "spearman", "machines"),
    ]
    assert meta(scores, *options) == 0
    assert "global Pearson" in capsys.readouterr().out


@pytest.mark.parametrize("interval", ["bca", "fisher"])
def test_other_intervals(scores, capsys, interval):
    content = answer(capsys, scores, "--interval", interval, "--over", "systems", "--test", "none")
    result = content["results"][2]
    assert result["standings"] == []
    for row in result["correlations"]:
        if (interval, row["coefficient"]) == ("fisher", "tau_ap"):
            assert (row["low"], row["undefined"]) == (None, "tau_ap has no Fisher interval")
        else:
            assert row["low"] < row["value"] < row["high"]


@pytest.mark.long
def test_figures(scores, tmp_path, capsys):
    assert meta(scores, "--figures", tmp_path / "figures") == 0
    names = {path.name for path in (tmp_path / "figures").iterdir()}
    bars = {f"responsiveness-A-{level}-kendall-bars.svg" for level in ("system", "input")}
    matrices = {
        f"responsiveness-A-{level}-kendall-{peers}-permutation.svg"
        for level in ("system", "input")
        for peers in ("all", "machines")
    }
    assert names >= {*bars, *matrices, "responsiveness-A-scatter.svg"}


def test_a_page_that_fetches_nothing(scores, tmp_path, capsys):
    page = tmp_path / "meta.html"
    assert meta(scores, "--html", page) == 0
    assert f"wrote {page}" in capsys.readouterr().err
    html = page.read_text(encoding="utf-8")
    for caption in (
        "the best metrics, with intervals",
        "people are marked",
        "which metrics differ",
    ):
        assert caption in html
    for attribute in ('src="http', 'href="http', "url(http", "@import"):
        assert attribute not in html
    assert "Metrics against responsiveness, task A" in html
    assert "Deutsch" in html


def test_the_report_judges_metrics_when_asked(scores, tmp_path, capsys):
    plain, judged = tmp_path / "plain.html", tmp_path / "judged.html"
    options = ["report", scores, "-m", "responsiveness"]
    assert run(*options, "-o", plain) == 0
    assert run(*options, "--human", "responsiveness", "--metric", "length", "-o", judged) == 0
    assert "Metrics against responsiveness" not in plain.read_text(encoding="utf-8")
    html = judged.read_text(encoding="utf-8")
    assert "Which systems differ" in html
    assert "Metrics against responsiveness, task A" in html


def test_the_demonstration_collection(tmp_path, capsys):
    load_demo().save(tmp_path / "demo")
    content = answer(capsys, tmp_path / "demo", "--metric", "readability")
    assert [(r["task"], r["metric"]) for r in content["results"]] == [
        ("A", "readability"),
        ("B", "readability"),
    ]
    # There are people only, who are no machines to agree on.
    assert content["results"][0]["agreement"] is None
    assert any(
        line.startswith("agreement on significance: responsiveness, task A: 0 machines")
        for line in content["left_out"]
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--metric", "bleu"], "there is no measure 'bleu'; available: js-references"),
        (["--human", "nobody"], "there is no measure 'nobody'"),
        (["--metric", "responsiveness"], "responsiveness is the human measure"),
        (["--task", "B"], "there is no task 'B'"),
        (["--level", "summary"], "level is 'summary'; choose one of system, input, global"),
        (["--coefficient", "tau"], "coefficient is 'tau'"),
        (["--test", "sign"], "test is 'sign'"),
        (["--test", "zou", "--level", "global"], "zou is a test at system level, not global"),
        (["--over", "topics"], "over is 'topics'"),
        (["--interval", "t"], "interval is 't'"),
        (["--correction", "bonferroni"], "correction is 'bonferroni'"),
        (["--peers", "people"], "peers is 'people'"),
        (["--resamples", "5"], "5 resamples cannot show significance"),
        (["--alpha", "2"], "alpha is 2"),
        (["--figures", "f", "--figure-format", "gif"], "figure-format is 'gif'"),
    ],
)
def test_bad_options_are_one_line(scores, arguments, message, capsys):
    assert meta(scores, *arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert message in err


def test_no_human_measure(scores, capsys):
    assert run("meta", scores, "--human", "") == 2
    message = "no human measure is named; choose with --human among: responsiveness"
    assert message in capsys.readouterr().err


def test_a_table_without_metrics(tmp_path, capsys):
    table = tmp_path / "scores.csv"
    table.write_text("topic,system,kind,measure,value\nT1,7,machine,m,4\nT1,8,machine,m,5\n")
    assert run("meta", table, "--human", "m") == 2
    assert "there is no measure other than m; add scores of a metric" in capsys.readouterr().err
