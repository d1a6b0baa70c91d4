"""Write down the versions that are installed of all that the tests need, for `.ci/constraints.txt`.

Run by ``make lock`` in the environment that has just passed the tests. Versions only: where they
come from is the matter of whoever installs them.
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
    found: list[Requirement] = []
    names = [*project["dependencies"], *(one for extra in EXTRAS for one in optional[extra])]
    for one in map(Requirement, names):
        own = [one] if one.name != project["name"] else []
        found += own or [Requirement(more) for extra in one.extras for more in optional[extra]]
    return found


def installed() -> dict[str, str]:
    """Return the version of each package that is needed, directly or by another."""
    waiting, found, seen = declared(), dict[str, str](), set[str]()
    while waiting:
        one = waiting.pop()
        if str(one) in seen:
            continue
        seen.add(str(one))
        try:
            there = distribution(one.name)
        except PackageNotFoundError:
            raise SystemExit(f"{one.name} is not installed: make test first") from None
        found[canonicalize_name(one.name)] = there.version.partition("+")[0]
        for more in map(Requirement, there.requires or ()):
            extras = ("", *one.extras)
            if more.marker is None or any(more.marker.evaluate({"extra": e}) for e in extras):
                waiting.append(more)
    return found


if __name__ == "__main__":
    for name, version in sorted(installed().items()):
        print(f"{name}=={version}")
