"""`pyramidion summarize` and `pyramidion methods` as commands."""

import csv
import io
import json
import subprocess
import sys

import pytest

from pyramidion import Collection, Summary
from pyramidion.cli import runtime
from pyramidion.collection.formats import read_collection, read_summaries
from pyramidion.demo import load_demo
from pyramidion.summarizers import all_summarizers, parse_summarizer, summarizer_names

FLOOD = """PORT LISLE (HNS) - Heavy rain flooded the harbor
road in Ardel.

The mayor spoke to a small crowd in a tent. Did anybody see it coming?
"""
REPAIR = "Workers opened the harbor road in Ardel again. Goats were sold in the town. Rain!"
FIRST = "Heavy rain flooded the harbor road in Ardel."
SECOND = "Goats were sold in the town."


@pytest.fixture
def articles(tmp_path, monkeypatch):
    folder = tmp_path / "articles"
    folder.mkdir()
    (folder / "flood.txt").write_text(FLOOD)
    (folder / "repair.txt").write_text(REPAIR)
    monkeypatch.chdir(tmp_path)
    return "articles"


@pytest.fixture
def demo(tmp_path, monkeypatch):
    load_demo().save(tmp_path / "demo")
    monkeypatch.chdir(tmp_path)
    return "demo"


def run(*arguments):
    return runtime.run(["summarize", *arguments])


def test_a_text_to_read(articles, capsys):
    assert run(articles, "--words", "16") == 0
    out, err = capsys.readouterr()
    assert out == f"{FIRST}\n{SECOND}\n"
    assert "left out: 1 sentence under 5 words\nleft out: 1 question\n" in err
    assert "\nauto: coverage(position=2.0,search=auto) for several documents\n" in f"\n{err}"
    signature = "auto|chose:coverage(position=2.0,search=auto)|words:16|fit:fill|order:source|"
    assert err.splitlines()[-1].startswith(f"{signature}tok:rouge|v")


def test_a_folder_of_parts_and_a_text_are_both_summarized(articles, tmp_path, capsys):
    (tmp_path / "parts").mkdir()
    record = {"topic": "T1", "documents": ["Snow fell in the town of Skov. All was well."]}
    (tmp_path / "parts" / "0.jsonl").write_text(json.dumps(record) + "\n")
    assert run("parts", f"{articles}/flood.txt", "--words", "10") == 0
    out, _ = capsys.readouterr()
    assert FIRST in out
    assert "Snow fell in the town of Skov." in out


def test_json_has_the_promised_keys(articles, capsys):
    assert run(articles, "--words", "16", "--format", "json") == 0
    content = json.loads(capsys.readouterr().out)
    assert list(content) == ["command", "signature", "results", "left_out"]
    [result] = content["results"]
    assert {"topic", "method", "words", "sentences", "text"} <= result.keys()
    assert (result["topic"], result["system"], result["words"]) == ("articles", "auto", 14)
    assert result["method"] == "coverage(position=2.0,search=auto)"
    assert result["text"] == "\n".join(sentence["text"] for sentence in result["sentences"])
    keys = ["text", "document", "index", "score", "rank"]
    keys += ["rewritten", "cut", "before", "replacements"]
    assert all(list(sentence) == keys for sentence in result["sentences"])
    assert not any(sentence["rewritten"] or sentence["cut"] for sentence in result["sentences"])
    places = [(sentence["document"], sentence["index"]) for sentence in result["sentences"]]
    assert places == [("flood", 0), ("repair", 1)]
    assert content["left_out"] == ["1 sentence under 5 words", "1 question"]


def test_csv_and_latex_are_tables_of_sentences(articles, capsys):
    assert run(articles, "--words", "16", "--format", "csv", "-m", "sum-avr,sum-sum") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {row["system"] for row in rows} == {"sum-avr", "sum-sum"}
    assert rows[0]["text"] == FIRST
    assert (rows[0]["document"], rows[0]["index"], rows[0]["rewritten"]) == ("flood", "0", "no")
    assert run(articles, "--words", "16", "--format", "latex") == 0
    assert r"\begin{tabular}" in capsys.readouterr().out


def test_several_topics_have_titles(demo, capsys):
    assert run(demo, "--topic", "P01,P02", "--task", "A", "--words", "40") == 0
    first, text, second, *_ = capsys.readouterr().out.split("\n\n")
    assert first == "P01 Maren Star Ferry Fire, task A"
    assert second == "P02 Tarnevik Depot Bombing, task A"
    assert 20 < len(text.split()) <= 40


def test_the_task_says_how_long(demo, capsys):
    assert run(demo, "--topic", "P01", "--format", "json") == 0
    results = json.loads(capsys.readouterr().out)["results"]
    assert [result["task"] for result in results] == ["A", "B"]
    assert all(70 < result["words"] <= 100 for result in results)


def test_no_context_says_things_again(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (
        "Heavy rain flooded the harbor road. Heavy rain fell on a harbor bridge. "
        "Workers sold some old goats."
    )
    (tmp_path / "a.txt").write_text(text)
    assert run("a.txt", "--words", "14", "--order", "chosen", "-m", "sum-avr") == 0
    assert "goats" in capsys.readouterr().out
    assert run("a.txt", "--words", "14", "--order", "chosen", "-m", "sum-avr", "--no-context") == 0
    out, err = capsys.readouterr()
    assert out.count("rain") == 2
    assert "sum-avr(context=off)|" in err


def test_fit_and_order(articles, capsys):
    assert run(articles, "--words", "11", "--fit", "truncate", "--order", "chosen") == 0
    out = capsys.readouterr().out
    assert len(out.split()) == 11
    assert not out.rstrip().endswith(".")
    assert run(articles, "--words", "11", "--fit", "stop", "--format", "json") == 0
    [result] = json.loads(capsys.readouterr().out)["results"]
    assert [sentence["rank"] for sentence in result["sentences"]] == [1]


def test_an_update_says_what_is_new(articles, capsys):
    assert (
        run(
            "articles/repair.txt",
            "--update-of",
            "articles/flood.txt",
            "--words",
            "8",
            "-m",
            "sum-avr",
        )
        == 0
    )
    generic = ["articles/repair.txt", "--words", "8", "-m", "sum-avr"]
    update = capsys.readouterr().out
    assert run(*generic) == 0
    assert capsys.readouterr().out == "Workers opened the harbor road in Ardel again.\n"
    assert update == f"{SECOND}\n"


def test_explanations(articles, capsys):
    assert run(articles, "-m", "sum-avr", "--explain", "--format", "json") == 0
    [result] = json.loads(capsys.readouterr().out)["results"]
    heaviest = [entry["word"] for entry in result["weights"][:4]]
    assert heaviest == ["rain", "harbor", "road", "ardel"]
    terms = {
        sentence["text"].split()[0]: {term["term"]: term["weight"] for term in sentence["terms"]}
        for sentence in result["sentences"]
    }
    assert terms["Heavy"]["harbor"] > 0.05
    # What another sentence said before has lost its weight.
    assert terms["Workers"]["harbor"] < 1e-3 < terms["Workers"]["opened"]
    for sentence in result["sentences"]:
        weights = terms[sentence["text"].split()[0]].values()
        assert sentence["score"] == pytest.approx(sum(weights) / len(weights))
    assert run(articles, "-m", "sum-avr", "--explain") == 0
    out = capsys.readouterr().out
    assert "initial word weights" in out
    assert "why each sentence was chosen" in out
    assert "what was rewritten" not in out


def test_csv_says_which_table_a_row_is_of(articles, capsys):
    assert run(articles, "--explain", "--format", "csv") == 0
    tables = [
        list(csv.DictReader(io.StringIO(text)))
        for text in capsys.readouterr().out.replace("\r\n", "\n").split("\n\n")
    ]
    names = {row["table"] for rows in tables for row in rows}
    assert names == {"summary", "weights", "chosen"}
    assert {(row["topic"], row["system"]) for rows in tables for row in rows} == {
        ("articles", "auto")
    }


def test_standard_input(articles):
    command = f"cat articles/*.txt | {sys.executable} -m pyramidion summarize - --words 8"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout == f"{FIRST}\n"


def test_a_terminal_gets_a_paragraph(articles):
    code = (
        "import pty, sys; sys.exit(pty.spawn([sys.executable, '-m', 'pyramidion', 'summarize', "
        "'articles', '--words', '16']) >> 8)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Ardel. Goats" in " ".join(done.stdout.split())
    assert "1 of 1" in done.stdout


def test_summarize_score_compare(demo, capsys):
    """The path of docs/summarize.md: two methods as peers, scored and compared."""
    assert run(demo, "-m", "sum-avr,sum-avr(context=off)", "-o", "mine") == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert "wrote mine: 24 summaries" in err
    peers = [s for s in read_collection("mine").summaries if s.kind == "machine"]
    assert {peer.role for peer in peers} == {"peer"}
    assert {(peer.task, peer.topic) for peer in peers} == {
        (task, f"P0{number}") for task in "AB" for number in range(1, 7)
    }
    assert all(peer.words <= 100 for peer in peers)
    assert runtime.run(["score", "mine", "-m", "rouge-2-r", "--stem", "-o", "scores.csv"]) == 0
    capsys.readouterr()
    assert runtime.run(["compare", "scores.csv", "--task", "A", "--format", "json"]) == 0
    [result] = json.loads(capsys.readouterr().out)["results"]
    means = {system["system"]: system for system in result["systems"]}
    assert means["sum-avr"]["n"] == 6
    assert means["sum-avr"]["kind"] == "machine"
    assert means["sum-avr"]["mean"] > 0.05


def test_lines_of_peers_are_next_to_the_references(demo, tmp_path, capsys):
    assert run(demo, "-o", "peers.jsonl", "--system", "mine", "--task", "A") == 0
    peers = read_summaries("peers.jsonl")
    assert [peer.system for peer in peers] == ["mine"] * 6
    assert peers[0].extra == {"method": "coverage(position=2.0,search=auto)"}
    both = (tmp_path / "demo/summaries.jsonl").read_text() + (tmp_path / "peers.jsonl").read_text()
    (tmp_path / "all.jsonl").write_text(both)
    assert runtime.run(["score", "all.jsonl", "-m", "rouge-2-r", "--format", "csv"]) == 0
    assert "A,mine,machine,rouge-2-r,0." in capsys.readouterr().out


def test_texts_become_a_collection(articles, capsys):
    assert run(articles, "-o", "mine", "--words", "16") == 0
    collection = read_collection("mine")
    assert [topic.id for topic in collection.topics] == ["articles"]
    assert [document.id for document in collection.topics[0].documents] == ["flood", "repair"]
    assert [summary.system for summary in collection.summaries] == ["auto"]


def test_a_text_gets_what_would_be_printed(articles, tmp_path, capsys):
    assert run(articles, "--words", "8", "-o", "summary.txt") == 0
    assert capsys.readouterr().out == ""
    text = (tmp_path / "summary.txt").read_text()
    assert text == f"{FIRST}\n"


def test_the_ending_says_the_form(articles, tmp_path, capsys):
    assert run(articles, "--words", "8", "-o", "x.json") == 0
    assert json.loads((tmp_path / "x.json").read_text())["results"][0]["text"] == FIRST
    assert run(articles, "--words", "8", "-o", "x.csv") == 0
    assert (tmp_path / "x.csv").read_text().startswith("task,topic,system,sentence,")
    assert run(articles, "--words", "8", "-o", "x.tex") == 0
    assert r"\begin{tabular}" in (tmp_path / "x.tex").read_text()
    assert "--format" not in capsys.readouterr().err
    assert run(articles, "--words", "8", "-o", "x.txt", "--format", "json") == 0
    assert "--format" not in capsys.readouterr().err
    assert json.loads((tmp_path / "x.txt").read_text())["command"] == "summarize"


def test_markdown_has_a_heading_for_each_summary_and_its_text(articles, tmp_path):
    assert run(articles, "--words", "16", "-m", "sum-avr,lead", "-o", "both.md") == 0
    text = (tmp_path / "both.md").read_text()
    headings = [line for line in text.splitlines() if line.startswith("#")]
    assert [heading.split()[-1] for heading in headings] == ["sum-avr", "lead"]
    assert f"\n\n{FIRST}[^1]\n{SECOND}[^2]\n\n[^1]: " in text
    assert "|" not in text.rpartition("\n\n")[0]


def test_an_ending_and_a_form_that_disagree_are_reported(articles, tmp_path, capsys):
    assert run(articles, "--words", "8", "-o", "x.json", "--format", "csv") == 0
    assert "x.json is written as csv, as --format requests\n" in capsys.readouterr().err
    assert (tmp_path / "x.json").read_text().startswith("task,topic,")
    assert run(articles, "--words", "8", "-o", "x.jsonl", "--format", "json") == 0
    assert "x.jsonl gets the summaries, regardless of --format\n" in capsys.readouterr().err
    assert read_summaries("x.jsonl")[0].plain == FIRST
    assert run(articles, "--words", "8", "-o", "mine", "--format", "table") == 0
    assert "mine gets the summaries, regardless of --format\n" in capsys.readouterr().err


def test_a_slash_makes_a_folder(articles, tmp_path, capsys):
    assert run(articles, "--words", "8", "-o", "out.v2/") == 0
    assert "wrote out.v2: 1 summary\n" in capsys.readouterr().err
    assert [summary.plain for summary in read_collection("out.v2").summaries] == [FIRST]
    (tmp_path / "there.v3").mkdir()
    assert run(articles, "--words", "8", "-o", "there.v3") == 0
    assert (tmp_path / "there.v3" / "summaries.jsonl").exists()


def test_asking_without_effect_is_reported(articles, demo, capsys):
    assert run("articles", "--focus", "guided") == 0
    err = capsys.readouterr().err
    assert "the topic has no category, or its category has no aspects\n" in err
    assert "the topic has no title or narrative: the summary has no focus\n" in err
    assert run(demo, "--focus", "guided", "--topic", "P01", "--task", "A") == 0
    assert "the topic has" not in capsys.readouterr().err
    assert run("articles", "--query", "zebra") == 0
    assert "the query has no effect" in capsys.readouterr().err


def test_one_sentence_of_several_topics_is_one(tmp_path, capsys):
    lines = [
        {"id": "T1", "documents": ["Heavy rain flooded the harbor road. Rain!"]},
        {"id": "T2", "documents": ["Heavy rain flooded the harbor road."]},
    ]
    file = tmp_path / "topics.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert run(str(file)) == 0
    note = "left out: 1 sentence: short, a question, a bare quotation, a headline, repeated or"
    assert f"{note} dependent on another\n" in capsys.readouterr().err


def test_other_languages_are_read_and_reported(tmp_path, capsys):
    file = tmp_path / "a.txt"
    file.write_text("Дождь затопил дорогу в Арделе. Дорогу в Арделе открыли снова. Козы проданы.")
    assert run(str(file), "--words", "5", "--format", "json") == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["results"][0]["text"] == "Дождь затопил дорогу в Арделе."
    assert "seems to be Russian (ru): its stop words are ignored" in err
    file.write_text("大雨淹没了港口道路。港口道路重新开放。")
    assert run(str(file)) == 0
    assert "this script has few spaces" in capsys.readouterr().err
    assert run(str(file), "--tokenizer", "rouge", "-m", "sum-avr") == 0
    assert "finds no content words" in capsys.readouterr().err


def test_little_to_summarize(tmp_path, capsys):
    file = tmp_path / "a.txt"
    file.write_text("Heavy rain flooded the harbor road.")
    assert run(str(file)) == 0
    assert capsys.readouterr().out == "Heavy rain flooded the harbor road.\n"
    assert run(str(file), "--words", "2") == 0
    out, err = capsys.readouterr()
    assert out == "Heavy rain\n"
    assert "no sentence fits in 2 words" in err


def test_an_empty_document_is_left_out(articles, tmp_path, capsys):
    (tmp_path / "articles" / "zero.txt").touch()
    assert run(articles, "--words", "8") == 0
    assert "left out: articles: document zero has no text\n" in capsys.readouterr().err


def test_a_topic_without_text_does_not_stop_the_others(tmp_path, capsys):
    lines = [
        {"id": "T1", "documents": ["Heavy rain flooded the harbor road."]},
        {"id": "T2", "documents": [""]},
    ]
    file = tmp_path / "topics.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert run(str(file), "-o", str(tmp_path / "peers.jsonl")) == 0
    assert "left out: T2: there is nothing to summarize" in capsys.readouterr().err
    assert [peer.topic for peer in read_summaries(tmp_path / "peers.jsonl")] == ["T1"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.txt"], "nowhere.txt: there is no such file or folder; check the path"),
        (["zero.txt"], "zero.txt: there is nothing to summarize; pass documents with text"),
        (["empty"], "empty: there are no texts in this folder; name a folder of texts"),
        (["image.png"], "image.png: this is not text; name a text file, UTF-8"),
        (["paper.pdf"], "paper.pdf: this is a PDF; save it as plain text first"),
        (["page.xml"], "page.xml: this is XML; remove the tags first"),
        (["latin.txt"], "latin.txt, line 1: byte 0xe9 is not UTF-8; save the file as UTF-8"),
        (["bad.jsonl"], "bad.jsonl, line 1: there is neither `text` nor `documents`"),
        (["peers.jsonl"], "peers.jsonl: there is nothing to summarize; pass articles"),
        (["articles", "articles"], "articles: this is named twice; name it once"),
        (["demo", "articles"], "demo: this is a collection, but other sources are given as well"),
        (["articles", "--update-of", "demo"], "demo: this is a collection"),
        (["articles", "--words", "0"], "words is 0; give a whole number of at least 1"),
        (["articles", "--fit", "cut"], "fit is 'cut'; choose one of stop, fill, truncate"),
        (["articles", "--order", "any"], "order is 'any'; choose one of source, "),
        (
            ["articles", "--focus", "any"],
            "focus is 'any'; choose one of generic, query, guided",
        ),
        (
            ["articles", "--focus", "generic", "--query", "fish"],
            "the focus generic and a query cannot be combined",
        ),
        (["articles", "-o", "out.v2"], "out.v2: this could be a folder or"),
        (["articles", "--tokenizer", "x"], "tokenizer is 'x'; choose one of rouge, unicode"),
        (
            ["articles", "-m", "sum-average"],
            "there is no method 'sum-average'; did you mean sum-avr",
        ),
        (["articles", "-m", "sum-avr(low=2)"], "low is 2.0"),
        (["articles", "-m", ""], "no methods were named; `pyramidion methods` lists them"),
        (["articles", "-m", "sum-avr,sum-avr"], "two systems would have the same name: 'sum-avr'"),
        (["articles", "-m", "sum-avr,sum-sum", "--system", "x"], "the same name: 'x'"),
        (["articles", "--topic", "T9"], "there is no topic 'T9'; available: articles"),
        (["articles", "--task", "A"], "there is no task 'A'; tasks: none"),
        (["demo", "-o", "demo"], "demo: this already exists; name a new folder"),
        (["demo", "-o", "new", "--system", "A"], "already has summaries by 'A'"),
        (["articles", "-o", "no/peers.jsonl"], "the folder no does not exist"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(
    arguments, message, articles, tmp_path, capsys
):
    Collection("demo", summaries=(Summary("T1", "A", "Rain.", kind="human"),)).save("demo")
    (tmp_path / "zero.txt").touch()
    (tmp_path / "empty").mkdir()
    (tmp_path / "image.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    (tmp_path / "paper.pdf").write_bytes(b"%PDF-1.7\n")
    (tmp_path / "page.xml").write_text("<?xml version='1.0'?><p>Rain.</p>")
    (tmp_path / "latin.txt").write_bytes(b"Caf\xe9")
    (tmp_path / "bad.jsonl").write_text('{"title": "Rain"}\n')
    (tmp_path / "peers.jsonl").write_text('{"topic": "T1", "system": "7", "text": "Rain."}\n')
    before = sorted(tmp_path.rglob("*"))
    assert run(*arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_interruption_leaves_nothing(articles, tmp_path, monkeypatch, capsys):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(type(parse_summarizer("coverage")), "choose", interrupt)
    before = sorted(tmp_path.rglob("*"))
    assert run(articles, "-o", "mine") == 130
    assert "Traceback" not in capsys.readouterr().err
    assert sorted(tmp_path.rglob("*")) == before


def test_methods_are_listed_and_described(capsys):
    assert runtime.run(["methods", "--format", "json"]) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    assert tuple(name for method in results for name in method["names"]) == summarizer_names()
    assert runtime.run(["methods", "sum-prod(context=off)"]) == 0
    out = capsys.readouterr().out
    assert "Options of sum-avr" in out
    assert "low, squared, off" in out
    assert runtime.run(["methods", "nothing"]) == 2
    assert "there is no method 'nothing'" in capsys.readouterr().err


@pytest.mark.parametrize("name", sorted({kind.name for kind in all_summarizers()}))
def test_formulas_can_be_read(name, capsys):
    assert runtime.run(["methods", name]) == 0
    out = capsys.readouterr().out
    assert "math::" not in out
    assert "\\" not in out


def test_the_formula_of_lexrank(capsys):
    assert runtime.run(["methods", "lexrank"]) == 0
    formula = "\n    p_i = (1 - d) / n + d Σ_(j ~ i) p_j / (|{k : k ~ j}|),\n"
    assert formula in capsys.readouterr().out
