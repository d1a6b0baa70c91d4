"""Scores of every summary, and each system's means."""

import gzip
import io
import json
import random
from typing import Any

import pytest

from collection.refusals import refusal
from pyramidion import Collection, Rouge, Summary
from pyramidion.cli.runtime import run
from pyramidion.collection.formats.scores import read_scores
from pyramidion.demo import load_demo
from pyramidion.errors import FormatError, InputError, NotFoundError
from pyramidion.metrics import score
from pyramidion.metrics.registry import describe_run
from support import needs_package

DECLARED: Any = score  # the front declares a plain function
OPTIONS = DECLARED.groups["options"]


def asked(measures, rouge=(), **more):
    return {"metrics": measures, **dict(rouge), **more}


def scored_by(source, request, **more):
    return score(source, **request, **more)


def columns_of(request):
    return tuple(OPTIONS("", **request).resolve_metrics())


REQUEST = asked(("rouge-1", "rouge-2-r"))
WORDS = ("rain", "fell", "roads", "closed", "bridge", "the", "a", "opened")


def items(topics=12, systems=("7", "10"), seed=3):
    """Make items with random texts, system by system."""
    draw = random.Random(seed)

    def text():
        return " ".join(draw.choices(WORDS, k=8))

    references = [[text(), [text(), text()]] for _ in range(topics)]
    return [
        {
            "topic": f"T{topic}", "system": system, "task": "", "peer": text(),
            "references": references[topic],
        }
        for system in systems
        for topic in range(topics)
    ]  # fmt: skip


def written(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


@pytest.fixture
def stream(tmp_path):
    return written(tmp_path / "items.jsonl", items())


def test_measures_and_their_columns():
    request = asked(("rouge-2", "ROUGE-SU04-r", "l-p", "rouge-w-1.20", "rouge-2-f", "rouge-2"))
    assert columns_of(request) == ("rouge-2-f", "rouge-su4-r", "rouge-l-p", "rouge-w-1.2-f")
    assert describe_run(OPTIONS("", **request).resolve_metrics().values()) == "rouge-2+l+w-1.2+su4"


@pytest.mark.parametrize(
    ("measures", "said"),
    [
        ((), "no metrics were named; try -m rouge-1,rouge-2,rouge-l"),
        (("blue",), "there is no metric 'blue'; did you mean bleu? `pyramidion metrics` lists"),
        (("rouge-2-x",), "there is no metric 'rouge-2-x'; did you mean rouge-2"),
        (("p",), "there is no metric 'p'"),
        (("rouge-be-xx",), "'rouge-be-xx' is not a mode of ROUGE-BE; try rouge-be-h"),
        (("bleu(m=2)",), "bleu has no option 'm'; available: n, stem, smooth"),
        (("bleu(n=x)",), "bleu: n is 'x'; give a whole number from 1 to 9"),
        (
            ("js-input",),
            "js-input needs documents, and no summary of the collection has any",
        ),
    ],
)
def test_measures_that_are_none(measures, said, stream):
    with pytest.raises(InputError) as caught:
        scored_by(stream, asked(measures))
    assert said in str(caught.value)


def test_what_one_rouge_cannot_compute_several_do(stream):
    """Two weights, other options in brackets, and other metrics beside."""
    names = ("rouge-w-1.2", "rouge-w-2", "rouge-1(stem)", "bleu", "rouge-1")
    answer = scored_by(stream, asked(names))
    alone = [scored_by(stream, asked((name,))) for name in names]
    for number, one in enumerate(alone):
        assert answer.values[number] == one.values[0]
    assert str(answer.signature).startswith("rouge-1+w-1.2,rouge-w-2,rouge-1(stem),bleu|")


def test_options_of_the_run_are_defaults_that_brackets_overrule(stream):
    names = ("rouge-1", "rouge-1(stem=off)", "bleu", "rouge-2(words=3)")
    request = asked(names, {"stem": True, "words": 5, "tokenizer": "unicode"})
    answer = scored_by(stream, request)
    assert columns_of(request) == ("rouge-1-f", "rouge-1-f(stem=off)", "bleu", "rouge-2-f(words=3)")
    assert str(answer.signature).startswith(
        "rouge-1(stem,words=5,tokenizer=unicode),rouge-1(words=5,tokenizer=unicode),"
        "rouge-2(stem,words=3,tokenizer=unicode),bleu(tokenizer=unicode)|tok:unicode|"
    )
    typed = "rouge-1(stem,words=5,tokenizer=unicode)"
    alone = scored_by(stream, asked((typed,))).values[0]
    assert answer.values[0] == {**alone, "measure": "rouge-1-f"}


def test_an_option_that_does_nothing_is_refused(stream):
    request = asked(("bleu",), {"stem": True})
    assert refusal(InputError, scored_by, stream, request) == (
        "stem is an option of ROUGE, and the run has no ROUGE measure; "
        "put options of other metrics in brackets, as in bleu(n=2)"
    )
    request = asked(("bleu",), {"stem": False, "tokenizer": "unicode"})
    assert columns_of(request) == ("bleu",)


def test_seeds_start_at_zero():
    assert "seed is -1" in refusal(InputError, OPTIONS, "", ("rouge-1",), seed=-1)


def test_results_are_means_of_the_scores(stream):
    answer = scored_by(stream, REQUEST)
    assert answer.command == "score"
    assert [(r["system"], r["measure"]) for r in answer.values] == [
        ("7", "rouge-1-f"), ("7", "rouge-2-r"), ("10", "rouge-1-f"), ("10", "rouge-2-r"),
    ]  # fmt: skip
    own = [item for item in items() if item["system"] == "7"]
    rouge = Rouge(n=(1, 2), l=False)
    scores = rouge.score([i["peer"] for i in own], [i["references"] for i in own])
    first = answer.values[0]
    assert list(first) == [
        "task", "system", "kind", "measure", "mean", "low", "high", "n", "higher_is_better",
    ]  # fmt: skip
    assert first["mean"] == pytest.approx(scores["rouge-1-f"].mean())
    assert (first["kind"], first["n"]) == ("machine", 12)
    assert first["low"] < first["mean"] < first["high"]


@pytest.mark.parametrize("exact", [False, True])
def test_one_summary_has_no_interval(exact):
    texts = {"predictions": ["It rained."], "references": ["It rained a lot."]}
    result = score(texts, metrics="rouge-1-r", exact=exact)
    (mean,) = result.to_dict()["results"]
    assert mean["n"] == 1
    assert (mean["low"], mean["high"]) == (None, None)
    assert "it cannot be estimated: there is only one summary" in str(result)


def test_neither_order_nor_threads_nor_a_gzip_matter(stream, tmp_path):
    expected = scored_by(stream, REQUEST).values
    shuffled = items()
    random.Random(1).shuffle(shuffled)
    other = written(tmp_path / "shuffled.jsonl", shuffled)
    zipped = tmp_path / "items.jsonl.gz"
    zipped.write_bytes(gzip.compress(stream.read_bytes(), mtime=0))
    for source in (other, zipped):
        for threads in (1, 3, None):
            request = asked(REQUEST["metrics"], threads=threads)
            assert scored_by(source, request).values == expected


def test_the_seed_changes_the_interval_only(stream):
    requests = [asked(REQUEST["metrics"], seed=seed) for seed in (1, 2)]
    one, other = (scored_by(stream, request) for request in requests)
    for a, b in zip(one.values, other.values, strict=True):
        assert a["mean"] == b["mean"]
    assert one.values != other.values
    assert "|seed:1|" in str(one.signature)


def test_the_signature_names_what_changes_the_numbers(stream, tmp_path):
    def signature(source=stream, **options):
        return str(scored_by(source, asked(("rouge-2",), **options)).signature)

    plain = signature()
    assert plain.startswith("rouge-2|tok:rouge|v")
    assert signature(threads=1) == plain
    stemmed = signature(stem=True, words=100)
    assert stemmed.startswith("rouge-2(stem,words=100)|")
    assert "tok:unicode" in signature(tokenizer="unicode")
    changed = items()
    changed[5]["peer"] += " more"
    other = signature(written(tmp_path / "other.jsonl", changed))
    assert plain.rpartition("|data:")[0] == other.rpartition("|data:")[0]
    assert plain != other


@pytest.mark.filterwarnings("ignore:.*empty reference")
def test_the_data_hash_sees_where_texts_end(tmp_path):
    item = {"topic": "T", "system": "7", "peer": "ab", "references": ["c"]}
    hashes = {
        str(scored_by(written(tmp_path / "a.jsonl", [{**item, **change}]), REQUEST).signature)
        for change in ({}, {"peer": "a", "references": ["bc"]}, {"references": ["c", ""]})
    }
    assert len(hashes) == 3


def test_exact_mode_averages_as_the_script_does(tmp_path, stream, capsys):
    """In the script's own order of topics, whatever the order of the stream."""
    request = asked(("rouge-1", "rouge-1-r"), {"exact": True})
    shuffled = items()
    random.Random(2).shuffle(shuffled)
    answer = scored_by(written(tmp_path / "shuffled.jsonl", shuffled), request)
    assert run(["rouge", "-n1", "-x", "-a", str(stream)]) == 0
    lines = capsys.readouterr().out.splitlines()
    for result in answer.values:
        part = result["measure"][-1].upper()
        numbers = (f"{result[name]:.5f}" for name in ("mean", "low", "high"))
        mean, low, high = numbers
        line = f"{result['system']} ROUGE-1 Average_{part}: {mean} (95%-conf.int. {low} - {high})"
        assert line in lines


@pytest.mark.filterwarnings("ignore:.*summary equal to a reference")
def test_tasks_and_kinds_are_averaged_apart(tmp_path):
    rows = (("T1", "1", "human", "x"), ("T1", "2", "machine", "x"), ("T2", "2", "human", "y"))
    names = ("topic", "task", "kind", "peer", "system", "references")
    records = [dict(zip(names, (*row, "A", ["x"]), strict=True)) for row in rows]
    answer = scored_by(written(tmp_path / "a.jsonl", records), asked(("rouge-1",)))
    observed = [(r["task"], r["system"], r["kind"], r["mean"]) for r in answer.values]
    assert observed == [
        ("1", "A", "human", 1.0), ("2", "A", "machine", 1.0), ("2", "A", "human", 0.0),
    ]  # fmt: skip
    assert [row[:3] for row in answer.tables[0].rows] == [
        ("1", "A", "human"), ("2", "A", "machine"), ("2", "A", "human"),
    ]  # fmt: skip


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".parquet"])
def test_every_summarys_scores_are_written(suffix, stream, tmp_path):
    if suffix == ".parquet":
        pytest.importorskip("polars")
    target = tmp_path / f"scores{suffix}"
    answer = scored_by(stream, REQUEST, output=target)
    rows = list(read_scores(target))
    assert len(rows) == 24 * 2
    assert {row.measure for row in rows} == {"rouge-1-f", "rouge-2-r"}
    own = [row.value for row in rows if (row.system, row.measure) == ("7", "rouge-1-f")]
    assert answer.values[0]["mean"] == pytest.approx(sum(own) / len(own))
    assert {row.kind for row in rows} == {"machine"}


def test_an_unknown_form_is_refused_before_the_work(tmp_path):
    target = tmp_path / "scores.xls"
    message = refusal(InputError, scored_by, tmp_path / "not read", REQUEST, output=target)
    assert message.endswith(
        "scores.xls: scores cannot be written in this format; use .csv, .tsv, .jsonl, .parquet"
    )
    assert not target.exists()


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"topic": "T9"}', "`references` is not a list of texts"),
        ('{"topic": "T9", "system', "this is not JSON"),
        (json.dumps(items()[0]), "topic T0, system 7 occurs twice; the other one is in"),
    ],
)
def test_nothing_half_written_remains(line, said, suffix, tmp_path):
    """Also when the error comes in the third batch of a thousand."""
    stream = written(tmp_path / "items.jsonl", items(topics=2500, systems=("7",)))
    with stream.open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    target = tmp_path / f"scores{suffix}"
    message = refusal(FormatError, scored_by, stream, REQUEST, output=target)
    assert message.startswith(f"{stream}, line 2501: ")
    assert said in message
    assert [path.name for path in tmp_path.iterdir()] == ["items.jsonl"]


def test_an_old_file_survives_an_interruption(stream, tmp_path, monkeypatch):
    target = tmp_path / "scores.csv"
    target.write_text("old")

    def interrupted(*_, **__):
        yield from ()
        raise KeyboardInterrupt

    monkeypatch.setattr("pyramidion.metrics._score.score_items", interrupted)
    with pytest.raises(KeyboardInterrupt):
        scored_by(stream, REQUEST, output=target)
    assert target.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["items.jsonl", "scores.csv"]


def test_standard_input(stream, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stream.read_bytes())))
    assert scored_by("-", REQUEST).values == scored_by(stream, REQUEST).values


@pytest.mark.parametrize(
    "first",
    [
        {"system": "7", "references": ["a " * 2**20], "topic": "T", "peer": "a"},
        {"system": "7", "topic": "T", "peer": "a " * 2**20, "references": ["a"]},
        {"topic": "T", "peer": 'a "references": "x"', "system": "7", "references": ["a"]},
    ],
)
def test_streams_are_recognised(first, tmp_path):
    path = written(tmp_path / "a.jsonl", [first])
    assert len(scored_by(path, REQUEST).values) == 2


def test_a_stream_that_lacks_something_is_still_a_stream(tmp_path):
    path = written(tmp_path / "a.jsonl", [{"topic": "T", "system": "7", "peer": "a"}])
    assert "line 1: `references` is not a list" in refusal(FormatError, scored_by, path, REQUEST)
    path = written(tmp_path / "a.jsonl", [{"topic": "T", "system": "7", "references": ["a"]}])
    assert "line 1: `peer` is missing" in refusal(FormatError, scored_by, path, REQUEST)


def test_a_stream_cannot_be_jackknifed(stream):
    message = refusal(InputError, scored_by, stream, asked(("rouge-1",), jackknife=True))
    assert message == "a stream does not name the writers of its references; jackknife a collection"


def test_nothing_there(tmp_path):
    assert "there is no such" in refusal(NotFoundError, scored_by, tmp_path / "no", REQUEST)


def test_a_collection(tmp_path):
    summaries = (
        Summary("T1", "A", "It rained.", kind="human"),
        Summary("T1", "B", "It rained a lot.", kind="human"),
        Summary("T2", "C", "Roads closed.", kind="human"),
        Summary("T1", "7", "It rained."),
    )
    Collection("mine", summaries=summaries).save(tmp_path / "mine")
    target = tmp_path / "scores.csv"
    answer = scored_by(tmp_path / "mine", asked(("rouge-1-r",)), output=target)
    means = {(r["system"], r["kind"]): r["mean"] for r in answer.values}
    assert means == {
        ("7", "machine"): pytest.approx(4 / 6), ("A", "human"): 0.5, ("B", "human"): 1.0,
    }  # fmt: skip
    assert answer.left_out == ("rouge-1-r of 1 summary without any other reference: T2, C",)
    assert len(list(read_scores(target))) == 3
    assert "data:" in str(answer.signature)


def test_jackknife_is_in_the_signature(tmp_path):
    load_demo().save(tmp_path / "demo")
    answer = scored_by(tmp_path / "demo", asked(("rouge-1",), jackknife=True))
    assert "|jackknife:on|" in str(answer.signature)


def test_tables_for_people_and_for_programs(stream):
    answer = scored_by(stream, REQUEST)
    wide, narrow = (answer.render("table", width=width) for width in (120, 60))
    assert "Means [95% intervals]" in wide
    assert "Means ±half of the 95% intervals" in narrow
    assert "task" not in wide
    assert max(map(len, narrow.splitlines()[:-1])) <= 60
    best = max(answer.values[::2], key=lambda result: result["mean"])
    interval = f"{best['mean']:.4f} [{best['low']:.4f}, {best['high']:.4f}]"
    assert wide.splitlines()[4].split()[0] == best["system"]
    assert interval in wide.splitlines()[4]
    assert "\n\n\n" not in wide
    header, first, *_ = answer.render("csv").splitlines()
    assert header == "task,system,kind,measure,mean,low,high,n"
    assert first.split(",")[4] == repr(answer.values[0]["mean"])
    assert f"7 & machine & 12 & {answer.values[0]['mean']:.4f} [" in answer.render("latex")
    content = json.loads(answer.render("json"))
    assert content["results"] == answer.values
    assert content["signature"] == str(answer.signature)


def test_a_value_reads_back_from_the_signature(stream):
    answer = scored_by(stream, asked(("rouge-w-1.25",), {"alpha": 0.3}))
    assert Rouge.parse(str(answer.signature).split("|")[0]).w == 1.25


def people_and_machines(folder, **texts):
    """Save a collection of one topic: a reference, and systems with these texts."""
    reference = Summary("T1", "A", "rain fell on the road", kind="human", role="reference")
    peers = (Summary("T1", system, text) for system, text in texts.items())
    Collection("mine", summaries=(reference, *peers)).save(folder / "mine")
    return folder / "mine"


def longer_and_longer(tmp_path, lengths):
    """A stream of systems that add words which no reference has, each its own ones."""
    added = [
        [], ["while", "ships", "sank", "there"],
        ["as", "wind", "and", "snow", "came", "from", "north", "east"],
    ]  # fmt: skip
    items = [
        {"topic": f"T{t}", "system": f"S{number}", "references": ["rain fell on the hills"],
         "peer": " ".join(["on the hills rain fell", *added[number][: number * t]])}
        for t in range(1, 5)
        for number in lengths
    ]  # fmt: skip
    path = tmp_path / "stream.jsonl"
    path.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    return path


def test_the_default_table_starts_with_r1ns_and_words(tmp_path):
    path = longer_and_longer(tmp_path, range(3))
    [table] = score(path).tables
    names = ("system", "kind", "n", "rouge-1-ns", "words", "rouge-1-f", "rouge-2-f", "rouge-l-f")
    assert table.columns == names
    # Five words, and on average 2.5 or 5 more.
    words = {row[0]: row[4] for row in table.rows}
    assert words == {"S0": "5.0", "S1": "7.5", "S2": "10.0"}
    assert all(float(row[3].partition(" ")[0]) == 1 for row in table.rows)
    [chosen] = score(path, metrics="rouge-1").tables
    assert "words" not in chosen.columns


def test_f_that_decreases_with_length_is_noted(tmp_path):
    path = longer_and_longer(tmp_path, range(3))
    [table] = score(path).tables
    assert table.note.startswith("rouge-1-f (r -0.9")
    assert "decrease with the number of words" in table.note
    assert "rouge-1-ns." in table.note
    [level] = score(longer_and_longer(tmp_path, [0])).tables
    assert "number of words" not in level.note


def test_less_is_better_where_the_metric_says_so(tmp_path):
    source = people_and_machines(tmp_path, near="rain fell on the road", far="snow")
    answer = scored_by(source, asked(("js-references", "rouge-1")))
    assert {r["measure"]: r["higher_is_better"] for r in answer.values} == {
        "js-references": False, "rouge-1-f": True,
    }  # fmt: skip
    table = answer.tables[0]
    assert [row[0] for row in table.rows] == ["near", "far"]
    assert table.columns[-2:] == ("js-references ↓", "rouge-1-f")
    assert "↓: lower is better." in answer.render("table")
    assert r"js-references $\downarrow$ &" in answer.render("latex")
    assert "↓" not in answer.render("csv") + answer.render("json")


def test_undefined_means_are_shown_as_such(tmp_path):
    source = people_and_machines(tmp_path, there="rain fell " * 20, empty="日")
    answer = scored_by(source, asked(("js-references", "rouge-1")))
    empty = [result for result in answer.values if result["system"] == "empty"]
    assert [result["n"] for result in empty] == [0, 1]
    assert json.loads(answer.render("json"))["results"][0]["mean"] is None
    assert [row[0] for row in answer.tables[0].rows] == ["there", "empty"]
    assert answer.tables[0].rows[1][3] is None
    assert answer.left_out == (
        "js-references of 1 summary for which it is undefined: T1, empty",
        "the words of 1 summary: the rouge tokenizer knows ASCII only; try --tokenizer unicode",
    )


def test_only_exact_columns_are_averaged_as_the_script_does(stream):
    exact = scored_by(stream, asked(("rouge-1-r",), {"exact": True})).values[0]
    sound = scored_by(stream, asked(("rouge-2-r", "bleu"))).values[:2]
    both = scored_by(stream, asked(("rouge-1-r(exact)", "rouge-2-r", "bleu"))).values
    assert both[0] == {**exact, "measure": "rouge-1-r(exact)"}
    assert both[1:3] == sound


def test_means_do_not_depend_on_what_else_is_computed(tmp_path):
    source = people_and_machines(tmp_path, a="rain fell", b="the road", c="!")
    names = ("rouge-1", "js-references", "rouge-2-p", "bleu")
    together = scored_by(source, asked(names)).values
    for name in names:
        for result in scored_by(source, asked((name,))).values:
            assert result in together


def test_all_means_all_that_can_be_computed(tmp_path):
    source = people_and_machines(tmp_path, a="rain fell. it was cold.", b="the road")
    answer = scored_by(source, asked(("all",)))
    measures = {result["measure"] for result in answer.values}
    assert {"rouge-1-f", "bleu", "js-references"} <= measures
    assert "js-input" not in measures
    (line,) = [line for line in answer.left_out if "js-input" in line]
    assert ": needs documents, and no summary of the collection has any" in line
    assert "js-input" not in str(answer.signature)


def test_a_judged_set_is_not_a_stream(tmp_path):
    needs_package("datasets")
    row = {"topic": "T1", "system": "7", "summary": "rain fell", "references": ["rain fell"]}
    path = written(tmp_path / "set.jsonl", [row])
    assert scored_by(path, REQUEST).values[0]["mean"] == 1.0


def test_many_measures_are_shown_in_parts_that_fit(stream):
    names = tuple(f"rouge-{n}-{part}" for n in range(1, 4) for part in "rpf")
    answer = scored_by(stream, asked(names))
    shown = answer.render("table", width=80).splitlines()
    assert max(map(len, shown[:-1])) <= 80
    headers = [line.split() for line in shown if line.startswith(" system")]
    assert len(headers) > 1
    assert [name for header in headers for name in header[3:]] == list(names)
    assert sum("Means" in line for line in shown) == 1


def test_all_metrics_of_a_stream_are_those_it_can_feed(stream):
    answer = scored_by(stream, asked(("all",)))
    measures = {result["measure"] for result in answer.values}
    assert {"rouge-1-f", "bleu", "js-references"} <= measures
    assert "js-input" not in measures
    (line,) = [line for line in answer.left_out if "js-input" in line]
    assert ": needs documents, which streams do not contain" in line


def test_nothing_defined_is_reported_and_nothing_written(tmp_path):
    item = {"topic": "T", "system": "7", "peer": "!", "references": ["!"]}
    stream = written(tmp_path / "a.jsonl", [item])
    source = people_and_machines(tmp_path, empty="!")
    for path in (stream, source):
        target = tmp_path / "scores.csv"
        request = asked(("js-references",))
        message = refusal(InputError, scored_by, path, request, output=target)
        assert message.startswith(
            "no metric of the run is defined for any summary; check for texts"
        )
        assert not target.exists()


@pytest.mark.parametrize(("peer", "message"), [("!", None), ("It rained.", "of 1 summary")])
def test_parts_follow_the_rule_of_a_file(tmp_path, peer, message):
    """Undefined everywhere is an error; undefined here and there is counted."""
    items = [
        {"topic": "T", "system": system, "peer": text, "references": ["Rain."]}
        for system, text in (("7", "!"), ("8", peer))
    ]
    (tmp_path / "in").mkdir()
    for path in (written(tmp_path / "a.jsonl", items), tmp_path / "in"):
        written(tmp_path / "in" / "a.jsonl", items)
        options = {"metrics": "js-references", "output": tmp_path / f"{path.name}.out.jsonl"}
        if message is None:
            error = refusal(InputError, score, path, **options)
            assert error.startswith("no metric of the run is defined for any summary; check for")
        else:
            (line,) = score(path, **options).left_out
            assert line.startswith(f"js-references {message} for which it is undefined")


@pytest.mark.parametrize("measure", ["rouge-1-r(against=earlier)", "bigram-p2p(against=earlier)"])
def test_one_task_is_scored_with_the_references_of_the_earlier_one(measure):
    collection = load_demo()
    everything = score(collection, metrics=measure).scores.select(task="B")
    update = score(collection, metrics=measure, tasks="B")
    assert [*update.scores] == [*everything]
    assert update.scores.distinct("task") == ("B",)
    assert {mean["task"] for mean in update} == {"B"}
