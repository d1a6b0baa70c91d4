"""Models in which one value is another: each is read, or refused in one line."""

import copy
import json
from itertools import islice
from pathlib import Path

import pytest

import pyramidion
from pyramidion.classy import LinearModel
from pyramidion.classy._models import published_models
from pyramidion.errors import PyramidionError
from pyramidion.pyramid.similarity import SimilarityModel, default_similarity
from pyramidion.rewriting import StatusModel, published_chain, read_chains, save_chains
from pyramidion.summarizers._hmm import HmmFile
from pyramidion.text import english_file

PACKAGE = Path(pyramidion.__file__).parent

#: What may stand in the place of anything.
STRANGE = (None, True, -1, 10**400, float("nan"), "", "x", [], {}, [[1]], {"a": 1})


def places(data, path=()):
    """Name the place of everything in some data; of long lists and objects the beginning."""
    yield path
    inside = data if isinstance(data, dict | list) else ()
    pairs = inside.items() if isinstance(inside, dict) else enumerate(inside)
    for key, value in islice(pairs, 4):
        yield from places(value, (*path, key))


def damaged(data):
    """Return the data with something strange in each place, and without each field."""
    for *path, last in filter(None, places(data)):
        for strange in (*STRANGE, places):
            changed = copy.deepcopy(data)
            around = changed
            for key in path:
                around = around[key]
            if strange is places:
                del around[last]
            else:
                around[last] = strange
            yield changed


def whole(kind, path):
    """Return a model of a kind as JSON has it."""
    if kind == "classy":
        path.write_text(next(iter(published_models().values())).to_json())
    elif kind == "chains":
        save_chains(path, [published_chain()], {})
    elif kind == "similarity":
        default_similarity().save(path)
    else:
        shipped = [*PACKAGE.glob(f"*/data/{kind}.json"), english_file(f"{kind}.json", "the test")]
        return json.loads(shipped[0].read_text())
    return json.loads(path.read_text())


LOAD = {
    "classy": LinearModel.load, "similarity": SimilarityModel.load, "status": StatusModel.load,
    "hmm": HmmFile.load, "chains": read_chains,
}  # fmt: skip


@pytest.mark.parametrize("kind", LOAD)
def test_a_damaged_model_is_read_or_refused(kind, tmp_path):
    path, refused = tmp_path / "damaged.json", 0
    for model in damaged(whole(kind, path)):
        path.write_text(json.dumps(model))
        try:
            LOAD[kind](path)
        except PyramidionError:
            refused += 1
    assert refused > 5
