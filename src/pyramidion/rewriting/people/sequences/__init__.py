"""How a text refers to one person again and again: models of sequences of mentions (5.1.2).

A Markov chain gives the form of a mention from the form of the one before; a stratified model
from its number, first to fifth. Both are counted in any corpus; those that Nenkova's thesis
prints are shipped.
"""

from pyramidion.rewriting.people.sequences.chain import MarkovChain
from pyramidion.rewriting.people.sequences.counting import (
    MentionChain,
    SequenceCounts,
    count_sequences,
    mention_chains,
)
from pyramidion.rewriting.people.sequences.features import FEATURES, Feature
from pyramidion.rewriting.people.sequences.files import read_chains, save_chains
from pyramidion.rewriting.people.sequences.limits import LimitingDistribution
from pyramidion.rewriting.people.sequences.published import printed_limit, published_chain
from pyramidion.rewriting.people.sequences.sampling import later_form, sampled_forms
from pyramidion.rewriting.people.sequences.stratified import StratifiedModel

__all__ = [
    "FEATURES",
    "Feature",
    "LimitingDistribution",
    "MarkovChain",
    "MentionChain",
    "SequenceCounts",
    "StratifiedModel",
    "count_sequences",
    "later_form",
    "mention_chains",
    "printed_limit",
    "published_chain",
    "read_chains",
    "sampled_forms",
    "save_chains",
]
