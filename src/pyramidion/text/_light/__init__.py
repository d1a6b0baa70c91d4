"""The light parser: trees, names and repairs without dependencies."""
