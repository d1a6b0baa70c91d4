"""The scenes of the core's commands, from writing summaries to checking those who judge them.

Conclusions are computed from the answers, as any program can: from what JSON has.
"""

from collections.abc import Callable
from statistics import fmean
from typing import Any

from pyramidion.demo._scene import Scene, excerpt
from pyramidion.rendering import Table
from pyramidion.rendering.labels import counted, format_p

Records = list[dict[str, Any]]

#: The scenes, in the order of the story.
SCENES: list[Scene] = []


def _scene(
    heading: str,
    question: str,
    command: str,
    table: int | str | Callable[[Records], Table],
    *columns: str,
    rows: int = 6,
) -> Callable[[Callable[[Records], str]], Callable[[Records], str]]:
    """Return a decorator that makes a scene of a function that returns its conclusion.

    The scene shows columns of a table, which is given by number or name or made from the records.
    """

    def show(result: Any) -> Table:
        if callable(table):
            return table(result.to_dict()["results"])
        names = [result_table.name for result_table in result.tables]
        number = table if isinstance(table, int) else names.index(table)
        return excerpt(result.tables[number], columns, rows)

    def add(conclude: Callable[[Records], str]) -> Callable[[Records], str]:
        def from_result(result: Any) -> str:
            return conclude(result.to_dict()["results"])

        SCENES.append(Scene(heading, question, command, show, from_result))
        return conclude

    return add


def _first_sentence(text: str) -> str:
    return f"{text.partition('. ')[0].removesuffix('.')}."


def _list_names(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def _second_and_third(record: dict[str, Any]) -> tuple[str, str, dict[str, Any]]:
    """Return the systems at ranks 2 and 3, and how they compare."""
    _, second, third = (system["system"] for system in record["systems"][:3])
    pair = next(c for c in record["comparisons"] if {c["a"], c["b"]} == {second, third})
    return second, third, pair


@_scene(
    "Write summaries", "A ferry burned. What do four articles say, in 60 words?",
    "summarize collection --topic P01 --task A --words 60",
    0, "document", "text",
)  # fmt: skip
def _conclude_summarize(records: Records) -> str:
    [summary] = records
    documents = {sentence["document"] for sentence in summary["sentences"]}
    sentences = counted(len(summary["sentences"]), "sentence")
    return (
        f"{sentences} from {counted(len(documents), 'article')} say it in {summary['words']} "
        f"words; the method is {summary['method'].partition('(')[0]}."
    )


@_scene(
    "Data", "Twelve systems wrote such summaries, and assessors judged them. What is there?",
    "describe evaluation",
    1, "task", "topics", "documents", "people", "machines", "peers", "pyramids",
)  # fmt: skip
def _conclude_describe(records: Records) -> str:
    [content] = records
    task = content["tasks"][0]
    return (
        f"{task['machines']} machines and {task['people']} people summarized {content['topics']} "
        f"topics for {counted(len(content['tasks']), 'task')}: {content['summaries']} summaries, "
        f"{content['scores']:,} judgments."
    )


@_scene(
    "Data", "Is anything wrong with what they handed in?",
    "check evaluation",
    1, "finding", "where", "fix",
)  # fmt: skip
def _conclude_check(records: Records) -> str:
    if not records:
        return "Nothing is doubtful."
    return " ".join(
        f"{finding['subject'].partition(' ')[2]}: {finding['message'].partition(';')[0]}."
        for finding in records
    )


@_scene(
    "Score summaries",
    "How much do the summaries share with those by people, and with their input?",
    "score evaluation -m rouge-2-r,js-input --task A",
    0, "system", "kind", "rouge-2-r", "js-input ↓",
)  # fmt: skip
def _conclude_score(records: Records) -> str:
    best_systems = {}
    for measure in dict.fromkeys(record["measure"] for record in records):
        rows = [r for r in records if (r["measure"], r["kind"]) == (measure, "machine")]
        ranked_rows = sorted(rows, key=lambda row: row["mean"], reverse=rows[0]["higher_is_better"])
        best_systems[measure] = ranked_rows[0]["system"]
    doubt = ": which metric is right?" if len({*best_systems.values()}) > 1 else "."
    by_metric = _list_names([f"{system} by {measure}" for measure, system in best_systems.items()])
    return f"The best machine is {by_metric}{doubt}"


@_scene(
    "Score summaries", "Which content did they choose? Annotators marked it.",
    "pyramid score evaluation --task A --no-references",
    1, "system", "n", "modified", "precision", "recall", "SCUs",
)  # fmt: skip
def _conclude_pyramid_score(records: Records) -> str:
    means = {
        system: fmean(record["modified"] for record in records if record["system"] == system)
        for system in dict.fromkeys(record["system"] for record in records)
    }
    first, second, *_ = sorted(means, key=means.__getitem__, reverse=True)
    return (
        f"{first}'s summaries score {means[first]:.2f}, where 1 is as good as an ideal summary of "
        f"average length; {second}, the next, scores {means[second]:.2f}."
    )


@_scene(
    "Score summaries", "What is missing from the summary that was cut off?",
    "pyramid missed evaluation --task A --topic P01 --system Iris",
    0, "weight", "label", rows=4,
)  # fmt: skip
def _conclude_missed(records: Records) -> str:
    [summary] = records
    return (
        f"{summary['system']} missed {len(summary['missed'])} of the {summary['heavy']} most "
        f"important facts, among them: {summary['missed'][0]['label']}."
    )


@_scene(
    "Compare systems", "Which system is best? Three people judged 40 topics in two years.",
    "compare years.csv -m responsiveness --peers machines",
    1, "rank", "system", "mean ↑", "low", "high", "group",
)  # fmt: skip
def _conclude_compare(records: Records) -> str:
    [record] = records
    second, third, pair = _second_and_third(record)
    verdict = "differ" if pair["p_adjusted"] <= record["alpha"] else "are undecided"
    return (
        f"{_first_sentence(record['conclusion'])} {second} and {third}, the next two, {verdict} "
        f"({abs(pair['difference']):.2f} apart, p = {format_p(pair['p_adjusted'])})."
    )


@_scene(
    "Compare systems", "And if people only say which of two summaries they prefer?",
    "preferences evaluation",
    0, "rank", "system", "win rate", "win low", "win high", "group",
)  # fmt: skip
def _conclude_preferences(records: Records) -> str:
    [record] = records
    leaning_records = [
        f"{judge['assessor']} prefers what is shown first ({judge['first_share']:.0%})"
        for judge in record["assessors"]
        if judge["first_low"] > 0.5
    ]
    return " ".join(
        [_first_sentence(record["conclusion"]), *(f"{text}." for text in leaning_records)]
    )


@_scene(
    "Compare systems", "And if they check, fact by fact on six topics, whether a summary "
    "contains it?",
    "checklists answers.csv",
    0, "rank", "system", "score", "low", "high", "group",
)  # fmt: skip
def _conclude_checklists(records: Records) -> str:
    [record] = records
    share = record["agreement"]["share"]
    return (
        f"{_first_sentence(record['conclusion'])} Two people give the same answer in {share:.0%} "
        "of cases."
    )


@_scene(
    "Compare systems", "How many topics does an evaluation need?",
    "power years.csv -m responsiveness --difference 0.3",
    1, "judges per summary", "topics needed", "cost",
)  # fmt: skip
def _conclude_power(records: Records) -> str:
    [plan] = records
    pilot = max(pair["n"] for pair in plan["comparisons"])
    return (
        f"To find differences of {plan['difference']:g} between {plan['systems']} systems, people "
        f"must judge {plan['needed']:.0f} topics; this evaluation had {pilot}."
    )


@_scene(
    "Compare systems", "A language model judged 80 more topics. Does it help?",
    "compare years.csv --human responsiveness --judge minerva --peers machines",
    3, "system", "people", "both", "worth topics", "judge alone", "bias",
)  # fmt: skip
def _conclude_judge(records: Records) -> str:
    [record] = records
    judge_records = record["judge"]
    bias, effective_topics = (
        fmean(row[name] for row in judge_records) for name in ("bias", "effective")
    )
    coverage = fmean(row["coverage"] for row in judge_records)
    return (
        f"The judge alone is {bias:+.1f} off, and its intervals would be right in {coverage:.0%} "
        f"of cases. Corrected by people, its scores make {judge_records[0]['topics']} topics worth "
        f"{effective_topics:.0f}. {_first_sentence(record['conclusion'])}"
    )


def _metrics_by_year(records: Records) -> Table:
    """Show Kendall's tau of each metric in each year, the best on average first."""
    values: dict[str, dict[str, float]] = {}
    for record in records:
        [value] = (
            c["value"] for c in record["correlations"]
            if (c["level"], c["coefficient"], c["peers"]) == ("system", "kendall", "machines")
        )  # fmt: skip
        values.setdefault(record["metric"], {})[record["collection"]] = value
    years = sorted({record["collection"] for record in records})
    rows: list[Any] = [
        (metric, *(taus[year] for year in years), fmean(taus.values()))
        for metric, taus in values.items()
    ]
    rows.sort(key=lambda row: row[-1], reverse=True)
    return Table(("metric", *(f"Kendall {year}" for year in years), "mean"), tuple(rows), digits=3)


@_scene(
    "Check metrics", "Which ranks the machines as people do: a metric or the language model?",
    "meta years.csv --human responsiveness --peers machines",
    _metrics_by_year,
)  # fmt: skip
def _conclude_meta(records: Records) -> str:
    year_rows: Any = _metrics_by_year(records).rows
    (best_metric, *_, high), (worst_metric, *_, low) = year_rows[0], year_rows[-1]
    return (
        f"On average over the years, {best_metric} ranks machines most like people (Kendall's tau "
        f"{high:.2f}), {worst_metric} least ({low:.2f})."
    )


@_scene(
    "Check metrics", "Do metrics find the same significant differences as people?",
    "verdicts years.csv --human responsiveness --resamples 100",
    7, "metric", "pairs", "accuracy", "precision", "recall", "tp", "fp", "fn",
)  # fmt: skip
def _conclude_verdicts(records: Records) -> str:
    pooled_records = [record for record in records if record["pooled"]]
    best_record = max(pooled_records, key=lambda record: record["agreement"]["accuracy"])
    cells = best_record["agreement"]
    return (
        f"{best_record['metric']} comes closest: of the {cells['tp'] + cells['fn']} pairs of "
        f"machines that differ significantly according to people, it finds {cells['tp']}; it also "
        f"finds {counted(cells['fp'], 'other')}."
    )


@_scene(
    "Check metrics", "Can a metric compare machines with people?",
    "gap years.csv --human responsiveness -m rouge-2-r --resamples 200",
    0, "metric", "gap", "low", "high", "r of machines",
)  # fmt: skip
def _conclude_gap(records: Records) -> str:
    gaps = _list_names([f"{record['gap']:.1f} in {record['collection']}" for record in records])
    metric = records[0]["metric"]
    is_clear = all(record["low"] > 0 for record in records)
    verdict = f"{metric} underrates people" if is_clear else f"{metric} may underrate people"
    return f"People score higher than machines with the same {metric}, by {gaps}: {verdict}."


@_scene(
    "Check judges", "Two systems submitted the same summaries. Who noticed?",
    "assessors evaluation -m responsiveness --task A --resamples 200",
    "consistency", "assessor", "pairs", "alpha", "|difference|", "equal",
)  # fmt: skip
def _conclude_assessors(records: Records) -> str:
    people = [record for record in records if record.get("assessor") and record["pairs"]]
    person = min(people, key=lambda record: record["alpha"])
    least_alpha = min(record["alpha"] for record in people if record is not person)
    severe_person = min(people, key=lambda record: record["severity"])
    return (
        f"Doubt {person['assessor']}, who scores the same summary "
        f"{person['mean_difference']:.1f} points apart (alpha {person['alpha']:.2f}, "
        f"everybody else at least {least_alpha:.2f}). "
        f"{severe_person['assessor']} is the most severe ({severe_person['severity']:+.1f})."
    )


@_scene(
    "Check judges", "What is the language model good for, as a judge?",
    "assessors years.csv -m responsiveness --resamples 200",
    "thresholds", "use", "answer", "figures", rows=5,
)  # fmt: skip
def _conclude_judge_use(records: Records) -> str:
    judge_records = [record for record in records if "uses" in record]
    answers: dict[str, set[str]] = {}
    for use in (use for record in judge_records for use in record["uses"]):
        answers.setdefault(use["use"], set()).add(use["answer"])
    allowed_uses = [use for use, words in answers.items() if words == {"yes"}]
    refused_uses = [use for use, words in answers.items() if "no" in words]
    return (
        f"{judge_records[0]['judge']} may be used for {_list_names(allowed_uses) or 'nothing'}, "
        f"but "
        f"not for {_list_names(refused_uses)}."
    )


@_scene(
    "Check judges", "What changes without the doubtful assessor? And are two systems equivalent?",
    "compare years.csv -m responsiveness --peers machines --exclude Quinn --margin 0.6",
    1, "rank", "system", "mean ↑", "low", "high", "group", rows=4,
)  # fmt: skip
def _conclude_compare_again(records: Records) -> str:
    [record] = records
    second, third, pair = _second_and_third(record)
    return (
        f"Now {record['significant']} of {record['pairs']} pairs differ significantly, and "
        f"{second} and {third} are {pair['verdict']}, with a margin of {record['margin']:g}."
    )
