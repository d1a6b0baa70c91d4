"""Rewrite references to people: describe them first, and use last names later."""

from pyramidion.rewriting import RewriteOptions, SummaryRewriter
from pyramidion.summarizers import Source

ARTICLES = [
    "Republican candidate Suzanne Haik Terrell drew level with Democratic Sen. Mary Landrieu on "
    "Monday. Terrell spoke in Monroe. Landrieu stayed in Washington.",
    "President Bush campaigned for Terrell on Tuesday. Bush called her a friend of taxpayers.",
]
SUMMARY = [
    "Terrell had 56 percent of the white vote to 31 percent for Landrieu.",
    "A poll shows that Suzanne Haik Terrell is ahead in the north.",
    '"Terrell will not win," a friend of Mary Landrieu said.',
]

rewriter = SummaryRewriter(Source.of_texts(ARTICLES), RewriteOptions(("people",)))
rewritten = rewriter.rewrite(SUMMARY)
for sentence in rewritten.sentences:
    print(sentence.text)
    for change in sentence.replacements:
        source = f", document {change.document}" if change.document else ""
        print(f"  {change.before} -> {change.after} ({change.reason}{source})")
