"""The thresholds of all checks, with the data they were chosen on.

Sound data: summeval (experts and turkers), realsumm, squality, summeval_op, summhay, summedits,
pyreval_crypto, the demo, and 50 kinds of simulated sets (scales, crowds, counts, missing scores).
Mistakes were planted in simulated sets of the same kinds.
"""

# Scores, judges and columns ---------------------------------------------------------------------
#: Fewer scores than this show nothing about a system, a judge or a measure.
MIN_SCORES = 10
#: Fewer pairs than this show nothing about a correlation.
MIN_PAIRS = 20
#: The chance of a finding about one judge, divided by the number of judges.
MAX_CHANCE = 1e-4
#: A judge is reversed below this correlation with the mean of the others. The lowest of a sound
#: judge was .03 (16 summaries of the demo), then .43 (squality).
MAX_REVERSED = -0.2
#: Judges who agree this well make one who does not conspicuous: experts of summeval .54 to .95,
#: its turkers .59 to .65, raters of summeval_op .53 to .83, workers of realsumm .81 to .92.
MIN_AGREED = 0.5
#: A random judge's correlation with the others is below this share of what the others reach.
MAX_RANDOM = 0.3
#: With this many standard errors added, it is still below this share of it; rater3 of summeval_op
#: has .04 on some sets of 72 summaries, while the others have .64.
RANDOM_Z, RANDOM_UPPER_SHARE = 4.2, 0.8
#: The profile of a reversed judge who shares no topics is this many standard errors below 0.
JUDGE_Z = 2.6
#: The share of the most frequent score of the others beyond which a constant judge is plausible;
#: experts of summeval give 5 for consistency to 85 to 89 % of the summaries.
MAX_USUAL_SCORE = 0.75
#: If a judge agrees with nobody on at least this many measures, the others may agree less than is
#: otherwise required; since measures correlate, their numbers of summaries are averaged, not added.
#: A judge's mean correlation over measures is .54 to .79 where that of the others is .57 to .66
#: (summeval_op, summeval), and .73 to .84 in squality.
SEVERAL_MEASURES = 3
#: A judge gives a score this often, and this many times as often as the others; rater3 of
#: summeval_op gives 5 for specificity to 45 %, others to 8 %. Of judges who use more scores than
#: STEPS has, the highest ratio in parts of the open sets (3 to 6 systems, or a half to a sixth of
#: the topics) was 3.3 (scu-recall of realsumm).
MIN_HEAPED_SHARE, HEAP_RATIO = 0.25, 8
#: The longest pattern of scores that is looked for. NEARLY_ALL_SHARE of a judge's scores repeat in
#: it; in the same parts, .74 at most (three systems of summeval_op).
MAX_PERIOD = 8
#: Minus the logarithm (base 10) of the chance that two topics have the same scores of all systems;
#: no two topics of the same parts have the same unlikely scores.
ONE_TOPIC_Z = 6
#: Others give the highest score this often if a judge who always gives it may be lenient.
MIN_LENIENT_SHARE = 0.4
#: Two or more scores between a judge's lowest and highest that the judge never gives, but others
#: give to this share of the summaries, on a scale of 4 to 11 steps; rater2 of summeval_op never
#: gives 2, 3 or 4 for faithfulness on some sets of summaries, 40 % of the scores of others.
SKIPPED, STEPS = 0.5, (4, 11)
#: A judge's correlation with the others falls by half, and by this many standard errors, in the
#: last third of the rows if the judge gave up.
FADED_Z, MAX_FADED = 4.5, 0.5
#: The share of a judge's scores off the likely scale of the others; on a scale of 1 to 7 where
#: hardly anybody goes above 5, one judge may have 3 % of 6 and 7.
OUTSIDE_SHARE = 0.05
#: Fewer scores than this for each "judge" are ids of rows or tasks; 15 in convarg, a large crowd.
SCORES_PER_JUDGE = 1.5
#: A column is shifted if its correlation with the others is this much higher one row away, at
#: least this high there, and by this many standard errors. Systems of summeval_op and summedits
#: gain up to .57 by chance on 22 to 32 topics, which is 2.1 standard errors.
MIN_SHIFT_GAIN, MIN_SHIFTED, SHIFTED_Z = 0.3, 0.45, 4.0
#: A system is reversed if its correlation with the mean of others is this many standard errors
#: below 0 while that of the others is above (their median). Of 9,378 systems in random parts of the
#: open sets (3 to 30 systems, 20 to 100 topics), none was; 60 % of the same systems are when
#: reversed. Fewer are enough if the reversed scores are distributed like the others': the distance
#: (Kolmogorov's) falls by MIN_TURNED. A weak system of summeval_op has -3.4 by one rater alone, and
#: its reversed scores look like those of the others.
REVERSED_Z, PERHAPS_REVERSED_Z, OTHERS_AGREE_Z, MIN_TURNED = -4.0, -3.6, 1.6, 0.4
#: How many standard errors the correlation of a system's scores with the mean of others, or of two
#: measures of a system, is below the usual one if they are noted as of other topics, and if they
#: certainly are. M20 of summeval does not follow the others (up to 9.5 by ROUGE-4), so this is only
#: noted; for two measures, 5.7 at most (human summaries of squality near the ceiling), except for a
#: published measure of realsumm that indeed has the scores of another system (over 20).
UNRELATED_Z = 4.0, 6.0
#: The differences between two measures by one judge correlate negatively with those by the others
#: if the judge exchanged the two, by this many standard errors; -0.3 in summeval, summeval_op and
#: squality at least, and below -3.4 for 102 of 123 exchanged pairs of measures.
EXCHANGED_Z = 3.5
#: Scores of several measures fit the row before or after by so many standard errors on average.
SHIFTED_THROUGHOUT_Z = 2.0
#: A value is far from all others if the gap is this many times their range. Latencies and
#: perplexities have tails, but no such gaps.
FAR_DISTANCE = 10
#: Zeros stand for nothing if the middle of the other scores is this many of their standard
#: deviations above 0, and none is near 0. ROUGE-2 of realsumm has zeros, but also scores just
#: above. Two of 1,600 scores of BEwTE are 0 in summeval.
FAR_ZERO, RARE_ZERO = 4, 0.005
#: Zeros among many different values are suspicious if they are more than this share, and no other
#: score is below this share of the middle. ROUGE-2 of realsumm has 4 % of zeros, but other
#: scores down to .1 of its middle. Fewer scores than MANY_SCORES may lack low ones by chance: 4
#: systems of summeval on 20 topics have zeros, and nothing else below .24 of the middle.
OFTEN_ZERO, LOWEST, MANY_SCORES = 0.02, (0.15, 0.3), 500
#: A measure is 0 where a related measure (with at least this correlation) has usual scores: their
#: mean rank is above this share of its other scores.
MIN_RELATED, MIN_AS_GOOD = 0.5, 0.35
#: The maximum number of summaries with 0 for some measure, divided by the number with 0 for all
#: measures, if the latter is small, or large; SummEval's crowd means from 0 have 6 and 0.
OTHER_ZEROS = 1.1, 1.5
#: The middle of the others is at most 1 / .4 times the lowest if zeros are apart from them; more
#: than this share of fractions shows that scores are means of marks.
NEAR_ZERO, MEANS = 0.4, 0.2
#: A score that occurs at least three times, and whose distance from the others is this many times
#: their range, is a placeholder; at most this share of scores beyond FAR_DISTANCE are typos.
REPEATED_GAP, RARE_CELLS = 2, 0.05
#: Where a judge gave 0, the others' scores are higher than where the judge gave the lowest other
#: score, by at least this many standard errors.
CONTRADICTED_Z = 2.5
#: A percentage is this many times the median fraction; at most this share of the systems or topics
#: is on another scale than the rest; at most this share of fractions among percentages are low
#: percentages.
PERCENT, MAX_ODD_SHARE, MAX_FRACTIONS = 20, 0.6, 0.05
#: How far a row may be from the mean of the others, as a share of their range: with a name such as
#: "AVERAGE" (it may be rounded), and without.
MAX_NAMED_GAP, MAX_UNNAMED_GAP = 0.03, 0.001
#: A repeated score is conspicuous if at least this share of the others are different scores; this
#: number of scores of a system rules out chance, even if others mostly have the same.
MIN_DISTINCT_SHARE, MIN_MANY = 0.8, 100
#: The largest difference between the marks of two groups of systems once one is added to the lower.
MAX_ONE_ADDED = 0.2
#: The logarithm of the number of orders of a system's scores, only two of which are sorted.
SORTED_ORDERS = 16.0
#: The scores of a system beyond all others vary so many times as much, or as little.
OTHER_SPREAD = 5.0
#: Scores in another order are distributed like those of others (largest difference of shares);
#: those of M20 of summeval, which follows the others on no topic, are not.
ALIKE = 0.25
#: Scores are equal to those of the row before this many times as often as in a random order.
MIN_FILLED = 3
#: The share of scores that have at most this many decimals if they were rounded.
MIN_ROUNDED_SHARE = 0.97
#: The F tests of systems and topics of a measure that is noise, and of one that is not (z-scores).
MIN_UNEXPLAINED, EXPLAINED_RATIO = 2.0, 6.0
#: The chance that two systems have the same scores on this many topics in a row.
MAX_CHANCE_OF_BLOCK = 0.01
#: Percentages are at most this share of the cells of fractions; more is another scale.
MAX_ODD_CELLS = 0.3
#: The intra-class correlation of paired differences in clusters, how many standard errors its F
#: test must be above chance, the minimum number of clusters for resampling, and their minimum mean
#: size.
MIN_CLUSTERED, CLUSTER_Z, MIN_CLUSTERS, TOPICS_PER_CLUSTER = 0.1, 3.3, 5, 1.5
#: Copied blocks and computed systems are looked for among at most this many systems.
MAX_FEW_VALUES = 50
#: Two of more measures than these may be the same by definition (two of 42 in summeval). Measures
#: with at least this correlation differ in the unit only.
MAX_FEW_MEASURES, MIN_COPIED_CORRELATION = 10, 1 - 1e-9

#: The share of a judge in the scores of one system is this much above that in another, where no
#: judge has all of one.
MIN_UNEVEN = 0.4

# Preferences --------------------------------------------------------------------------------------
# Chosen on headlines, convarg and squality: ties are 0 to 22% of all choices, and up to 71% of one
# person's; a worker chose the second item 38 times out of 38; correlations of one person with the
# others are -.05 to .87 where they rest on 40 choices or more.
#: A larger share of ties is unusual: among all choices, and among those of one assessor.
MAX_TIES, MAX_TIES_OF_ASSESSOR = 0.5, 0.9
#: The share of choices of one side that is unusual.
MIN_ONE_SIDED = 0.95
#: The minimum number of choices for a check, for checks of one assessor's sides, and of whether an
#: assessor's choices are random.
MIN_CHOICES, MIN_SIDES, MIN_SHARED = 20, 50, 60
#: A reversed assessor's correlation with the others is below this, by this many standard errors.
MAX_REVERSED_CHOICES, REVERSED_CHOICES_Z = -0.25, 3.5
#: An assessor counts as random if their agreement is, by this many standard errors, below half of
#: the agreement of the others, which must be at least this.
RANDOM_CHOICES_Z, MIN_AGREED_CHOICES = 2.0, 0.3
#: At most this chance that any of several assessors is called random; a worker of convarg (-.04 on
#: 62 choices, the others .48) is one of hundreds.
MAX_FALSE_ALARMS = 0.1

# Texts ------------------------------------------------------------------------------------------
# Chosen on the data sets that have texts (including ECB+, Opinosis, QMSum and SciSumm, but not the
# demo), with about 80 mistakes planted in one system of realsumm, summeval, squality and
# summeval_op.

# Shares of a system's summaries. Traces that are certain (a token of a model, "None") count from
# the first one; others occur in up to 1% of sound texts.
ANY_SHARE, RARE_SHARE, UNUSUAL_SHARE, USUAL_SHARE, STYLE_SHARE, NEARLY_ALL_SHARE = (
    0.0,
    0.02,
    0.1,
    0.5,
    0.8,
    0.9,
)
#: Most of the systems, or of the texts, agree on a cause.
MAJORITY_SHARE = 2 / 3

# Fewer summaries, or topics, than that show nothing.
MIN_TEXTS = 5
MIN_TOPICS_TO_COMPARE = 3
#: Texts of at most this many words are answers to questions, of which many are equal.
MAX_ANSWER = 2
#: Lower case and tokenized text are usual: 10 of 16 systems of SummEval, 1 of 13 of SummEval OP.
MIN_SYSTEMS = 3

#: Shorter texts (in characters) do not show their language, and contain each other by chance.
MIN_CHARACTERS = 60

# What is sampled, so that `score` and `compare` on 100,000 rows cost less than 15% more: summaries
# of a stream or of a large collection, scores of judges by topic, summaries of a part of a stream,
# first topics (which tell a shift), and pairs of summaries that are compared.
MAX_SAMPLED_TOPICS = 2_000
MAX_SAMPLED_SCORES = 30_000
MAX_SAMPLED_OF_PART = 1_000
FIRST_TOPICS = 100
MAX_COMPARED = 3_000

#: The share of words that near copies have in common. Two sound systems reach it on at most .45 of
#: the topics, and are equal on at most .23 (two versions of pnbert of realsumm).
MIN_NEAR_COPY = 0.9

# Ratios of the median number of words to that of the references and of others, and the words from
# which a text may contain its input. Sound systems: .47 (squality) to 2.95 (summeval_op).
MIN_LENGTH_RATIO = 4.0
MAX_LENGTH_RATIO = 0.15
MIN_LONG_TEXT = 50
#: The share of references without a final mark (.09 in realsumm) above which ends show nothing.
ENDING = 0.3
#: The share of cut texts that have the greatest length; up to .04 in sound systems with ten.
#: 77 of 100 texts of abs_unilm_out_v1 (realsumm) do end after 70 words, more than the references.
MIN_PILED_SHARE = 0.15
#: The share of cut texts that end with a stop word: what is only without a final mark has fewer.
OPEN = 0.2
#: How many of a mark short texts must lack before they were cut at the first (3 have a chance of
#: .05 by luck, 6 of .002).
MISSED_MARKS = 6
#: Longer texts must lack so many times as many.
MANY_MISSED = 5
#: This many words at the beginning or end are the same only in prompts and footers.
SAME_WORDS = 4

# References that are documents: so much longer than summaries, with this many words, and such a
# share of a summary's words; references of squality are twice as long and have half of the words.
DOCUMENT_RATIO, MIN_DOCUMENT_WORDS, MIN_SHARE_INSIDE = 4.0, 200, 0.7

# The mean share of other topics that are nearer than a summary's own: 0.5 by chance. Sound systems
# have at most 0.13, except one (plansum of SummEval OP: 0.32 by references, 0.10 by documents, 0.22
# by five other systems on 22 topics).
MIN_TOPICS = 4
DOUBTFUL_RANK = 0.1
MAX_FINE_RANK = 0.15
MIN_BAD_RANK = 0.28  # by references, documents and other systems alike
MIN_SURE_RANK = 0.38  # by one of them alone
# A text that belongs elsewhere: its similarity to its own topic relative to the best, and the best
# relative to the usual one; at most 6 of 60 in sound systems (squality, one reference).
WEAK_FACTOR, STRONG_FACTOR, MIN_STRAY_SHARE = 0.5, 0.7, 0.12
#: A system has less than this share of what all others have of the most frequent words; in the same
#: parts, the lowest was .80 (summeval_op).
N_FREQUENT_WORDS, MIN_WORDS, MIN_FREQUENT_WORD_RATIO = 20, 200, 0.4
#: A system lacks three words that others would use this often; none of the same parts lacks one.
MIN_EXPECTED = 8
#: Of pairs of words that are frequent in other texts, and five times as frequent as in the
#: reverse order, a system has less than this share in the same order: .90 and more in parts of
#: the open sets (2 to 6 systems, 6 to 100 topics), up to .23 if words are reversed, about .5 if
#: shuffled.
N_FREQUENT_PAIRS, MIN_ORDER_RATIO, MIN_ORDERED_SHARE = 60, 5, 0.75
#: Texts of each system whose words are counted.
SAMPLE_SIZE = 40
#: Texts of each system, at equal distances, that tell its length and whether ends, styles and
#: traces are looked for in all texts. No open set has more topics; what 2 % of the texts have is in
#: none of 400 with a chance of .0003.
FIRST_SAMPLE_SIZE = 400
#: Rows are shifted by at most this many.
MAX_SHIFT = 5
#: This many systems with numbers for names may be topics; a study of checkpoints has fewer.
MANY_SYSTEMS = 40
#: The share of a system's scores off the marks or fractions of all others.
ODD_SYSTEM = 0.3
#: At most this share of the systems has scores of another unit; the middles of the rest differ at
#: most by this factor; divided by the power of ten, scores are distributed like the rest, by the
#: largest difference of shares. No system of the open sets is ten times as high as the rest.
OTHER_UNIT, MAX_MIDDLE_RATIO, SAME_SPREAD = 0.5, 3, 0.5
#: Below this share of the topics for every system, topics were shared out on purpose; systems of
#: summhay have at most 6 of 19, its retrievers 15.
SAMPLED_TOPICS = 0.8
