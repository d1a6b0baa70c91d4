"""Language models as judges, checked against people."""
