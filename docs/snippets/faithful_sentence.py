"""Check one sentence against its source."""

from pyramidion.support import SourceIndex

source = SourceIndex(["Ada Lee left Oslo on Monday."])
for span in source.unsupported("Lee left Paris."):
    print(span.kind, span.text)
