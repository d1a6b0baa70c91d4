"""How the documentation is built: `make docs`."""

import re
from collections.abc import Iterator
from dataclasses import MISSING
from importlib import import_module
from inspect import isfunction
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.util.docutils import SphinxDirective

import pyramidion
from pyramidion.collection._options import Declared, told
from pyramidion.commands import COMMANDS, Listed

project = "Pyramidion"
author = "The Pyramidion authors"
copyright = "2026, The Pyramidion authors"
release = pyramidion.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
html_theme = "furo"
html_title = f"Pyramidion {release}"
exclude_patterns = ["_build"]
html_static_path = ["_static"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
html_math_renderer = "mathml"
suppress_warnings = ["ref.citation"]  # references are listed, not all are quoted
autodoc_typehints = "none"
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


class CommandOptions(SphinxDirective):
    """Every command with a table of its options, from their declarations."""

    def run(self) -> list[nodes.Node]:
        """Write the tables."""
        lines = [line for listed in COMMANDS for line in _command_lines(listed)]
        return self.parse_text_to_nodes("\n".join(lines))


class PackageReference(SphinxDirective):
    """What a package exports, each name under a heading of its own."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Write the entries, functions before classes before values."""
        package = import_module(self.arguments[0])
        lines = [f"{package.__doc__ or ''}\n"]
        for heading, names in _exported(package).items():
            lines += [f"## {heading}", "```{eval-rst}", f".. currentmodule:: {package.__name__}"]
            for name, directive in names:
                members = ["   :members:"] * (directive == "autoclass")
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


def _command_lines(listed: Listed) -> Iterator[str]:
    command = listed.load()
    yield f"### `pyramidion {listed.name}`"
    yield f"\n{listed.summary}\n"
    if command.options:
        yield "| option | what it does | default |\n|---|---|---|"
        yield from (_option_row(one) for one in command.options)
        yield ""


def _option_row(one: Declared) -> str:
    names = ", ".join(f"`{flag}`" for flag in one.flags) or f"`{one.name.upper()}`"
    usual = "" if one.default in (MISSING, None, "", ()) else f"`{told(one.default)}`"
    usual = {"`True`": "on", "`False`": ""}.get(usual, usual)
    return f"| {names} | {one.help} | {usual} |".replace("\n", " ")


def setup(app: Any) -> None:
    """Add what the documentation needs beside its extensions."""
    app.add_html_math_renderer(
        "mathml",
        (lambda self, node: _formula(self, node, "inline"), None),
        (lambda self, node: _formula(self, node, "block"), None),
    )
    app.add_directive("command-options", CommandOptions)
    app.add_directive("package-reference", PackageReference)
    app.connect("autodoc-process-docstring", _own_references, priority=400)
