"""The public names, and the modules they are loaded from."""

from pyramidion.support._source import EvidenceSentence as EvidenceSentence
from pyramidion.support._source import Source as Source
from pyramidion.support._source import UnsupportedSpan as UnsupportedSpan
