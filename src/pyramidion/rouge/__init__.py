"""ROUGE in all its variants: statistically sound by default, or exact to ROUGE-1.5.5's last digit.

>>> rouge = Rouge(n=(1, 2), l=True, su=4, stem=True)
>>> scores = rouge.score({"T1": "Rain flooded roads."}, {"T1": ["Roads were flooded by rain."]})
>>> round(float(scores["rouge-1-f"][0]), 4)
0.75
"""

from pyramidion.rouge._rouge import Rouge
from pyramidion.rouge.counting import Variant, parse_variant
from pyramidion.rouge.results import Mean, RougeScores

__all__ = ["Mean", "Rouge", "RougeScores", "Variant", "parse_variant"]
