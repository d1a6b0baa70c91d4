"""SummEval's release. All texts are invented; the field names are those of the release.

Field names: the release's README and data_processing/pair_data.py (``filepath``, ``text``), and
public code that reads the file (``metric_scores_1``, ``_6`` and ``_11`` with ``rouge`` nested and
``supert`` in a list of one).
"""

import gzip
import json

import pytest

from pyramidion.checks import find_problems
from pyramidion.collection.formats import format_named
from pyramidion.collection.matrix import ScoreMatrix
from pyramidion.collection.measures import Scale
from pyramidion.collection.summaries import Document, Summary, Topic
from pyramidion.errors import FormatError
from support import shared_file

FORMAT, JUDGED = format_named("summeval"), format_named("judged")

RAIN = {
    "id": "T1",
    "decoded": "it rained .",
    "expert_annotations": [
        {"coherence": 5, "fluency": 4},
        {"coherence": 4, "fluency": 4},
    ],
    "turker_annotations": [{"coherence": 1, "fluency": 2}],
    "references": ["Rain fell.", "Oslo was wet."],
    "model_id": "M0",
    "filepath": "weather/stories/rain.story",
}


def write_lines(path, *lines):
    path.write_text("".join(json.dumps(fields) + "\n" for fields in lines), encoding="utf-8")
    return path


@pytest.fixture
def read(tmp_path):
    """Read a file with a line for each set of changes."""
    path = tmp_path / "model_annotations.aligned.jsonl"
    return lambda *lines: FORMAT.read(write_lines(path, *({**RAIN, **line} for line in lines)))


def test_summaries_and_references(read):
    collection = read({}, {"model_id": "M1", "decoded": ""})
    assert collection.name == "summeval"
    assert collection.topics == (Topic("T1", extra={"filepath": "weather/stories/rain.story"}),)
    assert collection.summaries == (
        Summary("T1", "M0", "it rained ."),
        Summary("T1", "M1", ""),
        Summary("T1", "ref1", "Rain fell.", kind="human", role="reference"),
        Summary("T1", "ref2", "Oslo was wet.", kind="human", role="reference"),
    )


def test_experts_and_turkers_are_distinguished(read):
    collection = read({})
    by_assessor = {(j.measure, j.assessor): j.value for j in collection.scores}
    assert by_assessor == {
        ("expert-coherence", "expert1"): 5,
        ("expert-fluency", "expert1"): 4,
        ("expert-coherence", "expert2"): 4,
        ("expert-fluency", "expert2"): 4,
        ("turker-coherence", "turker1"): 1,
        ("turker-fluency", "turker1"): 2,
    }
    assert set(collection.scales.values()) == {Scale(1, 5, 1)}
    assert ScoreMatrix.from_scores(collection.scores, "expert-coherence").values.tolist() == [[4.5]]


def test_a_mark_off_the_scale_is_found(read):
    problems = find_problems(read({"expert_annotations": [{"coherence": 6}]}))
    assert [problem.kind for problem in problems] == ["score off its scale"]


def test_metrics_name_the_number_of_references(read):
    metrics = {
        "id": "T1",
        "rouge": {"rouge_2_f_score": 0.25, "rouge_su*_recall": 0.5},
        "supert": [0.75],
        "bleu": 3,
        "cider": float("nan"),
        "blanc": 10**400,
        "chrf": None,
    }
    collection = read({"metric_scores_1": metrics, "metric_scores_11": {"bleu": 4}})
    by_measure = {j.measure: j.value for j in collection.scores if not j.assessor}
    assert by_measure == {
        "auto-rouge-2-f-score-refs1": 0.25,
        "auto-rouge-su*-recall-refs1": 0.5,
        "auto-supert-refs1": 0.75,
        "auto-bleu-refs1": 3,
        "auto-bleu-refs11": 4,
    }
    assert collection.left_out == (
        "1 values of cider that are not numbers",
        "1 values of blanc that are not numbers",
        "1 values of chrf that are not numbers",
    )


def test_the_article_belongs_to_the_topic(read):
    collection = read({"text": "Rain fell all day."}, {"model_id": "M1"})
    assert collection.topics[0].documents == (Document("d1", "Rain fell all day."),)


def test_another_file_name_is_kept_with_the_summary(read):
    collection = read({}, {"model_id": "M1", "filepath": "other.story", "note": 1})
    assert collection.summaries[1].extra == {"filepath": "other.story", "note": 1}


@pytest.mark.parametrize("reference", ["Rain fell.", ["Rain fell."]])
def test_a_single_reference(tmp_path, reference):
    line = {name: value for name, value in RAIN.items() if name != "references"}
    path = write_lines(tmp_path / "a.jsonl", {**line, "reference": reference})
    assert [s.text for s in FORMAT.read(path).references("T1")] == ["Rain fell."]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": None}, "`id` is null, not text"),
        ({"model_id": ""}, "`model_id` is empty"),
        ({"decoded": None}, "`decoded` is null, not text"),
        ({"references": ["Snow."]}, "the references of topic T1 differ from those in"),
        ({"references": "Snow."}, "`references` is text, not a list of texts"),
        ({"expert_annotations": {}}, "`expert_annotations` is an object, not a list"),
        ({"turker_annotations": [{"coherence": "4"}]}, "no. 1: `coherence` is text, not a number"),
        ({"expert_annotations": [{"coherence": float("nan")}]}, "`coherence` is nan"),
        ({"metric_scores_1": [1]}, "`metric_scores_1` is not an object"),
        ({"text": "Another article."}, "the article of T1 differs from an earlier line"),
    ],
)
def test_a_wrong_field_is_named(read, change, message):
    with pytest.raises(FormatError) as error:
        read({"text": "An article."}, {"model_id": "M1", **change})
    assert "model_annotations.aligned.jsonl, line 2" in str(error.value)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the file is empty"),
        (json.dumps(RAIN).encode()[:-9], "line 1: this is not JSON"),
        (b'{"id": "caf\xe9"}', "line 1: byte 0xe9 is not UTF-8"),
        (
            gzip.compress(json.dumps(RAIN).encode() * 99, mtime=0)[:-20],
            "the gzipped data is damaged",
        ),
    ],
)
def test_a_damaged_file_is_refused(tmp_path, data, message):
    path = tmp_path / "a.jsonl"
    path.write_bytes(data)
    with pytest.raises(FormatError, match=message):
        FORMAT.read(path)


def test_it_is_not_taken_for_another_format(tmp_path):
    path = write_lines(tmp_path / "a.jsonl", RAIN)
    assert FORMAT.matches(path)
    assert not JUDGED.matches(path)
    assert FORMAT.write is None


def test_it_becomes_judged_summaries(tmp_path, read):
    collection = read({}, {"model_id": "M1"})
    lost = JUDGED.write(collection, tmp_path / "b.jsonl", False)
    again = JUDGED.read(tmp_path / "b.jsonl")
    assert (again.summaries, again.scores) == (collection.summaries, collection.scores)
    assert set(lost) == {"1 descriptions of topics", "4 scales"}


def test_the_release_gives_the_same_judgments_as_the_judged_form(tmp_path):
    """Turn the judged file back into the release's fields: both readers must agree."""
    source = shared_file("data/summeval.jsonl.gz")
    path = tmp_path / "model_annotations.aligned.jsonl"
    with gzip.open(source, "rt", encoding="utf-8") as lines:
        write_lines(path, *(as_released(json.loads(line)) for line in lines))
    judged, released = JUDGED.read(source), FORMAT.read(path)
    for group in ("expert", "turker"):
        for name in ("coherence", "consistency", "fluency", "relevance"):
            expected = ScoreMatrix.from_scores(judged.scores, f"{group}-{name}")
            other = ScoreMatrix.from_scores(released.scores, f"{group}-{name}")
            assert expected.values.shape == (100, 16)
            assert expected.systems == other.systems
            assert expected.values.tolist() == other.values.tolist()
    assert len(released.summaries) == len(judged.summaries)


def as_released(line):
    people = {"expert": [{}, {}, {}], "turker": [{}, {}, {}, {}, {}]}
    for judgment in line["assessor_scores"]:
        group, number = judgment["assessor"][:6], int(judgment["assessor"][6:])
        people[group][number - 1][judgment["name"]] = judgment["value"]
    return {
        "id": line["topic"],
        "decoded": line["summary"],
        "model_id": line["system"],
        "references": line["references"],
        "expert_annotations": people["expert"],
        "turker_annotations": people["turker"],
    }
