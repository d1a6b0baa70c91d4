"""Questions: which systems differ, which metrics to trust, which judges."""
