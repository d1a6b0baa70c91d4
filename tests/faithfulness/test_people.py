"""A checker compared with people's labels: figures worked out by hand, and what labels refer to."""

import json

import pytest

from pyramidion import faithful
from pyramidion.collection import Collection, Document, Summary, Topic
from pyramidion.errors import InputError
from pyramidion.judges import assessors

#: Sentences about a document, and what the built-in checks say.
SUPPORTED, UNSUPPORTED, UNCLEAR = "Lee left Oslo", "Borg left Oslo", "Nobody was pleased"


def collection(n_topics=3):
    """Make topics with different documents, and two systems: three statements in each summary."""
    topics = tuple(
        Topic(f"T{n}", documents=(Document("d", f"Ada Lee left Oslo on day {n + 20}."),))
        for n in range(n_topics)
    )
    texts = {"good": (SUPPORTED, SUPPORTED, UNCLEAR), "bad": (UNSUPPORTED, SUPPORTED, UNCLEAR)}
    summaries = tuple(
        Summary(topic.id, system, ". ".join(parts) + ".")
        for topic in topics
        for system, parts in texts.items()
    )
    return Collection("mine", topics=topics, summaries=summaries)


@pytest.fixture
def labeled(tmp_path):
    """Check with a table of labels, of these rows."""

    def check(*rows, header="topic,system,statement,annotator,label", n_topics=3, **options):
        path = tmp_path / "labels.csv"
        path.write_text("\n".join([header, *rows]), encoding="utf-8")
        return faithful(collection(n_topics), labels=path, **options)

    return check


ROWS = (
    "T0,good,1,ann,supported", "T0,good,3,ann,supported", "T0,bad,1,ann,unsupported",
    "T0,bad,3,ann,unsupported", "T1,bad,1,ann,Supported", "T1,good,1,ann,unsupported",
)  # fmt: skip


def test_figures_worked_out_by_hand(labeled):
    # Scores of those that people find supported: 1, .5, 0; of the others: 0, .5, 1. Of nine pairs
    # three are right and three equal. Flagged: one of three of each.
    people = labeled(*ROWS).people
    assert people.overall["AUC"].value == pytest.approx(4.5 / 9)
    assert people.overall["balanced accuracy"].value == pytest.approx(0.5)
    assert people.overall["precision of flags"].value == pytest.approx(0.5)
    assert people.overall["kappa"].value == pytest.approx(0.0)
    assert (people.items, people.documents, people.share) == (6, 2, 0.5)
    bins = [(b.score, b.items, b.supported.value) for b in people.calibration]
    assert bins == [(0.0, 2, 0.5), (0.5, 2, 0.5), (1.0, 2, 0.5)]
    assert people.calibration_error.value == pytest.approx((2 * 0.5 + 2 * 0.5) / 6)


def test_within_systems_is_an_average_over_systems(labeled):
    # Good: 1 and .5 against 1: one tie, one wrong, so .25. Bad: 0 against 0 and .5: .25. Each has
    # two pairs.
    within = labeled(*ROWS).people.within
    assert within["AUC"].value == pytest.approx(0.25)
    # Good: nothing flagged, so .5. Bad: the good one is flagged, and one of two others: .25.
    assert within["balanced accuracy"].value == pytest.approx(0.375)


def test_intervals_need_documents(labeled):
    assert (
        "6 items of 2 sets of documents, 50.0% supported by people; undecided and left out: 0. "
        "Too few for intervals." in " ".join(str(labeled(*ROWS)).split())
    )
    good = [f"T{n},good,1,ann,supported" for n in range(12)]
    rows = [*good, *(f"T{n},bad,1,ann,{'un' * bool(n % 3)}supported" for n in range(12))]
    figures = labeled(*rows, n_topics=12).people.overall
    # Found supported: twelve with score 1, four with 0; unsupported: eight with 0.
    assert figures["AUC"].value == pytest.approx((12 * 8 + 4 * 8 / 2) / (16 * 8))
    precision = figures["precision of flags"]
    assert precision.value == pytest.approx(8 / 12)
    assert precision.low < precision.value < precision.high
    assert labeled(*rows, n_topics=12).people.overall == figures


@pytest.mark.parametrize(
    ("statement", "score", "unit"),
    [
        ("1", 0.0, "1"),
        ("2+3", 0.5, "2+3"),
        ("", 0.0, ""),
        ("lee  left oslo", 1.0, "2"),
        ("Borg left Oslo. Lee left Oslo.", 0.0, "1+2"),
    ],
)
def test_labels_are_about_statements_by_number_or_text(labeled, statement, score, unit):
    (item,) = labeled(f"T0,bad,{statement},ann,supported").items
    assert (item.score, item.unit) == (score, unit)


def test_people_who_disagree_or_cannot_tell_are_counted(labeled):
    result = labeled(
        "T0,good,1,ann,supported", "T0,good,1,bob,unsupported", "T0,bad,1,ann,cannot tell",
        "T0,bad,3,ann,unsupported", "T0,bad,3,bob,unsupported", "T1,bad,1,bob,",
    )  # fmt: skip
    assert (result.people.items, result.people.undecided) == (1, 2)
    # Coincidences: one pair differs, one agrees; expected by chance 2 * 1 * 3 / (4 * 3).
    assert result.people.alpha == pytest.approx(1 - 0.5 / 0.5)


def test_labels_without_a_statement_are_counted(labeled):
    result = labeled(
        "T0,good,1,ann,supported", "T9,good,1,ann,supported", "T0,good,7,ann,supported"
    )
    assert result.left_out == (
        "1 label: no summary that was checked (T9, good)",
        "1 label: no such statement (T0, good)",
    )


def test_an_export_of_judgments_is_a_table_of_labels(labeled):
    header = "task,topic,system,kind,measure,assessor,value,unit"
    rows = (
        ",T0,good,machine,supported,ann,1,1", ",T0,good,machine,fluency,ann,5,",
        ",T0,bad,machine,supported,ann,0,1", ",T0,bad,machine,supported,ann,,2",
    )  # fmt: skip
    people = labeled(*rows, header=header).people
    assert (people.items, people.share, people.overall["AUC"].value) == (2, 0.5, 1.0)


@pytest.mark.parametrize(
    ("rows", "header", "message"),
    [
        (["T0,good,1,ann,maybe"], None, "line 2: a label is 'maybe'; write supported, unsupp"),
        (["T0,good,1"], "topic,system,statement", "there is no column `label`; name the columns"),
        (["T9,good,1,ann,supported"], None, "no label refers to a statement of these summaries"),
        (["T0,good,1,ann,cannot tell"], None, "no label says supported or unsupported"),
    ],
)
def test_unusable_labels_are_refused(labeled, rows, header, message):
    with pytest.raises(InputError, match=message):
        labeled(*rows, **({"header": header} if header else {}))


def test_scores_have_all_verdicts_and_are_alike_for_all_summaries(labeled):
    def scores_of(row):
        scores = labeled(row).to_scores().select(assessor="built-in", topic="T0")
        columns = (scores.columns[name].tolist() for name in ("system", "unit"))
        return {"/".join(key): value for *key, value in zip(*columns, scores.value, strict=True)}

    single = {"good/1": 1.0, "good/2": 1.0, "good/3": 0.5, "bad/1": 0.0, "bad/2": 1.0, "bad/3": 0.5}
    assert scores_of("T0,good,2,ann,supported") == single
    # Whole summaries in one topic only would be another judge there than elsewhere.
    assert scores_of("T1,good,,ann,supported") == {"good/": 0.5, "bad/": 0.0}
    assert scores_of("T0,good,,ann,supported") == {"good/": 0.5, "bad/": 0.0}


def test_verdicts_of_models_are_no_labels(labeled, tmp_path):
    # Otherwise a checker would agree with itself.
    header = "topic,system,statement,assessor,assessor_kind,value"
    rows = ("T0,good,1,ann,,0", "T0,bad,1,built-in,model,0", "T1,bad,1,built-in,model,0")
    result = labeled(*rows, header=header)
    assert [(item.unit, item.labels) for item in result.items] == [("1", {"ann": 0.0})]
    assert result.left_out == ("2 rows of labels.csv: by models, not people",)
    path = tmp_path / "scores.csv"
    faithful(collection()).save("output", path)
    with pytest.raises(InputError, match="there are no labels by people; 18 rows"):
        faithful(collection(), labels=path)


@pytest.mark.parametrize("annotator", ["ann", ""])
def test_an_annotator_labels_a_statement_once(labeled, annotator):
    row = f"T0,good,{{}},{annotator},{{}}"
    assert labeled(row.format(1, "yes"), row.format(1, "supported")).people.items == 1
    with pytest.raises(InputError, match="T0, good more than once, with different answers; give"):
        labeled(row.format(1, "yes"), row.format("1", "no"))


def test_topics_with_the_same_documents_are_one_set(tmp_path):
    documents = (Document("d", "Ada Lee left Oslo on day 20."),)
    topics = tuple(Topic(f"T{n}", documents=documents) for n in range(3))
    summaries = tuple(Summary(topic.id, "good", "Lee left Oslo.") for topic in topics)
    path = tmp_path / "labels.csv"
    path.write_text("topic,system,label\nT0,good,yes\nT1,good,no\nT2,good,no\n", encoding="utf-8")
    same = Collection("mine", topics=topics, summaries=summaries)
    people = faithful(same, labels=path).people
    assert (people.items, people.documents, people.systems) == (3, 1, ())


def test_few_labels_and_many_verdicts_estimate_the_share(labeled):
    # People agree with the checker on the whole summaries of ten of forty topics.
    rows = [f"T{n},{s},,ann,{v}" for n in range(0, 40, 4)
            for s, v in (("good", "supported"), ("bad", "unsupported"))]  # fmt: skip
    bad, good = labeled(*rows, n_topics=40).people.systems
    assert (good.system, good.topics, good.labeled) == ("good", 40, 10)
    # The checker cannot tell (score .5), and people say supported.
    assert (good.checker, good.people.value, good.combined.value) == (0.5, 1.0, 1.0)
    assert (bad.checker, bad.combined.value) == (0.0, 0.0)
    assert bad.combined.high > 0


def test_assessors_treats_a_checker_like_a_judge(labeled):
    labels = ("good,1,{},supported", "good,2,{},supported", "bad,1,{},unsupported")
    rows = [f"T{n},{x.format(a)}" for n in range(6) for a in ("ann", "bob") for x in labels]
    scores = labeled(*rows, n_topics=6).to_scores()
    assert {*scores.columns["assessor_kind"]} == {"", "model"}
    (check,) = assessors(scores).judges
    assert (check.judge, check.measure, check.n) == ("built-in", "supported", 12)
    assert check.within_topics.value == pytest.approx(1.0)


def test_json_and_page_have_the_comparison(labeled):
    result = labeled(*ROWS)
    people = json.loads(result.to_json())["people"]
    assert people["overall"]["AUC"]["value"] == pytest.approx(0.5)
    assert "Checked against people" in result.to_page()
    assert "people" not in json.loads(faithful(collection()).to_json())
