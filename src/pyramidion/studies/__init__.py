"""How people summarize: the studies that motivate frequency, pyramids and their tests.

They follow chapters 2, 4.1, 5 and 6.1 of Nenkova's thesis, "Understanding the process of
multi-document summarization" (2006), and take the words, judgments and content units of any
collection. `pyramidion study` runs them.

Names are loaded when they are first used, since few programs ask all questions.
"""

from pyramidion._lazy import lazy_front

__all__, __getattr__, __dir__ = lazy_front(__name__)
