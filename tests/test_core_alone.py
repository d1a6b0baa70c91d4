"""The core works without the plug-in packages, which it reaches through entry points only."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import pyramidion
from pyramidion import kernels

SOURCE = Path(pyramidion.__file__).parent
CHECKOUT = Path(__file__).parents[1]
PLUGINS = ("classy", "datasets", "logs", "rewriting", "studies", "studio")

# Tests of plug-ins, of everything together, and of this checkout's files.
_NOT_CORE = re.compile(
    r"pyramidion\.(classy|datasets|logs|rewriting|studies|studio)\b"
    r"|from (classy|rewriting|studies|studio)[. ]"
    r"|classy-2011|--rewrite|command_specs|test_references|registry_names|test_what_the_snippets"
    r"|classy models|composite|study systems|years to train on|\"--from\", \"duc\""
)


@pytest.fixture(scope="module")
def core(tmp_path_factory):
    """Copy the package without the plug-ins, and without their entry points."""
    folder = tmp_path_factory.mktemp("core")
    ignored = shutil.ignore_patterns("__pycache__", *PLUGINS)
    shutil.copytree(SOURCE, folder / "pyramidion", ignore=ignored)
    if kernels.BACKEND == "native":
        from pyramidion.kernels import _native

        shutil.copy(_native.__file__, folder / "pyramidion" / "kernels")
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    about = folder / f"pyramidion-{pyramidion.__version__}.dist-info"
    about.mkdir()
    name = f"Metadata-Version: 2.1\nName: pyramidion\nVersion: {pyramidion.__version__}\n"
    (about / "METADATA").write_text(name)
    lines = []
    for group, entries in project["entry-points"].items():
        core_entries = {k: v for k, v in entries.items() if re.split("[.:]", v)[1] not in PLUGINS}
        lines += [f"[{group}]", *(f"{key} = {value}" for key, value in core_entries.items())]
    (about / "entry_points.txt").write_text("\n".join(lines) + "\n")
    return folder


def run(core, *arguments, cwd):
    """Run Python with the copy before anything else, also before an editable installation."""
    # Without the folders of this checkout that pytest adds.
    path_entries = [path for path in sys.path if not path.startswith(str(CHECKOUT / "t"))]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(core), *path_entries])}
    command = [sys.executable, "-S", *map(str, arguments)]
    return subprocess.run(
        command, env=environment, cwd=cwd, capture_output=True, text=True, check=False
    )


def test_the_core_lists_fewer_commands_and_works(core, tmp_path):
    where = run(core, "-c", "import pyramidion; print(pyramidion.__file__)", cwd=tmp_path)
    assert where.stdout.startswith(str(core)), where.stderr
    shown = run(core, "-m", "pyramidion", "--help", cwd=tmp_path).stdout
    for command in ("compare", "summarize", "assessors", "pyramid"):
        assert f"│ {command} " in shown
    for command in ("classy", "rewrite", "study", "composite", "difficulty", "serve"):
        assert f"│ {command} " not in shown
    shown = run(core, "-m", "pyramidion", "pyramid", "--help", cwd=tmp_path).stdout
    assert "│ agreement " in shown
    assert "│ stability " not in shown
    scores = CHECKOUT / "tests" / "snapshots" / "scores.csv"
    done = run(core, "-m", "pyramidion", "compare", scores, "-m", "rouge-2-r", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    code = "from pyramidion.collection import formats as f\nfor x in f.all_formats(): print(x.name)"
    assert run(core, "-c", code, cwd=tmp_path).stdout.split() == [
        "collection", "scores", "preferences", "pyramids", "stream", "summaries", "ducview",
        "rouge", "table",
    ]  # fmt: skip
    shown = run(core, "-m", "pyramidion", "convert", "--help", cwd=tmp_path).stdout
    assert "stream, summaries, ducview, rouge, table." in " ".join(shown.split())


@pytest.mark.long
def test_the_demonstration_runs_and_every_module_loads(core, tmp_path):
    done = run(core, "-m", "pyramidion", "demo", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    code = "import pkgutil, importlib, pyramidion as p\n" + (
        "for m in pkgutil.walk_packages(p.__path__, 'pyramidion.'): importlib.import_module(m.name)"
    )
    done = run(core, "-c", code, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.long
def test_the_tests_of_the_core_pass(core, tmp_path):
    tests = tmp_path / "tests"
    ignored = shutil.ignore_patterns("__pycache__", *PLUGINS, "snapshots", "typing")
    shutil.copytree(CHECKOUT / "tests", tests, ignore=ignored)
    # Samples that other folders import.
    for name in ("docs", "README.md", "pyproject.toml", "tools"):
        (tmp_path / name).symlink_to(CHECKOUT / name)
    for file in tests.rglob("test_*.py"):
        if file.parent == tests or _NOT_CORE.search(file.read_text(encoding="utf-8")):
            file.unlink()
    options = ("-q", "-p", "no:cacheprovider", "-o", "testpaths=tests", "--assert=plain")
    done = run(core, "-m", "pytest", *options, "tests", cwd=tmp_path)
    assert done.returncode == 0, done.stdout[-4000:]
