"""How texts refer to people: counts, models and tables."""
