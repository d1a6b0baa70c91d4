"""Read files, and write them completely or not at all."""

__all__: list[str] = []
