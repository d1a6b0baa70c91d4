"""Tables with columns of one's own: mapped as asked, recognized by usual names, or refused."""

import gzip
import json
import shlex
import sys

import pandas as pd
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from collection.refusals import refusal
from pyramidion import describe
from pyramidion.cli.runtime import run
from pyramidion.collection import Collection
from pyramidion.collection.formats import detect, read_collection
from pyramidion.collection.formats.reading import read_as
from pyramidion.errors import DataNote, FormatError, InputError

ROWS = [
    {"dialogue_id": "d1", "team": "red", "output_text": "It rained, a lot.", "coh": 4, "rel": 3,
     "gold_summary": "Rain fell.", "annotator": "ann1"},
    {"dialogue_id": "d1", "team": "red", "output_text": "It rained, a lot.", "coh": 5, "rel": 3,
     "gold_summary": "Rain fell.", "annotator": "ann2"},
    {"dialogue_id": "d1", "team": "blue", "output_text": "Sun.", "coh": 2, "rel": None,
     "gold_summary": "Rain fell.", "annotator": "ann1"},
    {"dialogue_id": "d2", "team": "red", "output_text": "Snow\ncame.", "coh": 4, "rel": 4,
     "gold_summary": "Snow fell.", "annotator": "ann1"},
]  # fmt: skip
COLUMNS = "topic=dialogue_id,system=team,text=output_text,reference=gold_summary,assessor=annotator"
MEASURES = "coherence=coh,relevance=rel"


def written(tmp_path, rows, form="csv"):
    frame = pd.DataFrame(rows)
    file = tmp_path / f"my.{form}"
    if form == "jsonl":
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif form == "parquet":
        pl.DataFrame(rows).write_parquet(file)
    else:
        frame.to_csv(file, index=False, sep={"tsv": "\t", "csv": ","}[form])
    return file


def rows_of(collection):
    return sorted(
        (row.topic, row.system, row.measure, row.assessor, row.value) for row in collection.scores
    )


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet"])
def test_columns_are_mapped_as_asked(tmp_path, form):
    file = written(tmp_path, ROWS, form)
    reading = read_as(file, requested_columns=COLUMNS.split(","), measures=MEASURES.split(","))
    collection = reading.collection
    assert rows_of(collection) == [
        ("d1", "blue", "coherence", "ann1", 2.0),
        ("d1", "red", "coherence", "ann1", 4.0),
        ("d1", "red", "coherence", "ann2", 5.0),
        ("d1", "red", "relevance", "ann1", 3.0),
        ("d1", "red", "relevance", "ann2", 3.0),
        ("d2", "red", "coherence", "ann1", 4.0),
        ("d2", "red", "relevance", "ann1", 4.0),
    ]
    assert {s.key: s.text for s in collection.summaries if s.is_peer} == {
        ("", "d1", "red"): "It rained, a lot.",
        ("", "d1", "blue"): "Sun.",
        ("", "d2", "red"): "Snow\ncame.",
    }
    assert [s.plain for s in collection.references("d2")] == ["Snow fell."]
    assert collection.left_out == ("1 cells without a score",)
    assert reading.flags == f"--columns {COLUMNS} --measures {MEASURES}"


@pytest.mark.filterwarnings("ignore::pyramidion.errors.DataWarning")
@pytest.mark.parametrize("library", [pd, pl])
def test_a_frame_is_read_as_a_file_is(tmp_path, library):
    columns = dict(pair.split("=") for pair in COLUMNS.split(","))
    measures = dict(pair.split("=") for pair in MEASURES.split(","))
    from_frame = Collection.from_frame(library.DataFrame(ROWS), columns=columns, measures=measures)
    reading = read_as(
        written(tmp_path, ROWS), requested_columns=COLUMNS.split(","), measures=MEASURES.split(",")
    )
    assert from_frame.scores == reading.collection.scores
    assert from_frame.summaries == reading.collection.summaries


@pytest.mark.parametrize(
    ("names", "parts"),
    [
        ("id model prediction target", "topic=id system=model text=prediction reference=target"),
        (
            "Topic,Model Name,Generated Summary,reference_1,reference_2",
            "topic=Topic system=Model Name text=Generated Summary reference=reference_1 "
            "reference=reference_2",
        ),
        ("doc_id summary highlights article", "topic=doc_id text=summary reference=highlights"),
        ("item system rater score", "topic=item system=system assessor=rater value=score"),
    ],
)
def test_usual_names_are_recognized(tmp_path, names, parts):
    headers = names.split("," if "," in names else None)
    pairs = columns_of(tmp_path, pl.DataFrame({name: ["1", "2"] for name in headers}))
    assert " ".join(f"{part}={column}" for part, column in pairs).startswith(parts)


def columns_of(folder, frame):
    """Return how the columns of a frame are used when it is read as a table."""
    path = folder / "frame.csv"
    pl.DataFrame(frame.to_dict(as_series=False)).write_csv(path)
    return read_as(path, format="table").columns


def test_other_columns_of_numbers_are_measures_but_an_index_is_none(tmp_path):
    frame = pl.DataFrame({"Unnamed: 0": [0, 1], "id": [1, 2], "model": ["x", "x"],
                          "coherence": ["1", "NA"], "note": ["a", "b"]})  # fmt: skip
    assert columns_of(tmp_path, frame)[2:] == (
        ("measure coherence", "coherence"),
        ("not used", "Unnamed: 0"),
        ("not used", "note"),
    )


GROUPS = ("cluster", "group", "domain", "source", "year", "split", "fold", "Batch ID")


@pytest.mark.parametrize("name", GROUPS)
def test_numbers_of_a_group_are_no_measure_but_a_field_of_the_topics(tmp_path, name):
    frame = pl.DataFrame({"id": [1, 1, 2, 2], "model": ["x", "y"] * 2, name: [7, 7, 8, 8],
                          "coherence": [3, 4, 5, 4]})  # fmt: skip
    expected = (("measure coherence", "coherence"), ("group of topics", name))
    assert columns_of(tmp_path, frame)[2:] == expected
    topics = Collection.from_frame(frame).topics
    assert [topic.extra for topic in topics] == [{name: "7"}, {name: "8"}]


@pytest.mark.parametrize(("name", "part"), [("run", "run"), ("seed", "run"), ("occasion",) * 2])
def test_numbers_of_repetitions_are_no_measure(name, part):
    frame = pl.DataFrame({"id": [1, 1], "model": ["x", "x"], name: [1, 2], "coherence": [3, 4]})
    scores = Collection.from_frame(frame).scores
    assert scores.measures == ("coherence",)
    assert scores.distinct(part) == ("1", "2")


def test_a_group_that_differs_within_topics_is_left_out():
    frame = pl.DataFrame({"id": [1, 1], "model": ["x", "y"], "fold": [1, 2], "coherence": [3, 4]})
    collection = Collection.from_frame(frame)
    assert collection.topics == ()
    assert collection.left_out == ("column fold: it differs within topics",)


def test_a_source_of_long_texts_is_a_document(tmp_path):
    frame = pl.DataFrame({"id": [1], "model": ["x"], "text": ["a"], "source": ["cnn"]})
    assert columns_of(tmp_path, frame)[-1] == ("group of topics", "source")
    frame = pl.DataFrame(
        {"id": [1], "model": ["x"], "text": ["a"], "source": ["A longer article. Indeed."]}
    )
    assert ("document", "source") in columns_of(tmp_path, frame)


def test_references_may_be_several_columns_or_lists_or_written_lists():
    frame = pl.DataFrame(
        {
            "id": ["1", "1"],
            "model": ["x", "y"],
            "text": ["a", "b"],
            "reference_1": ["one", "one"],
            "reference_2": ["two", "two"],
        }
    )
    assert [s.plain for s in Collection.from_frame(frame).references("1")] == ["one", "two"]
    for cell in (["one", "two"], '["one", "two"]', "['one', 'two']"):
        frame = pl.DataFrame({"id": ["1"], "model": ["x"], "text": ["a"], "references": [cell]})
        assert [s.plain for s in Collection.from_frame(frame).references("1")] == ["one", "two"]


def test_references_that_differ_between_rows_are_kept_and_reported():
    frame = pl.DataFrame({"id": ["1", "1"], "model": ["x", "y"], "text": ["a", "b"],
                          "target": ["one", "two"]})  # fmt: skip
    message = (
        "differing references: topic 1: they differ between rows 1 and 2 .1 topics in all.; all "
        "are kept"
    )
    with pytest.warns(DataNote, match=message):
        collection = Collection.from_frame(frame)
    assert not describe(collection).ok
    assert [s.plain for s in collection.references("1")] == ["one", "two"]


def test_a_column_a_system():
    texts = pl.DataFrame({"id": ["1", "2"], "gpt": ["a", "b"], "llama": ["c", "d"]})
    collection = Collection.from_frame(texts, columns={"text": ["gpt", "llama"]})
    assert {s.key for s in collection.summaries} == {
        ("", topic, system) for topic in "12" for system in ("gpt", "llama")
    }
    scores = pl.DataFrame({"id": ["1", "2"], "gpt": [1, 2], "llama": [3, 4]})
    assert rows_of(Collection.from_frame(scores)) == [
        ("1", "gpt", "score", "", 1.0),
        ("1", "llama", "score", "", 3.0),
        ("2", "gpt", "score", "", 2.0),
        ("2", "llama", "score", "", 4.0),
    ]


def test_a_file_of_one_system_needs_no_ids(tmp_path):
    file = tmp_path / "bart.jsonl"
    file.write_text('{"prediction": "a", "target": "b"}\n{"prediction": "c", "target": "d"}\n')
    with pytest.warns(DataNote, match="read as --columns text=prediction,reference=target"):
        collection = read_collection(file)
    assert [s.key for s in collection.summaries if s.is_peer] == [
        ("", "1", "bart"),
        ("", "2", "bart"),
    ]


def test_a_metric_next_to_each_judge_is_nobodys_judgment():
    frame = pl.DataFrame({"id": ["1", "1"], "model": ["x", "x"], "annotator": ["a", "b"],
                          "coherence": [4, 5], "rouge-2": [0.25, 0.25]})  # fmt: skip
    assert rows_of(Collection.from_frame(frame)) == [
        ("1", "x", "coherence", "a", 4.0),
        ("1", "x", "coherence", "b", 5.0),
        ("1", "x", "rouge-2", "", 0.25),
    ]


def test_ranks_that_judges_give_are_their_judgments_although_some_are_equal():
    ranks = [
        (topic, system, judge, 1 + (topic + number * judge) % 3)
        for topic in range(4)
        for number, system in enumerate("abc")
        for judge in (1, 2)
    ]
    frame = pd.DataFrame(ranks, columns=["topic", "system", "assessor", "rank"])
    scores = Collection.from_frame(frame).scores
    assert len(scores) == 24
    assert set(scores.columns["assessor"]) == {"1", "2"}


def test_a_list_in_a_cell_holds_several_judges_scores():
    frame = pl.DataFrame({"id": ["1"], "model": ["x"], "coherence": [[4, 5]]})
    collection = Collection.from_frame(frame, measures={"coherence": "coherence"})
    assert [(row.assessor, row.value) for row in collection.scores] == [
        ("coherence-1", 4.0),
        ("coherence-2", 5.0),
    ]


def test_inner_objects_have_columns_of_their_own(tmp_path):
    file = tmp_path / "x.jsonl"
    file.write_text('{"id": 1, "model": "x", "scores": {"coh": 4}}\n')
    collection = read_as(file, measures=["coherence=scores.coh"]).collection
    assert rows_of(collection) == [("1", "x", "coherence", "", 4.0)]


BAD = {
    "no column": ("a,b\nx,y\n", (), "no column of summaries or scores is recognized; the columns are: a, b; name them: pyramidion convert"),  # noqa: E501
    "no topic": ("model,output\nx,y\n", (), "no column of topics is recognized"),
    "two texts": ("id,model,output\n1,x,a\n1,x,b\n", (), "line 3: system x has another text for topic 1 in line 2"),  # noqa: E501
    "two scores": ("id,model,coh,worker_no\n1,x,4,p\n1,x,5,q\n", (), "two scores (4 and 5) of coh for system x, topic 1; name the column that distinguishes them, as in --columns assessor=...; not used so far: worker_no"),  # noqa: E501
    "not a number": ("id,model,coh\n1,x,good\n", ("coh=coh",), "line 2: `coh` is 'good', not a number"),  # noqa: E501
    "empty id": ("id,model,coh\n,x,4\n", (), "line 2: `id` is empty"),
    "kind": ("id,model,kind,coh\n1,x,robot,4\n", (), "line 2: `kind` is 'robot'; write one of: human, machine"),  # noqa: E501
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_meant_is_refused(tmp_path, name):
    text, measures, message = BAD[name]
    file = tmp_path / "my.csv"
    file.write_text(text)
    with pytest.raises(FormatError) as error:
        read_as(file, format="table", measures=measures)
    assert message in str(error.value)


def test_a_column_of_scores_with_a_few_other_cells_is_named(tmp_path, capsys):
    file = tmp_path / "my.csv"
    cells = "".join(f"{n},x,{n % 5 + 1},{'-' if n == 3 else n % 4}\n" for n in range(1, 9))
    file.write_text(f"id,model,rel,flu\n{cells}")
    warning = (
        "column of scores that is not read: column flu: line 4 has '-', not a number; the column"
    )
    assert run(["convert", str(file), str(tmp_path / "all")]) == 0
    assert warning in capsys.readouterr().err
    # Who names the measures knows that the others are not used.
    assert run(["convert", str(file), str(tmp_path / "one"), "--measures", "rel"]) == 0
    assert warning not in capsys.readouterr().err


def test_unknown_parts_and_columns_are_refused(tmp_path):
    file = written(tmp_path, ROWS)
    with pytest.raises(InputError, match="there is no part 'doc'; use one of: topic, task"):
        read_as(file, requested_columns=["doc=team"])
    with pytest.raises(FormatError, match="there is no column 'nope'; available: dialogue_id"):
        read_as(file, requested_columns=["topic=nope"])
    with pytest.raises(InputError, match="two columns for topic: team, coh; name one"):
        read_as(file, requested_columns=["topic=team", "topic=coh"])


def test_semicolons_divide_columns_too(tmp_path):
    file = tmp_path / "excel.csv"
    file.write_text("id;model;output\n1;x;Rain, and snow.\n")
    assert detect(file).name == "table"
    assert [s.text for s in read_as(file).collection.summaries] == ["Rain, and snow."]


def test_the_command_converts_shows_and_asks_before_replacing(tmp_path, capsys):
    file, mine = written(tmp_path, ROWS), tmp_path / "mine"
    command = ["convert", str(file), str(mine), "--columns", COLUMNS, "--measures", MEASURES]
    assert run([*command, "--dry-run"]) == 0
    assert not mine.exists()
    assert "It rained, a lot." in capsys.readouterr().out
    assert run(command) == 0
    assert f"--columns {COLUMNS} --measures {MEASURES}" in capsys.readouterr().out
    assert read_collection(mine).scores.measures == ("coherence", "relevance")
    assert run(command) == 2
    assert "--force" in capsys.readouterr().err


hostile = st.sampled_from(["../x", "=cmd()", "\x1b[31mred", "a,b", 'q"q', "a=b", "ünï", " "])


@given(
    st.lists(hostile, min_size=1, max_size=3, unique=True),
    st.lists(
        st.tuples(hostile, st.integers(1, 5)), min_size=1, max_size=5, unique_by=lambda r: r[0]
    ),
)
def test_hostile_names_are_kept_as_they_are(measures, rows):
    rows = [(system, value) for system, value in rows if system.strip()]
    measures = [name for name in measures if name.strip()]
    frame = pl.DataFrame(
        {"topic": ["t"] * len(rows), "who": [system for system, _ in rows],
         **{name: [value for _, value in rows] for name in measures}},
        schema_overrides={"topic": pl.String, "who": pl.String},
    )  # fmt: skip
    if not rows or not measures:
        return
    collection = Collection.from_frame(frame, columns={"system": "who"}, measures=measures)
    assert rows_of(collection) == sorted(
        ("t", system.strip(), name, "", float(value)) for system, value in rows for name in measures
    )


EXPORTED = {
    "a spreadsheet's": '\ufeffid;model;output;target;coh;\r\nT1;a;"Rain;\nagain";Rain;4,5;\r\n'
    "T1;b;Sun;Rain;3;\r\n",
    "an old spreadsheet's": 'id,model,output,target,coh\rT1,a,"Rain; again",Rain,4.5\r'
    "T1,b,Sun,Rain,3\r",
    "one that says how it is divided": "sep=;\nid;model;output;target;coh\n"
    "T1;a;Rain; again;Rain\n".replace("Rain; again;Rain", '"Rain; again";Rain;4,5')
    + "T1;b;Sun;Rain;3\n",
    "tabs": "id\tmodel\toutput\ttarget\tcoh\t\t\nT1\ta\tRain; again\tRain\t4,5\t\t\n"
    "T1\tb\tSun\tRain\t3\t\t\n",
    "one list": '[{"id": "T1", "model": "a", "output": "Rain; again", "target": "Rain", "coh": 4.5'
    '},\n {"id": "T1", "model": "b", "output": "Sun", "target": "Rain", "coh": 3}]',
}


@pytest.mark.parametrize("name", EXPORTED)
@pytest.mark.parametrize("zipped", [False, True])
def test_what_programs_export_is_read(name, zipped, tmp_path):
    file = tmp_path / ("my.json" if name == "one list" else "my.csv")
    data = EXPORTED[name].encode()
    if zipped:
        file, data = file.with_name(f"{file.name}.gz"), gzip.compress(data)
    file.write_bytes(data)
    assert detect(file).name == "table"
    reading = read_as(file)
    collection = reading.collection
    assert [pair for pair in reading.columns if " " in pair[0]] == [("measure coh", "coh")]
    assert [row[-1] for row in rows_of(collection)] == [4.5, 3.0]
    assert [" ".join(s.plain.split()) for s in collection.peers("T1")] == ["Rain; again", "Sun"]


def test_lists_and_objects_within_objects_are_measures(tmp_path):
    file = tmp_path / "x.jsonl"
    file.write_text('{"id": 1, "model": "x", "by": {"me": {"coh": [4, 5]}, "you": {"coh": 3}}}\n')
    assert sorted(rows_of(read_as(file).collection)) == [
        ("1", "x", "by.me.coh", "by.me.coh-1", 4.0),
        ("1", "x", "by.me.coh", "by.me.coh-2", 5.0),
        ("1", "x", "by.you.coh", "", 3.0),
    ]


UNREAD = {
    "two columns of one name": ("id,model,coh,coh\n1,x,4,5\n", "column `coh` occurs twice; rename one"),  # noqa: E501
    "a decimal comma": ('id,model,score\n1,x,"4,5"\n', "line 2: `score` is '4,5', not a number; write 4.5, or leave it empty"),  # noqa: E501
    "per cent": ("id,model,score\n1,x,45%\n", "`score` is '45%', not a number; write 45, or leave it empty"),  # noqa: E501
    "a date for a score": ("id,model,score\n1,x,Mar-21\n", "`score` is 'Mar-21', not a number; write a number"),  # noqa: E501
    "an id of two lines": ('id,model,score\n"1\n2",x,4\n', "line 2: `id` has a line break; remove it"),  # noqa: E501
    "a comma too many": ("id,model,output\n1,x,Rain, snow\n", "line 2: 4 fields, the header has 3"),
    "an open quotation": ('id,model,output\n1,x,"Rain\n', "line 2: this is not CSV (unexpected end of data)"),  # noqa: E501
    "half a preference": ("topic,first,choice\nT1,a,first\n", "a table of preferences needs a column `second`"),  # noqa: E501
    "nothing but a header": ("id,model,output\n", "there are no rows under the header"),
    "no header": ("T1,a,Rain fell.,4\n", "there are no rows under the header"),
    "a workbook": ("PK\x03\x04", "it is a workbook or an archive; save the sheet as CSV (UTF-8)"),
}  # fmt: skip


@pytest.mark.parametrize("name", UNREAD)
def test_what_is_not_understood_says_how_to_fix_it(name, tmp_path, capsys):
    text, message = UNREAD[name]
    file = tmp_path / ("my.xlsx" if name == "a workbook" else "my.csv")
    file.write_text(text)
    assert run(["convert", str(file), str(tmp_path / "mine")]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err
    assert not (tmp_path / "mine").exists()


def test_the_command_that_is_shown_reads_the_same_again(tmp_path, capsys):
    file, names = tmp_path / "my table.csv", ["a,b", "a=b", "=x", "it's"]
    frame = pd.DataFrame({"id": ["1", "1"], "model": ["x", "y"], **{n: [1, 2] for n in names}})
    frame.to_csv(file, index=False)
    assert run(["convert", str(file), str(tmp_path / "one")]) == 0
    note = next(line for line in capsys.readouterr().out.split("\n") if "To repeat" in line)
    again = shlex.split(note.partition("pyramidion ")[2])
    again[2] = str(tmp_path / "two")
    assert run(again) == 0
    first, two = (Collection.load(tmp_path / name) for name in ("one", "two"))
    assert first.scores == two.scores
    assert set(first.scores.measures) == set(names)


def test_parquet_without_polars_is_one_line(tmp_path, capsys, monkeypatch):
    file = written(tmp_path, ROWS, "parquet")
    monkeypatch.setitem(sys.modules, "polars", None)
    assert run(["convert", str(file), str(tmp_path / "mine")]) == 2
    assert capsys.readouterr().err == (
        "pyramidion: reading Parquet needs an optional dependency; run: pip install "
        '"pyramidion[frames]"\n'
    )


def test_a_document_may_be_a_book(tmp_path):
    book = "Rain, and more rain. " * 20_000
    file = written(tmp_path, [{"id": "T1", "model": "a", "output": 'It "rained".', "source": book}])
    collection = read_as(file).collection
    assert collection.documents("T1")[0].text == book


judged = st.fixed_dictionaries(
    {
        "output": st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).map(
            str.strip
        ),
        "target": st.sampled_from(["Rain.", "It rained; a lot", 'He said "rain", twice']),
        "fluency": st.one_of(st.none(), st.integers(1, 5), st.floats(0, 1)),
    }
)


@pytest.mark.filterwarnings("ignore::pyramidion.errors.DataWarning")
@given(
    st.lists(judged, min_size=1, max_size=6),
    st.sampled_from([",", ";", "\t"]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_a_table_is_read_alike_however_it_is_written(tmp_path_factory, cells, delimiter, end):
    rows = [{"id": f"T{n // 2}", "model": "ab"[n % 2], **row} for n, row in enumerate(cells)]
    assume(any(row["fluency"] is not None for row in rows))
    assume(all(row["output"].strip() == row["output"] for row in rows))
    frame = pd.DataFrame(rows)
    folder = tmp_path_factory.mktemp("alike")
    frame.to_csv(folder / "my.csv", sep=delimiter, lineterminator=end, index=False,
                 decimal="." if delimiter == "," else ",", encoding="utf-8-sig")  # fmt: skip
    frame.to_json(folder / "my.jsonl", orient="records", lines=True, double_precision=15)
    read = [read_as(folder / name, format="table").collection for name in ("my.csv", "my.jsonl")]
    for collection in (*read, Collection.from_frame(frame)):
        assert collection.summaries == read[0].summaries
        assert [row[:-1] for row in rows_of(collection)] == [row[:-1] for row in rows_of(read[0])]
        values = [row[-1] for row in rows_of(collection)]
        assert values == pytest.approx([row[-1] for row in rows_of(read[0])])


def parts_of(folder, *parts):
    folder.mkdir()
    for number, rows in enumerate(parts):
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"part-{number}.jsonl").write_text(lines)
    (folder / "_job.json").write_text("{}")
    return folder


def test_a_folder_of_parts_is_one_table(tmp_path):
    folder = parts_of(tmp_path / "my", ROWS[:2], ROWS[2:])
    last = folder / "part-1.jsonl"
    (folder / "part-1.jsonl.gz").write_bytes(gzip.compress(last.read_bytes()))
    last.unlink()
    assert detect(folder).name == "table"
    with pytest.warns(DataNote, match="my: read as"):
        collection = read_collection(folder)
    with pytest.warns(DataNote):
        assert collection.scores == read_collection(written(tmp_path, ROWS, "jsonl")).scores


def test_parts_with_other_fields_are_refused(tmp_path):
    folder = parts_of(tmp_path / "my", ROWS[:2], [{"topic": "d2", "system": "red", "coh": 4}])
    with pytest.raises(
        InputError, match=r"part-1.jsonl: the fields differ from part-0: .*dialogue_id"
    ):
        read_collection(folder)


def test_a_folder_with_other_files_is_not_a_table(tmp_path):
    folder = parts_of(tmp_path / "my", ROWS)
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(FormatError, match="not recognized"):
        detect(folder)


def test_folder_without_parts_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("Rain")
    assert refusal(FormatError, read_as, tmp_path, format="table") == (
        f"{tmp_path}: this is a folder, not a file; name a file in it"
    )


def test_a_dry_run_shows_the_first_three_records_and_the_beginnings_of_texts(tmp_path, capsys):
    """A text of 60 characters is shown whole; of a longer one, 59 and an ellipsis."""
    file = tmp_path / "mine.csv"
    rows = ["topic,system,text", *(f"T{n},s,{'x' * (58 + n)}" for n in range(1, 5))]
    file.write_text("\n".join([*rows, ""]))
    assert run(["convert", str(file), "out", "--dry-run", "--format", "csv"]) == 0
    rows = [line.split(",") for line in capsys.readouterr().out.splitlines()]
    texts = [(row[0], row[2]) for row in rows if row[1:2] == ["text"] and len(row) == 3]
    assert texts == [("1", "x" * 59), ("2", "x" * 60), ("3", "x" * 59 + "…")]
    file.write_text("\n".join(["topic,system,score", *(f"T{n},s,{n}" for n in range(5)), ""]))
    assert run(["convert", str(file), "out", "--dry-run", "--format", "csv"]) == 0
    rows = [line.split(",") for line in capsys.readouterr().out.splitlines()]
    assert [row[0] for row in rows if row[1:] and row[1] == "topic"][-3:] == ["1", "2", "3"]
    assert sum(row[-1] in {f"T{n}" for n in range(5)} for row in rows) == 3
