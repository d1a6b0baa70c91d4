"""`pyramidion study` and its commands."""

import csv
import io
import json

import pytest

from pyramid.reliability_samples import peer_of, pyramid_of
from pyramidion.cli import runtime
from pyramidion.collection import Collection, Document, ScoreMatrix, Scores, Summary, Topic
from pyramidion.demo import load_demo
from studies.thesis import appendix, word_classes

COMMANDS = (
    "systems", "quality", "vocabulary", "utility", "tiling", "frequent-words", "word-classes",
    "likelihood", "content-units", "composition", "references", "lognormal",
)  # fmt: skip

#: Few topics are enough to see that a study is written and drawn.
FEW = ("--topic", "P01,P03,P05", "--task", "A")


def run(*arguments):
    return runtime.run(["study", *map(str, arguments)])


def answer(capsys, *arguments):
    assert run(*arguments, "--format", "json") == 0
    content = json.loads(capsys.readouterr().out)
    assert list(content) == ["command", "signature", "results", "left_out"]
    return content


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    path = tmp_path_factory.mktemp("study") / "demo"
    load_demo().save(path)
    return path


@pytest.fixture(scope="module")
def peers(tmp_path_factory):
    """Summaries by a machine: the first sentences of the last document."""
    demo = load_demo()
    lead = [
        Summary(topic.id, "lead", demo.documents(topic.id, task)[-1].text, task=task).truncated(100)
        for topic in demo.topics
        for task in "AB"
    ]
    path = tmp_path_factory.mktemp("peers") / "summaries.jsonl"
    Collection("peers", summaries=tuple(lead)).save(path)
    return path


def text_folder(folder, sets):
    for name, texts in sets.items():
        (folder / name).mkdir(parents=True)
        for number, text in enumerate(texts):
            (folder / name / f"{number}.txt").write_text(text, encoding="utf-8")
    return folder


# Every study


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.long
def test_every_study_runs_on_the_demo(demo, capsys, tmp_path, command):
    figure = tmp_path / "figure.png"
    content = answer(capsys, command, demo, *FEW, "--figure", figure)
    assert content["command"] == f"study {command}"
    assert content["signature"].startswith(f"study-{command}")
    assert {result["study"] for result in content["results"]} == {command}
    assert figure.read_bytes()[1:4] == b"PNG"


@pytest.mark.long  # the snapshots hold every form, too
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("form", ["table", "csv", "latex"])
def test_every_form_is_written_to_a_file(demo, capsys, tmp_path, command, form):
    file = tmp_path / "answer.txt"
    assert run(command, demo, *FEW, "--format", form, "-o", file) == 0
    assert capsys.readouterr().out == ""
    text = file.read_text(encoding="utf-8")
    if form == "csv":
        header = next(csv.reader(io.StringIO(text)))
        assert len(header) > 1
    else:
        assert ("\\toprule" if form == "latex" else "────") in text


@pytest.mark.long
def test_all_studies_together(demo, peers, capsys, tmp_path):
    folder = tmp_path / "figures"
    content = answer(capsys, "all", demo, "--task", "A", "--peers", peers, "--figures", folder)
    assert list(dict.fromkeys(r["study"] for r in content["results"])) == list(COMMANDS)
    assert sorted(file.name for file in folder.iterdir()) == sorted(f"{n}.svg" for n in COMMANDS)
    assert "systems, the figure: all analyses but readability, task A" in str(content["left_out"])
    shares = [r for r in content["results"] if r["study"] == "frequent-words"]
    assert [row["summarizer"] for row in shares] == ["people together", "one person", "lead"]


def test_all_leaves_out_what_the_data_do_not_allow(tmp_path, capsys):
    two = tuple(Summary("T1", name, "Ice melts.", kind="human") for name in "AB")
    Collection("c", summaries=two).save(tmp_path / "c")
    content = answer(capsys, "all", tmp_path / "c")
    assert {result["study"] for result in content["results"]} == {"vocabulary"}
    assert "content-units: there are no pyramids in c" in "\n".join(content["left_out"])
    assert len(content["left_out"]) == len(COMMANDS) - 1


# Vocabulary


def test_seven_summaries_against_seven_translations(tmp_path, capsys):
    """Appendices B and C: the classes of Tables 2.5 and 2.6, first rows, nearly to the word."""
    first = text_folder(tmp_path / "summaries", {"D311": appendix("C")})
    second = text_folder(tmp_path / "translations", {"chtb_003": appendix("B")})
    content = answer(capsys, "vocabulary", first, "--against", second, "--all-words")
    [result] = content["results"]
    for text_set, off in zip(result["sets"], (2, 4), strict=True):
        printed = word_classes(text_set["group"]).sizes[0]
        assert max(abs(a - b) for a, b in zip(text_set["sizes"], printed, strict=True)) <= off
    summaries, translations = (group["growth"] for group in result["groups"])
    assert all(a > b for a, b in zip(summaries, translations, strict=True))
    assert [test["t"] for test in result["tests"]] == [None] * 7


def test_files_folders_and_collections_are_the_same_texts(tmp_path, capsys):
    texts = ("Ice melts.", "Blue ice.", "Snow melts.")
    folder = text_folder(tmp_path / "texts", {"T1": texts}) / "T1"
    (folder / ".hidden").write_text("Rain.")
    people = tuple(
        Summary("T1", name, text, kind="human") for name, text in zip("ABC", texts, strict=True)
    )
    Collection("c", summaries=people).save(tmp_path / "c")
    files = sorted(folder.glob("*.txt"))
    sources = ([folder], [folder.parent], files, [tmp_path / "c"])
    results = [answer(capsys, "vocabulary", *source)["results"][0] for source in sources]
    sizes = [[text_set["sizes"] for text_set in result["sets"]] for result in results]
    assert sizes == [[[2, 2, 0]]] * 4
    assert results[0]["sets"][0]["growth_in_order"] == [2, 3, 4]


def test_a_folder_may_have_a_comma_in_its_name(tmp_path, capsys):
    texts = {"T1": ("Ice melts.", "Blue ice.")}
    first = text_folder(tmp_path / "snow, ice", texts)
    second = text_folder(tmp_path / "a,b", texts)
    [result] = answer(capsys, "vocabulary", first, "--against", second)["results"]
    assert [group["group"] for group in result["groups"]] == ["snow, ice", "a,b"]


def test_welch_needs_two_sets_of_each(tmp_path, capsys):
    sets = {"1": ("Ice melts.", "Blue ice."), "2": ("Snow falls.", "Snow melts fast.")}
    first = text_folder(tmp_path / "first", sets)
    second = text_folder(tmp_path / "second", {"1": ("Ice.", "Ice."), "2": ("Snow ice", "Snow!")})
    [result] = answer(capsys, "vocabulary", first, "--against", second)["results"]
    assert result["tests"][0]["t"] == pytest.approx(
        (0.55 - 1 / 6) / (0.05**2 + (1 / 6) ** 2) ** 0.5
    )
    assert run("vocabulary", first, "--against", second) == 0
    assert "Test: Welch's t." in capsys.readouterr().out


def test_sets_of_other_sizes_are_left_out_and_reported(tmp_path, capsys):
    three = ("Ice melts.", "Blue ice.", "Snow.")
    sets = {"1": three, "2": three, "3": three[:2], "4": (*three, "Rain.")}
    source = text_folder(tmp_path / "sets", sets)
    content = answer(capsys, "vocabulary", source)
    assert [text_set["set"] for text_set in content["results"][0]["sets"]] == ["1", "2", "4"]
    assert content["left_out"] == [
        "3: it has 2 texts, the others have 3",
        "4: 1 text beyond the first 3",
    ]
    content = answer(capsys, "vocabulary", source, "--texts", 2)
    assert len(content["results"][0]["sets"]) == 4


def test_demo_references_against_translations(demo, tmp_path, capsys):
    """Four references beside the first four of seven translations."""
    other = text_folder(tmp_path / "other", {"T1": [f"Ice melts {n}." for n in range(7)]})
    content = answer(capsys, "vocabulary", demo, "--against", other)
    [result] = content["results"]
    assert result["texts"] == 4
    assert [group["sets"] for group in result["groups"]] == [12, 1]
    assert "T1: 3 texts beyond the first 4" in content["left_out"]


# The others


def test_frequent_words_of_people_and_machines(demo, peers, capsys):
    content = answer(capsys, "frequent-words", demo, "--top", "5, 8", "--peers", peers)
    together, person, lead = content["results"]
    assert (together["topics"], lead["kind"]) == (12, "machine")
    assert list(together["shares"]) == ["5", "8"]
    assert together["shares"]["5"] > person["shares"]["5"] > 0.5


def test_words_people_agree_on_are_frequent(demo, peers, capsys):
    [result] = answer(capsys, "word-classes", demo, "--peers", peers)["results"]
    frequencies = [word_class["frequency"] for word_class in result["classes"]]
    assert frequencies == sorted(frequencies)
    assert result["classes"][0]["absent"] == 0
    assert result["spearman"] > 0
    assert run("word-classes", demo, "--peers", peers) == 0
    note = f"Spearman's correlation of a word's frequency and its class: {result['spearman']:.2f}"
    assert note in capsys.readouterr().out
    [machine] = result["machines"]
    assert machine["shares"][4] > machine["shares"][0]


def test_topics_with_other_numbers_of_references_are_left_out(tmp_path, capsys):
    topics = tuple(Topic(f"T{n}", documents=(Document("d", "Ice melts."),)) for n in range(3))
    summaries = [Summary(t.id, "A", "Ice.", kind="human") for t in topics]
    summaries.append(Summary("T2", "B", "Ice.", kind="human"))
    Collection("c", topics=topics, summaries=tuple(summaries)).save(tmp_path / "c")
    content = answer(capsys, "word-classes", tmp_path / "c")
    assert content["results"][0]["topics"] == 2
    assert content["left_out"] == ["T2: 2 references, most topics have 1"]


def test_likelihood_says_what_is_cut(demo, peers, capsys):
    assert run("likelihood", demo, "--peers", peers) == 0
    out = capsys.readouterr().out
    assert "Summaries were cut to 80 words." in out
    content = answer(capsys, "likelihood", demo, "--peers", peers, "--words", 0, "--absent", 0.5)
    assert "|words:0|" in content["signature"]
    assert "absent=0.5" in content["signature"]
    values = [row["log_likelihood"] for row in content["results"]]
    assert values == sorted(values, reverse=True)
    assert all(row["adjusted"] is not None for row in content["results"])


def test_short_summaries_are_reported(demo, capsys):
    assert run("likelihood", demo, "--words", 99) == 0
    captured = capsys.readouterr()
    assert "summaries have fewer, which makes them likelier" in captured.out
    assert "share no topics with the rest" in captured.err


def test_units_of_annotated_documents(tmp_path, capsys):
    pyramid = pyramid_of([[1, 1], [1, 0], [0, 0]], ["A", "B"])
    Collection(
        "c",
        topics=(Topic("T1", documents=(Document("d", "Ice."),)),),
        pyramids={("", "T1"): pyramid},
        peer_annotations={("", "T1", "documents"): peer_of(pyramid, [0, 0, 0, 1, 2])},
    ).save(tmp_path / "c")
    content = answer(capsys, "content-units", tmp_path / "c", "--top", "1,2")
    [result] = content["results"]
    assert result["input"] == "annotated"
    assert [unit_class["mean"] for unit_class in result["classes"]] == [1, 1, 3]
    assert result["shares"] == {"1": 1.0, "2": 0.75}
    assert content["left_out"] == []
    assert run("content-units", tmp_path / "c") == 0
    assert "The most frequent units of the input in references" in capsys.readouterr().out


def test_units_by_similarity_are_said_to_be(demo, capsys):
    assert run("content-units", demo) == 0
    captured = capsys.readouterr()
    assert "The documents are not annotated by hand, but by similarity" in captured.out
    assert "units that only the input has are not annotated" in captured.err


def test_quality_of_chosen_measures(demo, capsys):
    content = answer(capsys, "quality", demo, "--measures", "readability", "--task", "A")
    [result] = content["results"]
    assert (result["measure"], result["task"], result["kind"]) == ("readability", "A", "human")
    assert (result["summaries"], result["judgments"]) == (24, 48)
    assert sum(result["fractions"].values()) == pytest.approx(1)


def test_systems_of_different_blocks_are_analysed_apart(demo, capsys):
    arguments = ("systems", demo, "--measures", "readability", "--task", "A", "--resamples", 1000)
    content = answer(capsys, *arguments, "--baseline", "F")
    first, second = content["results"]
    assert [row["system"] for row in first["ranking"]] == ["A", "B", "C", "D"]
    assert (first["block"], second["block"]) == (1, 2)
    assert first["comparisons"] == []
    assert [pair["a"] + pair["b"] for pair in second["comparisons"]] == ["EF", "FG", "FH"]
    assert "|seed:0|" in content["signature"]


def test_people_and_machines_have_their_means(tmp_path, capsys):
    values = [[0.1, 0.2, 0.5], [0.2, 0.2, 0.6], [0.2, 0.1, 0.9]]
    scores = ScoreMatrix(
        values, ["T1", "T2", "T3"], ["1", "2", "A"], [False, False, True], measure="coverage"
    )
    Collection("c", scores=scores.to_scores()).save(tmp_path / "c")
    [result] = answer(capsys, "systems", tmp_path / "c", "--resamples", 1000)["results"]
    assert result["people_mean"] == pytest.approx(2 / 3)
    assert result["machines_mean"] == pytest.approx(1 / 6)
    assert result["systems"]["df"] == 2
    assert result["block"] is None
    assert run("systems", tmp_path / "c", "--resamples", 1000) == 0
    assert "Mean of people's means: 0.667; of machines' means: 0.167." in capsys.readouterr().out


def test_extracts_are_scored(demo, peers, capsys):
    arguments = ("--extract", "HNS20310412.0031/1,CVW20310413.0112/1", "--sentences", 3)
    content = answer(capsys, "utility", demo, "--peers", peers, *arguments)
    marks, *extracts = content["results"]
    assert sum(marks["counts"]) == marks["sentences"] == 34
    assert [(extract["extract"], extract["sentences"]) for extract in extracts] == [
        ("as given", 2),
        ("first sentences", 3),
        ("lead", 5),
    ]
    assert all(0 < extract["random"] < extract["score"] < 1 for extract in extracts)


def test_summaries_that_are_not_extracts_are_reported(demo, tmp_path, capsys):
    file = tmp_path / "summaries.jsonl"
    Collection("c", summaries=(Summary("P01", "7", "A ferry burned.", task="A"),)).save(file)
    content = answer(capsys, "utility", demo, "--peers", file)
    assert content["left_out"] == [
        "P01, task A, 7: 1 sentence is not a judged sentence of the input"
    ]


def test_what_summarize_writes_is_scored(demo, tmp_path, capsys):
    """Sentences have one number, whoever counts them: none is left out."""
    file = tmp_path / "peers.jsonl"
    methods = "first,lead,lexrank,random"
    arguments = ["summarize", str(demo), "--topic", "P01", "--task", "A", "-m", methods]
    assert runtime.run([*arguments, "-o", str(file)]) == 0
    capsys.readouterr()
    content = answer(capsys, "utility", demo, "--peers", file)
    extracts = {result["extract"]: result["score"] for result in content["results"][1:]}
    assert extracts.keys() == {"first sentences", *methods.split(",")}
    assert content["left_out"] == []


def test_sentences_that_somebody_counted_otherwise_are_reported(tmp_path, capsys):
    """With its byline the document has three sentences; here it has two."""
    text = "By INES FALK\n\nTAMSIN, June 19 - Rain fell on Ardel. Roads were closed."
    Collection(
        "c",
        topics=(Topic("T1", documents=(Document("d", text),)),),
        scores=Scores(
            {
                "topic": ["T1"] * 3,
                "system": ["input"] * 3,
                "kind": ["human"] * 3,
                "measure": ["relative-utility"] * 3,
                "unit": ["d/1", "d/2", "d/3"],
            },
            [0, 9, 5],
        ),
    ).save(tmp_path / "c")
    content = answer(capsys, "utility", tmp_path / "c")
    assert content["left_out"] == [
        "T1: 1 judged sentence is not in the documents (d/3); datelines, bylines and cues are not "
        "sentences here"
    ]


@pytest.mark.long
def test_lognormal_model_next_to_relative_frequencies(demo, capsys):
    content = answer(capsys, "lognormal", demo, "--task", "A")
    assert len(content["results"]) == 6
    for row in content["results"]:
        assert row["vocabulary"] > row["words"]
        assert row["lognormal_seen"] < row["relative_seen"]
    assert run("lognormal", demo, "--task", "A") == 0
    assert "Lognormal minus relative: " in capsys.readouterr().out


# Bad input


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("vocabulary", "{empty}"), "empty: the folder is empty; add text files"),
        (("vocabulary", "{one}"), "one has one text only; classes are counted over two or more"),
        (("vocabulary", "{binary}"), "is not UTF-8"),
        (("vocabulary", "{nowhere}"), "there is no such file or folder"),
        (("vocabulary", "{one}", "{one}/1.txt"), "folders and files are mixed"),
        (("vocabulary", "{blank}"), "the file has no text; remove it"),
        (("vocabulary", "{demo}", "--texts", "1"), "texts is 1; give a whole number of at least 2"),
        (("vocabulary", "{demo}", "--texts", "9"), "has 9 texts; the largest has 4"),
        (("vocabulary", "{peers}"), "there are no references in summaries"),
        (("vocabulary", "{demo}", "--topic", "T9"), "there is no topic 'T9'"),
        (("frequent-words", "{peers}"), "no topic of summaries has documents"),
        (
            ("frequent-words", "{demo}", "--top", "a"),
            "top is 'a'; give a whole number of at least 1",
        ),
        (("frequent-words", "{demo}", "--top", "0"), "top is 0; give a whole number of at least 1"),
        (("frequent-words", "{demo}", "--task", "Z"), "there is no task 'Z'"),
        (("frequent-words", "{demo}", "--peers", "{demo}"), "duplicated summary"),
        (("frequent-words", "{demo}", "--peers", "{demo}/scores.csv"), "there are no summaries"),
        (("frequent-words", "{demo}", "--tokenizer", "x"), "tokenizer is 'x'"),
        (("word-classes", "{peers}"), "no topic of summaries has documents"),
        (
            ("likelihood", "{demo}", "--words", "-1"),
            "words is -1; give a whole number of at least 0",
        ),
        (("likelihood", "{demo}", "--absent", "0"), "absent is 0.0"),
        (("lognormal", "{demo}", "--absent", "nan"), "absent is nan"),
        (("lognormal", "{demo}", "--absent", "0"), "absent is 0.0; use a value greater than 0"),
        (("content-units", "{peers}"), "there are no pyramids in summaries"),
        (("quality", "{peers}"), "no summary is judged in categories"),
        (("quality", "{demo}", "--measures", "x"), "there is no measure 'x'"),
        (("systems", "{peers}"), "no measure has two systems that share two topics"),
        (("systems", "{demo}", "--topic", "P01"), "4 systems and 1 topic, two of each are needed"),
        (("systems", "{demo}", "--baseline", "Z"), "there is no system 'Z'"),
        (
            ("systems", "{demo}", "--confidence", "2"),
            "confidence is 2.0; give a number between 0",
        ),
        (("systems", "{demo}", "--resamples", "9"), "resamples is 9; give a whole number from 100"),
        (("utility", "{demo}", "--topic", "P02"), "no sentence has a judgment"),
        (("utility", "{demo}", "--extract", "x/1"), "no topic has a judged sentence 'x/1'"),
        (("utility", "{demo}", "--sentences", "0"), "sentences is 0; give a whole number"),
        (("all", "{peers}"), "summaries has too little data for any study"),
        (("all", "{demo}", "--figures", "{one}"), "the folder already exists"),
        (
            ("all", "{demo}", "--figures", "x", "--figure-format", "gif"),
            "figure-format is 'gif'",
        ),
        (("lognormal", "{demo}", "--figure", "x.gif"), "no figure can be written as '.gif'"),
        (("nothing",), "No such command 'nothing'"),
    ],
)
def test_bad_input_is_reported_in_one_line(demo, peers, tmp_path, capsys, arguments, message):
    for name in ("empty", "one", "binary", "blank"):
        (tmp_path / name).mkdir()
    (tmp_path / "one" / "1.txt").write_text("Ice melts.")
    (tmp_path / "binary" / "1.txt").write_bytes(b"\xff\xfa\x00\x01")
    (tmp_path / "blank" / "1.txt").write_text("\n")
    places = {name: tmp_path / name for name in ("empty", "one", "binary", "blank", "nowhere")}
    typed = [argument.format(demo=demo, peers=peers, **places) for argument in arguments]
    assert run(*typed) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    lines = [line for line in captured.err.splitlines() if not line.startswith("left out")]
    assert len(lines) == 1
    assert message in lines[0]


def test_help_of_every_study(capsys):
    for command in (*COMMANDS, "all"):
        assert run(command, "--help") == 0
        out = capsys.readouterr().out
        assert f"pyramidion study {command}" in out
        assert "--format" in out
