"""What a release is made of: metadata, workflows, licenses, the lock file."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
ENGLISH = ROOT / "english" / "src" / "pyramidion_english"

SCHEMAS = {
    "vendor.github-workflows": sorted((ROOT / ".github" / "workflows").glob("*.yml")),
    "vendor.dependabot": [ROOT / ".github" / "dependabot.yml"],
    "vendor.readthedocs": [ROOT / ".readthedocs.yaml"],
    "vendor.citation-file-format": [ROOT / "CITATION.cff"],
}


@pytest.mark.parametrize(("schema", "files"), SCHEMAS.items())
def test_files_follow_their_schemas(schema, files):
    checker = pytest.importorskip("check_jsonschema")
    assert files
    arguments = ["--builtin-schema", schema, *map(str, files)]
    assert checker.main.main(arguments, standalone_mode=False) == 0


def test_workflows_run_commands_that_exist():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    groups = set(PROJECT["dependency-groups"])
    for workflow in (ROOT / ".github" / "workflows").glob("*.yml"):
        text = workflow.read_text(encoding="utf-8")
        assert set(re.findall(r"run: make (\S+)", text)) <= targets
        assert set(re.findall(r"--group (\S+)", text)) <= groups
        for folder in re.findall(r"tests/\w+", text):
            assert (ROOT / folder).is_dir()


def test_share_alike_files_are_not_part_of_the_base_package():
    assert "SA" not in PROJECT["project"]["license"]
    for notice in (ROOT / "src").rglob("*.md"):
        assert "BY-SA" not in notice.read_text(encoding="utf-8"), notice
    models = {path.name for path in (ROOT / "src").rglob("*.model")}
    assert models == set()


def test_every_model_and_list_has_a_notice():
    notice = (ENGLISH / "NOTICE.md").read_text(encoding="utf-8")
    for path in ENGLISH.iterdir():
        if path.suffix in (".model", ".gz", ".json") or path.name == "pipeline":
            assert path.name in notice
    lists = ROOT / "src" / "pyramidion" / "text" / "data"
    notice = (lists / "NOTICE.md").read_text(encoding="utf-8")
    for path in lists.iterdir():
        assert path.name in notice or path.name == "NOTICE.md"
    for file in PROJECT["project"]["license-files"]:
        assert (ROOT / file).exists()
    # Notices of packages are part of what is installed, and of its metadata.
    notices = {str(path.relative_to(ROOT)) for path in (ROOT / "src").rglob("NOTICE.md")}
    assert notices <= set(PROJECT["project"]["license-files"])
    assert "nanobind" in (ROOT / "src/pyramidion/kernels/NOTICE.md").read_text(encoding="utf-8")


def test_the_lock_has_a_hash_for_everything_that_is_declared():
    lock = (ROOT / ".ci" / "requirements.txt").read_text(encoding="utf-8")
    names = dict(re.findall(r"^(\S+)==\S+ --hash=sha256:([0-9a-f]{64})$", lock, re.M))
    assert len(names) == len(lock.splitlines())
    declared = [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["test"]]
    declared = {re.match(r"[\w-]+", name)[0].lower() for name in declared}
    assert declared <= set(names)
