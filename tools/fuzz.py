"""Feed every reader and the kernels damaged bytes, and see whether they crash, hang or swell.

``make tool NAME=fuzz OPTIONS="--seconds 600"``, shared by all targets, or those that are named:
``"--seconds 60 csv jsonl"``. Each target runs in a process of its own that may hold 2 GiB; an input
may take 10 s. A reader may refuse anything with one of the package's own errors; the compiled
kernels must agree with the readable ones. Where atheris is installed, it looks for inputs that
reach new code; elsewhere what was written by the package itself is damaged at random. An input that
does harm is kept in ``build/fuzz``, and the exit code is 1.
"""

import argparse
import importlib.util
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "build" / "fuzz"
SECONDS_EACH, MEMORY = 10, 2 * 2**30

#: What one target is fed with.
Target = Callable[[bytes], object]


@cache
def folder() -> Path:
    """Return a folder for files, which is gone when the process ends."""
    directory = tempfile.TemporaryDirectory(prefix="fuzz-")
    folder.kept = directory  # type: ignore[attr-defined]
    return Path(directory.name)


@cache
def written() -> dict[str, Path]:
    """Write the demonstration in every format that takes it."""
    from pyramidion.collection.formats import all_formats, write_collection
    from pyramidion.demo import load_demo
    from pyramidion.errors import PyramidionError

    places = {}
    for format in all_formats():
        suffix = format.suffixes[0] if getattr(format, "suffixes", ()) else ""
        path = folder() / f"written-{format.name}{suffix}"
        try:
            write_collection(load_demo(), path, format=format.name)
        except (PyramidionError, NotImplementedError, AttributeError, TypeError):
            continue
        places[format.name] = path
    return places


def file_reader(ending: str) -> Target:
    """Read a file of its own, guessed by its beginning and ending."""
    from pyramidion.collection.formats import read_collection
    from pyramidion.summarizers.articles import read_articles

    path = folder() / f"input{ending}"

    def read(data: bytes) -> None:
        path.write_bytes(data)
        _tolerant(lambda: read_collection(path))
        _tolerant(lambda: read_articles([path]))

    return read


def folder_reader(name: str) -> Target:
    """Read a folder in which one file, that the first byte names, is damaged."""
    from pyramidion.collection.formats import read_collection

    path = written()[name]
    files = sorted(path for path in path.rglob("*") if path.is_file())
    whole = {path: path.read_bytes() for path in files}

    def read(data: bytes) -> None:
        path = files[data[0] % len(files)] if data else files[0]
        path.write_bytes(data[1:])
        _tolerant(lambda: read_collection(path))
        path.write_bytes(whole[path])

    return read


def stream_reader(data: bytes) -> None:
    """Read a stream, line by line and as a part."""
    from pyramidion.collection.formats.stream import read_stream
    from pyramidion.engine.parts import in_parts
    from pyramidion.engine.pieces import Piece

    parts_folder = folder() / "parts"
    parts_folder.mkdir(exist_ok=True)
    (parts_folder / "part.jsonl").write_bytes(data)
    in_parts(parts_folder)
    _tolerant(lambda: list(read_stream(parts_folder / "part.jsonl")))
    _tolerant(lambda: list(Piece(str(parts_folder / "part.jsonl")).records()))


def model_reader(data: bytes) -> None:
    """Read models, and the names of metrics and methods."""
    from pyramidion.classy import LinearModel
    from pyramidion.metrics import parse_metric
    from pyramidion.pyramid.similarity import SimilarityModel
    from pyramidion.rewriting import StatusModel, read_chains
    from pyramidion.summarizers import parse_summarizer
    from pyramidion.summarizers._hmm import HmmFile

    path = folder() / "model.json"
    path.write_bytes(data)
    kinds = (LinearModel, SimilarityModel, StatusModel, HmmFile)
    for load in (*(kind.load for kind in kinds), read_chains):
        _tolerant(lambda load=load: load(path))
    text = data[:200].decode("latin-1")
    _tolerant(lambda: parse_metric(text))
    _tolerant(lambda: parse_summarizer(text))


def kernels(data: bytes) -> None:
    """Compare the compiled kernels with the readable ones."""
    from pyramidion import kernels as fast
    from pyramidion.kernels import porter, tokens
    from pyramidion.rouge import Rouge

    text = data[:2_000].decode("utf-8", "replace")
    for text_or_bytes in (text, data[:2_000]):
        native_tokens = fast.rouge_tokens(text_or_bytes)
        assert native_tokens == tokens.rouge_tokens(text_or_bytes), "other tokens"
    for word in native_tokens[:20]:
        for way in (False, True):
            assert fast.porter_stem(word, way) == porter.porter_stem(word, way), word
    if fast.json_item is not None:
        fast.json_item(data)
    peer, _, reference = text.partition("\n")
    rouge = Rouge(n=(1, 2), l=True, w=1.2, su=4, stem=True, tokenizer="unicode")
    scored = _tolerant(lambda: rouge.score([peer], [[reference]]).as_dict())
    for values in scored.values() if isinstance(scored, dict) else ():
        assert all(-1e-12 <= value <= 1 + 1e-12 for value in values.values()), "out of range"


def texts(data: bytes) -> None:
    """Split sentences, find words and tags, and read basic elements."""
    from pyramidion.errors import Where
    from pyramidion.rouge._basic_elements import parse_basic_elements
    from pyramidion.text import split_sentences, tokenize

    text = data[:4_000].decode("utf-8", "replace")
    _tolerant(lambda: split_sentences(text))
    _tolerant(lambda: tokenize(text))
    _tolerant(lambda: parse_basic_elements(data[:4_000], Where("input")))


ENDINGS = (".jsonl", ".json", ".csv", ".tsv", ".xml", ".pyr", ".pan", ".txt", ".sgml", ".jsonl.gz",
           ".parquet")  # fmt: skip
FOLDERS = ("collection", "ducview", "rouge")


def targets() -> dict[str, Callable[[], Target]]:
    """Return all targets by name; each is made where it is needed."""
    readers: dict[str, Callable[[], Target]] = {
        **{ending[1:]: lambda ending=ending: file_reader(ending) for ending in ENDINGS},
        **{f"folder-{name}": lambda name=name: folder_reader(name) for name in FOLDERS},
        "stream": lambda: stream_reader,
        "models": lambda: model_reader,
        "kernels": lambda: kernels,
        "texts": lambda: texts,
    }
    return readers


def _tolerant(call: Callable[[], object]) -> object:
    """Let the package refuse an input in its own words."""
    from pyramidion.errors import PyramidionError

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return call()
        except PyramidionError:
            return None


def seeds(name: str) -> list[bytes]:
    """Return files that are whole, as the package writes them, and shorter ones."""
    from pyramidion.classy import models

    every = [path for sample in written().values() for path in (sample, *sample.rglob("*"))]
    files = [path for path in every if path.is_file()]
    alike = [path for path in files if path.name.endswith(f".{name}")] or files
    whole = [path.read_bytes() for path in alike[:12]]
    if name == "models":
        whole += [next(iter(models())).to_json().encode(), *_models()]
    if name == "parquet":
        whole = list(_parquet())
    whole += [b'{"topic": "T1", "system": "A", "peer": "Rain.", "references": ["It rained."]}\n']
    return [content[:size] for content in whole for size in (64, 1_000, 20_000)]


def _models() -> Iterator[bytes]:
    """Return models that come with the package, the smallest first, and chains of mentions."""
    data = sorted(
        (ROOT / "src" / "pyramidion").rglob("data/*.json"), key=lambda p: p.stat().st_size
    )
    yield from (path.read_bytes() for path in data)
    yield json.dumps(
        {"features": [{"feature": "name", "states": ["full", "last"], "initial": [1, 0],
                       "transitions": [[0, 1], [0, 1]]}]}
    ).encode()  # fmt: skip


def _parquet() -> Iterator[bytes]:
    """Return tables of scores and of texts."""
    import io

    import polars

    rows = {"topic": ["T1"] * 3, "system": list("ABC"), "measure": ["m"] * 3, "value": [1.0, 2, 3]}
    for more in ({}, {"references": [["Rain."], [], ["It", "fell"]]}):
        written = io.BytesIO()
        polars.DataFrame(rows | more).write_parquet(written)
        yield written.getvalue()


def damaged(rng: random.Random, data: bytes) -> bytes:
    """Change a few bytes, leave some out, or bring some from elsewhere in."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, 6)):
        at, more = rng.randrange(len(changed) + 1), rng.randint(1, 30)
        kind = rng.randrange(5)
        if kind == 0:
            del changed[at : at + more]
        elif kind == 1:
            changed[at:at] = rng.randbytes(more)
        elif kind == 2:
            changed[at:at] = rng.choice(
                (b'"', b"\x00", b"{" * 500, b"\xff", b"\n", b",", b"9" * 400, b"\r", b"<a>", b"&")
            )
        elif kind == 3 and at < len(changed):
            changed[at] = rng.randrange(256)
        else:
            changed[at:at] = changed[:more]
    return bytes(changed)


def at_random(target: Target, inputs: list[bytes], seconds: float, seed: int) -> int:
    """Damage whole inputs until the time is over; give how many there were."""
    rng, runs, end = random.Random(seed), 0, time.monotonic() + seconds
    for data in _endless(rng, inputs):
        if time.monotonic() > end:
            return runs
        with _watched(data):
            target(data)
        runs += 1
    return runs


def _endless(rng: random.Random, inputs: list[bytes]) -> Iterator[bytes]:
    yield from inputs
    while True:
        yield damaged(rng, rng.choice(inputs))


def _too_long(*_: object) -> NoReturn:
    raise TimeoutError(f"an input took more than {SECONDS_EACH} s")


class _watched:  # noqa: N801  # a context, as those of contextlib
    """Keep an input that does harm."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def __enter__(self) -> None:
        signal.alarm(SECONDS_EACH)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        signal.alarm(0)
        if kind is not None and kind is not KeyboardInterrupt:
            KEPT.mkdir(parents=True, exist_ok=True)
            path = KEPT / f"crash-{abs(hash(self._data)):x}"
            path.write_bytes(self._data)
            print(f"kept {path.relative_to(ROOT)}", file=sys.stderr)


def by_coverage(name: str, seconds: float) -> NoReturn:
    """Let atheris look for inputs that reach new code; it ends the process."""
    import atheris

    with atheris.instrument_imports(include=["pyramidion"]):
        target = targets()[name]()
    corpus = KEPT / name
    corpus.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(seeds(name)):
        (corpus / f"seed-{number}").write_bytes(data)
    options = [
        f"-max_total_time={round(seconds)}", f"-timeout={SECONDS_EACH}", "-rss_limit_mb=2048",
        "-max_len=20000", f"-artifact_prefix={KEPT}/{name}-", "-print_final_stats=1",
    ]  # fmt: skip
    atheris.Setup([sys.argv[0], *options, str(corpus)], target)
    atheris.Fuzz()
    raise SystemExit(0)


def work(name: str, seconds: float, seed: int) -> None:
    """Fuzz one target in this process."""
    if importlib.util.find_spec("atheris") is not None:
        by_coverage(name, seconds)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY * 2, MEMORY * 2))
    signal.signal(signal.SIGALRM, _too_long)
    target, inputs = targets()[name](), seeds(name)
    runs = at_random(target, inputs, seconds, seed)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{name:18}{runs:9,} inputs{most:8.0f} MiB")
    if most * 2**20 > MEMORY:
        raise SystemExit(f"{name} held more than 2 GiB")


def main() -> int:
    """Share the time among the targets."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--here", action="store_true", help="one target, in this process")
    parser.add_argument("targets", nargs="*", default=[])
    options = parser.parse_args()
    chosen = options.targets or list(targets())
    if options.own_similarity:
        work(chosen[0], options.seconds, options.seed)
        return 0
    harmed = []
    for name in chosen:
        seconds = options.seconds / len(chosen)
        command = [sys.executable, __file__, "--here", name, "--seconds", str(seconds),
                   "--seed", str(options.seed)]  # fmt: skip
        ended = subprocess.run(command, env=os.environ | {"PYTHONHASHSEED": "0"}, check=False)
        if ended.returncode:
            harmed.append(name)
    print(f"seed {options.seed}: " + (f"HARMED: {', '.join(harmed)}" if harmed else "no harm"))
    return bool(harmed)


if __name__ == "__main__":
    sys.exit(main())
