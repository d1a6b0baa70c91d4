"""What a change of the summarizers does to ROUGE: ``make bench AREA=summarizer-changes``.

``--save FILE`` stores the summaries that ``auto`` makes of the open sets. After a change,
``--before FILE`` compares them with new ones: ROUGE-2 recall (stemmed), and p of a paired
permutation test over topics. A third of the topics is compared only with ``--kept``, at the end.
Summaries are cut off at equal length; ``--fit fill`` compares whole sentences, as users get them.
"""

import argparse
import json
import time
from functools import partial
from pathlib import Path

from pyramidion.summarizers import Limit, parse_summarizer
from summarizer_quality import MEASURES, against, score_cases
from summarizer_sets import ASKED, SEVERAL, SINGLE, UPDATES, Case, cases

KINDS = {"several": SEVERAL, "single": SINGLE, "asked": ASKED, "updates": UPDATES}
Summaries = dict[str, list[str]]


def summarized(set_cases: list[Case], fit: str) -> Summaries:
    """Summarize the cases of a set."""
    method = parse_summarizer("auto")
    return {
        case.id: [s.text for s in method.summarize(case.source, Limit(case.words, fit)).sentences]
        for case in set_cases
    }


def main() -> None:
    """Store summaries, or compare them with stored ones."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--save", type=Path, help="store the summaries in this file")
    parser.add_argument("--before", type=Path, help="compare with the summaries in this file")
    parser.add_argument("--fit", default="truncate", choices=("truncate", "fill"))
    parser.add_argument("--kept", action="store_true", help="the topics kept for the end")
    arguments = parser.parse_args()
    before = json.loads(arguments.before.read_text()) if arguments.before else {}
    stored: dict[str, Summaries] = {}
    for kind, sets in KINDS.items():
        for name, words in sets.items():
            read, start = cases(kind, name, words), time.process_time()
            label = f"{kind} {name} {arguments.fit}"
            if arguments.save:
                stored[label] = summarized(read, arguments.fit)
            seconds = time.process_time() - start
            part = [case for case in read if case.held_out == arguments.kept]
            if part and label in before:
                _compare(label, part, before[label], summarized(part, arguments.fit))
            elif arguments.save:
                print(f"{label}: {len(read)} summaries, {seconds:.1f} s of CPU")
    if arguments.save:
        arguments.save.write_text(json.dumps(stored))


def _compare(label: str, part: list[Case], before: Summaries, after: Summaries) -> None:
    systems = {"after": partial(_stored, after), "before": partial(_stored, before)}
    compared = against(score_cases(part, systems)[MEASURES[1]], "before")
    (new, p), (old, _) = compared["after"], compared["before"]
    same = sum(before[case.id] == after[case.id] for case in part)
    print(f"{label:42}{len(part):5} topics, {same:4} same: {old:.4f} -> {new:.4f} p {p:.3f}")


def _stored(summaries: Summaries, case: Case) -> list[str]:
    return summaries[case.id]


if __name__ == "__main__":
    main()
