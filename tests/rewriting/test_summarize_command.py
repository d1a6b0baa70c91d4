"""`pyramidion summarize --rewrite` as a command."""

import json

import pytest

from pyramidion.cli import runtime
from pyramidion.collection.formats import read_summaries
from pyramidion.demo import load_demo
from pyramidion.questions.options import option_specs
from pyramidion.rewriting import RewriteOptions
from pyramidion.summarizers import summarize_collection
from pyramidion.summarizers._collection import SummarizeJob, SummarizeOptions


def run(*arguments):
    return runtime.run(["summarize", *map(str, arguments)])


def results(capsys, *arguments):
    assert run(*arguments, "--format", "json") == 0
    return json.loads(capsys.readouterr().out)["results"]


@pytest.fixture(autouse=True)
def demo(tmp_path, monkeypatch):
    load_demo().save(tmp_path / "demo")
    monkeypatch.chdir(tmp_path)


def test_people_are_described_where_they_first_appear(capsys):
    arguments = ("demo", "--method", "sum-avr", "--topic", "P04", "--task", "A")
    [plain] = results(capsys, *arguments)
    [summary] = results(capsys, *arguments, "--rewrite", "people")
    assert " Toll said." in plain["text"]
    assert "Samira Toll" not in plain["text"]
    assert "Samira Toll said." in summary["text"]
    assert summary["words"] <= 100
    changed = [sentence for sentence in summary["sentences"] if sentence["rewritten"]]
    assert changed
    for sentence in changed:
        text = sentence["before"]
        for change in sorted(sentence["replacements"], key=lambda change: -change["start"]):
            assert text[change["start"] : change["end"]] == change["before"]
            text = text[: change["start"]] + change["after"] + text[change["end"] :]
        assert text == sentence["text"]


def test_rewriting_can_change_what_is_chosen_later(capsys):
    """A sentence is rewritten before its words count as said: Nenkova (2006), section 4.3.1."""
    topics = [topic.id for topic in load_demo().topics]
    method = ("--method", "sum-avr")
    arguments = ("demo", *method, "--task", "A", "--topic", ",".join(topics))
    plain = results(capsys, *arguments)
    rewritten = results(capsys, *arguments, "--rewrite", "np")

    def chosen(summaries):
        return [
            [(sentence["document"], sentence["index"]) for sentence in summary["sentences"]]
            for summary in summaries
        ]

    assert chosen(plain) != chosen(rewritten)
    assert all(summary["words"] <= 100 for summary in rewritten)
    notes = [
        note for summary in rewritten for note in summary["notes"] if "unigrams are kept" in note
    ]
    assert len(notes) == len(rewritten)


def test_the_signature_and_the_peers_say_what_was_done(tmp_path, capsys):
    arguments = ("--topic", "P06", "--task", "A", "--rewrite", "people,np")
    assert run("demo", *arguments, "-o", "peers.jsonl") == 0
    [peer] = read_summaries(tmp_path / "peers.jsonl")
    assert peer.system == "auto+people+np"
    assert run("demo", *arguments, "--pipeline", "light") == 0
    assert "|rewrite:people+np|parser:light|" in capsys.readouterr().err


def test_what_was_rewritten_is_explained(capsys):
    method = ("--method", "sum-avr", "--topic", "P05", "--task", "A", "--all-sentences")
    assert run("demo", *method, "--rewrite", "people", "--explain", "--who") == 0
    out = capsys.readouterr().out
    assert "what was rewritten" in out
    assert "first mention: full name" in out
    assert "who is who" in out
    assert "Casimir Vorrin is the Tessaly Bank chairman" in out


@pytest.mark.long
def test_drawn_references_repeat_with_the_seed(capsys):
    def texts_of(seed):
        options = ("--task", "A", "--rewrite", "people", "--later", "sampled", "--seed", seed)
        return [
            summary["text"] for summary in results(capsys, "demo", *options, "--pipeline", "light")
        ]

    assert texts_of(3) == texts_of(3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--rewrite", "verbs"), "rewrite is 'verbs'; choose one of np, people"),
        (("--rewrite", "people", "--describe", "few"), "describe is 'few'"),
        (("--rewrite", "people", "--later", "never"), "later is 'never'"),
        (("--rewrite", "np", "--pipeline", "en_nothing"), "en_nothing"),
        (
            ("--phrase-weight", "average"),
            "--phrase-weight has no effect here; also give --rewrite np",
        ),
        (("--describe", "new"), "--describe has no effect here; also give --rewrite people"),
        (("--pipeline", "light"), "--pipeline has no effect here; also give --rewrite or --who"),
    ],
)
def test_bad_input_is_one_line(arguments, message, capsys):
    assert run("demo", *arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


PEOPLE = {"rewrite": "people", "pipeline": "light"}
PHRASES = {"rewrite": "np", "pipeline": "light"}
#: Another value of everything that changes a summary, and what it takes to have an effect.
OTHERWISE = {
    "rewrite": PEOPLE,
    "composition": {**PHRASES, "composition": "average"},
    "variation": {**PEOPLE, "variation": "sampled"},
    "seed": {**PEOPLE, "variation": "sampled", "seed": 1},
}
#: The parser is in the signature, `describe` takes a file, and `who` changes no summary.
OTHERS = {"pipeline", "chains", "status", "describe", "who"}


def signature_of(**options):
    options = {"topic": "P06", "task": "A", **options}
    return str(summarize_collection(load_demo(), **options).signature)


def test_every_option_is_in_the_signature():
    assert {spec.name for spec in option_specs(RewriteOptions)} == OTHERWISE.keys() | OTHERS
    signatures = {signature_of(**options) for options in OTHERWISE.values()}
    assert len({signature_of(), *signatures}) == 1 + len(OTHERWISE)


def test_a_job_is_known_by_the_content_of_its_files(tmp_path):
    options = {"rewrite": ("people",), "variation": "sampled", "chains": tmp_path / "chains.json"}
    labels = []
    for content in ("{}", "[]", "{}"):
        (tmp_path / "chains.json").write_text(content)
        job = SummarizeJob.of(SummarizeOptions(), RewriteOptions(**options))
        labels.append(job.label)
    assert labels[0] == labels[2] != labels[1]


def test_a_folder_of_parts_is_rewritten_but_nobody_is_explained(tmp_path, capsys):
    text = "Gov. Ada Ode of Ardel resigned on Monday. Ode said on Tuesday that she was ill."
    (tmp_path / "in").mkdir()
    record = json.dumps({"topic": "T1", "documents": [text]})
    (tmp_path / "in" / "part-0.jsonl").write_text(f"{record}\n")
    arguments = ("in", "--words", "8", "-m", "random(seed=1)", "--pipeline", "light", "-o", "out")
    assert run(*arguments, "--rewrite", "people") == 0
    [line] = (tmp_path / "out" / "part-0.jsonl").read_text().splitlines()
    assert json.loads(line)["system"] == "random(seed=1)+people"
    capsys.readouterr()
    assert run(*arguments, "--who") == 2
    assert "--who has no effect on a folder of parts" in capsys.readouterr().err
