"""Files of chains."""

import json

import numpy as np
import pytest

from pyramidion.errors import FormatError
from pyramidion.rewriting import MarkovChain, chain_record, read_chains, save_chains


def counted(name_steps):
    states = ("modified", "unmodified")
    modified = MarkovChain.of_counts("modification", states, [7, 6], [[2, 5], [1, 8]])
    forms = ("full", "last", "nickname")
    return [modified, MarkovChain.of_counts("name form", forms, [9, 3, 1], name_steps)]


def test_chains_come_back(tmp_path):
    chains = counted([[2, 6, 1], [1, 9, 1], [1, 2, 3]])
    save_chains(tmp_path / "chains.json", chains, {"corpus": "Zeitung ü"})
    back = read_chains(tmp_path / "chains.json")
    assert list(back) == ["modification", "name form"]
    for chain in chains:
        saved = back[chain.feature]
        assert saved.states == chain.states
        np.testing.assert_allclose(saved.initial, chain.initial, atol=1e-15)
        np.testing.assert_allclose(saved.transitions, chain.transitions, atol=1e-15)
        np.testing.assert_array_equal(saved.initial_counts, chain.initial_counts)
        np.testing.assert_array_equal(saved.transition_counts, chain.transition_counts)
    content = json.loads((tmp_path / "chains.json").read_text(encoding="utf-8"))
    assert content["card"] == {"corpus": "Zeitung ü"}
    assert content["features"] == [chain_record(chain) for chain in chains]


def test_what_nothing_follows_stays_unknown(tmp_path):
    save_chains(tmp_path / "c.json", counted([[0, 1, 0], [0, 0, 0], [0, 0, 0]])[1:])
    record = json.loads((tmp_path / "c.json").read_text())["features"][0]
    assert record["transitions"] == [[0, 1, 0], None, None]
    assert (record["limit"], record["problem"]) == (None, "no mention ever followed last")
    assert np.isnan(read_chains(tmp_path / "c.json")["name form"].transitions[1:]).all()


ROW = {"feature": "x", "states": ["a", "b"], "initial": [1, 0], "transitions": [[1, 0], [0.5, 0.5]]}


def test_rounded_rows_are_completed(tmp_path):
    """0.24 and 0.75 can only have been 0.245 and 0.755."""
    record = {**ROW, "transitions": [[0.44, 0.56], [0.24, 0.75]]}
    (tmp_path / "c.json").write_text(json.dumps({"features": [record]}))
    rows = read_chains(tmp_path / "c.json")["x"].transitions
    np.testing.assert_allclose(rows, [[0.44, 0.56], [0.245, 0.755]])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "this file contains no chains of mentions"),
        ("[]", "this file contains no chains of mentions"),
        ({"features": [{}]}, "this file contains no chains of mentions"),
        (
            {"features": [{**ROW, "initial": ["a", "b"]}]},
            "this file contains no chains of mentions",
        ),
        ({"features": [{**ROW, "transitions": [[1, 0]]}]}, "not probabilities of 2 states"),
        ({"features": [{**ROW, "initial": [0.5, 0.3]}]}, "not probabilities of 2 states"),
        ({"features": [{**ROW, "initial": [1.5, -0.5]}]}, "not probabilities of 2 states"),
        ({"features": [{**ROW, "initial": [1]}]}, "this file contains no chains of mentions"),
    ],
)
def test_other_files_are_refused(tmp_path, content, message):
    file = tmp_path / "chains.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    with pytest.raises(FormatError, match=message) as caught:
        read_chains(file)
    assert "chains.json" in str(caught.value)
