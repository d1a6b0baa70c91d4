"""Where summaries go: peers one a line, a collection with them, or a text to read."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pyramidion.errors import InputError, Where
from pyramidion.report.answer import Form

__all__ = ["SummaryTarget"]

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
class SummaryTarget:
    """A place for summaries.

    Parameters
    ----------
    path
        Where it is.
    kind
        ``lines`` for peers one a line, ``folder`` for a collection with them, ``text`` for what
        would be printed.
    form
        The form of a text.
    note
        What there is to say about it.

    Examples
    --------
    >>> SummaryTarget.named("peers.jsonl").kind, SummaryTarget.named("out.v2/").kind
    ('lines', 'folder')
    >>> SummaryTarget.named("x.json").form, SummaryTarget.named("x.json", "csv").note
    ('json', 'x.json gets csv, as --format says')
    """

    path: Path
    kind: Literal["lines", "folder", "text"]
    form: Form = "table"
    note: str = ""

    @classmethod
    def named(cls, output: str | Path, form: Form | None = None) -> "SummaryTarget":
        """Tell from a name what is to be written there.

        Parameters
        ----------
        output
            ``FILE.jsonl``; a folder, which has no ending, or a slash, or is there; or a text whose
            ending says its form.
        form
            The form that was asked for, if any.
        """
        path = Path(output)
        if path.suffix == ".jsonl":
            return cls(path, "lines", note=_unheard(f"{path} gets the summaries", form))
        if str(output).endswith("/") or not path.suffix or path.is_dir():
            return cls(path, "folder", note=_unheard(f"{path} becomes a collection", form))
        usual = _FORMS.get(path.suffix)
        if usual is None:
            raise InputError(
                "it is not clear whether this is to be a folder or a file",
                where=Where(path),
                hint=f"write {path}/ for a folder, or end a file with .jsonl, {', '.join(_FORMS)}",
            )
        other = form not in (None, usual) and path.suffix not in _TEXTS
        note = f"{path} gets {form}, as --format says" if other else ""
        return cls(path, "text", form or usual, note)


def _unheard(what: str, form: Form | None) -> str:
    return f"{what}, whatever --format says" if form is not None else ""
