"""The story of `pyramidion demo`: each conclusion follows from the answer of its command."""

import io
import re
import shlex
from contextlib import redirect_stdout
from statistics import fmean

import pytest

from pyramidion.cli import ask
from pyramidion.cli._list import HEADINGS
from pyramidion.cli.runtime import run
from pyramidion.demo import Scene, tour
from pyramidion.demo import _tour as module
from pyramidion.errors import MissingExtraError
from pyramidion.rendering import Table
from pyramidion.rendering.labels import shown_p
from support import needs_package


@pytest.fixture(scope="module")
def story(tmp_path_factory):
    needs_package("studies")
    return tour(folder=tmp_path_factory.mktemp("demo") / "tour")


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
    return f"{first} leads.* {second} and {third}.* undecided.*p = {shown_p(tie.p_adjusted)}"


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
    return f"{metric} comes closest: it finds {tp} of the {tp + fn} .* and {fp} that"


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
    return f"by a person has {fmean(absent):.1f} words"


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
def test_the_conclusion_follows_from_the_answer(story, command):
    chapter = next(c for c in story if f"{c.rows[0][1]} ".startswith(f"{command} "))
    _, line, conclusion = chapter.rows[0]
    names = {path.name for path in story.folder.iterdir()}
    words = [str(story.folder / word) if word in names else word for word in shlex.split(line)]
    expected = CONCLUSIONS[command](ask(words))
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
