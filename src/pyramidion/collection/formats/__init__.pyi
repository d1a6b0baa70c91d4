"""The public names, and the modules they are loaded from."""

from pyramidion.collection.formats._preferences import write_preferences as write_preferences
from pyramidion.collection.formats._registry import all_formats as all_formats
from pyramidion.collection.formats._registry import detect as detect
from pyramidion.collection.formats._registry import format_named as format_named
from pyramidion.collection.formats._registry import read_collection as read_collection
from pyramidion.collection.formats._registry import write_collection as write_collection
from pyramidion.collection.formats._summaries import read_summaries as read_summaries
from pyramidion.collection.formats._summaries import write_summaries as write_summaries
from pyramidion.collection.formats.base import Format as Format
from pyramidion.collection.formats.ducview.files import (
    read_peer_annotation as read_peer_annotation,
)
from pyramidion.collection.formats.ducview.files import read_pyramid as read_pyramid
from pyramidion.collection.formats.ducview.files import (
    write_peer_annotation as write_peer_annotation,
)
from pyramidion.collection.formats.ducview.files import write_pyramid as write_pyramid
from pyramidion.collection.formats.scores import read_scores as read_scores
from pyramidion.collection.formats.scores import write_scores as write_scores
