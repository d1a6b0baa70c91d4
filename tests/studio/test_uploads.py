"""Importing: formats are recognized as by `convert`, and harmful files are refused."""

import gzip
import html
import io
import re
import stat
import struct
import zipfile
from pathlib import Path

import pytest

from pyramidion import demo
from pyramidion.collection import Collection, Pyramid
from pyramidion.collection.pyramids import joined_references

DEMO = Path(demo.__file__).parent / "collection"
PYRAMID = next((DEMO / "pyramids").glob("*.pyr"))
CSV = "id,model,prediction,target,coh\nT1,x,Rain fell.,It rained.,4\nT1,y,Sun.,It rained.,2\n"


def zipped(*entries, method=zipfile.ZIP_DEFLATED):
    """A ZIP file of pairs of a name (or a `ZipInfo`) and a content."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return buffer.getvalue()


def send(studio, *files, **fields):
    """Upload files: to preview them, or to import them with ``action="import"``."""
    parts = [("files", file) for file in files]
    return studio.organizer.post("/evaluations/import", files=parts, data=fields)


def preview(studio, *files, **fields):
    """The rows of the preview's tables, as a dictionary."""
    answer = send(studio, *files, **fields)
    assert answer.status_code == 200, answer.text
    return dict(re.findall('<tr><th scope="row">(.*?)</th><td>(.*?)</td></tr>', answer.text))


def imported(studio, *files, **fields):
    """Import files; return the collection as it is exported."""
    answer = send(studio, *files, action="import", **fields)
    assert answer.status_code == 303, answer.text
    return studio.collection(answer.headers["location"].rpartition("/")[2])


def refusal(studio, *files):
    """The message of the page that refuses files, without markup."""
    answer = send(studio, *files)
    assert answer.status_code == 422, answer.text
    assert "Nothing was imported." in answer.text
    [message] = re.findall('<p class="wrong" role="alert">(.*?)</p>', answer.text)
    return html.unescape(re.sub("<.*?>", "", message))


def demo_files(prefix=""):
    paths = sorted(path for path in DEMO.rglob("*") if path.is_file())
    return [(prefix + path.relative_to(DEMO).as_posix(), path.read_bytes()) for path in paths]


def test_a_zip_of_a_folder_is_the_folder(studio):
    file = ("demo.zip", zipped(*demo_files("my demo/"), ("__MACOSX/x", b"")))
    rows, loaded = preview(studio, file), demo.load_demo()
    assert rows["summaries to judge"] == "48"
    assert int(rows["documents"]) == sum(len(topic.documents) for topic in loaded.topics)
    assert int(rows["scores"]) == len(loaded.scores)
    assert int(rows["systems"]) == len({s.system for s in loaded.summaries if s.is_peer})
    assert "preferences" not in rows
    assert imported(studio, file).summaries == loaded.summaries


def test_a_dropped_folder_comes_file_by_file(studio):
    collection = imported(studio, *demo_files("demo/"), ("demo/.DS_Store", b"x"))
    assert collection.summaries == demo.load_demo().summaries


def test_a_folder_without_settings_is_a_collection(studio):
    files = [(name, content) for name, content in demo_files() if not name.endswith(".toml")]
    collection = imported(studio, *files)
    assert collection.topics == demo.load_demo().topics
    assert len(collection.pyramids) == 12


def test_gzipped_tables_are_read(studio):
    rows = preview(studio, ("mine.csv.gz", gzip.compress(CSV.encode())))
    assert rows["summaries to judge"] == "2"


def test_a_table_shows_what_was_recognized(studio):
    rows = preview(studio, ("mine.csv", CSV.encode()))
    assert rows["system"] == "model"
    assert rows["summaries to judge"] == "2"
    file = ("m.csv", b"a,b,c\nT1,x,Rain.\n")
    collection = imported(studio, file, columns="topic=a, system=b,text=c")
    assert collection.summaries[0].plain == "Rain."


def test_files_of_several_kinds_become_one_collection(studio):
    scores = b"topic,system,measure,value\nT1,x,fluency,4\n"
    files = [("mine.csv", CSV.encode()), ("s.csv", scores), ("a/T1.pyr", PYRAMID.read_bytes())]
    collection = imported(studio, *files)
    # The pyramid adds its references.
    assert (len(collection.summaries), len(collection.pyramids)) == (7, 1)
    assert set(collection.scores.measures) == {"coh", "fluency"}
    message = refusal(studio, ("mine.csv", CSV.encode()), ("again.csv", CSV.encode()))
    assert "repeated score" in message


def test_two_files_that_differ_are_refused(studio, tmp_path):
    for name, text in (("first", "Rain."), ("second", "Sun.")):
        pyramid = Pyramid(joined_references({"A": text}))
        Collection(name, pyramids={("", "T1"): pyramid}).save(tmp_path / f"{name}.pyramids.jsonl")
    files = [(path.name, path.read_bytes()) for path in tmp_path.glob("*.jsonl")]
    assert (
        refusal(studio, *files) == "two files have different entries for T1. Send only one of them."
    )


def bomb(size=2**30):
    """A ZIP file whose one entry unpacks to a gigabyte."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("a", "w") as f:
        for _ in range(size >> 20):
            f.write(bytes(2**20))
    return buffer.getvalue()


def gzipped(size):
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="w") as file:
        for _ in range(size >> 20):
            file.write(bytes(2**20))
    return buffer.getvalue()


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
        ("b.zip", lambda: bomb(65 * 2**20), "a: it unpacks to more than 64 MB. Send less."),
        ("b.csv.gz", lambda: gzipped(65 * 2**20), "b.csv.gz: it unpacks to more than 64 MB"),
        ("d.csv.gz", lambda: gzipped(2**20)[:-9], "d.csv.gz: cannot be unpacked"),
        ("t.zip", lambda: zipped(("../../up.csv", CSV)), "'../../up.csv' is not a file name"),
        ("t.zip", lambda: zipped(("/etc/up.csv", CSV)), "'/etc/up.csv' is not a file name"),
        ("t.zip", lambda: zipped(("a\\..\\up.csv", CSV)), "is not a file name inside a folder"),
        ("t.zip", lambda: zipped(("C:up.csv", CSV)), "is not a file name inside a folder"),
        ("../up.csv", CSV.encode, "'../up.csv' is not a file name inside a folder"),
        ("s.zip", link, "s.zip: 'passwd' is a link. Pack the files themselves."),
        ("e.zip", encrypted, "e.zip: it is encrypted"),
        ("d.zip", lambda: zipped(("a.csv", CSV))[:-30], "d.zip: cannot be unpacked"),
        ("l.zip", long_list, "there are more than 10,000 files"),
        ("x.xlsx", lambda: zipped(("[Content_Types].xml", "")), "x.xlsx: this is a workbook"),
        ("z.zip", zipped, "the upload has no files"),
        ("a.pyr", lambda: LAUGHS, "a.pyr"),
        ("a.pyr", lambda: OUTSIDE, "a.pyr"),
        ("l.csv", lambda: CSV.replace("Sun", "Sön").encode("latin-1"), "is not UTF-8"),
        ("u.csv", lambda: CSV.encode("utf-16"), "the text is UTF-16, not UTF-8"),
        ("n.txt", lambda: b"nothing of ours", "the format is not recognized"),
        ("e.csv", lambda: b"", "the file is empty"),
        ("q.csv", lambda: CSV.replace(",4\n", ",4,5\n").encode(), "q.csv, line 2"),
    ],
)  # fmt: skip
def test_problems_are_explained_in_one_line(studio, name, content, message):
    shown = refusal(studio, (name, content()))
    assert message in shown
    assert "pyramidion-" not in shown  # the temporary folder
    assert "--from" not in shown


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
    assert studio.rows("evaluations", "id") == []


def test_too_many_files(studio):
    archive = zipped(*((str(number), b"") for number in range(10_001)), method=zipfile.ZIP_STORED)
    assert "there are more than 10,000 files" in refusal(studio, ("a.zip", archive))


def test_looking_keeps_nothing_and_importing_makes_an_evaluation(studio):
    archive = zipped(*demo_files("demo/"))
    seen = studio.organizer.post("/evaluations/import", files=[("files", ("d.zip", archive))])
    assert seen.status_code == 200
    assert "Recognized: a folder with collection.toml" in seen.text
    assert studio.rows("evaluations", "id") == []
    answer = studio.organizer.post(
        "/evaluations/import",
        files=[("files", ("d.zip", archive))],
        data={"action": "import", "name": "Spring"},
    )
    assert answer.status_code == 303
    [(token, name)] = studio.rows("evaluations", "token, name")
    assert (answer.headers["location"], name) == (f"/evaluations/{token}", "Spring")
    assert studio.collection(token).summaries == demo.load_demo().summaries


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
