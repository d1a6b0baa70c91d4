"""The hidden Markov model of summary sentences, and the QR decomposition."""

import json
from collections import Counter
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import qr

from pyramidion.cli.runtime import run
from pyramidion.collection import Collection, Document, Summary, Topic
from pyramidion.errors import FormatError, InputError, NotFoundError
from pyramidion.summarizers import Limit, Source, parse_summarizer, train_hmm
from pyramidion.summarizers._hmm import (
    HmmFile,
    HmmQr,
    SummaryHmm,
    aligned_sentences,
    default_hmms,
    fit_hmm,
    observations,
    state_path,
    train_hmms,
)
from pyramidion.summarizers._signature import signature_of
from pyramidion.text.encoding import Background
from summarizers import plain
from summarizers.inputs import source_of

MODEL = SummaryHmm(
    initial=(0.7, 0.3, 0.0, 0.0, 0.0),
    transitions=(
        (0.6, 0.4, 0.0, 0.0, 0.0),
        (0.0, 0.0, 0.7, 0.3, 0.0),
        (0.0, 0.0, 0.8, 0.2, 0.0),
        (0.0, 0.0, 0.0, 0.5, 0.5),
        (0.0, 0.0, 0.0, 0.1, 0.9),
    ),
    means=(0.5, 1.5, 0.6, 1.4, 0.4),
    variance=0.5,
)
SEEN = st.lists(st.floats(0, 4), min_size=1, max_size=5)


def by_enumeration(model, seen):
    """Add up the probabilities of all paths through the states."""
    odd, total = np.zeros(len(seen)), 0.0
    for path in product(range(model.states), repeat=len(seen)):
        p = model.initial[path[0]]
        for a, b in pairwise(path):
            p *= model.transitions[a][b]
        for state, value in zip(path, seen, strict=True):
            p *= np.exp(-((value - model.means[state]) ** 2) / (2 * model.variance))
        total += p
        odd += p * (np.array(path) % 2)
    return odd / total


@given(st.lists(SEEN, min_size=1, max_size=3))
def test_posteriors_against_all_paths(documents):
    observed = MODEL.posteriors([np.array(document) for document in documents])
    for own, posterior in zip(documents, observed, strict=True):
        assert posterior == pytest.approx(by_enumeration(MODEL, own), abs=1e-9)


def test_long_documents_do_not_underflow():
    [posterior] = MODEL.posteriors([np.tile([0.0, 1.0, 40.0], 2000)])
    assert np.isfinite(posterior).all()
    assert MODEL.posteriors([np.zeros(0), np.zeros(0)])[0].shape == (0,)


@pytest.mark.parametrize(
    ("labels", "states", "path"),
    [
        ([0, 0, 1, 0, 0, 1, 1, 0], 5, [0, 0, 1, 2, 2, 3, 3, 4]),
        ([1, 1, 1], 7, [1, 3, 5]),
        ([1, 1, 1, 0, 1], 3, [1, 1, 1, 2, 1]),
    ],
)
def test_paths_of_labeled_documents(labels, states, path):
    assert state_path(labels, states).tolist() == path


@given(st.lists(st.booleans(), min_size=1, max_size=30), st.sampled_from([3, 5, 9, 13]))
def test_a_path_is_possible_in_the_model(labels, states):
    model = fit_hmm([([1.0, 0.0], [True, False])], states=states)
    path = state_path(labels, states)
    assert model.initial[path[0]] > 0
    for a, b in pairwise(path):
        assert model.transitions[a][b] > 0


def test_fitting_counts_by_hand():
    documents = [([2.0, 0.0, 0.0], [1, 0, 0]), ([0.0, 1.0], [0, 1])]
    model = fit_hmm(documents, states=3)
    assert model.initial == (0.5, 0.5, 0.0)
    # One step each: summary to other, other to other, and first other to summary; plus 1 each.
    assert model.transitions == ((1 / 3, 2 / 3, 0.0), (0.0, 1 / 3, 2 / 3), (0.0, 1 / 3, 2 / 3))
    assert model.means == pytest.approx((0.0, 1.5, 0.0))
    assert model.variance == pytest.approx((0.25 + 0.25) / 5)


def test_means_are_drawn_to_the_mean_of_their_kind_as_by_ten_sentences():
    # Summary states 1 and 3: 20 sentences of 3 and 20 of 1; their mean is 2.
    documents = [([3.0, 0.0, 1.0], [1, 0, 1])] * 20
    model = fit_hmm(documents, states=5)
    assert model.means[1] == pytest.approx((20 * 3 + 10 * 2) / 30)
    assert model.means[3] == pytest.approx((20 * 1 + 10 * 2) / 30)
    # A state that never occurred has the mean of its kind.
    assert model.means[4] == pytest.approx(0)
    assert fit_hmm([([3.0, 0.0], [1, 0])] * 20, states=5).means[3] == pytest.approx(3)


@pytest.mark.parametrize("states", [1, 2, 4])
def test_a_number_of_states_that_is_none_is_refused(states):
    with pytest.raises(InputError, match="use an odd number of at least 3"):
        fit_hmm([([1.0, 0.0], [True, False])], states=states)


def test_fitting_needs_both_kinds():
    with pytest.raises(InputError, match="needs summary sentences and others"):
        fit_hmm([([1.0, 0.0], [True, True])])
    for nothing in ([], [([], [])]):
        with pytest.raises(InputError, match="needs summary sentences and others"):
            fit_hmm(nothing)


def test_each_sentence_needs_a_number_and_a_label():
    message = "document 2 has 3 observations and 2 labels; pass a number and a label for each"
    with pytest.raises(InputError, match=message):
        fit_hmm([([1.0, 0.0], [True, False]), ([1.0, 0.0, 2.0], [True, False])])
    with pytest.raises(InputError, match="document 1 has 2 observations and 2 labels"):
        fit_hmm([([[1.0], [0.0]], [[True], [False]])])


def test_models_are_written_and_read(tmp_path):
    path = tmp_path / "hmm.json"
    HmmFile({5: MODEL}, {"data": "mine"}).save(path)
    again = HmmFile.load(path)
    assert again == HmmFile({5: MODEL})
    assert again.card == {"data": "mine"}
    with pytest.raises(InputError, match="no model of 7 states; available: 5"):
        again.model(7)
    source = source_of("Floods closed roads in Ardel. It was late.")
    assert parse_summarizer(f"hmm-qr(model={path})").choose(source, Limit(9)).numbers


@pytest.mark.parametrize(
    "change", [{"initial": [1.0]}, {"variance": 0}, {"means": "many"}, {"transitions": [[2.0]] * 5}]
)
def test_files_that_are_not_models_is_refused(tmp_path, change):
    path = tmp_path / "hmm.json"
    HmmFile({5: MODEL}).save(path)
    data = json.loads(path.read_text())
    data["models"][0] |= change
    path.write_text(json.dumps(data))
    with pytest.raises(FormatError, match=r"hmm.json: the file has no models of summary sentences"):
        HmmFile.load(path)


def test_other_files_are_refused(tmp_path):
    path = tmp_path / "hmm.json"
    for text in ("[]", "{}", "not JSON", '{"models": [], "card": 3'):
        path.write_text(text)
        with pytest.raises(FormatError, match="has no models"):
            HmmFile.load(path)
    with pytest.raises(NotFoundError):
        HmmFile.load(tmp_path / "none.json")


def test_the_shipped_models_know_that_signature_words_tell():
    for states, model in default_hmms().models.items():
        assert model.states == states
        assert min(model.means[1::2]) > max(model.means[::2])
        low, high = model.posteriors([np.array([0.0]), np.array([3.0])])
        assert high[0] > low[0]


def test_alignment_marks_what_references_were_made_of():
    text = "Rain fell on Ardel. Rain fell on Ardel and on Norden. Goats were sold. Ardel."
    source = source_of(text, references=["Rain fell on Ardel. Goats sold.", "Nothing."])
    # Of two sentences with the same words of the reference the shorter is marked.
    assert aligned_sentences(source).tolist() == [True, False, True, False]
    assert aligned_sentences(source, least=3).tolist() == [True, False, False, False]


def test_observations_are_logs_of_signature_words():
    source = source_of("Floods hit Ardel. Ardel floods. It was so.", "Floods, floods.")
    terms = signature_of(source) > 10
    first, second = observations(source)
    presence = source.wording.presence.toarray()
    assert np.concatenate([first, second]) == pytest.approx(np.log1p(presence @ terms))
    assert (len(first), len(second)) == (3, 1)


def test_training_labels_and_fits():
    text = "Floods closed roads in Ardel. It was late by then. Nobody saw it. Ardel had floods."
    sources = [source_of(text, references=["Floods closed Ardel's roads."])] * 4
    file = train_hmms(sources, states=[3, 5], card={"data": "made up"})
    assert sorted(file.models) == [3, 5]
    documents = [(observations(source)[0], aligned_sentences(source)) for source in sources]
    assert file.model(3) == fit_hmm(documents, states=3)


def test_picks_are_the_pivots_of_a_qr_decomposition():
    texts = (
        "Floods closed roads and bridges in Ardel.",
        "Floods closed the roads.",
        "Mud lay in all schools.",
        "Goats drowned.",
        "Ardel mud closed schools there.",
    )
    source = source_of(*texts, *texts)
    method = HmmQr(pool=100.0)
    choice = method.choose(source, Limit(100))
    scores = np.concatenate(default_hmms().model(5).posteriors(observations(source)))
    columns = source.wording.presence.toarray()[:, signature_of(source) > 10].T
    columns = columns / np.linalg.norm(columns, axis=0) * scores
    _, triangle, pivots = qr(columns, pivoting=True, mode="economic")
    lengths = np.abs(np.diag(triangle))
    rank = int((lengths > 1e-9).sum())
    assert choice.scores[:rank] == pytest.approx(lengths[:rank], abs=1e-5)
    assert [source.texts[k] for k in choice.numbers[:rank]] == [
        source.texts[k] for k in pivots[:rank]
    ]


POOLED = (
    "Floods closed roads and bridges in Ardel.",
    "Mud and floods lay in Ardel schools.",
    "Goats drowned.",
    "It was so.",
)


def test_only_the_best_sentences_are_columns():
    source = source_of(*POOLED, *POOLED)
    scores = np.concatenate(default_hmms().model(5).posteriors(observations(source)))
    best = sorted(range(8), key=lambda k: (-scores[k], k))
    # The four longest are the most probable: 28 words, which a pool of 28 words ends with.
    assert {source.texts[k] for k in best[:4]} == set(POOLED[:2])
    assert source.lengths[best[:4]].sum() == 28

    def columns(pool):
        choice = HmmQr(pool=pool).choose(source, Limit(28))
        pairs = zip(choice.numbers, choice.scores, strict=True)
        return {source.texts[number] for number, score in pairs if score > 1e-3}

    assert columns(1.0) == set(POOLED[:2])
    assert columns(100.0) == set(POOLED[:3])


def test_room_that_is_left_goes_to_the_most_probable():
    source = source_of(*POOLED, *POOLED)
    scores = np.concatenate(default_hmms().model(5).posteriors(observations(source)))
    choice = HmmQr(pool=100.0).choose(source, Limit(100))
    assert len(choice.numbers) == 8
    rest = [k for k, score in zip(choice.numbers, choice.scores, strict=True) if score < 1e-5]
    assert rest == sorted(rest, key=lambda k: (-scores[k], source.positions[k], source.texts[k]))
    assert choice.scores[-1] == pytest.approx(1e-6 * scores[choice.numbers[-1]], rel=1e-6)
    assert choice.scores[-1] > 0


def test_states_are_an_option():
    with pytest.raises(InputError, match="no model of 4 states; available: 3, 5, 7, 9, 11, 13"):
        parse_summarizer("hmm-qr(states=4)").choose(source_of("Rain fell."), Limit(5))


def test_summary_hmm():
    model = fit_hmm([([2.0, 0.0, 0.1], [True, False, False])] * 20, states=3)
    assert model.posteriors([np.array([2.0, 0.0])])[0].round(2).tolist() == [1.0, 0.0]


def test_state_path():
    assert state_path([False, True, False, True, True, False], 5).tolist() == [0, 1, 2, 3, 3, 4]


def test_fit_hmm():
    model = fit_hmm([([1.0, 0.0], [True, False]), ([0.2, 0.9], [False, True])], states=3)
    assert model.initial == (0.5, 0.5, 0.0)


def test_models_with_these_states_are_shipped():
    assert sorted(default_hmms().models) == [3, 5, 7, 9, 11, 13]


def test_aligned_sentences():
    text = "Rain fell on Ardel for a week. It was cold. Many goats were sold. Goats and rain."
    source = Source.of_texts([text], references=["Goats were sold in Ardel as rain fell."])
    assert aligned_sentences(source).tolist() == [True, False, True, False]


def test_observations():
    source = Source.of_texts(["Floods closed roads. It was late."] * 4)
    assert observations(source)[0].round(2).tolist() == [1.39, 0.69]


def test_train_hmms():
    text = "Floods closed roads in Ardel. It was late by then. Nobody had seen it so before."
    source = Source.of_texts([text] * 3, references=["Ardel's roads were closed by floods."])
    assert train_hmms([source], states=[3]).model(3).states == 3


def test_models_are_trained_from_any_collection(tmp_path):
    texts = ["Rain closed roads in Ardel. It was late.", "Mud lay in Ardel schools. Goats slept."]
    topics = tuple(
        Topic(name, documents=tuple(Document(f"{name}{k}", own) for k, own in enumerate(texts)))
        for name in ("T1", "T2")
    )
    # A reference may be a text or a list of sentences.
    sentences = ("Rain closed roads.", "Mud lay in schools.")
    written = Summary("T1", "A", sentences, role="reference")
    collection = Collection("mine", topics=topics, summaries=(written,))
    result = train_hmm(collection, model=tmp_path / "hmm.json")
    assert result.left_out == ("T2: no references",)
    assert "documents:2|sentences:4|summary-sentences:2|" in str(result.signature)
    trained = parse_summarizer(f"hmm-qr(model={tmp_path / 'hmm.json'},states=3)")
    assert trained.summarize(source_of(*texts), Limit(5)).words == 5
    with pytest.raises(InputError, match="there is nothing to train on"):
        train_hmm(Collection("mine", topics=topics))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lead", "--train", "mine"], "only hmm-qr can be trained; use `pyramidion methods hmm-qr"),
        (["--train", "mine"], "only hmm-qr can be trained"),
        (["hmm-qr", "--model", "x.json"], "--model has no effect on methods without --train"),
        (["hmm-qr", "--train", "nowhere"], "nowhere: there is no such file or folder"),
    ],
)
def test_what_cannot_be_trained_is_refused_in_one_line(arguments, message, capsys):
    assert run(["methods", *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err


def test_a_query_and_an_update_change_what_is_chosen():
    texts = ["Rain closed roads in Ardel. Rain fell.", "Goats slept in Ardel all day. Rain fell."]
    plain = parse_summarizer("hmm-qr").summarize(source_of(*texts), Limit(6)).text
    with_query = (
        parse_summarizer("hmm-qr").summarize(source_of(*texts, query="roads"), Limit(6)).text
    )
    assert "roads" in with_query
    assert with_query != plain
    known = [plain.partition(".")[0] + "."] * 20
    reported = parse_summarizer("hmm-qr").summarize(source_of(*texts, known=known), Limit(6)).text
    assert reported != plain


def test_the_posterior_and_the_residual_are_explained():
    texts = (
        "Floods closed roads and bridges in Ardel.",
        "Floods closed the roads.",
        "Mud lay in all schools.",
    )
    source = source_of(*texts, *texts)
    scores = np.concatenate(default_hmms().model(5).posteriors(observations(source)))
    method = parse_summarizer("hmm-qr(pool=100)")
    choice = method.choose(source, Limit(100))
    for index, (number, score) in enumerate(zip(choice.numbers, choice.scores, strict=True)):
        terms = dict(method.explain(source, number, choice.numbers[:index]))
        assert terms["posterior"] == scores[number]
        assert terms["residual"] == pytest.approx(score, abs=1e-5)


def test_another_background_may_be_given():
    background = Background(Counter(flood=500, ardel=1), Counter(flood=9, ardel=1), documents=9)
    source = source_of("Floods in Ardel.")
    # Ardel is 1 of 2 here and 1 of 501 in general; floods are rarer than in general.
    expected = [0.0, plain.log_ratio(1, 2, 1, 501)]
    assert signature_of(source, background) == pytest.approx(expected)
