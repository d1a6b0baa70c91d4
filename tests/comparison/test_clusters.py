"""Topics that belong together: only their clusters are independent."""

import numpy as np
import polars
import pytest
from scipy import stats

from pyramidion.collection import Collection, ScoreMatrix, Scores, Topic
from pyramidion.comparison import compare
from pyramidion.comparison.procedures import PAIRED_TESTS
from pyramidion.errors import DataNote, InputError, NotFoundError

RNG = np.random.default_rng(44)
CODES = np.repeat(np.arange(8), [3, 5, 4, 6, 2, 5, 4, 3])
SHIFT = RNG.normal(size=8)[CODES] + 0.5
VALUES = np.column_stack([SHIFT + 0.5 * RNG.normal(size=(len(CODES))), RNG.normal(size=len(CODES))])


def matrix(values=VALUES, codes=CODES, systems=("x", "y")):
    topics = [f"T{row}" for row in range(len(values))]
    return ScoreMatrix(
        values, topics, systems, measure="m", clusters=[f"c{code}" for code in codes]
    )


def frame(values=VALUES, codes=CODES):
    rows = [
        (f"T{t}", f"doc{c}", s, v)
        for t, c in enumerate(codes)
        for s, v in zip("xy", values[t], strict=True)
    ]
    return polars.DataFrame(rows, schema=["topic", "doc", "system", "value"], orient="row")


def test_signs_change_by_cluster():
    # By hand: the share of all 2^8 signs of the cluster sums that are as extreme.
    sums = np.bincount(CODES, VALUES[:, 0] - VALUES[:, 1])
    signs = 1 - 2 * ((np.arange(256)[:, None] >> np.arange(8)) & 1)
    expected = np.mean(np.abs(signs @ sums) >= abs(sums.sum()) - 1e-9)
    result = compare(matrix())
    assert result.p == pytest.approx(expected, rel=1e-12)
    assert "8 clusters of topics, not 32 topics, are independent." in result.notes
    assert any(note.startswith("With only 8 clusters, ") for note in result.notes)
    assert result.only.clusters == 8
    assert result.n_resamples == 256


def test_clusters_of_one_size_have_the_t_test_of_their_means():
    values, codes = VALUES[:30], np.repeat(np.arange(6), 5)
    means = (values[:, 0] - values[:, 1]).reshape(6, 5).mean(axis=1)
    expected = stats.ttest_1samp(means, 0)
    result = compare(matrix(values, codes), test="paired-t", baseline="y")
    assert (result.pair.statistic, result.p) == pytest.approx(tuple(expected), rel=1e-9)
    assert result.interval == pytest.approx(tuple(expected.confidence_interval()), rel=1e-9)


def test_signed_ranks_are_summed_by_cluster():
    # Rosner, Glynn and Lee's statistic, by hand.
    z = VALUES[:, 0] - VALUES[:, 1]
    sums = np.bincount(CODES, np.sign(z) * stats.rankdata(np.abs(z)))
    expected = 2 * stats.norm.sf(abs(sums.sum()) / np.sqrt(np.sum(sums**2)))
    assert compare(matrix(), test="wilcoxon").p == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("test", PAIRED_TESTS)
def test_each_topic_a_cluster_of_its_own_changes_little(test):
    options = {"test": test, "statistic": "t", "n_resamples": 1999}
    alone = compare(matrix(codes=np.arange(len(VALUES))), **options)
    topics = [f"T{row}" for row in range(len(VALUES))]
    plain = compare(ScoreMatrix(VALUES, topics, ["x", "y"], measure="m"), **options)
    assert alone.p == pytest.approx(plain.p, abs=0.02)


@pytest.mark.parametrize("test", PAIRED_TESTS)
@pytest.mark.long
def test_clusters_hold_the_level(test):
    codes = np.repeat(np.arange(10), 5)
    p_values = []
    for seed in range(150):
        rng = np.random.default_rng([seed, 4])
        z = np.sqrt(0.5) * (rng.normal(size=10)[codes] + rng.normal(size=50))
        scores = matrix(np.column_stack([z, np.zeros(50)]), codes)
        p_values.append(compare(scores, test=test, n_resamples=99, seed=seed).p <= 0.05)
    # Without clusters it is .25; `benchmarks/stats_errors.py` has more runs.
    assert np.mean(p_values) <= 0.1


@pytest.mark.parametrize("test", ["permutation", "mc", "paired-t", "wilcoxon"])
def test_missing_scores_and_several_systems(test):
    values = np.column_stack([VALUES, VALUES[:, 0] + 2 + RNG.normal(size=len(CODES))])
    values[RNG.random(values.shape) < 0.2] = np.nan
    result = compare(matrix(values, systems=("x", "y", "z")), test=test)
    assert [system.system for system in result.systems] == ["z", "x", "y"]
    assert all(0 < pair.p <= pair.p_adjusted <= 1 for pair in result.comparisons)
    assert all(system.low < system.high for system in result.systems)


def test_a_column_of_the_table_or_a_field_of_topics(tmp_path):
    expected = compare(matrix()).p
    assert compare(frame(), cluster="doc").p == expected
    long = frame().with_columns(kind=polars.lit("machine"), measure=polars.lit("m"))
    for suffix, write in (("csv", long.write_csv), ("jsonl", long.write_ndjson),
                          ("parquet", long.write_parquet)):  # fmt: skip
        write(tmp_path / f"scores.{suffix}")
        result = compare(str(tmp_path / f"scores.{suffix}"), cluster="doc")
        assert result.p == expected
        assert "cluster:doc" in str(result.signature).replace("=", ":")
        assert not any("doc" in line for line in result.left_out)
    scores = Scores({n: long[n].to_list() for n in ("topic", "system", "kind", "measure")},
                    long["value"].to_list())  # fmt: skip
    topics = [Topic(f"T{t}", category=str(c), extra={"doc": int(c)}) for t, c in enumerate(CODES)]
    collection = Collection("c", topics=tuple(topics), scores=scores)
    assert compare(collection, cluster="doc").p == expected
    assert compare(collection, cluster="category").p == expected


@pytest.mark.parametrize("named", ["doc", "story"])
@pytest.mark.parametrize("wide", [False, True])
def test_a_column_of_a_table_whose_columns_are_guessed(tmp_path, named, wide):
    table = frame().rename({"doc": named, "value": "m" if wide else "score"})
    if not wide:
        table = table.with_columns(measure=polars.lit("m"))
    path = tmp_path / "own.csv"
    table.write_csv(path)
    with pytest.warns(DataNote, match="read as --columns topic=topic"):
        assert compare(str(path), cluster=named).p == compare(matrix()).p
    refused = pytest.raises(NotFoundError, match=rf"column of the scores \(topic, .*{named}\)")
    with pytest.warns(DataNote), refused:
        compare(str(path), cluster="dok")


def test_what_cannot_be_a_cluster_is_refused():
    with pytest.raises(NotFoundError, match=r"no column 'dok'; name a column .*system, .*doc"):
        compare(frame(), cluster="dok")
    with pytest.raises(InputError, match="all topics of m are in one cluster, c0"):
        compare(matrix(codes=np.zeros(len(VALUES), int)))
    with pytest.raises(InputError, match="topic T0 has several values of system: x, y"):
        compare(frame(), cluster="system")
    holes = frame().with_columns(doc=polars.when(polars.col("topic") != "T3").then("doc"))
    with pytest.raises(InputError, match="topic T3 has no doc"):
        compare(holes, cluster="doc")
    with pytest.raises(InputError, match="welch does not support clusters of topics"):
        compare(matrix(), test="welch")
    with pytest.raises(InputError, match="no column for --cluster"):
        compare([1, 2, 3], [2, 3, 5], cluster="doc")
