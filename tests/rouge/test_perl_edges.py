"""The last edges of ROUGE-1.5.5: 400 runs of the script (tests/gold/rouge-1.5.5/README.md)."""

import struct

import pytest

from pyramidion import kernels
from pyramidion.cli import runtime
from rouge.gold import EDGES, unpack

#: What the script goes on with but nobody can want; docs/rouge.md says so.
REFUSED = {
    "opt_n_1.5", "opt_n_2.9", "opt_n_2x", "opt_n_abc", "opt_n_neg", "opt_r_10.5", "opt_r_2.5",
    "opt_r_5x", "opt_l_neg", "opt_l_2.5", "opt_b_neg", "opt_b_10.5", "opt_b_10x", "opt_2_4x",
    "opt_2_abc", "opt_w_1.2x", "opt_c_95x", "opt_p_x", "opt_q", "opt_mM", "peer_unknown",
    "xml_no_evals", "xml_dup_eval", "xml_dup_eval_other",
}  # fmt: skip
#: A peer typed in UTF-8 does not meet its own id in the script; here it does.
FOUND = {"a7_arg_e", "a7_arg_wide", "a7_arg_widepeer"}
RUNS = [run for run in EDGES if run.name not in REFUSED | FOUND]
#: For every rule of a kernel runs that show it: order of addition, huge powers, clipping, gaps,
#: limits, stop words and stems.
RULES = [
    run
    for run in RUNS
    if run.group in ("A2", "A3", "A5")
    or run.name in ("a1_w3_t2", "w00_w0.5_t2", "big5_w6.5_t2", "a6_b12_W", "a8_own_table_sm")
]


@pytest.fixture(scope="module")
def edges(tmp_path_factory):
    return unpack(tmp_path_factory.mktemp("edges"), "edges.tar.xz")


@pytest.fixture
def agrees(edges, monkeypatch, capfdbinary):
    monkeypatch.chdir(edges)

    def agrees(run):
        with monkeypatch.context() as patch:
            for name, value in run.env:
                patch.setenv(name, value)
            code = runtime.run(["rouge", *run.arguments])
        out, gold = capfdbinary.readouterr().out, (edges / "raw" / f"{run.name}.out").read_bytes()
        if run.unordered:
            out, gold = (b"".join(sorted(text.splitlines())) for text in (out, gold))
        return out == gold and (code == 0) == (run.rc == 0)

    return agrees


def test_one_run_of_every_kind(agrees):
    assert [run.name for run in RUNS[::9] if not agrees(run)] == []


@pytest.mark.long
def test_all_runs(agrees):
    assert len(RUNS) == 373
    assert [run.name for run in RUNS if not agrees(run)] == []


@pytest.mark.parametrize("in_use", ["_native", "fallback"])
def test_every_rule_of_the_kernels(in_use, agrees, monkeypatch):
    used = pytest.importorskip(f"pyramidion.kernels.{in_use}")
    for name in ("Vocabulary", "shared_units"):
        monkeypatch.setattr(kernels, name, getattr(used, name))
    assert len(RULES) == 26
    assert [run.name for run in RULES if not agrees(run)] == []


@pytest.mark.parametrize("run", [run for run in EDGES if run.name in REFUSED][::6])
def test_what_nobody_can_want_is_refused_in_one_line(run, edges, monkeypatch, capsys):
    monkeypatch.chdir(edges)
    assert runtime.run(["rouge", *run.arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)


@pytest.mark.parametrize(
    ("options", "case", "message"),
    [
        (
            ["-e", "cases/base"],
            "base",
            "no data of ROUGE-1.5.5 in cases/base: the package's identical copies",
        ),
        (
            ["-e", "cases/data_no_stops"],
            "base",
            "WordNet-2.0.exc.db is empty: irregular forms are not",
        ),
        (["-3", "hm"], "be_cn", "-3 hm counts nothing: the modes are H, HM, HMR, HM1, HMR1, HMR2"),
    ],
)
def test_warnings_are_reported(options, case, message, edges, monkeypatch, capsys):
    monkeypatch.chdir(edges)
    assert runtime.run(["rouge", *options, "-m", "-a", f"cases/{case}/config.xml"]) == 0
    assert message in capsys.readouterr().err


def test_an_empty_table_is_told_only_where_words_are_looked_up_in_it(edges, monkeypatch, capsys):
    monkeypatch.chdir(edges)
    assert runtime.run(["rouge", "-e", "cases/data_no_stops", "-a", "cases/base/config.xml"]) == 0
    assert "is empty" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("size", "message"),
    [(512, "is empty: irregular forms are not looked up"), (256, "its pages are cut off")],
)
def test_pages_of_the_table_have_512_bytes_at_least(size, message, edges, monkeypatch, capsys):
    """As Berkeley DB's do; this is the head of a table with the page size and nothing in it."""
    monkeypatch.chdir(edges)
    data = edges / f"pages-{size}"
    data.mkdir()
    (data / "smart_common_words.txt").write_text("the\n")
    head = struct.pack("<12xIII", 0x061561, 9, size).ljust(size, b"\0")
    (data / "WordNet-2.0.exc.db").write_bytes(head)
    code = runtime.run(["rouge", "-e", data.name, "-m", "-a", "cases/base/config.xml"])
    assert message in capsys.readouterr().err
    assert code == (0 if size == 512 else 2)
