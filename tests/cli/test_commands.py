"""The commands of the ground floor, as they are typed."""

import json

import pytest

from pyramidion.cli import runtime
from pyramidion.collection import Collection, Summary, Task
from pyramidion.collection.formats import all_formats
from pyramidion.demo import load_demo


@pytest.fixture
def folder(tmp_path):
    load_demo().save(tmp_path / "demo")
    return tmp_path


def run(*arguments):
    return runtime.run([str(argument) for argument in arguments])


def test_describe_a_good_collection(folder, capsys):
    assert run("describe", folder / "demo") == 0
    out = capsys.readouterr().out
    assert "responsiveness" in out
    assert "Missing or inconsistent" not in out


def test_describe_lists_every_problem_and_says_no(tmp_path, capsys):
    summaries = (
        Summary("T1", "7", "one two three", task="A"),
        Summary("T1", "7", "again", task="A"),
        Summary("T2", "A", "four", task="A", kind="human"),
    )
    Collection("bad", tasks=(Task("A", word_limit=2),), summaries=summaries).save(tmp_path / "bad")
    assert run("describe", tmp_path / "bad", "--format", "json") == 1
    result = json.loads(capsys.readouterr().out)["results"][0]
    kinds = {problem["kind"] for problem in result["problems"]}
    assert kinds == {"duplicated summary", "no references", "summary over the limit"}


def test_convert_refuses_what_describe_reports(tmp_path, capsys):
    twice = (Summary("T1", "7", "a"), Summary("T1", "7", "b"))
    Collection("bad", summaries=twice).save(tmp_path / "bad")
    assert run("convert", tmp_path / "bad", tmp_path / "out") == 2
    assert "duplicated summary: T1, 7" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


# The demonstration has no preferences.
@pytest.mark.parametrize(
    "name", [f.name for f in all_formats() if f.write and f.name != "preferences"]
)
def test_the_demo_in_every_format(folder, name, capsys):
    suffix = {"scores": ".csv", "summaries": ".jsonl", "judged": ".jsonl"}.get(name, "")
    target = folder / f"out{suffix}"
    code = run("convert", folder / "demo", target, "--to", name, "--format", "json")
    out, err = capsys.readouterr()
    content = json.loads(out)
    assert code == 0
    assert content["results"][0]["summaries"] == 48
    assert len(content["left_out"]) == err.count("left out: ")
    again = Collection.load(target / "rouge.xml" if name == "rouge" else target)
    assert again.summaries or len(again.scores)


def test_convert_does_not_overwrite_a_folder_unless_forced(folder, capsys):
    (folder / "there").mkdir()
    (folder / "there" / "a.txt").write_text("kept")
    assert run("convert", folder / "demo", folder / "there") == 2
    assert "already exists" in capsys.readouterr().err
    assert (folder / "there" / "a.txt").read_text() == "kept"
    assert run("convert", folder / "demo", folder / "there", "--force") == 2
    assert "is not a collection" in capsys.readouterr().err
    assert run("convert", folder / "demo", folder / "demo", "--force") == 0


def test_an_unknown_format_is_named_with_those_that_exist(folder, capsys):
    assert run("convert", folder / "demo", folder / "x", "--to", "word") == 2
    assert "there is no format 'word'; available: collection, scores" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"hello world\n", "the format is not recognized"),
        (b'{"topic": "T", "system": "7", "text": "a"}\n{"topic": "T", "tex', "not JSON"),
        (b"topic,system,kind,measure,value\nT1,7,machine,m,caf\xe9\n", "not UTF-8"),
    ],
)
def test_bad_files_get_one_line(tmp_path, content, message, capsys):
    file = tmp_path / "a.jsonl"
    file.write_bytes(content)
    for command in (["describe", file], ["convert", file, tmp_path / "out"]):
        assert run(*command) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
        assert message in err
        assert "a.jsonl" in err
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


@pytest.mark.long
def test_demo_command(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("demo") == 0
    out, err = capsys.readouterr()
    assert "The Pyramidion demonstration collection" in out
    assert "pyramidion-demo/collection/" in err
    assert (tmp_path / "pyramidion-demo" / "README.txt").is_file()
