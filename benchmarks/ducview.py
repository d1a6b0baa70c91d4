"""A tree of DUCView files as large as NIST's releases of DUC 2006 and 2007, read and written.

Run by ``make bench AREA=formats``. 73 pyramids and 1,481 annotated peers are made of the demo's
content, three of its topics to a pyramid (references of 300 words, 90 units), with the line ends,
ends and wrong offsets that real files have. Reading them must take at most 6 seconds of CPU time,
and every file must come back byte for byte.
"""

import gc
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from collection.formats.nist_release import as_found, peer_of, quoted_units, write
from pyramidion.collection import Collection, Pyramid
from pyramidion.collection.formats import read_collection
from pyramidion.collection.formats.ducview.files import peer_annotation_bytes, pyramid_bytes
from pyramidion.demo import load_demo

PYRAMIDS, PEERS = 73, 1_481
MOST_SECONDS = 6.0


def large(demo: Collection, docset: str, first: int) -> Pyramid:
    """Put three of the demo's pyramids into one."""
    texts: dict[str, list[str]] = {}
    units: list[tuple[str, dict[str, list[str]]]] = []
    for number in range(3):
        pyramid = demo.pyramids["AB"[number % 2], f"P0{(first + number) % 6 + 1}"]
        names = {text.name: f"{docset}.M.250.A.{text.name[-1]}" for text in pyramid.references}
        for text in pyramid.references:
            texts.setdefault(names[text.name], []).append(
                pyramid.text[text.start : text.end].strip()
            )
        units += quoted_units(pyramid, names)
    return Pyramid.from_references({name: "\n".join(lines) for name, lines in texts.items()}, units)


def files(demo: Collection) -> Iterator[tuple[str, bytes]]:
    """Return the names and bytes of all files."""
    number = 0
    for topic in range(PYRAMIDS):
        docset = f"D06{topic + 1:02}"
        pyramid = large(demo, docset, topic)
        yield f"allpyramids/{docset}.pyr", as_found(pyramid_bytes(pyramid), topic)
        for system in range(topic, PEERS, PYRAMIDS):
            peer = peer_of(pyramid, number % 4)
            # One file in forty has offsets that do not fit.
            if number % 40 == 3:
                peer = replace(peer, text=f" {peer.text}")
            data = as_found(peer_annotation_bytes(peer), number)
            yield f"allpans/1{topic:02}.{docset}.M.250.A.{system // PYRAMIDS + 1}.pan", data
            number += 1


def main() -> int:
    """Time reading and writing, and compare every file."""
    with tempfile.TemporaryDirectory() as parent:
        root, target = Path(parent, "release"), Path(parent, "written")
        written = Counter[bytes]()
        for name, data in files(load_demo()):
            write(root, name, data)
            written[data] += 1
        gc.collect()
        start = time.process_time()
        collection = read_collection(root)
        seconds = time.process_time() - start
        start = time.process_time()
        collection.save(target, format="ducview")
        saving = time.process_time() - start
        back = Counter(file.read_bytes() for file in target.iterdir())
    total, size = written.total(), sum(len(data) * n for data, n in written.items()) / 2**20
    same = (written & back).total()
    print(f"{total:,} files, {size:.0f} MB; {len(collection.repaired):,} notes on repairs")
    fast, exact = seconds <= MOST_SECONDS, same == total == back.total()
    verdict = "passed" if fast else "MISSED"
    print(f"reading: {seconds:.2f} s of CPU time; bar {MOST_SECONDS:.0f} s: {verdict}")
    verdict = "passed" if exact else "MISSED"
    print(f"writing: {saving:.2f} s; {same:,} of {total:,} files identical: {verdict}")
    return 0 if fast and exact else 1


if __name__ == "__main__":
    sys.exit(main())
