"""CPU seconds for 10,000 peer annotations, as large as those of DUC 2005.

Run with Python. Pyramids have 7 references and 156 content units with weights that fall as they
did there; a peer expresses some 10 of them and has 8 units of its own. All is made up, and the
same at each run. Reading annotated peers from files and writing scores is timed as well.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from pyramidion.collection import SCU, Collection, Contributor, Part, PeerAnnotation, Pyramid
from pyramidion.collection.formats import read_collection
from pyramidion.collection.formats.scores import write_scores
from pyramidion.pyramid import score
from pyramidion.pyramid.cases import gather_cases
from pyramidion.pyramid.content_units import score_peer

TOPICS, PEERS = 20, 500
REFERENCES, UNITS, WORDS = 7, 156, 250
FILES = 200


def made_up_pyramid(rng: np.random.Generator) -> Pyramid:
    references = {
        f"D0{number}.M.250.A.{chr(65 + number)}": " ".join(
            f"word{n}" for n in rng.integers(2000, size=WORDS)
        )
        for number in range(REFERENCES)
    }
    names = list(references)
    units = []
    for number in range(UNITS):
        weight = 1 + min(REFERENCES - 1, int(rng.geometric(0.5)) - 1)
        owners = rng.choice(REFERENCES, weight, replace=False)
        quotations = {
            names[owner]: [references[names[owner]].split()[int(rng.integers(WORDS))]]
            for owner in sorted(owners.tolist())
        }
        units.append((f"content unit {number}", quotations))
    return Pyramid.from_references(references, units)


def made_up_peer(pyramid: Pyramid, rng: np.random.Generator) -> PeerAnnotation:
    words = [f"word{n}" for n in rng.integers(2000, size=WORDS)]
    text = " ".join(words)
    contributor = Contributor((Part(0, len(words[0]), words[0]),))
    hits = set(rng.choice(UNITS, 10, replace=False).tolist())
    weights = pyramid.weights.tolist()
    expressed = [
        SCU(scu.uid, f"({weights[row]}) {scu.label}", (contributor,) * (row in hits))
        for row, scu in enumerate(pyramid.scus)
    ]
    non_matching = SCU("0", "All non-matching SCUs go here", (contributor,) * 8)
    return PeerAnnotation(pyramid, text, (*expressed, non_matching))


def made_up_collection() -> Collection:
    rng = np.random.default_rng(0)
    pyramids = {("", f"D{number}"): made_up_pyramid(rng) for number in range(TOPICS)}
    peers = {
        (*address, str(number)): made_up_peer(pyramid, rng)
        for address, pyramid in pyramids.items()
        for number in range(1, PEERS + 1)
    }
    return Collection("made up", pyramids=pyramids, peer_annotations=peers)


def cpu_seconds(work: Callable[[], Any], *, repeats: int = 3) -> float:
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def fresh(collection: Collection) -> Collection:
    """Copy the pyramids, so that nothing they have cached helps."""
    pyramids = {key: Pyramid(p.text, p.scus) for key, p in collection.pyramids.items()}
    peers = {
        key: PeerAnnotation(pyramids[key[:2]], peer.text, peer.scus)
        for key, peer in collection.peer_annotations.items()
    }
    return Collection("made up", pyramids=pyramids, peer_annotations=peers)


def main() -> int:
    collection = made_up_collection()
    size = len(collection.peer_annotations)
    table = Table(title=f"{size:,} peer annotations, {UNITS} content units each; CPU seconds")
    for column in ("work", "seconds", "for"):
        table.add_column(column, justify="left" if column == "work" else "right")

    def scored() -> None:
        copy = fresh(collection)
        for case in gather_cases(copy, references=False).cases:
            case.scores()

    copying = cpu_seconds(lambda: fresh(collection))
    table.add_row("score all peers", f"{cpu_seconds(scored) - copying:.2f}", f"{size:,}")
    peers = list(collection.peer_annotations.values())
    one_by_one = cpu_seconds(lambda: [score_peer(peer) for peer in peers])
    table.add_row("the same, `score_peer` one by one", f"{one_by_one:.2f}", f"{size:,}")
    with tempfile.TemporaryDirectory() as folder:
        some = dict(list(collection.peer_annotations.items())[:FILES])
        few = Collection("few", pyramids=dict(collection.pyramids), peer_annotations=some)
        few.save(Path(folder) / "few")
        reading = cpu_seconds(lambda: read_collection(Path(folder) / "few"), repeats=1)
        table.add_row("read .pan files", f"{reading:.2f}", f"{FILES:,}")
        whole = cpu_seconds(
            lambda: write_scores(
                score(Path(folder) / "few").to_scores(), Path(folder) / "scores.csv"
            ),
            repeats=1,
        )
        table.add_row("`pyramid score -o`: read, check, score, write", f"{whole:.2f}", f"{FILES:,}")
    Console().print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
