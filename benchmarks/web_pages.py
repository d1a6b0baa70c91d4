"""Invented web pages: no notice may appear in a summary (``make bench AREA=web-pages``).

Twenty-five layouts, each with six articles about one event of the demonstration, in HTML and as the
text that a visitor would copy from the page. Every layout puts its own menus, cookie notices,
newsletters, requests and footers before, into and after the article.
"""

import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from pyramidion.demo import load_demo
from pyramidion.summarizers import summarize_collection
from pyramidion.text import split_sentences

PAGES = 6
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


def pages(layout: int) -> Iterator[tuple[str, str, list[str]]]:
    """Return each page of a layout as HTML and as text, and its notices."""
    before, within, after = LAYOUTS[layout]
    topics = load_demo().topics
    topic = topics[layout % len(topics)]
    for number, document in enumerate(topic.documents[:PAGES]):
        paragraphs = [line for line in re.split(r"\n\s*\n", document.text) if line.strip()]
        middle = 1 + number % 2 if len(paragraphs) > 1 else 1
        head, tail = paragraphs[:middle], paragraphs[middle:]
        title = f"{topic.title} ({number})"
        html = (
            f"<!DOCTYPE html><html><head><title>{title}</title></head><body><nav>{MENU}</nav>"
            f"<div class='banner'><p>{before}</p></div><main><article><h1>{title}</h1>"
            + "".join(f"<p>{line}</p>" for line in head)
            + f"<div class='promo'><p>{within}</p></div>"
            + "".join(f"<p>{line}</p>" for line in tail)
            + f"</article></main><footer><p>{after}</p></footer></body></html>"
        )
        text = "\n\n".join([MENU, before, title, *head, within, *tail, after])
        yield html, text, [MENU, *split_sentences(" ".join((before, within, after)))]


def main() -> int:
    """Summarize the pages of each layout, and count notices in the summaries."""
    found = total = 0
    for layout in range(len(LAYOUTS)):
        made = list(pages(layout))
        notices = {re.sub(r"\W+", " ", notice) for _, _, lines in made for notice in lines}
        for column, ending in enumerate(("html", "txt")):
            with tempfile.TemporaryDirectory() as folder:
                for number, page in enumerate(made):
                    Path(folder, f"{number}.{ending}").write_text(page[column], encoding="utf-8")
                inputs = [[folder], *([path] for path in sorted(Path(folder).iterdir()))]
                for source in inputs:
                    for method in METHODS:
                        (summary,) = summarize_collection(*source, method=method)
                        total += 1
                        for sentence in summary.extract.sentences:
                            words = re.sub(r"\W+", " ", sentence.text).strip()
                            if any(words in notice or notice in words for notice in notices):
                                found += 1
                                print(f"layout {layout + 1}, {ending}, {method}: {sentence.text}")
    print(f"{len(LAYOUTS) * PAGES} pages, {total} summaries: {found} notices")
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
