"""``pyramidion serve``: its options. What it needs of the web is loaded when it starts."""

from dataclasses import dataclass
from pathlib import Path

from pyramidion.errors import MissingExtraError
from pyramidion.questions import Options, Progress, argument, option, question


@dataclass(frozen=True, slots=True)
class ServeOptions(Options):
    """Where the studio runs, and what it opens."""

    source: Path | None = argument(
        "Collection to begin with, in any format `convert` knows; others can be imported later.",
        None,
    )
    database: str = option(
        "studio.db", "File with everything that is judged and annotated, made where there is "
        "none; or the address of a database, such as postgresql+psycopg://HOST/NAME.",
        metavar="FILE",
    )  # fmt: skip
    host: str = option("127.0.0.1", "Address to listen at; 0.0.0.0 for the whole network.")
    port: int = option(8765, "Port to listen at; 0 takes a free one.", min=0, max=65535)
    demo: bool = option(
        False, "Open the built-in collection with two sample assessors, in a database of its own "
        "that is removed in the end.", flags=("--demo",),
    )  # fmt: skip
    restore: Path | None = option(
        None, "Fill a new database with a backup that was downloaded from the studio.",
        metavar="FILE",
    )  # fmt: skip
    link: str | None = option(
        None, "Print a link by which the person of this name chooses a new password, once.",
        metavar="NAME",
    )  # fmt: skip
    progress: Progress = option(Progress(), "Receives messages.", on_command_line=False)


@question
def serve(options: ServeOptions) -> None:
    """Open the studio: judge summaries and annotate pyramids in a browser.

    The first start prints a link that works once, by which the organizer chooses a name and a
    password. Everything is kept in one SQLite file unless --database says otherwise.
    """
    try:
        from pyramidion.studio._start import run
    except ImportError:
        raise MissingExtraError("the studio", extra="web") from None
    run(options)
