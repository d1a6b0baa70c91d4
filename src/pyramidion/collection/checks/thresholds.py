"""The thresholds of the checks of texts, why they are so, and the data they were chosen on.

They were chosen on the sets with texts in ``../shared/data`` (RealSumm, SummEval, SQuALITY,
SummEval OP, SummHay, SummEdits, ECB+, Opinosis, QMSum, SciSumm; not the demo) against about 80
mistakes planted into one system of RealSumm, SummEval, SQuALITY and SummEval OP.
"""

# Shares of a system's summaries. Traces that are certain (a token of a model, "None") count from
# the first one; others occur in up to 1% of sound texts.
ANY = 0.0
RARE = 0.02
ODD = 0.1
USUAL = 0.5
STYLE = 0.8
NEARLY_ALL = 0.9
#: Most of the systems, or of the texts, agree on a cause.
MOST = 2 / 3

# Fewer summaries, or topics, than that show nothing.
FEW = 5
FEW_TOPICS = 3
#: Lower case and tokenized text are usual: 10 of 16 systems of SummEval, 1 of 13 of SummEval OP.
FEW_SYSTEMS = 3

#: Shorter texts (in characters) do not tell their language, and contain each other by chance.
TELLING = 60

# What is sampled, so that `score` on 100,000 rows costs less than 15% more: summaries of a stream
# or of a large collection, of a part of a stream, first topics (which tell a shift), and pairs of
# summaries that are compared.
SAMPLED = 2_000
SAMPLED_OF_PART = 1_000
FIRST_TOPICS = 100
COMPARED = 3_000

#: The share of words that near copies have in common; systems of one family (RealSumm) share 0.8.
NEAR = 0.9

# Ratios of the median number of words to that of the references and of others, and the words from
# which a text may contain its input. Sound systems: 0.3 (SQuALITY) to 2.9 (SummEval OP).
MUCH_LONGER = 4.0
MUCH_SHORTER = 0.15
LONG = 50
#: The share of references without a final mark (SummEval OP 0.2), above which ends tell nothing.
ENDING = 0.3
#: The share of cut texts that have the greatest length; sound ones: 0.03.
PILED = 0.15
#: The share of cut texts that end with a stop word; headlines without a final mark: 0.03.
OPEN = 0.2
#: So many words at the beginning or end are the same only in prompts and footers.
SAME_WORDS = 4

# References that are documents: so much longer than summaries, with so many words, and such a share
# of a summary's words; references of SQuALITY are 3.6 times as long and have 0.5 of the words.
DOCUMENT_RATIO = 4.0
DOCUMENT = 200
INSIDE = 0.7

# The mean share of other topics that are nearer than a summary's own: 0.5 by chance. Sound systems
# have at most 0.13, except one (plansum of SummEval OP: 0.32 by references, 0.10 by documents).
LEAST_TOPICS = 4
DOUBTFUL_RANK = 0.1
FINE_RANK = 0.15
BAD_RANK = 0.2  # by references, documents and other systems alike
SURE_RANK = 0.38  # by one of them alone
# A text that belongs elsewhere: its similarity to its own topic relative to the best, and the best
# relative to the usual one; at most 2 of 60 in sound systems.
WEAK = 0.5
STRONG = 0.7
STRAY = 0.05
#: Rows are shifted by at most so many.
FARTHEST = 5
