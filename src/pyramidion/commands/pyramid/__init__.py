"""``pyramidion pyramid``: content units, from files to statistics."""
