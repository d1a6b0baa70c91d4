"""Hypothesis strategies for everything in a collection, shared by the tests of the formats."""

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from pyramidion.collection import (
    SCU,
    AspectSpan,
    Category,
    Collection,
    Contributor,
    Document,
    Judgment,
    Measure,
    Part,
    PeerAnnotation,
    Pyramid,
    Scale,
    ScoreMatrix,
    Scores,
    Summary,
    Task,
    Topic,
)
from pyramidion.collection.ids import natural_order
from pyramidion.collection.pyramids import NOT_IN_PYRAMID
from pyramidion.collection.summaries import Aspect

#: Ids as evaluations have them, and ids that file names, CSV and XML stumble over.
PLAIN_IDS = ("T1", "T2", "T10", "D0901", "A", "B", "17", "7", "rouge", "x_y")
ODD_IDS = (
    "D0901-A", "a/b", "..", ".", ".hidden", "a.b", "a b", " a", "a ", "t1", "T1", "a,b", 'a"b', '"',
    "%41", "a%", "ünïcode", "日本", "🙂", "\ufeffa", "a\tb", "-", "--", "a-", "-a", "_", "#",
    "=1+1", "\x00", "\x1f", "\x7f", "\u2028", "a\\b", "con", "nan", "NaN", "None", "1.0", "01", "1",
)  # fmt: skip

#: For tests that draw whole collections, which is slow.
few_examples = settings(suppress_health_check=[HealthCheck.too_slow])

#: Every character but half surrogate pairs.
any_text = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)

#: Every character XML can hold.
xml_text = st.text(
    st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff"), max_size=30
)

finite = st.floats(allow_nan=False, allow_infinity=False)
json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | finite | any_text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(any_text, inner, max_size=3),
    max_leaves=5,
)


def ids() -> st.SearchStrategy[str]:
    """Ids of all sorts; none is empty or has a line break."""
    free = st.text(
        st.characters(exclude_categories=("Cs",), exclude_characters="\r\n"), min_size=1, max_size=8
    )
    return st.sampled_from(PLAIN_IDS) | st.sampled_from(ODD_IDS) | free


ANY_ID = ids()


def plain_ids() -> st.SearchStrategy[str]:
    """Ids as evaluations have them."""
    return st.sampled_from(PLAIN_IDS)


def extras() -> st.SearchStrategy[dict[str, Any]]:
    """Fields of a file that mean nothing to the package."""
    return st.dictionaries(any_text.map(lambda name: f"x{name}"), json_values, max_size=2)


def documents(id: st.SearchStrategy[str] = ANY_ID) -> st.SearchStrategy[Document]:
    return st.builds(
        Document,
        id=id,
        text=any_text,
        set=st.sampled_from(["base", "update", "C"]),
        date=any_text,
        source=any_text,
        headline=any_text,
        extra=extras(),
    )


def topics(id: st.SearchStrategy[str] = ANY_ID) -> st.SearchStrategy[Topic]:
    return st.builds(
        Topic,
        id=id,
        title=any_text,
        narrative=any_text,
        category=st.just("") | ids(),
        assessor=st.just("") | ids(),
        documents=st.lists(documents(), max_size=3, unique_by=lambda d: d.id).map(tuple),
        extra=extras(),
    )


@st.composite
def spans(draw: st.DrawFn, length: int) -> AspectSpan:
    """A span of a text that is `length` (at least 1) characters long."""
    start = draw(st.integers(0, length - 1))
    end = draw(st.integers(start + 1, length))
    return AspectSpan(start, end, draw(st.sampled_from(["1.1", "4.1", "4.3", "odd aspect"])))


@st.composite
def summaries(
    draw: st.DrawFn,
    id: st.SearchStrategy[str] = ANY_ID,
    text: st.SearchStrategy[str] = any_text,
) -> Summary:
    summary = Summary(
        topic=draw(id),
        system=draw(id),
        text=draw(text | st.lists(text, max_size=4).map(tuple)),
        task=draw(st.just("") | id),
        kind=draw(st.sampled_from(["human", "machine"])),
        role=draw(st.sampled_from(["peer", "reference", "both"])),
        extra=draw(extras()),
    )
    if not summary.plain:
        return summary
    marked = draw(st.lists(spans(len(summary.plain)), max_size=3))
    return replace(summary, aspects=tuple(sorted(marked)))


def judgments(id: st.SearchStrategy[str] = ANY_ID) -> st.SearchStrategy[Judgment]:
    optional = st.just("") | id
    return st.builds(
        Judgment,
        topic=id,
        system=id,
        measure=id,
        value=finite,
        task=optional,
        kind=st.sampled_from(["human", "machine"]),
        assessor=optional,
        collection=optional,
        unit=optional,
        occasion=optional,
        run=optional,
        time=optional,
    )


def _key(judgment: Judgment) -> tuple[str, ...]:
    j = judgment
    named = (j.task, j.topic, j.system, j.kind, j.measure, j.assessor)
    return (*named, j.collection, j.unit, j.occasion, j.run)


def scores(
    id: st.SearchStrategy[str] = ANY_ID, *, min_size: int = 0, max_size: int = 8
) -> st.SearchStrategy[Scores]:
    """Tables without a repeated key."""
    rows = st.lists(judgments(id), min_size=min_size, max_size=max_size, unique_by=_key)
    return rows.map(Scores.from_judgments)


@st.composite
def matrices(draw: st.DrawFn) -> ScoreMatrix:
    """Matrices with ids in natural order and a value in each row and column."""
    names = st.lists(ids(), min_size=1, max_size=5, unique=True)
    rows, columns = (sorted(draw(names), key=natural_order) for _ in range(2))
    cells = st.floats(-1e300, 1e300) | st.just(float("nan"))
    values = np.array([[draw(cells) for _ in columns] for _ in rows])
    for row in np.flatnonzero(np.isnan(values).all(axis=1)):
        values[row, draw(st.integers(0, len(columns) - 1))] = draw(st.floats(-1e9, 1e9))
    for column in np.flatnonzero(np.isnan(values).all(axis=0)):
        values[draw(st.integers(0, len(rows) - 1)), column] = draw(st.floats(-1e9, 1e9))
    human = [draw(st.booleans()) for _ in columns]
    return ScoreMatrix(values, rows, columns, human, measure=draw(ids()), task=draw(ids()))


@st.composite
def _parts(draw: st.DrawFn, text: str, begin: int, end: int) -> tuple[Part, ...]:
    """Some parts of a text between two offsets that enclose at least one character."""
    parts = []
    for _ in range(draw(st.integers(1, 2))):
        start = draw(st.integers(begin, end - 1))
        stop = draw(st.integers(start + 1, end))
        parts.append(Part(start, stop, text[start:stop]))
    return tuple(parts)


_line = st.text("abc XYZ.,-<>&'\"äß日🙂\u00a0", min_size=1, max_size=20)


@st.composite
def pyramids(draw: st.DrawFn) -> Pyramid:
    """Pyramids whose labels are what stands at their offsets."""
    names = draw(st.lists(plain_ids(), min_size=1, max_size=4, unique=True))
    references = {name: "x" + draw(_line) for name in names}
    base = Pyramid.from_references(references, [])
    scus = []
    for uid in draw(st.lists(st.integers(1, 99), max_size=4, unique=True)):
        members = draw(st.lists(st.sampled_from(base.references), min_size=1, max_size=3))
        contributors = tuple(
            Contributor(draw(_parts(base.text, member.start, member.end)), comment=draw(xml_text))
            for member in members
        )
        scus.append(SCU(str(uid), draw(xml_text), contributors, draw(xml_text)))
    return replace(base, scus=tuple(scus))


ANY_PYRAMID = pyramids()


@st.composite
def peer_annotations(
    draw: st.DrawFn, of: st.SearchStrategy[Pyramid] = ANY_PYRAMID
) -> PeerAnnotation:
    pyramid = draw(of)
    text = "x" + "\n".join(draw(st.lists(_line, min_size=1, max_size=3)))
    entries = []
    for scu in (*pyramid.scus, SCU(NOT_IN_PYRAMID, "All non-matching SCUs go here")):
        parts = draw(st.lists(_parts(text, 0, len(text)), max_size=2))
        contributors = tuple(Contributor(part) for part in parts)
        entries.append(SCU(scu.uid, f"({pyramid.weight(scu)}) {scu.label}", contributors))
    return PeerAnnotation(pyramid, text, tuple(entries))


def scales() -> st.SearchStrategy[Scale]:
    ends = st.tuples(st.floats(-1e6, 1e6), st.floats(0.001, 1e6))
    step = st.sampled_from([0.0, 0.5, 1.0, 20.0])
    return st.builds(lambda e, s: Scale(e[0], e[0] + e[1], s), ends, step)


def measures() -> st.SearchStrategy[Measure]:
    return st.builds(
        Measure,
        lower_is_better=st.booleans(),
        scale=st.none() | scales(),
        human=st.booleans(),
    )


def tasks(id: st.SearchStrategy[str] = ANY_ID) -> st.SearchStrategy[Task]:
    limit = st.none() | st.integers(0, 1000)
    alone = st.tuples(st.sampled_from(["base", "update", "all"]), st.none())
    after = st.tuples(st.sampled_from(["update", "C", ("C", "D")]), st.just(("base", "B")))
    return st.builds(
        lambda id, title, sets, limit: (
            Task(id, title, sets[0], limit, sets[1]) if sets[1] else Task(id, title, sets[0], limit)
        ),
        id,
        any_text,
        alone | after,
        limit,
    )


def categories() -> st.SearchStrategy[Category]:
    aspects = st.builds(Aspect, id=ids(), name=any_text, description=any_text)
    return st.builds(
        Category, id=ids(), title=any_text, aspects=st.lists(aspects, max_size=2).map(tuple)
    )


@st.composite
def collections(
    draw: st.DrawFn,
    id: st.SearchStrategy[str] = ANY_ID,
    text: st.SearchStrategy[str] = any_text,
) -> Collection:
    """Whole collections in which every address stands for one thing; parts may be absent."""
    task = st.just("") | id
    pyramid_keys = draw(st.lists(st.tuples(task, id), max_size=2, unique=True))
    peer_keys = draw(st.lists(st.tuples(task, id, id, task, task), max_size=2, unique=True))
    version_keys = draw(st.lists(st.tuples(task, id, id), max_size=1))
    declared = draw(st.dictionaries(ids(), measures(), max_size=2))
    # A measure has one scale.
    scaled = draw(st.dictionaries(ids(), scales(), max_size=2))
    scaled = {name: scale for name, scale in scaled.items() if name not in declared}
    return Collection(
        name=draw(any_text),
        description=draw(any_text),
        notice=draw(any_text),
        tasks=tuple(draw(st.lists(tasks(task), max_size=2, unique_by=lambda t: t.id))),
        scales=scaled,
        measures=declared,
        categories=tuple(draw(st.lists(categories(), max_size=2, unique_by=lambda c: c.id))),
        topics=tuple(draw(st.lists(topics(id), max_size=2, unique_by=lambda t: t.id))),
        summaries=tuple(draw(st.lists(summaries(id, text), max_size=3, unique_by=lambda s: s.key))),
        scores=draw(scores(id, max_size=3)),
        pyramids={key: draw(pyramids()) for key in pyramid_keys},
        peer_annotations={key: draw(peer_annotations()) for key in peer_keys},
        versions={key: draw(pyramids()) for key in version_keys},
    )
