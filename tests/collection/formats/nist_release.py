"""NIST's pyramid releases of DUC 2006 and 2007 in miniature: their layout, the demo's content."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from pyramidion.collection import SCU, Contributor, Document, Part, PeerAnnotation, Pyramid
from pyramidion.collection.formats import write_peer_annotation, write_pyramid
from pyramidion.collection.pyramids import NOT_IN_PYRAMID
from pyramidion.demo import load_demo

MAIN_WRITERS, UPDATE_WRITERS = "AGHI", "ACDJ"
QUALITY = "4\t5\t3\t2\t1"

Texts = dict[str, str]


def write(root: Path, name: str, content: str | bytes) -> None:
    file = root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content.encode() if isinstance(content, str) else content)


def as_found(data: bytes, number: int) -> bytes:
    """Return a file the line ends and the end that so many real ones have."""
    data = data.replace(b"\n", b"\r\n") if number % 4 == 1 else data
    return data.rstrip(b"\r\n") if number % 7 == 2 else data


def renamed(pyramid: Pyramid, docset: str, words: int, writers: str) -> Pyramid:
    """Return a pyramid of the demo to other writers of another topic."""
    names = {
        reference.name: f"{docset}.M.{words}.A.{letter}"
        for reference, letter in zip(pyramid.references, writers, strict=True)
    }
    texts = {
        names[reference.name]: pyramid.text[reference.start : reference.end].strip()
        for reference in pyramid.references
    }
    return Pyramid.from_references(texts, list(quoted_units(pyramid, names)))


def quoted_units(
    pyramid: Pyramid, names: Mapping[str, str]
) -> Iterator[tuple[str, dict[str, list[str]]]]:
    """Return the label of each unit, and its words by the new names of the references."""
    for scu in pyramid.scus:
        quoted: dict[str, list[str]] = {}
        for contributor in scu.contributors:
            name = names[pyramid.reference_of(contributor) or ""]
            quoted.setdefault(name, []).extend(part.label for part in contributor.parts)
        yield scu.label, quoted


def twice_by_one(pyramid: Pyramid) -> Pyramid:
    """Let one reference contribute twice to the first unit, as in D0701: it weighs one more."""
    first, *rest = pyramid.scus
    again = replace(first, contributors=(*first.contributors, first.contributors[-1]))
    return replace(pyramid, scus=(again, *rest))


def peer_of(pyramid: Pyramid, writer: int) -> PeerAnnotation:
    """Annotate a peer that says what one of the references says, and one thing more."""
    reference = pyramid.references[writer]
    text = pyramid.text[reference.start : reference.end].strip()
    shift = pyramid.text.index(text, reference.start)
    entries = []
    for scu in pyramid.scus:
        contributors = tuple(
            Contributor(tuple(Part(p.start - shift, p.end - shift, p.label) for p in c.parts))
            for c in scu.contributors
            if pyramid.reference_of(c) == reference.name
        )
        entries.append(SCU(scu.uid, f"({len(scu.contributors)}) {scu.label}", contributors))
    outside = Contributor((Part(0, 3, text[:3]),))
    entries.append(SCU(NOT_IN_PYRAMID, "All non-matching SCUs go here", (outside,)))
    return PeerAnnotation(pyramid, text, tuple(entries))


def official(peer: PeerAnnotation) -> str:
    """Score a peer as NIST did: score, units, repetitions, with four decimals and tabs."""
    weights = {scu.uid: len(scu.contributors) for scu in peer.pyramid.scus}
    expressed = [scu for scu in peer.scus if scu.contributors and scu.uid != NOT_IN_PYRAMID]
    mean = sum(weights.values()) / len(peer.pyramid.references)
    expected = math.floor(mean + 0.5)
    most = sum(sorted(weights.values(), reverse=True)[:expected])
    score = sum(weights[scu.uid] for scu in expressed) / most
    outside = sum(len(s.contributors) for s in peer.scus if s.uid == NOT_IN_PYRAMID)
    repeated = sum(len(scu.contributors) - 1 for scu in expressed)
    return f"{score:.4f}\t{len(expressed) + outside}\t{repeated}"


def marked(topic: str, pyramid: Pyramid, documents: Iterable[Document]) -> str:
    """Mark the first sentence of each document with the first units, as Ottawa did."""
    units = "".join(
        f'<scu uid="{scu.uid}" label="{scu.label}" weight="{len(scu.contributors)}"/>'
        for scu in pyramid.scus[:2]
    )
    lines = "".join(
        f'<document name="{document.id}"><line>Fire &amp; smoke: {document.id}.'
        f'<annotation scu-count="2" sum-count="2" sums="1,2">{units}</annotation></line>'
        "<line>Nobody used this.</line></document>"
        for document in documents
    )
    return f'<collection name="{topic}">{lines}</collection>'


class Release:
    """The trees that were written, and what they say."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.demo = load_demo()
        self.files: dict[str, bytes] = {}
        self.scores: dict[tuple[str, str, str, str], float] = {}
        self._write_2006()
        self._write_main()
        self._write_update()

    def annotated(self, name: str, annotation: Pyramid | PeerAnnotation) -> None:
        """Write a DUCView file as one finds them."""
        with TemporaryDirectory() as folder:
            path = Path(folder, "annotation")
            if isinstance(annotation, PeerAnnotation):
                write_peer_annotation(annotation, path)
            else:
                write_pyramid(annotation, path)
            self.files[name] = as_found(path.read_bytes(), len(self.files))
        write(self.root, name, self.files[name])

    def pyramid(self, topic: int, task: str = "A") -> Pyramid:
        return self.demo.pyramids[task, f"P0{topic}"]

    def documents(self, topic: int) -> tuple[Document, ...]:
        return self.demo.topic(f"P0{topic}").documents

    def _row(self, docset: str, system: str, peer: PeerAnnotation, rest: str) -> str:
        topic, _, task = docset.partition("-")
        scored = official(peer)
        annotator = rest.split("\t", maxsplit=1)[0] if rest.count("\t") != 5 else ""
        self.scores[task, topic, str(int(system)), annotator] = float(scored.split("\t")[0])
        return f"{docset}\t{int(system)}\t{scored}\t{rest}\n"

    def _write_2006(self) -> None:
        home = "DUC2006/DUC2006pyramiddata"
        rows = content = quality = creators = ""
        for number, (topic, groups, systems) in enumerate(
            (
                ("D0601", ["100"], "12"),
                ("D0631", ["114", "115"], "12"),
                ("D0647", ["101"], ["01", "02"]),
            ),
            start=1,
        ):
            pyramid = renamed(self.pyramid(number), topic, 250, "ABCD")
            self.annotated(f"{home}/allpyramids/{topic}.pyr", pyramid)
            creators += f"{topic}\t{groups[0]}\n"
            for index, group in enumerate(groups):
                for system in systems:
                    peer = peer_of(pyramid, (int(system) + index) % 4)
                    self.annotated(f"{home}/allpans/{group}.{topic}.M.250.A.{system}.pan", peer)
                    rest = f"{group}\t{groups[0]}\t{QUALITY}\t3\t"
                    rows += self._row(topic, system, peer, rest)
                    if not index:
                        text = peer.text
                        write(self.root, f"DUC2006/ROUGE/peers/{topic}.M.250.A.{int(system)}", text)
                        content += f"{topic}\tA\tB\t{int(system)}\t3\n"
                        quality += "".join(
                            f"{topic}\tA\tB\t{int(system)}\t{n}\t{mark}\n"
                            for n, mark in enumerate(QUALITY.split("\t"), start=1)
                        )
            for reference in pyramid.references:
                text = pyramid.text[reference.start : reference.end].strip()
                write(self.root, f"DUC2006/ROUGE/models/{reference.name}", text)
                write(self.root, f"DUC2006/ROUGE/peers/{reference.name}", text)
        scoring = f"{home}/scoring"
        write(self.root, f"{scoring}/2006_modified_scores.txt", rows)
        write(self.root, f"{scoring}/2006-header.txt", "set, peer, modified score, SCUs, ...\n")
        head = "Topic|Selector|Assessor|Summarizer|"
        write(self.root, f"{scoring}/2006_content.table", f"{head}Score\n|  |  |  |\n{content}")
        write(
            self.root,
            f"{scoring}/2006_linguistic_quality.table",
            f"{head}Question|Score\n{quality}",
        )
        write(self.root, f"{scoring}/2006_pyramid_creators.txt", creators)
        pyramid = renamed(self.pyramid(1), "D0601", 250, "ABCD")
        text = marked("D0601A", pyramid, self.documents(1))
        write(self.root, "DUC2006/SCU-marked corpus/D0601a.scu", text)

    def _write_main(self) -> None:
        home, topic = "DUC2007/mainPyramidEval", "D0701"
        pyramid = twice_by_one(renamed(self.pyramid(4), topic, 250, MAIN_WRITERS))
        self.annotated(f"{home}/allpyramids/{topic}-{MAIN_WRITERS}.pyr", pyramid)
        rows = ""
        for system in ("5", "12"):
            peer = peer_of(pyramid, int(system) % 4)
            self.annotated(f"{home}/allpans/{topic}.M.250.A.{system}.pan", peer)
            rows += self._row(topic, system, peer, f"{QUALITY}\t3")
        write(self.root, f"{home}/scoring/2007_modified_scores.txt", rows)
        write(self.root, f"{home}/annotator-table.txt", f"{topic}\t7\t9\nD0703\t8\t8\n")
        for docset, number in (("D0701A", 4), ("D0703A", 5)):
            self._articles(f"duc2007_testdocs/main/{docset}", self.documents(number))

    def _write_update(self) -> None:
        home = "DUC2007/updateEval/Pyramid"
        rows = creators = ""
        articles = self.documents(5)
        # Three sets of articles: DUC 2007 has two updates.
        for task, content, chosen in zip(
            "ABC", "ABA", (slice(0, 4), slice(4, 6), slice(6, 8)), strict=True
        ):
            docset = f"D0703-{task}"
            pyramid = renamed(self.pyramid(5, content), docset, 100, UPDATE_WRITERS)
            self.annotated(f"{home}/allpyramids/{docset}-{UPDATE_WRITERS}.pyr", pyramid)
            for system in ("40", "54"):
                peer = peer_of(pyramid, int(system) % 3)
                self.annotated(f"{home}/allpans/{docset}.M.100.A.{system}.pan", peer)
                rows += self._row(docset, system, peer, "21\t22\t2")
            creators += f"{docset}\t22\n"
            self._articles(f"duc2007_testdocs/update/D0703A/D0703A-{task}", articles[chosen])
        write(self.root, f"{home}/scoring/2007_modified_scores.txt", rows)
        write(self.root, f"{home}/scoring/2007_pyramid_creators.txt", creators)

    def _articles(self, folder: str, documents: Iterable[Document]) -> None:
        for document in documents:
            paragraphs = "".join(
                f"<P>\n{escape(p, quote=False)}\n</P>\n" for p in document.text.split("\n\n")
            )
            text = f"<DOC>\n<DOCNO> {document.id} </DOCNO>\n<TEXT>\n{paragraphs}</TEXT>\n</DOC>\n"
            write(self.root, f"DUC2007/{folder}/{document.id}", text)
