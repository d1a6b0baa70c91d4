"""The writer: a language model behind HTTP that invents facts, and the guard that finds them."""

import json
import re
import signal
import subprocess
import sys
import threading
from dataclasses import replace

import pytest

from collection.refusals import refusal
from judges.test_judge import Server, content
from pyramidion.cli import runtime
from pyramidion.collection import Collection, Document, Task, Topic
from pyramidion.errors import InputError
from pyramidion.rewriting import rewrite
from pyramidion.summarizers import (
    LanguageModelWriter,
    Limit,
    Source,
    WriterOptions,
    guard_summary,
    parse_summarizer,
    summarize,
    summarize_collection,
)
from support import small_language_model

FLOOD = (
    "ARDEL, Nov. 3 (HNS) - Heavy rain flooded the harbor road in Ardel on Monday, and 42 families "
    'left their homes. Mayor Ida Lind opened the school as a shelter. "Nobody will sleep outside '
    'tonight," Lind said. The road had last been flooded in 2009. Repairs will cost about 3 '
    "million crowns."
)
FERRIES = (
    "Ferries between Ardel and Skov were cancelled for two days after the storm. The company "
    "Norlinje said that 1,200 passengers were rebooked. Its director, Per Holm, called the storm "
    "the worst in ten years."
)
FAITHFUL = (
    "Rain flooded Ardel's harbor road on Monday, and 42 families had to leave. [d1:1]",
    "Lind, the mayor, turned the school into a shelter [d1:2].",
    'She promised that "nobody will sleep outside tonight". [d1:3]',
    "The repairs of the road will cost some 3,000,000 crowns (d1:5).",
    "Norlinje rebooked 1200 passengers, as no ferries went to Skov for 2 days. [d2:1-2]",
    "According to Per Holm, it was the worst storm in 10 years. [d2:1, 3]",
    "The last flood on the road was in 2009. [D1:4]",
    "Ferries from Skov to Ardel were cancelled after the storm. [d2:1]",
)
INVENTED = (
    "Prime Minister Stoltenberg visited Ardel. [d1:1]",
    "The repairs will cost 17 million crowns. [d1:5]",
    "Holm said that 8,400 passengers were waiting in Lerum. [d2:2]",
    'Lind said that "the government has failed the people of the coast". [d1:3]',
)


@pytest.fixture
def server():
    running = Server()
    thread = threading.Thread(target=running.serve_forever, args=(0.01,))
    thread.start()
    yield running
    running.shutdown()
    running.server_close()
    thread.join()


def says(server: Server, text: str, again: str = "") -> None:
    """Let the server answer with a text, and with another one to the second question."""

    def behave(handler, number, body):
        is_again = "<sentences>" in body["messages"][1]["content"]
        return handler.send(200, content(again if is_again else text))

    server.behave = behave


def written(server, path, text=None, texts=(FLOOD, FERRIES), *, again="", words=200, **options):
    if text is not None:
        says(server, text, again)
    options = WriterOptions(answers=path / "answers.jsonl", **options)
    writer = LanguageModelWriter(url=server.url, options=options)
    return summarize(list(texts), method=writer, words=words)


def test_invented_facts_go_and_faithful_paraphrases_stay(server, tmp_path):
    """Every fifth sentence is invented; the sentences of the answer keep their order."""
    lines = [*FAITHFUL[:4], INVENTED[0], *FAITHFUL[4:], INVENTED[1], *FAITHFUL[:4], INVENTED[2],
             *FAITHFUL[4:], INVENTED[3]]  # fmt: skip
    extract = written(server, tmp_path, "\n".join(lines))
    faithful = [re.sub(r"\s*[\[(][dD].*?[\])]", "", line) for line in (*FAITHFUL, *FAITHFUL)]
    assert [sentence.text for sentence in extract.sentences] == faithful
    assert [item.outcome for item in extract.guard.failed] == ["dropped"] * 4
    kinds = [{span.kind for span in item.spans} for item in extract.guard.failed]
    assert kinds == [{"name"}, {"number"}, {"name", "number"}, {"quotation"}]
    assert extract.guard.lines() == [
        "4 of 20 sentences have facts that are not in the documents (2 names, 2 numbers, 1 "
        "quotation): 4 dropped",
        f"1 answer by the model (1 new): 100 tokens in, 10 out; kept in {tmp_path}/answers.jsonl",
    ]


class TestCitations:
    def test_all_forms_are_read(self, server, tmp_path):
        extract = written(server, tmp_path, "\n".join(FAITHFUL))
        cited = [sentence.citations for sentence in extract.sentences]
        assert cited[:4] == [(("1", 0),), (("1", 1),), (("1", 2),), (("1", 4),)]
        assert cited[4:] == [(("2", 0), ("2", 1)), (("2", 0), ("2", 2)), (("1", 3),), (("2", 0),)]
        assert extract.notes == ()

    def test_what_does_not_exist_or_does_not_support_is_noted(self, server, tmp_path):
        text = "Lind opened the school. [d1:9]\nThe storm was the worst in ten years. [d1:1]"
        extract = written(server, tmp_path, text)
        assert "cited, but not in the documents: 1 sentence" in extract.notes
        assert "without citations: 1 sentence" in extract.notes
        [line] = [line for line in extract.guard.lines() if "where cited" in line]
        assert line == "1 sentence: the facts are in the documents, but not where cited"

    def test_a_model_that_ignores_the_format_is_still_checked(self, server, tmp_path):
        text = (
            "<think>They want a summary of 2 texts.</think>\n# Summary\n**Lind** opened the school "
            "[1]. Per Holm met Stoltenberg [2, 3]. Rain flooded the harbor road."
        )
        extract = written(server, tmp_path, text)
        assert extract.text == "Lind opened the school.\nRain flooded the harbor road."
        assert extract.notes == (
            "the model gave no citations: sentences are checked against all documents",
            "headings in the answer, left out: 1",
        )

    def test_they_are_shown_on_request(self, server, tmp_path, monkeypatch, capsys):
        monkeypatch.chdir(tmp_path)
        says(server, "\n".join([FAITHFUL[0], INVENTED[0], FAITHFUL[4]]))
        (tmp_path / "flood.txt").write_text(FLOOD)
        (tmp_path / "ferries.txt").write_text(FERRIES)
        method = ["-m", f"llm(url={server.url})", "--citations"]
        assert runtime.run(["summarize", "flood.txt", "ferries.txt", *method]) == 0
        out, err = capsys.readouterr()
        assert out == (
            "Rain flooded Ardel's harbor road on Monday, and 42 families had to leave. [flood:1]\n"
            "Norlinje rebooked 1200 passengers, as no ferries went to Skov for 2 days. "
            "[ferries:1][ferries:2]\n"
        )
        assert "1 of 3 sentences has facts that are not in the documents (1 name): 1 dropped" in err
        assert "kept in llm-tiny-model.jsonl" in err
        assert server.url not in err
        arguments = ["summarize", "flood.txt", "-m", "lead", "--words", "20", "--citations"]
        assert runtime.run(arguments) == 0
        assert capsys.readouterr().out.endswith("left their homes. [flood:1]\n")


class TestUnsupported:
    TEXT = f"{FAITHFUL[0]}\n{INVENTED[1]}\n{INVENTED[0]}"

    def test_the_model_is_asked_again_with_what_failed(self, server, tmp_path):
        again = "1. The repairs will cost 3 million crowns. [d1:5]\n2. Stoltenberg came. [d1:1]"
        extract = written(server, tmp_path, self.TEXT, again=again, on_unsupported="ask")
        assert len(extract.sentences) == 2
        assert extract.sentences[1].text == "The repairs will cost 3 million crowns."
        assert extract.sentences[1].citations == (("1", 4),)
        assert [item.outcome for item in extract.guard.failed] == ["rewritten", "dropped"]
        asked = server.asked[1]["messages"][1]["content"]
        assert "1. The repairs will cost 17 million crowns. (not in the documents: number" in asked
        assert "2. Prime Minister Stoltenberg visited Ardel. (not in the documents: name" in asked
        assert extract.guard.spent.answers == 2

    def test_the_best_sentence_of_the_documents_replaces_it(self, server, tmp_path):
        extract = written(server, tmp_path, self.TEXT, on_unsupported="extract")
        sentences = extract.sentences
        assert sentences[1].text == "Repairs will cost about 3 million crowns."
        assert not sentences[1].rewritten
        assert len({sentence.text for sentence in sentences}) == 3
        assert all(sentence.text in FLOOD + FERRIES for sentence in sentences[1:])

    def test_what_is_allowed_passes(self, server, tmp_path):
        extract = written(server, tmp_path, self.TEXT, allow=("Stoltenberg", "17 million"))
        assert len(extract.sentences) == 3

    def test_where_nothing_passes_sentences_are_extracted(self, server, tmp_path):
        extract = written(server, tmp_path, "\n".join(INVENTED))
        assert "no sentence of the model passed, so sentences are extracted" in extract.notes
        assert all(sentence.text in FLOOD + FERRIES for sentence in extract.sentences)


class TestTasks:
    def test_words_are_limited(self, server, tmp_path):
        extract = written(server, tmp_path, "\n".join(FAITHFUL), words=25)
        assert extract.words <= 25
        assert any(note.startswith("left out to stay within 25 words") for note in extract.notes)
        assert "at most 25 words" in server.asked[0]["messages"][1]["content"]
        extract = written(server, tmp_path, words=5)
        assert (extract.words, extract.sentences[0].cut) == (5, True)

    def test_updates_and_queries(self, server, tmp_path):
        says(server, "The storm came after 42 families in Ardel had left. [d1:1]")
        topic = Topic("T1", title="Which ferries?", documents=(
            Document("a", FLOOD), Document("b", FERRIES, set="update"),
        ))  # fmt: skip
        collection = Collection("c", tasks=(Task("B", documents="update"),), topics=(topic,))
        method, answers = f"llm(url={server.url})", tmp_path / "a.jsonl"
        [summary] = summarize_collection(collection, method=method, answers=answers)
        prompt = server.asked[0]["messages"][1]["content"]
        assert "<question>\nWhich ferries?\n</question>" in prompt
        assert "leave out what the reader already knows" in prompt
        assert "[d1:1] Ferries between" in prompt
        assert "Heavy rain flooded" in prompt.split("<known_to_the_reader>")[1].split("</")[0]
        # What the reader knows is not invented.
        assert summary.extract.guard.failed == ()
        assert server.asked[0]["seed"] == 0
        # What the reader knows takes a part of the room for documents, 400 characters.
        buses = " Buses run every ten minutes. Taxis take passengers from Skov for free until May."
        trains = " No train has left Ardel since Tuesday, and the railway expects repairs of weeks."
        long = Document("b", FERRIES + buses + trains, set="update")
        topic = replace(topic, documents=(topic.documents[0], long))
        method = f"llm(url={server.url},context=100)"
        summarize_collection(replace(collection, topics=(topic,)), method=method, answers=answers)
        prompt = server.asked[1]["messages"][1]["content"]
        shown = re.findall("<(?:known_to_the_reader|document).*?>\n(.*?)\n</", prompt, re.DOTALL)
        assert 350 < sum(map(len, shown)) < 410

    def test_summaries_are_rewritten(self, server, tmp_path):
        says(server, "Lind opened the school. [d1:2]\nStoltenberg was there. [d1:2]")
        extract = summarize(
            [FLOOD], method=LanguageModelWriter(
                url=server.url, options=WriterOptions(answers=tmp_path / "a.jsonl"),
            ), rewrite="people", words=50,
        )  # fmt: skip
        assert extract.text == "Mayor Ida Lind opened the school."
        assert extract.sentences[0].citations == (("1", 1),)
        assert len(server.asked) == 1

    def test_long_documents_are_extracted(self, server, tmp_path):
        texts = [" ".join(f"Person{n} of Town{k} sold {n} goats." for n in range(200))
                 for k in range(3)]  # fmt: skip
        source = Source.of_texts(texts)
        writer = LanguageModelWriter(url=server.url, context=1000)
        prompt, notes = writer.prompt(source, Limit(100))
        assert 2000 < len(prompt.text) < 4500
        assert re.fullmatch(r"the model gets the best \d+ of 600 sentences", notes[0])

    def test_the_address_is_not_part_of_the_name(self):
        assert str(parse_summarizer("llm(model=m,url=http://localhost:1/v1)")) == "llm(model=m)"


class TestPaidOnce:
    COLLECTION = Collection("c", topics=tuple(
        Topic(f"T{n}", documents=(Document(f"d{n}", FLOOD), Document(f"e{n}", f"{FERRIES} {n}")))
        for n in range(4)
    ))  # fmt: skip

    def run(self, server, path, **options):
        method = f"llm(model=m,url={server.url})"
        return summarize_collection(
            self.COLLECTION, method=method, answers=path / "a.jsonl", **options
        )

    def test_answers_are_not_asked_for_twice(self, server, tmp_path):
        says(server, "\n".join(FAITHFUL))
        first = self.run(server, tmp_path, price_input=1000.0)
        assert len(server.asked) == 4
        again = self.run(server, tmp_path)
        assert len(server.asked) == 4
        assert [s.text for s in again] == [s.text for s in first]
        record = first.to_dict()["results"][0]
        guard = {name: record["guard"][name] for name in ("checked", "failed", "cost")}
        assert guard == {"checked": 8, "failed": 0, "cost": 0.1}
        assert record["sentences"][0]["citations"] == [{"document": "d0", "index": 0}]
        # Another limit is another question.
        self.run(server, tmp_path, words=20)
        assert len(server.asked) == 8

    def test_a_server_that_fails_ends_the_run_and_what_was_paid_for_stays(self, server, tmp_path):
        def behave(handler, number, body):
            status, reply = (404, {}) if number > 2 else (200, content(FAITHFUL[0]))
            return handler.send(status, reply)

        server.behave = behave
        error = refusal(InputError, self.run, server, tmp_path, parallel=1)
        assert "2 of 4 questions were not answered" in error
        assert "2 answers are stored" in error
        says(server, FAITHFUL[0])
        assert len(self.run(server, tmp_path)) == 4
        assert len(server.asked) == 5

    def test_a_dry_run_asks_nothing(self, server, tmp_path):
        result = self.run(server, tmp_path, dry_run=True, price_output=1.0)
        assert server.asked == []
        assert len(result) == 4
        assert "[d1:1] Heavy rain" in str(result)
        assert result.tables[-1].rows[0][1] == 4

    @pytest.mark.long
    def test_killed_in_the_middle_nothing_is_lost_or_asked_twice(self, server, tmp_path):
        third, hold = threading.Event(), threading.Event()

        def behave(handler, number, body):
            if number != 3:
                return handler.send(200, content(FAITHFUL[0]))
            third.set()
            return hold.wait(30)

        server.behave = behave
        self.COLLECTION.save(tmp_path / "mine", format="collection")
        command = [sys.executable, "-m", "pyramidion", "summarize", str(tmp_path / "mine"), "-m",
                   f"llm(model=m,url={server.url})", "--parallel", "1", "--answers",
                   str(tmp_path / "a.jsonl")]  # fmt: skip
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert third.wait(60)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        hold.set()
        assert len((tmp_path / "a.jsonl").read_text().splitlines()) == 2
        assert subprocess.run(command, capture_output=True, check=True).stdout.count(b"42") == 4
        # Two were paid for before, one was lost by the kill, and two were left.
        assert len(server.asked) == 5


class TestBadInput:
    def test_no_model(self, tmp_path, monkeypatch, capsys):
        monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
        (tmp_path / "a.txt").write_text(FLOOD)
        for method, message in (
            ("llm", "no language model is configured"),
            ("llm(url=localhost)", "llm: url is 'localhost'"),
        ):
            assert runtime.run(["summarize", str(tmp_path / "a.txt"), "-m", method]) == 2
            error = capsys.readouterr().err
            assert message in error
            assert error.count("\n") == 1

    @pytest.mark.parametrize(
        ("reply", "message"),
        [
            (content(""), "the model's answer is empty; try another model or seed"),
            (content("Here is the summary:"), "the model's answer is empty"),
            (content("", finish_reason="length"), "it ended at max_tokens; allow more"),
            (content("", message={"refusal": "No."}), "the model refused to answer"),
        ],
    )
    def test_an_empty_answer(self, server, tmp_path, reply, message):
        server.behave = lambda handler, number, body: handler.send(200, reply)
        assert message in refusal(InputError, written, server, tmp_path)

    def test_no_documents(self, server, tmp_path):
        message = refusal(InputError, written, server, tmp_path, "Rain.", texts=())
        assert message == "there is nothing to summarize; pass documents with text"
        error = refusal(InputError, guard_summary, "Rain fell.", [])
        assert error == "there are no documents to check against; pass the source texts"

    def test_options_without_effect(self, tmp_path, capsys):
        (tmp_path / "a.txt").write_text(FLOOD)
        assert runtime.run(["summarize", str(tmp_path / "a.txt"), "--allow", "Oslo"]) == 2
        assert "--allow has no effect on methods other than llm" in capsys.readouterr().err
        arguments = ["summarize", str(tmp_path / "a.txt"), "-m", "llm", "--engine", "cores"]
        assert runtime.run(arguments) == 2
        assert "llm works neither on a folder of parts nor with" in capsys.readouterr().err


class TestOtherSummaries:
    TEXT = "Lind opened the school. Stoltenberg resigned.\n\nFerries were cancelled for 2 days."

    def test_summaries_written_elsewhere(self):
        report = guard_summary(self.TEXT, [FLOOD, FERRIES])
        assert [item.outcome for item in report.checked] == ["passed", "dropped", "passed"]
        assert guard_summary(self.TEXT, [FLOOD, FERRIES], allow=["Stoltenberg"]).failed == ()
        [item] = guard_summary(self.TEXT, [FLOOD, FERRIES], on_unsupported="extract").failed
        assert item.used.text in FLOOD + FERRIES

    def test_a_sentence_without_known_words_blocks_no_replacement(self):
        text = "Everyone applauded loudly. Stoltenberg resigned."
        [item] = guard_summary(text, [FLOOD, FERRIES], on_unsupported="extract").failed
        assert item.outcome == "replaced"

    def test_rewrite_has_the_same_guard(self, tmp_path):
        (tmp_path / "s.txt").write_text(self.TEXT)
        (tmp_path / "a.txt").write_text(f"{FLOOD} {FERRIES}")
        summary, documents = tmp_path / "s.txt", tmp_path / "a.txt"
        [checked] = rewrite(summary, documents=documents, rewrite=(), guard=True)
        assert checked.text == "Lind opened the school. Ferries were cancelled for 2 days."
        [both] = rewrite(summary, documents=documents, guard=True)
        assert both.text.startswith("Mayor Ida Lind opened the school.")
        assert both.record()["guard"]["failed"] == 1
        summary.write_text("Stoltenberg resigned.")
        error = refusal(InputError, rewrite, summary, documents=documents, guard=True)
        assert error.startswith("every sentence has facts that are not in the documents")
        error = refusal(InputError, rewrite, summary, documents=documents, allow="Stoltenberg")
        assert "has no effect on rewriting without --guard" in error


def test_documents_in_a_language_that_the_checks_do_not_read_are_named():
    german = (
        "Am Montag fiel in der Stadt viel Regen. Der Bürgermeister hat deshalb drei Brücken "
        "geschlossen, und die Schulen blieben wegen der Gefahr geschlossen."
    )
    report = guard_summary("In der Stadt fiel viel Regen.", [german])
    assert report.lines()[1].startswith(
        "the checks only support English, but the documents are German"
    )
    assert report.record()["unread_languages"] == ["German"]
    assert guard_summary("It rained.", [FLOOD]).unread_languages == ()


@pytest.mark.long
def test_a_small_language_model(tmp_path):
    running = small_language_model()
    writer = LanguageModelWriter(
        url=f"{running.listening_address}/v1", max_tokens=200,
        options=WriterOptions(answers=tmp_path / "a.jsonl"),
    )  # fmt: skip
    extract = summarize([FLOOD, FERRIES], method=writer, words=60)
    # However badly it writes, nothing is invented.
    assert 0 < extract.words <= 60
    assert guard_summary(extract.text.split("\n"), [FLOOD, FERRIES]).failed == ()
    stored = json.loads((tmp_path / "a.jsonl").read_text().splitlines()[0])
    assert stored["tokens_out"] > 0
