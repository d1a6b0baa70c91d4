"""Names that come from files are harmless in every output, whatever they contain."""

import csv
import io
import json
import re
import sys
import unicodedata
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion import Collection
from pyramidion.cli import runtime
from pyramidion.cli.runtime import run
from pyramidion.collection import Document, Judgment, Scores, Summary, Topic
from pyramidion.collection.formats import read_scores, write_scores
from pyramidion.collection.ids import file_stem, to_spreadsheet
from pyramidion.demo import load_demo
from pyramidion.errors import visible
from pyramidion.rendering import FORMS

SYSTEMS = (
    "../../x", "=cmd|' /C calc'!A0", "\x1b[31mred", "a\u202eb", "<script>alert(1)</script>",
    "a|b", "`id`", "$x_1$ & 50%", "con", "-rf", "@sum(A1)", "'=q", "[red]x[/nope]", "\x9b31m",
    "L" * 300, "![x](http://e.org)",
)  # fmt: skip
TOPICS = ("../t", "=1+1", "\x1b]0;title\x07", "t\u2067x", "</svg><script>alert(1)</script>", "CON")
MEASURES = ("=judged", "\x1b[2Jclarity<script>alert(1)</script>")
WORDS = ["rain", "fell", "on", "oslo", "roads", "closed", "people", "stayed", "home", "river"]


def text(rng):
    return " ".join(rng.choice(WORDS, 14)).capitalize() + "."


def hostile_collection():
    """Systems, topics, people, measures and documents with such names, and texts with codes."""
    rng = np.random.default_rng(1)
    kinds = {**dict.fromkeys(SYSTEMS, "machine"), "=A": "human", "\x1b[1mB": "human"}
    quality = dict(zip(kinds, rng.normal(size=len(kinds)), strict=True))
    summaries, rows = [], []
    for topic in TOPICS:
        for name, kind in kinds.items():
            body = text(rng) + " \x1b[31m <script>alert(1)"
            summaries.append(Summary(topic, name, body, kind=kind))
            for measure in MEASURES:
                for judge in ("../k", "=L()"):
                    value = float(np.clip(np.round(3 + quality[name] + rng.normal()), 1, 5))
                    judgment = Judgment(topic, name, measure, value, kind=kind, assessor=judge)
                    rows.append(judgment)
    topics = [
        Topic(topic, title="<script>alert(1)", documents=(Document("../d", text(rng) + text(rng)),))
        for topic in TOPICS
    ]
    return Collection(
        "<script>alert(1)\x1b[31m",
        topics=tuple(topics),
        summaries=tuple(summaries),
        scores=Scores.from_judgments(rows),
    )


def hostile_pyramids():
    """The demonstration, its topics and people renamed."""
    demo = load_demo()
    names = dict(zip(demo.topic_ids, TOPICS, strict=True))
    people = dict(zip(demo.systems, SYSTEMS, strict=False))
    columns = {name: column.tolist() for name, column in demo.scores.columns.items()}
    columns["topic"] = [names[topic] for topic in columns["topic"]]
    columns["system"] = [people.get(system, system) for system in columns["system"]]
    return replace(
        demo,
        topics=tuple(replace(topic, id=names[topic.id]) for topic in demo.topics),
        summaries=tuple(
            replace(summary, topic=names[summary.topic], system=people[summary.system])
            for summary in demo.summaries
        ),
        scores=Scores(columns, demo.scores.value),
        pyramids={
            (task, names[topic]): pyramid for (task, topic), pyramid in demo.pyramids.items()
        },
    )


def save_lines(folder):
    """Write some summaries one a line, each of another topic and system."""
    machines = [summary for summary in hostile_collection().summaries if summary.kind == "machine"]
    lines = [
        {
            "topic": summary.topic,
            "system": summary.system,
            "text": f"{summary.plain} Mr. Smith \x1b[31m left.",
        }
        for summary in machines[:: len(SYSTEMS) + 1]
    ]
    (folder / "lines.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    cases = [{**line, "peer": line["text"], "references": ["Rain fell."]} for line in lines]
    (folder / "cases.jsonl").write_text("".join(f"{json.dumps(case)}\n" for case in cases))


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    hostile_collection().save(folder / "mine")
    hostile_pyramids().save(folder / "demo")
    save_lines(folder)
    return folder


COMMANDS = {
    "describe": "describe mine",
    "convert": "convert mine out.csv",
    "score": "score mine -m rouge-2",
    "compare": "compare mine --resamples 99",
    "power": "power mine --resamples 99",
    "composite": "composite mine",
    "difficulty": "difficulty mine",
    "meta": "meta mine -m rouge-1 --human =judged --resamples 99",
    "verdicts": "verdicts mine -m rouge-1 --human =judged --resamples 99",
    "assessors": "assessors mine --resamples 99",
    "summarize": "summarize mine",
    "gap": "gap mine -m rouge-1 --human =judged",
    "describe-demo": "describe demo",
    "pyramid-tiers": "pyramid tiers demo",
    "pyramid-optimal": "pyramid optimal demo",
    "pyramid-importance": "pyramid importance demo",
    "pyramid-auto": "pyramid auto demo --by similarity",
    "study-vocabulary": "study vocabulary demo",
    "study-systems": "study systems mine --resamples 100",
    "study-frequent": "study frequent-words demo",
    "pyramid-score": "pyramid score demo",
    "pyramid-missed": "pyramid missed demo",
    "pyramid-units": "pyramid units demo",
    "pyramid-pairs": "pyramid pairs demo",
    "pyramid-stability": "pyramid stability demo",
    "pyramid-match": "pyramid auto demo --match",
    "pyramid-build": "pyramid auto build demo",
    "study-classes": "study word-classes demo",
    "study-likelihood": "study likelihood demo",
    "study-units": "study content-units demo",
    "study-quality": "study quality mine",
    "study-utility": "study utility demo",
    "study-lognormal": "study lognormal demo",
    "study-references": "study references demo",
    "study-status": "study status demo",
    "classy-predict": "classy predict classy-2011/25/A/all demo",
    "rewrite": "rewrite lines.jsonl -d mine --who --explain",
    "no-metric": "metrics <script>\x1b[31m",
    "no-method": "methods <script>\x1b[31m",
    "no-model": "classy models <script>\x1b[31m",
    "refused": "compare mine -m <script>\x1b[31m",
    "no-file": "describe \x1b[31mnowhere",
}


def typed(command, folder):
    file_names = {path.name for path in folder.iterdir()}
    return [str(folder / word) if word in file_names else word for word in command.split(" ")]


def unseen(output):
    return [c for c in output if c != "\n" and unicodedata.category(c) in ("Cc", "Cs")] + [
        c for c in output if c in "\u202e\u2067"
    ]


#: Commands that parse whole collections.
LONG = {
    "pyramid-auto",
    "pyramid-build",
    "rewrite",
    "study-lognormal",
    "study-references",
    "study-status",
}


def answers(command, monkeypatch, capsys):
    """Run a command once; give its exit code, its messages, and its answer in every form."""
    printed, outputs, messages = runtime.print_result, {}, []

    def print_in_every_form(result, form, output=None, **_):
        for output_form in FORMS:
            code = printed(result, output_form)
            outputs[output_form], err = capsys.readouterr()
            messages.append(err)
        return code

    monkeypatch.setattr(runtime, "print_result", print_in_every_form)
    code = run(command)
    out, err = capsys.readouterr()
    assert outputs or not out
    return code, "".join([*messages, err]), outputs


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (name in LONG)) for name in COMMANDS]
)
def test_no_output_obeys_a_name(name, data, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code, err, outputs = answers(typed(COMMANDS[name], data), monkeypatch, capsys)
    refused = name.startswith(("refused", "no-"))
    assert code == (2 if refused else code % 2), err
    assert not unseen(err)
    assert bool(outputs) != refused
    cells = [cell for row in csv.reader(io.StringIO(outputs.pop("csv", ""))) for cell in row]
    assert not [cell for cell in cells if re.match(r"[=@\t\r]|[+-][^\d.]", cell)]
    assert not unseen(re.sub(r"[\t\r]", "", "".join(cells)))
    assert not unseen("".join(outputs.values()))
    json.loads(outputs.get("json", "{}"))
    markdown = outputs.get("markdown", "")
    assert "<script" not in markdown
    assert "](http" not in markdown


def test_rouge_obeys_no_name_on_a_terminal(data, monkeypatch, capsys):
    command = ["rouge", "-n", "1", "-d", "-a", str(data / "cases.jsonl")]
    assert run(command) == 0
    assert "\x1b[31mred ROUGE-1" in capsys.readouterr().out  # in a file as the script writes it
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert run(command) == 0
    out, err = capsys.readouterr()
    assert "\\u001b[31mred ROUGE-1" in out
    assert not unseen(out + err)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    "command",
    [
        "compare mine --resamples 99 --figures out",
        "meta mine -m rouge-1 --human =judged --resamples 99 --figures out --html page.html",
        "assessors mine --resamples 99 --figures out",
        "verdicts mine -m rouge-1 --human =judged --resamples 99 --figures out",
        "report mine -m rouge-1 --human =judged --resamples 99 -o page.html",
        "convert demo out --to ducview",
        "convert demo out",
    ],
)
@pytest.mark.long
def test_no_file_leaves_its_folder_or_runs_a_script(command, data, tmp_path, monkeypatch, capsys):
    inside = tmp_path / "a" / "b"
    inside.mkdir(parents=True)
    monkeypatch.chdir(inside)
    assert run(typed(command, data)) == 0, capsys.readouterr().err
    written = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert written
    for file in written:
        assert inside in file.parents
        assert file.name.isprintable()
        assert not re.match(r"[.-]|(con|nul)\.", file.name, re.IGNORECASE)
        if file.suffix in (".html", ".svg", ".xml"):
            content = file.read_text(encoding="utf-8")
            assert "<script>alert" not in content
            assert not unseen(content.replace("\t", ""))


@pytest.mark.parametrize(
    ("to", "message"),
    [
        ("duc", "does not fit the names of a DUC folder"),
        ("rouge", "character U+001B in '\\x1b[31mred' cannot be written as XML"),
    ],
)
def test_a_format_that_has_no_place_for_a_name_says_so(to, message, data, tmp_path, capsys):
    assert run(["convert", str(data / "mine"), str(tmp_path / "out"), "--to", to]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_name_that_is_too_long_for_a_file_is_reported(tmp_path, capsys):
    (task, _), pyramid = next(iter(load_demo().pyramids.items()))
    named = Collection("long", pyramids={(task, "x" * 300): pyramid})
    named.save(tmp_path / "s.jsonl", format="pyramids")
    assert run(["convert", str(tmp_path / "s.jsonl"), str(tmp_path / "out")]) == 2
    assert "shorten the name" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "parquet"])
def test_names_are_read_back_as_they_were(suffix, tmp_path):
    written = hostile_collection().scores
    write_scores(written, tmp_path / f"scores.{suffix}")
    assert read_scores(tmp_path / f"scores.{suffix}") == written


def test_a_collection_is_read_back_as_it_was(data):
    assert Collection.load(data / "mine") == hostile_collection()
    assert Collection.load(data / "demo") == hostile_pyramids()


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=1+1", "'=1+1"), ("@x", "'@x"), ("-rf", "'-rf"), ("'=q", "''=q"), ("\tx", "'\tx"),
        (" =1+1", "' =1+1"), ("|calc", "'|calc"), ("|difference|", "|difference|"),
        ("\n' @x", "'\n' @x"), ("\u00a0-x", "'\u00a0-x"),
        ("\uff1d1", "'\uff1d1"), (" -5 ", " -5 "), ("a|b", "a|b"), (" a", " a"),
        ("a\x1b[31m\n", "a\\u001b[31m\n"),
        ("-5", "-5"), ("+1.5e-3", "+1.5e-3"), ("a=b", "a=b"), ("'tis", "'tis"), ("", ""),
        (-5, -5), (None, None),
    ],
)  # fmt: skip
def test_formulas_are_marked_for_spreadsheets(cell, written):
    assert to_spreadsheet(cell) == written


@pytest.mark.parametrize(
    ("parts", "stem"),
    [
        (("classy/25", "", "gap"), "classy_25-gap"), (("../x",), "_x"), (("con",), "con_"),
        (("-rf",), "rf"), (("a\x1b:b",), "a__b"), (("\u202e",), "_"), (("", ""), "_"),
        (("x" * 300,), "x" * 150), (("ü" * 100,), "ü" * 75),
    ],
)  # fmt: skip
def test_names_of_files_are_ones_that_every_system_has(parts, stem):
    assert file_stem(*parts) == stem


def test_files_of_one_folder_have_names_of_their_own():
    taken = set()
    assert [file_stem(name, used_names=taken) for name in ("a/b", "A:B", "a_b")] == [
        "a_b", "A_B~2", "a_b~3",
    ]  # fmt: skip


def test_unseen_characters_are_written_out():
    assert visible("a\x1b\x9b\u202e\ud800\n", keep="\n") == "a\\u001b\\u009b\\u202e\\ud800\n"
    assert visible("Ünï 日本 x\u00a0y \u200d") == "Ünï 日本 x\u00a0y \u200d"


@given(st.text(alphabet=st.sampled_from("'=+-@|\t\r5.e a"), max_size=6))
def test_any_text_survives_a_spreadsheet(text):
    written = to_spreadsheet(text)
    assert written in (text, f"'{text}")
    assert not re.match(r"[\t\r]|\s*[=@|]", written)


@given(st.lists(st.text(max_size=40), max_size=3))
def test_any_name_gives_a_file_that_can_be_written(names):
    stem = file_stem(*names)
    assert stem.isprintable()
    assert 0 < len(stem.encode()) <= 151
    assert not set(stem) & set('/\\:*?"<>|')
    assert stem[0] not in ".-"
