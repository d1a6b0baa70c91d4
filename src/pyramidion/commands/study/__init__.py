"""``pyramidion study``: how people summarize."""
