"""Checklists: shares by topic, agreement by unit, order effects, and what is refused."""

from pathlib import Path

import numpy as np
import pytest

from pyramidion.comparison import checklists
from pyramidion.errors import InputError
from pyramidion.stats import krippendorff_alpha
from support import shared_collection

pytestmark = pytest.mark.filterwarnings("ignore:.*read as --columns")


def written(path: Path, rows: list[str], head: str = "topic,system,unit,answer,assessor") -> Path:
    path.write_text("\n".join([head, *rows, ""]), encoding="utf-8")
    return path


def sample() -> list[str]:
    rng = np.random.default_rng(2)
    rows = []
    for topic in range(10):
        for system, chance in (("x", 0.8), ("y", 0.4)):
            for unit in range(topic % 3 + 4):
                # From the fourth place on units are rarely found.
                included = rng.random() < chance - 0.3 * (unit > 2)
                for who in "KLM":
                    wrong = rng.random() < 0.1
                    word = "cannot tell" if rng.random() < 0.1 else ("no", "yes")[included ^ wrong]
                    rows.append(f"T{topic},{system},{unit},{word},{who}")
    return rows


def test_scores_agreement_and_places(tmp_path: Path) -> None:
    rows = sample()
    checklist = checklists(written(tmp_path / "mine.csv", rows))[0]
    split = [row.split(",") for row in rows]
    value = {"yes": 1.0, "no": 0.0, "cannot tell": np.nan}
    cells: dict[tuple[str, str, str], list[float]] = {}
    for topic, system, unit, word, _ in split:
        cells.setdefault((topic, system, unit), []).append(value[word])
    means = {
        key: np.nanmean(answers) for key, answers in cells.items() if not np.isnan(answers).all()
    }
    topics = [np.mean([v for (t, s, _), v in means.items() if (t, s) == (f"T{n}", "x")])
              for n in range(10)]  # fmt: skip
    assert checklist.systems[0].system == "x"
    assert checklist.systems[0].score == pytest.approx(np.mean(topics))
    # By its own function: the three answers about a unit of a summary are three coders'.
    codes = {"yes": 1.0, "no": -1.0, "cannot tell": 0.0}
    table = np.array([codes[word] for *_, word, _ in split]).reshape(-1, 3).T
    assert checklist.alpha == pytest.approx(krippendorff_alpha(table, level="nominal").value)
    assert checklist.places[2].step < -0.1
    assert checklist.places[2].high < 0 <= checklist.places[0].high
    assert sum(unit.answers for unit in checklist.units) == len(rows)
    no = checklists(tmp_path / "mine.csv", cannot_tell="no")[0]
    assert no.systems[0].score < checklist.systems[0].score


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["T1,x,0,yes,K", "T1,x,1,maybe,K"], "line 3: `answer` is 'maybe'; write yes, no or"),
        (["T1,x,0,yes,K", "T1,x,0,no,K"], "two scores (1 and 0) of scu-answer for system x"),
        (["T1,x,0,yes,K", "T2,x,0,no,K"], "only 2 topics and 1 system"),
        (["T1,x,u1,0.93,K", "T2,x,u1,0.08,K"], "the answer is 0.93 (T1, x, u1); write yes (1)"),
    ],
)
def test_bad_answers_are_refused(tmp_path: Path, rows: list[str], message: str) -> None:
    with pytest.raises(InputError) as raised:
        checklists(written(tmp_path / "mine.csv", rows))
    assert message in str(raised.value)


def test_one_assessor_has_nobody_to_agree_with(tmp_path: Path) -> None:
    rows = [row for row in sample() if row.endswith("K")]
    result = checklists(written(tmp_path / "mine.csv", rows))
    assert "agreement: there is only one assessor" in result.left_out


@pytest.mark.long
def test_the_sixth_unit_of_realsumm_is_found_less_often() -> None:
    checklist = checklists(shared_collection("data/realsumm.jsonl.gz"))[0]
    # .27 by the issue that asked for checklists.
    assert checklist.places[4].found - checklist.places[5].found == pytest.approx(0.27, abs=0.005)
    assert checklist.places[4].p_adjusted < 0.001
    assert np.median([system.design_effect for system in checklist.systems]) > 1.5
