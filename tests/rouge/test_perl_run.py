"""`pyramidion rouge` beyond the gold: streams, refusals, warnings."""

import gzip
import io
import json

import pytest

from pyramidion.cli import runtime
from rouge.gold import RUNS, evaluations, printed

STREAMED = [
    run
    for run in RUNS
    if run.name.startswith(("four", "stress", "jackknife")) and run.is_of_the_163
]


@pytest.fixture
def rouge(capsys):
    """Return a function that runs `pyramidion rouge`: exit code, output, messages."""

    def run_rouge(*arguments):
        code = runtime.run(["rouge", *arguments])
        return code, *capsys.readouterr()

    return run_rouge


def as_stream(config, path):
    """Write a configuration's files as a stream: an item for each peer of each evaluation."""
    with path.open("w", encoding="utf-8") as stream:
        for evaluation, peers, models in evaluations(config):
            references = [[line.decode() for line in model] for model in models]
            for peer, lines in peers.items():
                item = {"topic": evaluation, "system": peer, "references": references}
                text = [line.decode() for line in lines]
                stream.write(json.dumps({**item, "peer": text}) + "\n")


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
def test_a_stream_gives_what_files_give(run, gold, streams, rouge):
    *options, config = run.arguments
    code, out, _ = rouge(*options, str(streams / f"{config.split('/')[1]}.jsonl"))
    assert bool(code) == bool(run.rc)
    if not code:
        assert out == printed(gold, run.name)


def test_tasks_of_a_stream_are_evaluations_of_their_own(tmp_path, rouge):
    stream = tmp_path / "a.jsonl"
    item = {"topic": "T1", "system": "7", "peer": "a b", "references": ["a"]}
    stream.write_text("".join(json.dumps({**item, "task": task}) + "\n" for task in "AB"))
    _, out, _ = rouge("-n1", "-x", "-d", "-a", str(stream))
    assert [line for line in out.splitlines() if "Eval" in line] == [
        "7 ROUGE-1 Eval T1-A.7 R:1.00000 P:0.50000 F:0.66667",
        "7 ROUGE-1 Eval T1-B.7 R:1.00000 P:0.50000 F:0.66667",
    ]


@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf", b"\n \n"], ids=["plain", "mark", "blank"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_a_stream_is_recognized_on_standard_input(tmp_path, monkeypatch, rouge, before, pack):
    stream = tmp_path / "a.jsonl"
    item = {"topic": "T1", "system": "7", "peer": "a b", "references": ["a"]}
    stream.write_bytes(pack(before + json.dumps(item).encode()))
    expected = "7 ROUGE-1 Eval T1.7 R:1.00000 P:0.50000 F:0.66667"
    for name in (str(stream), "-"):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stream.read_bytes())))
        code, out, _ = rouge("-n1", "-x", "-d", "-a", name)
        assert code == 0
        assert expected in out.splitlines()


@pytest.mark.parametrize("text", ["هطل المطر على أوسلو 2030", "雨落在奥斯陆的道路上 2030"])
def test_a_script_that_rouge_does_not_see_is_refused(text, tmp_path, capsys):
    file = tmp_path / "stream.jsonl"
    item = {"topic": "T1", "system": "7", "peer": text, "references": [text]}
    file.write_text(json.dumps(item) + "\n")
    assert runtime.run(["rouge", "-a", "-n", "1", str(file)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "of the letters of the texts are not ASCII, and ROUGE-1.5.5 ignores them" in err
    assert "pyramidion score -m rouge-2 --tokenizer unicode" in err


def test_accents_are_reported(tmp_path, capsys):
    file = tmp_path / "stream.jsonl"
    item = {"topic": "T1", "system": "7", "peer": "Über Nacht fiel Schnee in Köln"}
    file.write_text(json.dumps({**item, "references": ["Schnee in Köln"]}) + "\n")
    assert runtime.run(["rouge", "-a", "-n", "1", str(file)]) == 0
    assert "the rouge tokenizer splits words at them" in capsys.readouterr().err


def test_names_of_a_stream_are_printed_as_utf_8(tmp_path, capfdbinary):
    item = {"topic": "T1", "system": "é", "peer": "rain", "references": ["rain"]}
    (tmp_path / "a.jsonl").write_text(json.dumps(item) + "\n")
    assert runtime.run(["rouge", "-n1", "-a", str(tmp_path / "a.jsonl")]) == 0
    assert "é ROUGE-1".encode() in capfdbinary.readouterr().out


def test_a_repeated_item_is_refused(tmp_path, rouge):
    stream = tmp_path / "a.jsonl"
    item = {"topic": "T1", "system": "7", "peer": "a b", "references": ["a"]}
    stream.write_text((json.dumps(item) + "\n") * 2)
    code, out, err = rouge("-n1", "-a", str(stream))
    assert (code, out) == (2, "")
    assert err.endswith("a.jsonl: evaluation T1 of peer 7 occurs twice; keep one\n")


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


def test_a_peer_that_is_missing_from_an_evaluation_is_reported(config, rouge):
    _, out, err = rouge("-n1", "-a", config(("T1", ONE + TWO), ("T2", ONE)))
    assert err.endswith("peer 2 is missing from evaluation T2: skipped\n")
    assert "2 ROUGE-1 Average_R: 1.00000 (95%-conf.int. 1.00000 - 1.00000)\n" in out


def test_a_repeated_evaluation_is_refused(config, rouge):
    code, _, err = rouge("-a", config(("T1", ONE), ("T1", TWO)))
    assert (code, err) == (2, "pyramidion: rouge.xml: EVAL T1 occurs twice; keep one\n")


def test_an_unknown_peer_is_refused(config, rouge):
    code, _, err = rouge("-n1", config(("T1", ONE + TWO)), "9")
    assert (code, err) == (2, "pyramidion: there is no peer '9'; available: 1, 2\n")


def test_lines_before_an_error_come_out(config, capsys):
    missing = '<P ID="2">no.spl</P>'
    assert runtime.run(["rouge", "-n1", "-x", "-a", config(("T1", ONE + missing))]) == 2
    out, err = capsys.readouterr()
    assert out.count("\n") == 4
    assert out.startswith("-----")
    assert err == "pyramidion: no.spl: there is no such file; fix the configuration\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
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
        (["-l", "5", "-b", "0", "-a", "x.xml"], "-l and -b cannot be combined; keep one"),
        (["-p", "1.1", "-a", "x.xml"], "-p 1.1: expected a number from 0 to 1"),
        (["-c", "101", "-a", "x.xml"], "-c 101: expected a number from 0 to 100"),
        (["-r", "0", "-a", "x.xml"], "-r 0: expected a whole number of at least 1"),
        (["-z", "TXT", "x"], "-z TXT; use one of SPL, SEE, ISI, SIMPLE"),
        (["-m", "-M", "-a", "x.xml"], "-m and -M together; keep one"),
        (["--exceptions", "no", "-a", "x"], "--exceptions no; use on or off"),
    ],
)
def test_bad_command_lines(arguments, message, rouge):
    code, out, err = rouge(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_letters_are_read_as_getopt_std_reads_them(config, rouge):
    path = config(("T1", ONE + TWO))
    separate = rouge("-n", "2", "-m", "-d", "-a", "-e", "data", "-v", path)
    assert separate == rouge("-n2", "-mdave", "data", path)
    assert separate[1].count(" Eval ") == 6
    assert "ROUGE-SU* Average_R" in rouge("-m", "-s", "-u", "-2", "-1", "-x", "-a", path)[1]


def test_a_list_has_one_peer_with_a_name(config, rouge, tmp_path):
    config()
    (tmp_path / "list").write_text("p.spl m.spl\n")
    code, out, _ = rouge("-a", "-z", "SPL", "-l", "1", "-n1", "-x", "list", "S1")
    assert code == 0
    # Cut to one word, the peer is the model.
    assert out.splitlines()[2].startswith("S1 ROUGE-1 Average_P: 1.00000")


def test_only_exceptions_off_turns_the_table_off(config, rouge, tmp_path):
    path = config(("T1", ONE))
    (tmp_path / "p.spl").write_bytes(b"went\n")
    (tmp_path / "m.spl").write_bytes(b"go\n")
    recalls = [
        rouge("-n1", "-x", "-m", *options, "-a", path)[1].splitlines()[1].split()[3]
        for options in ((), ("--exceptions", "on"), ("--exceptions=off",))
    ]
    assert recalls == ["1.00000", "1.00000", "0.00000"]
