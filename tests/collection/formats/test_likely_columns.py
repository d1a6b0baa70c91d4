"""Columns whose names only suggest what they hold are read if they look like it."""

import pytest

from pyramidion.collection import Collection
from pyramidion.errors import FormatError


def written(path, names, topics):
    rows = (
        f"T{topic},{name},{(7 * topic + 3 * number) % 5 + 0.5}\n"
        for topic in range(topics)
        for number, name in enumerate(names)
    )
    path.write_text("topic,variant,quality\n" + "".join(rows))
    return path


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("names", "topics", "systems"),
    [
        (["a", "b"], 4, True),
        (["a", "b"], 2, True),
        (["a", "b"], 1, False),
        (["a"], 4, False),
        (["a" * 60, "b"], 4, True),
        (["a" * 61, "b"], 4, False),
    ],
)
def test_variants_are_systems_if_they_are_short_and_repeated(names, topics, systems, tmp_path):
    path = written(tmp_path / "table.csv", names, topics)
    if systems:
        assert sorted(Collection.load(path).scores.distinct("system")) == names
    else:
        with pytest.raises(FormatError, match="no column of summaries or scores is recognized"):
            Collection.load(path)
