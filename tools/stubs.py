"""Write the signatures of questions into the fronts of packages (`__init__.pyi`): `make format`.

To export a question, add ``from MODULE import NAME as NAME`` to the front of its package, as for
any other name. This replaces that line with the signature that the options declare.
"""

import inspect
import re
import subprocess
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pyramidion

CHECKOUT = Path(__file__).parents[1]
ROOT = Path(pyramidion.__file__).parent
RUFF = Path(sys.executable).parent / "ruff"

#: A name that is exported: imported, or declared below a comment that names its module.
_EXPORT = re.compile(r"^(# )?from (\S+) import (?:\(\s+)?(\w+)(?(1)$| as \3\b)", re.M)

_NOTE = "# Signatures of questions: `make format` writes them from the declarations of options."


def main() -> None:
    """Bring the fronts of all packages up to date."""
    for front in fronts():
        text = current_text(front)
        if text != front.read_text(encoding="utf-8"):
            front.write_text(text, encoding="utf-8")
            print(f"{front.relative_to(ROOT.parent)} was updated")


def fronts() -> list[Path]:
    """List the fronts that export questions, but for the main one, which imports from others."""
    stubs = (stub for stub in sorted(ROOT.rglob("__init__.pyi")) if stub.parent != ROOT)
    return [stub for stub in stubs if any(map(_is_question, _exports(stub)[1].values()))]


def current_text(front: Path) -> str:
    """Return what a front should contain."""
    modules, values = _exports(front)
    questions = sorted(name for name, value in values.items() if _is_question(value))
    imports: set[str] = set()
    signatures = [
        f"# from {modules[name]} import {name}\n{_signature(name, values, imports)}"
        for name in questions
    ]
    imports |= {
        f"from {module} import {name} as {name}"
        for name, module in modules.items()
        if name not in questions
    }
    docstring = front.read_text(encoding="utf-8").partition("\n")[0]
    return _formatted("\n".join([docstring, "", *sorted(imports), "", _NOTE, *signatures, ""]))


def _exports(front: Path) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the modules of the names that a front exports, and what the names stand for."""
    exports = _EXPORT.findall(front.read_text(encoding="utf-8"))
    modules = {name: module for _, module, name in exports}
    return modules, {name: getattr(import_module(modules[name]), name) for name in modules}


def _is_question(value: Any) -> bool:
    return hasattr(value, "groups") and hasattr(value, "run")


def _signature(name: str, exported: Mapping[str, Any], imports: set[str]) -> str:
    """Write a question as a function, and add what has to be imported for it."""
    declared = inspect.signature(exported[name])
    modules: dict[str, str] = {}
    declared.return_annotation.write(modules)
    parameters = []
    for parameter in declared.parameters.values():
        parameter.annotation.write(modules)
        if not isinstance(parameter.default, str | int | float | tuple | type | None):
            parameter = parameter.replace(default=_Omitted())  # noqa: PLW2901
        parameters.append(parameter)
    text = f"def {name}{declared.replace(parameters=parameters)}: ..."
    for needed, module in modules.items():
        value, public = getattr(import_module(module), needed), _public_module(needed, module)
        if needed not in exported:
            imports.add(f"from {public} import {needed}")
        elif exported[needed] is not value:
            # The package exports something else under this name.
            imports.add(f"import {public}")
            text = re.sub(rf"(?<![\w.]){needed}\b", f"{public}.{needed}", text)
    return text


class _Omitted:
    def __repr__(self) -> str:
        return "..."


def _public_module(name: str, module: str) -> str:
    """Return the front that exports a name, if its package does; else the module itself."""
    package = ".".join(module.split(".")[: 2 if module.startswith("pyramidion.") else 1])
    same = getattr(import_module(package), name, None) is getattr(import_module(module), name)
    return package if same else module


def _formatted(text: str) -> str:
    for command in (["check", "--select=I", "--fix-only"], ["format"]):
        options = [*command, "--quiet", "--stdin-filename=front.pyi", "-"]
        done = subprocess.run(
            [RUFF, *options], input=text, capture_output=True, text=True, check=True, cwd=CHECKOUT
        )
        text = done.stdout
    return text


if __name__ == "__main__":
    main()
