"""``python -m pyramidion`` is ``pyramidion``."""

import os
import sys

# Python looks for modules in the working folder first, which may contain anybody's files.
if not sys.flags.safe_path and sys.path[0] == os.getcwd():  # noqa: PTH109
    del sys.path[0]

from pyramidion.cli import main

__all__: list[str] = []

if __name__ == "__main__":
    main()
