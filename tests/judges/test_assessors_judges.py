"""Language models as judges: every number against one that is known."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from collection.refusals import refusal
from pyramidion.cli import runtime
from pyramidion.collection import Collection, Preference, Preferences, Scores, Summary
from pyramidion.errors import InputError
from pyramidion.judges import assessors
from pyramidion.rendering.charts.picture import Dot
from rendering.figures.reading import of
from support import shared_collection

TOPICS, SYSTEMS = 8, 6
WRITERS = ("gpt-4o", "gpt4-turbo", "claude3-opus", "gemini-1.5-pro", "claude3-haiku", "gpt-4o")


def judged(make, *, people=("K",), judge="prompted_gpt-4o", more=None):
    """People's scores are noise; `make` gives the judge's from them, words and family."""
    rng = np.random.default_rng(3)
    rows, summaries = [], []
    for t in range(TOPICS):
        for s in range(SYSTEMS):
            words = int(rng.integers(50, 250))
            score = s + float(rng.normal(0, 0.4))
            texts = {"topic": f"T{t}", "system": f"S{s}", "kind": "machine", "measure": "quality"}
            rows += [{**texts, "assessor": name, "value": score} for name in people]
            value = make(score, words / 100, WRITERS[s].startswith("gpt"))
            by = {"assessor": judge, "assessor_kind": "model", "value": value}
            rows.append({**texts, **by})
            extra = {"generator": WRITERS[s]}
            summaries.append(Summary(f"T{t}", f"S{s}", f"by{s} " + "w " * words, extra=extra))
    names = ("topic", "system", "kind", "measure", "assessor", "assessor_kind")
    columns = {name: [row.get(name, "") for row in rows] for name in names}
    scores = Scores(columns, [row["value"] for row in rows])
    return Collection("set", scores=scores, summaries=tuple(summaries), **(more or {}))


def check(make, **options):
    [result] = assessors(judged(make), n_resamples=100, **options).judges
    return result


class TestEffects:
    def test_a_judge_that_gives_half_a_point_more(self):
        result = check(lambda score, words, family: score + 0.5)
        assert (result.judge, result.n, result.topics, result.systems) == (
            "prompted_gpt-4o",
            48,
            8,
            6,
        )
        for name, value in (("bias", 0.5), ("within_topics", 1), ("between_systems", 1),
                            ("slope", 1), ("length", 0), ("own_family", 0)):  # fmt: skip
            estimate = getattr(result, name)
            assert (estimate.value, estimate.low, estimate.high) == pytest.approx(
                (value,) * 3, abs=1e-9
            )
        assert result.calibration_error == pytest.approx(0.5)
        answers = result.answers()
        assert answers["ranking systems"] == answers["telling pairs apart"] == "yes"
        assert answers["absolute scores"] == "no"
        assert answers["a person's place"] == answers["asking once"] == "?"

    def test_length_and_family_are_reported_at_equal_human_score(self):
        result = check(lambda score, words, family: 0.7 * score + 0.6 * words)
        assert result.length.value == pytest.approx(0.6)
        assert result.answers()["unequal lengths"] == "no"
        result = check(lambda score, words, family: score + 0.8 * family)
        assert result.own_family.value == pytest.approx(0.8)
        # Two of three gpt systems are its own model's.
        assert 0 < result.own_model.value < 0.8
        assert result.answers()["its own family"] == "no"

    def test_a_judge_who_knows_nothing_is_good_for_nothing(self):
        rng = np.random.default_rng(0)
        answers = check(lambda score, words, family: rng.uniform(0, 5)).answers()
        assert answers["ranking systems"] == answers["single summaries"] == "no"

    def test_absolute_scores_need_slope_and_calibration(self):
        rng = np.random.default_rng(4)
        # The same mean as people's, and nearly no relation to their scores.
        flat = check(lambda score, words, family: 2.5 + rng.normal(0, 0.1))
        assert abs(flat.bias.value) < 0.05 * flat.span
        assert flat.answers()["absolute scores"] == "no"
        # Right on average, and half of people's differences.
        half = check(lambda score, words, family: 2.5 + 2 * (score - 2.5))
        assert half.slope.value == pytest.approx(0.5)
        assert half.answers()["absolute scores"] == "no"
        exact = check(lambda score, words, family: score + rng.normal(0, 0.05))
        assert exact.answers()["absolute scores"] == "yes"

    def test_pairs_need_recall(self):
        rng = np.random.default_rng(1)
        result = check(lambda score, words, family: score + rng.normal(0, 2.5))
        pairs = result.replaced
        # What it finds is right, and it misses most.
        assert (pairs.precision, pairs.direction_conflicts) == (1, 0)
        assert 0 < pairs.recall < 0.8
        assert result.answers()["telling pairs apart"] == "no"

    def test_intervals_may_touch_their_bounds(self):
        """From 0.7 for r of systems; from 0.8 to 1.25 for the slope, with no difference."""
        result = check(lambda score, words, family: score)
        for use, name, ends, answer in (
            ("ranking systems", "between_systems", (0.7, 0.9), "yes"),
            ("ranking systems", "between_systems", (0.6999, 0.9), "care"),
            ("absolute scores", "slope", (0.8, 1.25), "yes"),
            ("absolute scores", "slope", (0.7999, 1.25), "care"),
            ("absolute scores", "slope", (0.8, 1.2501), "care"),
        ):
            estimate = replace(getattr(result, name), value=0.85, low=ends[0], high=ends[1])
            assert replace(result, **{name: estimate}).answers()[use] == answer, (use, ends)

    def test_thresholds_are_next_to_figures(self):
        data = judged(lambda score, words, family: score + 0.5)
        result = assessors(data, n_resamples=50)
        [table] = [table for table in result.tables if table.name == "thresholds"]
        rows = {row[2]: row[3:] for row in table.rows}
        assert rows["ranking systems"] == (
            "yes", "r of systems 1.00 [1.00, 1.00]", "at least 0.7",
        )  # fmt: skip
        answer, figures, threshold = rows["absolute scores"]
        assert answer == "no"
        assert figures.startswith("judge - people 0.50 [0.50, 0.50], slope 1.00")
        assert "slope 0.8 to 1.25" in threshold
        # Unknown answers have no figures.
        assert "asking once" not in rows

    def test_calibration_groups_cover_all_summaries(self):
        result = check(lambda score, words, family: round(score))
        assert sum(bin.n for bin in result.calibration) == 48
        means = [bin.people.value for bin in result.calibration]
        assert means == sorted(means)
        assert all(bin.people.low <= bin.people.value <= bin.people.high
                   for bin in result.calibration if bin.n > 8)  # fmt: skip

    def test_the_chart_of_groups_has_little_room_around_them(self):
        data = judged(lambda score, words, family: score)
        scores = Scores(data.scores.columns, data.scores.value + 20)
        result = assessors(replace(data, scores=scores), n_resamples=20)
        xs = [dot.x for dot in of(result.plot("calibration"), Dot)]
        # Of a panel that is 2.1 wide.
        assert 1.4 < max(xs) - min(xs) < 2.1

    def test_lower_may_be_better(self):
        turned = judged(lambda score, words, family: score + 0.5)
        plain = assessors(turned, n_resamples=50).judges[0]
        names = {"measure": np.where(turned.scores.columns["measure"] == "quality", "rank", "")}
        scores = Scores({**turned.scores.columns, **names}, turned.scores.value)
        result = assessors(replace(turned, scores=scores), n_resamples=50).judges[0]
        assert result.between_systems == plain.between_systems
        # As it is written, not with its sign reversed.
        assert result.bias.value == pytest.approx(0.5)

    def test_summhay(self):
        # Pearson over summaries and judge minus human: ../shared/data/README.md.
        published = {"gemini-1.5-pro": (0.82, 0.05), "gpt-4o": (0.80, 0.07), "gpt3.5": (0.67, 0.14),
                "claude3-opus": (0.74, 0.09), "claude3-haiku": (0.59, 0.32)}  # fmt: skip
        data = shared_collection("data/summhay.jsonl.gz")
        results = {check.judge: check for check in assessors(data, n_resamples=50).judges}
        assert len(results) == 6
        for name, (r, difference) in published.items():
            result = results[f"prompted_{name}"]
            assert result.slope.value * result.spread == pytest.approx(r, abs=0.005)
            assert result.bias.value == pytest.approx(difference, abs=0.005)


def alternative(judge, people, topics, epsilon):
    """The alternative annotator test of a judge; each summary is shown twice to have two systems.

    `topics` has the topic of each score.
    """
    rows = [
        (f"T{topic:03}", f"{copy}{index}", name, kind, value)
        for name, kind, values in (*((k, "", v) for k, v in people.items()), ("J", "model", judge))
        for index, (topic, value) in enumerate(zip(topics, values, strict=True))
        for copy in "ab"
        if not math.isnan(value)
    ]
    names = ("topic", "system", "assessor", "assessor_kind")
    columns = {name: [row[n] for row in rows] for n, name in enumerate(names)}
    columns |= {"measure": ["quality"] * len(rows), "kind": ["machine"] * len(rows)}
    scores = Scores(columns, [row[-1] for row in rows])
    result = assessors(Collection("set", scores=scores), epsilon=epsilon, n_resamples=20)
    return result.judges[0].alternative


class TestAlternativeAnnotator:
    def test_as_calderon_and_others_define_it(self):
        rng = np.random.default_rng(5)
        truth = rng.integers(1, 6, 60).astype(float)
        table = np.clip(truth + rng.integers(-1, 2, (3, 60)), 1, 5)
        table[2, :5] = math.nan
        judge = np.clip(truth + rng.integers(-1, 2, 60), 1, 5)
        result = alternative(judge, dict(zip("KLM", table, strict=True)), np.arange(60), 0.15)
        # Item by item, as the paper has it: -RMSE to the others, then a t test against epsilon.
        p_values = []
        for j, person in enumerate(result.people):
            wins = []
            for i in range(60):
                rest = [table[k, i] for k in range(3) if k != j and not math.isnan(table[k, i])]
                if not math.isnan(table[j, i]):
                    scores = [
                        -math.sqrt(np.mean([(x - o) ** 2 for o in rest]))
                        for x in (judge[i], table[j, i])
                    ]
                    wins.append((scores[0] >= scores[1], scores[1] >= scores[0]))
            ours, theirs = np.array(wins, float).T
            p = ttest_1samp(theirs - ours, 0.15, alternative="less").pvalue
            p_values.append(p)
            # Every item is there twice.
            assert (person.items, person.advantage) == (2 * len(wins), pytest.approx(ours.mean()))
            assert person.p == pytest.approx(p)
        # Benjamini and Yekutieli: the harmonic sum of 3 is 11/6.
        worst = max(p_values) * 11 / 6
        assert max(person.p_adjusted for person in result.people) == pytest.approx(min(1, worst))

    def test_topics_are_clusters(self):
        """The same items many times over in one topic are no more evidence."""
        rng = np.random.default_rng(1)
        people = {name: rng.normal(size=20) for name in "KLM"}
        judge, topics = rng.normal(size=20), np.repeat(np.arange(10), 2)
        once = alternative(judge, people, topics, 0.2)
        thrice = alternative(
            np.tile(judge, 3),
            {k: np.tile(v, 3) for k, v in people.items()},
            np.tile(topics, 3),
            0.2,
        )
        assert [p.p for p in once.people] == pytest.approx([p.p for p in thrice.people])

    def test_a_copy_passes_and_an_opposite_fails(self):
        rng = np.random.default_rng(2)
        truth = np.repeat([1.0, 2.0, 4.0, 5.0], 10)
        people = {name: truth + rng.normal(0, 0.3, 40) for name in "KLM"}
        for judge, passed in ((truth, True), (6 - truth, False)):
            assert alternative(judge, people, np.arange(40), 0.2).passed is passed

    def test_agreement_within_topics_is_compared_with_a_persons(self):
        rng = np.random.default_rng(2)
        topics = np.repeat(np.arange(30), 4)
        truth = np.tile([2.0, 2.5, 3.5, 4.0], 30)
        people = {name: truth + rng.normal(0, 2, 120) for name in "KLM"}
        result = alternative(np.full(120, 3.0) + rng.normal(0, 0.1, 120), people, topics, 0.2)
        # The middle of the scale is nearer to two noisy people than a third one.
        assert result.passed
        assert result.r_difference.value < 0
        scores = np.array([*people.values()])

        def centered(values):
            return values - np.bincount(topics, values)[topics] / np.bincount(topics)[topics]

        expected = np.mean([
            np.corrcoef(centered(scores[n]), centered(np.delete(scores, n, 0).mean(axis=0)))[0, 1]
            for n in range(3)
        ])  # fmt: skip
        assert result.person_r == pytest.approx(expected)
        assert alternative(truth, people, topics, 0.2).r_difference.value > 0
        constant = alternative(np.full(120, 3.0), people, topics, 0.2)
        assert (constant.judge_r, constant.r_difference.value < 0) == (0, True)

    def test_one_person_is_not_enough(self):
        result = check(lambda score, words, family: score)
        assert result.alternative.undefined == "at least two people are needed"


class TestPlaces:
    def test_a_judge_who_prefers_what_comes_first(self):
        rows = [
            Preference(f"T{t}", "a", "b", choice, assessor=name, sides=sides)
            for t in range(4)
            for name, choices in (("gpt", ("first", "second")), ("K", ("first", "first")))
            for choice, sides in zip(choices, ("", "swapped"), strict=True)
        ]
        result = assessors(Collection("set", preferences=Preferences.from_records(rows)))
        [table] = [table for table in result.tables if table.name == "places"]
        assert table.rows == (("K", 8, "0.50 [0.50, 0.50]", 4, 1.0),
                              ("gpt", 8, "1.00 [1.00, 1.00]", 4, 0.0))  # fmt: skip


class TestQuestion:
    def test_anybody_can_be_checked_as_a_judge(self):
        data = judged(lambda score, words, family: score, people=("K", "L", "M"))
        result = assessors(data, judges="K", measures="quality", n_resamples=50)
        assert [check.judge for check in result.judges] == ["K"]
        # The model counts among the others then.
        assert len(result.judges[0].alternative.people) == 3
        assert "judges:K" in str(result.signature)

    def test_a_judge_that_is_not_there(self):
        data = judged(lambda score, words, family: score)
        message = refusal(InputError, assessors, data, judges="nobody")
        assert message.startswith("nobody did not judge anything")

    def test_a_model_has_no_drift_within_an_hour(self):
        data = judged(lambda score, words, family: score)
        for minutes, undefined in ((1, "a model made all its judgments within an hour"), (60, "")):
            times = [f"2026-01-0{1 + number * minutes // 1440}T{number * minutes // 60 % 24:02}:"
                     f"{number * minutes % 60:02}:00" for number in range(48)]  # fmt: skip
            model = data.scores.rows(data.scores.by_model)
            scores = Scores({**model.columns, "time": times}, model.value)
            drift = assessors(replace(data, scores=scores), n_resamples=50).study.drift
            assert [row.undefined for row in drift.values()] == [undefined]

    def test_people_alone_get_no_tables_of_judges(self):
        data = judged(lambda score, words, family: score, people=("K", "L"))
        people = data.scores.rows(~data.scores.by_model)
        result = assessors(replace(data, scores=people), n_resamples=50)
        assert not result.judges
        assert "use" not in result.table_names

    def test_zero_has_no_sign(self):
        result = assessors(judged(lambda score, words, family: score - 0.001), n_resamples=50)
        assert result.judges[0].bias.text == "0.00 [0.00, 0.00]"

    def test_json_and_the_page(self, tmp_path, capsys):
        judged(lambda score, words, family: score + 0.5).save(tmp_path / "set")
        arguments = ["assessors", tmp_path / "set", "--format", "json", "--resamples", "50",
                     "--html", tmp_path / "page.html"]  # fmt: skip
        assert runtime.run([*map(str, arguments)]) == 0
        record = json.loads(capsys.readouterr().out)["results"][-1]
        assert record["judge"] == "prompted_gpt-4o"
        assert record["bias"]["value"] == pytest.approx(0.5)
        assert record["use_for"]["absolute scores"] == "no"
        assert record["replaced"]["precision"] == 1.0
        page = (tmp_path / "page.html").read_text()
        assert page.index("What each judge may be used for") < page.index("Severity (")
        assert "Judges compared with people: quality" in page


@pytest.mark.long
def test_a_turker_next_to_experts():
    """On SummEval's relevance a crowd worker passes with 0.2 who does not follow the experts."""
    data = shared_collection("data/summeval.jsonl.gz")
    relevance = np.isin(data.scores.columns["measure"], ["expert-relevance", "turker-relevance"])
    names = ["expert1", "expert2", "expert3", "turker1"]
    relevance &= np.isin(data.scores.columns["assessor"], names)
    scores = data.scores.rows(relevance)
    columns = {**scores.columns, "measure": ["relevance"] * len(scores)}
    mixed = replace(data, scores=Scores(columns, scores.value))
    for epsilon, passed in ((0.2, True), (0.1, False)):
        [result] = assessors(mixed, judges="turker1", n_resamples=100, epsilon=epsilon).judges
        assert result.alternative.passed is passed
        assert abs(result.within_topics.value) < 0.1
        answers = result.answers()
        assert answers["ranking systems"] == answers["a person's place"] == "no"
