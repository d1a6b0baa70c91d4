"""Annotation by similarity: probabilities, places, the fit, and how well it stands in for people.

Figures of quality are those that ``make bench AREA=pyramids`` prints.
"""

import gzip
import json
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime

from pyramidion.collection import (
    SCU,
    Collection,
    Contributor,
    Judgment,
    Part,
    PeerAnnotation,
    Pyramid,
    Scores,
    Summary,
    Topic,
)
from pyramidion.collection.formats.ducview.files import (
    read_peer_annotation,
    read_pyramid,
    write_peer_annotation,
)
from pyramidion.errors import FormatError, InputError
from pyramidion.pyramid import (
    Annotator,
    SimilarityModel,
    fit_similarity,
    score_peer,
)
from pyramidion.pyramid._auto import fit as fitting
from pyramidion.pyramid._auto.annotate import (
    assign_stretches,
    candidate_stretches,
    sentence_numbers,
)
from pyramidion.pyramid._auto.fit import (
    Calibration,
    SimilarityExample,
    parts_of_example,
    similarity_examples,
)
from pyramidion.pyramid.content_units import TopicUnits, Weighing, content_of_peer, listed_units
from pyramidion.pyramid.similarity import (
    WordFinder,
    Wordings,
    best_in_windows,
    default_similarity,
    resemblance,
    stem_text,
    stem_word,
)
from pyramidion.pyramid.topics import locate_words
from pyramidion.rouge import Rouge
from pyramidion.stats import clustered_correlation, pearson
from support import shared_file

WORDS = ["ice", "melts", "melting", "the", "ferry", "ferries", "burned", "10", "of", "people", "."]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join)

FERRY = Pyramid.from_references(
    {
        "A": "The ferry burned in the strait and ten people died. No alarm rang.",
        "B": "Ten died when fire swept a ferry. The captain was questioned for six hours.",
    },
    [
        ("Ten people died", {"A": ["ten people died"], "B": ["Ten died"]}),
        ("The ferry burned", {"A": ["The ferry burned"], "B": ["fire swept a ferry"]}),
        ("No alarm rang", {"A": ["No alarm rang"]}),
        ("The captain was questioned", {"B": ["The captain was questioned"]}),
    ],
)


def listed(labels, uids=None, weights=None):
    uids = tuple(uids or map(str, range(len(labels))))
    weighing = Weighing(np.array(weights or [1] * len(labels)), 1)
    return TopicUnits(uids, tuple(labels), weighing)


class TestAnnotation:
    def test_says_where_what_is_expressed(self):
        text = "Police questioned the captain; ten people had died on the burning ferry."
        result = Annotator(FERRY).annotate(text)
        labels = {scu.uid: [c.label for c in scu.contributors] for scu in result.annotation.scus}
        assert labels["1"] == ["ten people had died"]
        assert labels["3"] == []
        assert result.probabilities["1"] > result.probabilities["3"]

    def test_has_an_entry_for_every_unit_and_none_outside(self):
        result = Annotator(FERRY).annotate("No alarm rang.").annotation
        assert [scu.uid for scu in result.scus] == ["1", "2", "3", "4", "0"]
        assert result.scus[0].label == "(2) Ten people died"
        assert result.scus[-1].contributors == ()

    def test_is_written_and_read_like_one_made_by_hand(self, tmp_path):
        result = Annotator(FERRY).annotate("Ten people died on a ferry that burned.").annotation
        write_peer_annotation(result, tmp_path / "7.pan")
        again = read_peer_annotation(tmp_path / "7.pan")
        assert score_peer(again) == score_peer(result)
        assert again.scus == result.scus

    @given(TEXTS)
    def test_keeps_the_rules_for_any_text(self, text):
        result = Annotator(FERRY).annotate(text)
        parts = [p for s in result.annotation.scus for c in s.contributors for p in c.parts]
        assert all(text[part.start : part.end] == part.label for part in parts)
        assert all(0 <= value <= 1 for value in result.probabilities.values())
        expressed = content_of_peer(result.annotation).expressed
        assert expressed.sum() <= int(np.floor(result.expected_units + 0.5))
        expected = sum(
            weight * result.probabilities[scu.uid]
            for scu, weight in zip(FERRY.scus, FERRY.weights.tolist(), strict=True)
        )
        assert result.expected_weight == pytest.approx(expected)

    @given(TEXTS, TEXTS)
    def test_more_text_never_makes_a_unit_less_probable(self, text, more):
        annotator = Annotator(FERRY)
        longer = annotator.probabilities(f"{text} {more}")
        assert (longer >= annotator.probabilities(text) - 1e-9).all()

    def test_does_not_depend_on_what_was_annotated_before(self):
        text = "Fires burned a ferry."
        busy = Annotator(FERRY)
        busy.annotate("A burnt-out ferryboat, and other ferries.")
        assert busy.annotate(text) == Annotator(FERRY).annotate(text)

    def test_an_empty_summary_expresses_nothing(self):
        result = Annotator(FERRY).annotate(" \n")
        assert set(result.probabilities.values()) == {0.0}
        assert result.expected_weight == 0

    def test_a_unit_with_no_word_in_common_has_probability_0(self):
        assert Annotator(FERRY).annotate("Ten.").probabilities["4"] == 0

    def test_takes_whole_hyphenated_words(self):
        pyramid = Pyramid.from_references(
            {"A": "Crypto is volatile."}, [("Crypto is volatile", {"A": ["Crypto is volatile"]})]
        )
        result = Annotator(pyramid).annotate("They say volatile crypto-currencies fail.")
        label = result.annotation.scus[0].contributors[0].label
        assert label == "volatile crypto-currencies"

    def test_words_of_other_scripts_are_words(self):
        pyramid = Pyramid.from_references(
            {"A": "Der Gletscher in Zürich schmilzt."},
            [("Gletscher schmilzt", {"A": ["Gletscher in Zürich schmilzt"]})],
        )
        result = Annotator(pyramid).annotate("„Der Zürcher Gletscher schmilzt“, heißt es.")
        label = result.annotation.scus[0].contributors[0].label
        assert label == "Gletscher schmilzt"


class TestLists:
    def test_weights_are_those_of_the_list(self):
        annotator = Annotator(listed(["Ice melts", "Ferries burn"], "ab", [3, 1]))
        result = annotator.annotate("The ice is melting.")
        assert result.expected_weight == pytest.approx(3 * result.probabilities["a"])

    def test_uid_0_is_renamed_in_the_annotation_only(self):
        result = Annotator(listed(["Ice melts", "It is old"])).annotate("Ice melts.")
        assert list(result.probabilities) == ["0", "1"]
        assert [scu.uid for scu in result.annotation.scus] == ["2", "1", "0"]
        assert any("SCU 0" in note for note in result.annotation.notes)
        assert content_of_peer(result.annotation).expressed.tolist() == [True, False]

    def test_the_annotators_own_words_count_less(self):
        units = listed(["Many glaciers vanish"])
        text = "Glaciers vanish."
        free = Annotator(units).annotate(text).expected_weight
        quoted = Annotator(units, {"A": "All glaciers vanish."}).annotate(text)
        assert quoted.expected_weight > free


def smoke(text):
    """Annotate a peer that says by other words that the ferry burned."""
    contributor = Contributor((Part(0, len(text) - 1, text[:-1]),))
    return PeerAnnotation(FERRY, text, (replace(FERRY.scus[1], contributors=(contributor,)),))


class TestMarks:
    """What annotators marked elsewhere settles units, and similarity gives the rest."""

    def test_marks_settle_and_similarity_gives_the_rest(self):
        text = "A captain rang. Black smoke rose."
        peers = {"7": smoke("Black smoke rose.")}
        marks, similarity, both = (
            Annotator(FERRY, peers=peers, answers={}, by=by).probabilities(text).tolist()
            for by in ("marks", "similarity", "both")
        )
        assert marks == [0, 1, 0, 0]
        assert similarity[1] < 0.1
        assert both == [similarity[0], default_similarity().marked, *similarity[2:]]
        assert similarity[3] > 0

    def test_a_settled_unit_has_the_words_that_were_marked(self):
        result = Annotator(FERRY).annotate("Fire swept a ferry.").annotation
        assert [c.label for c in result.scus[1].contributors] == ["Fire swept a ferry"]

    def test_peers_marks_serve_and_ones_own_do_not(self):
        text = "Black smoke rose."
        annotator = Annotator(FERRY, peers={"7": smoke(text)}, answers={})
        assert annotator.probabilities(text)[1] == default_similarity().marked
        assert annotator.probabilities(text, leave_out="7")[1] == 0

    @pytest.mark.parametrize("text", ["Smoke.", "The smoke was there."])
    def test_one_marked_content_word_settles_nothing(self, text):
        assert Annotator(FERRY, peers={"7": smoke(text)}, answers={}).probabilities(text)[1] < 0.1


class TestCalibration:
    """Probabilities follow what people found in the annotated summaries of the topic."""

    UNITS = tuple(f"Glacier {name} vanishes" for name in ("Alpha", "Beta", "Gamma", "Delta"))

    def annotators(self, share):
        """An annotator without and with answers: people found this share of whole wordings."""
        texts = [
            " ".join(f"{unit}." for unit in self.UNITS[n % 2 :: 2]) + f" Said {n}."
            for n in range(40)
        ]
        answers = {
            str(n): (text, np.array([float(u % 2 == n % 2 and n < 40 * share) for u in range(4)]))
            for n, text in enumerate(texts)
        }
        units = listed(self.UNITS, "abcd")
        return Annotator(units), Annotator(units, answers=answers), texts, answers

    @pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
    def test_the_expected_number_is_what_people_found(self, share):
        plain, calibrated, texts, _ = self.annotators(share)
        # Half of the four units occur in each text.
        expected = np.mean([calibrated.annotate(text).expected_units for text in texts])
        assert expected == pytest.approx(2 * share, abs=0.1)
        assert np.mean([plain.annotate(text).expected_units for text in texts]) > 1.7

    def test_the_order_stays(self):
        plain, calibrated, texts, _ = self.annotators(0.5)
        before, after = plain.probabilities(texts[0]), calibrated.probabilities(texts[0])
        assert np.array_equal(np.argsort(before), np.argsort(after))

    def test_what_was_searched_for_and_not_found_has_its_own_rate(self):
        text = "Fire swept a ferry. The ferry burned with ten people."
        words = "Fire swept a ferry"
        contributor = Contributor((Part(0, len(words), words),))
        scus = (replace(FERRY.scus[1], contributors=(contributor,)),)
        peers = {str(n): PeerAnnotation(FERRY, f"{text} {n}.", scus) for n in range(20)}
        plain = Annotator(FERRY, peers=peers, answers={}).probabilities(text)
        calibrated = Annotator(FERRY, peers=peers).probabilities(text)
        # Words that were marked are always right here, and the rest never.
        assert calibrated[1] > plain[1]
        rest = [0, 2, 3]
        assert plain[rest].max() > 0.5
        assert calibrated[rest].max() < 0.15

    def test_observed_rates(self):
        _, calibrated, _, answers = self.annotators(0.5)
        found = calibrated.observed(0.3)
        assert found == {"match": (0, 0), "similarity": (40, 40)}
        assert calibrated.observed(1.0)["similarity"] == (0, 0)
        assert sum(values.sum() for _, values in answers.values()) == 40


class TestBadInput:
    @pytest.mark.parametrize("scus", [(), (SCU("1", "!!"),)])
    def test_a_pyramid_without_words_is_refused(self, scus):
        with pytest.raises(InputError, match="no content unit with words"):
            Annotator(Pyramid("", scus))

    def test_two_units_of_one_uid_are_refused(self):
        with pytest.raises(InputError, match="2 content units are SCU 7"):
            Annotator(Pyramid("", (SCU("7", "Ice"), SCU("7", "Rain"))))

    def test_a_unit_without_words_is_named(self):
        result = Annotator(Pyramid("", (SCU("7", "Ice"), SCU("8", "...")))).annotate("Ice")
        assert result.probabilities["8"] == 0
        assert result.annotation.notes == ("SCU 8 has no words and is never found",)

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("{", "this is not JSON"),
            ("[]", "this is not a JSON object"),
            ('{"near": 1, "far": 2}', "this is not a similarity model: its fields are not"),
            (f'{{"near": {"[" * 100_000}}}', "the JSON is nested too deeply"),
            (f'{{"near": {"9" * 5_000}}}', "the JSON is nested too deeply or has too long"),
            ('{"window": 0}', "`window` is 0; give a number from 1 to 1000"),
            ('{"window": 2.5}', "`window` is 2.5; give a whole number"),
            ('{"near": null}', "`near` is None; give a number from -50 to 50"),
            ('{"crowding": 1e9}', "`crowding` is 1000000000.0"),
            ('{"marked": 2}', "`marked` is 2; give a number from 0 to 1"),
            ('{"rarity": NaN}', "`rarity` is nan"),
            ('{"likeness": true}', "`likeness` is True; give a number from 0 to 1"),
        ],
    )
    def test_numbers_that_cannot_be_used_are_refused(self, tmp_path, content, message):
        file = tmp_path / "model.json"
        file.write_text(content, encoding="utf-8")
        with pytest.raises(FormatError, match=f"model.json: {message}"):
            SimilarityModel.load(file)

    def test_nothing_to_fit_to_is_refused(self):
        unasked = SimilarityExample(Wordings.of([["Ice"]]), "Ice", np.array([np.nan]))
        with pytest.raises(InputError, match="no examples to fit to; give annotated summaries"):
            fit_similarity([unasked])

    def test_texts_of_other_units_are_refused(self):
        strange = SimilarityExample(Wordings.of([["Ice"]]), "Ships", np.array([0.0]))
        with pytest.raises(InputError, match="no text has a word of its units"):
            fit_similarity([strange])


class TestPieces:
    def test_a_wording_is_counted_once(self):
        wordings = Wordings.of([["Ice melts", "ice MELTING", "It"]])
        assert wordings.unit.tolist() == [0, 0]

    def test_spread_counts_units_not_wordings(self):
        wordings = Wordings.of([["ice", "old ice"], ["ice melts"]])
        spread = wordings.factors[:, 1]
        assert spread[wordings.columns["ice"]] == pytest.approx(np.log(2))
        assert spread[wordings.columns["old"]] == 0

    @given(st.text("abc1", max_size=8), st.text("abc1", max_size=8))
    def test_resemblance_is_symmetric_and_within_0_and_1(self, word, other):
        assert resemblance(word, other) == resemblance(other, word)
        assert 0 <= resemblance(word, other) <= 1
        assert resemblance(word, word) == 1

    @given(st.integers(0, 12), st.integers(1, 6), st.randoms(use_true_random=False))
    def test_the_best_window_is_found(self, places, window, random):
        hits = np.array([[random.choice([0, 0.5, 1]) for _ in range(places)] for _ in range(3)])
        shares = np.array([[0.5, 0.3, 0.2]])
        evidence = SimilarityModel(window=window).evidence(hits.reshape(3, places), shares)
        starts = range(max(1, places - window + 1)) if places else []
        sums = [(shares @ hits[:, s : s + window].max(axis=1, initial=0)).item() for s in starts]
        assert evidence.near[0] == pytest.approx(max(sums, default=0))
        if sums:
            assert sums[int(evidence.position[0])] == pytest.approx(max(sums))

    def test_windows_of_a_short_text_are_one(self):
        assert best_in_windows(np.array([[0.0, 1.0]]), 5).tolist() == [[1.0]]

    @given(st.integers(1, 3), st.integers(1, 5), st.randoms(use_true_random=False))
    def test_no_assignment_of_stretches_is_better(self, units, places, random):
        hits = np.array([[random.choice([0.0, 0.0, 1.0]) for _ in range(places)] for _ in "ab"])
        shares = np.array([[w := random.random(), 1 - w] for _ in range(units)])
        probable = np.array([random.random() for _ in range(units)])
        sentences = np.zeros(places, dtype=np.int64)
        options = [
            dict(candidate_stretches(hits, unit_shares, sentences)) for unit_shares in shares
        ]
        assigned = assign_stretches(hits, shares, probable, sentences)
        assert len(set(assigned.values())) == len(assigned)
        columns = sorted(set().union(*options)) + [None] * units

        def total(chosen):
            gains = (options[u].get(c, 0) * probable[u] for u, c in enumerate(chosen))
            return sum(max(gain, 0) for gain in gains)

        best = max(total(chosen) for chosen in set(permutations(columns, units)))
        assert total([assigned.get(u) for u in range(units)]) == pytest.approx(best, abs=1e-5)


class TestFit:
    def examples(self, model, seed=0):
        """Simulate answers that follow a model."""
        rng = np.random.default_rng(seed)
        vocabulary = stem_text("ice melt ferry burn alarm ring captain port rain wind 10 12 of the")
        for _ in range(40):
            labels = [" ".join(rng.choice(vocabulary, 4)) for _ in range(5)]
            annotator = Annotator(listed(labels), model=model)
            for _ in range(10):
                text = " ".join(rng.choice(vocabulary, rng.integers(2, 12)))
                yield SimilarityExample(annotator.wordings, text, annotator.probabilities(text))

    def test_finds_the_model_that_the_answers_follow(self):
        truth = SimilarityModel(intercept=-3.0, anywhere=4.0, near=1.0, number=0.7, crowding=-0.4)
        fitted = fit_similarity(self.examples(truth))
        assert fitted.anywhere + fitted.near == pytest.approx(5, abs=0.3)
        assert fitted.number > 0.4
        assert fitted.crowding == pytest.approx(-0.4, abs=0.1)
        units = listed(["Ten ferries burn", "12 captains ring", "wind and rain"])
        text = "The 12 captains burn in the wind."
        values = [Annotator(units, model=model).probabilities(text) for model in (fitted, truth)]
        np.testing.assert_allclose(*values, atol=0.05)

    def test_the_gradient_is_the_loss_functions(self):
        examples = list(self.examples(SimilarityModel()))[:50]
        model = SimilarityModel()
        hits = [
            WordFinder(example.wordings, likeness=0.6).hits(stem_text(example.text))
            for example in examples
        ]
        rows = fitting._choose_wordings(examples, hits, model)
        numbers = np.array([-1.0, 2.0, 1.5, 0.3, 0.8, -0.6, 0.4, 0.2])
        held = fitting._parameters(model), np.full(8, 10.0)
        loss, gradient = fitting._loss(numbers, rows, *held)
        numeric = approx_fprime(numbers, lambda x: fitting._loss(x, rows, *held)[0], 1e-6)
        assert loss > 0
        np.testing.assert_allclose(gradient, numeric, rtol=1e-3, atol=1e-2)

    def test_a_saved_model_is_the_same_when_loaded(self, tmp_path):
        model = SimilarityModel(near=1.25, window=9, card={"data": "mine"})
        model.save(tmp_path / "model.json")
        again = SimilarityModel.load(tmp_path / "model.json")
        assert again == model
        assert again.card == {"data": "mine"}

    def test_the_shipped_model_says_where_it_comes_from(self):
        card = default_similarity().card
        assert "CC BY 4.0" in card["data"]
        assert (card["topics"], card["summaries"], card["answers"]) == (119, 2638, 27407)


@pytest.fixture(scope="module")
def realsumm():
    return Collection.load(shared_file("data/realsumm.jsonl.gz"))


def summhay():
    return Collection.load(shared_file("data/summhay.jsonl.gz"))


@pytest.mark.long
class TestQuality:
    def test_examples_hold_the_share_of_workers(self, realsumm):
        examples = list(similarity_examples(realsumm))
        assert len(examples) == 2500
        assert sum(len(example.answers) for _, example in examples) == 26400

    @pytest.mark.long
    def test_the_shipped_model_is_what_the_fit_gives(self, realsumm):
        """``make train MODEL=similarity``, whose two sets count the same."""
        sets = [[*similarity_examples(collection)] for collection in (realsumm, summhay())]
        sizes = [sum(len(example.answers) for _, example in examples) for examples in sets]
        fitted = fit_similarity(
            replace(example, weight=sum(sizes) / 2 / size)
            for examples, size in zip(sets, sizes, strict=True)
            for _, example in examples
        )
        shipped = default_similarity()
        for name in (*fitting._LOGISTIC_FACTORS, *fitting.FACTORS):
            assert getattr(fitted, name) == pytest.approx(getattr(shipped, name), abs=0.01)

    @pytest.mark.long
    def test_on_other_topics_it_is_nearer_to_people_than_rouge(self, realsumm):
        examples = {}
        for topic, example in similarity_examples(realsumm):
            examples.setdefault(topic, []).append(example)
        topics = np.array(sorted(examples))
        folds = np.random.default_rng(0).permutation(len(topics)) % 5
        tables = {name: [] for name in ("hard", "expected", "rouge", "human")}
        for fold in range(5):
            training = topics[folds != fold].tolist()
            model = fit_similarity(e for topic in training for e in examples[topic])
            for topic in topics[folds == fold].tolist():
                for name, row in scores_of_topic(realsumm, topic, model).items():
                    tables[name].append(row)

        def tau(name):
            return clustered_correlation(tables[name], tables["human"], level="input").value

        assert tau("rouge") == pytest.approx(0.411, abs=0.001)
        assert tau("expected") == pytest.approx(0.433, abs=0.005)
        assert tau("hard") == pytest.approx(0.464, abs=0.005)

    @pytest.mark.long
    def test_on_a_set_never_seen_the_probabilities_beat_the_base_rate(self, realsumm):
        """Figures of ``make bench AREA=pyramids``."""
        collections = {"realsumm": realsumm, "summhay": summhay()}
        sets = {name: [e for _, e in similarity_examples(c)] for name, c in collections.items()}
        for name, briers in (("realsumm", (0.138, 0.201)), ("summhay", (0.134, 0.235))):
            other = next(examples for of, examples in sets.items() if of != name)
            calibration = Calibration.of(sets[name], fit_similarity(other))
            assert (calibration.brier, calibration.base_rate) == pytest.approx(briers, abs=0.005)

    def test_students_are_ranked_like_by_people(self):
        pyramid = read_pyramid(shared_file("data/pyramids/crypto_ducview.pyr"))
        file = shared_file("data/pyreval_crypto.jsonl.gz")
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            rows = [row for row in map(json.loads, lines) if row["scores"]]
        annotator = Annotator(pyramid)
        weights = [annotator.annotate(row["summary"]).expected_weight for row in rows]
        human = [row["scores"]["human_pyr_totalWeight"] for row in rows]
        assert pearson(weights, human).value == pytest.approx(0.817, abs=0.01)


def scores_of_topic(collection, topic, model):
    peers = [s for s in collection.summaries if s.topic == topic and s.role != "reference"]
    task = peers[0].task
    references = {r.system: r.plain for r in collection.references(topic, task)}
    annotator = Annotator(listed_units(collection, task, topic), references, model=model)
    results = [annotator.annotate(peer.plain) for peer in peers]
    rouge = Rouge(n=(1,), stem=True).score(
        {p.system: p.plain for p in peers}, {p.system: list(references.values()) for p in peers}
    )
    rows = collection.scores.select(measure="scu", topic=topic)
    human = {p.system: [] for p in peers}
    for system, value in zip(rows.columns["system"], rows.value.tolist(), strict=True):
        human[system].append(value)
    return {
        "hard": [float(content_of_peer(f.annotation).expressed.mean()) for f in results],
        "expected": [f.expected_weight / len(f.probabilities) for f in results],
        "rouge": rouge["rouge-1-r"].tolist(),
        "human": [float(np.mean(human[p.system])) for p in peers],
    }


def test_stretches_for():
    hits = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]])
    stretches = candidate_stretches(hits, np.array([0.3, 0.7]), np.array([0, 0, 0, 1]))
    assert [(stretch, round(gain, 2)) for stretch, gain in stretches] == [
        ((0, 1), 0.29),
        ((0, 3), 0.97),
        ((2, 3), 0.69),
    ]


def test_assigned_stretches():
    hits = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    shares = np.array([[0.4, 0.6], [0.0, 1.0]])
    assert assign_stretches(hits, shares, np.array([0.9, 0.8]), np.array([0, 0, 0])) == {
        0: (0, 3),
        1: (2, 3),
    }


def test_similar_annotation():
    pyramid = Pyramid.from_references({"A": "Ice melts."}, [("It melts", {"A": ["melts"]})])
    assert (
        Annotator(pyramid).annotate("Ice melted.").annotation.scus[0].contributors[0].label
        == "melted"
    )


def test_similarity_examples():
    rows = [
        Judgment("T1", "7", "scu-answer", value, assessor=who, unit="0")
        for who, value in (("worker1", 1), ("worker2", 0))
    ]
    mine = Collection(
        "mine",
        topics=(Topic("T1", extra={"scus": [{"text": "Ice melts"}]}),),
        summaries=(Summary("T1", "7", "Ice melted."),),
        scores=Scores.from_judgments(rows),
    )
    assert (
        repr([(topic, example.answers) for topic, example in similarity_examples(mine)])
        == "[('T1', array([0.5]))]"
    )


def test_references_of_a_pyramid_are_examples_for_the_units_of_the_others():
    examples = dict(enumerate(similarity_examples(Collection("", pyramids={("", "T"): FERRY}))))
    (_, a), (_, b) = examples.values()
    assert (a.answers.tolist(), b.answers.tolist()) == ([1, 1, 0], [1, 1, 0])
    assert a.text.startswith("The ferry burned")
    assert "alarm" not in a.wordings.columns, "its own words are no wording"


def test_a_unit_is_found_in_the_part_that_has_most_of_it():
    wordings = Wordings.of([["Ice melts"], ["Ships sink"], ["Rain"]])
    whole = SimilarityExample(wordings, "Ice melts. Ships sink. Wind.", np.array([1.0, 1, 0]))
    model = SimilarityModel()
    parts = parts_of_example(whole, 1, WordFinder(wordings, likeness=0.6), model)
    assert [(part.text, part.answers.tolist()) for part in parts] == [
        ("Ships sink.", [0, 1, 0]),
        ("Ships sink.", [0, 1, 0]),
    ]


def test_a_shorter_text_has_less_of_as_many_units():
    wordings = Wordings.of([["Ice melts"], ["Ships sink fast"]])
    assert wordings.crowding(5) == 0
    assert wordings.crowding(1) == pytest.approx(np.log(5))


def test_a_model_of_an_earlier_version_is_read(tmp_path):
    (tmp_path / "old.json").write_text('{"near": 1.4, "size": -0.4}', encoding="utf-8")
    assert SimilarityModel.load(tmp_path / "old.json").crowding == 0


def test_wordings():
    wordings = Wordings.of([["Ice melts"], ["The ice is old", "Old ice"]], ["Old ice melts."])
    assert list(wordings.columns) == ["ice", "melt", "the", "is", "old"]
    assert (wordings.unit.tolist(), wordings.uses.sum(axis=1).tolist()) == ([0, 1, 1], [2, 4, 2])


def test_stems_of():
    assert stem_text("Melting, Zürich's glaciers melt.") == [
        "melt",
        "zürich",
        "s",
        "glacier",
        "melt",
    ]


def test_stem_of():
    assert stem_word("melting") == "melt"


def test_evidence_in():
    hits = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    evidence = SimilarityModel(window=2).evidence(hits, np.array([[0.25, 0.75]]))
    assert (
        repr((evidence.anywhere, evidence.near, evidence.position))
        == "(array([1.]), array([0.75]), array([2]))"
    )


def test_word_finder():
    finder = WordFinder(Wordings.of([["Glaciers melt"]]), likeness=0.5)
    assert finder.hits(["glaciar", "do", "melt"]).round(2).tolist() == [
        [0.57, 0.0, 0.0],
        [0.0, 0.0, 1.0],
    ]


def test_resemblance():
    assert (round(resemblance("glacier", "glaciar"), 2), resemblance("1914", "1915")) == (0.57, 0.0)


def test_within():
    assert best_in_windows(np.array([[1.0, 0.0, 0.0, 0.5]]), 2).tolist() == [[1.0, 0.0, 0.5]]


def test_sentence_numbers():
    text = "No alarm rang. Ten died."
    assert sentence_numbers(text, locate_words(text)).tolist() == [0, 0, 0, 1, 1]


def test_probabilities_are_those_of_the_fitted_model():
    pyramid = Pyramid.from_references(
        {"A": "Ice melts. Ships sink."},
        [("Ice melts", {"A": ["Ice melts"]}), ("Ships sink", {"A": ["Ships sink"]})],
    )
    result = Annotator(pyramid).annotate("They say that the ice is melting.")
    assert {uid: round(value, 2) for uid, value in result.probabilities.items()} == {
        "1": 0.97,
        "2": 0.0,
    }
