"""ROUGE with the names, options and numbers of other packages: change only the import.

>>> from pyramidion.compat import rouge_scorer
>>> scorer = rouge_scorer.RougeScorer(["rouge1", "rougeL"], use_stemmer=True)
>>> scorer.score("The quick brown fox", "A quick fox jumps")["rougeL"].fmeasure
0.5
"""

from pyramidion.compat import evaluate_rouge, rouge_scorer, scoring, torchmetrics_rouge

__all__ = ["evaluate_rouge", "rouge_scorer", "scoring", "torchmetrics_rouge"]
