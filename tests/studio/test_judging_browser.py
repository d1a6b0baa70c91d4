"""Judging in a real browser by keyboard alone: what is typed is stored exactly once."""

from studio.judged import add_work

WORDS = "1 two? n"  # in a comment, keys are only text


def prepared(live):
    live.visit("Ann")
    return add_work(live, ["Ann"])


def opened(page, token):
    page.goto(f"/judge/{token}")
    page.get_by_role("status").get_by_text("Summary").wait_for()


def press(page, keys):
    for key in keys.split():
        page.keyboard.press(key)


def at_summary(page, number):
    page.get_by_role("heading", name=f"Summary {number} of").wait_for()
    page.locator("#judge:not(.loading)").wait_for()


def until(page, is_so):
    """Wait for a condition; the page's policy forbids `wait_for_function`."""
    for _ in range(200):
        if is_so():
            return
        page.wait_for_timeout(50)
    raise AssertionError("nothing happened")


def saved(page):
    page.get_by_text("All saved", exact=True).wait_for()


def stored(live):
    """The number of the item, the kind of each stored event, and its values."""
    events = live.stored_events()
    assert len({key for _, key, _, _ in events}) == len(events)
    fields = {"score": ("measure", "value"), "comment": ("text",)}
    return [
        (position + 1, kind, *map(data.get, fields.get(kind, ())))
        for position, _, kind, data in events
        if kind != "time"
    ]


def scored(item, *values):
    measures = ("responsiveness", "readability")
    return [(item, "score", *pair) for pair in zip(measures, values, strict=False)]


def lose_two_answers(page):
    """Another site answers first; then the server stores what is sent, and its answer is lost."""

    def log_in_to_the_network(route):
        route.fulfill(status=200, content_type="text/html", body="<h1>Welcome to our hotel</h1>")

    def lose(route):
        route.fetch()
        route.abort()

    page.route("**/events", lose, times=1)
    page.route("**/events", log_in_to_the_network, times=1)  # what is added last comes first


def test_judging_by_keyboard_alone(live):
    token = prepared(live)
    page, loaded = live.page("Ann", width=360), set()
    page.on("requestfinished", lambda request: loaded.add(request.url.partition("/items/")[2]))
    page.goto("/")
    while page.evaluate("document.activeElement.textContent") != "Start":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_role("status").get_by_text("Summary 1 of 4: Maren Star").wait_for()
    assert page.get_by_role("group", name="Responsiveness, 1 to 5: no score yet").is_visible()

    headline, keys = page.get_by_text("Six Dead as Night Ferry Burns"), page.get_by_role("dialog")
    for key, shown in (
        ("d", headline),
        ("g", page.get_by_text("Overall responsiveness")),
        ("?", keys),
    ):
        assert not shown.is_visible()
        press(page, key)
        assert shown.is_visible()
        press(page, key)
        assert not shown.is_visible()

    lose_two_answers(page)
    press(page, "7 4 Shift+Tab 5 3 Enter")  # 7 is not on the scale; 5 takes the place of 4
    at_summary(page, 2)
    press(page, "5 u 2 1 c")
    page.keyboard.type(WORDS)
    press(page, "Escape Enter")
    at_summary(page, 3)
    press(page, "u")  # the comment of the item before
    at_summary(page, 2)
    assert page.get_by_label("Comment").input_value() == ""
    press(page, "u 3 Enter")
    at_summary(page, 3)
    saved(page)

    # Without a network one goes on, also to what comes next.
    until(page, lambda: len(loaded - {""}) == 4)
    page.context.set_offline(True)
    press(page, "2 2 Enter")
    at_summary(page, 4)
    press(page, "1")
    page.get_by_text("4 answers not sent yet").wait_for()
    page.get_by_role("alert").get_by_text("no connection").wait_for()
    page.close()  # and the page is closed
    page.context.set_offline(False)
    again = page.context.new_page()
    opened(again, token)
    at_summary(again, 4)
    assert again.get_by_role("group", name="Responsiveness, 1 to 5: 1").is_visible()
    saved(again)
    press(again, "5 Enter")
    again.get_by_text("All done.").wait_for()
    press(again, "p p p")
    at_summary(again, 1)
    press(again, "4")  # submitted: nothing changes
    again.get_by_text("Press r to reopen it").wait_for()
    press(again, "r 4 4 Enter")
    saved(again)

    read = (2, "score", "readability")
    assert stored(live) == [
        *scored(1, 4), *scored(1, 5, 3), (1, "submit"),
        *scored(2, 5), *scored(2, None), *scored(2, 2, 1), (2, "comment", WORDS), (2, "submit"),
        (2, "reopen"), (2, "comment", ""), (*read, None), (*read, 3), (2, "submit"),
        *scored(3, 2, 2), (3, "submit"), *scored(4, 1, 5), (4, "submit"),
        (1, "reopen"), *scored(1, 4, 4), (1, "submit"),
    ]  # fmt: skip
    scores = [row.value for row in live.collection(token).scores if row.assessor == "Ann"]
    assert sorted(scores) == [1, 2, 2, 2, 3, 4, 4, 5]
    timed = {position + 1 for position, _, kind, _ in live.stored_events() if kind == "time"}
    assert timed == {1, 2, 3, 4}
    again.goto("/")
    again.get_by_text("All done: 4 summaries.").wait_for()


def test_who_is_logged_out_loses_nothing_and_what_is_refused_blocks_nothing(live):
    token = prepared(live)
    page = live.page("Ann")
    opened(page, token)
    cookies = page.context.cookies()
    page.context.clear_cookies()
    press(page, "2 3")
    page.get_by_role("alert").get_by_role("link", name="Log in").wait_for()
    page.get_by_text("2 answers not sent yet").wait_for()
    # An answer that the server will never take stands before the next one.
    page.evaluate(
        """() => {
            const names = Object.keys(localStorage).filter((key) => key.includes('waiting'));
            const name = names.sort()[0];
            localStorage.setItem(name.slice(0, name.lastIndexOf('.')) + '.a', JSON.stringify(
                { ...JSON.parse(localStorage[name]), key: 'a-key-of-its-own', measure: 'gone' }));
        }"""
    )
    page.context.add_cookies(cookies)
    page.goto("/")  # where one is after logging in
    page.get_by_text("All saved").wait_for()
    opened(page, token)
    page.get_by_role("alert").get_by_text(
        "Not stored: gone 2 of summary 1 (this measure is"
    ).wait_for()
    assert stored(live) == scored(1, 2, 3)
    page.get_by_role("button", name="I have read this").press("Enter")
    page.reload()
    page.get_by_role("group", name="Readability, 1 to 5: 3").wait_for()
    assert page.get_by_role("alert").inner_text() == ""

    # Another machine goes on where this one stopped; a closed evaluation is only read.
    other = live.page("Ann", dark=True)
    other.add_init_script("Storage.prototype.setItem = () => { throw new Error('full'); };")
    opened(other, token)
    press(other, "n n")
    at_summary(other, 3)
    press(other, "4")
    saved(other)
    press(page, "n n")
    page.get_by_role("group", name="Responsiveness, 1 to 5: no score yet").wait_for()
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # as one comes back
    page.get_by_role("group", name="Responsiveness, 1 to 5: 4").wait_for()
    live.change_settings(token, is_open="")
    opened(page, token)
    at_summary(page, 3)
    page.get_by_role("alert").get_by_text("The evaluation is closed").wait_for()
    press(page, "5 u c x Escape r")
    assert not page.get_by_role("button", name="Submit").is_visible()
    press(other, "1")
    other.get_by_role("alert").get_by_text(
        "late work is kept in this browser but not stored"
    ).wait_for()
    other.get_by_role("alert").get_by_text("keep the page open until all is saved").wait_for()
    assert stored(live) == [*scored(1, 2, 3), *scored(3, 4)]


HIDE = """hidden => {
    Object.defineProperty(document, 'hidden', { get: () => hidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
}"""


def seconds_of_work(live, page):
    """Wait until nothing waits to be sent; add up the time that is stored."""
    waiting = "Object.keys(localStorage).filter((key) => key.includes('waiting')).length"
    until(page, lambda: not page.evaluate(waiting))
    return sum(data["seconds"] for _, _, kind, data in live.stored_events() if kind == "time")


def test_time_counts_while_somebody_works(live):
    token = prepared(live)
    page = live.page("Ann")
    page.clock.install(time=0)
    opened(page, token)
    page.clock.pause_at(3_600)  # from here, time passes only where it says so
    press(page, "n p")
    before = seconds_of_work(live, page)
    page.clock.run_for(40_000)
    press(page, "4")
    page.clock.run_for(600_000)  # a minute after the last key, nobody works
    press(page, "? ?")
    page.clock.run_for(5_000)
    page.evaluate(HIDE, True)
    page.clock.run_for(30_000)
    page.evaluate(HIDE, False)
    page.clock.run_for(5_000)
    press(page, "n")
    assert 108 < seconds_of_work(live, page) - before < 112
