"""Where summaries go: peers one a line, a collection with them, or a text to read."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyramidion.collection._options import option
from pyramidion.commands._command import Output
from pyramidion.errors import InputError, Where
from pyramidion.report.result import Form, Result
from pyramidion.summarizers import SummaryResult

#: What a file's ending says about its form; a text may hold any.
_FORMS: dict[str, Form] = {
    ".txt": "table",
    ".md": "table",
    ".json": "json",
    ".csv": "csv",
    ".tex": "latex",
}
_TEXTS = (".txt", ".md")


@dataclass(frozen=True, slots=True)
class Target:
    """A place for summaries: peers, or a text in some form."""

    path: Path
    peers: bool
    form: Form = "table"
    note: str = ""

    @classmethod
    def named(cls, output: str, form: Form | None) -> "Target":
        """Tell from a name, and the form that was asked for, what is to be written there."""
        path = Path(output)
        if path.suffix == ".jsonl":
            return cls(path, peers=True, note=_unheard(f"{path} gets the summaries", form))
        if output.endswith("/") or not path.suffix or path.is_dir():
            return cls(path, peers=True, note=_unheard(f"{path} becomes a collection", form))
        usual = _FORMS.get(path.suffix)
        if usual is None:
            raise InputError(
                "it is not clear whether this is to be a folder or a file",
                where=Where(path),
                hint=f"write {path}/ for a folder, or end a file with .jsonl, {', '.join(_FORMS)}",
            )
        other = form not in (None, usual) and path.suffix not in _TEXTS
        note = f"{path} gets {form}, as --format says" if other else ""
        return cls(path, peers=False, form=form or usual, note=note)


def _unheard(what: str, form: Form | None) -> str:
    return f"{what}, whatever --format says" if form is not None else ""


@dataclass(frozen=True, slots=True)
class SummaryOutput(Output):
    """A text to read, on the screen or in a file, or peers."""

    form: Form | None = option(
        None,
        "Output format: table, json, csv or latex; by default from the ending of --output, "
        "else table.",
        flags=("--format",),
        metavar="NAME",
    )
    output: str | None = option(
        None,
        "Where to write: FILE.jsonl for the summaries as peers; a new FOLDER/ for the "
        "collection with the summaries, ready for `score`; FILE.txt, .md, .json, .csv or .tex"
        " for the printed output.",
        flags=("--output", "-o"),
        metavar="PATH",
    )

    @property
    def target(self) -> Target | None:
        """Where the summaries go, if not to standard output."""
        return None if self.output is None else Target.named(self.output, self.form)

    def given(self) -> Mapping[str, Any]:
        """Let the question write the peers, which it may refuse before it begins."""
        target = self.target
        return {"peers": target.path if target is not None and target.peers else None}

    def write(self, result: Result[Any]) -> Iterator[str]:
        """Tell what the question wrote."""
        target = self.target
        if target is not None and target.note:
            yield target.note
        if target is not None and target.peers:
            number = len(result)
            yield from (f"left out: {line}" for line in result.left_out)
            yield f"wrote {target.path}: {number} {'summary' if number == 1 else 'summaries'}"

    def answer(self, form: Form, path: Path | None) -> tuple[Form, Path | None] | None:
        """Print a text, or write it to its file."""
        target = self.target
        if target is None:
            return self.form or form, path
        return None if target.peers else (target.form, target.path)

    def closing(self, result: Result[Any]) -> Iterator[str]:
        """Sign what people read."""
        target = self.target
        if (target.form if target is not None else self.form or "table") == "table":
            yield str(result.signature)


@dataclass(frozen=True, slots=True)
class RewriteOutput(SummaryOutput):
    """The same for summaries that are rewritten; no name of theirs is a folder's."""

    output: str | None = option(
        None,
        "Where to write: FILE.jsonl for the summaries as peers, any other file for the "
        "printed output.",
        flags=("--output", "-o"),
        metavar="FILE",
    )

    @property
    def target(self) -> Target | None:
        """Where the summaries go, if not to standard output."""
        if self.output is None:
            return None
        path = Path(self.output)
        return Target(path, peers=path.suffix == ".jsonl", form=self.form or "table")

    def given(self) -> Mapping[str, Any]:
        """Tell the question nothing."""
        return {}

    def write(self, result: Result[Any]) -> Iterator[str]:
        """Write the peers."""
        if isinstance(result, SummaryResult) and self.target is not None and self.target.peers:
            result.save_peers(self.target.path)
        yield from SummaryOutput.write(self, result)
