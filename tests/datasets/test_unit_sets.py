"""Content units of other people's making, and the scores that follow from them."""

import gzip
import json
from collections import defaultdict

import pytest

from pyramidion.cli import runtime
from pyramidion.collection import SCU, Collection, Contributor, Part, PeerAnnotation, Pyramid
from pyramidion.collection.formats import detect, read_collection
from pyramidion.errors import InputError
from pyramidion.pyramid import units
from support import shared_file

PYREVAL = """<Pyramid><scu uid="0"><contributor label="Ice melts." />
<contributor label="Ice thaws." /></scu>
<scu uid="1"><contributor label="It is old." /></scu></Pyramid>"""

LITE = (
    "eventId,questionId,questionText,answer,author,sourceSummaryId,forUse\n"
    'D407,0,"Ice, too, melts.",Y,W1,D407.M.250.B.D,1\n'
    "D407,1,Ice is red.,N,W1,D407.M.250.B.D,0\n"
    "D632,2,It is old.,Y,W2,D632.M.250.I.F,0\n"
)

ROSE = {
    "source": "Ice melts today.",
    "reference": "Ice melts now.",
    "reference_acus": ["Ice melts.", "It melts now."],
    "count_id": 1,
    "example_id": "e1",
    "system_outputs": {"x": "Ice melts, it is said, today.", "y": "Ice."},
    # By hand: 6 words to 3, a = 5: 0.5 exp((1 - 2) / 5) = 0.40936538
    "annotations": {
        "x": {"acu_labels": [1, 0], "acu": 0.5, "normalized_acu": 0.40936538},
        "y": {"acu_labels": [0, 0], "acu": 0.0, "normalized_acu": 0.0},
    },
}

NUGGETS = "66.8 1 vital Norway helps.\n66.8 2 okay A sub heard it.\n\n66.9 1 VITAL It sank.\n"


@pytest.fixture
def lite23(tmp_path):
    folder = tmp_path / "set"
    for name, text in {
        "ids.txt": "a\nb\n",
        "SCUs.txt": "Ice melts.\tIt is old.\nRain fell.\n",
        "references.txt": "Old ice melts.\nRain fell.\n",
        "summaries/x.summary": "Ice melts.\nSun.\n",
        "labels/x.label": "1\t0\n0\n",
        "STUs.txt": "Ice\nRain\n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_pyreval_is_a_list_of_weighted_units(tmp_path):
    (tmp_path / "T1.pyr").write_text(PYREVAL)
    assert detect(tmp_path / "T1.pyr").name == "pyreval"
    collection = read_collection(tmp_path / "T1.pyr")
    [topic] = collection.topics
    assert (collection.name, topic.id) == ("T1", "T1")
    assert [(unit["id"], unit["text"], unit["weight"]) for unit in topic.extra["scus"]] == [
        ("0", "Ice melts.", 2),
        ("1", "It is old.", 1),
    ]


def test_pyrevals_own_file_has_as_many_units_as_ducviews():
    names = ("pyramids/crypto_pyreval_original.pyr", "pyramids/crypto_ducview.pyr")
    original, ducview = (read_collection(shared_file(f"data/{name}")) for name in names)
    weights = [unit["weight"] for unit in original.topics[0].extra["scus"]]
    [pyramid] = ducview.pyramids.values()
    assert weights == [len(scu.contributors) for scu in pyramid.scus]


def test_lite23pyramid(lite23):
    assert detect(lite23).name == "lite23pyramid"
    collection = read_collection(lite23)
    assert [topic.id for topic in collection.topics] == ["a", "b"]
    assert [s.plain for s in collection.references("a")] == ["Old ice melts."]
    assert collection.left_out == ("1 files or folders that were not read: STUs.txt",)
    assert [(row.topic, row.share) for row in units(collection)] == [("a", 0.5), ("b", 0.0)]


def test_examples_without_ids_are_numbered(lite23):
    (lite23 / "ids.txt").unlink()
    collection = read_collection(lite23)
    assert [topic.id for topic in collection.topics] == ["1", "2"]
    assert [(row.topic, row.share) for row in units(collection)] == [("1", 0.5), ("2", 0.0)]


@pytest.mark.long
def test_realsumm_in_the_form_of_lite23pyramid_gives_its_human_score(tmp_path):
    """Lite2-3Pyramid's README gives 0.48349483849483854 as `human` of REALSumm's abs_bart_out."""
    path, listed = shared_file("data/realsumm.jsonl.gz"), shared_file("data/realsumm_scus.jsonl.gz")
    units_of, every = (
        [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]
        for file in (listed, path)
    )
    scus = {row["topic"]: row["scus"] for row in units_of}
    rows = [row for row in every if row["system"] == "abs_bart_out"]
    files = defaultdict(list)
    for row in rows:
        files["ids.txt"].append(row["topic"])
        files["SCUs.txt"].append("\t".join(scu["text"] for scu in scus[row["topic"]]))
        files["labels/abs_bart_out.label"].append("\t".join(map(str, row["scu_labels"])))
    (tmp_path / "labels").mkdir()
    for name, lines in files.items():
        (tmp_path / name).write_text("\n".join(lines))
    shares = [row.share for row in units(read_collection(tmp_path))]
    assert sum(shares) / len(shares) == pytest.approx(0.48349483849483854, abs=1e-12)


def test_litepyramids_keeps_who_wrote_a_unit_and_what_for(tmp_path):
    (tmp_path / "batch1.csv").write_text(LITE)
    assert detect(tmp_path / "batch1.csv").name == "litepyramids"
    collection = read_collection(tmp_path / "batch1.csv")
    assert [len(topic.extra["scus"]) for topic in collection.topics] == [1, 1]
    assert collection.topics[0].extra["scus"][0] == {
        "id": "0", "text": "Ice, too, melts.", "weight": 1, "author": "W1",
        "source": "D407.M.250.B.D", "for_use": True,
    }  # fmt: skip
    assert collection.left_out == ("1 units that were found irrelevant",)


def test_rose_is_compared_with_its_own_column(tmp_path, capsys):
    path = tmp_path / "rose.jsonl"
    path.write_text(json.dumps(ROSE) + "\n")
    assert detect(path).name == "rose"
    assert runtime.run(["pyramid", "units", str(path), "--a", "5", "--format", "json"]) == 0
    x, y = json.loads(capsys.readouterr().out)["results"]
    assert (x["share"], y["share"], y["normalized"]) == (0.5, 0.0, 0.0)
    assert x["normalized"] == pytest.approx(0.40936538, abs=1e-8)
    frame = units(path).to_frame("published")
    assert list(frame["published"]) == ["acu", "normalized-acu"]
    assert frame["a_that_fits"][1] == pytest.approx(5, abs=1e-5)
    scores = units(path).to_scores()
    assert set(scores.measures) == {"unit-share", "unit-share-normalized"}


def test_nuggets_are_vital_or_okay(tmp_path):
    (tmp_path / "key.txt").write_text(NUGGETS)
    assert detect(tmp_path / "key.txt").name == "nuggets"
    topics = read_collection(tmp_path / "key.txt").topics
    assert [(topic.id, [u["vital"] for u in topic.extra["scus"]]) for topic in topics] == [
        ("66.8", [True, False]),
        ("66.9", [True]),
    ]


@pytest.mark.parametrize(
    ("length", "options", "expected"),
    [
        # By hand: 2 of 3 vital and 1 of 2 okay; 300 characters are allowed.
        (300, {}, (2 / 3, 1.0, 10 * 2 / 3 / (9 + 2 / 3))),
        (400, {}, (2 / 3, 0.75, 10 * 0.75 * 2 / 3 / (9 * 0.75 + 2 / 3))),
        (400, {"beta": 1, "allowance": 50}, (2 / 3, 0.375, 2 * 0.375 * 2 / 3 / (0.375 + 2 / 3))),
    ],
)
def test_nugget_f(tmp_path, length, options, expected):
    listed = [{"id": str(n), "label": "", "vital": n < 3} for n in range(5)]
    text = "a " * length
    lines = [
        {"topic": "T1", "scus": listed},
        {"topic": "T1", "system": "7", "text": text, "answers": [1, 1, 0, 1, 0]},
    ]
    path = tmp_path / "key.pyramids.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    [row] = units(path, **options)
    assert (row.recall, row.precision, row.f) == pytest.approx(expected)


def test_coverage_is_the_mean_over_the_models_units(tmp_path):
    rows = "".join(
        f"D04,17,machine,coverage,A,{unit},{value}\n" for unit, value in enumerate([100, 40, 0])
    )
    path = tmp_path / "coverage.csv"
    path.write_text(f"topic,system,kind,measure,assessor,unit,value\n{rows}")
    [row] = units(path)
    assert (row.system, row.assessor, row.coverage) == ("17", "A", pytest.approx(140 / 300))


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.pyr", "<Pyramid></Pyramid>", "there are no content units"),
        (
            "a.pyr",
            '<Pyramid><scu uid="1"/></Pyramid>',
            "scu no. 1: it has no uid, or no contributor",
        ),
        ("a.csv", LITE.replace(",Y,", ",?,", 1), "line 2: `answer` is '?'"),
        ("a.csv", LITE.replace(",forUse", ",use"), "line 1: column `forUse` is missing"),
        ("a.jsonl", json.dumps({**ROSE, "system_outputs": {}}), "x is annotated but has no output"),
        ("a.jsonl", json.dumps({**ROSE, "annotations": 1}), "`annotations` is not an object"),
        (
            "a.jsonl",
            json.dumps({**ROSE, "annotations": {"x": 1}}),
            "an annotation is not an object",
        ),
        (
            "a.jsonl",
            json.dumps({**ROSE, "annotations": {"x": {"acu_labels": [[1]]}}}),
            "`acu_labels` is not a list of 0 and 1",
        ),
        (
            "a.jsonl",
            json.dumps({**ROSE, "annotations": {"x": {"acu_labels": [1]}}}),
            "1 labels for the 2 units of topic e1",
        ),
        (
            "a.txt",
            NUGGETS * 99 + "not a nugget here",
            "line 397: 'not a nugget here' is not a nugget",
        ),
    ],
)
def test_damage_is_reported_with_its_place(tmp_path, name, text, expected):
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError) as error:
        read_collection(tmp_path / name)
    assert expected in str(error.value)
    assert "\n" not in str(error.value)


def test_files_of_different_lengths_are_refused(lite23):
    (lite23 / "labels" / "x.label").write_text("1\t0\n")
    with pytest.raises(InputError, match=r"x\.label: 1 lines, SCUs\.txt has 2"):
        read_collection(lite23)
    (lite23 / "labels" / "x.label").write_text("1\t0\nyes\n")
    with pytest.raises(InputError, match="line 2: the label 'yes' is neither 0 nor 1"):
        read_collection(lite23)


def test_two_occasions_of_an_annotator_are_distinguished():
    pyramid = Pyramid.from_references({"A": "Ice melts."}, [("Ice melts", {"A": ["Ice"]})])
    contributor = Contributor((Part(0, 3, "Ice"),))
    peers = {
        ("", "T1", "7", "anna", occasion): PeerAnnotation(
            pyramid, "Ice.", (SCU("1", "", contributors),)
        )
        for occasion, contributors in (("", (contributor,)), ("again", ()))
    }
    scored = units(Collection("", peer_annotations=peers), references=False)
    assert [(row.occasion, row.share) for row in scored] == [("", 1), ("again", 0)]
    assert set(scored.to_scores().columns["occasion"]) == {"", "again"}
