"""What a signature says of a folder with a model."""

import json

import pytest

from pyramidion.metrics.registry import parse_metric


@pytest.mark.parametrize(
    ("folder", "begins"),
    [
        ("plain", "plain apache-2.0 sha256:"),
        ("site-packages", "site-packages apache-2.0 sha256:"),
        ("site-packages/unknown_package/model", "model apache-2.0 sha256:"),
    ],
)
def test_a_folder_may_have_any_name(folder, begins, tmp_path, monkeypatch):
    path = tmp_path / folder
    path.mkdir(parents=True)
    (path / "config.json").write_text(json.dumps({}))
    (path / "README.md").write_text("---\nlicense: apache-2.0\n---\n# A model\nlicense: mit\n")
    monkeypatch.setenv("PYRAMIDION_EMBED_MODEL", str(path))
    signed = parse_metric("match-references-r").signed
    assert signed.startswith(f"match-references-r[{begins}")
