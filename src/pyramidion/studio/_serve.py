"""``pyramidion serve``: its options. Web libraries are loaded when it starts."""

from dataclasses import dataclass
from pathlib import Path

from pyramidion.errors import MissingExtraError
from pyramidion.questions import Options, Progress, argument, option, question


@dataclass(frozen=True, slots=True)
class ServeOptions(Options):
    """Where the studio runs, and what it opens."""

    source: Path | None = argument(
        "Collection to import first, in any format; more can be imported later.", None
    )
    database: str = option(
        "studio.db", "SQLite file with all judgments and annotations, created if it is missing; "
        "or a database URL such as postgresql+psycopg://HOST/NAME.",
        metavar="FILE",
    )  # fmt: skip
    host: str = option("127.0.0.1", "Address to listen on; 0.0.0.0 for the whole network.")
    port: int = option(8765, "Port to listen on; 0 selects a free one.", min=0, max=65535)
    demo: bool = option(
        False, "Open the built-in collection with two sample assessors, in a temporary database.",
        flags=("--demo",),
    )  # fmt: skip
    restore: Path | None = option(
        None, "Restore a backup downloaded from the studio into a new database.",
        metavar="FILE",
    )  # fmt: skip
    link: str | None = option(
        None, "Print a one-time link for the person with this name to choose a new password.",
        metavar="NAME",
    )  # fmt: skip
    progress: Progress = option(Progress(), "Receives messages.", on_command_line=False)


@question
def serve(options: ServeOptions) -> None:
    """Open the studio: judge summaries and annotate pyramids in a browser.

    The first start prints a one-time link for the organizer to choose a name and a password.
    Everything is stored in one SQLite file unless --database names another database.
    """
    try:
        from pyramidion.studio._start import run
    except ImportError:
        raise MissingExtraError("the studio", extra="web") from None
    run(options)
