import codecs
import gzip
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.checks import find_problems
from pyramidion.collection import (
    SCU,
    Collection,
    Contributor,
    Part,
    PeerAnnotation,
    Pyramid,
    Scores,
    Summary,
    Topic,
)
from pyramidion.collection.formats import read_collection
from pyramidion.collection.formats.ducview import files as _ducview_files
from pyramidion.collection.formats.ducview.files import (
    SharedPyramids,
    peer_annotation_bytes,
    pyramid_bytes,
    read_ducview,
    read_peer_annotation,
    read_pyramid,
    write_peer_annotation,
    write_pyramid,
)
from pyramidion.collection.formats.ducview.format import FORMAT
from pyramidion.errors import FormatError, InputError, NotFoundError
from support import shared_file

LETTERS = st.one_of(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"),
    st.sampled_from("\n\n\t\r\x85\"'<>&- "),
)
TEXTS = st.text(LETTERS)
REGEXES = st.one_of(st.just(""), TEXTS, st.just(r"[-]*\n D[0-9]*\n[-]*\n"), st.just("a]]>b"))
IDS = st.text(min_size=1, max_size=4).filter(lambda id: id.isprintable())


@st.composite
def parts(draw, text):
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, len(text)))
    return Part(start, end, text[start:end])


@st.composite
def units(draw, text):
    contributor = st.builds(Contributor, st.lists(parts(text), max_size=3).map(tuple), TEXTS, TEXTS)
    unit = st.builds(SCU, TEXTS, TEXTS, st.lists(contributor, max_size=3).map(tuple), TEXTS)
    return tuple(draw(st.lists(unit, max_size=3)))


@st.composite
def pyramids(draw):
    text = draw(TEXTS)
    return Pyramid(text, draw(units(text)), draw(REGEXES))


@st.composite
def peers(draw):
    text = draw(TEXTS)
    return PeerAnnotation(draw(pyramids()), text, draw(units(text)))


FIRST, SECOND = "D0901-A.M.100.A.B", "D0901-A.M.100.A.C"
PYRAMID = Pyramid.from_references(
    {
        FIRST: "The Zürich tram “Möwe” stopped.\nIt cost €3 million.",
        SECOND: "A tram stopped in Zürich.",
    },
    [
        ("A tram stopped", {FIRST: ["tram", "stopped"], SECOND: ["A tram stopped"]}),
        ("It cost €3 million", {FIRST: ["It cost €3 million"]}),
    ],
)
PEER = PeerAnnotation(
    PYRAMID,
    "The tram stopped.\nIt was late.",
    (
        SCU("1", "(2) A tram stopped", (Contributor((Part(4, 16, "tram stopped"),)),)),
        SCU("2", "(1) It cost €3 million"),
        SCU("0", "All non-matching SCUs go here", (Contributor((Part(18, 29, "It was late"),)),)),
    ),
)


def written(folder, data, name="D0901-A.pyr"):
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def xml(text="Ice melts.\nIt melts fast.", label="melts", start=4, end=9):
    """Write a pyramid with one part, by hand."""
    lines = "".join(f"<line>{line}</line>" for line in text.split("\n"))
    part = f'<part label="{label}" start="{start}" end="{end}"/>'
    contributor = f'<contributor label="{label}">{part}</contributor>'
    scu = f'<scu uid="13" label="Ice melts">{contributor}</scu>'
    return f"<pyramid><text>{lines}</text>{scu}</pyramid>"


@given(pyramids())
def test_pyramids_are_read_back_unchanged(tmp_path_factory, pyramid):
    path = tmp_path_factory.getbasetemp() / "round-trip.pyr"
    write_pyramid(pyramid, path)
    assert read_pyramid(path) == pyramid
    assert pyramid_bytes(read_pyramid(path)) == path.read_bytes()


@given(peers())
def test_annotated_peers_are_read_back_unchanged(tmp_path_factory, peer):
    path = tmp_path_factory.getbasetemp() / "round-trip.pan"
    write_peer_annotation(peer, path)
    assert read_peer_annotation(path) == peer


@st.composite
def collections(draw):
    tasks = st.one_of(st.just(""), IDS)
    named = draw(st.dictionaries(st.tuples(tasks, IDS), pyramids(), min_size=1, max_size=3))
    annotated = {}
    for task, topic in named:
        for system in draw(st.sets(IDS, max_size=2)):
            annotated[task, topic, system] = draw(peers())
    return Collection("mine", pyramids=named, peer_annotations=annotated)


@given(collections())
def test_a_folder_is_read_back_unchanged(tmp_path_factory, collection):
    folder = tmp_path_factory.mktemp("ducview") / "mine"
    assert FORMAT.write(collection, folder, False) == ()
    assert FORMAT.matches(folder)
    back = FORMAT.read(folder)
    assert back.pyramids == collection.pyramids
    assert back.peer_annotations == collection.peer_annotations
    # What was read into the collection is all in the files.
    assert FORMAT.write(back, folder, True) == ()


@st.composite
def files(draw):
    """A file as no program need have written it: line ends, indentation, quotes, offsets."""
    annotation = draw(pyramids() | peers())
    is_peer = isinstance(annotation, PeerAnnotation)
    text = (peer_annotation_bytes(annotation) if is_peer else pyramid_bytes(annotation)).decode()
    head, dtd, body = text.partition("]>\n\n")
    indent = draw(st.sampled_from(["\n ", "", "\n", "\n\t", "\n\n    ", " "]))
    body = re.sub(r"\n +<(?=/?[a-z]+[ >])", f"{indent}<", body)
    if draw(st.booleans()):
        body = re.sub(r"=\"([^\"']*)\"", r"='\1'", body)
    body = body.replace("/>", draw(st.sampled_from(["/>", " />", "></part>"])))
    moved = draw(st.sampled_from([0, 0, 1, 17]))
    body = re.sub(r"start=(.)(\d+)", lambda match: f"start={match[1]}{int(match[2]) + moved}", body)
    body = body.rstrip("\n") + draw(st.sampled_from(["\n", "", "\n\n", "\n<!-- end -->"]))
    declared = draw(st.sampled_from([None, "", "UTF-8", "ISO-8859-1", "windows-1252", "klingon"]))
    if declared is None:
        head = dtd = ""
    elif declared:
        head = head.replace("?>", f' encoding="{declared}"?>', 1)
    text = (head + dtd + body).replace("\n", draw(st.sampled_from(["\n", "\r\n", "\r"])))
    encoding = draw(st.sampled_from(["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-be"]))
    return text.encode(encoding, "xmlcharrefreplace")


@given(files(), st.text("aé€ß", min_size=1, max_size=3))
def test_a_file_is_written_back_byte_for_byte(tmp_path_factory, data, label):
    path = written(tmp_path_factory.getbasetemp(), data, "as-it-is.pyr")
    annotation = read_ducview(path)
    is_peer = isinstance(annotation, PeerAnnotation)
    write = peer_annotation_bytes if is_peer else pyramid_bytes
    assert write(annotation) == data
    changed = replace(annotation, scus=(SCU("9", label),))
    path.write_bytes(write(changed))
    assert read_ducview(path) == changed
    # Once changed back, the file is the same again.
    assert write(replace(changed, scus=annotation.scus)) == data


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("indent", ["", "  ", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16"])
def test_a_changed_file_keeps_the_form_it_had(tmp_path, newline, indent, encoding):
    def form(peer):
        text = peer_annotation_bytes(peer).decode().rstrip("\n")
        text = re.sub(r"\n +<(?!!)", f"\n{indent}<", text).replace("\n", newline)
        return text.replace("?>", f' encoding="{encoding}"?><!-- mine -->', 1).encode(encoding)

    peer = read_peer_annotation(written(tmp_path, form(PEER), "T1-7.pan"))
    changed = replace(peer, scus=(*PEER.scus[:2], SCU("9", "Ça coûte €3")))
    assert peer_annotation_bytes(changed) == form(replace(changed, original=None))


def test_a_file_of_ducview_is_written_byte_for_byte():
    path = shared_file("data/pyramids/crypto_ducview.pyr")
    pyramid = read_pyramid(path)
    assert pyramid.notes == ()
    assert pyramid_bytes(pyramid) == path.read_bytes()
    assert [len(pyramid.references), len(pyramid.scus)] == [5, 26]
    assert FORMAT.matches(path)


def test_pyreval_is_read_elsewhere():
    with pytest.raises(FormatError, match="a pyramid of PyrEval, which has no text"):
        read_pyramid(shared_file("data/pyramids/crypto_pyreval_original.pyr"))


def test_the_annotation_looks_as_ducview_writes_it():
    lines = peer_annotation_bytes(PEER).decode().split("\n")
    assert lines[:3] == [
        '<?xml version="1.0"?>',
        "<!DOCTYPE peerAnnotation [",
        " <!ELEMENT peerAnnotation (pyramid,annotation)>",
    ]
    assert lines[-10:] == [
        ' <peerscu uid="2" label="(1) It cost €3 million">',
        " </peerscu>",
        ' <peerscu uid="0" label="All non-matching SCUs go here">',
        '  <contributor label="It was late">',
        '   <part label="It was late" start="18" end="29"/>',
        "  </contributor>",
        " </peerscu>",
        "</annotation>",
        "</peerAnnotation>",
        "",
    ]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    "declared", ["", "UTF-8", "ISO-8859-1", "windows-1252", "klingon", "rot13"]
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-be"])
def test_any_encoding_whatever_is_declared(tmp_path, encoding, declared, newline):
    text = peer_annotation_bytes(PEER).decode().replace("\n", newline)
    if declared:
        text = text.replace("?>", f' encoding="{declared}"?>', 1)
    peer = read_peer_annotation(written(tmp_path, text.encode(encoding), "T1-7.pan"))
    assert peer == PEER
    assert bool(peer.notes) == (
        encoding == "cp1252" and declared not in ("ISO-8859-1", "windows-1252")
    )


def test_a_declared_encoding_that_fits_is_used(tmp_path):
    text = f'<?xml version="1.0" encoding="Shift_JIS"?>{xml("氷が解ける。", "氷", 0, 1)}'
    pyramid = read_pyramid(written(tmp_path, text.encode("shift_jis")))
    assert (pyramid.text, pyramid.notes) == ("氷が解ける。", ())


def test_latin_1_has_no_holes(tmp_path):
    pyramid = read_pyramid(written(tmp_path, xml("a#b", "b", 2, 3).encode().replace(b"#", b"\x81")))
    assert pyramid.text == "a\x81b"


@pytest.mark.parametrize("odd", ["\0", "\x0b", "&#11;", "&#x1;", "&#xD800;", "&#1114112;"])
def test_characters_xml_forbids_become_blanks(tmp_path, odd):
    pyramid = read_pyramid(written(tmp_path, xml(f"Ice{odd}melts.&#233;")))
    assert pyramid.text == "Ice melts.é"
    assert pyramid.notes == ("1 control characters were read as blanks",)


@pytest.mark.parametrize(
    ("label", "start", "end", "span"),
    [
        ("melts", 4, 9, (4, 9)),
        # DUCView leaves the line ends out of its labels; a parser makes blanks of them.
        ("melts.It", 4, 13, (4, 13)),
        ("melts. It", 4, 13, (4, 13)),
        ("", 2, 2, (2, 2)),
    ],
)
def test_offsets_that_fit_are_trusted(tmp_path, label, start, end, span):
    pyramid = read_pyramid(written(tmp_path, xml(label=label, start=start, end=end)))
    part = pyramid.scus[0].contributors[0].parts[0]
    assert (part.start, part.end, part.label, pyramid.notes) == (*span, label, ())


@pytest.mark.parametrize(
    ("label", "start", "end", "span"),
    [
        ("melts", 5, 10, (4, 9)),
        ("melts", 13, 18, (14, 19)),
        ("melts.It", 0, 3, (4, 13)),
        ("Ice  melts", -1, 700, (0, 9)),
        ("melts", 19, 14, (14, 19)),
    ],
)
def test_the_nearest_place_with_the_label_is_used_and_reported(tmp_path, label, start, end, span):
    pyramid = read_pyramid(written(tmp_path, xml(label=label, start=start, end=end)))
    part = pyramid.scus[0].contributors[0].parts[0]
    assert (part.start, part.end, part.label) == (*span, label)
    expected = f"{span[0]} to {span[1]}"
    assert pyramid.notes == (
        f"SCU 13: {label!r} is not at {start} to {end} but at {expected}, which is used",
    )
    repaired_rows = pyramid_bytes(replace(pyramid, original=None))
    assert read_pyramid(written(tmp_path, repaired_rows)).notes == ()


@pytest.mark.parametrize(("label", "end"), [("snow", 9), ("", 9), (" ", 4000), ("x" * 50, 9)])
def test_a_label_that_is_nowhere_keeps_its_place_and_is_reported(tmp_path, label, end):
    pyramid = read_pyramid(written(tmp_path, xml(label=label, end=end)))
    assert pyramid.scus[0].contributors[0].parts == (Part(4, end, label),)
    (note,) = pyramid.notes
    assert note.startswith("SCU 13: '")
    assert note.endswith(f"is not at 4 to {end} nor anywhere else in the text")
    assert len(note) < 120


def test_offsets_of_a_peer_count_in_its_own_text(tmp_path):
    data = peer_annotation_bytes(PEER).replace(b'start="18" end="29"', b'start="0" end="9"')
    peer = read_peer_annotation(written(tmp_path, data, "T1-7.pan"))
    assert peer == PEER
    assert peer.notes == ("SCU 0: 'It was late' is not at 0 to 9 but at 18 to 29, which is used",)
    assert peer.pyramid.notes == ()


def test_what_ducview_does_not_write_is_counted(tmp_path):
    data = (
        '<pyramid numModels="4"><text>ice<line>Ice <b>melts</b>.</line></text><text/>'
        '<scu uid="1" label="Ice"><part label="Ice" start="0" end="3"/></scu>'
        '<scu uid="2" label="Ice"><contributor label="Ice"/></scu></pyramid>'
    )
    pyramid = read_pyramid(written(tmp_path, data))
    assert pyramid.text == "Ice "
    assert pyramid.notes == (
        "not kept: attribute numModels of <pyramid>",
        "not kept: element <text> in <pyramid>",
        "not kept: text in <text>",
        "not kept: element <b> in <line>",
        "not kept: text in <line>",
        "not kept: element <part> in <scu>",
        "SCU 2: contributor 'Ice' has no parts",
    )
    assert pyramid.weight(pyramid.scus[1]) == 0
    assert pyramid_bytes(pyramid).count(b"<contributor") == 1


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the file is empty"),
        (pyramid_bytes(PYRAMID)[:-30], "line 49: this is not XML"),
        (peer_annotation_bytes(PEER), "this is an annotated peer, not a pyramid"),
        (b"<html/>", "the root element is <html>"),
        (b"<pyramid/>", "<pyramid> has no <text>"),
        (b"<pyramid><text/><scu label='a'/></pyramid>", "scu no. 1: <scu> has no uid"),
        (b"<pyramid><text/><scu uid='7'/></pyramid>", "scu 7: <scu> has no label"),
        (xml(start="x").encode(), "scu 13: start='x' is not a whole number"),
        (xml(end="²").encode(), "scu 13: end='²' is not a whole number"),
        (xml(end="9" * 5000).encode(), "scu 13: end='999"),
        (xml().replace("end=", "stop=").encode(), "scu 13: <part> has no end"),
        (b"<!DOCTYPE a [<!ENTITY b 'c'>]><pyramid>&b;</pyramid>", "defines entities"),
        (b"<!DOCTYPE a [<!ENTITY b SYSTEM 'c'>]><pyramid>&b;</pyramid>", "defines entities"),
        (gzip.compress(pyramid_bytes(PYRAMID), mtime=0)[:99], "the gzipped data is damaged"),
        (codecs.BOM_UTF16_LE + b"<", "this is not XML"),
    ],
)
def test_a_bad_file_is_refused_in_one_line(tmp_path, data, message):
    path = written(tmp_path, data)
    with pytest.raises(FormatError) as caught:
        read_pyramid(path)
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.data())
def test_damage_is_survived_or_refused(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "D0901-A-17.pan"
    whole = peer_annotation_bytes(PEER)
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, min(len(whole), start + 40)))
    path.write_bytes(whole[:start] + data.draw(st.binary(max_size=9)) + whole[end:])
    try:
        peer = read_peer_annotation(path)
    except FormatError:
        return
    assert read_peer_annotation(written(path.parent, peer_annotation_bytes(peer))) == peer


def test_bad_annotations(tmp_path):
    with pytest.raises(FormatError, match="this is a pyramid, not an annotated peer"):
        read_peer_annotation(written(tmp_path, xml()))
    with pytest.raises(FormatError, match="<peerAnnotation> has no <pyramid>"):
        read_peer_annotation(written(tmp_path, "<peerAnnotation/>"))
    with pytest.raises(FormatError, match="<peerAnnotation> has no <annotation>"):
        read_peer_annotation(written(tmp_path, f"<peerAnnotation>{xml()}</peerAnnotation>"))
    with pytest.raises(NotFoundError, match="there is no such file"):
        read_peer_annotation(tmp_path / "none.pan")


def test_a_huge_file_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(_ducview_files, "MAX_XML_BYTES", 2**20)
    path = written(tmp_path, xml(text="x" * 2**20))
    with pytest.raises(FormatError, match=r"D0901-A\.pyr: the file is larger than 1 MiB"):
        read_pyramid(path)


def test_a_folder_of_duc_files(tmp_path):
    written(tmp_path, pyramid_bytes(PYRAMID), "D0901-A.PYR")
    for name in ("D0901-A.M.100.A.17.pan", "D0901-A-18.pan", "D0901-A-B.pan", "T2-C.pan"):
        written(tmp_path, peer_annotation_bytes(PEER), name)
    written(tmp_path, "about", "README")
    collection = FORMAT.read(tmp_path)
    assert set(collection.pyramids) == {("A", "D0901"), ("", "T2")}
    assert set(collection.peer_annotations) == {
        *(("A", "D0901", system, "", "") for system in ("17", "18", "B")),
        ("", "T2", "C", "", ""),
    }
    assert {(s.key, s.kind, s.role) for s in collection.summaries} == {
        (("A", "D0901", "17"), "machine", "peer"),
        (("A", "D0901", "18"), "machine", "peer"),
        (("A", "D0901", "B"), "human", "both"),
        (("A", "D0901", "C"), "human", "reference"),
        (("", "T2", "B"), "human", "reference"),
        (("", "T2", "C"), "human", "both"),
    }
    text = "The Zürich tram “Möwe” stopped.\nIt cost €3 million."
    assert collection.references("D0901", "A")[0].text == text
    assert collection.left_out == ("1 files that are neither .pyr nor .pan: README",)
    assert find_problems(collection) == []


@pytest.mark.parametrize("regex", ["[[-]{3,}\\n X\\n-+\\n", "(", "a{9999999999}", "nowhere", ""])
def test_references_are_found_whatever_the_expression(tmp_path, regex):
    pyramid = Pyramid("-----\n X\n-----\nRain.", start_document_regex=regex)
    collection = FORMAT.read(written(tmp_path, pyramid_bytes(pyramid)))
    assert [(s.system, s.text) for s in collection.summaries] == [("X", "Rain.")]


def test_a_person_who_is_a_peer_elsewhere_stays_a_person(tmp_path):
    written(tmp_path, pyramid_bytes(PYRAMID), "D0901-A.pyr")
    other = PeerAnnotation(Pyramid("-----\n X\n-----\nRain."), "Rain.")
    written(tmp_path, peer_annotation_bytes(other), "D0902-A-B.pan")
    kinds = {s.key: (s.kind, s.role) for s in FORMAT.read(tmp_path).summaries}
    assert kinds["A", "D0902", "B"] == ("human", "peer")
    assert kinds["A", "D0902", "X"] == ("human", "reference")


def test_one_file_is_a_collection_too(tmp_path):
    path = written(tmp_path, gzip.compress(peer_annotation_bytes(PEER), mtime=0), "D0901-A-17.pan")
    assert FORMAT.matches(path)
    collection = FORMAT.read(path)
    assert collection.name == "D0901-A-17"
    assert collection.pyramids == {("A", "D0901"): PYRAMID}
    assert collection.peer_annotations == {("A", "D0901", "17", "", ""): PEER}


def test_notes_of_a_folder_name_the_file_and_the_unit(tmp_path):
    written(tmp_path, xml(label="snow"), "T1-A.pyr")
    (line,) = FORMAT.read(tmp_path).left_out
    assert line == "T1-A.pyr: SCU 13: 'snow' is not at 4 to 9 nor anywhere else in the text"


def test_names_that_say_too_little_or_the_same(tmp_path):
    written(tmp_path, peer_annotation_bytes(PEER), "17.pan")
    with pytest.raises(FormatError, match=r"17\.pan: the name does not identify the annotation"):
        FORMAT.read(tmp_path)
    (tmp_path / "17.pan").unlink()
    for name in ("D0901-A.M.100.A.17.pan", "D0901-A-17.pan"):
        written(tmp_path, peer_annotation_bytes(PEER), name)
    assert FORMAT.read(tmp_path).left_out == ("D0901-A.M.100.A.17.pan, which repeats another file",)
    written(tmp_path, peer_annotation_bytes(replace(PEER, scus=())), name)
    with pytest.raises(FormatError, match="another file has the same topic, task and system"):
        FORMAT.read(tmp_path)


def test_a_folder_without_pyramids(tmp_path):
    written(tmp_path, "about", "README")
    assert not FORMAT.matches(tmp_path)
    assert not FORMAT.matches(tmp_path / "README")
    with pytest.raises(NotFoundError, match=r"there is no \.pyr or \.pan file"):
        FORMAT.read(tmp_path)


def test_what_has_no_place_is_counted(tmp_path):
    scores = {"topic": ["D0901"], "system": ["7"], "kind": ["machine"], "measure": ["m"]}
    collection = Collection(
        "mine",
        topics=(Topic("D0901"),),
        scores=Scores(scores, [1]),
        summaries=(Summary("D0901", "7", "It rained.", "A"),),
        pyramids={("A", "D0901"): PYRAMID},
    )
    assert FORMAT.write(collection, tmp_path / "mine", False) == (
        "1 topics",
        "1 scores",
        "1 summaries that are in no pyramid",
    )


def test_nothing_half_written_remains(tmp_path):
    collection = Collection(
        "mine", pyramids={("", "T1"): PYRAMID, ("", "T2"): Pyramid("rain\x0bfell")}
    )
    with pytest.raises(InputError, match=r"U\+000B in 'rain.*fell' cannot be written as XML"):
        FORMAT.write(collection, tmp_path / "mine", False)
    with pytest.raises(InputError, match=r"U\+0000"):
        write_pyramid(Pyramid("", start_document_regex="\0"), tmp_path / "a.pyr")
    with pytest.raises(InputError, match="the collection has no pyramids"):
        FORMAT.write(Collection("mine"), tmp_path / "mine", False)
    assert not list(tmp_path.iterdir())


class TestSharing:
    def test_equal_pyramids_are_one_object(self, tmp_path):
        written(tmp_path, pyramid_bytes(PYRAMID), "D0901-A.pyr")
        for system in range(3):
            written(tmp_path, peer_annotation_bytes(PEER), f"D0901-A-{system}.pan")
        other = replace(PYRAMID, scus=PYRAMID.scus[:1])
        changed = peer_annotation_bytes(replace(PEER, pyramid=other, scus=PEER.scus[:1]))
        written(tmp_path, changed, "D0901-A-3.pan")
        for source in (tmp_path, tmp_path / "mine"):
            collection = read_collection(source)
            pyramids = {id(peer.pyramid) for peer in collection.peer_annotations.values()}
            assert len(pyramids) == 2
            assert id(collection.pyramids["A", "D0901"]) in pyramids
            assert collection.peer_annotations["A", "D0901", "3", "", ""].pyramid == other
            if source == tmp_path:
                collection.save(tmp_path / "mine")

    def test_what_was_repaired_in_one_file_is_reported_though_another_has_the_same_pyramid(
        self, tmp_path
    ):
        # Names are read in their order: the annotation, whose offsets are right, comes first.
        written(tmp_path, peer_annotation_bytes(PEER), "D0901-A-1.pan")
        part = PYRAMID.scus[1].contributors[0].parts[0]
        wrong = pyramid_bytes(PYRAMID).replace(
            f'start="{part.start}"'.encode(), f'start="{part.start - 3}"'.encode()
        )
        written(tmp_path, wrong, "D0901-A.pyr")
        collection = read_collection(tmp_path)
        assert collection.pyramids["A", "D0901"] == PYRAMID
        assert collection.repaired == (
            f"D0901-A.pyr: SCU 2: 'It cost €3 million' is not at {part.start - 3} to {part.end} "
            f"but at {part.start} to {part.end}, which is used",
        )

    @given(st.lists(peers(), min_size=1, max_size=3))
    def test_what_is_read_does_not_depend_on_what_was_read_before(self, tmp_path_factory, peers):
        shared = SharedPyramids()
        path = tmp_path_factory.getbasetemp() / "shared.pan"
        for peer in (*peers, *peers):
            write_peer_annotation(peer, path)
            assert read_peer_annotation(path, shared=shared) == peer

    def test_a_damaged_file_names_its_own_line(self, tmp_path):
        shared = SharedPyramids()
        data = peer_annotation_bytes(PEER)
        read_peer_annotation(written(tmp_path, data, "D0901-A-1.pan"), shared=shared)
        path = written(tmp_path, data.replace(b"</annotation>", b"</anotation>"), "D0901-A-2.pan")
        with pytest.raises(FormatError) as alone:
            read_peer_annotation(path)
        with pytest.raises(FormatError) as after:
            read_peer_annotation(path, shared=shared)
        assert str(after.value) == str(alone.value)
        assert "line" in str(alone.value)

    def test_a_tag_inside_the_text_is_not_a_pyramid(self, tmp_path):
        shared = SharedPyramids()
        regex = "</pyramid>"
        peer = replace(PEER, pyramid=replace(PYRAMID, start_document_regex=regex))
        path = tmp_path / "D0901-A-1.pan"
        for _ in range(2):
            write_peer_annotation(peer, path)
            assert read_peer_annotation(path, shared=shared) == peer
