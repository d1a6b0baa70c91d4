"""In a real browser: from an invitation link to the start page, and out again."""


def test_an_invited_person_comes_in_by_keyboard_alone(live):
    link = live.invitation("Ann")
    page = live.page(width=360)
    page.goto(link)
    page.locator("#password:focus").wait_for()
    page.keyboard.type("several good words")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Your work").wait_for()
    page.get_by_role("button", name="Log out").press("Enter")
    page.locator("#name:focus").wait_for()
    page.keyboard.type("Ann")
    page.keyboard.press("Tab")
    page.keyboard.type("several good words")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Your work").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_another_browser_is_another_person(live):
    ann, olga = live.page("Ann"), live.page("Olga", "organizer")
    ann.goto("/")
    olga.goto("/")
    assert ann.get_by_role("heading", level=1).inner_text() == "Your work"
    assert olga.get_by_role("heading", level=1).inner_text() == "Evaluations"
