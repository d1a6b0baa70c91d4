"""The studio: annotate pyramids and judge summaries in a browser (``pyramidion serve``).

One process serves pages and an API and stores everything in one database, SQLite by default.
Judgments and edits are append-only events, so nothing is lost or changed silently.
"""

from pyramidion._lazy import lazy_front

__all__, __getattr__, __dir__ = lazy_front(__name__)
