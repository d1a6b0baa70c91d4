"""The public names, and the modules they are loaded from."""

from pathlib import Path

from pyramidion.questions import Progress
from pyramidion.studio._app import create_app as create_app
from pyramidion.studio._store import Store as Store

# Signatures of questions: `make format` writes them from the declarations of options.
# from pyramidion.studio._serve import serve
def serve(
    source: str | Path | None = None,
    *,
    database: str = "studio.db",
    host: str = "127.0.0.1",
    port: int = 8765,
    demo: bool = False,
    restore: str | Path | None = None,
    link: str | None = None,
    progress: Progress = ...,
) -> None: ...
