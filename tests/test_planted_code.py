"""Nothing that a file says is run: code is planted next to every kind of file the program reads.

The files name the planted code wherever they hold a text, and the folder they are in is on the
path of imports. Which readers there are follows from the program: its formats, and the options of
its commands that take files. A new one without a case fails a test.
"""

import io
import json
import os
import re
import shlex
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, get_args

import pytest

from pyramidion.classy import LinearModel, metric
from pyramidion.cli._command import load_command
from pyramidion.cli._list import command_specs
from pyramidion.cli.runtime import run
from pyramidion.collection import Collection, Document, Measure, Scores, Summary, Task, Topic
from pyramidion.collection._scores import Judgment
from pyramidion.collection.formats import all_formats, detect, read_collection, write_collection
from pyramidion.demo import load_demo
from pyramidion.errors import InputError
from pyramidion.metrics import _own
from pyramidion.pyramid.similarity import default_similarity
from pyramidion.questions.options import option_specs
from pyramidion.rewriting import published_chain, save_chains
from pyramidion.rewriting._status.model import default_model
from pyramidion.summarizers._hmm import default_hmms

CODE = """from pathlib import Path
Path({marker!r}).touch()
def f(summary, references=()):
    return 1.0
"""

#: What a file may say to have the planted code loaded.
INNER = "classy(model=planted.json)"
NAMES = (
    "planted.py:f", "x+planted.py:g", "planted.py:h+x", "x,planted.py:i", "planted", "conftest",
    "spacy-similarity(model=planted_package)", INNER, "planted_package",
    "rouge-1-r(language=../planted)", "be-hm-f(pipeline=planted_package)", "{{ planted.f() }}",
)  # fmt: skip

#: Modules that Python or its libraries look for, and a package that seems to be installed.
MODULES = ("planted", "conftest", "sitecustomize", "usercustomize", "planted_backend", "__init__")
PACKAGE, METADATA = "planted_package", "Metadata-Version: 2.1\nName: planted-package\nVersion: 1\n"


class Field:
    """A folder of planted code, and whether any of it ran."""

    def __init__(self, folder: Path, marker: Path) -> None:
        self.folder, self.marker = folder, marker
        self.plant(folder)

    def plant(self, folder: Path) -> None:
        """Put the code into a folder."""
        code = CODE.format(marker=str(self.marker))
        for name in (*MODULES, f"{PACKAGE}/__init__", f"{PACKAGE}/stop_words"):
            path = folder / f"{name}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(code)
        info = folder / f"{PACKAGE}-1.dist-info"
        info.mkdir(exist_ok=True)
        (info / "METADATA").write_text(METADATA)
        (folder / "matplotlibrc").write_text("backend: module://planted_backend\n")
        model(folder / "planted.json", "planted.py:f")

    def run(self, command: str, code: int = 0) -> None:
        """Run a command; it ends as expected, and ran nothing of what is planted."""
        assert run(shlex.split(command)) == code, command
        self.check(command)

    def check(self, what: str) -> None:
        assert not self.marker.exists(), f"{what} ran code that a file named"


@pytest.fixture
def field(tmp_path, monkeypatch):
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder))
    # Files of the same relative paths were loaded by other tests.
    for cached in (_own._load_file, _own._class_in_file, metric._load_model):
        cached.cache_clear()
    for name in [name for name in sys.modules if name.startswith("planted")]:
        del sys.modules[name]
    return Field(folder, tmp_path / "ran")


def model(path: Path, *columns: str) -> None:
    """Write a model of CLASSY, also one that contains models and cannot be made otherwise."""
    texts = {"target": columns[0], "method": columns[0], "training": {"note": columns[0]}}
    content = LinearModel("planted.py:f", (), ()).to_dict() | texts
    content |= {"pyramidion-model": 1, "columns": columns, "coefficients": [1.0] * len(columns)}
    path.write_text(json.dumps(content))


def hostile() -> Collection:
    """Return a small collection that names the planted code in every text there is."""
    systems = ("planted.py:f", "planted_package", "x+planted.py:f")
    texts = ("Rain fell in Oslo. Roads were wet.", "The rain fell. It was late.", "Sun came out.")
    topics = tuple(
        Topic(
            name, title="planted.py:f", category="planted_package", assessor="planted.py:f",
            documents=(Document(f"d{name}", "Rain fell in Oslo today. Roads flooded there."),),
            extra={"language": "../planted", "metric": "planted.py:f"},
        )
        for name in ("T1", "T2", "T3")
    )  # fmt: skip
    summaries = [
        Summary(topic.id, system, text, task="A")
        for topic in topics
        for system, text in zip(systems, texts, strict=True)
    ]
    summaries += [
        Summary(topic.id, person, f"Rain fell in {region}.", task="A", kind="human")
        for topic in topics
        for person, region in (("P", "Oslo"), ("Q", "the north"))
    ]
    scores = Scores.from_judgments(
        Judgment(
            summary.topic, summary.system, measure, float(index % 5 + 1), task="A",
            kind=summary.kind, assessor=("planted.py:f", "planted")[index % 2],
        )
        for measure in ("responsiveness", *NAMES)
        for index, summary in enumerate(summaries)
    )  # fmt: skip
    return Collection(
        "planted_package", tasks=(Task("A"),), topics=topics, summaries=tuple(summaries),
        scores=scores, measures={NAMES[0]: Measure(human=True), NAMES[1]: Measure(human=True)},
    )  # fmt: skip


def lines(path: Path, *records: Any) -> None:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


def table(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def summeval(path: Path) -> None:
    annotations = [{"coherence": 5, "planted.py:f": 4}]
    lines(path, {
        "id": "planted.py:f", "decoded": "it rained .", "expert_annotations": annotations,
        "turker_annotations": annotations, "references": ["Rain fell."], "model_id": "planted.py:f",
        "filepath": "planted.py", "metric_scores_1": {"planted.py:f": 1.0},
    })  # fmt: skip


def rose(path: Path) -> None:
    lines(path, {
        "source": "Ice melts.", "reference": "Ice melts.", "reference_acus": ["planted.py:f"],
        "count_id": 1, "example_id": "planted.py:f", "system_outputs": {"planted.py:f": "Ice."},
        "annotations": {"planted.py:f": {"acu_labels": [1], "acu": 1.0, "normalized_acu": 1.0}},
    })  # fmt: skip


def lite23(path: Path) -> None:
    for name, text in {
        "ids.txt": "planted.py:f\n", "SCUs.txt": "planted.py:f\n", "references.txt": "Ice.\n",
        "summaries/planted.summary": "Ice melts.\n", "labels/planted.label": "1\n",
    }.items():  # fmt: skip
        table(path / name, text)


def realsumm(path: Path) -> None:
    answers = "human_annotations/SCUs_and_annotations/SCU_rating_results_abs_systems/planted.csv"
    table(
        path / answers,
        "Input.eventId,Input.summaryId,Input.qIdList,Input.summary_text,Input.statement_1,"
        "Answer.S1Answer\nplanted.py:f,planted,['0'],It rained .,planted.py:f,p\n",
    )


def log(path: Path) -> None:
    scores = {"planted.py:f": {"value": 1.0}}
    sample = {"id": "planted.py:f", "epoch": 1, "input": "x", "target": "y", "scores": scores}
    evaluation = {"task": "planted.py:f", "model": "planted.py:f", "task_file": "planted.py"}
    table(path, json.dumps({"status": "success", "eval": evaluation, "samples": [sample]}))


def annotations(path: Path) -> None:
    result = {"from_name": "planted.py:f", "to_name": "x", "value": {"rating": 4}}
    record = {"id": 1, "data": {"item": "planted.py:f", "model": "planted.py:f"},
              "annotations": [{"completed_by": "planted.py:f", "result": [result]}]}  # fmt: skip
    table(path, json.dumps([record]))


def mt_metrics_eval(path: Path) -> None:
    for name, text in {
        "documents/en-de.docs": "news planted.py:f\n",
        "human-scores/en-de.planted.seg.score": "planted.py:f 1\n",
    }.items():
        table(path / name, text)


def parts(path: Path) -> None:
    path.mkdir()
    for number in (1, 2):
        lines(path / f"part-{number}.jsonl", stream_record(number))


def stream_record(number: int) -> dict[str, Any]:
    texts = {"peer": "rain fell", "references": ["rain fell today"], "task": "planted.py:f"}
    return {"topic": f"{number}planted.py:f", "system": "planted.py:f", **texts}


def stream(path: Path) -> None:
    lines(path, *map(stream_record, range(3)))


#: What writes a file or folder of each format, and what that is called.
SAMPLES: dict[str, tuple[str, Callable[[Path], object]]] = {
    "collection": ("collection", lambda path: hostile().save(path)),
    "scores": ("scores.csv", partial(write_collection, hostile(), format="scores")),
    "preferences": ("preferences.csv", partial(table, text="topic,first,second,choice,assessor\n"
                    "planted.py:f,planted.py:f,x,first,planted.py:f\nT2,x,planted.py:f,tie,p\n")),
    "mt-metrics-eval": ("mtme", mt_metrics_eval),
    "mqm": ("mqm.tsv", partial(table, text="system\tdoc\tseg_id\trater\tcategory\tseverity\n"
            "planted.py:f\td\tplanted.py:f\tplanted.py:f\tx\tMajor\n")),
    "battles": ("battles.jsonl", lambda path: lines(path, {"question_id": "planted.py:f",
                "winner": "tie", "model_a": "planted.py:f", "model_b": "x", "anony": True})),
    "annotations": ("annotations.json", annotations),
    "logs": ("log.json", log),
    "pyramids": ("pyramids", partial(write_collection, load_demo(), format="pyramids")),
    "summaries": ("summaries.jsonl", partial(write_collection, hostile(), format="summaries")),
    "stream": ("stream.jsonl", stream),
    "summeval": ("summeval.jsonl", summeval),
    "judged": ("judged.jsonl", partial(write_collection, hostile(), format="judged")),
    "rose": ("rose.jsonl", rose),
    "lite23pyramid": ("lite23", lite23),
    "litepyramids": ("litepyramids.csv", partial(table, text="eventId,questionId,questionText,"
                     "answer,author,sourceSummaryId,forUse\nD407,0,planted.py:f,Y,planted.py:f,"
                     "D407.M.250.B.D,1\n")),
    "pyreval": ("pyreval.pyr", partial(table, text='<Pyramid><scu uid="planted.py:f"><contributor '
                'label="planted.py:f"/></scu></Pyramid>')),
    "nuggets": ("nuggets.txt", partial(table, text="66.8 1 vital planted.py:f\n")),
    "realsumm": ("realsumm", realsumm),
    "ducview": ("ducview", partial(write_collection, load_demo(), format="ducview")),
    "rouge": ("rouge", partial(write_collection, hostile(), format="rouge")),
    "duc": ("duc", partial(write_collection, load_demo(), format="duc")),
    "table": ("table.csv", partial(table, text="id,model,prediction,target,planted.py:f\nT1,"
              "planted.py:f,Rain fell.,\"['planted.py:f']\",4\nT2,planted.py:f,Sun.,Rain.,2\n")),
}  # fmt: skip


def test_planted_code_runs_when_the_user_names_it(field):
    """Otherwise nothing here could fail."""
    SAMPLES["collection"][1](field.folder / "collection")
    assert run(["score", "collection", "-m", "planted.py:f"]) == 0
    assert field.marker.exists()


def test_every_format_has_a_sample():
    assert SAMPLES.keys() == {format.name for format in all_formats()}


@pytest.mark.parametrize("format", SAMPLES)
def test_reading_a_format_runs_nothing(field, format):
    name, write = SAMPLES[format]
    write(field.folder / name)
    assert detect(name).name == format
    for command in (f"describe {name}", f"compare {name}", f"convert {name} converted"):
        code = run(shlex.split(command))
        assert code in (0, 1, 2), command
        field.check(command)
    assert len(read_collection("converted").data_hash)
    if Path(name).is_dir():
        field.plant(field.folder / name)
        run(["describe", name])
        field.check(f"describe {name} with code in it")


@pytest.mark.parametrize("ending", ["tsv", "jsonl", "parquet"])
def test_tables_of_scores_run_nothing(field, ending):
    write_collection(hostile(), field.folder / f"s.{ending}", format="scores")
    field.run(f"compare s.{ending}")


def checkpoint(path: Path) -> None:
    """Write what an interrupted run of `score` leaves."""
    header = {"unfinished": "planted.py:f"}
    lines(path, header, *({"metric": name, "values": [1.0] * 15} for name in NAMES))


def partial_results(path: Path) -> None:
    """Write what an interrupted run over parts leaves, as if by the planted code."""
    parts(path.with_name("in"))
    run(["score", "in", "-m", "rouge-1", "-o", path.name])
    (path / "part-1.jsonl").unlink()
    for file in path.rglob("*.json"):
        content = json.loads(file.read_text())
        file.write_text(json.dumps(content | {"code": "planted.py:f", "import": "planted"}))


def rubric(path: Path) -> None:
    path.write_text("scale: 1 to 5\nmeasure: planted.py:f\n\n{{ planted.f() }} planted.py:f?\n")


def transformer(path: Path) -> None:
    """Write the beginning of a model whose configuration names code."""
    path.mkdir()
    code = {"AutoModelForSequenceClassification": "planted.f", "AutoTokenizer": "planted.f"}
    (path / "config.json").write_text(json.dumps({"model_type": "planted", "auto_map": code}))


#: Further files, and what writes them.
FILES: dict[str, Callable[[Path], object]] = {
    **dict(SAMPLES.values()),
    "model.json": lambda path: model(path, *(name for name in NAMES if name != INNER)),
    "inner.json": lambda path: model(path, *NAMES),
    "one.json": lambda path: model(path, "planted.py:f"),
    "models": lambda path: (path.mkdir(), model(path / "m.json", "planted.py:f")),
    "spacy.json": lambda path: model(path, "spacy-similarity(model=planted_package)"),
    "parser.json": lambda path: model(path, "be-hm-f(pipeline=planted_package)"),
    "chains.json": lambda path: save_chains(path, [published_chain()], {"by": "planted.py:f"}),
    "status.json": lambda path: default_model().save(path),
    "hmm.json": lambda path: default_hmms().save(path),
    "similarity.json": lambda path: default_similarity().save(path),
    "answers.csv": partial(table, text="topic,system,unit,answer,assessor\n" + "".join(
        f"{topic},planted.py:f,planted.py:f,{answer},{who}\n{topic},x,planted.py:f,yes,{who}\n"
        for topic, answer in (("T1", "yes"), ("T2", "no")) for who in ("planted", "b"))),
    "labels.csv": partial(table, text="topic,system,statement,annotator,label\n" + "".join(
        f"{topic},planted.py:f,1,planted_package,supported\n" for topic in ("T1", "T2", "T3"))),
    "stream.jsonl": stream,
    "parts": parts,
    "rubric.txt": rubric,
    "examples.jsonl": lambda path: lines(path, {"summary": "planted.py:f", "answer": 4}),
    "kept.jsonl": lambda path: lines(path, {"asked": "planted.py:f", "answer": "planted.py:f"}),
    "transformer": transformer,
    "article.txt": partial(table, text="Rain fell in Oslo. Sen. Mary Landrieu saw planted.py:f.\n"),
    "demo": lambda path: load_demo().save(path),
    "peers.jsonl": lambda path: lines(path, {
        "topic": "P01", "task": "A", "system": "planted.py:f", "text": "planted.py:f"}),
    "rouge.csv": partial(table, text="topic,system,task,measure,value\n" + "".join(
        f"{topic},planted.py:f,A,a+planted.py:f,0.5\n" for topic in ("T1", "T2", "T3"))),
    "checked.csv.partial": checkpoint,
    "resumed": partial_results,
    "years": lambda path: (path.mkdir(), hostile().save(path / "tac2011"),
                           write_collection(hostile(), path / "tac2010.csv", format="scores")),
}  # fmt: skip

#: Commands that read each of the files, by the options that take them.
CASES: dict[str, tuple[tuple[str, int], ...]] = {
    "Annotators.first Annotators.second": (("pyramid agreement ducview ducview", 2),),
    "ArticleOptions.source": (("summarize collection -m lead", 0),),
    "ArticleOptions.update_of": (("summarize article.txt --update-of article.txt -m lead", 0),),
    "AutoOptions.entailment": (("pyramid auto collection --entailment transformer", 2),),
    "CheckInput.source CheckInput.repaired": (
        ("check collection", 1), ("check scores.csv --fix --repaired repaired.csv", 1),
        ("check stream.jsonl", 0), ("check preferences.csv", 0),
    ),
    "Checklists.source": (("checklists answers.csv", 0),),
    "CompareInput.other": (("compare scores.csv scores.csv", 0),),
    "ConvertOptions.source": (("convert collection converted", 0),),
    "Described.source": (("describe collection", 1),),
    "EvaluateOptions.sets": (("classy evaluate collection collection --target planted.py:f", 0),),
    "HmmTraining.train": (("methods hmm-qr --train collection", 0),),
    "ImpactOptions.classy": (("assessors collection demo --impact --classy collection", 2),),
    "JudgeOptions.source JudgeOptions.rubric": (
        ("judge collection --model x --rubric rubric.txt --dry-run", 0),
    ),
    "JudgeOptions.examples": (
        ("judge collection --model x --rubric rubric.txt --examples examples.jsonl --dry-run", 0),
    ),
    "AttackOptions.rubric": (
        ("assessors collection --attack --model http://127.0.0.1:9/v1#planted --rubric rubric.txt "
         "--retries 0", 2),
    ),
    "AskingOptions.answers ModelOptions.answers": (
        ("judge collection --model http://127.0.0.1:9/v1#planted --rubric rubric.txt "
         "--answers kept.jsonl --retries 0 --topics T1", 2),
        ("summarize article.txt -m 'llm(url=http://127.0.0.1:9/v1,model=planted)' "
         "--answers kept.jsonl --dry-run", 0),
        ("faithful collection --checker 'judge(url=http://127.0.0.1:9/v1,model=planted)' "
         "--answers kept.jsonl --dry-run", 0),
    ),
    "FaithfulOptions.labels": (("faithful collection --labels labels.csv", 0),),
    "ModelsOptions.name": (
        ("classy models model.json", 0), ("classy models models", 0),
        ("classy models inner.json", 2),
    ),
    "PredictOptions.model PredictOptions.collection": (
        *((f"classy predict {name} collection", 2)
          for name in ("model.json", "inner.json", "one.json", "models", "spacy.json",
                       "parser.json")),
        ("classy predict one.json parts -o out", 2),
    ),
    "ScoreOptions.metrics": (
        *((f"score {name} -m 'classy(model=one.json)'", 2) for name in ("collection", "parts -o p",
                                                                        "stream.jsonl")),
        ("score collection -m 'auto-pyramid(model=similarity.json)'", 0),
    ),
    "MetaInput.metrics": (
        ("meta collection --human responsiveness -m 'classy(model=one.json)'", 2),
    ),
    "PerlArguments.arguments": (("rouge -a -n 1 rouge/rouge.xml", 0), ("rouge -a parts", 0)),
    "PreferenceInput.source": (("preferences preferences.csv", 0),),
    "PyramidSource.source": (("pyramid score ducview", 0), ("pyramid tiers ducview", 0)),
    "ReferenceArticles.sources": (("study references article.txt --pipeline light", 0),),
    "ReproduceOptions.data": (("reproduce --all --data years", 0),),
    "RewriteOptions.chains": (
        ("rewrite article.txt -d article.txt --pipeline light --later sampled --chains chains.json",
         0),
    ),
    "RewriteOptions.status": (
        ("rewrite article.txt -d article.txt --pipeline light --describe new --status status.json",
         2),
    ),
    "ScoreOptions.source": (
        ("score stream.jsonl", 0), ("score parts -o scored", 0), ("score collection", 0),
    ),
    "ScoreOptions.output": (("score collection -m rouge-1,bleu -o checked.csv", 0),),
    "PartsOptions.parts_to": (("score in -m rouge-1 -o resumed", 0),),
    "ScoreInput.source": (
        ("compare collection", 0), ("report scores.csv -o r.html", 0), ("gap scores.csv", 2),
        ("meta scores.csv --human responsiveness", 0),
    ),
    "Similarity.model": (("pyramid auto build demo --topic P01 --model similarity.json", 0),),
    "SourceAndPeers.peers": (("study tiling demo --peers peers.jsonl", 0),),
    "StatusOptions.model": (("study status collection --pipeline light --model status.json", 2),),
    "StudySource.source": (("study tiling collection", 0),),
    "SummarizeOptions.method": (("summarize collection -m 'hmm-qr(model=hmm.json)'", 0),),
    "SummaryOptions.summary SummaryOptions.documents": (
        ("rewrite article.txt -d collection --topic T1 --pipeline light", 0),
    ),
    "TrainOptions.years": (("classy train collection collection --version 6", 2),),
    "VocabularySets.sources VocabularySets.against": (
        ("study vocabulary collection --against collection", 0),
    ),
    "AssessorsInput.scores AssessorsInput.sources": (
        ("assessors collection --scores rouge.csv", 0),
    ),
    # These have tests of their own.
    "ServeOptions.source ServeOptions.restore": (),
}  # fmt: skip

#: Options that name what is written, or no file.
WRITTEN = {
    "AgreementOptions.costs", "ClusterOptions.folder", "ConvertOptions.destination",
    "HmmTraining.model",
    "SummarizeOptions.peers", "TourOptions.folder", "TrainFiles.figure", "TrainFiles.output",
    "TrainFiles.search_table",
}  # fmt: skip


def file_options() -> Iterator[str]:
    """List the options of all commands that take a file or a folder, by the class they are in."""
    for command in map(load_command, command_specs()):
        for group in command.groups.values():
            for option in option_specs(group):
                kinds = {option.type, option.inner, *get_args(option.type), *get_args(option.inner)}
                if kinds & {Path, Collection, Any}:
                    owners = (kind for kind in group.__mro__ if option.name in vars(kind).get(
                        "__annotations__", {}))  # fmt: skip
                    yield f"{[*owners][-1].__name__}.{option.name}"


def test_every_option_that_takes_a_file_has_a_case():
    cased = {option for options in CASES for option in options.split()}
    missing = {*file_options()} - cased - WRITTEN
    assert not missing, f"plant code next to what these read: {sorted(missing)}"
    assert {*file_options()} >= WRITTEN, "options that are gone"


@pytest.mark.parametrize(
    ("command", "code"),
    [pytest.param(*case, id=case[0]) for group in CASES.values() for case in group],
)
def test_commands_run_nothing_that_files_name(field, command, code):
    typed = re.findall(r"[\w.-]+", command)
    for name, write in FILES.items():
        if name.removesuffix(".partial") in typed:
            write(field.folder / name)
    field.run(command, code)


def test_uploads_and_results_of_the_studio_run_nothing(field):
    pytest.importorskip("fastapi", reason="the extra web is not installed")
    from pyramidion.studio import _results
    from pyramidion.studio._uploads import read_upload

    hostile().save(field.folder / "collection")
    field.plant(field.folder / "collection")
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        for path in sorted(field.folder.joinpath("collection").rglob("*")):
            packed.write(path, path.relative_to(field.folder))
    archive.seek(0)
    uploaded = read_upload([("planted.zip", archive)]).reading.collection
    field.check("an upload")
    # Names of measures come from uploads and forms; commas and plus signs mean nothing in them.
    judged = _results.JudgedData(uploaded, NAMES)
    for show in (_results.ranking, _results.scores, _results.judges):
        assert "".join(show(judged))
        field.check(f"the page of {show.__name__}")
    assert "<html" in _results.full_report(judged)
    field.check("the report of the studio")


def test_a_backup_of_the_studio_runs_nothing(field):
    pytest.importorskip("argon2", reason="the extra web is not installed")
    from pyramidion.studio import Store
    from pyramidion.studio._accounts import add_account
    from pyramidion.studio._backup import dump, restore

    stores = [Store(field.folder / name) for name in ("a.db", "b.db")]
    for store in stores:
        store.upgrade()
    with stores[0].write() as session:
        add_account(session, "planted.py:f", "organizer")
    with Path("backup.zip").open("wb") as target:
        dump(stores[0], target)
    with zipfile.ZipFile("backup.zip", "a") as archive:
        for path in field.folder.glob("*.py"):
            archive.write(path, path.name)
            archive.write(path, f"migrations/{path.name}")
    assert restore(stores[1], "backup.zip") == 1
    for store in stores:
        store.close()
    field.check("a backup")


# What only a process of its own can show.

#: Modules of Python itself that workers and the program import.
SHADOWS = ("multiprocessing", "pickle", "signal", "threading", "numpy", "polars", "typer", "json")


@pytest.mark.long
@pytest.mark.parametrize("program", [("-P", "-m", "pyramidion"), ("-m", "pyramidion")])
def test_modules_in_the_working_folder_are_not_imported(field, program):
    """Neither the program nor its workers look for modules where the data is."""
    parts(field.folder / "parts")
    for name in SHADOWS:
        (field.folder / f"{name}.py").write_text(CODE.format(marker=str(field.marker)))
    command = ["score", "parts", "-o", "out", "--engine", "cores", "--workers", "1"]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONSAFEPATH"}
    done = subprocess.run(
        [sys.executable, *program, *command], capture_output=True, check=False, env=environment
    )
    field.check("the program")
    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.long
def test_figures_run_nothing(field):
    """Matplotlib reads its settings in the working folder, which may name a module to import."""
    hostile().save(field.folder / "collection")
    command = ["-P", "-m", "pyramidion", "compare", "collection", "-m", "responsiveness"]
    environment = {**os.environ, "PYTHONPATH": str(field.folder)}
    for name in ("sitecustomize", "usercustomize", "conftest", "__init__"):
        (field.folder / f"{name}.py").unlink()  # PYTHONPATH is the user's, who names these
    done = subprocess.run(
        [sys.executable, *command, "--figures", "figures"],
        capture_output=True, check=False, env=environment,
    )  # fmt: skip
    field.check("compare --figures")
    assert done.returncode == 0, done.stderr.decode()


def test_models_of_models_are_refused_at_once(field, capsys):
    """A model that names itself, also by a link, and thirty that name the next one twice."""
    hostile().save(field.folder / "collection")
    model(Path("self.json"), "classy(model=self.json)")
    Path("link.json").symlink_to("self.json")
    model(Path("published.json"), "classy-2011/25/A/all")
    for number in range(30):
        model(Path(f"d{number}.json"), *[f"classy(model=d{number + 1}.json)"] * 2)
    for name in ("self", "link", "published", "d0"):
        for command in (
            f"classy models {name}.json",
            f"classy predict {name}.json collection",
            f"score collection -m classy(model={name}.json),classy(model={name}.json)",
            f"classy predict {name}.json collection -m classy(model=d29.json)",
        ):
            assert run(command.split()) == 2
            error = capsys.readouterr().err
            assert "models cannot contain models" in error
            assert error.count("\n") == 1
    field.check("models of models")


def test_a_name_from_data_cannot_become_code():
    """The loader takes one type only, which is made of text that a user typed only."""
    from pyramidion.metrics._own import UserCode, load_code
    from pyramidion.metrics.registry import named_metric
    from pyramidion.questions.options import UserText

    with pytest.raises(TypeError, match="read from data"):
        UserCode.parse("planted.py:f")
    with pytest.raises(TypeError, match="only code named by the user"):
        load_code("planted.py:f")
    with pytest.raises(InputError, match="data cannot name"):
        named_metric("planted.py:f")
    # What is cut out of a user's text is no longer the user's.
    assert not isinstance(UserText("a+planted.py:f").split("+")[1], UserText)
