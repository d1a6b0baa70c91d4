"""``--as-printed`` sets what is not given, and says what it set."""

import json

import numpy as np
import pytest

from pyramidion import compare
from pyramidion.cli import runtime
from pyramidion.collection import ScoreMatrix, Scores
from pyramidion.collection.formats.scores import write_scores
from pyramidion.errors import InputError
from pyramidion.meta_evaluation import verdicts

SYSTEMS = [str(number) for number in range(1, 41)]


def scores_of(year="09", seed=1):
    """Return judgments and a metric of 40 machines; many means are tied."""
    rng = np.random.default_rng(seed)
    topics = [f"D{year}{number:02d}" for number in range(1, 13)]
    values = np.clip(rng.integers(1, 6, (12, 40)) + np.arange(40) // 10, 1, 5).astype(float)
    # The systems 29, 30 and 31 are equally good.
    values[:, 29] = values[:, 30] = values[:, 28]
    measures = {"overall": values, "rouge-2-r": values + rng.normal(size=values.shape)}
    parts = [
        ScoreMatrix(table, topics, SYSTEMS, measure=name).to_scores()
        for name, table in measures.items()
    ]
    return Scores.concatenate(parts)


def names_of_tests(result):
    return [comparison.test for comparison in result]


def test_compare_is_set_as_in_chapter_4():
    result = compare(scores_of(), measures="overall", as_printed=True)
    assert names_of_tests(result) == ["unpaired-t", "paired-t", "wilcoxon", "mc", "hb"]
    assert "wilcoxon(continuity)" in str(result.signature)
    assert {comparison.correction for comparison in result} == {"none"}
    assert result[3].n_resamples == 2000
    # 38 of 40 machines.
    assert result[0].counts.pairs == 38 * 37 // 2
    assert "systems 2 and 3 (tac2009-baselines)" in result.left_out
    names = "as-printed:test+continuity+correction+resamples+exactly+exclude|"
    assert names in str(result.signature)
    given = compare(
        scores_of(), measures="overall", test="unpaired-t,paired-t,wilcoxon,mc,hb",
        continuity=True, correction="none", n_resamples=2000, exclude="2,3",
    )  # fmt: skip
    assert [r.counts for r in given] == [r.counts for r in result]


def test_baselines_of_other_years_are_compared():
    for year in ("08", "10"):
        result = compare(scores_of(year), measures="overall", as_printed=True, test="paired-t")
        assert result.counts.pairs == 40 * 39 // 2
        assert not any("tac2009" in line for line in result.left_out)


def test_years_that_are_read_together_lose_only_those_of_2009():
    both = Scores.concatenate([scores_of("08"), scores_of("09", seed=2)])
    result = compare(both, measures="overall", exclude="tac2009-baselines", test="paired-t")
    topics = {system.system: system.n for system in result.systems}
    assert (topics["1"], topics["2"], topics["3"]) == (24, 12, 12)


def test_a_matrix_loses_the_baselines_too():
    for year, systems in (("09", 38), ("10", 40)):
        matrix = ScoreMatrix.from_scores(scores_of(year), "overall")
        assert len(compare(matrix, exclude="tac2009-baselines", test="paired-t").systems) == systems


def test_what_is_given_wins_even_if_it_is_the_default():
    result = compare(
        scores_of(), measures="overall", as_printed=True, test="paired-t", correction="maxt",
        exclude="7",
    )  # fmt: skip
    assert names_of_tests(result) == ["paired-t"]
    assert (result.correction, len(result.systems)) == ("maxt", 39)
    assert "|as-printed:resamples+exactly|" in str(result.signature)
    only = compare(scores_of(), measures="overall", as_printed=True, continuity=False)
    assert "wilcoxon+" in str(only.signature)
    assert "continuity" not in str(only.signature)


def test_verdicts_are_set_as_in_chapter_7():
    options = {"human": "overall", "n_resamples": 0}
    result = verdicts(scores_of(), as_printed=True, combine="rouge-2-r", **options)
    (study,) = {id(row.study): row.study for row in result if row.study}.values()
    assert (study.pairs, len(study.chosen.systems)) == (435, 30)
    assert "|as-printed:top+exactly+combine-by|" in str(result.signature)
    assert "|combine_by:significance|" in str(result.signature)
    plain = {id(row.study): row.study.pairs for row in verdicts(scores_of(), **options)}
    assert set(plain.values()) == {465, 780}


def test_a_model_is_not_combined_with_it():
    with pytest.raises(InputError, match="--as-printed and --model cannot go together"):
        compare(scores_of(), as_printed=True, model="lmm")


def test_the_command_line_names_the_options_and_tells_given_ones_from_defaults(tmp_path, capsys):
    path = tmp_path / "scores.csv"
    write_scores(scores_of(), path)
    command = ["compare", str(path), "-m", "overall", "--as-printed", "--format", "json"]
    assert runtime.run([*command, "--correction", "maxt", "--exclude", "7"]) == 0
    shown = capsys.readouterr()
    tests = "--test unpaired-t,paired-t,wilcoxon,mc,hb --continuity --resamples 2000 --exactly\n"
    assert f"note: --as-printed sets {tests}" in shown.err
    results = json.loads(shown.out)["results"]
    assert [result["correction"] for result in results] == ["holm", *["maxt"] * 4]
    assert runtime.run(["compare", str(path), "-m", "overall"]) == 0
    assert "as-printed" not in capsys.readouterr().err
