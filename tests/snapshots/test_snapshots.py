"""What every command answers is what it answered before; see "Snapshots" in CONTRIBUTING.md."""

import pytest
import typer

from pyramidion.cli.app import build_app
from snapshots import recording
from snapshots.cases import CASES, LONG, NEWER
from snapshots.inputs import provide


@pytest.fixture(scope="session")
def inputs(tmp_path_factory):
    return tmp_path_factory.mktemp("snapshots").resolve()


def _case(name):
    return pytest.param(name, marks=[pytest.mark.long] if name in LONG else [])


@pytest.mark.parametrize("name", [_case(name) for name in CASES])
def test_the_answer_is_as_before(name, inputs):
    for package, version in NEWER.get(name, {}).items():
        pytest.importorskip(package, version, reason=f"recorded with {package} {version}")
    provide(CASES[name], inputs)
    changed = recording.difference(name, recording.record(CASES[name], inputs))
    if changed:
        pytest.fail(changed, pytrace=False)


def _commands(group, path=()):
    for name, command in getattr(group, "commands", {}).items():
        yield from _commands(command, (*path, name))
    if not hasattr(group, "commands"):
        yield " ".join(path)


def test_every_command_has_a_case():
    cases = [f"{case} " for case in CASES.values()]
    missing = [
        command
        for command in _commands(typer.main.get_command(build_app(())))
        if not any(case.startswith(f"{command} ") for case in cases)
    ]
    # The studio does not answer but goes on.
    assert missing == ["serve"]


def test_every_snapshot_has_a_case():
    assert {path.name for path in recording.RECORDED.iterdir()} == {
        recording.path_of(name).name for name in CASES
    }


def test_a_change_is_reported_by_case_and_section(tmp_path, monkeypatch):
    monkeypatch.setattr(recording, "RECORDED", tmp_path)
    recording.save("one", "════════ table\na 0.1\nb 0.2\n════════ csv\na,0.1\n")
    now = "════════ table\na 0.1\nb 0.3\n════════ csv\na,0.1\n"
    lines = recording.difference("one", now).splitlines()
    assert lines[0] == "one: changed in table (`make snapshots` accepts it)"
    assert lines[-2:] == ["-b 0.2", "+b 0.3"]
    assert recording.difference("one", now.replace("0.3", "0.2")) == ""
    assert "there is no snapshot" in recording.difference("other", now)


def test_numbers_are_kept_to_nine_digits(tmp_path):
    def normalized(text):
        return recording.normalized(text, tmp_path)

    assert normalized("0.1234567891234 -12.000000000001") == "0.123456789 -12"
    assert normalized("3.1e-17 -0.25 0.0001") == "0.0 -0.25 0.0001"
    assert normalized(f"{tmp_path}/a.csv") == "<folder>/a.csv"


def test_a_number_that_is_rounded_to_one_is_one(tmp_path, monkeypatch):
    monkeypatch.setattr(recording, "RECORDED", tmp_path)
    recording.save("one", "════════ csv\n1,0.25\n")
    assert recording.difference("one", "════════ csv\n1.0,0.25\n") == ""
    assert recording.difference("one", "════════ csv\n1.02,0.25\n") != ""


def test_last_digits_may_differ_between_processors(tmp_path, monkeypatch):
    monkeypatch.setattr(recording, "RECORDED", tmp_path)
    recording.save("one", "════════ csv\nT1,3.14159265,12,0.0,0.25\nT2,1\n")

    def changed(*cells):
        return recording.difference("one", f"════════ csv\nT1,{','.join(cells)}\nT2,1\n")

    assert not changed("3.14159312", "12", "1.23456789e-12", "0.25")
    assert changed("3.14159912", "12", "0.0", "0.25")
    assert changed("3.14159265", "13", "0.0", "0.25")
    assert changed("3.14159265", "12", "0.0", "0.250001")
    assert "-T1" in changed("3.14159312", "12", "0.0", "0.26")
