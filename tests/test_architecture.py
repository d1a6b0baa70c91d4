"""The architecture: imports point one way, public names are what they say."""

import ast
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import resolve_name
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import pyramidion
import stubs

PACKAGE = Path(pyramidion.__file__).parent
CHECKOUT = Path(__file__).parents[1]

# Lowest first. A package imports from lower layers only: not from its own, not from higher ones.
LAYERS = (
    ("_lazy", "_types", "_version", "errors"),
    ("files",),
    ("stats", "kernels"),
    ("text",),
    ("questions",),
    ("collection",),
    ("rendering",),
    ("checks",),
    ("engine", "language_models", "support"),
    ("rouge",),
    ("pyramid", "compat"),
    ("summarizers",),
    ("metrics",),
    ("faithfulness",),
    ("comparison",),
    ("meta_evaluation",),
    ("judges",),
    ("cli",),
    ("demo",),  # its story runs commands
    ("rewriting", "classy", "datasets", "logs"),
    ("studies",),
    ("studio",),
)
LAYER = {package: number for number, packages in enumerate(LAYERS) for package in packages}

# Packages that the core reaches through entry points only, as it reaches those of third parties.
PLUGINS = {"classy", "datasets", "logs", "rewriting", "studies", "studio"}

# Stricter than the layers: all that a package imports.
IMPORTS_ONLY = {"rendering": {"_types", "collection", "errors", "files", "questions"}}

# The only imports that point up, inside functions: whatever reads data also checks them.
CHECKED_WHEN_READ = {"collection/checking.py", "collection/formats/stream.py"}


class Import(NamedTuple):
    """A package of ours that a file imports from, and where."""

    file: Path
    line: int
    module: str
    to: str

    def __str__(self) -> str:
        return f"{self.file.relative_to(PACKAGE.parent)}:{self.line}: {self.module}"


def named_modules(node: ast.AST, package: str) -> list[str]:
    """List the modules a statement imports, and strings that spell one (loaded when needed)."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        base = resolve_name("." * node.level + (node.module or ""), package)
        # `from pyramidion import report` imports a package too.
        return [f"{base}.{alias.name}" for alias in node.names] if base == "pyramidion" else [base]
    text = node.value if isinstance(node, ast.Constant) else None
    if isinstance(text, str) and re.fullmatch(r"pyramidion(\.\w+)+", text):
        return [text]
    return []


@cache
def tree_of(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def nodes_of(file: Path) -> list[ast.AST]:
    return list(ast.walk(tree_of(file)))


def imports_in(file: Path) -> Iterator[Import]:
    inside = ".".join(("pyramidion", *file.relative_to(PACKAGE).parent.parts))
    for node in nodes_of(file):
        for module in named_modules(node, inside):
            top, _, rest = module.partition(".")
            package = rest.partition(".")[0]
            if top == "pyramidion" and package in LAYER:
                yield Import(file, node.lineno, module, package)  # type: ignore[attr-defined]


@cache
def imports_of(package: str) -> list[Import]:
    """List what the files of a package import from other packages, in order of file and line."""
    files = [PACKAGE / f"{package}.py", *(PACKAGE / package).rglob("*.py")]
    imports = {i for file in files if file.exists() for i in imports_in(file)}
    return sorted(i for i in imports if i.to != package)


def may_import(package: str, other: str) -> bool:
    if package in IMPORTS_ONLY:
        return other in IMPORTS_ONLY[package]
    return LAYER[other] < LAYER[package]


def offenders_in(*packages: str) -> list[Import]:
    upward = [
        i for package in packages for i in imports_of(package) if not may_import(package, i.to)
    ]
    checking = [PACKAGE / file for file in CHECKED_WHEN_READ]
    return [i for i in upward if i.to != "checks" or i.file not in checking]


def listed(offenders: list[Import]) -> str:
    return "\n".join(["not allowed by tests/test_architecture.py:", *map(str, offenders)])


def test_every_package_has_a_layer():
    top = [path for path in PACKAGE.iterdir() if not path.name.startswith("__")]
    assert {p.stem for p in top if p.suffix == ".py" or (p / "__init__.py").exists()} <= set(LAYER)


def test_imports_point_down():
    offenders = offenders_in(*LAYER)
    assert not offenders, listed(offenders)


def test_the_core_does_not_know_the_plugins():
    core = (package for package in LAYER if package not in PLUGINS)
    offenders = [i for package in core for i in imports_of(package) if i.to in PLUGINS]
    assert not offenders, listed(offenders)


#: Imports of other packages' private modules that are left: the number may only shrink.
MOST_PRIVATE_IMPORTS = 40

#: Modules without an underscore that only one other package uses so far.
USED_BY_ONE = {
    "collection.formats.ducview.files", "collection.formats.nist_names",
    "collection.formats.xml",
    "comparison.procedures", "comparison.topic_choice", "kernels.choice", "kernels.stops",
    "kernels.subsequences", "metrics.system_means", "rewriting.markov", "summarizers.sgml",
    "text.nearest",
}  # fmt: skip


def test_private_modules_are_private():
    """A package imports another one's front, or a module that at least two packages share."""
    every = [i for package in LAYER for i in imports_of(package) if i.module.count(".") > 1]
    modules = [(i, i.module.split(".")[2:]) for i in every if (PACKAGE / i.to).is_dir()]
    private = {(i.file, i.module): i for i, rest in modules if any(s[0] == "_" for s in rest)}
    assert len(private) <= MOST_PRIVATE_IMPORTS, listed(sorted(private.values()))
    users: dict[str, set[str]] = {}
    for i, rest in modules:
        module = PACKAGE.joinpath(i.to, *rest).with_suffix(".py")
        if module.is_file() and not any(part[0] == "_" for part in rest):
            name = i.module.removeprefix("pyramidion.")
            users.setdefault(name, set()).add(i.file.relative_to(PACKAGE).parts[0])
    assert {name for name, packages in users.items() if len(packages) < 2} <= USED_BY_ONE


#: Words that say nothing about what a variable or parameter holds.
FILLER_NAMES = {
    "own", "one", "found", "place", "known", "given", "asked", "others", "kept", "there", "drawn",
    "said", "made", "wanted", "told", "settled", "gone", "tested", "several", "raised", "filled",
    "wrong", "requested", "tied", "trained", "skipped", "covered", "following", "also", "another",
    "around", "besides", "beyond", "doubled", "everywhere", "familiar", "fewest", "foreign",
    "halved", "located", "meant", "never", "picked", "reached", "recognized", "resolved",
    "returned", "shuffled", "smaller", "smallest", "together", "unread", "unwanted", "wider",
    "widest", "worth",
}  # fmt: skip

#: Where such a name is left, and why: the list may only shrink.
FILLER_ALLOWED = {
    # Keys of JSON and TOML, columns, and options that users type.
    "collection/_collection.py": 1, "comparison/_checklists.py": 5,
    "comparison/_preferences.py": 1, "meta_evaluation/_agreement.py": 1, "studio/_judging.py": 1,
    "summarizers/_coverage.py": 1, "summarizers/_frequency.py": 1, "summarizers/_hmm.py": 1,
    # The documents that a reader already knows: the keyword of `Source.of_documents`.
    "summarizers/_source.py": 2,
}  # fmt: skip


def test_names_say_what_they_hold():
    """Variables and parameters are named after what they hold."""
    used: dict[str, list[str]] = {}
    for file in PACKAGE.rglob("*.py"):
        where = str(file.relative_to(PACKAGE))
        for node in nodes_of(file):
            name = getattr(node, "id", None) if isinstance(node, ast.Name) else None
            name = node.arg if isinstance(node, ast.arg) else name
            if name in FILLER_NAMES:
                used.setdefault(where, []).append(f"{where}:{node.lineno}: {name}")  # type: ignore[attr-defined]
    offenders = [
        lines for where, lines in used.items() if len(lines) > FILLER_ALLOWED.get(where, 0)
    ]
    assert not offenders, "\n".join(line for lines in offenders for line in lines)
    assert used.keys() == FILLER_ALLOWED.keys(), "remove what is no longer needed from the list"


def test_no_package_has_two_classes_of_a_name():
    classes: dict[tuple[str, str], list[str]] = {}
    for file in PACKAGE.rglob("*.py"):
        where = file.relative_to(PACKAGE)
        for node in tree_of(file).body:
            if isinstance(node, ast.ClassDef):
                classes.setdefault((where.parts[0], node.name), []).append(str(where))
    del classes["kernels", "Lexicon"]  # compiled or not, it is the same class to its users
    assert {name: files for name, files in classes.items() if len(files) > 1} == {}


#: Test files that import private modules: the number may only shrink.
MOST_INTERNAL_TESTS = 110


def test_tests_use_public_names():
    """Internal tests are kept for kernels, stats and text, and for what no front reaches."""
    private = re.compile(r"pyramidion(\.[a-z]\w*)*\._[a-z]|from pyramidion[\w.]* import _[a-z]")
    tests = sorted((CHECKOUT / "tests").rglob("*.py"))
    internal = [file for file in tests if private.search(file.read_text(encoding="utf-8"))]
    assert len(internal) <= MOST_INTERNAL_TESTS, "\n".join(map(str, internal))


#: Private names that benchmarks and tools import, and why: the numbers may only shrink.
INTERNAL_SCRIPTS = {
    # They train models or compile lists, with features and formats of the code that reads them.
    "benchmarks/pyramids.py": 1, "benchmarks/status.py": 5, "benchmarks/summarizer_choice.py": 1,
    "tools/hmm.py": 1, "tools/light_parser.py": 10, "tools/model/card.py": 1, "tools/models.py": 5,
    "tools/name_lists.py": 2, "tools/similarity.py": 2, "tools/status.py": 13, "tools/tagger.py": 7,
    "tools/train_names.py": 9,
    # They measure a step of an answer: a tagger without its parser, pairs without their table,
    # a compiled kernel beside its specification, the calls of an encoder, features of articles.
    "benchmarks/building_pyramids.py": 5, "benchmarks/matching.py": 1,
    "benchmarks/pyramid_stability.py": 8, "benchmarks/readability.py": 3,
    "benchmarks/stats_correlations.py": 3, "benchmarks/stats_errors.py": 4,
    "benchmarks/stats_power.py": 3, "benchmarks/stories.py": 7, "benchmarks/tagging.py": 4,
    "benchmarks/tokens.py": 1,
    # It feeds damaged bytes to readers without a command; they sign in as people of the studio.
    "tools/fuzz.py": 2, "tools/screens.py": 8, "benchmarks/studio_load.py": 6,
}  # fmt: skip


def test_benchmarks_and_tools_use_public_names():
    used: dict[str, list[str]] = {}
    for folder in ("benchmarks", "tools"):
        for file in sorted((CHECKOUT / folder).rglob("*.py")):
            where = file.relative_to(CHECKOUT).as_posix()
            for node in nodes_of(file):
                for name in imported_names(node):
                    if name.startswith("pyramidion.") and "._" in name:
                        used.setdefault(where, []).append(f"{where}:{node.lineno}: {name}")  # type: ignore[attr-defined]
    offenders = [
        lines for where, lines in used.items() if len(lines) > INTERNAL_SCRIPTS.get(where, 0)
    ]
    assert not offenders, "\n".join(line for lines in offenders for line in lines)
    counts = {where: len(lines) for where, lines in used.items()}
    assert counts == INTERNAL_SCRIPTS, "lower the numbers of the list"


def imported_names(node: ast.AST) -> list[str]:
    """List the names that a statement imports, each with its module."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return []


# A line of Python, as in a snippet, in a code block of a page or after a prompt.
FOR_USERS_NOT = re.compile(
    r"\s*(?:>>> )?(?:(?:from|import) pyramidion\.|from pyramidion import .*)\b(rendering|cli)\b"
)


def test_documentation_imports_neither_rendering_nor_cli():
    docs = CHECKOUT / "docs"
    pages = [CHECKOUT / "README.md", *docs.rglob("*.md"), *(docs / "snippets").rglob("*.py")]
    offenders = [
        f"{page.relative_to(CHECKOUT)}:{number}: {line.strip()}"
        for page in sorted(pages)
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1)
        if FOR_USERS_NOT.match(line)
    ]
    assert not offenders, "\n".join(["documentation imports what is internal:", *offenders])


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/api.md"])
def test_pages_for_contributors_name_this_file(page):
    assert "tests/test_architecture.py" in (CHECKOUT / page).read_text(encoding="utf-8")


def test_public_names_are_sorted_and_there():
    assert pyramidion.__all__ == sorted(pyramidion.__all__)
    aliases = {"meta_evaluate": "meta"}  # a contract of the design
    for name in pyramidion.__all__:
        assert getattr(pyramidion, name).__name__ == aliases.get(name, name)
    assert set(pyramidion.__all__) <= set(dir(pyramidion))
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        getattr(pyramidion, "Nothing")  # noqa: B009


FRONTS = ["pyramidion", "pyramidion.collection.formats"] + [
    f"pyramidion.{path.parent.name}"
    for path in sorted(PACKAGE.glob("*/__init__.py"))
    if path.parent.name not in ("cli", "rendering", "studio", "engine")
]


@pytest.mark.parametrize("name", FRONTS)
def test_a_front_lists_what_it_exports(name):
    front = importlib.import_module(name)
    assert front.__doc__
    assert set(front.__all__) <= set(dir(front))
    with pytest.raises(AttributeError, match=f"module '{name}' has no attribute 'nothing'"):
        _ = front.nothing


def defined_names() -> dict[str, set[str]]:
    """Return the modules in which each public function or class is defined."""
    places: dict[str, set[str]] = {}
    for file in PACKAGE.rglob("*.py"):
        module = ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts)
        for node in tree_of(file).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                places.setdefault(node.name, set()).add(module)
    return places


def test_an_exported_name_is_defined_once():
    # Kernels have a compiled and a Python version; two commands are called `score`; summarizers
    # and the guard have different sources.
    places = defined_names()
    fronts = (importlib.import_module(name) for name in FRONTS if name != "pyramidion.kernels")
    exported = {name for front in fronts for name in front.__all__} - {"score", "Source"}
    offenders = {name: sorted(places[name]) for name in exported if len(places.get(name, ())) > 1}
    assert offenders == {}


def exported_functions() -> Iterator[tuple[str, Any]]:
    for name in FRONTS:
        front = importlib.import_module(name)
        for export in front.__all__:
            value = getattr(front, export)
            if inspect.isfunction(value):
                yield f"{name}.{export}", value


def test_exported_functions_have_an_example():
    lacking = [name for name, function in exported_functions() if ">>> " not in function.__doc__]
    assert lacking == []


def test_signatures_are_readable():
    signatures = {name: str(inspect.signature(value)) for name, value in exported_functions()}
    noise = re.compile(r"lambda|MISSING| at 0x")
    assert [name for name, text in signatures.items() if noise.search(text)] == []
    questions = [name for name, value in exported_functions() if hasattr(value, "groups")]
    assert len(questions) > 40
    assert [
        name for name in questions if re.search(r"[<~]|pyramidion\.|typing\.", signatures[name])
    ] == []


def test_fronts_have_the_signatures_of_their_questions():
    pytest.importorskip("pyramidion.rewriting")  # it adds options to questions of the core
    texts = {front: front.read_text(encoding="utf-8") for front in stubs.fronts()}
    outdated = [str(front) for front, text in texts.items() if stubs.current_text(front) != text]
    assert outdated == [], "`make format` writes them"


def test_names_that_a_module_lists_are_documented():
    for info in pkgutil.walk_packages(pyramidion.__path__, "pyramidion."):
        module = importlib.import_module(info.name)
        names = getattr(module, "__all__", [])
        assert sorted(names) == sorted(set(names)), info.name
        for name in names:
            value = getattr(module, name)
            if inspect.isclass(value) or inspect.isroutine(value):
                assert value.__doc__, f"{info.name}.{name}"


@pytest.mark.parametrize("statement", ["import pyramidion", "import pyramidion.cli.app"])
def test_import_is_light(statement):
    heavy = "{'scipy', 'matplotlib', 'fastapi', 'pandas', 'polars', 'spacy', 'sklearn', 'numpy'}"
    code = f"{statement}; import sys; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


#: Who may use what leads from a text to code that is run: module, and function or class.
TO_CODE = {
    "UserText": {
        "questions/options.py:OptionSpec", "questions/options.py:_split_items",
        "metrics/_own.py:UserCode", "metrics/_own.py:user_metric",
        "metrics/registry.py:parse_metric", "metrics/registry.py:named_metric",
        "metrics/registry.py:is_metric", "metrics/registry.py:parse_metrics",
        "metrics/_frames.py:score_frame", "classy/_models.py:LinearModel",
    },
    "UserCode": {
        "metrics/_own.py:UserMetric", "metrics/_own.py:user_metric", "metrics/_own.py:load_code",
        "metrics/_own.py:_require_allowed", "metrics/registry.py:is_metric",
    },
    "user_metric": {"metrics/registry.py:named_metric"},
    "load_code": {"metrics/_own.py:UserMetric", "metrics/_own.py:user_metric"},
    "_class_in_file": {"metrics/_own.py:load_code"},
    "_load_file": {"metrics/_own.py:_class_in_file"},
    "exec_module": {"metrics/_own.py:_load_file"},
    # For users: what is read from data never goes through them.
    "parse_metric": set(),
    "parse_metrics": set(),
}  # fmt: skip


def test_code_is_loaded_in_one_place_from_what_users_typed():
    """From the text of an option or a caller to the loader there is one way."""
    used: dict[str, set[str]] = {name: set() for name in TO_CODE}
    for file in PACKAGE.rglob("*.py"):
        where = str(file.relative_to(PACKAGE))
        defined = (ast.ClassDef, ast.FunctionDef)
        for top in (node for node in tree_of(file).body if isinstance(node, defined)):
            for node in ast.walk(top):
                name = getattr(node, "id", getattr(node, "attr", None))
                local = name in ("_class_in_file", "_load_file") and where != "metrics/_own.py"
                if name in used and not local:
                    used[name].add(f"{where}:{top.name}")
    assert used == TO_CODE


def test_nothing_else_runs_or_unpacks_code():
    """Modules that run, import by name or unpickle are used for fixed names only."""
    allowed = {
        # Calls that are sent to the workers of a cluster, which the user names.
        "pickle": {"engine/_cluster.py"},
        "marshal": set(), "shelve": set(), "joblib": set(), "dill": set(),
        "runpy": {"text/languages.py"},  # stop lists of spaCy, by a code of letters
    }  # fmt: skip
    for file in PACKAGE.rglob("*.py"):
        where = str(file.relative_to(PACKAGE))
        for node in nodes_of(file):
            for module in named_modules(node, "pyramidion"):
                assert where in allowed.get(module.partition(".")[0], {where}), f"{where}: {module}"
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("eval", "exec", "compile", "__import__"), where
