"""One table for a paper: `compare --table`."""

import numpy as np
import pytest

from pyramidion import ScoreMatrix, Scores, compare
from pyramidion.cli.runtime import run
from pyramidion.errors import InputError

SYSTEMS = ("[x]_&%#", "a|b", "Person")


def scores():
    """Two measures of three systems, one a person; lower is better by js-input."""
    rng = np.random.default_rng(0)
    noise, topics = rng.normal(0, 0.01, (20, 3)), [f"T{n}" for n in range(20)]
    human = [False, False, True]
    levels = {"rouge-2-f": [0.2, 0.3, 0.5], "js-input": [0.4, 0.3, 0.2]}
    return Scores.concatenate(
        ScoreMatrix(np.array(means) + noise, topics, SYSTEMS, human, measure=name).to_scores()
        for name, means in levels.items()
    )


def written(tmp_path, name, **settings):
    result = compare(scores(), measures="rouge-2-f,js-input", p_best=True)
    result.save("table", tmp_path / name, **settings)
    return result, (tmp_path / name).read_text()


def test_latex(tmp_path):
    result, text = written(tmp_path, "t.tex", intervals=True, caption="100% & more", label="tab:m")
    assert r"\caption{100\% \& more}" in text
    assert r"\label{tab:m}" in text
    assert (
        r"\multicolumn{4}{c}{rouge-2-f $\uparrow$} & \multicolumn{4}{c}{js-input $\downarrow$}"
        in text
    )
    lines = text.splitlines()
    start = lines.index(r"\midrule") + 1
    best, second, rule, person = lines[start : start + 4]
    assert best.startswith(r"a\textbar{}b & \textbf{0.30")
    assert best.count(r"\textbf") == 2
    # After a rule, [x] would be an argument.
    assert second.startswith(r"{}[x]\_\&\%\# & 0.")
    assert rule == r"\midrule"
    assert person.startswith("Person & 0.50")
    assert r"\textbf" not in second + person
    for number, comparison in enumerate(result):
        for row, name in ((best, "a|b"), (second, "[x]_&%#"), (person, "Person")):
            (system,) = (s for s in comparison.systems if s.system == name)
            cells = row.removesuffix(r" \\").split(" & ")[1 + 4 * number :]
            assert cells[1] == rf"\textsuperscript{{{system.group}}}"
            assert cells[2] == f"[{system.low:.3f}, {system.high:.3f}]"
            assert cells[3] == ("–" if name == "Person" else f"{system.p_best:.2f}")


def test_markdown(tmp_path):
    _, text = written(tmp_path, "t.md")
    caption, table, note, signature = text.strip().split("\n\n")
    assert caption == "**3 systems by rouge-2-f and js-input.**"
    assert "| a&#124;b | **0.30" in table
    assert "<sup>b</sup>" in table
    assert "the best machine in bold" in note
    assert signature.startswith("`compare(permutation)")


def test_stars_against_a_baseline(tmp_path):
    old, sign = np.arange(1, 9.0), np.array([1, -1] * 4)
    values = [old, old + 1 + 0.1 * sign, old + 0.2 * sign]
    names, topics = ["old", "new", "alike"], [*"12345678"]
    matrix = ScoreMatrix(np.column_stack(values), topics, names, measure="m")
    compare(matrix, baseline="old").save("table", tmp_path / "t.md")
    text = (tmp_path / "t.md").read_text()
    assert "| new | **5.50**<sup>&#42;</sup> |" in text
    assert "| old | 4.50 |" in text
    assert "differs significantly from old" in text


def test_bad_settings(tmp_path, capsys):
    result = compare([1, 2, 3.0], [2, 4, 4.0])
    with pytest.raises(InputError, match="end the name in"):
        result.save("table", tmp_path / "t.pdf")
    with pytest.raises(InputError, match="is not a label"):
        result.save("table", tmp_path / "t.tex", label="a}b")
    assert run(["compare", "scores.csv", "--intervals"]) == 2
    assert "add --table FILE" in capsys.readouterr().err
