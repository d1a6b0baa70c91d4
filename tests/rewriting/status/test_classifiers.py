"""Classifiers as JSON, applied with NumPy, beside scikit-learn's own answers."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.errors import FormatError, InputError, MissingExtraError, NotFoundError, ShapeError
from pyramidion.rewriting import (
    STATUS_FEATURES,
    DescriptionModel,
    Linear,
    StatusModel,
    Tree,
    default_model,
    status_of,
    statuses_of,
)
from pyramidion.rewriting._status.model import classifier_record, read_classifier
from pyramidion.studies import _status_training as training
from pyramidion.studies._status_training import (
    LEARNERS,
    AnswerCounts,
    cross_validate,
    share_interval,
    train_status,
)
from rewriting.status.people import mention, person, sentence


def noisy(seed=0, number=120):
    """Two features of four tell the answer, mostly."""
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(number, 4))
    return table, table[:, 0] + table[:, 2] + rng.normal(scale=0.5, size=number) > 0


# Classifiers


@pytest.mark.parametrize("learner", LEARNERS)
def test_what_is_learned_survives_json(learner):
    table, labels = noisy()
    model = train_status(table, labels, learner)
    again = read_classifier(json.loads(json.dumps(classifier_record(model))))
    assert again.probabilities(table) == pytest.approx(model.probabilities(table), abs=1e-4)
    assert ((model.probabilities(table) > 0.5) == labels).mean() > 0.8


def test_the_tree_answers_as_scikit_learn_does():
    tree = pytest.importorskip("sklearn.tree")
    table, labels = noisy()
    theirs = tree.DecisionTreeClassifier(
        criterion="entropy", min_samples_leaf=5, ccp_alpha=0.02, random_state=0
    ).fit(table, labels)
    ours = train_status(table, labels, "tree")
    assert ours.probabilities(table) == pytest.approx(theirs.predict_proba(table)[:, 1])


def test_the_sum_answers_as_scikit_learn_does():
    linear = pytest.importorskip("sklearn.linear_model")
    table, labels = noisy()
    scaled = (table - table.mean(axis=0)) / table.std(axis=0)
    theirs = linear.LogisticRegression(C=0.1, max_iter=10_000).fit(scaled, labels)
    ours = train_status(table, labels, "linear")
    assert ours.probabilities(table) == pytest.approx(theirs.predict_proba(scaled)[:, 1])


@pytest.mark.parametrize("learner", LEARNERS)
def test_only_chosen_features_matter(learner):
    table, labels = noisy()
    model = train_status(table, labels, learner, features=(2, 0))
    changed = table.copy()
    changed[:, [1, 3]] = 99.0
    assert model.probabilities(changed).tolist() == model.probabilities(table).tolist()
    used = {feature for feature in model.features if feature >= 0}
    assert used <= {0, 2}


def test_a_feature_that_never_changes():
    table, labels = noisy()
    table[:, 1] = 3.0
    assert np.isfinite(train_status(table, labels, "linear").probabilities(table)).all()


def test_far_away_people_overflow_nothing():
    model = Linear((0,), (0.0,), (1e-9,), (5.0,), 0.0)
    assert model.probabilities(np.array([[1e12], [-1e12]])) == pytest.approx([1, 0])


def test_a_tree_in_words():
    tree = Tree((1, -1, -1), (2.5, 0.0, 0.0), (1, 0, 0), (2, 0, 0), (0.4, 0.1, 0.9))
    assert tree.written(["a", "b"]) == ["b <= 2.5:", "  0.10", "otherwise:", "  0.90"]


@pytest.mark.parametrize(
    "columns",
    [
        ((), (), (), (), ()),
        ((0, -1), (1.0, 0.0), (1, 0), (2, 0), (0.5, 0.5)),  # a node that is not there
        ((0, -1), (1.0, 0.0), (0, 0), (1, 0), (0.5, 0.5)),  # its own child: no end
        ((-1,), (0.0, 1.0), (0,), (0,), (0.5,)),
    ],
)
def test_trees_that_are_none(columns):
    with pytest.raises(InputError, match="do not match"):
        Tree(*columns)


@pytest.mark.parametrize("scales", [(0.0,), (1.0, 1.0)])
def test_sums_that_are_none(scales):
    with pytest.raises(InputError, match="scale above 0"):
        Linear((0,), (0.0,), scales, (1.0,), 0.0)


# Training


def test_one_answer_teaches_nothing():
    with pytest.raises(InputError, match="all 5 examples have one answer"):
        train_status(np.zeros((5, 2)), [True] * 5, "tree")


def test_too_few_to_divide():
    with pytest.raises(InputError, match="1 of the rarer answer"):
        cross_validate(np.zeros((5, 2)), [True, False, False, False, False], "tree")


def test_nobody_answers_for_what_it_saw():
    """Each document has its own level: plain folds learn it, grouped folds cannot."""
    rng = np.random.default_rng(1)
    groups = np.repeat(np.arange(20), 10)
    labels = np.repeat(rng.permutation([True, False] * 10), 10)
    table = groups[:, None] + rng.normal(scale=0.01, size=(200, 1))
    names = [str(group) for group in groups]
    plain = cross_validate(table, labels, "tree")
    grouped = cross_validate(table, labels, "tree", groups=names)
    assert plain.judged.accuracy > 0.95
    assert grouped.judged.accuracy < 0.8
    assert plain.folds == 20


def test_folds_follow_the_seed():
    table, labels = noisy()
    first = cross_validate(table, labels, "tree", seed=3, folds=5)
    again = cross_validate(table, labels, "tree", seed=3, folds=5)
    assert first.answers.tolist() == again.answers.tolist()


def test_fewer_folds_where_there_are_fewer_people():
    table, labels = noisy(number=20)
    fewest = min(labels.sum(), (~labels).sum())
    assert cross_validate(table, labels, "linear").folds == fewest


def test_training_without_scikit_learn(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "sklearn.tree", None)
    with pytest.raises(MissingExtraError, match=r"pyramidion\[nlp\]"):
        training.train_status(*noisy(), "tree")


# Judged


def test_the_thesis_own_j48():
    # Table 5.3 and section 5.2.5: 114 of 258 major characters found, precision 0.85, 3926 minor.
    judged = AnswerCounts(hits=114, false_alarms=20, misses=144, rejections=3906)
    assert judged.yes() == pytest.approx((0.85, 0.44, 0.58), abs=0.005)
    assert judged.no() == pytest.approx((0.96, 0.99, 0.98), abs=0.006)
    assert judged.accuracy == pytest.approx(0.96, abs=0.005)
    assert judged.majority == pytest.approx(0.94, abs=0.005)


def test_wilson():
    # Newcombe (1998), Statistics in Medicine 17, Table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    for right, number, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        assert share_interval(right, number) == pytest.approx((low, high), abs=5e-5)
    assert np.isnan(share_interval(0, 0)).all()


def test_no_example():
    empty = AnswerCounts.of([], [])
    assert empty.number == 0
    assert np.isnan([empty.accuracy, empty.majority, *empty.yes(), *empty.no()]).all()


def test_answers_must_fit():
    with pytest.raises(ShapeError, match="2 answers for 1 examples"):
        AnswerCounts.of([True], [True, False])


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1))
def test_turning_everything_round(pairs):
    truth, answers = [answer for answer, _ in pairs], [other for _, other in pairs]
    judged = AnswerCounts.of(truth, answers)
    turned = AnswerCounts.of([not answer for answer in truth], [not answer for answer in answers])
    assert judged.accuracy == turned.accuracy
    assert judged.yes() == pytest.approx(turned.no(), nan_ok=True)
    low, high = judged.interval
    assert 0 <= low <= judged.accuracy + 1e-12 <= high + 1e-9 <= 1 + 1e-9


# The model


def everyday():
    """Make somebody with one bare mention."""
    return person("Ada Ode", [mention(sentence("Ode spoke"), "Ode")])


def test_the_shipped_model_answers_without_scikit_learn(monkeypatch):
    for name in ("sklearn", "sklearn.tree", "sklearn.linear_model"):
        monkeypatch.setitem(__import__("sys").modules, name, None)
    default_model.cache_clear()
    assert status_of(everyday()).major is False


def test_the_shipped_model_says_where_it_is_from():
    card = default_model().card
    assert "GUM" in card["data"]
    assert card["licence"].startswith("CC BY-SA")


def test_a_person_without_mentions_gets_the_majority_class():
    status = status_of(person("Ada Ode"))
    assert status.probabilities == default_model().majority
    assert status.major == (default_model().majority["major"] > 0.5)


def test_one_by_one_and_together():
    people = [everyday(), person("Ada Ode"), everyday()]
    assert statuses_of(people) == [status_of(somebody) for somebody in people]


def model():
    leaf = Tree((-1,), (0.0,), (0,), (0,), (0.25,))
    weights = Linear((16,), (1.0,), (1.0,), (2.0,), -1.0)
    words = DescriptionModel({"<s> chief": 2, "chief </s>": 2})
    return StatusModel(leaf, weights, {"major": 0.25, "hearer_old": 0.4}, words, {"data": "mine"})


def test_a_model_is_written_and_read(tmp_path):
    model().save(tmp_path / "model.json")
    assert StatusModel.load(tmp_path / "model.json") == model()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda content: content.pop("major"), "major"),
        (lambda content: content["major"].update(kind="forest"), "forest"),
        (lambda content: content["majority"].update(major="often"), "often"),
        (lambda content: content["hearer_old"].update(scales=[0.0]), "scale above 0"),
        (lambda content: content.update(descriptions={"one": 1}), "not a count"),
        (lambda content: content.update(descriptions=[1]), ""),
    ],
)
def test_a_broken_model(tmp_path, change, message):
    path = tmp_path / "model.json"
    model().save(path)
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))
    with pytest.raises(FormatError, match=f"(?s)not a model of cognitive status.*{message}"):
        StatusModel.load(path)


@pytest.mark.parametrize("text", ["", "[]", "{", "7"])
def test_no_model_at_all(tmp_path, text):
    path = tmp_path / "model.json"
    path.write_text(text)
    with pytest.raises(FormatError, match="not a model of cognitive status"):
        StatusModel.load(path)


def test_a_model_that_is_not_there(tmp_path):
    with pytest.raises(NotFoundError):
        StatusModel.load(tmp_path / "nothing.json")


@given(st.integers(1, 30), st.integers(0, 5))
def test_any_number_of_documents(documents, later):
    mentions = [
        mention(sentence("Ode spoke", f"d{number}", index), "Ode")
        for number in range(documents)
        for index in range(later + 1)
    ]
    status = status_of(person("Ada Ode", mentions))
    assert set(status.probabilities) == {"major", "hearer_old"}
    assert all(0 <= value <= 1 for value in status.probabilities.values())


def test_features_of_the_shipped_model_are_known():
    shipped = default_model()
    for part in (shipped.major, shipped.hearer_old):
        assert all(-1 <= number < len(STATUS_FEATURES) for number in part.features)
