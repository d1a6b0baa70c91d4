"""Importing: any format `convert` knows is recognized, and nothing that is meant to do harm."""

import gzip
import io
import stat
import struct
import zipfile
from pathlib import Path

import pytest

from pyramidion import demo
from pyramidion.collection import Collection, Pyramid
from pyramidion.collection.pyramids import joined_references
from pyramidion.errors import InputError
from pyramidion.studio import _uploads
from pyramidion.studio._evaluations import imported_collection
from pyramidion.studio._store import Evaluation
from pyramidion.studio._uploads import read_upload

DEMO = Path(demo.__file__).parent / "collection"
PYRAMID = next((DEMO / "pyramids").glob("*.pyr"))
CSV = "id,model,prediction,target,coh\nT1,x,Rain fell.,It rained.,4\nT1,y,Sun.,It rained.,2\n"


def zipped(*entries, method=zipfile.ZIP_DEFLATED):
    """A ZIP file of pairs of a name, or more about it, and a content."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return made.getvalue()


def read(*files, **options):
    return read_upload([(name, io.BytesIO(content)) for name, content in files], **options)


def demo_files(prefix=""):
    paths = sorted(path for path in DEMO.rglob("*") if path.is_file())
    return [(prefix + path.relative_to(DEMO).as_posix(), path.read_bytes()) for path in paths]


def test_a_zip_of_a_folder_is_the_folder():
    found = read(("demo.zip", zipped(*demo_files("my demo/"), ("__MACOSX/x", b""))))
    assert found.reading.format == "collection"
    assert found.reading.collection == demo.load_demo()
    assert found.counts["summaries to judge"] == 48


def test_a_folder_that_was_dropped_comes_file_by_file():
    found = read(*demo_files("demo/"), ("demo/.DS_Store", b"x"))
    assert found.reading.collection == demo.load_demo()


def test_a_folder_without_settings_is_a_collection():
    files = [(name, content) for name, content in demo_files() if not name.endswith(".toml")]
    own = read(*files).reading.collection
    assert own.topics == demo.load_demo().topics
    assert len(own.pyramids) == 12


def test_gzipped_tables_are_read():
    found = read(("mine.csv.gz", gzip.compress(CSV.encode())))
    assert found.counts["summaries to judge"] == 2


def test_a_table_shows_what_was_recognized():
    found = read(("mine.csv", CSV.encode()))
    assert found.reading.format == "table"
    assert dict(found.reading.columns)["system"] == "model"
    assert found.counts["summaries to judge"] == 2
    mine = read(("m.csv", b"a,b,c\nT1,x,Rain.\n"), columns="topic=a, system=b,text=c")
    assert mine.reading.collection.summaries[0].plain == "Rain."


def test_files_of_several_kinds_become_one_collection():
    scores = b"topic,system,measure,value\nT1,x,fluency,4\n"
    found = read(("mine.csv", CSV.encode()), ("s.csv", scores), ("a/T1.pyr", PYRAMID.read_bytes()))
    own = found.reading.collection
    assert (len(own.summaries), len(own.pyramids)) == (7, 1)  # the pyramid brings its references
    assert set(own.scores.measures) == {"coh", "fluency"}
    with pytest.raises(InputError, match="repeated score"):
        read(("mine.csv", CSV.encode()), ("again.csv", CSV.encode()))


def test_two_files_that_differ_are_refused(tmp_path):
    for name, text in (("one", "Rain."), ("two", "Sun.")):
        pyramid = Pyramid(joined_references({"A": text}))
        Collection(name, pyramids={("", "T1"): pyramid}).save(tmp_path / f"{name}.pyramids.jsonl")
    files = [(path.name, path.read_bytes()) for path in tmp_path.iterdir()]
    with pytest.raises(InputError, match="two files differ about T1; send one of them"):
        read(*files)


def bomb(size=2**30):
    """A ZIP file whose one entry unpacks to a gigabyte."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("a", "w") as f:
        for _ in range(size >> 20):
            f.write(bytes(2**20))
    return made.getvalue()


def gzipped(size):
    made = io.BytesIO()
    with gzip.GzipFile(fileobj=made, mode="w") as file:
        for _ in range(size >> 20):
            file.write(bytes(2**20))
    return made.getvalue()


def link():
    entry = zipfile.ZipInfo("passwd")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return zipped((entry, "/etc/passwd"))


def encrypted():
    data = bytearray(zipped(("a.csv", CSV)))
    for head, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(head) + at] |= 1
    return bytes(data)


def long_list():
    data = bytearray(zipped(("a.csv", CSV)))
    struct.pack_into("<I", data, data.index(b"PK\x05\x06") + 12, 2**31)
    return bytes(data)


LAUGHS = b"""<?xml version="1.0"?><!DOCTYPE pyramid [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;">]><pyramid><text><line>&c;</line></text></pyramid>"""
OUTSIDE = b"""<?xml version="1.0"?><!DOCTYPE pyramid [<!ENTITY a SYSTEM "file:///etc/passwd">]>
<pyramid><text><line>&a;</line></text></pyramid>"""


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("b.zip", lambda: bomb(65 * 2**20), "a: it unpacks to more than 64 MB; send less"),
        ("b.csv.gz", lambda: gzipped(65 * 2**20), "b.csv.gz: it unpacks to more than 64 MB"),
        ("d.csv.gz", lambda: gzipped(2**20)[:-9], "d.csv.gz: cannot be unpacked"),
        ("t.zip", lambda: zipped(("../../up.csv", CSV)), "'../../up.csv' is no name of a file"),
        ("t.zip", lambda: zipped(("/etc/up.csv", CSV)), "'/etc/up.csv' is no name of a file"),
        ("t.zip", lambda: zipped(("a\\..\\up.csv", CSV)), "is no name of a file"),
        ("t.zip", lambda: zipped(("C:up.csv", CSV)), "is no name of a file"),
        ("../up.csv", CSV.encode, "'../up.csv' is no name of a file"),
        ("s.zip", link, "s.zip: 'passwd' is a link; pack the files themselves"),
        ("e.zip", encrypted, "e.zip: it is encrypted"),
        ("d.zip", lambda: zipped(("a.csv", CSV))[:-30], "d.zip: cannot be unpacked"),
        ("l.zip", long_list, "there are more than 10,000 files"),
        ("x.xlsx", lambda: zipped(("[Content_Types].xml", "")), "x.xlsx: this is a workbook"),
        ("z.zip", zipped, "there are no files in it"),
        ("a.pyr", lambda: LAUGHS, "a.pyr"),
        ("a.pyr", lambda: OUTSIDE, "a.pyr"),
        ("l.csv", lambda: CSV.replace("Sun", "Sön").encode("latin-1"), "is not UTF-8"),
        ("u.csv", lambda: CSV.encode("utf-16"), "the text is UTF-16, not UTF-8"),
        ("n.txt", lambda: b"nothing of ours", "the format is not recognized"),
        ("e.csv", lambda: b"", "the file is empty"),
        ("q.csv", lambda: CSV.replace(",4\n", ",4,5\n").encode(), "q.csv, line 2"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_in_one_line(name, content, message):
    with pytest.raises(InputError) as refused:
        read((name, content()))
    assert message in str(refused.value)
    assert "pyramidion-" not in str(refused.value)  # our own folder


def test_nothing_is_half_imported(studio):
    traps = [("t.zip", zipped(("../up.csv", CSV))), ("s.zip", link()), ("a.pyr", LAUGHS)]
    for file in [*traps, ("l.csv", "topic\nÜ\n".encode("latin-1")), ("b.zip", bomb(65 * 2**20))]:
        answer = studio.organizer.post(
            "/evaluations/import",
            files=[("files", ("good.csv", CSV.encode())), ("files", file)],
            data={"action": "import"},
        )
        assert answer.status_code == 422
        assert "Nothing was imported." in answer.text
    with studio.store.read() as session:
        assert session.query(Evaluation).count() == 0


def test_too_many_files(monkeypatch):
    monkeypatch.setattr(_uploads, "MOST_FILES", 3)
    with pytest.raises(InputError, match="there are more than 3 files"):
        read(("a.zip", zipped(*((f"{n}.csv", CSV) for n in range(4)))))


def test_looking_keeps_nothing_and_importing_makes_an_evaluation(studio):
    archive = zipped(*demo_files("demo/"))
    seen = studio.organizer.post("/evaluations/import", files=[("files", ("d.zip", archive))])
    assert seen.status_code == 200
    assert "Recognized: a folder with collection.toml" in seen.text
    with studio.store.read() as session:
        assert session.query(Evaluation).count() == 0
    made = studio.organizer.post(
        "/evaluations/import",
        files=[("files", ("d.zip", archive))],
        data={"action": "import", "name": "Spring"},
    )
    assert made.status_code == 303
    with studio.store.read() as session:
        evaluation = session.query(Evaluation).one()
        assert made.headers["location"] == f"/evaluations/{evaluation.token}"
        assert evaluation.name == "Spring"
        assert imported_collection(session, evaluation) == demo.load_demo()


def test_importing_works_without_scripts(studio):
    csrf = studio.organizer.headers.pop("X-CSRF-Token")
    files = [("files", ("m.csv", CSV.encode()))]
    form = {"action": "import", "csrf": csrf}
    assert studio.organizer.post("/evaluations/import", files=files, data=form).status_code == 303
    other = {"action": "import", "csrf": "guessed"}
    assert studio.organizer.post("/evaluations/import", files=files, data=other).status_code == 403


def test_only_organizers_import(studio):
    files = [("files", ("m.csv", CSV.encode()))]
    assert studio.person("Ann").post("/evaluations/import", files=files).status_code == 404
    assert studio.person("Ann").get("/evaluations/new").status_code == 404
    assert studio.stranger().post("/evaluations/import", files=files).status_code == 303
    assert studio.organizer.get("/evaluations/new").status_code == 200
