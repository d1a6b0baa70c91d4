"""The order of the house: imports point one way, public names are what they say."""

import ast
import importlib
import inspect
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import pyramidion

PACKAGE = Path(pyramidion.__file__).parent

# Lowest first; rooms on one floor do not import each other.
FLOORS = (
    ("_types", "errors"),
    ("stats", "kernels"),
    ("engine",),
    ("text",),
    ("collection",),
    ("rouge",),
    ("pyramid", "rewriting"),
    ("summarizers",),
    ("metrics",),
    ("classy",),
    ("evaluation",),
    ("report",),
    ("demo",),
    ("studio", "cli"),
)
FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}


def room_of(module: str) -> str | None:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[0] == "pyramidion" else None


def imported_modules(file: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def source_files() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE)


def test_every_room_has_a_floor():
    rooms = {path.relative_to(PACKAGE).parts[0] for path in source_files()}
    assert rooms <= FLOOR.keys()


@pytest.mark.parametrize("file", source_files(), ids=lambda f: str(f.relative_to(PACKAGE)))
def test_imports_point_down(file):
    room = file.relative_to(PACKAGE).parts[0]
    for module in imported_modules(file):
        other = room_of(module)
        if other in FLOOR and other != room:
            assert FLOOR[other] < FLOOR[room], f"{room} must not import {module}"


def test_public_names_are_sorted_and_there():
    assert pyramidion.__all__ == sorted(pyramidion.__all__)
    for name in pyramidion.__all__:
        assert getattr(pyramidion, name).__name__ == name
    assert set(pyramidion.__all__) <= set(dir(pyramidion))
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = pyramidion.Nothing


def test_every_module_lists_its_names():
    for info in pkgutil.walk_packages(pyramidion.__path__, "pyramidion."):
        module = importlib.import_module(info.name)
        if info.name.rpartition(".")[2].startswith("_"):
            continue
        names = module.__all__
        assert sorted(names) == sorted(set(names)), info.name
        for name in names:
            value = getattr(module, name)
            if inspect.isclass(value) or inspect.isroutine(value):
                assert value.__doc__, f"{info.name}.{name}"


@pytest.mark.parametrize("statement", ["import pyramidion", "import pyramidion.cli.app"])
def test_import_is_light(statement):
    heavy = "{'scipy', 'matplotlib', 'fastapi', 'pandas', 'polars', 'spacy', 'sklearn', 'numpy'}"
    code = f"{statement}; import sys; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
