"""Matching contributors of annotated summaries in others."""

import unicodedata
from dataclasses import replace
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.collection import SCU, Collection, Contributor, Part, PeerAnnotation, Pyramid
from pyramidion.collection.formats import read_collection
from pyramidion.collection.pyramids import NOT_IN_PYRAMID
from pyramidion.demo import load_demo
from pyramidion.errors import InputError, NotFoundError
from pyramidion.pyramid import Matcher, MatchRules
from pyramidion.pyramid.content_units import content_of_peer
from pyramidion.pyramid.topics import locate_words
from pyramidion.text import tokenize
from support import shared_file

WORDS = ("ice", "melts", "old", "fast", "rain")
UNITS = 4


def quote(text: str, *quotations: str) -> Contributor:
    """Quote a text, part by part, each at its first place."""
    spans = [(text.index(q), text.index(q) + len(q)) for q in quotations]
    return Contributor(tuple(Part(start, end, text[start:end]) for start, end in spans))


def peer(pyramid: Pyramid, text: str, units: dict[str, list[Contributor]]) -> PeerAnnotation:
    """Annotate a peer by hand."""
    scus = (replace(scu, contributors=tuple(units.get(scu.uid, ()))) for scu in pyramid.scus)
    return PeerAnnotation(pyramid, text, (*scus, SCU(NOT_IN_PYRAMID, "")))


def labels(annotation: PeerAnnotation) -> dict[str, list[str]]:
    """Return what was found, by content unit."""
    return {
        scu.uid: [contributor.label for contributor in scu.contributors]
        for scu in annotation.scus
        if scu.contributors
    }


def normal(text: str) -> tuple[str, ...]:
    return tuple(tokenize(text, "unicode"))


@st.composite
def texts(draw: st.DrawFn, most: int = 14) -> str:
    """Few words, often repeated, with all sorts of things between them."""
    words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=most))
    between = st.sampled_from((" ", "  ", ", ", "\n", " – ", "-", "... "))
    return "".join(word + draw(between) for word in words)


@st.composite
def contributors(draw: st.DrawFn, text: str) -> Contributor:
    """Mark one to three stretches of whole words."""
    words = locate_words(text)
    cuts = draw(st.lists(st.integers(0, len(words)), min_size=2, max_size=6, unique=True))
    cuts = sorted(cuts)[: len(cuts) // 2 * 2]
    spans = [(words[a].start, words[b - 1].end) for a, b in zip(cuts[::2], cuts[1::2], strict=True)]
    return Contributor(tuple(Part(start, end, text[start:end]) for start, end in spans))


@st.composite
def topics(draw: st.DrawFn) -> tuple[Pyramid, dict[str, PeerAnnotation]]:
    """Draw a pyramid of two references and up to three annotated peers."""
    bodies = {name: draw(texts()) for name in "AB"}
    pyramid = Pyramid.from_references(bodies, [(f"unit {n}", {}) for n in range(UNITS)])
    scus = [
        replace(scu, contributors=tuple(draw(st.lists(_in_references(pyramid), max_size=2))))
        for scu in pyramid.scus
    ]
    pyramid = replace(pyramid, scus=tuple(scus))
    peers = {}
    for system in draw(st.lists(st.sampled_from("123"), max_size=3, unique=True)):
        text = draw(texts())
        marked = {scu.uid: draw(st.lists(contributors(text), max_size=2)) for scu in pyramid.scus}
        peers[system] = peer(pyramid, text, marked)
    return pyramid, peers


def _in_references(pyramid: Pyramid) -> st.SearchStrategy[Contributor]:
    return st.sampled_from(pyramid.references).flatmap(
        lambda reference: contributors(pyramid.text[reference.start : reference.end]).map(
            lambda contributor: Contributor(
                tuple(Part(p.start + reference.start, p.end + reference.start, p.label)
                      for p in contributor.parts)
            )
        )
    )  # fmt: skip


rules = st.builds(
    MatchRules,
    gap=st.integers(0, 5),
    skip=st.integers(0, 2),
    min_words=st.integers(1, 3),
    nested=st.booleans(),
)


# What is found


def test_case_space_and_punctuation_do_not_matter():
    pyramid = Pyramid.from_references(
        {"A": 'The "ice-cold" sea, they say.'}, [("cold sea", {"A": ['"ice-cold" sea']})]
    )
    text = "An ICE–COLD\n  sea! And icecold sea."
    annotation = Matcher(pyramid).annotate(text)
    assert labels(annotation) == {"1": ["ICE–COLD\n  sea"]}
    assert annotation.scus[0].label == "(1) cold sea"


def test_parts_come_in_order_with_bounded_gaps():
    text = "Ice in the north melts."
    pyramid = Pyramid.from_references({"A": text}, [("Ice melts", {"A": ["Ice", "melts"]})])

    def finds(new: str, **options: int) -> bool:
        return bool(labels(Matcher(pyramid, rules=MatchRules(**options)).annotate(new)))

    assert finds("Ice melts.", gap=0)
    assert not finds("It melts, the ice.", gap=50)
    assert finds("Ice of the sea melts.", gap=0), "three words, as in the source"
    assert not finds("Ice of the old sea melts.", gap=3)
    assert finds("Ice of the old sea melts.", gap=4)


def test_words_may_be_skipped_inside_a_part():
    pyramid = Pyramid.from_references({"A": "Ice melts fast."}, [("x", {"A": ["Ice melts fast"]})])
    text = "Old ice, melts very, very fast."
    assert labels(Matcher(pyramid).annotate(text)) == {}
    assert labels(Matcher(pyramid, rules=MatchRules(skip=1)).annotate(text)) == {}
    annotation = Matcher(pyramid, rules=MatchRules(skip=2)).annotate(text)
    assert labels(annotation) == {"1": ["ice, melts...fast"]}


def test_a_part_that_cuts_a_word_means_the_word():
    text = "Rains came."
    pyramid = replace(Pyramid.from_references({"A": text}, [("rain", {})]), start_document_regex="")
    start = pyramid.text.index("Rain")
    marked = Contributor((Part(start, start + 4, "Rain"),))
    pyramid = replace(pyramid, scus=(SCU("1", "rain", (marked,)),))
    assert labels(Matcher(pyramid).annotate("The rain, the rains.")) == {"1": ["rains"]}


def test_offsets_that_do_not_fit_leave_the_label():
    pyramid = Pyramid.from_references({"A": "Ice melts."}, [("x", {"A": ["Ice"]})])
    wrong = Contributor((Part(900, 903, "ice"), Part(-5, -1, "melts fast")))
    annotated = peer(pyramid, "Rain.", {"1": [wrong]})
    annotation = Matcher(pyramid, {"7": annotated}).annotate("It melts fast, ice.")
    assert labels(annotation) == {"1": ["melts fast...ice"]}


def test_few_words_can_be_left_aside():
    pyramid = Pyramid.from_references({"A": "Ice melts."}, [("x", {"A": ["Ice"]})])
    assert labels(Matcher(pyramid, rules=MatchRules(min_words=2)).annotate("Ice.")) == {}


# Which of several matches is taken


def test_the_longest_match_of_a_unit_is_taken_and_repetitions_are_kept():
    pyramid = Pyramid.from_references(
        {"A": "Ice melts fast.", "B": "Ice melts."},
        [("Ice melts", {"A": ["Ice melts fast"], "B": ["Ice melts"]})],
    )
    annotation = Matcher(pyramid).annotate("Ice melts fast, and ice melts.")
    assert labels(annotation) == {"1": ["Ice melts fast", "ice melts"]}
    assert content_of_peer(annotation).repeated == 1


def test_what_lies_in_a_longer_match_is_dropped_unless_both_were_marked():
    bodies = {"A": "Old ice melts fast.", "B": "Old ice is here."}
    units = [("It melts fast", {"A": ["Old ice melts fast"]}), ("It is old", {"B": ["Old ice"]})]
    pyramid = Pyramid.from_references(bodies, units)
    assert labels(Matcher(pyramid).annotate("Old ice melts fast.")) == {"1": ["Old ice melts fast"]}
    nested = Matcher(pyramid, rules=MatchRules(nested=True)).annotate("Old ice melts fast.")
    assert set(labels(nested)) == {"1", "2"}
    both = Pyramid.from_references(
        bodies, [units[0], ("It is old", {"A": ["Old ice"], "B": ["Old ice"]})]
    )
    assert set(labels(Matcher(both).annotate("Old ice melts fast."))) == {"1", "2"}


def test_units_may_share_words():
    pyramid = Pyramid.from_references(
        {"A": "The sea rose fast.", "B": "The sea was warm."},
        [
            ("It rose", {"A": ["The sea rose fast"]}),
            ("It was warm", {"B": ["The sea", "was warm"]}),
        ],
    )
    annotation = Matcher(pyramid).annotate("The sea rose fast and was warm.")
    assert labels(annotation) == {"1": ["The sea rose fast"], "2": ["The sea...was warm"]}


def test_the_same_words_for_two_units_go_to_the_one_marked_more_often():
    pyramid = Pyramid.from_references(
        {"A": "Ice melts.", "B": "Ice melts.", "C": "Ice melts."},
        [("x", {"A": ["Ice melts"]}), ("y", {"B": ["Ice melts"], "C": ["Ice melts"]})],
    )
    assert set(labels(Matcher(pyramid).annotate("Ice melts."))) == {"2"}


# Properties


@given(st.text())
def test_words_are_those_of_the_tokenizer(text):
    # Only in composed text do marks stand where the tokenizer reads them.
    text = unicodedata.normalize("NFC", text)
    words = locate_words(text)
    assert [word.text for word in words] == tokenize(text, "unicode")
    assert all(word.text in tokenize(text[word.start : word.end], "unicode") for word in words)
    assert [word.start for word in words] == sorted(word.start for word in words)


@given(st.text(alphabet="aB1ß東のนม้가é\u0301\u00ad\u200b’“-–. ½ﷺ\u1112\u1161\u11ab_ʼ\u0640İ"))
def test_words_of_other_scripts(text):
    assert [word.text for word in locate_words(text)] == tokenize(text, "unicode")


@given(st.data())
def test_what_is_quoted_is_found(data):
    source = data.draw(texts())
    contributor = data.draw(contributors(source))
    pyramid = Pyramid.from_references({"A": "Rain."}, [("x", {"A": ["Rain"]}), ("y", {})])
    annotated = peer(pyramid, source, {"2": [contributor]})
    before, after = data.draw(texts()), data.draw(texts())
    first = min(part.start for part in contributor.parts)
    last = max(part.end for part in contributor.parts)
    quoted = f"{before} {source[first:last]} {after}"
    settings = MatchRules(gap=0, skip=data.draw(st.integers(0, 2)), nested=True)
    annotation = Matcher(pyramid, {"7": annotated}, rules=settings).annotate(quoted)
    assert "2" in labels(annotation)


@given(topics(), texts(), rules)
def test_offsets_are_those_of_the_words_that_were_marked(topic, text, rules):
    pyramid, peers = topic
    marked: dict[str, set[tuple[str, ...]]] = {}
    for scu in (*pyramid.scus, *(scu for annotated in peers.values() for scu in annotated.scus)):
        for contributor in scu.contributors:
            marked.setdefault(scu.uid, set()).add(normal(contributor.label))
    annotation = Matcher(pyramid, peers, rules=rules).annotate(text)
    assert [scu.uid for scu in annotation.scus] == [*(s.uid for s in pyramid.scus), NOT_IN_PYRAMID]
    assert annotation.scus[-1].contributors == ()
    for scu in annotation.scus:
        for contributor in scu.contributors:
            parts = contributor.parts
            assert all(text[part.start : part.end] == part.label for part in parts)
            assert all(a.end <= b.start for a, b in pairwise(parts))
            assert normal(" ".join(part.label for part in parts)) in marked[scu.uid]


@given(topics(), texts(), rules)
def test_typing_does_not_matter(topic, text, rules):
    pyramid, peers = topic
    retyped = "  “" + text.upper().replace(" ", " \n").replace(",", " —") + "”"
    matcher = Matcher(pyramid, peers, rules=rules)
    plain, other = labels(matcher.annotate(text)), labels(matcher.annotate(retyped))
    assert {uid: [*map(normal, texts_found)] for uid, texts_found in plain.items()} == {
        uid: [*map(normal, texts_found)] for uid, texts_found in other.items()
    }


@given(topics(), texts(), st.integers(0, 2))
def test_more_annotated_summaries_lose_nothing_where_all_matches_count(topic, text, skip):
    """Without `nested` a longer match can take the place of a shorter one of another unit."""
    pyramid, peers = topic
    settings = MatchRules(skip=skip, nested=True)
    fewer = dict(list(peers.items())[:1])
    less = labels(Matcher(pyramid, fewer, rules=settings).annotate(text))
    assert set(less) <= set(labels(Matcher(pyramid, peers, rules=settings).annotate(text)))


@given(topics(), texts(), rules, st.sampled_from("123AB"))
def test_leaving_out_is_never_having_had(topic, text, rules, system):
    pyramid, peers = topic
    other_peers = {name: annotated for name, annotated in peers.items() if name != system}
    without = replace(
        pyramid,
        scus=tuple(
            replace(
                scu,
                contributors=tuple(
                    c for c in scu.contributors if pyramid.reference_of(c) != system
                ),
            )
            for scu in pyramid.scus
        ),
    )
    left_out = Matcher(pyramid, peers, rules=rules).annotate(text, leave_out=system)
    assert labels(left_out) == labels(Matcher(without, other_peers, rules=rules).annotate(text))


def places(part: tuple[str, ...], words: list[str], skip: int) -> list[tuple[int, ...]]:
    """Find a part in every way there is, by trying all."""
    near = range(len(words))
    return [
        chosen
        for chosen in product(near, repeat=len(part))
        if all(a < b for a, b in pairwise(chosen))
        and tuple(words[index] for index in chosen) == part
        and chosen[-1] - chosen[0] + 1 - len(part) <= skip
    ]


def can_be_found(
    parts: list[tuple[str, ...]], gaps: list[int], words: list[str], skip: int
) -> bool:
    ways = product(*(places(part, words, skip) for part in parts))
    return any(
        all(0 <= b[0] - a[-1] - 1 <= gap for a, b, gap in zip(way, way[1:], gaps, strict=False))
        for way in ways
    )


@given(st.data(), texts(most=7), st.integers(0, 3), st.integers(0, 2))
def test_brute_force_finds_the_same_units(data, text, gap, skip):
    """One contributor a unit; all ways to place its words are tried."""
    source = data.draw(texts(most=7))
    marked = [data.draw(contributors(source)) for _ in range(UNITS)]
    pyramid = Pyramid.from_references({"A": "x"}, [(f"unit {n}", {}) for n in range(UNITS)])
    annotated = peer(pyramid, source, {str(n): [c] for n, c in enumerate(marked, start=1)})
    words = [*normal(text)]
    expected = set()
    for uid, contributor in enumerate(marked, start=1):
        parts = [normal(part.label) for part in contributor.parts]
        gaps = [
            max(gap, len(normal(source[a.end : b.start]))) for a, b in pairwise(contributor.parts)
        ]
        if can_be_found(parts, gaps, words, skip):
            expected.add(str(uid))
    settings = MatchRules(gap=gap, skip=skip, nested=True)
    assert (
        set(labels(Matcher(pyramid, {"7": annotated}, rules=settings).annotate(text))) == expected
    )


@given(topics(), texts(), st.integers(0, 2))
def test_what_is_dropped_says_nothing_new(topic, text, skip):
    """Every word of a unit that only `nested` finds belongs to another unit's match."""
    pyramid, peers = topic
    plain = Matcher(pyramid, peers, rules=MatchRules(skip=skip)).annotate(text)
    every = Matcher(pyramid, peers, rules=MatchRules(skip=skip, nested=True)).annotate(text)
    assert set(labels(plain)) <= set(labels(every))
    taken = {
        position
        for scu in plain.scus
        for contributor in scu.contributors
        for part in contributor.parts
        for position in range(part.start, part.end)
    }
    for scu in every.scus:
        if scu.uid not in labels(plain):
            for part in (part for c in scu.contributors for part in c.parts):
                for word in locate_words(text[part.start : part.end]):
                    assert part.start + word.start in taken


# Files and odd input


def test_an_annotation_reads_back_as_it_was_written(tmp_path):
    collection = load_demo()
    pyramid = collection.pyramids["A", "P01"]
    text = collection.references("P01", "A")[0].plain
    annotation = Matcher(pyramid).annotate(text)
    peers = {("A", "P01", "7"): annotation}
    Collection("", peer_annotations=peers).save(tmp_path / "files", format="ducview")
    again = Collection.load(tmp_path / "files").peer_annotations["A", "P01", "7", "", ""]
    assert again.scus == annotation.scus
    assert again.text == text
    assert again.notes == ()


def test_a_unit_called_zero_is_renamed():
    pyramid = Pyramid.from_references({"A": "Ice melts."}, [("x", {"A": ["Ice"]}), ("y", {})])
    zero = replace(pyramid, scus=(replace(pyramid.scus[0], uid="0"), pyramid.scus[1]))
    annotation = Matcher(zero).annotate("Ice.")
    assert labels(annotation) == {"1": ["Ice"]}
    assert content_of_peer(annotation).counts.tolist() == [1, 0]
    assert [scu.uid for scu in annotation.pyramid.scus] == ["1", "2"]
    assert annotation.notes == ("SCU 0 is called 1 in annotations, where 0 is unmatched content",)


def test_what_cannot_be_looked_up_is_reported():
    pyramid = Pyramid.from_references({"A": "Ice, melts."}, [("x", {"A": [","]}), ("y", {})])
    nowhere = Contributor((Part(0, 3, "---"),))
    pyramid = replace(pyramid, scus=(pyramid.scus[0], SCU("2", "y", (nowhere,))))
    annotation = Matcher(pyramid).annotate("Ice, melts.")
    assert labels(annotation) == {}
    assert annotation.notes == (
        "SCU 2: a contributor that is in no reference",
        "1 contributors that have no words",
    )


@pytest.mark.parametrize("text", ["", "   ", "?!"])
def test_an_empty_summary_says_nothing(text):
    pyramid = Pyramid.from_references({"A": "Ice melts."}, [("x", {"A": ["Ice"]})])
    annotation = Matcher(pyramid).annotate(text)
    assert labels(annotation) == {}
    assert annotation.text == text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gap": -1}, "gap is -1; give a whole number of at least 0"),
        ({"skip": -2}, "skip is -2; give a whole number of at least 0"),
        ({"min_words": 0}, "min-words is 0; give a whole number of at least 1"),
    ],
)
def test_rules_that_mean_nothing(options, message):
    with pytest.raises(InputError, match=message):
        MatchRules(**options)


def test_an_annotation_of_another_pyramid():
    pyramid = Pyramid.from_references({"A": "Ice melts."}, [("x", {"A": ["Ice"]})])
    other = PeerAnnotation(pyramid, "Ice.", (SCU("99", "", (quote("Ice.", "Ice"),)),))
    with pytest.raises(NotFoundError, match="no content unit 99"):
        Matcher(pyramid, {"7": other})


def test_a_contributor_of_very_many_parts():
    text = " ".join(["ice"] * 1200)
    parts = tuple(Part(4 * n, 4 * n + 3, "ice") for n in range(1200))
    pyramid = Pyramid.from_references({"A": "Rain."}, [("x", {"A": ["Rain"]})])
    annotated = peer(pyramid, text, {"1": [Contributor(parts)]})
    annotation = Matcher(pyramid, {"7": annotated}, rules=MatchRules(gap=0)).annotate(text)
    assert content_of_peer(annotation).counts.tolist() == [1]


# Real pyramids


def test_the_references_of_the_demo_are_found_whole():
    """Annotated from its own contributors, every reference gets its own units, and no other."""
    for pyramid in load_demo().pyramids.values():
        matcher = Matcher(pyramid)
        for column, reference in enumerate(pyramid.references):
            annotation = matcher.annotate(pyramid.text[reference.start : reference.end])
            marked = pyramid.membership[:, column]
            assert content_of_peer(annotation).expressed.tolist() == marked.tolist()


def test_the_references_of_a_student_pyramid():
    """26 units of 5 references; one unit is called 0."""
    source = read_collection(shared_file("data/pyramids/crypto_ducview.pyr"))
    (pyramid,) = source.pyramids.values()
    matcher = Matcher(pyramid)
    for column, reference in enumerate(pyramid.references):
        annotation = matcher.annotate(pyramid.text[reference.start : reference.end])
        assert (content_of_peer(annotation).expressed >= pyramid.membership[:, column]).all()


def test_offsets_count_the_characters_of_the_summary():
    pyramid = Pyramid.from_references({"A": "Ice melts."}, [("It melts", {"A": ["melts"]})])
    [contributor] = Matcher(pyramid).annotate("Snow MELTS, too.").scus[0].contributors
    assert contributor.parts == (Part(5, 10, "MELTS"),)
