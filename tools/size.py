"""Print how large the source is, by package: files, lines, code and docstrings.

``make tool NAME=size``. Code lines are what is left without blank lines, comments, docstrings and
imports. Two sums follow the totals: what lies between a result and the terminal (``rendering``
and ``cli``), and the files elsewhere that hold views and charts (by their name, or
because they import ``pyramidion.rendering``).
"""

import ast
import io
import tokenize
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src" / "pyramidion"
PRESENTATION = ("rendering", "cli")
PLUGINS = ("classy", "datasets", "logs", "rewriting", "studies", "studio")
VIEW_NAMES = ("_view*.py", "view*.py", "_charts*.py", "*chart*.py")
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}


@dataclass(frozen=True)
class Size:
    """Files and their lines."""

    files: int = 0
    lines: int = 0
    code: int = 0
    docstrings: int = 0

    def __add__(self, other: "Size") -> "Size":
        return Size(
            self.files + other.files,
            self.lines + other.lines,
            self.code + other.code,
            self.docstrings + other.docstrings,
        )


@dataclass(frozen=True)
class Module:
    """A file of the source, and what the sums ask about it."""

    package: str
    size: Size
    shows: bool


def spanned(node: ast.stmt) -> range:
    """Return the numbers of the lines a statement stands on."""
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def docstring_lines(tree: ast.Module) -> set[int]:
    """Find the lines of all docstrings."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, DOCUMENTED)]
    bodies = [node.body for node in nodes if ast.get_docstring(node, clean=False) is not None]
    return {line for body in bodies for line in spanned(body[0])}


def import_lines(tree: ast.Module) -> set[int]:
    """Find the lines of all imports."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    return {line for node in nodes for line in spanned(node)}


def written_lines(text: str) -> set[int]:
    """Find the lines that hold more than space and comments."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    spans = [(t.start[0], t.end[0] + 1) for t in tokens if t.type not in LAYOUT]
    blank = {number for number, row in enumerate(text.splitlines(), start=1) if not row.strip()}
    return {number for span in spans for number in range(*span)} - blank


def size_of(text: str, tree: ast.Module) -> Size:
    """Count the lines of one file."""
    documented = docstring_lines(tree)
    code = written_lines(text) - documented - import_lines(tree)
    return Size(1, len(text.splitlines()), len(code), len(documented))


def imports_rendering(tree: ast.Module) -> bool:
    """Return whether a module imports ``pyramidion.rendering``."""
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return any(f"{name}.".startswith("pyramidion.rendering.") for name in names)


def read(path: Path) -> Module:
    """Measure a file."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    parts = path.relative_to(SOURCE).parts
    named = any(fnmatch(path.name, pattern) for pattern in VIEW_NAMES)
    package = parts[0] if len(parts) > 1 else "(top)"
    elsewhere = package not in PRESENTATION
    return Module(package, size_of(text, tree), elsewhere and (named or imports_rendering(tree)))


def total(modules: list[Module]) -> Size:
    """Add up modules."""
    return sum((module.size for module in modules), Size())


def line(name: str, size: Size) -> str:
    """Write a line of the table."""
    return f"{name:<40}{size.files:>7,}{size.lines:>10,}{size.code:>10,}{size.docstrings:>12,}"


def main() -> None:
    """Print the table."""
    modules = [read(path) for path in sorted(SOURCE.rglob("*.py"))]
    print(f"{'package':<40}{'files':>7}{'lines':>10}{'code':>10}{'docstrings':>12}")
    core = [module for module in modules if module.package not in PLUGINS]
    for package in sorted({module.package for module in core}):
        print(line(package, total([m for m in core if m.package == package])))
    print(line("core", total(core)))
    print()
    for package in PLUGINS:
        print(line(package, total([m for m in modules if m.package == package])))
    print(line("all", total(modules)))
    print()
    shown = [m for m in modules if m.package in PRESENTATION]
    views = [m for m in modules if m.shows]
    print(line(" + ".join(PRESENTATION), total(shown)))
    print(line("views and charts elsewhere", total(views)))
    print(line("both", total(shown + views)))


if __name__ == "__main__":
    main()
