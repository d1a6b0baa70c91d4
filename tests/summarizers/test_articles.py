"""What is to be summarized, however it comes."""

import gzip
import io
import json
import os
import sys
import threading

import pytest

from pyramidion.demo import load_demo
from pyramidion.errors import FormatError, InputError, MissingExtraError
from pyramidion.summarizers import articles as _articles
from pyramidion.summarizers.articles import read_articles

SGML = """<DOC><DOCNO> APW20310412.0031 </DOCNO><TEXT><P>OSLO (AP) - Rain fell.</TEXT></DOC>
<DOC><DOCNO> APW20310413.0007 </DOCNO><TEXT><P>Roads closed.</TEXT></DOC>"""


def documents(collection):
    return {topic.id: [document.id for document in topic.documents] for topic in collection.topics}


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_text_file(tmp_path):
    [topic] = read_articles([write(tmp_path / "a.txt", "Rain fell.\r\nIt was cold.")]).topics
    assert (topic.id, topic.documents[0].id) == ("a", "a")
    assert topic.documents[0].text == "Rain fell.\nIt was cold."


def test_files_that_are_named_together_make_one_topic(tmp_path):
    files = [write(tmp_path / name, "Rain fell.") for name in ("b.txt", "a.md", "c.sgml")]
    write(files[2], SGML)
    assert documents(read_articles(files)) == {
        "articles": ["b", "a", "APW20310412.0031", "APW20310413.0007"]
    }


def test_a_folder_is_a_topic_in_natural_order(tmp_path):
    for name in ("10.txt", "9.txt", ".hidden", "image.png", "deeper/x.txt"):
        write(tmp_path / "news" / name, "Rain fell.")
    (tmp_path / "news" / "image.png").write_bytes(b"\x89PNG\0")
    collection = read_articles([tmp_path / "news"])
    assert documents(collection) == {"news": ["9", "10"]}
    assert collection.left_out == (
        f"{tmp_path / 'news' / 'image.png'}: not a text file",
        f"{tmp_path / 'news' / 'deeper'}/: a folder among text files",
    )


def test_a_folder_of_folders_is_a_topic_each(tmp_path):
    for name in ("T2/a.txt", "T10/a.txt", "T10/b.txt", "deep/T3/a.txt", ".git/x.txt"):
        write(tmp_path / "all" / name, "Rain fell.")
    ids = documents(read_articles([tmp_path / "all"]))
    assert ids == {"T2": ["a"], "T10": ["a", "b"], "deep/T3": ["a"]}
    assert list(ids) == ["T2", "T10", "deep/T3"]


def test_only_endings_of_texts_are_no_part_of_a_name(tmp_path):
    files = [write(tmp_path / name, "Rain fell.") for name in ("report.v2", "news.text")]
    zipped = tmp_path / "a.txt.gz"
    zipped.write_bytes(gzip.compress(b"Rain fell."))
    assert documents(read_articles([*files, zipped])) == {"articles": ["report.v2", "news", "a"]}


def test_files_of_one_name_are_distinguished(tmp_path):
    files = [write(tmp_path / folder / "a.txt", "Rain fell.") for folder in ("x", "y")]
    assert documents(read_articles(files)) == {"articles": [str(file) for file in files]}


def test_lines_of_documents(tmp_path):
    lines = [
        {"text": "Rain fell."},
        {"id": "x", "text": ["Roads closed.", "It was cold."], "date": "2031-04-12"},
        {"topic": "T2", "id": 7, "text": "Sun shone.", "note": 1},
    ]
    file = write(tmp_path / "a.jsonl", "\n".join(map(json.dumps, lines)))
    collection = read_articles([file])
    assert documents(collection) == {"a": ["a-1", "x"], "T2": ["7"]}
    second = collection.topic("a").documents[1]
    assert (second.text, second.date) == ("Roads closed.\n\nIt was cold.", "2031-04-12")
    assert collection.topic("T2").documents[0].extra == {"note": 1}


def test_lines_of_topics(tmp_path):
    lines = [
        {"id": "T1", "title": "Rain", "documents": [{"id": "a", "text": "Rain fell."}]},
        {"id": "T2", "documents": ["Sun shone.", "It was warm."]},
    ]
    file = tmp_path / "a.jsonl.gz"
    file.write_bytes(gzip.compress("\n".join(map(json.dumps, lines)).encode()))
    collection = read_articles([file])
    assert documents(collection) == {"T1": ["a"], "T2": ["d1", "d2"]}
    assert collection.topic("T1").title == "Rain"


def test_a_collection_is_read_as_it_is(tmp_path):
    demo = load_demo()
    demo.save(tmp_path / "demo")
    assert read_articles([tmp_path / "demo"]) == demo


def test_a_collection_is_taken_as_it_is_and_alone(tmp_path):
    demo = load_demo()
    assert read_articles([demo]) == demo
    file = write(tmp_path / "a.txt", "Rain fell.")
    with pytest.raises(InputError, match="other sources are given as well"):
        read_articles([demo, file])
    with pytest.raises(InputError, match="other sources are given as well"):
        read_articles([file], known_sources=[demo])


def test_an_update(tmp_path):
    old = write(tmp_path / "old" / "a.txt", "Rain fell.")
    new = write(tmp_path / "new" / "a.txt", "Roads opened.")
    collection = read_articles([new], known_sources=[old])
    [topic] = collection.topics
    assert [(document.id, document.set) for document in topic.documents] == [
        ("a (known)", "base"),
        ("a", "update"),
    ]
    [task] = collection.tasks
    assert task.documents == "update"
    write(tmp_path / "two" / "T1" / "a.txt", "Rain.")
    write(tmp_path / "two" / "T2" / "a.txt", "Rain.")
    with pytest.raises(InputError, match="an update has one topic"):
        read_articles([tmp_path / "two"], known_sources=[old])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Rain fell.", {"stdin": ["stdin"]}),
        (SGML, {"stdin": ["APW20310412.0031", "APW20310413.0007"]}),
        ('{"text": "Rain fell."}\n', {"stdin": ["stdin-1"]}),
        ('{"topic": "T1", "documents": ["Rain fell."]}\n', {"T1": ["d1"]}),
    ],
)
def test_standard_input(text, expected, monkeypatch):
    stream = io.TextIOWrapper(io.BufferedReader(io.BytesIO(text.encode())))
    monkeypatch.setattr(sys, "stdin", stream)
    assert documents(read_articles(["-"])) == expected


def test_a_pipe_is_read_once(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=("Rain fell.",))
    writer.start()
    [topic] = read_articles([pipe]).topics
    writer.join()
    assert topic.documents[0].text == "Rain fell."


@pytest.mark.parametrize("lines", [False, True])
def test_too_much_text_is_refused(lines, tmp_path, monkeypatch):
    monkeypatch.setattr(_articles, "MAX_TEXT_BYTES", 2**20)
    text = "Rain fell on the roads. " * 30_000
    if lines:
        file = write(tmp_path / "a.jsonl", 2 * (json.dumps({"text": text}) + "\n"))
        with pytest.raises(InputError, match="more than 1 MiB of text to summarize at once"):
            read_articles([file])
        return
    files = [write(tmp_path / f"{name}.txt", text) for name in "ab"]
    assert len(read_articles(files[:1]).topics) == 1
    with pytest.raises(InputError, match="more than 1 MiB of text to summarize at once"):
        read_articles(files)
    with pytest.raises(FormatError, match="larger than 1 MiB"):
        read_articles([write(tmp_path / "c.txt", 2 * text)])


def test_bytes_that_are_not_text_further_on(tmp_path):
    file = write(tmp_path / "a.txt", "Rain fell. " * 2000 + "\0")
    with pytest.raises(FormatError, match="this is not text"):
        read_articles([file])


PAGE = """<!DOCTYPE html><html><head><title>Rain</title></head><body><nav>Home News Sport</nav>
<div><p>We use cookies on this site.</p></div><article><h1>Rain in Ardel</h1>
<p>Heavy rain flooded the harbor road in Ardel on Monday, the mayor of the town said.</p>
<p>Goats were moved to the hills before the water came, and nobody in the town was hurt.</p>
<p>The road will stay closed until engineers have looked at the old bridge, the council decided.</p>
<p>Schools in the town are to open again on Thursday if no more rain falls in the hills by then.</p>
</article><footer><p>All rights reserved.</p></footer></body></html>"""


def test_a_web_page_is_read_without_what_surrounds_the_article(tmp_path):
    pytest.importorskip("trafilatura")
    [topic] = read_articles([write(tmp_path / "a.html", PAGE)]).topics
    [document] = topic.documents
    assert document.id == "a"
    title, first, *_, last = document.text.split("\n\n")
    assert first.startswith("Heavy rain flooded the harbor road")
    assert last.startswith("Schools in the town")
    assert title == "Rain in Ardel"
    with pytest.raises(InputError, match="there is no article on this page"):
        read_articles([write(tmp_path / "b.html", "<html><body></body></html>")])


def test_web_pages_need_an_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "trafilatura", None)
    with pytest.raises(MissingExtraError, match=r"a.html: reading HTML .*pyramidion\[html\]"):
        read_articles([write(tmp_path / "a.html", PAGE)])
