"""Show the thesis's chains of mentions: their limits, the effect of rounding, and a sample."""

from pyramidion.rewriting import (
    MENTION_FEATURES,
    printed_limit,
    printed_transitions,
    published_chain,
    reachable_limits,
    reaches,
    sampled_forms,
)

for feature in MENTION_FEATURES:
    name, printed = feature.name, list(printed_limit(feature.name).values())
    low, high = reachable_limits(printed_transitions(name))
    computed = published_chain(name).limit().probabilities
    print(f"{name}, reachable: {reaches(printed_transitions(name), printed)}")
    for state, *numbers in zip(feature.states, printed, computed, low, high, strict=True):
        shown = "printed {:.4f}, computed {:.4f}, from {:.4f} to {:.4f}".format(*numbers)
        print(f"  {state}: {shown}")
print(*sampled_forms(seed=7, n=8))
