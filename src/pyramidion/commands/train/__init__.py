"""``pyramidion train``: models of summarizers."""
