"""Published sets of judged summaries: our own form, SummEval, REALSumm, content units."""
