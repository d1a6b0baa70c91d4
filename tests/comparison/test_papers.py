"""What repeats the papers' tables: continuity, systems left out, the best, joined measures."""

import json
import re
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pyramidion.cli import runtime
from pyramidion.collection import ScoreMatrix
from pyramidion.comparison import compare
from pyramidion.errors import DataWarning, InputError, NotFoundError
from pyramidion.meta_evaluation import gap, meta_evaluate, verdicts
from support import GOLD

WILCOXON, KRUSKAL = (
    json.loads((GOLD / "stats" / name).read_text())["cases"]
    for name in ("wilcoxon.json", "kruskal_multcompare.json")
)
RNG = np.random.default_rng(11)
PEOPLE = ("A", "B", "C")


def scored(measures=("pyramid-modified", "pyramid-modified-3", "rouge-2-r"), machines=8, topics=20):
    """Scores of machines that get better by their number, and of people, who lack the first."""
    rows = [
        (f"T{topic}", system, kind, measure, (level + RNG.normal(scale=3) + 12) / 40)
        for measure in measures
        for kind, systems in (
            ("machine", [(str(n), n) for n in range(1, machines + 1)]),
            ("human", [(name, 12) for name in PEOPLE]),
        )
        if kind == "machine" or measure != measures[0]
        for system, level in systems
        for topic in range(topics)
    ]
    return pd.DataFrame(rows, columns=["topic", "system", "kind", "measure", "value"])


@pytest.mark.parametrize("name", [name for name in WILCOXON if name != "all_zero_n6"])
def test_continuity_is_that_of_r(name):
    # wilcox.test(paired = TRUE, correct = TRUE, exact = FALSE) of R 4.2.2.
    inputs, expected = WILCOXON[name]["inputs"], WILCOXON[name]["outputs"]
    result = compare(inputs["x"], inputs["y"], test="wilcoxon", continuity=True)
    right = expected["p_normal_with_continuity_correction"]
    assert result.p == pytest.approx(right, rel=1e-9)


def test_continuity_is_reported_and_belongs_to_wilcoxon():
    frame = scored()
    result = compare(frame, measures="rouge-2-r", test="wilcoxon", continuity=True)
    assert "compare(wilcoxon(continuity))" in str(result.signature)
    assert "with continuity correction" in str(result)
    assert result.to_dict()["results"][0]["continuity"] is True
    assert "continuity" not in compare(frame, measures="rouge-2-r").to_dict()["results"][0]
    for ask in (
        lambda: compare(frame, test="paired-t", continuity=True),
        lambda: verdicts(frame, human="rouge-2-r", test="paired-t", continuity=True),
    ):
        with pytest.raises(InputError, match="only wilcoxon is corrected for continuity"):
            ask()


def test_verdicts_with_continuity_find_no_more():
    frame = scored()
    plain, corrected = (
        verdicts(frame, human="pyramid-modified", metrics="rouge-2-r", continuity=on, n_resamples=0)
        for on in (False, True)
    )
    assert "verdicts(wilcoxon(continuity))" in str(corrected.signature)
    by_pair = [result[0].study.manual.p for result in (plain, corrected)]
    assert (by_pair[1] >= by_pair[0]).all()
    assert (by_pair[1] > by_pair[0]).any()


@pytest.mark.parametrize("source", ["frame", "matrix"])
def test_systems_are_left_out(source):
    frame = scored()
    if source == "frame":
        result = compare(frame, measures="rouge-2-r", exclude="2,3")
        again = compare(frame[~frame["system"].isin(["2", "3"])], measures="rouge-2-r")
    else:
        values = RNG.normal(size=(20, 4))
        topics, systems = [f"T{n}" for n in range(20)], ["1", "2", "3", "4"]
        result = compare(ScoreMatrix(values, topics, systems), exclude=["2", "3"])
        again = compare(ScoreMatrix(values[:, [0, 3]], topics, ["1", "4"]))
    assert result.values == again.values
    assert "|exclude:2+3|" in str(result.signature)
    with pytest.raises(NotFoundError, match="there is no system '99'"):
        compare(frame, exclude="99")


@pytest.mark.parametrize(
    ("top", "selected", "note"),
    [
        (2, ["a", "b"], "m: 4 systems below the top 2"),
        # c, d and e have the same mean, though their scores differ.
        (3, [*"abcde"], "m: 1 system below the top 3, 2 tied with the last included"),
        (9, [*"abcdef"], None),
    ],
)  # fmt: skip
def test_the_best_and_those_that_tie_with_the_last(top, selected, note):
    values = np.array([[9, 8, 5, 4, 6, 1], [9, 8, 5, 6, 4, 1], [9, 9, 5, 5, 5, 2.0]])
    matrix = ScoreMatrix(values, ["x", "y", "z"], list("abcdef"), measure="m")
    result = compare(matrix, top=top)
    assert sorted(system.system for system in result.systems) == selected
    assert result.left_out == ((note,) if note else ())


def test_table_7_1_counts_the_pairs_of_the_best_machines():
    result = compare(
        scored(), measures="rouge-2-r", peers="machines", top=4, test="wilcoxon", correction="none"
    )
    (study,) = {
        row.study for row in verdicts(
            scored(), human="rouge-2-r", metrics="pyramid-modified", top="4", n_resamples=0
        )
    }  # fmt: skip
    assert result.counts.pairs == study.pairs == 6
    assert not {system.system for system in result.systems} & set(PEOPLE)


def test_the_best_machines_are_judged_next_to_people():
    frame = scored()
    means = frame[(frame["measure"] == "pyramid-modified")].groupby("system")["value"].mean()
    best = set(means.nlargest(5).index)
    options = {"human": "pyramid-modified+pyramid-modified-3", "metrics": "rouge-2-r", "top": 5}
    (evaluation,) = meta_evaluate(frame, n_resamples=20, **options)
    assert set(evaluation.tables.systems) == best | set(PEOPLE)
    line = "pyramid-modified+pyramid-modified-3: 3 machines below the top 5"
    assert line in evaluation.tables.left_out
    assert gap(frame, n_resamples=20, **options)[0].by_manual.pairs == 5 * len(PEOPLE)


def with_easy_topics():
    """Machines on hard and easy topics; the second worst has the easy ones only."""
    values = np.arange(6.0) + np.r_[np.zeros(6), np.full(6, 9.0)][:, None]
    values = values + RNG.normal(scale=0.01, size=values.shape)
    values[:6, 1] = np.nan
    topics, systems = [f"T{n}" for n in range(12)], [f"s{n}" for n in range(6)]
    return [
        ScoreMatrix(sign * values, topics, systems, measure=measure).to_scores()
        for measure, sign in (("overall", 1), ("rouge-2-r", 1), ("errors", -1))
    ]


@pytest.mark.parametrize("human", ["overall", "errors"])
def test_the_best_are_the_same_everywhere_where_scores_are_missing(human):
    scores = with_easy_topics()
    lower = "errors"
    best = {"s3", "s4", "s5"}
    result = compare(scores, measures=human, top=3, lower_is_better=lower)
    assert {system.system for system in result.systems} == best
    options = {"human": human, "metrics": "rouge-2-r", "top": 3, "lower_is_better": lower}
    assert set(meta_evaluate(scores, n_resamples=20, **options)[0].tables.systems) == best
    assert {*verdicts(scores, n_resamples=0, **options)[0].group.studies[0].chosen.systems} == best


@pytest.mark.parametrize(
    ("lower", "direction"),
    [(("q-a", "q-b"), "lower"), (("q-a+q-b",), "lower"), ((), "higher")],
)
def test_joined_measures_have_the_direction_of_their_parts(lower, direction):
    frame = scored(("q-a", "q-b", "rouge-2-r"))
    result = compare(frame, measures="q-a+q-b", lower_is_better=lower)
    assert result.only.direction == direction
    options = {"human": "q-a+q-b", "metrics": "rouge-2-r", "lower_is_better": lower}
    # The metric increases with both questions.
    against = "metric that runs against people: rouge-2-r: .* with q-a.q-b"
    expected = pytest.warns(DataWarning, match=against) if lower else nullcontext()
    with expected:
        (evaluation,) = meta_evaluate(frame, n_resamples=20, **options)
    assert evaluation.tables.negated == ("q-a+q-b",) * (direction == "lower")


def test_an_option_and_the_table_decide_together_what_can_be_joined():
    frame = scored(("js-input", "q-b", "rouge-2-r"))
    result = compare(frame, measures="js-input+q-b", lower_is_better="q-b")
    assert result.only.direction == "lower"
    with pytest.raises(InputError, match="lower is better for only one of q-b and rouge-2-r"):
        compare(frame, measures="q-b+rouge-2-r", lower_is_better="q-b")


def test_machines_and_people_by_measures_of_their_own():
    frame = scored()
    result = compare(frame, measures="pyramid-modified+pyramid-modified-3", correction="none")
    means = frame.groupby(["measure", "system"])["value"].mean()
    for system in result.systems:
        measure = "pyramid-modified-3" if system.kind == "human" else "pyramid-modified"
        assert system.mean == pytest.approx(means[measure, system.system])
    assert result.human_machine.pairs == 8 * 3
    frame["half"] = [str(int(topic[1:]) % 10) for topic in frame["topic"]]
    again = compare(frame, measures="pyramid-modified+pyramid-modified-3", cluster="half")
    assert "10 clusters of topics, not 20 topics" in str(again)


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ("rouge-2-r+pyramid-modified", "no person has a score of pyramid-modified"),
        ("rouge-2-r+nothing", "there is no measure 'nothing'"),
        ("js-input+rouge-2-r", "lower is better for only one of js-input and rouge-2-r"),
    ],
)
def test_measures_that_cannot_be_joined(measure, message):
    frame = scored(("pyramid-modified", "js-input", "rouge-2-r"))
    with pytest.raises((InputError, NotFoundError), match=message):
        compare(frame, measures=measure)


def documented(source):
    """The options of the commands in docs/comparing.md on this source."""
    text = (Path(__file__).resolve().parents[2] / "docs" / "comparing.md").read_text()
    text = text.replace("\\\n", " ")
    return [line.split() for line in re.findall(f"pyramidion compare {source} (.*)", text)]


def test_tables_4_1_and_7_1_from_a_nist_release(tmp_path, capsys):
    """The commands of docs/comparing.md, on tables in the layout of TAC 2009."""
    machines, topics = range(1, 9), [f"D09{n:02d}-A" for n in range(1, 21)]
    peers = [
        f"{t} {n} {RNG.uniform(0, .3) + n / 30:.3f} 5 0 C C {RNG.uniform(0, .3) + n / 30:.3f} "
        f"{RNG.integers(1, 6)} {RNG.integers(1, 6)}" for t in topics for n in machines
    ]  # fmt: skip
    models = [f"{t} {p} 9 C C {RNG.uniform(0.6, 0.9):.3f} 9 9" for t in topics for p in PEOPLE]
    (tmp_path / "manual.peer.A").write_text("\n".join(peers) + "\n")
    (tmp_path / "manual.model.A").write_text("\n".join(models) + "\n")
    counted, best = documented("TAC2009")
    assert (
        runtime.run(["compare", str(tmp_path), "--from", "duc", *counted, "--format", "json"]) == 0
    )
    records = json.loads(capsys.readouterr().out)["results"]
    assert [(record["measure"], record["test"]) for record in records] == [
        (measure, test)
        for measure in ("readability", "responsiveness", "pyramid-modified+pyramid-modified-3")
        for test in ("unpaired-t", "paired-t", "wilcoxon", "mc", "hb")
    ]
    # Six machines and three people are left: 36 pairs, 18 of them of a person and a machine.
    assert {(record["pairs"], record["human_machine"]["pairs"]) for record in records} == {(36, 18)}
    assert {combination["human_machine"]["significant"] for combination in records[-5:]} == {18}
    assert runtime.run(["compare", str(tmp_path), "--from", "duc", *best, "--format", "json"]) == 0
    for record in json.loads(capsys.readouterr().out)["results"]:
        assert (record["pairs"], record["human_machine"]["pairs"]) == (28, 0)


@pytest.mark.filterwarnings("ignore:measure shifted by a row")
@pytest.mark.parametrize("by", ["direction", "significance"])
def test_combinations_count_significance_alone_or_direction_as_well(by):
    """Every subset counted pair by pair, where metrics often contradict each other."""
    frame = scored(("overall", "one", "two", "three"), machines=9)
    machines = frame["kind"] == "machine"
    reverse = machines & (frame["measure"] == "two") & (frame["system"].astype(str) > "5")
    frame.loc[reverse, "value"] *= -1
    result = verdicts(
        frame, human="overall", combine="one,two,three", combine_by=by, top="all", n_resamples=0
    )
    study = result[0].study
    manual = study.manual.signs.tolist()
    for row in result:
        if row.study is not None:
            continue
        verdict = [study.metrics[name].signs.tolist() for name in row.metrics]
        significant = conflicts = both = 0
        for people, *metrics in zip(manual, *verdict, strict=True):
            agreed = all(metrics) and (by == "significance" or len(set(metrics)) == 1)
            significant += agreed
            both += agreed and people != 0
            conflicts += agreed and people != 0 and set(metrics) != {people}
        counts = row.agreement
        assert (counts.tp, counts.fp, counts.direction_conflicts) == (
            both,
            significant - both,
            conflicts,
        )
        assert counts.n == len(manual)
    contradicted = next(row for row in result if row.metrics == ("one", "two"))
    assert (contradicted.agreement.direction_conflicts > 0) == (by == "significance")
    assert ("in whichever direction" in str(result)) == (by == "significance")


@pytest.mark.parametrize("name", ["likert_matrix_systems", "pyr_matrix_systems"])
def test_kruskal_and_its_comparisons_are_those_of_the_gold(name):
    # kruskal.test and ptukey of R 4.2.2, the variance of ranks corrected for ties as in MATLAB.
    expected = KRUSKAL[name]["outputs"]
    values = np.array(KRUSKAL[name]["inputs"]["matrix"], dtype=float)
    topics, systems = ([str(n) for n in range(size)] for size in values.shape)
    compared = compare(ScoreMatrix(values, topics, systems), test="kruskal")
    result = compared.to_dict()["results"][0]
    assert result["omnibus"]["statistic"] == pytest.approx(expected["H_tie_corrected"], rel=1e-9)
    assert result["omnibus"]["p"] == pytest.approx(expected["p"], rel=1e-9)
    assert result["correction"] == "tukey"
    assert compared.counts.significant == expected["significant_pairs"]
    pairs = {frozenset(pair): n for n, pair in enumerate(np.array(expected["pairs"]).tolist())}
    for pair in compared.comparisons:
        n = pairs[frozenset((int(pair.a) + 1, int(pair.b) + 1))]
        assert abs(pair.statistic) == pytest.approx(abs(expected["diff"][n] / expected["se"][n]))
        assert pair.p_adjusted == pytest.approx(max(expected["p_tukey"][n], pair.p), rel=1e-6)
    assert "Kruskal-Wallis: H = " in str(compared)
