"""Sentences in the manner of news, written for these tests, and what is in them.

Each has its people (name, what stands before it, apposition, relative clause) and relations of
words (head > modifier); a full name counts as one word, as in ``people.json`` of the project's
shared gold.
"""

from typing import NamedTuple


class Person(NamedTuple):
    """A person as mentioned."""

    name: str
    title: str = ""
    apposition: str = ""
    relative: str = ""


SENTENCES = (
    (
        "Gov. Maria Delgado signed the water bill on Friday.",
        [Person("Maria Delgado", "Gov.")],
        "signed>Maria Delgado; signed>bill; bill>water; signed>Friday",
    ),
    (
        "Finance Minister Pavel Novak told reporters that prices would fall.",
        [Person("Pavel Novak", "Finance Minister")],
        "told>Pavel Novak; told>reporters; told>fall; fall>prices",
    ),
    (
        "Laura Bianchi, a retired nurse from Milan, found the letters in her attic.",
        [Person("Laura Bianchi", "", "a retired nurse from Milan")],
        "found>Laura Bianchi; Laura Bianchi>nurse; nurse>retired; found>letters; attic>her",
    ),
    (
        "The court freed Samuel Osei, who had spent nine years in prison.",
        [Person("Samuel Osei", "", "", "who had spent nine years in prison")],
        "freed>court; freed>Samuel Osei; Samuel Osei>spent; spent>years; years>nine",
    ),
    (
        "Swedish striker Erik Lund scored twice against Norway.",
        [Person("Erik Lund", "Swedish striker")],
        "scored>Erik Lund; striker>Swedish; scored>Norway",
    ),
    (
        "Dr. Hannah Weiss and her team tested the new drug on mice.",
        [Person("Hannah Weiss", "Dr.")],
        "tested>Hannah Weiss; tested>drug; drug>new; Hannah Weiss>team",
    ),
    (
        "Police in Lagos said the driver of the truck had fled.",
        [],
        "said>Police; Police>Lagos; said>fled; fled>driver; driver>truck",
    ),
    (
        "The report, which was leaked on Monday, blames the ministry.",
        [],
        "blames>report; report>leaked; blames>ministry",
    ),
    (
        "Judge Amir Haddad, 62, rejected the appeal.",
        [Person("Amir Haddad", "Judge")],
        "rejected>Amir Haddad; rejected>appeal",
    ),
    (
        '"Nobody warned us," said Rosa Fuentes, the owner of the bakery.',
        [Person("Rosa Fuentes", "", "the owner of the bakery")],
        "said>Rosa Fuentes; Rosa Fuentes>owner; owner>bakery; warned>Nobody",
    ),
    (
        "Former President Henrik Dahl, whose party lost the election, left the country.",
        [Person("Henrik Dahl", "Former President", "", "whose party lost the election")],
        "left>Henrik Dahl; left>country; Henrik Dahl>lost; lost>party; lost>election",
    ),
    (
        "Engineers repaired the bridge that the flood had damaged.",
        [],
        "repaired>Engineers; repaired>bridge; bridge>damaged; damaged>flood",
    ),
    (
        "Rep. Alan Burke, D-Ohio, voted against the measure.",
        [Person("Alan Burke", "Rep.", "D-Ohio")],
        "voted>Alan Burke; voted>measure",
    ),
    (
        "The museum bought two paintings by the Dutch master for $3.2 million.",
        [],
        "bought>museum; bought>paintings; paintings>two; master>Dutch",
    ),
    (
        "Company spokeswoman Nina Petrov declined to comment.",
        [Person("Nina Petrov", "Company spokeswoman")],
        "declined>Nina Petrov; spokeswoman>Company; declined>comment",
    ),
    (
        "Heavy rain flooded roads and closed several schools in the valley.",
        [],
        "flooded>rain; rain>Heavy; flooded>roads; flooded>closed; closed>schools; schools>several",
    ),
    (
        "Gen. Kwon Min-ho inspected the northern border.",
        [Person("Kwon Min-ho", "Gen.")],
        "inspected>Kwon Min-ho; inspected>border; border>northern",
    ),
    (
        "The prosecutor's office charged Leo Marchetti with fraud.",
        [Person("Leo Marchetti")],
        "charged>office; office>prosecutor; charged>Leo Marchetti; charged>fraud",
    ),
    (
        "Anna-Lena Vogel, director of the clinic, thanked the volunteers.",
        [Person("Anna-Lena Vogel", "", "director of the clinic")],
        "thanked>Anna-Lena Vogel; Anna-Lena Vogel>director; director>clinic; thanked>volunteers",
    ),
    (
        "Miners who survived the blast were taken to a hospital.",
        [],
        "taken>Miners; Miners>survived; survived>blast; taken>hospital",
    ),
    (
        "Prof. James T. Whitfield of Brown University studies old maps.",
        [Person("James T. Whitfield", "Prof.")],
        "studies>James T. Whitfield; James T. Whitfield>University; studies>maps; maps>old",
    ),
    (
        "Opposition leader Grace Mwangi called the vote a sham.",
        [Person("Grace Mwangi", "Opposition leader")],
        "called>Grace Mwangi; leader>Opposition; called>vote",
    ),
    (
        "The plane landed safely after its left engine failed.",
        [],
        "landed>plane; landed>safely; landed>failed; failed>engine; engine>left",
    ),
    (
        "Secretary Diane Kroll met Foreign Minister Yusuf Rahman in Vienna.",
        [Person("Diane Kroll", "Secretary"), Person("Yusuf Rahman", "Foreign Minister")],
        "met>Diane Kroll; met>Yusuf Rahman",
    ),
    (
        "Tomas Rivera, the Chilean goalkeeper who saved three penalties, was named player of the "
        "year.",
        [Person("Tomas Rivera", "", "the Chilean goalkeeper who saved three penalties")],
        "Tomas Rivera>goalkeeper; goalkeeper>Chilean; goalkeeper>saved; saved>penalties",
    ),
    (
        "Voters in the region have not forgiven the government.",
        [],
        "forgiven>Voters; Voters>region; forgiven>government",
    ),
    (
        "Mr. Patel said he would sue the city.",
        [Person("Patel", "Mr.")],
        "said>Patel; said>sue; sue>city",
    ),
    (
        "The storm killed at least 14 people and destroyed hundreds of homes.",
        [],
        "killed>storm; killed>people; people>14; killed>destroyed; destroyed>hundreds; "
        "hundreds>homes",
    ),
    (
        "Investigators believe that Oleg Sidorov, a former pilot, sold the maps.",
        [Person("Oleg Sidorov", "", "a former pilot")],
        "believe>Investigators; believe>sold; sold>Oleg Sidorov; Oleg Sidorov>pilot; sold>maps",
    ),
    (
        "Mayor Ellen Park, who was elected in 2004, will not run again.",
        [Person("Ellen Park", "Mayor", "", "who was elected in 2004")],
        "run>Ellen Park; Ellen Park>elected; run>again",
    ),
)
