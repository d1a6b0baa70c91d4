"""``python -m pyramidion`` is ``pyramidion``."""

from pyramidion.cli import main

__all__: list[str] = []

if __name__ == "__main__":
    main()
