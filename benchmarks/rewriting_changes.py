"""Count what rewriting of references to people changes in summaries of real articles.

``python benchmarks/rewriting_changes.py ../shared/data`` rewrites summaries of every topic of
several articles in ``ecbplus_clusters``, ``wikinews_clusters`` and ``ecbplus_topics``, by several
methods and lengths, and prints how many changes there are of each kind. Every third topic was kept
apart while the rules were made, and is counted apart. ``--kind people-as-printed`` follows the
rules of the thesis instead. ``--read FILE`` writes every change with its sentence, to be read;
verdicts are in ``tests/rewriting/reviewed/real.jsonl``, without the text.
"""

import argparse
import gzip
import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pyramidion.collection import Document
from pyramidion.rewriting import RewriteOptions, SummaryRewriter
from pyramidion.summarizers import Limit, Replacement, Source, parse_summarizer

SETS = ("ecbplus_clusters", "wikinews_clusters", "ecbplus_topics")
#: Methods, each with the words of its summaries.
RUNS = (
    ("coverage", 100),
    ("sum-avr", 100),
    ("lexrank", 150),
    ("lead", 100),
    ("first", 250),
    ("random(seed=1)", 200),
    ("random(seed=2)", 200),
)
#: One topic in this many was held out while rules were written.
KEPT_APART = 3
REVIEWED = Path(__file__).resolve().parents[1] / "tests" / "rewriting" / "reviewed" / "real.jsonl"


@dataclass(frozen=True)
class RealChange:
    """A change of a sentence of a real article."""

    data: str
    topic: str
    apart: bool
    text: str
    change: Replacement

    @property
    def key(self) -> str:
        """What distinguishes changes, without the text around them."""
        parts = (self.topic, self.text, str(self.change.start), self.change.after)
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def topics(folder: Path, data: str) -> dict[str, list[Document]]:
    """Read the topics of several articles."""
    with gzip.open(folder / f"{data}.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return {
        row["topic"]: [Document(str(at), text) for at, text in enumerate(row["documents"])]
        for row in rows
        if len(row["documents"]) > 1
    }


def changes(
    folder: Path, *, kind: str = "people", runs: tuple[tuple[str, int], ...] = RUNS
) -> Iterator[RealChange]:
    """Return every change, each once."""
    seen: set[str] = set()
    held_out: set[str] = set()
    for data in SETS:
        sources = topics(folder, data)
        held_out |= set(sorted(sources)[KEPT_APART - 1 :: KEPT_APART]) if data != SETS[2] else set()
        for topic, documents in sources.items():
            rewriter = SummaryRewriter(
                Source.of_documents(documents), RewriteOptions.of({"rewrite": (kind,)})
            )
            for method, words in runs:
                extract = rewriter.summarize(parse_summarizer(method), Limit(words))
                for sentence in extract.sentences:
                    for change in sentence.replacements:
                        text = sentence.before or sentence.text
                        real = RealChange(data, topic, topic in held_out, text, change)
                        if real.key not in seen:
                            seen.add(real.key)
                            yield real


def verdicts() -> dict[str, str]:
    """Read what somebody who read changes said of each: good, neutral, bad or false."""
    lines = REVIEWED.read_text(encoding="utf-8").splitlines() if REVIEWED.exists() else []
    return {record["key"]: record["verdict"] for record in map(json.loads, lines)}


def main() -> None:
    """Print counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--read", type=Path)
    parser.add_argument("--kind", default="people", choices=("people", "people-as-printed"))
    arguments = parser.parse_args()
    all_changes = list(changes(arguments.folder, kind=arguments.kind))
    verdict_of = verdicts()
    if arguments.read:
        lines = (
            json.dumps(
                {
                    "key": change.key,
                    "data": change.data,
                    "topic": change.topic,
                    "apart": change.apart,
                    "sentence": change.text,
                    "start": change.change.start,
                    "before": change.change.before,
                    "after": change.change.after,
                    "reason": change.change.reason,
                    "verdict": verdict_of.get(change.key, ""),
                },
                ensure_ascii=False,
            )
            for change in all_changes
        )
        arguments.read.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    for apart in (False, True):
        part = [change for change in all_changes if change.apart == apart]
        print(f"topics {'kept apart' if apart else 'that rules were made on'}: {len(part)} changes")
        for reason, number in Counter(change.change.reason for change in part).most_common():
            print(f"  {number:4} {reason}")
        for verdict, number in Counter(
            verdict_of.get(change.key, "unread") for change in part
        ).most_common():
            print(f"  {number:4} {verdict}")


if __name__ == "__main__":
    main()
