"""``pyramidion classy``: metrics that are trained to predict people."""
