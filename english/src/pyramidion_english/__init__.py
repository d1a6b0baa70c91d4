"""Models and word counts for English, which `pyramidion.text` finds by their file names."""
