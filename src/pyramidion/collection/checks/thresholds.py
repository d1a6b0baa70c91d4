"""The thresholds of all checks, with the data they were chosen on.

Sound data: summeval (experts and turkers), realsumm, squality, summeval_op, summhay, summedits,
pyreval_crypto and the demo. Mistakes were planted in the same sets.
"""

# Scores, judges and columns ---------------------------------------------------------------------
#: Fewer scores than this show nothing about a system, a judge or a measure.
ENOUGH = 10
#: Fewer pairs than this show nothing about a correlation.
ENOUGH_PAIRS = 20
#: The chance of a finding about one judge, divided by the number of judges.
CHANCE = 1e-4
#: A judge is reversed below this correlation with the others; the lowest of a sound judge was .00
#: (summeval turkers, fluency).
REVERSED = -0.2
#: Judges who agree this well make one who does not conspicuous. Turkers of summeval: .10 to .20;
#: experts: .55 to .85; one of five annotators of realsumm is at .45 when the others are at .65.
AGREED = 0.5
#: A random judge's correlation with the others is below this share of what the others reach.
RANDOM = 0.3
#: The share of the most frequent score of the others beyond which a constant judge is plausible;
#: .82 for the consistency of summeval.
USUAL_SCORE = 0.75
#: The share of a judge's scores off the likely scale of the others; on a scale of 1 to 7 where
#: hardly anybody goes above 5, one judge may have 3 % of 6 and 7.
OUTSIDE = 0.05
#: Fewer scores than this for each "judge" are ids of rows or tasks; 15 in convarg, a large crowd.
SCORES_PER_JUDGE = 1.5
#: A column is shifted if its correlation with the others is this much higher one row away, at
#: least this high there, and by so many standard errors. Systems of summeval_op and summedits gain
#: up to .6 by chance on 22 to 32 topics, which is 2.9 standard errors.
SHIFT_GAIN, SHIFTED, SURELY_SHIFTED = 0.3, 0.45, 4.0
#: A value is far from all others if the gap is so many times their range. Latencies and
#: perplexities have tails, but no such gaps.
FAR = 10
#: Zeros stand for nothing if the middle of the other scores is so many of their standard deviations
#: above 0, and none is near 0. ROUGE-2 of realsumm has zeros, but also scores just above.
#: Two of 1,600 scores of BEwTE are 0 in summeval.
FAR_ZERO, RARE_ZERO = 4, 0.005
#: Percentages are at most this share of the cells of fractions; more is another scale.
ODD_CELLS = 0.3
#: The intra-class correlation of paired differences in clusters, how many standard errors its F
#: test must be above chance, and the fewest clusters that can be resampled.
CLUSTERED, CLUSTER_Z, CLUSTERS = 0.1, 3.3, 5
#: A group of repeated values in an unread column is a system if it has at most so many values.
FEW_VALUES = 50
#: Two of more measures than these may be the same by definition (two of 42 in summeval).
FEW_MEASURES = 10
