"""Questions: which systems differ, which metrics to trust, which judges."""

__all__: list[str] = []
