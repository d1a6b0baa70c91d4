"""Rankel's entries: computed from scores and texts of TAC by the questions that users ask."""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from pyramidion.classy import train
from pyramidion.collection import TAC_CATEGORIES, Collection, ScoreMatrix, Scores
from pyramidion.comparison import Comparisons, compare
from pyramidion.errors import NotFoundError
from pyramidion.judges import assessors
from pyramidion.meta_evaluation import meta_evaluate, verdicts
from pyramidion.stats import kruskal_wallis, mean_rank_tukey
from pyramidion.studies._judgments import AssessorCategories
from pyramidion.studies._printed import TAC_2009_BASELINES
from pyramidion.studies._quality import quality
from pyramidion.studies._reproduce.data_folder import YEARS, DataFolder
from pyramidion.studies._reproduce.from_documents import (
    RATIO_NAMES,
    ROUNDED_DOWN_REASON,
    best_variants,
    shares_of_5_1,
    tied_ranks,
)
from pyramidion.studies._reproduce.printed import (
    Grid,
    PrintedEntry,
    documents,
    from_data,
    place_values,
)

_TEST_OPTIONS = ("unpaired-t", "paired-t", "wilcoxon")
_MEASURES = ("linguistic", "responsiveness", "pyramid", "ROUGE-2", "ROUGE-SU4")
_HUMAN_MEASURES = _MEASURES[:3]
# Chapter 4 leaves them out.
_EXCLUDED_SYSTEMS = {"tac2009": TAC_2009_BASELINES.systems}
_MAX_SYSTEMS, _N_RESAMPLES = 30, 2000


@from_data("rankel-2.1", how="topics and summarizers of task A")
def _evaluation_sizes(entry: PrintedEntry, data: DataFolder) -> Grid:
    return {
        row: [len(matrix.topics), int((~matrix.human).sum()), int(matrix.human.sum())]
        for row, year in data.years()
        for matrix in data.matrices(year, "responsiveness")
    }


@from_data("rankel-s7.2-settings", how="topics of task A, and C(30, 2)")
def _topic_settings(entry: PrintedEntry, data: DataFolder) -> Grid:
    sizes = [len(m.topics) for _, year in data.years() for m in data.matrices(year, "pyramid")]
    return [min(sizes), max(sizes), None, math.comb(_MAX_SYSTEMS, 2)] if sizes else []


@from_data("rankel-3.1", how="assessors and categories of the topics of task A")
def _assessor_categories(entry: PrintedEntry, data: DataFolder) -> Grid:
    tables = data.ask(quality, "tac2011", judgments=True).of_type(AssessorCategories)
    if not tables:
        raise NotFoundError("the category and the assessor of each topic of tac2011")
    # One name is worded differently in print.
    rows = {name: n for n, c in enumerate(TAC_CATEGORIES) for name in (c.id, c.title)}
    counts = [dict(zip(tables[0].assessors, row, strict=True)) for row in tables[0].topics]
    counts_by_category = zip(tables[0].categories, counts, strict=True)
    return {rows.get(name, name): row for name, row in counts_by_category}


@from_data("rankel-3.2", how="the scores of task A")
def _tied_score_ranks(entry: PrintedEntry, data: DataFolder) -> Grid:
    scores = data.matrix("tac2011", "responsiveness").values
    counts = [float((scores == score).sum()) for score in range(1, 6)]
    if not any(counts):
        raise NotFoundError("no responsiveness of 2011 is on the scale from 1 to 5")
    return tied_ranks(counts, counted=True)


def _require_topics(matrix: ScoreMatrix, year: str) -> ScoreMatrix:
    """Return scores whose differences can be tested."""
    if len(matrix.topics) < 2:
        raise NotFoundError(f"a second topic of {matrix.measure} in {year}")
    return matrix


def _compare_systems(data: DataFolder, year: str, measure: str, **options: Any) -> Comparisons:
    """Compare all summarizers of task A, once for all tables."""

    def compare_once() -> Comparisons:
        matrix = _require_topics(data.matrix(year, measure), year)
        excluded_systems = (
            _EXCLUDED_SYSTEMS.get(year, ()) if data.as_printed and not data.other else ()
        )
        included_matrix = matrix.take(
            systems=[name for name in matrix.systems if name not in excluded_systems]
        )
        return compare(included_matrix, correction="none", pairs="none", **options)

    return data.once((year, measure, *map(str, options.items())), compare_once)


def _describe_pairs(data: DataFolder) -> str:
    exclusion_note = "" if data.other else " and without the machines 2 and 3 of 2009"
    switch_note = f"; as printed, with continuity{exclusion_note}" if data.as_printed else ""
    tests = "task A, pooled variances, zeros dropped, midranks"
    return f"{tests}{switch_note}{_describe_human_pairs(data)}"


def _describe_human_pairs(data: DataFolder) -> str:
    """Return on how many topics people of other data can be compared with machines."""
    if not data.other:
        return ""
    matrix = next(data.matrices("tac2008", "responsiveness"), None)
    if matrix is None or not matrix.human.any():
        return "; there are no people"
    is_present = (~np.isnan(matrix.values)).astype(np.int64)
    topics = is_present[:, matrix.human].T @ is_present[:, ~matrix.human]
    max_topics = int(topics.max(initial=0))
    # All differences of one sign: no test of signs or ranks has a smaller p-value.
    too_few = ", too few for Wilcoxon's test to find any" if 2.0 ** (1 - max_topics) > 0.05 else ""
    return (
        f"; {topics.size} pairs of a person and a machine, on at most {max_topics} topics{too_few}"
    )


_TIES_REASON = (
    "For pyramid scores of 2008 and the Wilcoxon test, the count is 1417, but 1418 is printed, "
    "because rounding errors broke ties there."
)


@from_data("rankel-4.2", how=_describe_pairs)
@from_data(
    "rankel-4.1",
    how=_describe_pairs,
    why=lambda values: _TIES_REASON if values.get((2, 2)) == 1417 else "",
)
def _significant_pairs(entry: PrintedEntry, data: DataFolder) -> Grid:
    """Count the pairs that differ: of all summarizers, or of a person and a machine."""
    result_field = "counts" if entry.id == "rankel-4.1" else "human_machine"

    def count(year: str, measure: str) -> list[int]:
        results = _compare_systems(
            data, year, measure, test=_TEST_OPTIONS, continuity=data.as_printed
        )
        pair_counts = [getattr(result, result_field) for result in results]
        if not pair_counts[0].pairs:
            raise NotFoundError(f"scores of people by {measure} in {year}")
        return [pairs.significant_uncorrected for pairs in pair_counts]

    grid: dict[int, dict[int, float | None]] = {row: {} for row in range(len(_MEASURES))}
    for block, year in data.years(3):
        for row, measure in enumerate(_MEASURES):
            for counts in data.when_available(count, year, measure):
                grid[row] |= {3 * block + test: count for test, count in enumerate(counts)}
    return grid


@from_data("rankel-s4.4-bootstrap", how="hybrid bootstrap with 2,000 resamples")
def _resampled_difference(entry: PrintedEntry, data: DataFolder) -> Grid:
    """Compare the unpaired t with Wilcoxon's W, cutoffs resampled; means over tables."""

    def count_significant(year: str, measure: str, statistic: str) -> int:
        options = {"test": "hb", "statistic": statistic, "n_resamples": _N_RESAMPLES}
        return _compare_systems(data, year, measure, **options)[0].counts.significant_uncorrected

    def percent_fewer(year: str, measure: str) -> float:
        counts = [count_significant(year, measure, statistic) for statistic in ("t-unpaired", "w")]
        return 100 * (1 - counts[0] / counts[1]) if counts[1] else math.nan

    tables = [(year, measure) for _, year in data.years(3) for measure in _MEASURES[2:]]
    shares = [share for table in tables for share in data.when_available(percent_fewer, *table)]
    return [float(np.nanmean(shares))] if not np.isnan(shares).all() else []


@from_data("rankel-s3.1-figure", how="the scores of task A")
@from_data("rankel-s4.1-figures", how="the scores of task B")
def _score_layout(entry: PrintedEntry, data: DataFolder) -> Grid:
    """Count summarizers, and the median number of scores that people lack."""
    year, task = ("tac2011", "A") if entry.id == "rankel-s3.1-figure" else ("tac2010", "B")
    matrix = data.matrix(year, "responsiveness", task)
    n_missing = np.isnan(matrix.values[:, matrix.human]).sum(axis=0)
    systems, people = len(matrix.systems), int(matrix.human.sum())
    rows = {"summarizers": systems, "machines": systems - people, "people": people}
    rows |= {"columns of machines": systems - people}
    return {**rows, "missing values of each person": np.median(n_missing) if people else None}


@from_data("rankel-s4.1-kruskal", how="Kruskal-Wallis of the topics of task B")
def _kruskal_p(entry: PrintedEntry, data: DataFolder) -> Grid:
    return [kruskal_wallis(data.matrix("tac2010", "responsiveness", "B").values).p]


@from_data("rankel-s4.1-tukey", how="mean ranks of the topics of task B")
def _tukey_counts(entry: PrintedEntry, data: DataFolder) -> Grid:
    """Count the topics whose mean rank differs from that of one topic."""
    matrix = data.matrix("tac2010", "responsiveness", "B")
    topics = len(matrix.topics)
    marked_topics = [i for i, topic in enumerate(matrix.topics) if "1032" in topic]
    pairs = zip(combinations(range(topics), 2), mean_rank_tukey(matrix.values).p, strict=True)
    n_different = (
        sum(marked_topics[0] in pair and p < 0.05 for pair, p in pairs) if marked_topics else None
    )
    return [topics, n_different]


# Chapter 5


@from_data("rankel-5.1", how="the scores of topic D1113")
def _one_topic_scores(entry: PrintedEntry, data: DataFolder) -> Grid:
    """Look up the scores of six summaries of one topic."""
    grid: dict[str, dict[int, float | None]] = {name: {} for name in entry.rows}
    for column, measure in enumerate(("pyramid", "responsiveness", "linguistic", "ROUGE-2")):
        for matrix in data.matrices("tac2011", measure):
            topics = [t for t in matrix.topics if t.upper().startswith("D1113")][:1]
            scores = matrix.take(topics=topics).values
            score_by_system = dict(zip(matrix.systems, scores.T.tolist(), strict=True))
            for name in entry.rows if topics else ():
                grid[name][column] = score_by_system.get(name.split()[-1], [None])[0]
    return grid


def _complete_table(entry: str, values: Any) -> Any:
    """Return the cells of a table that was computed as a function; it must be complete."""
    document_entry = documents()[entry]
    cells = place_values(document_entry, values)
    if len(cells) < len([*document_entry.positions]):
        raise NotFoundError(f"all values of {entry}")
    return lambda row, column: float(cells[row, column])


@from_data("rankel-s5.3.1-ratios", how="the scores of topic D1113", why=ROUNDED_DOWN_REASON)
def _score_ratios(entry: PrintedEntry, data: DataFolder) -> Grid:
    cell = _complete_table("rankel-5.1", _one_topic_scores(documents()["rankel-5.1"], data))
    return shares_of_5_1(*([cell(row, column) for row in range(6)] for column in (3, 0)))


@from_data("rankel-s5.3.1-counts", how="the texts of topic D1113, task A")
def _topic_text_counts(entry: PrintedEntry, data: DataFolder) -> Grid:
    collection = data.collection("tac2011")
    for topic in (topic for topic in collection.topics if topic.id.startswith("D1113")):
        kinds = [s.kind for s in collection.summaries if (s.topic, s.task) == (topic.id, "A")]
        articles = sum(document.set in ("", "base") for document in topic.documents)
        return [n or None for n in (articles, kinds.count("human"), kinds.count("machine"))]
    raise NotFoundError("topic D1113 of tac2011 with its texts")


def _format_coefficient(value: float) -> str:
    mantissa, _, exponent = f"{value:.1e}".partition("e")
    return f"{mantissa}e{exponent[0]}{int(exponent[1:])}"


def _training_years(data: DataFolder) -> list[Collection]:
    """Return the data of 2009 and 2010; training on other data takes minutes and shows nothing."""
    if data.other:
        raise NotFoundError("two years to train on")
    return [data.collection(year) for year in YEARS[1:3]]


_CLASSY_REASON = (
    "How some features were computed had to be inferred (docs/readings.md, 31 to 34), and a "
    "regression divides a coefficient between nearly identical features."
)


@from_data("rankel-5.2", how="`classy train` on 2009 and 2010, all peers", why=_CLASSY_REASON)
@from_data("rankel-5.3", how="`classy train` on 2009 and 2010, machines", why=_CLASSY_REASON)
def _trained_weights(entry: PrintedEntry, data: DataFolder) -> Grid:
    """Train the eight models of a table on 2009 and 2010; a pair of features is one cell."""
    peers: Any = "all" if entry.id == "rankel-5.2" else "no-models"
    result = train(
        _training_years(data), peers=peers, version=tuple(_VERSIONS), features="classy-2011"
    )
    grid: dict[str, dict[str, float | str | None]] = {name: {} for name in entry.rows}
    for trained_model in result.training.models:
        model = trained_model.model
        column = f"{model.name.split('/')[-3]} {model.task}"
        weights = dict(zip(model.columns, model.coefficients, strict=True))
        for group in trained_model.groups:
            values = [weights[name] for name in group.columns if name in weights]
            text = " / ".join(map(_format_coefficient, values))
            grid[group.title][column] = values[0] if len(values) == 1 else text or None
    return grid


@from_data("rankel-s5.6-ranks", how="Pearson of means with responsiveness, task B, all peers")
def _metric_ranks(entry: PrintedEntry, data: DataFolder) -> Grid:
    """Rank the metrics in the table; CLASSY1 to CLASSY4 are known by their names."""
    collection, human = data.find_measure("tac2011", "responsiveness")
    result = meta_evaluate(
        collection, human=human, tasks="B", peers="all", levels="system", coefficients="pearson",
        test="none", n_resamples=100,
    )  # fmt: skip
    values = {name: rows[0].value for name, rows in result[0].correlations.items()}
    metrics = sorted(values, key=lambda name: -np.nan_to_num(values[name], nan=-2))
    our_ranks = [rank for rank, name in enumerate(metrics, 1) if name.lower().startswith("classy")]
    return [len(metrics), None, max(our_ranks) if len(our_ranks) == 4 else None]


# Chapter 6


def _study_assessors(
    data: DataFolder, year: str, scored_collection: Collection | None = None, **options: Any
) -> tuple[Any, list[str]]:
    """Study the assessors of a year, once for all tables, by the three measures."""
    names = [data.find_measure(year, measure)[1].partition("+")[0] for measure in _HUMAN_MEASURES]
    extended_options = options | ({"level": "interval"} if data.as_printed else {})
    key = (year, "assessors", *map(str, options.items()))
    extended_options |= {"measures": names, "n_resamples": 100}
    return data.once(
        key, lambda: assessors(scored_collection or data.collection(year), **extended_options)
    ), names


def _describe_assessors(command: str, description: str) -> Callable[[DataFolder], str]:
    return lambda data: f"`{command}{' --level interval' * data.as_printed}`, {description}"


@from_data("rankel-6.1", how=_describe_assessors("assessors", "both tasks"))
def _assessor_alphas(entry: PrintedEntry, data: DataFolder) -> Grid:
    result, names = _study_assessors(data, "tac2011")
    rows = [row for row in result.study.consistency if row.pairs and row.measure in names]
    if not rows:
        raise NotFoundError("identical summaries in the texts of tac2011, with their assessors")
    assessors_in_rows = dict.fromkeys(row.assessor for row in rows)
    return {
        person: {
            names.index(row.measure): row.alpha.value for row in rows if row.assessor == person
        }
        for person in assessors_in_rows
    }


@from_data("rankel-s6.2-identical", how="identical summaries of a topic and task")
def _identical_pairs(entry: PrintedEntry, data: DataFolder) -> Grid:
    """Count pairs of identical summaries by year and by assessor."""
    values: dict[int, float | None] = {}
    pairs_by_year: dict[str, list[int]] = {}
    for row, year in ((0, "tac2009"), (1, "tac2011")):
        for result, names in data.when_available(_study_assessors, data, year):
            values[row] = sum(map(len, result.study.panel.pairs.values())) or None
            rows = [c for c in result.study.consistency if c.assessor and c.pairs]
            pairs_by_year[year] = [c.pairs for c in rows if c.measure == names[0]]
    if all_pairs := [count for counts in pairs_by_year.values() for count in counts]:
        values |= {4: min(all_pairs), 5: max(all_pairs)}
    if pairs_2011 := pairs_by_year.get("tac2011"):
        values[6] = float(np.mean(pairs_2011))
    return values


def _assessor_impacts(data: DataFolder) -> Iterator[tuple[int, Any]]:
    """Yield the impact of leaving out assessors, with the row of Table 6.2 it belongs to."""
    scored_collection, rouge = data.find_measure("tac2011", "ROUGE-2")
    options = {"impact": True, "max_excluded": 2, "peers": "machines", "metrics": rouge}
    result, names = _study_assessors(data, "tac2011", scored_collection, **options)
    tasks = {impact.task for impact in result.impacts}
    for impact in result.impacts:
        if impact.task is None or len(tasks) == 1:
            by_alpha = impact.worst.criterion == "alpha"
            yield names.index(impact.measure) if by_alpha else 3, impact


@from_data("rankel-6.2", how=_describe_assessors("assessors --impact", "machines, both tasks"))
def _ranking_impact(entry: PrintedEntry, data: DataFolder) -> Grid:
    steps_by_row = {row: impact.steps[1:3] for row, impact in _assessor_impacts(data)}
    return {
        row: {n + 2 * c: getattr(step, name) for n, step in enumerate(two_steps)
              for c, name in enumerate(("pearson", "spearman"))}
        for row, two_steps in steps_by_row.items()
    }  # fmt: skip


@from_data("rankel-6.3", how="`assessors --impact`, Pearson of means")
@from_data("rankel-6.4", how="`assessors --impact`, Pearson of summaries, mean of assessors")
def _rouge_impact(entry: PrintedEntry, data: DataFolder) -> Grid:
    level = "pearson" if entry.id.endswith("6.3") else "summary_level"
    columns = {column: impact.steps for column, impact in _assessor_impacts(data)}
    return [
        {c: getattr(s[row].metrics[0], level) for c, s in columns.items() if row < len(s)}
        for row in range(3)
    ]


_VERSIONS = {"8": "CLASSY1_Pyr", "25": "CLASSY2_Resp", "23": "CLASSY3_Read", "6": "CLASSY4_Resp"}


@from_data(
    "rankel-6.5", how=_describe_assessors("assessors --impact --classy", "2011"), why=_CLASSY_REASON
)
def _retrained_correlations(entry: PrintedEntry, data: DataFolder) -> Grid:
    """Train on 2009 and 2010 with and without the worst assessor, and test on 2011."""
    names = [
        data.find_measure("tac2009", measure)[1].partition("+")[0] for measure in _HUMAN_MEASURES
    ]
    level_options: Any = {"level": "interval"} if data.as_printed else {}
    result = assessors(
        _training_years(data), measures=names, impact=True, max_excluded=1, n_resamples=100,
        classy=data.collection("tac2011"), versions=tuple(_VERSIONS), **level_options,
    )  # fmt: skip
    grid: dict[str, dict[int, float | None]] = {name: {} for name in entry.rows}
    for model in (value for value in result.values if hasattr(value, "version")):
        name_suffix = {None: "", "alpha": "_new", "manual-automatic": "_new (b)"}[model.criterion]
        name = _VERSIONS[model.version] + name_suffix
        name = f"{name} (a)" if name == "CLASSY1_Pyr_new" else name
        grid[name][2 * (model.peers == "all") + (model.task == "B")] = model.pearson
    return grid


# Chapter 7


@from_data(
    "rankel-7.1", how="Wilcoxon without continuity, the 30 best machines",
    why="It is not explained which machines are the best 30 if means are tied, as those of "
    "responsiveness are.",
)  # fmt: skip
def _best_pairs(entry: PrintedEntry, data: DataFolder) -> Grid:
    """Count the pairs of the 30 best machines that differ by human measures."""
    options: Any = {"test": "wilcoxon", "peers": "machines"}
    options |= {"correction": "none", "pairs": "none"}

    def count_significant(matrix: ScoreMatrix, year: str) -> int:
        tested_matrix = _require_topics(matrix, year)
        result = compare(tested_matrix, top=_MAX_SYSTEMS, exactly=data.as_printed, **options)
        return result.counts.significant_uncorrected

    columns = [(measure, task) for measure in ("pyramid", "responsiveness") for task in "AB"]
    return {
        row: {column: n for column, key in enumerate(columns)
              for matrix in data.matrices(year,
                  *key) for n in data.when_available(count_significant, matrix, year)}
        for row, year in data.years()
    }  # fmt: skip


def _join_scores(data: DataFolder, years: Sequence[str], names: Sequence[str]) -> Scores:
    """Join the scores of machines in several years, with measures by the names of the papers."""
    score_tables = []
    for year in years:
        for name, task in ((name, task) for name in names for task in "AB"):
            for matrix in data.matrices(year, name, task):
                scores = matrix.machines().to_scores()
                key_values = {"collection": year, "measure": name, "task": task}
                filled_columns = {
                    key: np.full(len(scores), value, object) for key, value in key_values.items()
                }
                score_tables.append(Scores({**scores.columns, **filled_columns}, scores.value))
    return Scores.concatenate(score_tables)


def _judge_metrics(
    data: DataFolder, scores: Scores, human: str, combine: Sequence[str] = ()
) -> Any:
    """Return verdicts about the 30 machines that are best by a human measure."""
    metrics = [name for name in scores.measures if name not in _HUMAN_MEASURES]
    if human not in scores.measures or not metrics:
        raise NotFoundError(f"machines with scores of {human} and of a metric")
    method: Any = "significance" if data.as_printed else "direction"
    return verdicts(
        scores, human=human, metrics=metrics, top=str(_MAX_SYSTEMS), exactly=data.as_printed,
        n_resamples=0, combine=[name for name in combine if name in metrics], combine_by=method,
        higher_is_better=metrics,
    )  # fmt: skip


def _ratio_or_zero(value: float) -> float:
    """Return a ratio; 0/0 is printed as 0 (reading 3)."""
    return 0.0 if math.isnan(value) else value


@from_data(
    "rankel-7.3", how="means over years and tasks, the 30 best machines",
    why="It is not stated which words and stems ROUGE counted.",
)  # fmt: skip
def _variant_agreement(entry: PrintedEntry, data: DataFolder) -> Grid:
    """Average the agreement of each variant over years and tasks."""
    names = ("accuracy", "order_accuracy", "precision", "recall", "balanced_accuracy")
    human_measures, years = ("responsiveness", "pyramid"), [year for _, year in data.years()]
    scores = data.once("7.3", lambda: _join_scores(data, years, (*human_measures, *entry.rows)))
    grid: dict[str, dict[int, float | None]] = {name: {} for name in entry.rows}
    for block, human in enumerate(human_measures):
        for rows in data.when_available(_judge_metrics, data, scores, human):
            for name in entry.rows:
                tasks = [row.agreement for row in rows if row.study and row.metrics == (name,)]
                for column, ratio in enumerate(names if tasks else ()):
                    values = [_ratio_or_zero(getattr(agreement, ratio)) for agreement in tasks]
                    grid[name][5 * block + column] = float(np.mean(values))
    return grid


@from_data("rankel-s7.3-best", how="Table 7.3, computed from the data")
def _best_of_variants(entry: PrintedEntry, data: DataFolder) -> Grid:
    return best_variants(
        _complete_table("rankel-7.3", _variant_agreement(documents()["rankel-7.3"], data))
    )


@from_data(
    "rankel-7.4", how="all pairs of three years and two tasks",
    why="BA is the mean of the two predictive values; the printed values are means of tasks.",
)  # fmt: skip
def _combination_agreement(entry: PrintedEntry, data: DataFolder) -> Grid:
    """Judge all combinations of four variants."""
    names, years = ("R1", "R2", "R4", "RBE"), [year for _, year in data.years(3)]
    scores = data.once("7.4", lambda: _join_scores(data, years, ("pyramid", *names)))
    rows = _judge_metrics(data, scores, "pyramid", names)
    return {
        "_".join(row.metrics): [
            _ratio_or_zero(getattr(row.agreement, ratio)) for ratio in RATIO_NAMES
        ]
        for row in rows
        if row.study is None
    }


@from_data("rankel-s7.4-best", how="Table 7.4, computed from the data")
def _best_combination(entry: PrintedEntry, data: DataFolder) -> Grid:
    table = documents()["rankel-7.4"]
    cells = place_values(table, _combination_agreement(table, data))
    return [100 * max(float(value) for (_, column), value in cells.items() if column == 3)]


@from_data(
    "rankel-7.5", how="435 pairs of the 30 best machines of 2011",
    why="Pyramid and responsiveness are swapped in the seven AESOP rows of the printed table. BA "
    "is the mean of the two predictive values.",
)  # fmt: skip
def _aesop_agreement(entry: PrintedEntry, data: DataFolder) -> Grid:
    """Judge runs of AESOP, which the table names, and three combinations of ROUGE."""
    variants = documents()["rankel-7.3"].rows
    variant_parts: dict[str, tuple[str, ...]] = {name: (name,) for name in entry.rows[:7]}
    variant_parts |= {
        name: tuple(name.replace("RBE", "R_BE_HM").split("-")) for name in entry.rows[7:9]
    }
    variant_parts[entry.rows[9]] = tuple(variants)
    human_measures = ("pyramid", "responsiveness")
    scores = _join_scores(data, YEARS[3:], (*human_measures, *entry.rows[:7], *variants))
    grid: dict[str, dict[int, float | None]] = {name: {} for name in entry.rows}
    for block, (human, task) in enumerate(
        (human, task) for human in human_measures for task in "AB"
    ):
        for rows in data.when_available(
            _judge_metrics, data, scores.select(task=task), human, variants
        ):
            by_parts = {frozenset(row.metrics): row.agreement for row in rows}
            for name, parts in variant_parts.items():
                key = frozenset(part.replace("_", "-") for part in parts)
                for column, ratio in enumerate(RATIO_NAMES if key in by_parts else ()):
                    grid[name][4 * block + column] = _ratio_or_zero(getattr(by_parts[key], ratio))
    return grid
