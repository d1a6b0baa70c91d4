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
from pyramidion.judges._checks import Estimate, alt_test
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
    [found] = assessors(judged(make), n_resamples=100, **options).judges
    return found


class TestEffects:
    def test_a_judge_that_gives_half_a_point_more(self):
        found = check(lambda score, words, own: score + 0.5)
        assert (found.judge, found.n, found.topics, found.systems) == ("prompted_gpt-4o", 48, 8, 6)
        for name, value in (("bias", 0.5), ("within_topics", 1), ("between_systems", 1),
                            ("slope", 1), ("length", 0), ("own_family", 0)):  # fmt: skip
            own = getattr(found, name)
            assert (own.value, own.low, own.high) == pytest.approx((value,) * 3, abs=1e-9)
        assert found.calibration_error == pytest.approx(0.5)
        answers = found.answers()
        assert answers["ranking systems"] == answers["telling pairs apart"] == "yes"
        assert answers["absolute scores"] == "no"
        assert answers["a person's place"] == answers["asking once"] == "?"

    def test_length_and_family_are_told_at_equal_human_score(self):
        found = check(lambda score, words, own: 0.7 * score + 0.6 * words)
        assert found.length.value == pytest.approx(0.6)
        assert found.answers()["unequal lengths"] == "no"
        found = check(lambda score, words, own: score + 0.8 * own)
        assert found.own_family.value == pytest.approx(0.8)
        # Two of three gpt systems are its own model's.
        assert 0 < found.own_model.value < 0.8
        assert found.answers()["its own family"] == "no"

    def test_a_judge_who_knows_nothing_is_good_for_nothing(self):
        rng = np.random.default_rng(0)
        answers = check(lambda score, words, own: rng.uniform(0, 5)).answers()
        assert answers["ranking systems"] == answers["single summaries"] == "no"

    def test_calibration_groups_cover_all_summaries(self):
        found = check(lambda score, words, own: round(score))
        assert sum(one.n for one in found.calibration) == 48
        means = [one.people.value for one in found.calibration]
        assert means == sorted(means)
        assert all(one.people.low <= one.people.value <= one.people.high
                   for one in found.calibration if one.n > 8)  # fmt: skip

    def test_lower_may_be_better(self):
        turned = judged(lambda score, words, own: score + 0.5)
        plain = assessors(turned, n_resamples=50).judges[0]
        names = {"measure": np.where(turned.scores.columns["measure"] == "quality", "rank", "")}
        scores = Scores({**turned.scores.columns, **names}, turned.scores.value)
        found = assessors(replace(turned, scores=scores), n_resamples=50).judges[0]
        assert found.between_systems == plain.between_systems
        # As it is written, not with its sign reversed.
        assert found.bias.value == pytest.approx(0.5)

    def test_summhay(self):
        # Pearson over summaries and judge minus human: ../shared/data/README.md.
        told = {"gemini-1.5-pro": (0.82, 0.05), "gpt-4o": (0.80, 0.07), "gpt3.5": (0.67, 0.14),
                "claude3-opus": (0.74, 0.09), "claude3-haiku": (0.59, 0.32)}  # fmt: skip
        data = shared_collection("data/summhay.jsonl.gz")
        found = {own.judge: own for own in assessors(data, n_resamples=50).judges}
        assert len(found) == 6
        for name, (r, difference) in told.items():
            own = found[f"prompted_{name}"]
            assert own.slope.value * own.spread == pytest.approx(r, abs=0.005)
            assert own.bias.value == pytest.approx(difference, abs=0.005)


class TestAlternativeAnnotator:
    def test_as_calderon_and_others_define_it(self):
        rng = np.random.default_rng(5)
        truth = rng.integers(1, 6, 60).astype(float)
        table = np.clip(truth + rng.integers(-1, 2, (3, 60)), 1, 5)
        table[2, :5] = math.nan
        judge = np.clip(truth + rng.integers(-1, 2, 60), 1, 5)
        found = alt_test(judge, dict(zip("KLM", table, strict=True)), np.arange(60), 0.15)
        # Item by item, as the paper has it: -RMSE to the others, then a t test against epsilon.
        p_values = []
        for j, person in enumerate(found.people):
            wins = []
            for i in range(60):
                others = [table[k, i] for k in range(3) if k != j and not math.isnan(table[k, i])]
                if not math.isnan(table[j, i]):
                    scores = [
                        -math.sqrt(np.mean([(x - o) ** 2 for o in others]))
                        for x in (judge[i], table[j, i])
                    ]
                    wins.append((scores[0] >= scores[1], scores[1] >= scores[0]))
            ours, theirs = np.array(wins, float).T
            p = ttest_1samp(theirs - ours, 0.15, alternative="less").pvalue
            p_values.append(p)
            assert (person.items, person.advantage) == (len(wins), pytest.approx(ours.mean()))
            assert person.p == pytest.approx(p)
        # Benjamini and Yekutieli: the harmonic sum of 3 is 11/6.
        worst = max(p_values) * 11 / 6
        assert max(one.p_adjusted for one in found.people) == pytest.approx(min(1, worst))

    def test_topics_are_clusters(self):
        """The same items many times over in one topic are no more evidence."""
        rng = np.random.default_rng(1)
        people = {name: rng.normal(size=20) for name in "KLM"}
        judge, topics = rng.normal(size=20), np.repeat(np.arange(10), 2)
        once = alt_test(judge, people, topics, 0.2)
        twice = alt_test(
            np.tile(judge, 3),
            {k: np.tile(v, 3) for k, v in people.items()},
            np.tile(topics, 3),
            0.2,
        )
        assert [one.p for one in once.people] == pytest.approx([one.p for one in twice.people])

    def test_a_copy_passes_and_an_opposite_fails(self):
        rng = np.random.default_rng(2)
        truth = np.repeat([1.0, 2.0, 4.0, 5.0], 10)
        people = {name: truth + rng.normal(0, 0.3, 40) for name in "KLM"}
        for judge, passed in ((truth, True), (6 - truth, False)):
            assert alt_test(judge, people, np.arange(40), 0.2).passed is passed

    def test_one_person_is_not_enough(self):
        found = check(lambda score, words, own: score)
        assert found.alternative.undefined == "it takes two people or more"


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
        data = judged(lambda score, words, own: score, people=("K", "L", "M"))
        found = assessors(data, judges="K", measures="quality", n_resamples=50)
        assert [own.judge for own in found.judges] == ["K"]
        # The model counts among the others then.
        assert len(found.judges[0].alternative.people) == 3
        assert "judges:K" in str(found.signature)

    def test_a_judge_that_is_not_there(self):
        data = judged(lambda score, words, own: score)
        assert refusal(InputError, assessors, data, judges="nobody").startswith("nobody judged")

    def test_a_model_has_no_drift_within_an_hour(self):
        data = judged(lambda score, words, own: score)
        for minutes, undefined in ((1, "a model was asked within an hour"), (60, "")):
            times = [f"2026-01-0{1 + place * minutes // 1440}T{place * minutes // 60 % 24:02}:"
                     f"{place * minutes % 60:02}:00" for place in range(48)]  # fmt: skip
            model = data.scores.rows(data.scores.by_model)
            scores = Scores({**model.columns, "time": times}, model.value)
            drift = assessors(replace(data, scores=scores), n_resamples=50).study.drift
            assert [own.undefined for own in drift.values()] == [undefined]

    def test_people_alone_get_no_tables_of_judges(self):
        data = judged(lambda score, words, own: score, people=("K", "L"))
        people = data.scores.rows(~data.scores.by_model)
        found = assessors(replace(data, scores=people), n_resamples=50)
        assert not found.judges
        assert "use" not in found.table_names

    def test_numbers_are_told_without_minus_zero(self):
        assert Estimate(-0.001, -0.004, 0.004).text == "0.00 [0.00, 0.00]"

    def test_json_and_the_page(self, tmp_path, capsys):
        judged(lambda score, words, own: score + 0.5).save(tmp_path / "set")
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
        assert "Judges beside people: quality" in page


@pytest.mark.long
def test_a_turker_beside_experts():
    """On SummEval's relevance a crowd worker passes with 0.2 who does not follow the experts."""
    data = shared_collection("data/summeval.jsonl.gz")
    wanted = np.isin(data.scores.columns["measure"], ["expert-relevance", "turker-relevance"])
    names = ["expert1", "expert2", "expert3", "turker1"]
    wanted &= np.isin(data.scores.columns["assessor"], names)
    scores = data.scores.rows(wanted)
    columns = {**scores.columns, "measure": ["relevance"] * len(scores)}
    mixed = replace(data, scores=Scores(columns, scores.value))
    for epsilon, passed in ((0.2, True), (0.1, False)):
        [found] = assessors(mixed, judges="turker1", n_resamples=100, epsilon=epsilon).judges
        assert found.alternative.passed is passed
        assert abs(found.within_topics.value) < 0.1
        assert found.answers()["ranking systems"] == "no"
