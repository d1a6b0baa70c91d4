"""`pyramidion rouge` beyond the gold: streams, refusals, warnings."""

import json

import pytest

from collection.refusals import refusal
from pyramidion.cli import runtime
from pyramidion.collection.formats._rouge import parse_sentences, read_rouge_config
from pyramidion.errors import FormatError, InputError, NotFoundError
from pyramidion.rouge._perl_command import parse_perl_options, run_perl
from pyramidion.rouge._rouge import LengthLimit
from rouge.gold import RUNS, printed

STREAMED = [
    run
    for run in RUNS
    if run.name.startswith(("four", "stress", "jackknife")) and run.is_of_the_163
]


def as_stream(config, path):
    """Write a configuration's files as a stream: an item for each peer of each evaluation."""
    with path.open("w", encoding="utf-8") as stream:
        for evaluation in read_rouge_config(config).evaluations:
            texts = {
                file.path: [
                    line.decode() for line in parse_sentences(file.path.read_bytes(), "SPL")
                ]
                for file in (*evaluation.peers, *evaluation.models)
            }
            for peer in evaluation.peers:
                references = [texts[model.path] for model in evaluation.models]
                item = {"topic": evaluation.id, "system": peer.id, "peer": texts[peer.path]}
                stream.write(json.dumps({**item, "references": references}) + "\n")


@pytest.fixture(scope="module")
def streams(gold, tmp_path_factory):
    folder = tmp_path_factory.mktemp("streams")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(gold)
        for run in STREAMED:
            config = run.arguments[-1]
            as_stream(config, folder / f"{config.split('/')[1]}.jsonl")
    return folder


@pytest.mark.parametrize("run", STREAMED[::7], ids=lambda run: run.name)
def test_a_stream_gives_what_files_give(run, gold, streams):
    *options, config = run.arguments
    stream = streams / f"{config.split('/')[1]}.jsonl"
    lines = []
    try:
        lines += run_perl(parse_perl_options([*options, str(stream)]))
    except InputError:
        assert run.rc
        return
    assert "".join(f"{line}\n" for line in lines) == printed(gold, run.name)


def test_tasks_of_a_stream_are_evaluations_of_their_own(tmp_path):
    stream = tmp_path / "a.jsonl"
    item = {"topic": "T1", "system": "7", "peer": "a b", "references": ["a"]}
    stream.write_text("".join(json.dumps({**item, "task": task}) + "\n" for task in "AB"))
    lines = list(run_perl(parse_perl_options(["-n1", "-x", "-d", "-a", str(stream)])))
    assert [line for line in lines if "Eval" in line] == [
        "7 ROUGE-1 Eval T1-A.7 R:1.00000 P:0.50000 F:0.66667",
        "7 ROUGE-1 Eval T1-B.7 R:1.00000 P:0.50000 F:0.66667",
    ]


@pytest.mark.parametrize("text", ["هطل المطر على أوسلو 2030", "雨落在奥斯陆的道路上 2030"])
def test_a_script_that_rouge_does_not_see_is_refused(text, tmp_path, capsys):
    file = tmp_path / "stream.jsonl"
    item = {"topic": "T1", "system": "7", "peer": text, "references": [text]}
    file.write_text(json.dumps(item) + "\n")
    assert runtime.run(["rouge", "-a", "-n", "1", str(file)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "of the letters of the texts are not ASCII, and ROUGE-1.5.5 sees no others" in err
    assert "pyramidion score -m rouge-2 --tokenizer unicode" in err


def test_accents_are_told(tmp_path, capsys):
    file = tmp_path / "stream.jsonl"
    item = {"topic": "T1", "system": "7", "peer": "Über Nacht fiel Schnee in Köln"}
    file.write_text(json.dumps({**item, "references": ["Schnee in Köln"]}) + "\n")
    assert runtime.run(["rouge", "-a", "-n", "1", str(file)]) == 0
    assert "the tokenizer rouge breaks words at them" in capsys.readouterr().err


def test_a_repeated_item_is_refused(tmp_path):
    stream = tmp_path / "a.jsonl"
    item = {"topic": "T1", "system": "7", "peer": "a b", "references": ["a"]}
    stream.write_text((json.dumps(item) + "\n") * 2)
    options = parse_perl_options(["-n1", "-a", str(stream)])
    said = refusal(FormatError, list, run_perl(options))
    assert said.endswith("a.jsonl: evaluation T1 of peer 7 occurs twice; keep one")


CONFIG = """<ROUGE-EVAL version="1.0">{}</ROUGE-EVAL>"""
EVAL = """<EVAL ID="{}"><PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT><INPUT-FORMAT TYPE="SPL"/>
<PEERS>{}</PEERS><MODELS><M ID="A">m.spl</M></MODELS></EVAL>"""


@pytest.fixture
def config(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.spl").write_bytes(b"rain fell\n")
    (tmp_path / "m.spl").write_bytes(b"rain\n")

    def write(*evaluations):
        evals = "".join(EVAL.format(id, peers) for id, peers in evaluations)
        (tmp_path / "rouge.xml").write_text(CONFIG.format(evals))
        return "rouge.xml"

    return write


ONE, TWO = '<P ID="1">p.spl</P>', '<P ID="2">p.spl</P>'


def test_a_peer_that_is_not_everywhere_is_told(config):
    said = []
    options = parse_perl_options(["-n1", "-a", config(("T1", ONE + TWO), ("T2", ONE))])
    lines = list(run_perl(options, warn=said.append))
    assert said == ["peer 2 is not there for evaluation T2: left out"]
    assert "2 ROUGE-1 Average_R: 1.00000 (95%-conf.int. 1.00000 - 1.00000)" in lines


def test_an_evaluation_that_stands_there_twice(config):
    options = parse_perl_options(["-a", config(("T1", ONE), ("T1", TWO))])
    said = refusal(FormatError, list, run_perl(options))
    assert said == "rouge.xml: EVAL T1 occurs twice; keep one"


def test_a_peer_that_is_nowhere(config):
    options = parse_perl_options(["-n1", config(("T1", ONE + TWO)), "9"])
    said = refusal(NotFoundError, list, run_perl(options))
    assert said == "there is no peer '9'; there are: 1, 2"


def test_lines_before_an_error_come_out(config, capsys):
    missing = '<P ID="2">no.spl</P>'
    assert runtime.run(["rouge", "-n1", "-x", "-a", config(("T1", ONE + missing))]) == 2
    out, err = capsys.readouterr()
    assert out.count("\n") == 4
    assert out.startswith("-----")
    assert err == "pyramidion: no.spl: there is no such file; fix the configuration\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "no configuration is named; add the XML file (or the list for -z)"),
        (["x.xml"], "no peer is named; add its id after the configuration, or -a"),
        (["-k", "x.xml"], "option -k not recognized; the options are those of ROUGE-1.5.5.pl"),
        (["-n"], "option -n requires argument"),
        (["-n", "x", "-a", "x.xml"], "-n x: expected a number"),
        (["-n", "1.5", "-a", "x.xml"], "-n 1.5: expected a whole number of at least 0"),
        (["-n", "-1", "-a", "x.xml"], "-n -1: expected a whole number of at least 0"),
        (["-n", "nan", "-a", "x.xml"], "-n nan: expected a number"),
        (["-w", "inf", "-a", "x.xml"], "-w inf: expected a number"),
        (["-w", "0", "-a", "x.xml"], "-w 0: expected a number above 0"),
        (["-2", "x", "-a", "x.xml"], "-2 x: expected a number"),
        (["-n", "1_0", "-a", "x.xml"], "-n 1_0: expected a number"),
        (["-l", "5", "-b", "0", "-a", "x.xml"], "-l and -b exclude each other; keep one"),
        (["-p", "1.1", "-a", "x.xml"], "-p 1.1: expected a number from 0 to 1"),
        (["-c", "101", "-a", "x.xml"], "-c 101: expected a number from 0 to 100"),
        (["-r", "0", "-a", "x.xml"], "-r 0: expected a whole number of at least 1"),
        (["-z", "TXT", "x"], "-z TXT; it is one of SPL, SEE, ISI, SIMPLE"),
        (["-m", "-M", "-a", "x.xml"], "-m and -M together; keep one"),
        (["--exceptions", "no", "-a", "x"], "--exceptions no; it is one of on, off"),
    ],
)
def test_bad_command_lines(arguments, said):
    assert said in refusal(InputError, parse_perl_options, arguments)


def test_letters_are_read_as_getopt_std_reads_them():
    one = parse_perl_options(["-n", "2", "-m", "-d", "-a", "-e", "data", "-v", "x.xml"])
    other = parse_perl_options(["-n2", "-mdave", "data", "x.xml"])
    assert one == other
    assert (one.stem, one.details, one.all_peers, one.peer) == (True, True, True, None)
    listed = parse_perl_options(["-a", "-z", "SPL", "-l", "10", "list", "S1"])
    assert (listed.all_peers, listed.peer, listed.limit) == (False, "S1", LengthLimit(10, "words"))
    assert (
        parse_perl_options(["-m", "-s", "-u", "-2", "-1", "-x", "-a", "x"]).variants[0].number < 0
    )


def test_only_exceptions_off_turns_the_table_off():
    assert parse_perl_options(["-a", "x"]).exceptions
    assert parse_perl_options(["--exceptions", "on", "-a", "x"]).exceptions
    assert not parse_perl_options(["--exceptions=off", "-a", "x"]).exceptions
