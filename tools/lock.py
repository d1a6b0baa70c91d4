"""Write down the versions that are installed of all that the tests need, for `.ci/constraints.txt`.

``make tool NAME=lock`` in the environment that has just passed the tests; ``make LOCKED=1 ...``
installs these versions. Versions only: where they come from is the matter of whoever installs them.
"""

import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
EXTRAS = ("all", "dev")


def declared() -> list[Requirement]:
    """List what the project declares, for itself and its extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    optional = project["optional-dependencies"]
    requirements: list[Requirement] = []
    names = [*project["dependencies"], *(name for extra in EXTRAS for name in optional[extra])]
    for requirement in map(Requirement, names):
        direct = [requirement] if requirement.name != project["name"] else []
        requirements += direct or [
            Requirement(more) for extra in requirement.extras for more in optional[extra]
        ]
    return requirements


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


if __name__ == "__main__":
    lines = [f"{name}=={version}\n" for name, version in sorted(installed().items())]
    (ROOT / ".ci" / "constraints.txt").write_text("".join(lines))
