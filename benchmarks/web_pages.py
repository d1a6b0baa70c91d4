"""Invented web pages: no notice may appear in a summary (``make bench AREA=web-pages``).

Layouts, each with six articles about one event of the demonstration, in HTML and as the text that
a visitor would copy from the page. Every layout puts its own menus, cookie notices, newsletters,
requests and footers before, into and after the article. Four sites with ten pages each have more of
them, some of which differ from page to page: comments, authors, other articles, credits.
"""

import re
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

from pyramidion.demo import load_demo
from pyramidion.summarizers import summarize_collection
from pyramidion.text import split_sentences

PAGES, SITE_PAGES = 6, 10
METHODS = ("auto", "sum-avr", "lexrank")
MENU = "Home News Sport Business Weather Culture Opinion Archive"
#: A layout: what comes before the article, within it, and after it.
LAYOUTS = (
    ("We use cookies to give you the best experience on our site and to show personalized ads.",
     "Sign up for our morning newsletter and get the top stories in your inbox.",
     "© 2031 The Ardel Courier. All rights reserved."),
    ("This website uses cookies. By continuing to browse you agree to our privacy policy.",
     "Advertisement. Scroll down to continue reading.",
     "Follow us on social media for updates on this story and more."),
    ("Please enable JavaScript to view this page properly.",
     "You have two free articles left this month. Subscribe now for unlimited access.",
     "This material may not be published, broadcast, rewritten or redistributed."),
    ("It looks like you are using an ad blocker. Please turn it off to support our journalism.",
     "Related stories: Goats return to the hills. Harbor road to close again in spring.",
     "Contact the newsroom: desk@example.org or call 555-010-0199."),
    ("Skip to main content. Log in to your account or create a new password.",
     "Share this article: Email, Print, Copy link.",
     "Comments are closed. Please read our terms of use before you post a comment."),
    ("Accept all cookies. Manage your preferences at any time in our privacy settings.",
     "Get breaking news alerts: download our free app today.",
     "The views expressed in this article are those of the author."),
    ("Would you like to receive push notifications from us about breaking news?",
     "Most read: Ten goats that changed the town. How to dry a flooded cellar.",
     "Editor's note: This story was updated to add the name of the mayor."),
    ("Already a member? Sign in to read this article without advertisements.",
     "Join our mailing list and never miss a story from our reporters in Ardel.",
     "By Ada Ode, Staff Writer. Reporting by Ada Ode; editing by John Lee."),
    ("We value your privacy. We and our partners store cookies on your device.",
     "Read more: the full coverage of the storm and what it means for you.",
     "Terms and conditions apply. See our website for details of the subscription."),
    ("Support independent journalism. Become a subscriber today and help us to report.",
     "Watch: video of the harbor road from a helicopter.",
     "For more information visit our website or write to the press office."),
    # When the next three were written, 175 of their notices appeared in 126 summaries.
    ("Your choices matter: pick which trackers may run while you read.",
     "Enjoying this piece? Our weekend digest brings five like it to you on Saturdays.",
     "Spotted a mistake? Tell the desk and they will put it right within a day."),
    ("You are reading as a guest. Create a profile to keep stories for later.",
     "Story continues below this promotion from our partners.",
     "Printed in Ardel by Harbor Press Ltd., registered office 4 Quay Street."),
    ("Install the Courier on your phone for a faster experience with fewer interruptions.",
     "Up next: the five best places to eat goat cheese this spring.",
     "Some links on this page earn the Courier a small fee at no cost to readers."),
    # When the next six were written, 318 of their notices appeared in 252 summaries; 21 do now.
    ("Your trial ends in three days. Keep reading for one mark a week.",
     "Listen to this article: 4 min. Audio is read by an automated voice.",
     "More from this author: Why the ferries run late; A winter without herring."),
    ("Hello, neighbor! Tell us where you live and we show you the news from your street.",
     "Picture: the old lock in an undated photograph (archive).",
     "Delivered by the Ardel News Network. Times shown are local and delayed by 15 minutes."),
    ("Live updates have ended. Here is how the day unfolded.",
     "Don't miss a beat: tap the bell to hear from us when something big happens.",
     "Was this helpful? Yes No. Thank you, your answer has been recorded."),
    ("Dear reader, good reporting costs money, and only one in fifty of you pays for it.",
     "This video can't be played on your browser. Try another one.",
     "Editorial guidelines Corrections Jobs Partner with us Accessibility Site map."),
    ("Due to legal reasons this content is unavailable in some regions.",
     "Our puzzle of the day is here! Can you beat the editor's time of two minutes?",
     "The Courier is a member of the Press Council and follows its code."),
    ("Subscribers can give this piece to a friend. Five gifts are left this month.",
     "137 comments. Join the conversation, but keep it civil.",
     "Last modified on Tuesday at 14:02. Filed under: Harbor, Council, Weather."),
    # The next six were written after the rule for asides: 345 before it, 46 with it.
    ("Breaking: Follow our reporters on the ground. Reload this page for the latest.",
     "The newsletter for people who care about the coast. Weekly, free, no spam.",
     "Reuse of our texts is free under a license; pictures are not included."),
    ("Reading time: three minutes. Text size: small, medium, large.",
     "Members of the Courier Club save a fifth on tickets for the harbor theater.",
     "About us. Masthead. Advertise. Printed on recycled paper."),
    ("The Courier asks for your consent to store data on this device.",
     "Have you seen something? Send pictures to the newsroom by messenger.",
     "No part of this page may be copied without written permission."),
    ("Sunny, 21 degrees. Pollen count: low. High water at 16:40.",
     "Promoted: A mattress that remembers you. Sleep better from tonight.",
     "Corrections to this report are made at the foot of the page."),
    ("Registration is free and takes less than a minute.",
     "An orange dot marks stories that have changed since your last visit.",
     "Ada Ode covers the coast. She lives in Ardel with two dogs."),
    ("Special offer: twelve weeks for the price of four.",
     "Tickets for the Courier's debate night are going fast.",
     "Back to top. Next story: School roofs to be checked before winter."),
)  # fmt: skip


#: What comes before, within and after the article of a site. When these were written, 441 of their
#: notices appeared in 264 summaries, and 231 with the rule that left none of the layouts above.
SITES = tomllib.loads((Path(__file__).parent / "web_sites.toml").read_text(encoding="utf-8"))[
    "site"
]
#: A part of a page: its HTML tag, its class, and its texts; page k has text k, counted round.
Parts = dict[str, list[list[str]]]
Page = tuple[str, str, list[str]]


def layout_pages(layout: int) -> Iterator[Page]:
    """Return each page of a layout as HTML and as text, and its notices."""
    before, within, after = LAYOUTS[layout]
    topics = load_demo().topics
    topic = topics[layout % len(topics)]
    for number, document in enumerate(topic.documents[:PAGES]):
        parts = {
            "before": [["nav", "menu", MENU], ["div", "banner", before]],
            "within": [["div", "promo", within]],
            "after": [["footer", "foot", after]],
        }
        yield _page(f"{topic.title} ({number})", document.text, number, parts)


def site_pages(site: int) -> Iterator[Page]:
    """Return each page of a site as HTML and as text; the last ones are about another event."""
    topic, other = load_demo().topics[site : site + 2]
    documents = (*topic.documents, *other.documents)[:SITE_PAGES]
    for number, document in enumerate(documents):
        yield _page(f"{topic.title} ({number})", document.text, number, SITES[site])


def _page(title: str, text: str, number: int, parts: Parts) -> Page:
    """Put an article among the other parts of a page, half of those within it a paragraph later."""
    blocks = {
        place: [(tag, style, texts[number % len(texts)]) for tag, style, *texts in several]
        for place, several in parts.items()
    }
    paragraphs = [("p", "", line) for line in re.split(r"\n\s*\n", text) if line.strip()]
    middle = 1 + number % 2 if len(paragraphs) > 1 else 1
    later, n_first = min(middle + 1, len(paragraphs)), (len(blocks["within"]) + 1) // 2
    article = [
        ("h1", "", title),
        *paragraphs[:middle],
        *blocks["within"][:n_first],
        *paragraphs[middle:later],
        *blocks["within"][n_first:],
        *paragraphs[later:],
        *(block for block in blocks["after"] if block[0] != "footer"),
    ]
    footers = [block for block in blocks["after"] if block[0] == "footer"]
    head, body, foot = (
        "".join(map(_html, lines)) for lines in (blocks["before"], article, footers)
    )
    html = (
        f"<!DOCTYPE html><html><head><title>{title}</title></head><body>{head}"
        f"<main><article>{body}</article></main>{foot}</body></html>"
    )
    lines = [line for several in blocks.values() for _, _, line in several]
    shown = "\n\n".join(line for _, _, line in (*blocks["before"], *article, *footers))
    return html, shown, [*lines, *split_sentences("\n\n".join(lines))]


def _html(block: tuple[str, str, str]) -> str:
    tag, style, line = block
    text = f"<p>{line}</p>" if tag in ("div", "aside", "section", "footer", "blockquote") else line
    return f"<{tag} class='{style}'>{text}</{tag}>"


def main() -> int:
    """Summarize the pages of each layout and site, and count notices in the summaries."""
    groups = {f"layout {number + 1}": [*layout_pages(number)] for number in range(len(LAYOUTS))}
    groups |= {f"site {number + 1}": [*site_pages(number)] for number in range(len(SITES))}
    n_found = n_summaries = 0
    for name, pages in groups.items():
        notices = {_words(notice) for _, _, lines in pages for notice in lines}
        for column, ending in enumerate(("html", "txt")):
            with tempfile.TemporaryDirectory() as folder:
                for number, page in enumerate(pages):
                    Path(folder, f"{number}.{ending}").write_text(page[column], encoding="utf-8")
                for source in (folder, *sorted(Path(folder).iterdir())):
                    for method in METHODS:
                        (summary,) = summarize_collection(source, method=method)
                        n_summaries += 1
                        for sentence in summary.extract.sentences:
                            words = _words(sentence.text)
                            if any(words in notice or notice in words for notice in notices):
                                n_found += 1
                                print(f"{name}, {ending}, {method}: {sentence.text}")
    n_pages = sum(map(len, groups.values()))
    print(f"{n_pages} pages, {n_summaries} summaries: {n_found} notices")
    return int(n_found > 0)


def _words(text: str) -> str:
    return re.sub(r"\W+", " ", text).strip()


if __name__ == "__main__":
    sys.exit(main())
