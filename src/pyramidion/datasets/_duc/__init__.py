"""DUC's and TAC's folders: summaries, articles, topic statements, scores and pyramids."""
