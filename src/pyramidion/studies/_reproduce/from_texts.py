"""Nenkova's entries: computed from texts, pyramids and scores of DUC by studies."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from pyramidion.collection import Collection, Scores
from pyramidion.collection.ids import grouped
from pyramidion.collection.measures import QUALITY_QUESTIONS
from pyramidion.collection.sources import read_source
from pyramidion.comparison.common import rows_of
from pyramidion.errors import NotFoundError
from pyramidion.pyramid import GroupAgreement, agreement
from pyramidion.studies._composite import composite
from pyramidion.studies._composition import composition
from pyramidion.studies._content_units import content_units
from pyramidion.studies._importance import importance
from pyramidion.studies._likelihood import likelihood
from pyramidion.studies._quality import QualityCategories, quality
from pyramidion.studies._references.view import references
from pyramidion.studies._reproduce.data_folder import DataFolder
from pyramidion.studies._reproduce.from_documents import correlations_of_3_5, first_set_counts
from pyramidion.studies._reproduce.printed import (
    FROM_DATA,
    ComputationRule,
    Grid,
    PrintedEntry,
    documents,
    place_values,
)
from pyramidion.studies._stability.study import PooledStability, stability
from pyramidion.studies._status import status
from pyramidion.studies._systems import systems
from pyramidion.studies._utility import SentenceMarks, utility
from pyramidion.studies._vocabulary import vocabulary
from pyramidion.studies._words import FrequentShares, frequent_words, word_classes


def _first_or_missing(items: Iterable[Any], message: str) -> Any:
    """Return the first item; raise an error that says what is missing if there is none."""
    for item in items:
        return item
    raise NotFoundError(message)


# Chapter 2


def _mean_coverage(entry: PrintedEntry, data: DataFolder) -> Grid:
    """Average the coverage of each summarizer; tasks are lengths, others are single documents."""
    collection, measure = data.find_measure("duc2002", "coverage")
    scores = collection.scores.select(measure=measure)
    has_several_columns = len(entry.columns) > 2
    digits = [re.sub(r"\D", "", task) for task in scores.columns["task"]]
    lengths = digits if has_several_columns else [text.strip("0125") for text in digits]
    grid: dict[str, dict[int, float | None]] = {name: {} for name in entry.rows}
    for column, length in enumerate(("50", "100", "200") if has_several_columns else ("",)):
        length_scores = scores.rows(np.array(lengths) == length)
        for name in entry.rows:
            if n_scores := len(values := length_scores.select(system=name).value):
                grid[name] |= {column: float(np.mean(values)), len(entry.columns) - 1: n_scores}
    return grid


def _largest_effect_p(entry: PrintedEntry, data: DataFolder) -> Grid:
    anova = data.ask(systems, "duc2002", measures="coverage", n_resamples=1000)[0].anova
    return [max(anova.first.p, anova.second.p)]


def _categories_by_question(data: DataFolder, kind: str) -> dict[int, Any]:
    """Return the shares of marks of each question on quality, of people or machines."""
    question_numbers = {name: n for n, name in enumerate(QUALITY_QUESTIONS)}
    question_numbers |= {f"{prefix}{n + 1}": n for prefix in ("q", "lingqual") for n in range(5)}
    categories = data.ask(quality, "duc2005").of_type(QualityCategories)
    rows = [row for row in categories if row.kind == kind]
    return {
        question_numbers[row.measure.lower()]: row
        for row in rows
        if row.measure.lower() in question_numbers
    }


def _shares_of_marks(entry: PrintedEntry, data: DataFolder) -> Grid:
    kind = "machine" if entry.id.endswith("3") else "human"
    return {
        question_number: row.fractions
        for question_number, row in _categories_by_question(data, kind).items()
    }


def _below_good(entry: PrintedEntry, data: DataFolder) -> Grid:
    machines, people = (_categories_by_question(data, kind) for kind in ("machine", "human"))
    counts = {n: rows[0].summaries for n, rows in enumerate((machines, people)) if 0 in rows}
    good_shares = {2: 100 * min(1 - row.below_good for row in people.values())} if people else {}
    percent_below = {1 + q: 100 * machines[q].below_good for q in (2, 3, 4) if q in machines}
    return {**counts, **good_shares, **percent_below}


def _vocabulary_sizes(data: DataFolder, name: str) -> list[list[int]]:
    study = data.ask(vocabulary, name, **({} if data.other else {"texts": 7}))[0]
    sizes: list[list[int]] = study.groups[0].classes.sizes.tolist()
    return sizes


def _class_sizes(entry: PrintedEntry, data: DataFolder) -> Grid:
    sizes = _vocabulary_sizes(data, "duc2005" if entry.id.endswith("5") else "translations")
    return [{f"C{texts}": size for texts, size in enumerate(row, 1)} for row in sizes]


def _first_set_counts(entry: PrintedEntry, data: DataFolder) -> Grid:
    sizes = _vocabulary_sizes(data, "duc2005")[0]
    return first_set_counts(sizes) if len(sizes) == 7 else []


def _mark_shares(entry: PrintedEntry, data: DataFolder) -> Grid:
    (marks,) = data.ask(utility, "relative-utility").of_type(SentenceMarks)
    shares = (100 * marks.shares).tolist()
    return [shares[::-1]] if entry.id.endswith("7") else [sum(shares[5:9]), sum(shares[9:])]


# Chapter 3


def _pooled_stability(data: DataFolder) -> PooledStability:
    return data.ask(stability, "duc2003", which="references").together


def _diverging_pairs(entry: PrintedEntry, data: DataFolder) -> Grid:
    growth_results = _pooled_stability(data)
    sizes = [len(topic.study.scores.names) for topic in growth_results.topics]
    divergence_orders = [pair.order for pair in growth_results.diverging if pair.order is not None]
    n_diverging, pairs = len(growth_results.diverging), sum(n * (n - 1) // 2 for n in sizes)
    return [
        n_diverging,
        pairs,
        n_diverging,
        np.mean(divergence_orders) if divergence_orders else None,
    ]


def _mean_weights(entry: PrintedEntry, data: DataFolder) -> Grid:
    def mean_weight(name: str, references: int) -> float | None:
        for class_row in data.ask(importance, name):
            if (class_row.references, class_row.classes.granularity) == (
                references,
                "content units",
            ):
                weights = np.arange(1, len(class_row.classes.sizes) + 1)
                return float(class_row.classes.sizes @ weights / class_row.classes.sizes.sum())
        return None

    sources = (("duc2003", 4), ("duc2005", 7))
    return {
        row: m
        for row, source in enumerate(sources)
        for m in data.when_available(mean_weight, *source)
    }


def _annotation_design(entry: PrintedEntry, data: DataFolder) -> Grid:
    collection = data.collection("duc2005")
    peers, annotators = ({key[n] for key in collection.peer_annotations} for n in (2, 3))
    if not peers:
        raise NotFoundError("annotated peers of duc2005")
    machines = sum(name.isdecimal() for name in peers)
    # One of the numbered peers is a baseline.
    return [len(peers), len(collection.pyramids), machines - 1, len(annotators - {""}) or None]


def _agreement_by_group(data: DataFolder, level: str) -> dict[str, Any]:
    groups = data.ask(agreement, "duc2005").of_type(GroupAgreement)
    return {group.name: group.agreement for group in groups if group.level == level}


def _annotator_agreement(entry: PrintedEntry, data: DataFolder) -> Grid:
    grid: dict[str, list[float]] = {}
    for topic, group_agreement in _agreement_by_group(data, "topic").items():
        digits = re.sub(r"\D", "", topic.partition(",")[0])
        units = [
            group_agreement.units.pi,
            group_agreement.shared_units.pi,
            group_agreement.units.percent,
            group_agreement.shared_units.percent,
        ]
        scores = [
            group_agreement.original.difference,
            group_agreement.original.p_t,
            group_agreement.modified.difference,
            group_agreement.modified.p_t,
        ]
        # The rows of Table 3.3 are called set 324 and so on.
        grid |= {f"set {digits}": units} if entry.id.endswith("3.3") else {digits: scores}
    return grid


def _pooled_agreement(entry: PrintedEntry, data: DataFolder) -> Grid:
    pairs = _first_or_missing(
        _agreement_by_group(data, "all").values(), "peers that two people annotated"
    )
    if entry.id.endswith("kappa"):
        return [
            pairs.units.pi,
            pairs.units.percent,
            pairs.shared_units.pi,
            pairs.shared_units.percent,
        ]
    return [pairs.peers, pairs.original.absolute, pairs.modified.absolute]


def _differences_of_set_324(entry: PrintedEntry, data: DataFolder) -> Grid:
    sets = _agreement_by_group(data, "topic").items()
    set_agreement = _first_or_missing(
        (result for name, result in sets if "324" in name), "set 324, annotated twice"
    )
    return [abs(set_agreement.modified.difference), abs(set_agreement.original.difference)]


_MEASURES_2005 = (
    ("pyramid-original", "pyramid"), ("pyramid-modified",), ("responsiveness-1",),
    ("responsiveness-2",), ("rouge-2-r", "rouge-2-r(stem)"), ("rouge-su4-r", "rouge-su4-r(stem)"),
)  # fmt: skip


def _split_by_judge(collection: Collection) -> Collection:
    """Split responsiveness by the first and second judge of each topic, in order of their names."""
    scores = collection.scores
    names = [m for m in ("content-responsiveness", "responsiveness") if m in scores.measures]
    if not names or "responsiveness-1" in scores.measures:
        return collection
    responsiveness = scores.select(measure=names[0])
    assessor_topics = list(rows_of(responsiveness, "topic", "assessor"))
    judges: dict[str, list[str]] = grouped(sorted(set(assessor_topics)))
    measure_names = [
        f"responsiveness-{judges[topic].index(judge) + 1}" for topic, judge in assessor_topics
    ]
    split_scores = Scores(
        {**responsiveness.columns, "measure": measure_names}, responsiveness.value
    )
    return replace(collection, scores=Scores.concatenate([scores, split_scores]))


def _measure_correlations(entry: PrintedEntry, data: DataFolder) -> Grid:
    """Correlate six measures over the means of machines, above the diagonal."""
    collection = data.collection("duc2005")
    for metric in ("ROUGE-2", "ROUGE-SU4"):
        for scored_collection, name in data.when_available(data.find_measure, "duc2005", metric):
            if name not in collection.scores.measures:
                score_tables = [collection.scores, scored_collection.scores.select(measure=name)]
                collection = replace(collection, scores=Scores.concatenate(score_tables))
    collection = _split_by_judge(collection)
    available_measures = collection.scores.measures
    names = [
        next((n for n in alternatives if n in available_measures), "")
        for alternatives in _MEASURES_2005
    ]
    if sum(map(bool, names)) < 2:
        raise NotFoundError("two of the measures of Table 3.5 in duc2005")
    result = composite(collection, measures=[*filter(None, names)], correlations=True)[0]
    # Without people, there is one table of all systems.
    values = sorted(result.correlations, key=lambda c: c.peers != "machines")[0].values
    index_by_name = {name: index for index, name in enumerate(result.measures)}
    return [
        {j - 1: values[index_by_name[names[i]], index_by_name[names[j]]] for j in range(i + 1, 6)
         if names[i] in index_by_name and names[j] in index_by_name}
        for i in range(5)
    ]  # fmt: skip


def _extreme_correlations(entry: PrintedEntry, data: DataFolder) -> Grid:
    table = documents()["nenkova-3.5"]
    cells = place_values(table, _measure_correlations(table, data))
    if len(cells) < 15:
        raise NotFoundError("all measures of Table 3.5 in duc2005")
    return correlations_of_3_5(lambda row, column: float(cells[row, column]))


# Chapter 4


def _frequent_word_shares(entry: PrintedEntry, data: DataFolder) -> Grid:
    rows = data.ask(frequent_words, "duc2003", top=(5, 8, 12)).of_type(FrequentShares)
    machines = [row for row in rows if row.kind != "human"]
    frequent_rows = [row for row in rows if row.summarizer == "people together"]
    frequent_rows += sorted(machines, key=lambda row: -sum(row.shares))[:1]
    return [[100 * share for share in row.shares] for row in frequent_rows]


def _word_class_sizes(entry: PrintedEntry, data: DataFolder) -> Grid:
    classes = data.ask(word_classes, "duc2003")[0]
    sizes_and_frequencies = zip(classes.mean_sizes, classes.mean_frequencies, strict=True)
    return {f"C{class_index}": pair for class_index, pair in enumerate(sizes_and_frequencies)}


def _machine_word_shares(entry: PrintedEntry, data: DataFolder) -> Grid:
    machines = data.ask(word_classes, "duc2003")[0].machines
    ranked_machines = sorted(machines, key=lambda machine: -machine.shares[-1])
    best_row = _first_or_missing(ranked_machines, "summaries by machines in duc2003")
    shares = [100 * best_row.shares[-1], 100 * best_row.shares[-2]]
    return [best_row.unshared] if entry.id.endswith("unmatched") else shares


def _mean_likelihoods(entry: PrintedEntry, data: DataFolder) -> Grid:
    rows, grid = list(data.ask(likelihood, "duc2003")), dict[str, float]()
    for kind, name in (("human", "Human"), ("machine", "System")):
        means = sorted((row.mean for row in rows if row.kind == kind), reverse=True)
        grid |= {f"{name}{number}": mean for number, mean in enumerate(means, 1)}
    return grid


_METHODS = {
    "SUM_Prod": "sum-prod", "SUM_Avr": "sum-avr", "SUM_AvrNoAdjust": "sum-avr(context=off)",
    "SUM_Sum": "sum-sum",
}  # fmt: skip
_ROUGE_MEASURES, _PYRAMID_MEASURES = (
    ("rouge-1-r", "rouge-2-r", "rouge-su4-r"),
    ("original", "modified", "repeated"),
)


def _composed_scores(entry: PrintedEntry, data: DataFolder) -> Grid:
    """Show the thesis's methods, which leave no sentence out, and machines."""
    scores = {(row.summarizer, row.measure): row for row in data.ask(composition, "duc2004")}

    def row_of(name: str) -> list[float | None]:
        machine_name = "2" if name == "Baseline" else name.rpartition(" ")[2]
        system_name = f"{_METHODS[name]}, all sentences" if name in _METHODS else machine_name
        rows = {measure: row for (name, measure), row in scores.items() if name == system_name}
        if entry.id == "nenkova-4.7" or entry.id.endswith("adjustment"):
            return [
                rows[measure].mean if measure in rows else None for measure in _PYRAMID_MEASURES
            ]
        if entry.id == "nenkova-4.6":
            rouge = [rows[measure] for measure in _ROUGE_MEASURES if measure in rows]
            return [None, *(number for row in rouge for number in (row.mean, row.low, row.high))]
        sentences = rows.get("sentences")
        return [sentences.mean * sentences.topics, sentences.mean] if sentences else [None]

    if entry.id.endswith("adjustment"):
        composed_rows = [row_of("SUM_Avr"), row_of("SUM_AvrNoAdjust")]
        return [row[column] for column in (0, 2) for row in composed_rows]
    return {name: row_of(name) for name in entry.rows}


def _mse_scores(entry: PrintedEntry, data: DataFolder) -> Grid:
    grid: dict[str, dict[int, float | None]] = {name: {} for name in entry.rows}
    for column, measure in enumerate(("pyramid", "ROUGE-2", "ROUGE-SU4", "pyramid-repetitions")):
        for collection, full_name in data.when_available(data.find_measure, "mse2005", measure):
            scores = collection.scores.select(measure=full_name, kind="machine")
            for name in entry.rows:
                if len(values := scores.select(system=name).value):
                    grid[name][column] = float(np.mean(values))
    return grid


def _unit_statistics(entry: PrintedEntry, data: DataFolder) -> Grid:
    """Compare how often the input and how many people express content units."""
    study = data.ask(content_units, "evans-mckeown-2005")[0]
    if entry.id.endswith("frequent"):
        return [*(100 * share for share in study.shares), study.topics]
    if entry.id.endswith("correlation"):
        sizes = {2 + row.references: row.size for row in study.classes if row.references <= 4}
        return {0: study.correlation.value, 1: study.correlation.p, **sizes}
    pair = _first_or_missing(
        study.pyramids, "annotated summaries of machines, and annotated documents"
    )
    correlation_values = (n for r in (pair.pearson, pair.spearman) for n in (r.value, r.p))
    return [*correlation_values, pair.summaries]


# Chapter 5


def _study_people(data: DataFolder, *names: str, texts: str = "documents") -> Any:
    def study_once() -> Any:
        sources = [data.collection(name) for name in names[: 1 if data.other else None]]
        options: Any = {"n_resamples": 100, "texts": texts}
        return references(read_source(sources), **options).study

    return data.once(("references", names, texts), study_once)


_FIGURE_FEATURES = ("modification", "name form", "postmodification", "premodifiers")


def _chain_probabilities(entry: PrintedEntry, data: DataFolder) -> Grid:
    chains = {f.chain.feature: f.chain for f in _study_people(data, "duc2001-2003").features}
    chain = chains[_FIGURE_FEATURES[int(entry.id[-1]) - 4]]
    return [chain.initial, *chain.transitions]


def _stratified_probabilities(entry: PrintedEntry, data: DataFolder) -> Grid:
    study = _study_people(data, "duc2001-2003")
    models = {f.chain.feature: f.stratified.probabilities for f in study.features}
    probabilities_before = study.premodification.stratified.probabilities
    return [*models["modification"].T, *probabilities_before.T, *models["name form"].T]


def _corpus_counts(entry: PrintedEntry, data: DataFolder) -> Grid:
    study = _study_people(data, "duc2001-2003")
    if entry.id.endswith("both"):
        return [study.features[0].chain.initial[0], study.both.chain.initial[0]]
    return [study.rates[0].of, study.people, len(study.chains)]


def _reference_rates(entry: PrintedEntry, data: DataFolder) -> Grid:
    clauses, reference_length = (
        "sentences per apposition or relative clause",
        "words of a first reference",
    )
    sources = ("duc2003", "duc2004")
    document_rates, summary_rates = (
        {rate.rate: rate.value for rate in _study_people(data, *sources, texts=texts).rates}
        for texts in ("documents", "summaries")
    )
    name_rates = summary_rates["names and pronouns per 100 words"]
    return [
        name_rates,
        document_rates[clauses],
        summary_rates[clauses],
        document_rates[reference_length],
        summary_rates[reference_length],
    ]


def _premodifier_shares(entry: PrintedEntry, data: DataFolder) -> Grid:
    study = _study_people(data, "duc2001-2004", texts="summaries")
    return [rate.value for rate in study.rates if rate.rate.startswith("before first names")]


def _findings(data: DataFolder) -> tuple[Any, Any, Any]:
    """Return what was found about people, and the answers of both classifiers trained here."""
    status_study = data.ask(status, "duc2001-2004")[0]
    judged_by_question = {
        d.question: d.judged for d in status_study.decisions if d.how == "trained here"
    }
    if not {"major", "hearer_old"} <= judged_by_question.keys():
        raise NotFoundError("people to train classifiers of status on")
    return status_study, judged_by_question["major"], judged_by_question["hearer_old"]


def _precision_and_recall(entry: PrintedEntry, data: DataFolder) -> Grid:
    """Compute precision, recall and F of both answers to both questions."""
    _, major_result, old_result = _findings(data)
    grid = []
    for question_result, answers in ((old_result, (False, True)), (major_result, (True, False))):
        for answer in answers:
            n_right = question_result.hits if answer else question_result.rejections
            error_counts = (question_result.false_alarms, question_result.misses)[
                :: 1 if answer else -1
            ]
            p, r = (n_right / max(n_right + n_wrong, 1) for n_wrong in error_counts)
            grid.append([p, r, 2 * p * r / (p + r) if n_right else 0.0])
    return grid


def _label_counts(entry: PrintedEntry, data: DataFolder) -> Grid:
    status_study, major_result, old_result = _findings(data)
    n_major, n_familiar = (
        major_result.hits + major_result.misses,
        old_result.hits + old_result.misses,
    )
    topics = len({example.topic for example in status_study.examples})
    counts = [
        topics,
        n_familiar,
        old_result.number - n_familiar,
        old_result.number,
        n_major,
        major_result.number - n_major,
    ]
    return [*counts, major_result.number / topics]


def _noun_rates(entry: PrintedEntry, data: DataFolder) -> Grid:
    rates = _findings(data)[0].nouns
    complete_rates = [rates] if len(rates) == 4 else []
    called_by_nouns, by_others, minor_rate, never_minor = _first_or_missing(
        complete_rates, "people in summaries"
    )
    n_unnamed = called_by_nouns.number - by_others.number
    shares = [called_by_nouns.number, called_by_nouns.value, minor_rate.value, by_others.number]
    return [*shares, None, n_unnamed, never_minor.number, never_minor.value]


def _major_people(entry: PrintedEntry, data: DataFolder) -> Grid:
    status_study, major_result, _ = _findings(data)
    rows = {row.named: row for row in status_study.agreement if row.summaries == 4}
    recalls = [rows[n].recall if n in rows else None for n in (4, 1)]
    examples = sum(row.examples for row in rows.values()) or None
    return [
        100 * major_result.majority,
        major_result.hits,
        major_result.hits + major_result.misses,
        examples,
        *recalls,
    ]


def _postmodification_counts(entry: PrintedEntry, data: DataFolder) -> Grid:
    decisions = (d for d in _findings(data)[0].decisions if d.question == "postmodified")
    judged_rule = _first_or_missing(decisions, "people that the input describes").judged
    n_positive, n_people = judged_rule.hits + judged_rule.misses, judged_rule.number
    accuracies = {6: 100 * judged_rule.accuracy, 7: 100 * judged_rule.majority}
    return {1: n_people, 2: n_positive, 3: n_people - n_positive, **accuracies}


def _affiliation_accuracies(data: DataFolder) -> list[float | None]:
    judged_by_rule = {row.rule: row.judged for row in _findings(data)[0].affiliation}
    rule_results = [judged_by_rule.get(rule) for rule in ("never", "status", "salience", 1, 2)]
    return [row.accuracy if row and row.number else None for row in rule_results]


def _best_affiliation_rule(entry: PrintedEntry, data: DataFolder) -> Grid:
    return [100 * max(filter(None, _affiliation_accuracies(data)[3:]), default=np.nan)]


_CUT_REASON = "Printed values are truncated after four decimals."
_WORDS_REASON = "The choice of words and the stemmer are ours."
_SENTENCES_REASON = "The sentence splitter, stop words and stemmer are ours."
_UNITS_REASON = "The thesis's summaries were annotated by hand; units are found here by similarity."
_PARSER_REASON = "The parser and the rules for who is the same person are ours."
_MODEL_REASON = "People are labeled automatically, and the features are computed by our own code."
#: The values of each entry, how they are computed, and why print may differ.
_RULES: dict[tuple[str, ...], tuple[Callable[[PrintedEntry, DataFolder], Grid], str, str]] = {
    ("2.1", "2.2"): (_mean_coverage,
        "mean coverage; the tasks 50, 100 and 200 are named after the lengths of their summaries",
        ""),
    ("s2.2.2-simulation",): (_largest_effect_p, "`study systems`, the larger p of both effects",
        ""),
    ("2.3", "2.4"): (_shares_of_marks, "`study quality`", _CUT_REASON),
    ("s2.3-quality",): (_below_good, "`study quality`", ""),
    ("2.5", "2.6"): (_class_sizes, "`study vocabulary --texts 7`", _WORDS_REASON),
    ("s2.4-set1",): (_first_set_counts, "`study vocabulary --texts 7`, first set", _WORDS_REASON),
    ("2.7", "s2.4-sentences"): (_mark_shares, "`study utility`, rounded means of judges", ""),
    ("3.1",): (lambda p, d: [[e.p1, e.p2, e.p3, e.p, e.points]
                             for e in _pooled_stability(d).errors],
               "`pyramid stability`", "9450 data points are printed as 9550."),
    ("3.2",): (lambda p, d: [[order.mean, order.count]
                             for order in _pooled_stability(d).correlations],
               "`pyramid stability`, half of the summaries ranked by the others",
               "Our value is the mean over many ways to choose the half; the thesis uses one way "
               "per set."),
    ("s3.1.1-pairs",): (_diverging_pairs, "`pyramid stability`, differences above 0.1", ""),
    ("s3.3.1-weights",): (_mean_weights, "`pyramid importance`", ""),
    ("s3.3-design",): (_annotation_design, "annotated peers", ""),
    ("3.3", "3.4"): (_annotator_agreement, "`pyramid agreement`: Scott's pi, paired t", ""),
    ("s3.3.2-kappa", "s3.3.2-difference"): (_pooled_agreement, "`pyramid agreement`, all sets", ""),
    ("s3.3.2-set324",): (_differences_of_set_324, "`pyramid agreement`", ""),
    ("3.5",): (_measure_correlations, "`composite --correlations`, means of machines", ""),
    ("s3.3.2-correlations",): (_extreme_correlations, "Table 3.5, computed from the data", ""),
    ("4.1", "4.4"): (_frequent_word_shares, "`study frequent-words`, the machine with the most",
        _WORDS_REASON),
    ("4.2",): (_word_class_sizes, "`study word-classes`", _WORDS_REASON),
    ("s4.1.1-unmatched", "s4.1.1-models"): (_machine_word_shares, "`study word-classes`",
        _WORDS_REASON),
    ("4.3",): (_mean_likelihoods, "`study likelihood`, the most likely first", _WORDS_REASON),
    ("4.5", "4.6"): (_composed_scores, "`study composition`, all sentences", _SENTENCES_REASON),
    ("4.7", "s4.2.1-adjustment"): (_composed_scores, "`study composition`, all sentences",
        _UNITS_REASON),
    ("4.8",): (_mse_scores, "mean scores of machines", ""),
    ("s4.1.2-frequent", "s4.1.2-correlation", "s6.2-input"): (
        _unit_statistics, "`study content-units`", ""),
    ("f5.4", "f5.5", "f5.6", "f5.7"): (_chain_probabilities, "`study references`", _PARSER_REASON),
    ("f5.8",): (_stratified_probabilities, "`study references`, mentions by their number",
        _PARSER_REASON),
    ("s5.1.1-corpus", "s5.1.2-both"): (_corpus_counts, "`study references`", _PARSER_REASON),
    ("s5-references",): (_reference_rates, "`study references` of documents and summaries",
        _PARSER_REASON),
    ("s5.2.7-premodifiers",): (_premodifier_shares, "`study references --of summaries`",
        _PARSER_REASON),
    ("5.2",): (lambda p, d: [[counts.accuracy for counts in _findings(d)[1:]],
                             [counts.majority for counts in _findings(d)[1:]]],
               "`study status`, 20 folds", _MODEL_REASON),
    ("5.3",): (_precision_and_recall, "`study status`, 20 folds", _MODEL_REASON),
    ("5.4",): (lambda p, d: {f"{row.named} out of {row.summaries}": [
        row.examples, row.recalled, 100 * row.recall] for row in _findings(d)[0].agreement},
        "`study status`, the shipped model", _MODEL_REASON),
    ("5.5",): (lambda p, d: _affiliation_accuracies(d), "`study status`", _MODEL_REASON),
    ("s6-rule",): (_best_affiliation_rule, "`study status`, the better rule", _MODEL_REASON),
    ("s5.2.2-people",): (lambda p, d: [100 * (_findings(d)[1].hits + _findings(d)[1].misses)
                                       / _findings(d)[1].number], "`study status`", _MODEL_REASON),
    ("s5.2.3-labels",): (_label_counts, "`study status`", _MODEL_REASON),
    ("s5.2.5-familiar",): (lambda p, d: [100 * _findings(d)[2].majority, 100 * (
        _findings(d)[2].accuracy - _findings(d)[2].majority)], "`study status`",
            _MODEL_REASON),
    ("s5.2.5-nouns",): (_noun_rates, "`study status`, people called by a noun", _MODEL_REASON),
    ("s5.2.5-major",): (_major_people, "`study status`", _MODEL_REASON),
    ("s5.2.5-postmodification",): (_postmodification_counts, "`study status`, the rule",
        _MODEL_REASON),
}  # fmt: skip
FROM_DATA.update({
    f"nenkova-{name}": ComputationRule(*rule) for names, rule in _RULES.items() for name in names
})  # fmt: skip
