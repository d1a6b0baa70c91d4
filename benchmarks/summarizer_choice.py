"""Which method ``auto`` takes for which input: the comparisons that decided it.

``make bench AREA=summarizer-choice`` prints what ``docs/summarizer_choice.txt`` holds. Recall of
ROUGE-2 and SU4 (stemmed) at equal length, summaries cut off at the same number of words; p of a
paired permutation test against the first line. Variants for several documents were compared on two
thirds of the topics; the chosen one was tried on the other third, once, and then all topics were
looked at; so were updates. The other comparisons keep nothing for the end.
"""

import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path

from pyramidion.collection import ScoreMatrix
from pyramidion.summarizers import Fit
from pyramidion.summarizers._hmm import train_hmms
from summarizer_quality import MEASURES, against, ours, score_cases
from summarizer_sets import ASKED, SEVERAL, SINGLE, UPDATES, Case, background_without, cases

System = Callable[[Case], Sequence[str]]

CHOSEN = "coverage(position=2.0,search=auto)"
VARIANTS = (
    "coverage",
    "coverage(position=2.0)",
    "coverage(search=exchange)",
    "coverage(position=1.0,search=exchange)",
    "coverage(position=2.0,search=exchange)",
    CHOSEN,
    "coverage(position=4.0,search=exchange)",
    "coverage(position=2.0,search=exchange,n=1)",
    "coverage(position=2.0,search=exchange,min_documents=1)",
    "coverage(position=2.0,search=exchange,min_documents=3)",
    "occams",
    "occams(position=2.0)",
    "submodular",
    "dpp",
    "lexrank",
    "hmm-qr",
    "first",
    "sum-avr",
)
ALONE = ("lead", "hmm-qr", CHOSEN, "lexrank", "mmr", "centroid", "sum-avr", "random")
QUESTIONS = ("hmm-qr", "hmm-qr(query=0.0)", "lexrank", "mmr", CHOSEN, "sum-avr", "lead")
#: Methods that use a question.
ASKING = ("hmm-qr", "lexrank", "mmr", CHOSEN, "sum-avr")
#: What is compared on all topics in the end.
FINAL = (
    CHOSEN,
    *VARIANTS[:3],
    "occams",
    "occams(position=2.0)",
    "submodular",
    "lexrank",
    "sum-avr",
)
FOLDS = 5
ALPHA = 0.05


def table(title: str, sets: dict[str, dict[str, ScoreMatrix]], systems: Sequence[str]) -> None:
    """Print means and p-values, a column a set, and the mean over sets."""
    sets = {name: scores for name, scores in sets.items() if scores}
    if not sets:
        return
    print(f"\n{title}")
    for measure in MEASURES[1:]:
        compared = {name: against(scores[measure], systems[0]) for name, scores in sets.items()}
        heads = "".join(f"{name[:16]:>18}" for name in compared)
        print(f"\n{measure:56}{heads}{'mean':>9}")
        for system in systems:
            cells = [set_results[system] for set_results in compared.values()]
            shown = "".join(f"{mean:>10.4f} {_p(p, system == systems[0])}" for mean, p in cells)
            print(f"{system:56}{shown}{sum(mean for mean, _ in cells) / len(cells):>9.4f}")


def _p(p: float, first: bool) -> str:
    return "       " if first else f"p {p:.3f}"


def several() -> None:
    """Choose the weights of concepts and how extracts are searched for."""
    read = {name: cases("several", name, words) for name, words in SEVERAL.items()}
    parts: tuple[tuple[str, tuple[bool, ...], tuple[str, ...]], ...] = (
        ("the topics that decide", (False,), VARIANTS),
        ("the topics that were kept for the end", (True,), ("coverage", CHOSEN)),
        ("all topics", (False, True), FINAL),
    )
    for title, parts_kept, systems in parts:
        sets, numbers = {}, []
        for name, all_cases in read.items():
            part_cases = [case for case in all_cases if case.held_out in parts_kept]
            sets[name] = (
                score_cases(part_cases, {system: ours(system) for system in systems})
                if part_cases
                else {}
            )
            numbers.append(f"{name} {len(part_cases)}")
        table(f"Several documents, {title} ({', '.join(numbers)})", sets, systems)


def single() -> None:
    """Compare the beginning with other methods where there is one document."""
    sets = {}
    for name, words in SINGLE.items():
        set_cases = cases("single", name, words)
        systems: dict[str, System] = {system: ours(system) for system in ALONE}
        if name == "gum" and set_cases:
            systems["hmm-qr"] = _left_out(set_cases)
        sets[name] = score_cases(set_cases, systems) if set_cases else {}
    table(
        "One document (gum: articles and other texts of some 900 words; squality: stories; qmsum: "
        "meetings)\nOn gum hmm-qr is trained on the other four fifths of its texts.",
        sets,
        ALONE,
    )


def _left_out(all_cases: Sequence[Case]) -> System:
    """Summarize each text by models that were trained without it and its fold."""
    folder = Path(tempfile.mkdtemp())
    folds = {case.id: index % FOLDS for index, case in enumerate(all_cases)}
    for fold in range(FOLDS):
        other_sources = [case.source for case in all_cases if folds[case.id] != fold]
        train_hmms(other_sources, background=background_without).save(folder / f"{fold}.json")
    methods = {fold: ours(f"hmm-qr(model={folder / str(fold)}.json)") for fold in range(FOLDS)}
    return lambda case: methods[folds[case.id]](case)


def with_questions() -> None:
    """Compare methods where one document is asked about."""
    sets = {}
    for name, words in ASKED.items():
        set_cases = cases("asked", name, words)
        sets[name] = (
            score_cases(set_cases, {system: ours(system) for system in QUESTIONS})
            if set_cases
            else {}
        )
    table("A question about one document", sets, QUESTIONS)
    print("\nWhat a question adds (ROUGE-2 with it, without it, p of a paired permutation test)")
    for name, words in ASKED.items():
        set_cases = cases("asked", name, words)
        for system in ASKING if set_cases else ():
            summarize = ours(system)
            pair = {"with": summarize, "without": partial(_unasked, summarize)}
            compared = against(score_cases(set_cases, pair)[MEASURES[1]], "without")
            (asked, p), (plain, _) = compared["with"], compared["without"]
            print(f"{name:12}{system:42}{asked:.4f} {plain:.4f} p {p:.3f}")


def _unasked(summarize: System, case: Case) -> Sequence[str]:
    return summarize(replace(case, source=replace(case.source, question="")))


def updates() -> None:
    """Compare what knows the earlier steps with what does not, and with the first sentences."""
    read = {name: cases("updates", name, words) for name, words in UPDATES.items()}
    print(
        "\nUpdates (timelines of news events: two people's texts about a step, a third's is the "
        "reference, each in turn;\nearlier steps are known; with background: the texts begin with "
        "what they recall of earlier steps; steps are drawn whole)"
    )
    whole = {name: _updated(set_cases, "fill") for name, set_cases in read.items()}
    cut = {name: _updated(set_cases, "truncate") for name, set_cases in read.items()}
    parts = {"that decide": (False,), "that were kept for the end": (True,), "": (False, True)}
    for title, parts_kept in parts.items():
        part_scores = {name: _part(cut[name], read[name], parts_kept) for name in cut}
        _table_of_updates(f"steps {title}" if title else "all steps", part_scores)
    _table_of_updates("all steps, whole sentences only", whole)


UNKNOWING = f"{CHOSEN}, nothing known"


def _updated(all_cases: Sequence[Case], fit: Fit) -> dict[str, ScoreMatrix]:
    with_history = ours(CHOSEN, fit)
    systems: dict[str, System] = {
        CHOSEN: with_history,
        UNKNOWING: partial(_unknowing, with_history),
    }
    systems |= {name: ours(name, fit) for name in ("first", "lead", "sum-avr")}
    return score_cases(all_cases, systems) if all_cases else {}


def _part(
    scores: dict[str, ScoreMatrix], all_cases: Sequence[Case], parts_kept: Sequence[bool]
) -> dict[str, ScoreMatrix]:
    case_ids = {case.id for case in all_cases if case.held_out in parts_kept}
    return {
        name: matrix.take(topics=[t for t in matrix.topics if t in case_ids])
        for name, matrix in scores.items()
    }


def _table_of_updates(title: str, sets: dict[str, dict[str, ScoreMatrix]]) -> None:
    """Print a table, and whether what is known does any harm."""
    steps = ", ".join(
        f"{name} {len({*scores[MEASURES[1]].clusters})}" for name, scores in sets.items() if scores
    )
    table(f"Updates, {title} ({steps})", sets, (CHOSEN, UNKNOWING, "first", "lead", "sum-avr"))
    present = [name for name, scores in sets.items() if scores]
    for name, measure in product(present, MEASURES[1:]):
        compared = against(sets[name][measure], CHOSEN)
        mine, _ = compared[CHOSEN]
        for other, short in ((UNKNOWING, "nothing known"), ("first", "first")):
            mean, p = compared[other]
            below = "MISSED" if p < ALPHA else "below, not significantly"
            verdict = "at or above" if mine >= mean else below
            print(f"{measure} {name}: {mine:.4f}, {short} {mean:.4f} (p {p:.3f}): {verdict}")


def _unknowing(summarize: System, case: Case) -> Sequence[str]:
    """Summarize a case for a reader who knows nothing."""
    return summarize(case.unknowing)


def main() -> None:
    """Print all comparisons, or those that are named."""
    parts = {"several": several, "single": single, "asked": with_questions, "updates": updates}
    for name in sys.argv[1:] or parts:
        parts[name]()


if __name__ == "__main__":
    main()
