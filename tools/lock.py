"""Write `.ci/requirements.txt`: the versions that are installed, with hashes of their files.

``make tool NAME=lock`` in the environment that has just passed the tests; ``make LOCKED=1 ...``
installs exactly these files (CPython 3.11 on Linux). Where they come from is up to the installer.
"""

import json
import subprocess
import sys
import tempfile
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / ".ci" / "requirements.txt"
LOCAL = {"pyramidion", "pyramidion-english"}


def declared() -> list[Requirement]:
    """List what the project declares, for itself, its extra ``all`` and its group ``dev``."""
    content = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project, groups = content["project"], content["dependency-groups"]
    optional = project["optional-dependencies"]
    requirements: list[Requirement] = []
    names = [*project["dependencies"], *optional["all"], *_group(groups, "dev")]
    for requirement in map(Requirement, names):
        direct = [requirement] if requirement.name != project["name"] else []
        requirements += direct or [
            Requirement(more) for extra in requirement.extras for more in optional[extra]
        ]
    return [requirement for requirement in requirements if requirement.name not in LOCAL]


def _group(groups: dict[str, list[str | dict[str, str]]], name: str) -> list[str]:
    members: list[str] = []
    for member in groups[name]:
        members += [member] if isinstance(member, str) else _group(groups, member["include-group"])
    return members


def installed() -> dict[str, str]:
    """Return the version of each package that is needed, directly or by another."""
    waiting, versions, seen = declared(), dict[str, str](), set[str]()
    while waiting:
        requirement = waiting.pop()
        if str(requirement) in seen:
            continue
        seen.add(str(requirement))
        try:
            package = distribution(requirement.name)
        except PackageNotFoundError:
            raise SystemExit(f"{requirement.name} is not installed: make test first") from None
        versions[canonicalize_name(requirement.name)] = package.version.partition("+")[0]
        for more in map(Requirement, package.requires or ()):
            extras = ("", *requirement.extras)
            if more.marker is None or any(more.marker.evaluate({"extra": e}) for e in extras):
                waiting.append(more)
    return versions


def locked(versions: dict[str, str]) -> list[str]:
    """Return the lines of the lock file; pip reports the hash of each file."""
    pinned = [f"{name}=={version}" for name, version in sorted(versions.items())]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        subprocess.run(
            [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--no-deps",
             "--ignore-installed", "--report", str(report), *pinned],
            check=True,
        )  # fmt: skip
        items = json.loads(report.read_text())["install"]
    hashes = {
        canonicalize_name(item["metadata"]["name"]): item["download_info"]["archive_info"]
        for item in items
    }
    return [
        f"{name}=={version} --hash=sha256:{hashes[name]['hashes']['sha256']}\n"
        for name, version in sorted(versions.items())
    ]


if __name__ == "__main__":
    LOCK.write_text("".join(locked(installed())))
