"""How the documentation is built: `make docs`."""

import base64
import contextlib
import io
import math
import re
import runpy
import shutil
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import MISSING
from importlib import import_module
from inspect import Signature, isfunction, signature
from itertools import groupby
from pathlib import Path
from textwrap import wrap
from typing import Annotated, Any, ClassVar, get_args, get_origin

from docutils import nodes
from docutils.parsers.rst import directives
from latex2mathml.converter import convert
from sphinx.util.docutils import SphinxDirective

sys.path.insert(0, str(Path(__file__).parent))

from outputs import (
    SIGNATURE,
    SNIPPETS,
    WIDTH,
    joined_lines,
    page_folder,
    prepare,
    run_command,
    terminal_in,
)

import pyramidion
from pyramidion.cli._command import load_command
from pyramidion.cli._list import command_specs
from pyramidion.questions import CommandSpec, OptionSpec
from pyramidion.questions._annotations import TypeText
from pyramidion.questions.options import format_value

project = "Pyramidion"
author = "The Pyramidion authors"
copyright = "2026, The Pyramidion authors"
release = pyramidion.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
]
copybutton_prompt_text = "$ "
copybutton_line_continuation_character = "\\"

html_theme = "furo"
html_title = f"Pyramidion {release}"
exclude_patterns = ["_build"]
html_static_path = ["_static"]
html_css_files = ["docs.css"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
smartquotes = False  # they turn the dashes of options into one
html_math_renderer = "mathml"
suppress_warnings = ["ref.citation"]  # references are listed, not all are quoted
autodoc_typehints = "none"
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 88
autodoc_member_order = "bysource"
napoleon_numpy_docstring = True
napoleon_google_docstring = False


def _formula(self: Any, node: nodes.Element, display: str) -> None:
    """Write a formula as MathML, which browsers know; MathJax would be fetched from the network."""
    self.body.append(convert(node.astext(), display=display))
    raise nodes.SkipNode


def _own_references(
    app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]
) -> None:
    """Give each docstring's numbered references names of their own: they share one page."""
    prefix = name.rpartition(".")[2].replace("_", "-")
    lines[:] = [re.sub(r"\[(\d+)\](?=_| )", rf"[{prefix}-\1]", line) for line in lines]
    # Otherwise, an author's initial is read as the letter of a list.
    lines[:] = [re.sub(r"(\.\. \[[^]]+\] [A-Z])\.", r"\1\.", line) for line in lines]


def _skip_plain_fields(
    app: Any, what: str, name: str, obj: Any, skip: bool, options: Any
) -> bool | None:
    """Leave out the fields of named tuples, of which only their position is documented."""
    return True if type(obj).__name__ == "_tuplegetter" else None


def _readable_signature(
    app: Any, what: str, name: str, obj: Any, options: Any, text: str | None, answer: str | None
) -> tuple[str, str | None] | None:
    """Show the types of questions, and leave out defaults that Python cannot write."""
    if hasattr(obj, "groups") and hasattr(obj, "run"):
        written = signature(obj)
        answer = repr(written.return_annotation)
        text = str(written.replace(return_annotation=Signature.empty))
    return (re.sub(r"<(?:[^<>]|<[^<>]*>)*>", "...", text), answer) if text else None


class Terminal(SphinxDirective):
    """Commands with their output."""

    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        "exit": directives.nonnegative_int,
        "lines": directives.nonnegative_int,
        "width": directives.positive_int,
        "start": directives.unchanged,
        "messages": directives.flag,
        "signature": directives.flag,
        "figure": directives.unchanged,
        "alt": directives.unchanged,
        "file": directives.unchanged,
        "prepare": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        """Run the commands, and show what they print."""
        folder = self._folder()
        if name := self.options.get("file"):
            shutil.copy(SNIPPETS / name, folder)
        if name := self.options.get("prepare"):
            prepare(name, folder)
        shown = []
        for command in joined_lines(list(self.content)):
            code, out, err = run_command(command, folder, self._width())
            if code != self.options.get("exit", 0):
                raise self.error(f"{command} exited with {code}: {err}")
            typed = next(
                (text for text in self._typed() if joined_lines([text]) == [command]), command
            )
            shown += ["$ " + typed, "", *self._answer(out, err), ""]
        text = "\n".join(shown).rstrip()
        block = nodes.literal_block(text, text, language="console")
        return [block, *self._figures(folder)]

    def _width(self) -> int:
        return int(self.options.get("width", WIDTH))

    def _typed(self) -> Iterator[str]:
        """Yield the commands as they were typed, with their line breaks."""
        yield from re.findall(r"(?:.*\\\n)*.+", "\n".join(self.content))

    def _folder(self) -> Path:
        folders: dict[str, Path] = self.env.temp_data.setdefault("terminal_folders", {})
        return folders.setdefault(self.env.docname, page_folder())

    def _answer(self, out: str, err: str) -> list[str]:
        if "signature" not in self.options:
            out, err = SIGNATURE.sub("", out), SIGNATURE.sub("", err)
        printed = [line.rstrip() for line in out.rstrip().splitlines()]
        lines = list(_fitted(printed, self._width()))
        if "messages" in self.options:
            lines = [*_wrapped(err), *lines]
        if "start" in self.options:
            begin = next(n for n, line in enumerate(lines) if self.options["start"] in line)
            lines = ["...", *lines[begin:]]
        first = self.options.get("lines", len(lines))
        return [*lines[:first], *["..."] * (first > 0)] if len(lines) > first else lines

    def _figures(self, folder: Path) -> list[nodes.Node]:
        names = self.options.get("figure", "").split()
        label = self.options.get("alt", "A figure that the command draws")
        return [nodes.raw("", _drawn(folder / name, label), format="html") for name in names]


def _drawn(path: Path, label: str) -> str:
    """Embed a drawing; not inline, since the ids of several drawings on a page would clash."""
    drawing = base64.b64encode(path.read_bytes()).decode("ascii")
    return f'<img class="drawn" alt="{label}" src="data:image/svg+xml;base64,{drawing}">'


class Snippet(SphinxDirective):
    """A Python file with what it prints."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Run the file in a copy of the folder of the demonstration."""
        path = SNIPPETS / self.arguments[0]
        self.env.note_dependency(str(path))
        code = path.read_text(encoding="utf-8").rstrip()
        out = io.StringIO()
        with terminal_in(page_folder()), contextlib.redirect_stdout(out):
            runpy.run_path(str(path))
        blocks: list[nodes.Node] = [nodes.literal_block(code, code, language="python")]
        answer = "\n".join(_wrapped(out.getvalue()))
        if answer:
            blocks += [nodes.literal_block(answer, answer, language="text", classes=["output"])]
        return blocks


def _wrapped(text: str) -> Iterator[str]:
    """Yield lines that fit into a code block."""
    for line in text.rstrip().splitlines():
        yield from wrap(line, WIDTH) if len(line) > WIDTH else [line]


def _fitted(lines: Iterable[str], width: int) -> Iterator[str]:
    """Wrap paragraphs of prose with long lines; rows of tables stay as they are."""
    for is_prose, group in groupby(lines, lambda line: bool(re.match(r"\S(?!.*  )", line))):
        paragraph = list(group)
        is_long = is_prose and max(map(len, paragraph)) > width
        yield from wrap(" ".join(paragraph), width) if is_long else paragraph


def _say_where_examples_run(app: Any, document: nodes.document) -> None:
    """Say below the title in which folder commands were run, unless the page names the command."""
    text = document.astext()
    if "\n$ pyramidion" not in text or "pyramidion demo" in text:
        return
    title = next(document.findall(nodes.title))
    line = nodes.paragraph("", "The examples run in the folder that ", classes=["folder"])
    line += [nodes.literal("", "pyramidion demo"), nodes.Text(" creates.")]
    title.parent.insert(title.parent.index(title) + 1, line)


def _unlink_examples(app: Any, document: nodes.document) -> None:
    """Show addresses of examples, such as tcp://10.0.0.1:8786, as text: they lead nowhere."""
    for link in list(document.findall(nodes.reference)):
        if link.get("refuri", "").startswith(("tcp://", "http://127.0.0.1")):
            link.replace_self(nodes.Text(link.astext()))


def _shrink_long_lines(app: Any, document: nodes.document) -> None:
    """Give blocks with long lines a class, for which docs.css has a smaller font."""
    for block in document.findall(nodes.literal_block):
        longest = max(map(len, block.astext().splitlines()), default=0)
        if longest > WIDTH:
            block["classes"].append(f"columns-{math.ceil(longest / 16) * 16}")


class PrintedTables(SphinxDirective):
    """A file of printed tables, drawn as tables; ``:columns:`` shows the first ones only."""

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {"columns": directives.positive_int}

    def run(self) -> list[nodes.Node]:
        """Read the paragraphs: tables, titles and indented text."""
        path = Path(self.env.srcdir) / self.arguments[0]
        self.env.note_dependency(str(path))
        paragraphs = path.read_text(encoding="utf-8").rstrip().split("\n\n")
        written = (_table_markdown(one, self.options.get("columns")) for one in paragraphs)
        return self.parse_text_to_nodes("\n\n".join(written))


def _table_markdown(paragraph: str, columns: int | None) -> str:
    lines = paragraph.splitlines()
    if len(lines) > 1 and set(lines[1].strip()) == {"─"}:
        rows = [re.split(" {2,}", line.strip()) for line in (lines[0], *lines[2:])]
        rows.insert(1, ["---"] * len(rows[0]))
        return "\n".join(f"| {' | '.join(row[:columns])} |" for row in rows)
    if paragraph.startswith("  "):
        return f"```text\n{paragraph}\n```"
    return f"**{paragraph}**" if len(lines) == 1 else "; ".join(lines)


class PackageReference(SphinxDirective):
    """What a package exports, each name under a heading of its own."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Write the entries, functions before classes before values."""
        package = import_module(self.arguments[0])
        # In Markdown, the prompt of an example would begin a quotation.
        text = re.sub(r"(?m)^>>> (?:.+\n?)+", r"```pycon\n\g<0>```\n", f"{package.__doc__}\n")
        # Sections are added while they are parsed, so what is returned would follow them.
        self.state._renderer.current_node.extend(self.parse_text_to_nodes(text))
        lines = []
        for heading, names in _exported(package).items():
            lines += [f"## {heading}", "```{eval-rst}", f".. currentmodule:: {package.__name__}"]
            for name, directive in names:
                members = ["   :members:"] * (directive == "autoclass")
                if get_origin(getattr(package, name)) is Annotated:
                    members = [f"   :type: {TypeText(get_args(getattr(package, name))[0])}"]
                lines += [f".. {directive}:: {package.__name__}.{name}", *members, ""]
            lines += ["```"]
        return self.parse_text_to_nodes("\n".join(lines), allow_section_headings=True)


def _exported(package: Any) -> dict[str, list[tuple[str, str]]]:
    """Sort names by what they are, each with the directive that describes it."""
    found: dict[str, list[tuple[str, str]]] = {"Functions": [], "Classes": [], "Values": []}
    for name in package.__all__:
        value = getattr(package, name)
        if isinstance(value, type):
            found["Classes"].append((name, "autoclass"))
        elif isfunction(value):
            found["Functions"].append((name, "autofunction"))
        else:
            # What autodoc would show of a value is the documentation of its type.
            found["Values"].append((name, "py:data"))
    return {heading: names for heading, names in found.items() if names}


def _write_command_pages(app: Any) -> None:
    """Write a page for every command, with its options, an example and a link to its guide."""
    folder = Path(app.srcdir) / "commands"
    pages = tomllib.loads((Path(app.srcdir) / "commands.toml").read_text(encoding="utf-8"))
    folder.mkdir(exist_ok=True)
    for spec in command_specs():
        text = "\n".join(_command_lines(spec, pages.get(spec.name, {})))
        path = folder / f"{spec.name.replace(' ', '-')}.md"
        # Unchanged pages are not built again.
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def _command_lines(spec: CommandSpec, page: dict[str, Any]) -> Iterator[str]:
    command = load_command(spec)
    yield f"# `pyramidion {spec.name}`"
    yield f"\n{spec.summary}"
    guide = page.get("guide") or ("study.md" if spec.name.startswith("study ") else "")
    if guide:
        yield f"\nGuide: [](../{guide})"
    if "needs" in page:
        yield f"\nNeeds `pip install {page['needs']}`."
    if "example" in page:
        yield f"\n## Example\n\n{page.get('about', '')}\n\n```{{terminal}}"
        options = ("exit", "lines", "messages", "prepare")
        yield from (f":{name}: {page[name]}" for name in options if name in page)
        yield f"{page['example'].strip()}\n```"
    yield "\n## Options\n\n| option | effect | default |\n|---|---|---|"
    yield from (_option_row(option) for option in command.options)
    if spec.has_output:
        forms = "table, json, csv, latex or markdown"
        yield f"| `--format` | Output format: {forms}. | `table` |"
        written = "Write the output to this file (.txt, .json, .csv, .tex, .md)"
        yield f"| `-o`, `--output` | {written} instead of the screen. | |"
    yield ""


def _option_row(option: OptionSpec) -> str:
    names = ", ".join(f"`{flag}`" for flag in option.flags) or f"`{option.name.upper()}`"
    usual = "" if option.default in (MISSING, None, "", ()) else f"`{format_value(option.default)}`"
    usual = {"`True`": "on", "`False`": ""}.get(usual, usual)
    return f"| {names} | {option.help} | {usual} |".replace("\n", " ")


def _read_reference_last(app: Any, env: Any, names: list[str]) -> None:
    """Run commands before autodoc replaces the default values in signatures by their source."""
    names.sort(key=lambda name: name.startswith("api/"))


def setup(app: Any) -> None:
    """Add what the documentation needs besides its extensions."""
    app.add_html_math_renderer(
        "mathml",
        (lambda self, node: _formula(self, node, "inline"), None),
        (lambda self, node: _formula(self, node, "block"), None),
    )
    app.connect("builder-inited", _write_command_pages)
    app.connect("env-before-read-docs", _read_reference_last)
    app.connect("doctree-read", _say_where_examples_run)
    app.connect("doctree-read", _unlink_examples)
    app.connect("doctree-read", _shrink_long_lines)
    app.add_directive("snippet", Snippet)
    app.add_directive("terminal", Terminal)
    app.add_directive("printed-tables", PrintedTables)
    app.add_directive("package-reference", PackageReference)
    app.connect("autodoc-process-docstring", _own_references, priority=400)
    app.connect("autodoc-process-signature", _readable_signature)
    app.connect("autodoc-skip-member", _skip_plain_fields)
