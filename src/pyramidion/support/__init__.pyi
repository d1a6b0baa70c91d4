"""The public names, and the modules they are loaded from."""

from pyramidion.support._claims import conflicting_counts as conflicting_counts
from pyramidion.support._claims import is_praise_or_complaint as is_praise_or_complaint
from pyramidion.support._claims import polarity as polarity
from pyramidion.support._counts import SupportCounts as SupportCounts
from pyramidion.support._counts import fragments as fragments
from pyramidion.support._counts import support_counts as support_counts
from pyramidion.support._source import EvidenceSentence as EvidenceSentence
from pyramidion.support._source import SourceIndex as SourceIndex
from pyramidion.support._source import UnsupportedSpan as UnsupportedSpan
