"""Models that people bring: where they are, and what a signature says of them."""

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from pathlib import Path
from typing import Any, ClassVar

from pyramidion._types import Floats
from pyramidion.collection._options import option
from pyramidion.errors import InputError
from pyramidion.metrics._metric import Metric, Need

#: Files that decide what a model computes.
_WEIGHTS = (".bin", ".gguf", ".json", ".onnx", ".pt", ".safetensors", ".txt")


@dataclass(frozen=True, slots=True)
class ModelMetric(Metric):
    """A metric that asks a model: its field `model`, or an environment variable, says which."""

    #: The environment variable that names a model where no option does.
    variable: ClassVar[str]
    #: Fields that are part of the name, in their order; `members` are all names.
    named: ClassVar[tuple[str, ...]] = ()

    model: str = option("", "folder of a model, or its name on the hub of Hugging Face")

    @classmethod
    def read(cls, name: str) -> Mapping[str, Any] | None:
        """Read the fields that are part of the name."""
        parts = name.removeprefix(f"{cls.name}-").split("-") if cls.named else []
        return dict(zip(cls.named, parts, strict=True)) if name in cls.names() else None

    def _call(self) -> str:
        return "-".join((self.name, *(getattr(self, own) for own in self.named)))

    @property
    def requirements(self) -> frozenset[Need]:
        """What this very metric needs: documents, if that is its side."""
        given: Need = "documents" if getattr(self, "side", "") == "input" else "references"
        return frozenset({given, "model"})

    @property
    def model_path(self) -> str:
        """The folder or name of the model; empty if there is none."""
        return self.model or os.environ.get(self.variable, "")

    @property
    def signed(self) -> str:
        """The text of a signature: the model's name, version, license and hash, too."""
        return f"{self}[{model_card(self.model_path)}]"

    def require_installed(self) -> None:
        """Refuse to begin without the packages or the model."""
        Metric.require_installed(self)
        if not self.model_path:
            hint = f"write {self._call()}(model=FOLDER), or set {self.variable}"
            raise InputError(f"{self} needs a model", hint)
        if looks_local(self.model_path) and not Path(self.model_path).exists():
            raise InputError(f"{self}: there is no {self.model_path}", hint="check the path")


@dataclass(frozen=True, slots=True)
class TokenMatchMetric(ModelMetric):
    """A metric of matched tokens, whose statistics are precision, recall and F."""

    bounds: ClassVar[str] = "0 to 1"
    confuses: ClassVar[str] = "length; a word and its opposite, names, numbers"
    citation: ClassVar[str] = "Zhang et al. 2020"
    needs: ClassVar[frozenset[Need]] = frozenset({"references", "model"})

    part: str = option("f", "precision, recall or F", choices=("p", "r", "f"))

    def score(self, statistics: Floats) -> Floats:
        """Choose one of the three."""
        return statistics[..., "prf".index(self.part)]


def looks_local(model: str) -> bool:
    """Tell a path from a name on a hub, which has one slash at most and no file of that name."""
    return model.count("/") > 1 or model.startswith((".", "/", "~")) or Path(model).exists()


@cache
def model_card(model: str) -> str:
    """Say what is known of a model: name, version, license, and a hash of its files."""
    path = Path(model)
    if not (model and path.exists()):
        return model
    parts = (_name(path), *_package(path.resolve()), _license(path), f"sha256:{_hash(path)}")
    return " ".join(dict.fromkeys(filter(None, parts)))


def _name(path: Path) -> str:
    """Return the name a model was saved by, or the folder's."""
    config = path / "config.json"
    saved = json.loads(config.read_text(encoding="utf-8")) if config.is_file() else {}
    return str(saved.get("_name_or_path") or path.name).rstrip("/").rpartition("/")[2]


def _package(path: Path) -> tuple[str, ...]:
    """Return name, version and license of the package that a folder belongs to."""
    places = [number for number, part in enumerate(path.parts) if part == "site-packages"]
    if not places or len(path.parts) <= places[-1] + 1:
        return ()
    try:
        (name, *_) = packages_distributions()[path.parts[places[-1] + 1]]
        found = distribution(name)
    except (KeyError, PackageNotFoundError):
        return ()
    facts = found.metadata.json
    said = str(facts.get("license_expression") or facts.get("license") or "")
    return f"{name}-{found.version}", said if len(said) < 40 else ""


def _license(path: Path) -> str:
    card = path / "README.md"
    text = card.read_text(encoding="utf-8", errors="replace") if card.is_file() else ""
    found = re.search(r"^license:\s*(\S+)", text.partition("\n#")[0], re.MULTILINE)
    return found[1] if found else ""


def _hash(path: Path) -> str:
    """Hash the files that decide what a model computes."""
    found = hashlib.sha256()
    files = [path] if path.is_file() else sorted(path.rglob("*"))
    for file in files:
        if file.is_file() and file.suffix in _WEIGHTS:
            found.update(file.name.encode())
            with file.open("rb") as stream:
                found.update(hashlib.file_digest(stream, "sha256").digest())
    return found.hexdigest()[:12]
