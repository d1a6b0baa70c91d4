"""Results while people judge: as on the command line, and never in the way of judging."""

import re
import threading
import time
from dataclasses import replace

import pytest

from pyramidion.collection import Collection, Judgment, Scores
from pyramidion.comparison import compare
from pyramidion.demo import load_demo
from pyramidion.studio import _results
from pyramidion.studio._results import PARTS, ComputedResult, ResultCache, ResultPart
from studio.judged import judge

DEMO = load_demo()


def judged(studio, token, values, *, measure="responsiveness", again=False):
    """Let Kim1, Kim2, ... judge a summary, or Kim1 several times."""
    scores = {"responsiveness": 3, "readability": 3}
    for number, value in enumerate(values, start=1):
        name = "Kim1" if again else f"Kim{number}"
        occasion = number - 1 if again else 0
        item = studio.assign(token, name, "P01", "A", task="A", occasion=occasion)
        judge(studio, token, name, item, **{**scores, measure: value})


def text_of(answer) -> str:
    assert answer.status_code == 200, answer.text
    return re.sub(r"<[^>]*>|\s+", " ", answer.text)


def shown(studio, token, part="") -> str:
    """The text of a page of results, once it is computed."""
    for _ in range(100):
        answer = studio.organizer.get(f"/evaluations/{token}/results{part}")
        if "data-waiting" not in answer.text:
            return text_of(answer)
        time.sleep(0.05)
    raise AssertionError(answer.text)


def test_the_ranking_is_that_of_the_command_line(studio):
    token = studio.evaluation(DEMO)
    for result in compare(DEMO, measures=("responsiveness", "readability")):
        page = shown(studio, token, f"?measure={result.measure}")
        assert result.conclusion.partition(" (p")[0] in page
    page = shown(studio, token, "?measure=responsiveness")
    for system in compare(DEMO, measures="responsiveness", tasks="B").systems:
        row = rf"{system.rank:g}\s+{system.system}\s+.*?{system.mean:.4f}"
        assert re.search(row, page), row


def test_all_scores_are_shown_as_a_picture_and_in_numbers(studio):
    page = studio.organizer.get(f"/evaluations/{studio.evaluation(DEMO)}/results/scores").text
    assert len(re.findall("<figure><div tabindex=0><svg class=picture", page)) == 2  # two tasks
    assert "In numbers" in page
    assert "P06" in page


def test_a_judgment_changes_the_results(studio):
    token = studio.evaluation(replace(DEMO, scores=DEMO.scores.rows(slice(0, 0))))
    readability, style = "?measure=readability", "?measure=style"
    assert "Nobody has submitted a judgment of readability yet" in shown(studio, token, readability)
    judged(studio, token, (2, 5), measure="readability")
    studio.change_settings(token, own="style")
    page = shown(studio, token, readability)
    assert "Nobody has submitted a judgment of readability yet" not in page
    assert "Nobody has submitted a judgment of style yet" in shown(studio, token, style)


def test_imported_and_new_judgments_are_ranked_together_and_apart(studio):
    rows = [
        Judgment("P01", system, "style", value, task="A", assessor="Kim", kind="human")
        for system, value in (("A", 1), ("B", 2))
    ]
    token = studio.evaluation(replace(DEMO, scores=Scores.from_judgments(rows)))
    assert "Style" in shown(studio, token)
    studio.change_settings(token, **{"scale-style": ""})
    judged(studio, token, (2, 5), measure="readability")
    page = shown(studio, token)
    assert re.search("All 6 judgments +2 imported +4 new", page)
    new = shown(studio, token, "?origin=new&measure=style")
    assert "Nobody has submitted a judgment of style yet" in new
    imported = shown(studio, token, "?origin=imported&measure=readability")
    assert "Nobody has submitted a judgment of readability yet" in imported
    assert studio.organizer.get(f"/evaluations/{token}/results?origin=x").status_code == 422


def test_assessors_are_checked_against_others_and_themselves(studio):
    token = studio.evaluation(replace(DEMO, scores=DEMO.scores.rows(slice(0, 0))))
    judged(studio, token, (2, 5), measure="readability")
    judged(studio, token, (2, 4), again=True)
    page = shown(studio, token, "/assessors")
    assert re.search(r"P01 A A\s+readability\s+2.*5.*Kim1, Kim2", page)  # far apart
    assert re.search(r"Consistency.*Kim1\s+1", page)
    assert "Severity" in page
    assert "Drift over time" in page


def test_judgments_half_the_scale_apart_are_listed(studio):
    token = studio.evaluation(replace(DEMO, scores=DEMO.scores.rows(slice(0, 0))))
    judged(studio, token, (2, 4), measure="readability")
    judged(studio, token, (2, 3), again=True)
    page = shown(studio, token, "/assessors")
    assert re.search(r"P01 A A\s+readability\s+2.*4.*Kim1, Kim2", page)
    assert not re.search(r"P01 A A\s+responsiveness\s+2.*Kim1, Kim1", page)


def test_what_is_missing_is_said_in_a_line(studio):
    bare = Collection("bare", topics=DEMO.topics, summaries=DEMO.summaries, tasks=DEMO.tasks)
    token = studio.evaluation(bare)
    assert shown(studio, token).count("Nobody has submitted a judgment of") == 1
    assert "Nobody has submitted a judgment" in shown(studio, token, "/assessors")
    assert shown(studio, token, "/pyramids").count("There is no pyramid yet") == 1
    assert "Nobody has submitted a judgment" in shown(studio, token, "/report.html")


def test_how_far_pyramids_can_be_relied_on(studio):
    page = shown(studio, studio.evaluation(DEMO), "/pyramids")
    assert "How scores stabilize" in page
    assert "There are no annotated peers in it" in page


def test_the_report_may_do_nothing_but_sort(studio):
    token = studio.evaluation(DEMO)
    for _ in range(100):
        answer = studio.organizer.get(f"/evaluations/{token}/results/report.html")
        if "data-waiting" not in answer.text:
            break
    policy = answer.headers["content-security-policy"]
    assert answer.text.startswith("<!doctype")
    assert "sandbox allow-scripts" in policy
    assert "'self'" not in policy
    assert re.search("script-src 'sha256-[^']+'", policy)


def test_nobody_waits_for_results_that_take_long(studio, monkeypatch):
    token, release, calls = studio.evaluation(DEMO), threading.Event(), []

    def slow(_judged):
        calls.append(1)
        release.wait(20)
        return ["<p>Here they are.</p>"]

    monkeypatch.setitem(PARTS, "", ResultPart("Ranking", slow))
    monkeypatch.setattr(_results, "PATIENCE", 0.01)
    for _ in range(3):
        waiting = studio.organizer.get(f"/evaluations/{token}/results").text
        assert "The results are being computed." in waiting
    while not calls:
        time.sleep(0.01)
    assert calls == [1]
    judged(studio, token, (3,))  # others go on working
    release.set()
    assert "Here they are." in shown(studio, token)
    assert len(calls) == 2  # once for the judgment that came meanwhile


def test_an_older_result_is_shown_until_the_newer_is_there():
    cache, release = ResultCache(), threading.Event()
    assert cache.ask((1, ""), "1", lambda: ComputedResult("1", "old"), 5) == ComputedResult(
        "1", "old"
    )

    def newer():
        release.wait(20)
        return ComputedResult("2", "new")

    assert cache.ask((1, ""), "2", newer, 0) == ComputedResult("1", "old")
    release.set()
    assert cache.ask((1, ""), "2", newer, 5) == ComputedResult("2", "new")


def test_an_error_of_ours_is_reported_and_the_page_remains(studio, monkeypatch, caplog):
    monkeypatch.setitem(PARTS, "", ResultPart("Ranking", lambda _judged: 1 / 0))
    assert "This result could not be computed" in shown(studio, studio.evaluation(DEMO))
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize("part", ["", "/scores", "/assessors", "/pyramids", "/report.html"])
def test_assessors_do_not_see_results(studio, part):
    token = studio.evaluation(DEMO)
    answer = studio.person("Ann").get(f"/evaluations/{token}/results{part}")
    unknown = studio.person("Ann").get(f"/evaluations/nothing/results{part}")
    assert (answer.status_code, answer.text) == (404, unknown.text)


def test_the_page_follows_the_judgments(live):
    token = live.evaluation(replace(DEMO, scores=DEMO.scores.rows(slice(0, 0))))
    page = live.page("Olga", "organizer", width=360)
    page.clock.install()
    page.goto(f"/evaluations/{token}/results/assessors")
    page.get_by_text("Nobody has submitted").wait_for()
    judged(live, token, (1, 5))
    page.clock.fast_forward(6000)
    page.clock.resume()
    page.get_by_role("cell", name="Kim1, Kim2").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
