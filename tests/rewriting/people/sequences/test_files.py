"""Files of chains."""

import json

import numpy as np
import pytest

from pyramidion.errors import FormatError
from pyramidion.rewriting import MENTION_FEATURES, read_chains, save_chains
from pyramidion.studies._references.counting import count_sequences, mention_chains
from rewriting.people.sequences.reference_samples import person, simulated


def test_chains_come_back(tmp_path):
    chains = mention_chains(simulated(5).people)
    counted = [count_sequences(chains, own).chain() for own in MENTION_FEATURES]
    save_chains(tmp_path / "chains.json", counted, {"corpus": "Zeitung ü"})
    back = read_chains(tmp_path / "chains.json")
    assert list(back) == [own.name for own in MENTION_FEATURES]
    for chain in counted:
        own = back[chain.feature]
        assert own.states == chain.states
        np.testing.assert_allclose(own.initial, chain.initial, atol=1e-15)
        np.testing.assert_allclose(own.transitions, chain.transitions, atol=1e-15)
        np.testing.assert_array_equal(own.transition_counts, chain.transition_counts)
    card = json.loads((tmp_path / "chains.json").read_text(encoding="utf-8"))["card"]
    assert card == {"corpus": "Zeitung ü"}


def test_what_nothing_follows_stays_unknown(tmp_path):
    [chain] = mention_chains([person({"d": "f0 l0"})])
    save_chains(tmp_path / "c.json", [count_sequences([chain], MENTION_FEATURES[1]).chain()])
    record = json.loads((tmp_path / "c.json").read_text())["features"][0]
    assert record["transitions"] == [[0, 1, 0], None, None]
    assert (record["limit"], record["problem"]) == (None, "nothing ever followed last")
    assert np.isnan(read_chains(tmp_path / "c.json")["name form"].transitions[1:]).all()


ROW = {"feature": "x", "states": ["a", "b"], "initial": [1, 0], "transitions": [[1, 0], [0.5, 0.5]]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "there are no chains of mentions in it"),
        ("[]", "there are no chains of mentions in it"),
        ({"features": [{}]}, "there are no chains of mentions in it"),
        ({"features": [{**ROW, "initial": ["a", "b"]}]}, "there are no chains of mentions in it"),
        ({"features": [{**ROW, "transitions": [[1, 0]]}]}, "not probabilities of 2 states"),
        ({"features": [{**ROW, "initial": [0.5, 0.3]}]}, "not probabilities of 2 states"),
        ({"features": [{**ROW, "initial": [1.5, -0.5]}]}, "not probabilities of 2 states"),
        ({"features": [{**ROW, "initial": [1]}]}, "there are no chains of mentions in it"),
    ],
)
def test_other_files_are_refused(tmp_path, content, message):
    file = tmp_path / "chains.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    with pytest.raises(FormatError, match=message) as caught:
        read_chains(file)
    assert "chains.json" in str(caught.value)
