"""The story of `pyramidion demo`: each conclusion follows from the answer of its command."""

import io
import json
import re
import shlex
from contextlib import redirect_stdout
from dataclasses import replace
from statistics import fmean
from types import SimpleNamespace

import pytest

from pyramidion.cli._list import HEADINGS
from pyramidion.cli.runtime import run
from pyramidion.demo import Scene, _scene, excerpt, tour
from pyramidion.demo import _tour as module
from pyramidion.demo._scene import Chapter
from pyramidion.errors import MissingExtraError
from pyramidion.rendering import Table
from pyramidion.rendering.labels import format_p
from support import needs_package


@pytest.fixture(scope="module")
def answers():
    """The answers that the story got, by the words of their commands."""
    return {}


@pytest.fixture(scope="module")
def story(tmp_path_factory, answers):
    needs_package("studies")
    result = tour(folder=tmp_path_factory.mktemp("demo") / "tour")
    ask = _scene.ask
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_scene, "ask", lambda words: answers.setdefault(tuple(words), ask(words)))
        list(result)
    return result


def test_every_heading_of_the_help_has_a_chapter(story):
    opening = [chapter.rows[0][0] for chapter in story if chapter.opens]
    assert sorted(opening) == sorted(HEADINGS)
    assert opening[0] == "Write summaries"
    assert opening.index("Compare systems") < opening.index("Check judges")


def test_chapters_are_played_once(story):
    assert all(again is chapter for again, chapter in zip(story, story.tables[1:], strict=True))


def column(table, name):
    return [row[table.columns.index(name)] for row in table.rows]


def named(result, name):
    return next(table for table in result.tables if table.name == name)


def summarized(result):
    table = result.tables[0]
    return f"{len(table.rows)} sentences from {len({*column(table, 'document')})} articles"


def rewritten(result):
    before, after = (result.to_dict()["results"][0]["sentences"], result[0])
    names = [r["after"] for sentence in before for r in sentence["replacements"]]
    assert all(name in str(after) for name in names)
    return ": " + ", ".join(names)


def described(result):
    tasks = result.tables[1]
    machines, people = column(tasks, "machines")[0], column(tasks, "people")[0]
    return f"{machines} machines and {people} people"


def checked(result):
    subjects = [subject.split(" ", 1)[1] for subject in column(result.tables[1], "where")]
    assert subjects == ["Iris", "Dogwood and Kapok", "Quinn"]
    return ".*".join(f"{subject}: " for subject in subjects)


def scored(result):
    machines = [row for row in result.tables[0].rows if row[2] == "machine"]
    divergence = min(machines, key=lambda row: float(row[5].split()[0]))
    return f"{machines[0][1]} by rouge-2-r and {divergence[1]} by js-input"


def by_units(result):
    [first, second] = result.tables[1].rows[:2]
    at = result.tables[1].columns.index("modified")
    return f"{first[1]}'s .* {first[at]:.2f}, .*; {second[1]}, the next, scores {second[at]:.2f}"


def missed(result):
    table = result.tables[0]
    return f"missed {len(table.rows)} of the .*: {column(table, 'label')[0]}"


def predicted(result):
    systems = column(result.tables[0], "system")
    correlation = column(result.tables[1], "pearson")[0]
    return f"{systems[0]} to be best and {systems[-1]} to be worst; .* {correlation:.2f}"


def compared(result):
    comparison = result.only
    first, second, third = (system.system for system in comparison.systems[:3])
    pairs = [pair for pair in comparison.comparisons if first in (pair.a, pair.b)]
    assert all(pair.p_adjusted < comparison.alpha for pair in pairs), "a clear winner"
    assert (first, {second, third}) == ("Hazel", {"Cedar", "Elm"})
    [tie] = (p for p in comparison.comparisons if {p.a, p.b} == {second, third})
    assert tie.p_adjusted > 0.5, "a tie"
    return f"{first} leads.* {second} and {third}.* undecided.*p = {format_p(tie.p_adjusted)}"


def compared_again(result):
    comparison = result.only
    [tie] = (p for p in comparison.comparisons if {p.a, p.b} == {"Cedar", "Elm"})
    assert tie.verdict == "equivalent", "what was undecided with Quinn"
    differing = [p for p in comparison.comparisons if p.verdict == "different"]
    return f"{len(differing)} of {len(comparison.comparisons)} pairs .* are equivalent, with"


def preferred(result):
    judges = result.tables[2]
    [leaning] = (row for row in judges.rows if row[judges.columns.index("low")] > 0.5)
    return f"{result.tables[0].rows[0][1]} leads.*{leaning[0]} prefers what is shown first"


def answered(result):
    agreement = column(result.tables[2], "agrees with others")[0]
    return f"{result.tables[0].rows[0][1]} ranks first.* {agreement:.0%} of cases"


def planned(result):
    table = result.tables[0]
    needed, pilot = column(table, "topics")[0], column(table, "pilot topics")[0]
    return f"judge {needed} topics; this evaluation had {pilot}"


def joined(result):
    table = result.tables[3]
    bias, worth = fmean(column(table, "bias")), fmean(column(table, "worth topics"))
    assert bias > 0.5, "the model is too kind"
    return re.escape(f"{bias:+.1f} off") + f".* worth {worth:.0f}\\..*{table.rows[0][0]} leads"


def correlated(result):
    tables = [table for table in result.tables if table.title.startswith("Correlation with")]
    values = {}
    for metric, cell in (row[:2] for table in tables for row in table.rows):
        values.setdefault(metric.removesuffix(" ↓"), []).append(float(cell.split()[0]))
    means = {metric: fmean(several) for metric, several in values.items()}
    best, worst = max(means, key=means.get), min(means, key=means.get)
    return f"{best} ranks .* {means[best]:.2f}.*{worst} least .{means[worst]:.2f}"


def agreed(result):
    [table] = (t for t in result.tables if t.title.startswith("Agreement"))
    metric, tp, fp, fn = (column(table, name)[0] for name in ("metric", "tp", "fp", "fn"))
    return f"{metric} comes closest: of the {tp + fn} pairs .* finds {tp}; it also finds {fp} other"


def fell_short(result):
    first, second = (column(table, "gap")[0] for table in result.tables)
    assert all(column(table, "low")[0] > 0 for table in result.tables)
    return f"by {first:.1f} in 2031 and {second:.1f} in 2032: rouge-2-r underrates people"


def doubted(result):
    consistency, severity = named(result, "consistency"), named(result, "severity")
    people = [row for row in consistency.rows if row[1] != "all"]
    worst = min(people, key=lambda row: row[consistency.columns.index("alpha")])[1]
    severe = min(severity.rows, key=lambda row: row[severity.columns.index("severity")])[1]
    assert (worst, severe) == ("Quinn", "Otto")
    return f"Doubt {worst},.*{severe} is the most severe"


def entrusted(result):
    [first, second] = named(result, "use").rows
    assert first[1:] == second[1:], "the years agree"
    good, bad = first[2], first[4]
    return f"{first[1]} may be used for {re.sub(', (?=[^,]*$)', ' and ', good)}, but not for {bad}"


def unlike(result):
    table = result.tables[0]
    absent = [row[-1] for row in table.rows if row[1] == "human"]
    return f"{fmean(absent):.1f} words of a human summary"


def misprinted(result):
    cells = " ".join(column(result.tables[0], "share found"))
    return f"{cells.count(' = ')} values .*, {cells.count(' ≠ ')} does not"


#: What the conclusion of each command says, read off the tables of its answer.
CONCLUSIONS = {
    "summarize": summarized, "rewrite": rewritten, "describe": described, "check": checked,
    "score": scored, "pyramid score": by_units, "pyramid missed": missed,
    "classy predict": predicted, "compare years.csv -m responsiveness --peers machines": compared,
    "compare years.csv -m responsiveness --peers machines --exclude": compared_again,
    "preferences": preferred,
    "checklists": answered, "power": planned, "compare years.csv --human": joined,
    "meta": correlated, "verdicts": agreed, "gap": fell_short,
    "assessors evaluation": doubted, "assessors years.csv": entrusted,
    "study likelihood": unlike, "reproduce": misprinted,
}  # fmt: skip


@pytest.mark.parametrize("command", CONCLUSIONS)
def test_the_conclusion_follows_from_the_answer(story, answers, command):
    chapter = next(c for c in story if f"{c.rows[0][1]} ".startswith(f"{command} "))
    _, line, conclusion = chapter.rows[0]
    names = {path.name for path in story.folder.iterdir()}
    words = (str(story.folder / word) if word in names else word for word in shlex.split(line))
    expected = CONCLUSIONS[command](answers[tuple(words)])
    assert re.search(expected, conclusion), f"{conclusion!r} does not say {expected!r}"


def test_a_conclusion_about_metrics_is_about_the_rows_shown(story):
    [chapter] = (c for c in story if c.rows[0][1].startswith("meta "))
    rows, conclusion = chapter.answer.rows, chapter.rows[0][2]
    means = [fmean(row[1:-1]) for row in rows]
    assert means == pytest.approx([row[-1] for row in rows])
    assert means == sorted(means, reverse=True)
    assert re.search(f"{rows[0][0]} ranks .*{means[0]:.2f}.*{rows[-1][0]} least", conclusion)
    assert chapter.answer.columns[1:3] == ("Kendall 2031", "Kendall 2032")


def test_every_chapter_has_a_conclusion_that_is_tested(story):
    assert len(story) == len(CONCLUSIONS)
    assert all(chapter.answer.rows for chapter in story)


def test_it_fits_the_terminal_and_keeps_commands_whole(story):
    for chapter in story:
        heading, command, conclusion = chapter.rows[0]
        lines = chapter.to_text(width=80).splitlines()
        [typed] = (line for line in lines if line.startswith("$ "))
        assert typed == f"$ pyramidion {command}"
        assert all(len(line) <= 80 for line in lines if line != typed), chapter
        assert lines[0].startswith(heading) == chapter.opens
        assert "".join("".join(lines).split()).endswith("→" + "".join(conclusion.split()))


def test_markdown_and_json_have_the_same(story):
    chapter = story[0]
    written = chapter.to_markdown()
    assert written.startswith("## Write summaries\n")
    assert f"```shell\npyramidion {chapter.rows[0][1]}\n```" in written
    record = chapter.to_record()
    assert list(record) == ["heading", "command", "conclusion", "question", "answer"]
    assert record["answer"] == chapter.answer.to_records()


def with_scenes(monkeypatch, *scenes):
    monkeypatch.setattr(module, "SCENES", scenes)
    monkeypatch.setattr(module, "load_plugins", lambda kind: iter(()))


def test_a_missing_package_skips_a_scene_with_a_line(monkeypatch, tmp_path):
    def fail(result):
        raise MissingExtraError("charts", extra="plot")

    with_scenes(monkeypatch, Scene("Data", "Why?", "describe collection", fail, str))
    [chapter] = tour(folder=tmp_path / "tour")
    assert chapter.rows[0][2].startswith("Skipped: charts")
    assert "pip install" in chapter.to_text(width=80)
    assert chapter.to_record()["answer"] == []


def test_without_other_packages_only_the_core_tells(monkeypatch, tmp_path):
    monkeypatch.setattr(module, "load_plugins", lambda kind: iter(()))
    scenes = {scene.command.split()[0] for scene in module._scenes()}
    assert {"summarize", "compare", "assessors"} <= scenes
    assert scenes.isdisjoint({"rewrite", "classy", "study", "reproduce"})


def test_it_is_printed_chapter_by_chapter(monkeypatch, tmp_path):
    """A scene is played when its turn comes, not before the first one is printed."""
    printed = io.StringIO()
    seen = []

    def show(result):
        seen.append(printed.getvalue())
        return Table(("topics",), ((6,),))

    scenes = [Scene("Data", why, "describe collection", show, str) for why in ("One?", "Two?")]
    with_scenes(monkeypatch, *scenes)
    with redirect_stdout(printed):
        assert run(["demo", "-o", str(tmp_path / "tour")]) == 0
    assert ["One?" in text for text in seen] == [False, True]


# Single scenes: what they cut out of an answer, and what they conclude from it


def scene(command):
    return next(scene for scene in module.SCENES if scene.command.startswith(command))


def answer(*records):
    return SimpleNamespace(to_dict=lambda: {"results": json.loads(json.dumps(records))})


def conclusion(command, *records):
    return scene(command).conclude(answer(*records))


def test_an_excerpt_has_six_rows_and_says_how_many_more_there_are():
    rows = tuple((f"s{n}", n % 2, n / 7) for n in range(8))
    table = Table(("system", "odd", "mean"), rows, title="Means", digits=5)
    whole = excerpt(replace(table, rows=rows[:6]), ("mean", "system"))
    assert (whole.columns, whole.title, whole.note) == (("mean", "system"), "", "")
    assert whole.rows == tuple((mean, system) for system, _, mean in rows[:6])
    assert whole.digits == 3
    assert excerpt(replace(table, digits=2), ("mean",)).digits == 2
    assert excerpt(replace(table, rows=rows[:7]), ("system",)).note == "... and 1 more."
    assert excerpt(table, ("system",)).note == "... and 2 more."
    assert len(excerpt(table, ("system",)).rows) == 6
    odd = excerpt(table, ("system",), rows=3, where=("odd", 1))
    assert (odd.rows, odd.note) == ((("s1",), ("s3",), ("s5",)), "... and 1 more.")


def test_a_chapter_is_at_most_100_wide():
    row = ("Data", "describe collection", "It is so.")
    columns = ("heading", "command", "conclusion")
    first = Chapter(columns, (row,), question="Why?", answer=Table(("n",), ((6,),)), opens=True)
    second = replace(first, opens=False)
    for width, expected in ((None, 100), (100, 100), (101, 100), (60, 60)):
        lines = first.to_text(width=width).splitlines()
        assert lines[0] == "Data " + "─" * (expected - 5)
        assert lines[1:4] == ["", "Why?", "$ pyramidion describe collection"]
        assert lines[-1] == "→ It is so."
        assert lines[-2] == ""
    assert second.to_text().startswith("Why?\n")
    assert "## Data" in first.to_markdown()
    assert "## Data" not in second.to_markdown()


def test_the_best_by_each_metric():
    def record(measure, system, mean, *, higher=True, kind="machine"):
        return {
            "measure": measure, "system": system, "mean": mean, "kind": kind,
            "higher_is_better": higher,
        }  # fmt: skip

    agreed = [
        record("r2", "A", 0.2), record("r2", "B", 0.3), record("r2", "P", 0.9, kind="human"),
        record("js", "A", 0.6, higher=False), record("js", "B", 0.5, higher=False),
    ]  # fmt: skip
    assert conclusion("score", *agreed) == "The best machine is B by r2 and B by js."
    third = [record("cos", "A", 0.5), record("cos", "B", 0.4)]
    assert conclusion("score", *agreed, *third) == (
        "The best machine is B by r2, B by js and A by cos: which metric is right?"
    )


def test_the_next_two_differ_up_to_the_level_itself():
    systems = [{"system": name} for name in "ABCD"]
    for p, verdict in ((0.05, "differ"), (0.0501, "are undecided")):
        pairs = [
            {"a": "A", "b": "B", "p_adjusted": 0.9, "difference": 3},
            {"a": "C", "b": "B", "p_adjusted": p, "difference": -0.25},
        ]
        record = {
            "systems": systems, "comparisons": pairs, "alpha": 0.05,
            "conclusion": "A leads. B and C follow.",
        }  # fmt: skip
        said = conclusion("compare years.csv -m responsiveness --peers machines", record)
        assert said.startswith(f"A leads. B and C, the next two, {verdict} (0.25 apart, p = .05")


def test_an_assessor_leans_if_the_interval_excludes_half():
    def record(name, low):
        return {"assessor": name, "first_low": low, "first_share": 0.75}

    judges = [record("X", 0.5), record("Y", 0.51), record("Z", 0.49)]
    said = conclusion("preferences", {"conclusion": "A leads.", "assessors": judges})
    assert said == "A leads. Y prefers what is shown first (75%)."


def test_a_plan_names_the_largest_pilot():
    pairs = [{"n": 10}, {"n": 40}, {"n": 30}]
    plan = {"comparisons": pairs, "difference": 0.3, "systems": 12, "needed": 51.0}
    assert conclusion("power", plan).endswith(
        "0.3 between 12 systems, people must judge 51 topics; this evaluation had 40."
    )


def test_metrics_are_ordered_by_their_means_over_the_years():
    def record(metric, year, value):
        other = {"level": "summary", "coefficient": "kendall", "peers": "machines", "value": 9}
        return {
            "metric": metric, "collection": year,
            "correlations": [other, {**other, "level": "system", "value": value}],
        }  # fmt: skip

    records = [
        record("low", "2031", 0.1), record("low", "2032", 0.5), record("middle", "2032", 0.4),
        record("middle", "2031", 0.4), record("high", "2031", 0.8), record("high", "2032", 0.1),
    ]  # fmt: skip
    shown = scene("meta").show(answer(*records))
    assert shown.columns == ("metric", "Kendall 2031", "Kendall 2032", "mean")
    assert [row[0] for row in shown.rows] == ["high", "middle", "low"]
    assert [row[1:3] for row in shown.rows] == [(0.8, 0.1), (0.4, 0.4), (0.1, 0.5)]
    assert shown.digits == 3
    said = conclusion("meta", *records)
    assert "high ranks machines most like people (Kendall's tau 0.45), low least (0.30)" in said


def test_a_description_may_have_one_task():
    content = {
        "tasks": [{"machines": 12, "people": 4}],
        "topics": 6,
        "summaries": 96,
        "scores": 1728,
    }
    assert conclusion("describe evaluation", content) == (
        "12 machines and 4 people summarized 6 topics for 1 task: 96 summaries, 1,728 judgments."
    )


def test_a_metric_underrates_people_only_if_all_intervals_say_so():
    def said(*lows):
        records = [
            {"gap": 1.25, "collection": str(2031 + n), "metric": "r2", "low": low}
            for n, low in enumerate(lows)
        ]
        return conclusion("gap", *records)

    assert said(0.01, 0.2).endswith("by 1.2 in 2031 and 1.2 in 2032: r2 underrates people.")
    assert said(0.01, 0.0).endswith("r2 may underrate people.")
    assert said(0.5).endswith("by 1.2 in 2031: r2 underrates people.")


def test_the_assessor_to_doubt_and_the_most_severe():
    def record(name, pairs, alpha, severity):
        return {
            "assessor": name, "pairs": pairs, "alpha": alpha, "severity": severity,
            "mean_difference": 1.5,
        }  # fmt: skip

    people = [record("X", 4, 0.9, 0.2), record("Y", 4, 0.3, 0.1), record("Z", 4, 0.7, -0.4)]
    others = [{"judge": "m"}, record("absent", 0, None, None)]
    assert conclusion("assessors evaluation", *people, *others) == (
        "Doubt Y, who scores the same summary 1.5 points apart (alpha 0.30, everybody else at "
        "least 0.70). Z is the most severe (-0.4)."
    )


def test_a_judge_may_be_used_for_what_all_data_allow():
    def record(**uses):
        return {"judge": "m", "uses": [{"use": use, "answer": yes} for use, yes in uses.items()]}

    said = conclusion(
        "assessors years.csv", {"assessor": "X"}, record(rank="yes", score="no", sort="yes"),
        record(rank="yes", score="no", sort="no"),
    )  # fmt: skip
    assert said == "m may be used for rank, but not for score and sort."
    said = conclusion("assessors years.csv", record(rank="no"))
    assert said == "m may be used for nothing, but not for rank."
