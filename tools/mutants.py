"""Change code at random, one operator or number at a time, and see whether a test notices.

``python tools/mutants.py --count 20 --seed 7 [evaluation stats/_power.py:40 ...]``, and a part of
``make test-long``. A mutant has one operator changed: a comparison, an arithmetic operator, a
number (n to n + 1), ``and``/``or``, ``min``/``max``, an ``abs`` left out, an axis. Changes that no
result can show are not drawn: type annotations, texts of errors, the sizes of caches (``lru_cache``
and constants such as ``_CACHE_SIZE``) and of blocks of work (``_AT_ONCE``, ``_BATCH``, ``_CHUNK``:
see `SPEED`), and how often a text is split whose first part is taken. All packages take turns,
however large they are. A mutant is written into a temporary copy of the source, never
into the checkout. The module's doctests run on it, and all tests that run its lines, in
programs that they start, too. These are recorded once for a state of the source (``build/mutants``;
some ten minutes), and again for files of tests that changed. Look at what survives: it is code that
no test checks, or a change that makes no difference.

A run without ``--seed`` draws a new sample and prints its seed. The exit code is 0 whatever
survives, unless ``--fail-over`` is given; 2 if a sample cannot be drawn or run.
"""

import argparse
import ast
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import accumulate, chain, islice, takewhile, zip_longest
from pathlib import Path
from queue import SimpleQueue

import pytest
from coverage import Coverage, CoverageData

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"
TESTS = ROOT / "tests"
PACKAGES = tuple(sorted(file.parent.name for file in SOURCE.glob("pyramidion/*/__init__.py")))
# A survivor of a line that most tests run would take as long as all of them.
MOST_SECONDS = 60
FEW_TESTS = 4

# Run when Python starts, in the children of tests, too. An editable installation's finder would
# come before PYTHONPATH, and a mutant that never stops appending must not take all memory. The
# limit is not on addresses: a browser reserves far more of them than it uses.
SITECUSTOMIZE = """\
import resource
import sys
from importlib.machinery import PathFinder
sys.meta_path[:] = [
    finder
    for finder in sys.meta_path
    if finder is PathFinder or finder.find_spec("pyramidion", None) is None
]
resource.setrlimit(resource.RLIMIT_DATA, (8 * 2**30, 8 * 2**30))
"""

# Children of tests read this, too, and their lines go under the test that started them.
COVERAGE = """\
[run]
source = {copy}/src
data_file = {copy}/lines/lines
parallel = true
concurrency = thread, multiprocessing
context = ${{PYTEST_CURRENT_TEST-}}
[paths]
source =
    {original}
    {copy}/src
"""

# Names of environment variables that tell the plug-in of pytest below what to do.
TIMES = "MUTANTS_TIMES"
CHOSEN = "MUTANTS_CHOSEN"
STARTED = pytest.StashKey[float]()

Node = ast.expr | ast.stmt


class ToolError(Exception):
    """The sample cannot be drawn or run."""


# Mutations of a syntax tree

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
}
EXTREMES = {
    "min": "max",
    "minimum": "maximum",
    "nanmin": "nanmax",
    "argmin": "argmax",
    "fmin": "fmax",
}
EXTREMES |= {high: here for here, high in EXTREMES.items()}
OTHER_AXIS = {"0": 1, "1": 0}
ABSOLUTE = {"abs", "absolute", "fabs"}
TEXTS = (ast.JoinedStr, ast.List, ast.Tuple, ast.Set, ast.ListComp)


def is_text(node: ast.expr) -> bool:
    """Return whether an expression is plainly a text or a list, where arithmetic only crashes."""
    return isinstance(node, TEXTS) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def called(node: ast.Call) -> str:
    """Return the last part of a called name."""
    function = node.func
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def renamed(node: ast.Call, name: str) -> ast.Call:
    """Call another function with the same arguments."""
    changed = deepcopy(node)
    if isinstance(changed.func, ast.Name):
        changed.func.id = name
    elif isinstance(changed.func, ast.Attribute):
        changed.func.attr = name
    return changed


def changed_comparisons(node: ast.Compare) -> Iterator[Node]:
    """Change each comparison of a chain."""
    operands = [node.left, *node.comparators]
    for number, operator in enumerate(node.ops):
        sides = operands[number : number + 2]
        if type(operator) in COMPARISONS and not any(map(is_text, sides)):
            changed = deepcopy(node)
            changed.ops[number] = COMPARISONS[type(operator)]()
            yield changed


def changed_arithmetic(node: ast.BinOp | ast.AugAssign) -> Iterator[Node]:
    """Change an arithmetic operator."""
    sides = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.value]
    if type(node.op) in ARITHMETIC and not any(map(is_text, sides)):
        changed = deepcopy(node)
        changed.op = ARITHMETIC[type(node.op)]()
        yield changed


def changed_call(node: ast.Call) -> Iterator[Node]:
    """Turn a minimum into a maximum, leave out an absolute value, or turn an axis."""
    name = called(node)
    if name in EXTREMES:
        yield renamed(node, EXTREMES[name])
    if name in ABSOLUTE and len(node.args) == 1 and not node.keywords:
        yield node.args[0]
    for number, keyword in enumerate(node.keywords):
        if is_axis(keyword):
            changed = deepcopy(node)
            changed.keywords[number].value = ast.Constant(OTHER_AXIS[ast.unparse(keyword.value)])
            yield changed


def is_axis(keyword: ast.keyword) -> bool:
    """Return whether an argument is ``axis=0`` or ``axis=1``."""
    return keyword.arg == "axis" and ast.unparse(keyword.value) in OTHER_AXIS


def changes(node: Node) -> Iterator[Node]:
    """Yield what a node may become."""
    match node:
        case ast.Compare():
            yield from changed_comparisons(node)
        case ast.BinOp() | ast.AugAssign():
            yield from changed_arithmetic(node)
        case ast.BoolOp():
            turned = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield ast.BoolOp(turned, node.values)
        case ast.Call():
            yield from changed_call(node)
        case ast.Constant(value=bool()):
            pass
        case ast.Constant(value=int() | float() as value):
            if value + 1 != value:  # not so for 1e300
                yield ast.Constant(value + 1)


def is_type_checking(node: ast.If) -> bool:
    """Return whether a block is for type checkers only."""
    return ast.unparse(node.test).endswith("TYPE_CHECKING")


# Sizes of caches, batches and blocks of work: the same results, sooner or later.
SPEED = re.compile(
    "_?(AT_ONCE|(MAX_)?(ROBUST_)?BATCH(_SIZE|_FITS|_TOKENS|_DIRECTIONS)?|PAIRS_PER_BATCH"
    "|(MAX_)?(LARGE_)?BLOCK(_VALUES|_CASES)?|CACHE_SIZE|CELLS|CHUNK(_WEIGHTS)?"
    "|MAX_CACHED(_WORDS)?|MAX_JOINT_WEIGHTS"
    "|(MAX_)?ONE_THREAD(_MULTIPLICATIONS|_ROWS|_PRODUCTS)?|PIECE|ROWS)"
)
SPEED_CALLS = {"lru_cache", "set_threshold"}


def is_no_result(target: ast.AST) -> bool:
    """Return whether a constant says how much to do at a time, or what a module exports."""
    if isinstance(target, ast.Tuple):
        return all(map(is_no_result, target.elts))
    name = target.id if isinstance(target, ast.Name) else ""
    return name == "__all__" or SPEED.fullmatch(name) is not None


def is_first_part(node: ast.Subscript) -> bool:
    """Return whether a text is split for its first part: it is the same however often."""
    return (
        isinstance(node.value, ast.Call)
        and (called(node.value), ast.unparse(node.slice)) in {("split", "0"), ("rsplit", "-1")}
        and len(node.value.args) == 2
    )


def numeric_parts(node: ast.AST) -> list[ast.AST]:
    """List the children of a node that a mutation may change."""
    match node:
        case ast.Assign(targets=[target]) | ast.AnnAssign(target=target) if is_no_result(target):
            return []
        case ast.Call() if called(node) in SPEED_CALLS:
            return [node.func]
        case ast.Subscript(value=ast.Call(func=function, args=[separator, _])) if is_first_part(
            node
        ):
            return [function, separator, node.slice]
        case ast.AnnAssign(value=ast.expr() as value):
            return [value]
        case ast.Raise() | ast.JoinedStr() | ast.AnnAssign():
            return []
        case ast.If() if is_type_checking(node):
            return list(node.orelse)
        case ast.Assert():
            return [node.test]
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return [*node.args.defaults, *filter(None, node.args.kw_defaults), *node.body]
        case ast.keyword() if is_axis(node):
            return []
    return list(ast.iter_child_nodes(node))


def sites(node: ast.AST) -> Iterator[tuple[Node, Node]]:
    """Yield nodes and what they may become, in the order of the text."""
    if isinstance(node, Node):
        yield from ((node, changed) for changed in changes(node))
    for child in numeric_parts(node):
        yield from sites(child)


# Mutants of files


@dataclass(frozen=True)
class Mutant:
    """One change of one file."""

    file: Path
    node: Node
    changed: Node

    @property
    def line(self) -> int:
        """Return the line of the change."""
        return self.node.lineno

    @property
    def package(self) -> str:
        """Return the package's name."""
        return self.file.relative_to(SOURCE).parts[1]

    def text(self) -> str:
        """Write the changed file; columns of a syntax tree count bytes."""
        whole = self.file.read_bytes()
        starts = [0, *accumulate(map(len, whole.splitlines(keepends=True)))]
        first = starts[self.node.lineno - 1] + self.node.col_offset
        last = starts[(self.node.end_lineno or 0) - 1] + (self.node.end_col_offset or 0)
        written = ast.unparse(self.changed)
        if isinstance(self.changed, ast.expr) and not isinstance(self.changed, ast.Constant):
            written = f"({written})"
        return (whole[:first] + written.encode() + whole[last:]).decode()

    def excerpts(self) -> tuple[str, str]:
        """Show what was changed; a number is shown in its line."""
        if isinstance(self.node, ast.Constant):
            texts = self.file.read_text(encoding="utf-8"), self.text()
            before, after = (text.splitlines()[self.line - 1].strip() for text in texts)
        else:
            before, after = ast.unparse(self.node), ast.unparse(self.changed)
        return cut_to_difference(before, after)


def shared_start(first: Iterable[str], other: Iterable[str]) -> int:
    """Count the characters two texts begin with."""
    return sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, other, strict=False))
    )


def cut_to_difference(before: str, after: str, around: int = 28) -> tuple[str, str]:
    """Cut two texts down to where they differ, and a little around it."""
    start = shared_start(before, after)
    end = shared_start(reversed(before[start:]), reversed(after[start:]))
    low = max(start - around, 0)

    def cut(text: str) -> str:
        high = min(len(text) - end + around, len(text))
        return "…" * (low > 0) + text[low:high] + "…" * (high < len(text))

    return cut(before), cut(after)


def mutants_of(package: str, chance: random.Random) -> Iterator[Mutant]:
    """Yield all mutants of a package, of a file, or of one line of a file, in random order."""
    name, _, line = package.partition(":")
    path = SOURCE / "pyramidion" / name
    if not path.exists():
        raise ToolError(f"there is no src/pyramidion/{name}")
    files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
    left = {file: file.stat().st_size + 1 for file in files}
    mutants: dict[Path, list[Mutant]] = {}
    while left:
        # The longer a file, the more mutants it has; only files that are drawn are parsed.
        [file] = chance.choices(list(left), list(left.values()))
        if file not in mutants:
            pairs = sites(ast.parse(file.read_bytes()))
            mutants[file] = [
                Mutant(file, *pair) for pair in pairs if not line or pair[0].lineno == int(line)
            ]
            chance.shuffle(mutants[file])
        if mutants[file]:
            yield mutants[file].pop()
        else:
            del left[file]


def sample_mutants(places: Sequence[str], count: int, seed: int) -> list[Mutant]:
    """Draw mutants, the places taking turns; each is a different program from the original."""
    chance = random.Random(seed)
    turns = [mutants_of(package, chance) for package in chance.sample(places, len(places))]
    rounds = chain.from_iterable(zip_longest(*turns))
    sample = list(islice(filter(None, rounds), count))
    for mutant in sample:
        original = ast.dump(ast.parse(mutant.file.read_bytes()))
        if ast.dump(ast.parse(mutant.text())) == original:
            raise ToolError(f"no change: {line_of(mutant, '', '')}")
    return sorted(sample, key=lambda mutant: (mutant.file, mutant.line))


# Which tests run a line


def digest(files: Iterable[Path]) -> str:
    """Hash the names and contents of files."""
    whole = hashlib.sha256()
    for file in sorted(files):
        whole.update(f"{file.relative_to(ROOT)}\0{file.stat().st_size}\0".encode())
        whole.update(file.read_bytes())
    return whole.hexdigest()[:16]


def source_files() -> list[Path]:
    """List the files of the source, with its data."""
    return [f for f in SOURCE.rglob("*") if f.is_file() and f.suffix not in {".pyc", ".so"}]


def digests_of_tests() -> dict[str, str]:
    """Hash each file of tests with the helpers in its folder."""
    digests = {}
    for file in TESTS.rglob("test_*.py"):
        helpers = (f for f in file.parent.glob("*.py") if not f.name.startswith("test_"))
        digests[str(file.relative_to(ROOT))] = digest([file, *helpers])
    return digests


@dataclass(frozen=True)
class Record:
    """Which tests run which lines, in a folder that belongs to one state of the source.

    Attributes
    ----------
    folder
        It has the lines in coverage.py's database, and the other two attributes.
    digests
        The hash of each file of tests that was recorded.
    seconds
        How much processor time each test took that passed.

    """

    folder: Path
    digests: dict[str, str]
    seconds: dict[str, float]

    def tests_by_line(self, file: Path) -> dict[int, set[str]]:
        """Give the tests that ran each line of a file."""
        data = CoverageData(str(self.folder / "lines"))
        data.read()
        # A program that a test starts has pytest's name for that test, with its phase at the end.
        return {
            line: {re.sub(r" \((setup|call|teardown)\)$", "", test) for test in tests}
            & self.seconds.keys()
            for line, tests in data.contexts_by_lineno(str(file)).items()
        }

    def tests_of(self, mutant: Mutant) -> list[str]:
        """List the tests that run a mutant's lines: the package's and snapshots, then others.

        The quickest files come first. What runs on import, or for the first test that needs it,
        has all tests of the package and all that run any line of the file. Lines
        that half of all tests run have those that take `MOST_SECONDS`.
        """
        by_line = self.tests_by_line(mutant.file)
        last = mutant.node.end_lineno or mutant.line
        lines = range(mutant.line, last + 1) if runs_in_call(mutant) else ()
        tests = set().union(*(by_line.get(line, ()) for line in lines))
        # Tests of declarations and constants import them, and run none of their lines.
        near = (f"tests/{mutant.package}/", "tests/snapshots/", "tests/questions/")
        if len(tests) < FEW_TESTS:
            tests = tests.union(*by_line.values())
        if not lines:
            tests |= {test for test in self.seconds if test.startswith((near[0], near[-1]))}
        tests = tests or {test for test in self.seconds if test.startswith(near[0])}
        files: dict[str, float] = defaultdict(float)
        for test in tests:
            files[file_of(test)] += self.seconds[test]
        order = sorted(files, key=lambda file: (not file.startswith(near), files[file], file))
        until = dict(zip(order, accumulate(files[file] for file in order), strict=True))
        chosen = [file for file in order if until[file] < MOST_SECONDS] or order[:1]
        return [test for file in chosen for test in sorted(tests) if file_of(test) == file]


def file_of(test: str) -> str:
    """Return the file of a test."""
    return test.partition("::")[0]


def runs_in_call(mutant: Mutant) -> bool:
    """Return whether a mutant is in the body of a function, not in what runs on import."""
    tree = ast.parse(mutant.file.read_bytes())
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return any(
        isinstance(node, functions) and node.body[0].lineno <= mutant.line <= node.end_lineno
        for node in ast.walk(tree)
    )


def load_record(folder: Path) -> Record:
    """Read what was recorded for this state of the source."""
    kept = folder / "tests.json"
    digests, seconds = json.loads(kept.read_bytes()) if kept.exists() else ({}, {})
    return Record(folder, digests, seconds)


def make_record(copy: "Copy", processes: int) -> Record:
    """Run the tests that changed since the last record of this source, and record their lines."""
    folder = ROOT / "build" / "mutants" / digest(source_files())
    folder.mkdir(parents=True, exist_ok=True)
    record = load_record(folder)
    digests = digests_of_tests()
    changed = [file for file, value in digests.items() if record.digests.get(file) != value]
    seconds = {t: s for t, s in record.seconds.items() if file_of(t) in digests.keys() - changed}
    if changed:
        print(f"recording the lines of {len(changed)} files of tests", flush=True)
        seconds |= record_tests(copy, changed, folder, processes)
    (folder / "tests.json").write_text(json.dumps([digests, seconds]), encoding="utf-8")
    return load_record(folder)


def record_tests(
    copy: "Copy", files: Sequence[str], folder: Path, processes: int
) -> dict[str, float]:
    """Run tests on the unchanged source, add their lines to the record, and give their times."""
    settings, times = copy.folder / "coverage.ini", copy.folder / "times.json"
    (copy.folder / "lines").mkdir()
    settings.write_text(
        COVERAGE.format(copy=copy.folder, original=SOURCE, lines=folder / "lines"), encoding="utf-8"
    )
    recording = {"COVERAGE_PROCESS_START": str(settings), TIMES: str(times)}
    outcome = run_tests(copy, [*files, "-n", str(processes)], 10_000, recording)
    if not times.exists():
        raise ToolError(f"tests fail without a mutation:\n{outcome.output}")
    seconds, failed = json.loads(times.read_bytes())
    if failed:
        # Their failure would pass for a kill. A few look at what Python has loaded.
        print("left out, failing when recorded:", *failed, sep="\n  ", flush=True)
    merged = Coverage(data_file=str(folder / "lines"), config_file=str(settings))
    merged.load()
    merged.combine([str(copy.folder / "lines")])
    merged.save()
    return dict(seconds)


# This file as a plug-in of pytest: what it records, and what it runs on a mutant


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Record under the name of the test."""
    item.stash[STARTED] = processor_seconds()
    recorder = Coverage.current() if TIMES in os.environ else None
    if recorder is not None:
        recorder.switch_context(item.nodeid)
    result = yield
    if recorder is not None:
        recorder.switch_context("")
    return result


def processor_seconds() -> float:
    """Return what this process and its children used: a busy machine does not change it."""
    return sum(os.times()[:4])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Attach how long a test took to its last report, which xdist passes on."""
    if call.when == "teardown":
        item.user_properties.append((TIMES, processor_seconds() - item.stash[STARTED]))
    return (yield)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Write down how long each test took that passed, and which failed."""
    if TIMES in os.environ:
        reports = [
            report
            for group in terminalreporter.stats.values()
            for report in group
            if isinstance(report, pytest.TestReport)
        ]
        failed = {report.nodeid for report in reports if report.failed}
        passed = {r.nodeid for r in reports if r.passed and r.when == "call"} - failed
        ends = [report for report in reports if report.when == "teardown"]
        times = {report.nodeid: dict(report.user_properties)[TIMES] for report in ends}
        seconds = {test: times[test] for test in sorted(passed & times.keys())}
        text = json.dumps([seconds, sorted(failed)])
        Path(os.environ[TIMES]).write_text(text, encoding="utf-8")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the chosen tests only, in their order, after the doctests of the mutated module."""
    if CHOSEN in os.environ:
        chosen = json.loads(Path(os.environ[CHOSEN]).read_bytes())
        ranks = {test: number for number, test in enumerate(chosen)}
        doctests = [item for item in items if not item.nodeid.startswith("tests/")]
        tests = [item for item in items if item.nodeid in ranks]
        items[:] = doctests + sorted(tests, key=lambda item: ranks[item.nodeid])


# Running


@dataclass(frozen=True)
class Copy:
    """A copy of the source tree, and the environment that imports it."""

    folder: Path

    @property
    def source(self) -> Path:
        """Return the folder to import from."""
        return self.folder / "src"

    def path_of(self, file: Path) -> Path:
        """Return the copy of a file of the source."""
        return self.source / file.relative_to(SOURCE)

    def environment(self) -> dict[str, str]:
        """Import the copy before everything else, with one thread a process."""
        places = os.pathsep.join(map(str, [self.folder / "hook", self.source, ROOT / "tools"]))
        return os.environ | {"PYTHONPATH": places, "OMP_NUM_THREADS": "1"}


def make_copy(folder: Path) -> Copy:
    """Copy the source with the compiled kernels, compiled so that any change is seen."""
    copy = Copy(folder)
    shutil.copytree(SOURCE, copy.source, ignore=shutil.ignore_patterns("__pycache__"))
    native = find_spec("pyramidion.kernels._native")
    if native is not None and native.origin:
        shutil.copy2(native.origin, copy.source / "pyramidion" / "kernels")
    (folder / "hook").mkdir()
    (folder / "hook" / "sitecustomize.py").write_text(SITECUSTOMIZE, encoding="utf-8")
    # Times of files are too coarse for mutants that follow each other; hashes of sources are not.
    compiling = ["-m", "compileall", "-q", "--invalidation-mode", "checked-hash", str(copy.source)]
    subprocess.run([sys.executable, *compiling], check=True)
    return copy


def check_import(copy: Copy) -> None:
    """Refuse to go on if tests would import anything but the copy, or other kernels."""
    inside, outside = kernels(copy.environment()), kernels(dict(os.environ))
    if not Path(inside[0]).is_relative_to(copy.source):
        raise ToolError(f"tests would import {inside[0]} instead of the copy in {copy.source}")
    if inside[1] != outside[1]:
        raise ToolError(f"kernels are {inside[1]} in the copy, {outside[1]} in the installation")


def kernels(environment: dict[str, str]) -> list[str]:
    """Ask which kernels an environment imports: their place and their kind."""
    code = "import pyramidion.kernels as k; print(k.__file__, k.BACKEND, sep='\\n')"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@dataclass(frozen=True)
class Outcome:
    """How tests ended, and the first line that says why."""

    code: int | None
    output: str

    @property
    def reason(self) -> str:
        """Name the test that failed."""
        lines = self.output.splitlines()
        failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
        return failed[0].split(" - ")[0].partition(" ")[2] if failed else ""


def run_tests(
    copy: Copy, arguments: Sequence[str], timeout: float, variables: Mapping[str, str]
) -> Outcome:
    """Run tests on a copy; no exit code if time runs out."""
    options = ["-q", "-p", "mutants", "-p", "no:cacheprovider", "--no-header", "--tb=short"]
    options += ["--assert=plain", "-c", str(ROOT / "pyproject.toml"), f"--rootdir={ROOT}"]
    command = [sys.executable, "-m", "pytest", *options, f"--basetemp={copy.folder / 'tmp'}"]
    process = subprocess.Popen(
        [*command, *arguments],
        cwd=ROOT,
        env=copy.environment() | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return Outcome(None, "")
    return Outcome(process.returncode, output)


def judge(mutant: Mutant, copy: Copy, record: Record, timeout: float) -> tuple[str, str]:
    """Return whether a mutant was killed, and by which test."""
    tests = record.tests_of(mutant)
    chosen = copy.folder / "chosen.json"
    chosen.write_text(json.dumps(tests), encoding="utf-8")
    path = copy.path_of(mutant.file)
    # A module without doctests is not collected: some cannot be imported by themselves.
    doctests = [str(path)] if b">>> " in mutant.file.read_bytes() else []
    arguments = ["-x", *doctests, *dict.fromkeys(map(file_of, tests))]
    limit = max(timeout, 10 * sum(record.seconds[test] for test in tests))
    path.write_text(mutant.text(), encoding="utf-8")
    try:
        outcome = run_tests(copy, arguments, limit, {CHOSEN: str(chosen)})
    finally:
        shutil.copy2(mutant.file, path)
    if outcome.code is None:
        return "timeout", ""
    # 5: there is a file of tests, but none to run.
    return ("killed", outcome.reason) if outcome.code not in {0, 5} else ("survived", "")


def judge_all(
    mutants: Sequence[Mutant], copies: Sequence[Copy], record: Record, timeout: float
) -> Iterator[tuple[Mutant, str, str]]:
    """Judge mutants, as many at a time as there are copies; in order."""
    free: SimpleQueue[Copy] = SimpleQueue()
    for copy in copies:
        free.put(copy)

    def judged(mutant: Mutant) -> tuple[Mutant, str, str]:
        copy = free.get()
        try:
            return mutant, *judge(mutant, copy, record, timeout)
        finally:
            free.put(copy)

    with ThreadPoolExecutor(len(copies)) as pool:
        yield from pool.map(judged, mutants)


# The table


def line_of(mutant: Mutant, verdict: str, reason: str) -> str:
    """Write a line of the table."""
    location = f"{mutant.file.relative_to(SOURCE / 'pyramidion')}:{mutant.line}"
    before, after = mutant.excerpts()
    test = reason.removeprefix("tests/")
    return f"{verdict:<9} {location:<40} {before}  ->  {after}{test and f'   [{test}]'}"


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "places", nargs="*", default=PACKAGES, help="packages, files, or lines of files to change"
    )
    parser.add_argument("--count", type=int, default=20, help="how many mutants to draw")
    parser.add_argument("--seed", type=int, help="draw this sample again")
    parser.add_argument("--processes", type=int, default=2, help="test this many mutants at a time")
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one run of tests")
    parser.add_argument("--fail-over", type=int, metavar="N", help="fail if more than N survive")
    parser.add_argument("--list", action="store_true", help="print the sample, run nothing")
    return parser.parse_args()


def run_sample(mutants: Sequence[Mutant], processes: int, timeout: float) -> list[str]:
    """Judge a sample, print a line for each mutant, and give the lines of those that survived."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copies = [make_copy(Path(folder) / str(number)) for number in range(processes)]
        for copy in copies:
            check_import(copy)
        record = make_record(copies[0], processes)
        survivors = []
        for mutant, verdict, reason in judge_all(mutants, copies, record, timeout):
            print(line_of(mutant, verdict, reason), flush=True)
            if verdict == "survived":
                survivors.append(line_of(mutant, verdict, reason))
    return survivors


def main() -> int:
    """Draw, run, print; the exit code."""
    arguments = parse_arguments()
    seed = random.SystemRandom().randrange(10**6) if arguments.seed is None else arguments.seed
    mutants = sample_mutants(arguments.places, arguments.count, seed)
    print(f"{len(mutants)} mutants, --seed {seed}", flush=True)
    if arguments.list:
        print(*(line_of(mutant, "", "") for mutant in mutants), sep="\n")
        return 0
    survivors = run_sample(mutants, arguments.processes, arguments.timeout)
    killed = len(mutants) - len(survivors)
    print(f"\n{killed} of {len(mutants)} killed ({killed / max(len(mutants), 1):.0%}); survivors:")
    print(*survivors or ["none"], sep="\n")
    return int(arguments.fail_over is not None and len(survivors) > arguments.fail_over)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ToolError as error:
        print(f"mutants: {error}", file=sys.stderr)
        sys.exit(2)
