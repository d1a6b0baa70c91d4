"""The studio: annotate pyramids and judge summaries in a browser (``pyramidion serve``).

One process serves pages and an API; everything is kept in one database, SQLite by default.
Judgments and edits are events that are only ever added, so nothing is lost or changed unseen.
"""

from pyramidion._lazy import lazy_front

__all__, __getattr__, __dir__ = lazy_front(__name__)
