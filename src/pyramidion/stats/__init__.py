"""Statistics on arrays; this room has never heard of a summary."""

__all__: list[str] = []
