"""The printed tables, figures and results of five documents, next to what Pyramidion computes."""
