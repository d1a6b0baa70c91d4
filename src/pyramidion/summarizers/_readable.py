"""Sentences that read badly on their own: fragments, parts of quotations, dangling sentences.

A sentence depends on the previous one if it opens with a pronoun, a connective or a quotation of
*he said*; in a summary it may only follow that sentence. This is decided by English words and
punctuation. Few sentences are tagged: those that may lack a verb, and those that may open a
summary although they do not open an article.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, takewhile
from typing import Literal

import numpy as np

from pyramidion._types import Bools, Ints
from pyramidion.text import english_is_installed
from pyramidion.text._tagging import grammar_tokens, load_tagger

#: Minimum number of words of a line that is not a headline, but only lacks a final mark.
_MIN_NON_HEADLINE_WORDS = 15
#: Maximum number of words of a headline; a longer line is a sentence, even above an article.
_MAX_HEADLINE_WORDS = 30
#: Maximum number of lines above an article: headlines and subtitles.
_MAX_HEADLINES = 3
#: Maximum number of words of a caption without verb, unless half of them are capitalized.
_MAX_CAPTION_WORDS = 10
_MAX_CAPTION_SHARE, _SAMPLE_SIZE = 0.08, 50
#: Maximum number of lines above the first sentence of an article.
_MAX_LINES_ABOVE = 12
#: Maximum number of characters before a subject.
_MAX_FRONT_CHARACTERS = 160
#: Minimum share of capitalized words in a title.
_MIN_CAPITAL_SHARE = 0.8
_END_MARKS = (".", "!", "?", "…", "。", "！", "？", "؟", "।", "॥", "\u037e", "።", "។", "။")
#: Abbreviations that do not end a sentence, and words that titles write in lower case.
_ABBREVIATIONS = (
    "Jr.",
    "Sr.",
    "Inc.",
    "Corp.",
    "Co.",
    "Ltd.",
    "a.m.",
    "p.m.",
    "U.S.",
    "U.N.",
    "U.K.",
)
#: Abbreviations that a name follows.
_TITLES_BEFORE_NAMES = (
    ", Sr.", " Mr.", " Mrs.", " Ms.", " Dr.", " Rev.", " Gov.", " Sen.", " Rep.", " Lt."
)  # fmt: skip
#: Words that something must follow.
_EXPECTS_MORE = re.compile(
    r"\b(?:says?|said|saying|that|and|or|an?|the|of|in|to|with|for|by|is|was)$"
)
_AFTER_HOUR_PATTERN = re.compile(r"(?:[a-z(]|[A-Z]{2,4}\b|Eastern|Pacific|Central|Local)")
_SMALL_WORD = re.compile(
    r"(?<!\S)(?!(?:an?|the|of|in|on|at|to|for|by|with|from|and|or|as|vs)\b)[a-z]+\s"
)
_CLOSING_CHARACTERS = "\"'”’»)]} \u00a0*"
#: Marks that announce something that does not follow.
_ANNOUNCING_MARKS = (":", ";", ",", "—", "–", "-")

_MONTH_PATTERN = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY_PATTERN = (
    r"(?:mon(?:day)?|tues?(?:day)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?"
    r"|sat(?:urday)?|sun(?:day)?)"
)
#: A line that is only a date of publication.
_DATE_ONLY_PATTERN = re.compile(
    rf"(?:[a-z]+ed\b[\W_]*)?(?:(?:\w+ed(?=\W*\d)|last|first|on|at|by|gmt|utc|[a-z]{{1,2}}t"
    rf"|[ap]\.?m|{_MONTH_PATTERN}|{_DAY_PATTERN}|\d+(?:st|nd|rd|th)?|uk|et|ist)\b[\W_]*)+"
)
#: Text that newspapers add around articles.
_CUE_PATTERN = re.compile(
    r"\W*(?:(?:posted|published|updated|last (?:updated|modified))\b\W.*\d"
    r"|(?:file )?(?:photo|picture|image|photograph|video|watch|listen|credit|caption|related"
    r"|advertisement|story highlights?|editor'?s'? note|see also|more on|source)s?\s*(?:[:|(]|by\b)"
    r"|file photo of\b"
    r"|(?:click|tap) (?:here|on)\b|(?:read|see) (?:more|also|the full)\b|share (?:this|on|via)\b"
    r"|follow (?:us|him|her|them)?\s*(?:on|@)|sign up (?:for|to)\b|subscribe\b|copyright\b|©"
    r"|all rights reserved|produced by .*proofread|by [a-z]\w+(?: [a-z][\w.'-]+){1,3}\W*$"
    r"|this (?:story|article|report) (?:was|has been|is) (?:\w+ )?(?:published|updated|edited"
    r"|corrected|based|part)\b|\d+(?:\.\d+)+\.? \w+(?: \S+){0,9}$|\d+/\d+/\d+,? \d+:\d\d"
    r"|\d+:\d\d (?:[ap]\.?m\.? )?(?:[a-z]{2,4} )?\d+/\d+/\d+"
    r"|eds:|correction:|clarification:"
    r"|an earlier version of this\b|(?:with )?(?:additional )?(?:reporting|editing|writing) by\b"
    r"|the following is (?:an?|the)\b.*\b(?:edition|instal?lment|part|series|transcript|excerpt"
    r"|interview)\b|\d{1,2}\. [a-z][^.!?]*$"
    rf"|(?:{_DAY_PATTERN}\W+)?{_MONTH_PATTERN}\W+\d+, \d{{4}},? (?:\d+: ?\d\d|(?P<then>[a-z])))"
)

#: Notes about writers, which are searched for if one of these words occurs.
_WRITER_WORDS = ("contributed to this", "staff writer", "correspondent", "columnist", "contributor")
_WRITER_CUE_PATTERN = re.compile(
    r"\W*(?:[^.]* contributed to this (?:story|article|report)"
    r"|[\w. ]{5,40} is an? [\w ]*(?:staff writer|correspondent|columnist|contributor)\b)"
)

#: Requests to visitors: *sign in to read this article*.
_REQUEST_PATTERN = re.compile(
    r"(?:please )?(?:sign|join|get|share|follow|download|subscribe|watch|click|tap|skip|accept"
    r"|manage|become|scroll|log|register|donate|enter|browse|discover|explore|listen|contact|visit|read"
    r"|see|learn|find|help|support|upgrade|view|create|try|enable|turn|buy)\b(?! (?:for|of)\b).*\b"
    r"(?:you|your|our|us|this (?:article|story|page|site)|alerts?|advertis\w+|mailing|account|more"
    r"|now|today|here|coverage|reading|preferences|subscriber|member)\b"
    r"|comments are closed|by (?:[\w.'-]+,? ){1,7}(?:writer|reporter|correspondent)s?\b"
)
#: Without one of these words, or a symbol, a sentence is not searched for notices.
_RARE_WORDS = frozenset(
    re.findall(
        r"\w+",
        """ad affiliate blocker app article articles budget call comment conditions
        contact content cookies email expressed fax follow hour insert ipsum
        javascript journalism mail member move newsletter online phone print reach
        redistributed reply reproduced republished published broadcast rewritten reserved share
        stories story subscriber tel terms text unlimited visit website words below
        later next office""",
    )
)
_LATIN_WORD = re.compile("[a-z]+")
#: ASCII with spaces for what does not belong to `_LATIN_WORD`.
_LETTERS_TABLE = "".join(chr(code) if "a" <= chr(code) <= "z" else " " for code in range(128))
#: Notices, templates, news budgets and contact lines, wherever these words occur.
_NOTICE_PATTERN = re.compile(
    r"all rights reserved|(?:story|article) continues|skip to (?:main )?content|up next:"
    r"|registered office|free articles|ad blocker|(?:leave|post|write) a (?:comment|reply)"
    r"|may not be (?:reproduced|republished|published|broadcast|rewritten|redistributed)"
    r"|(?:share|print|e-?mail) this (?:story|article|page)|share (?:on|via) \w|follow us\b"
    r"|download (?:our|the) (?:free )?app|(?:uses?|stores?) cookies|already a (?:member|subscriber)"
    r"|(?:daily|weekly|free) newsletter|(?:support|fund) (?:our|independent) journalism"
    r"|unlimited (?:digital )?access|terms and conditions apply|turn off your ad|enable javascript"
    r"|(?:views|opinions) expressed (?:here|in this|are)|affiliate (?:links|commission)"
    r"|\{\{|\}\}|\[\[|<!--|lorem ipsum|\[(?:insert|name|date|city|your)\b"
    r"|(?:news|sports|photo) budget|(?:stories|items) (?:planned|slated|budgeted|scheduled) for"
    r"|top (?:news|stories) (?:at|of|for) this hour|will move (?:by|at|in advance|later)\b"
    r"|\b\d{3,4} words?(?:,|\.$| (?:by|with)\b)|\b[\w.+-]+@[\w-]+\.\w+"
    r"|\b(?:call|phone|tel|fax|contact|reach|text)\b[^.]*\d{3}[- .)]+\d{3,4}"
    r"|(?:visit|see|go to|online at|available at|more at|information:?) (?:our |https?://|www\.)"
)
#: The credit at the end of a caption.
_CREDIT_PATTERN = re.compile(r" (?:image|photo|picture|credit): [\w ]{3,30}\W*$")
_QUOTED_PATTERN = re.compile(r"“[^”]*”|\"[^\"]*\"|``.*?''|«[^»]*»|(?<!\w)‘[^‘]*?[.,!?]’(?!\w)")
_QUOTE_MARKS = ('"', "“", "``", "«", "‘")
_MARKS_PATTERN = re.compile(r"[\"“”«»]|``|''")
_ALL_MARKS = ('"', "“", "”", "«", "»", "``", "''")
_CLOSES_SINGLE = re.compile(r"[.,!?] ?['’](?![\w'’])|[.,!?] ['’](?=\w)")
#: A title or a word in single marks.
_IN_SINGLE = re.compile(r"['‘][^'’]+\w['’](?!\w)")
#: If no mark closes a quotation within this many sentences, it was forgotten.
_MAX_QUOTATION_WORDS = 40
_OPENING_MARKS = " \t\"'“”‘’`«»([—–-*•|"

_TIME_PATTERN = (
    r"(?:(?:past |last |coming |same )?(?:week|month|year|morning|afternoon|evening|night|weekend"
    rf"|time|times|spring|summer|fall|autumn|winter|season|century|decade|days|{_MONTH_PATTERN}|{_DAY_PATTERN}"
    r"|paper|article|section|chapter|interview|thesis|survey)s?|work)\b"
)
#: *It* without an antecedent.
_EXPLETIVE_PATTERN = re.compile(
    r"it(?:'s|’s| (?:is|was|has been|had been|will be|would be|may be|might be|seems|appears"
    r"|remains|remained|became|turns out|turned out|looks|took|takes))\b(?: (?:not|still|also|n't"
    r"|now|only|far from|very|too|so|more|less|quite))* "
    r"(?:(?:unclear|clear|known|unknown|possible|impossible|likely|unlikely|important|hard"
    r"|difficult|easy|necessary|good|better|best|time|true|believed|thought|said|reported|estimated"
    r"|expected|announced|hoped|understood|uncertain|unusual|rare|common|obvious|essential|\w+)"
    r",? (?:that|whether|how|why|who|what|if|when)\b|\w+(?: \w+){1,5} that\b"
    r"|(?:reported|announced|said|believed|thought|revealed|confirmed) (?!to\b|by\b|in\b|on\b|at\b)"
    r"|(?:possible|impossible|important|hard|harder|difficult|easy|easier|necessary|better|best"
    r"|time|essential|unusual|rare|common|customary|safe|wise)(?: for [\w ]+?)? to\b"
    r"|(?:that|as (?:if|though)|like|raining|snowing|cold|hot|dark|midnight|noon)\b"
    r"|the (?:first|second|third|fourth|fifth|latest|last|only) time\b"
    r"|(?:\w+ ){1,3}(?:years?|months?|weeks?|days?|hours?|minutes?) (?:for|to|before|since)\b)"
)
_PERSON = r"(?:he|she|they|him|her|them|his|hers|their|theirs)"
_IT = r"(?:it|its)"
_POINTS = r"(?:this|that|these|those)"
_PREPOSITION = (
    r"(?:in|on|at|by|for|from|of|with|under|after|before|during|despite|without|among|amongst"
    r"|since|until|through|because of|due to|following|given|like|unlike|to|about|as|besides"
    r"|between|beyond|against|over|per|according to|instead of|prior to|because|when|while|if"
    r"|although|though|once|whether|as soon as|as well as|in spite of|in response to|where|behind"
    r"|above|below|beneath|beside|near|around|across|along|towards?|opposite)"
)
_NAMES_SOMETHING = r"(?! (?:who|whose|majesty|holiness|excellency|honou?r|highness)\b)"
_THIS_PAPER = r" (?:paper|article|section|chapter|thesis|survey|work)\b"
#: Forbidden openings of sentences.
_REFERRING_PATTERN = re.compile(
    rf"(?P<person>{_PERSON})\b{_NAMES_SOMETHING}|(?P<it>{_IT})\b"
    rf"|(?P<points>{_POINTS})\b(?!{_THIS_PAPER}| (?:who|whose)\b)"
)
#: Forbidden openings of articles.
_REFERRING_FIRST_PATTERN = re.compile(
    rf"(?:but|(?P<person>{_PERSON})|{_IT}|{_POINTS} (?:is|was|are|were|has|had|will|would|may))\b"
    rf"{_NAMES_SOMETHING}"
)
#: Words and phrases that continue the previous sentence.
_CONNECTIVES = (
    "but|and|or|nor|thus|therefore|however|nevertheless|nonetheless|moreover|furthermore|hence"
    "|consequently|otherwise|likewise|similarly|meanwhile|meantime|also|additionally|conversely"
    "|subsequently|afterwards?|thereafter|thereby|secondly|thirdly|fourthly|lastly|indeed"
    "|accordingly|alternatively|plus|yet|besides|still|rather(?! than)|finally|ultimately"
    "|separately|simultaneously|specifically|regardless(?! of)"
    "|in turn|in other words|by contrast|by comparison|by then|since then|until then"
    "|back then|for example|for instance|for one|on the (?:other|one) hand|on the contrary"
    "|at the same time|instead(?! of)|so(?!-called| as to\\b)|then(?!-)|such(?! as)"
    "|in (?:addition|contrast)(?! to)|as a (?:result|consequence)(?! of)|as it turns out"
)
#: Words and phrases that continue the previous sentence if a comma follows.
_CONNECTIVES_BEFORE_COMMA = (
    "first|second|third|again|later|earlier|too|there|here|namely|overall|previously|further"
    "|in the end|in particular|next|in short|in sum|in all|either way|after all|that said|even so"
    "|even then|in fact|of course|to this end|in general"
    "|(?:soon|shortly|immediately) (?:after|afterwards?|thereafter)"
)
_BEFORE_WE = r"(?= (?:i|we|you|he|she|it|they)\b)"
_CONNECTIVE_PATTERN = re.compile(
    rf"(?:{_CONNECTIVES}|(?:{_CONNECTIVES_BEFORE_COMMA})(?=,)|(?:overall|later|earlier|previously){_BEFORE_WE})\b"
)
#: References to something mentioned before; an article may open with them.
_MEANS_ANOTHER = re.compile(
    r"(?:at (?:that|this) (?:point|time|moment)|later (?:that|the same|in the)|at the time(?! of)"
    r"|the (?:former|latter)(?=,| (?:is|was|has|had|will|would|said))|the (?:others?|same|rest)"
    r"|others|another"
    r"|the (?:next|following|same|previous) (?:day|week|month|year|morning|night|evening)"
    r"|(?:\w+ ){0,4}(?:moment|minute|hour|day|week|month|year)s? (?:later|afterwards?)"
    r"|each(?! (?:year|month|week|day|night|morning|time|season|summer|winter)\b)"
    r"|(?:(?!(?:which|who|that|and|but|or|only|not)\b)[\w.'’-]+ ){1,7}also"
    r"|(?:two|three|four|five|six|several|some|many|most|all|both|none|neither|one|each|few|half)"
    r" (?:more|other|(?:of|in) (?:them|these|those|which|this|that))|\w+ others"
    r"|neither(?!.* nor )|both(?! \w+(?: \w+){0,7} and ))\b"
)
_POINTS_BACK = re.compile(
    rf"{_PREPOSITION} (?:{_POINTS}(?! {_TIME_PATTERN}| (?:who|whose|with|in|of|\w+ing)\b)"
    r"|them|him|it(?=,))\b"
)
#: A subordinate clause without a main clause.
_FRAGMENT_PATTERN = re.compile(
    r"(?:because|although|though|which|whereas|unless|whom|whose)\b[^,]*$", re.I
)
#: Endings that a number continues: *magnitude 4.*, *with a .*
_CONTINUED_ENDINGS = (
    " .",
    *(f"{digit}." for digit in range(10)),
    *(f" {word}." for word in ("a", "an", "the", "of", "with", "his", "her", "and", "by")),
)
_SAYING_VERBS = (
    r"(?:said|says|told|added|adds|asked|explained|noted|wrote|writes|recalled|continued|stated"
    r"|claimed|insisted|warned|admitted|joked|replied|concluded|declared|argued|announced|tweeted)"
)
#: Irregular forms of the past tense.
IRREGULAR_PAST_PATTERN = (
    r"\b(?:did|said|fell|rose|won|came|went|took|made|left|got|saw|gave|held|ran|began|became|told"
    r"|found|lost|met|sent|led|hit|put|shot|lay|sold|brought|broke|struck|were)\b"
)
#: Words that may be verbs: with one of them, a sentence is not tagged.
_VERB_PATTERN = re.compile(
    r"\b(?:\w{2,}(?:ed|ing|[^\Wsu]s)|is|are|was|has|been|have|had|will|would|can|could|may|do)\b"
    rf"|{IRREGULAR_PAST_PATTERN}|n['’]t\b|['’](?:m|re|ll|ve) "
)
#: A participle where a subject should be: *Published by Harbor Press*.
_LACKS_SUBJECT_PATTERN = re.compile(r"^[A-Z]?\w+ed by\b")
#: A list in one line.
_LIST_PATTERN = re.compile(r"\W*1\b.* 2\b.* 3\b")
#: Words before a subject: adverbials, questions, participles.
_TIME_SPAN = r"(?:moment|second|minute|hour|day|night|morning|evening|week|month|year|decade|time)"
_NO_SUBJECT = re.compile(
    rf"(?:{_PREPOSITION}|and|but|or|so|earlier|later|yesterday|today|tomorrow|tonight|now|sometimes"
    r"|often|perhaps|maybe|sure|well|no|yes|right|look|soon|still|again|too|even|either|just|only|not"
    r"|almost|back|there|here|inside|outside|upstairs|downstairs|up|down|out|off|away|all|what|how"
    r"|why|whatever|whenever|wherever|whoever|except|apart|aside|than|thus|then|always|never|ever"
    r"|already|anyways?|anyhow|somehow|alright|okay|glad|happy|sorry|afraid|unable|elsewhere|twice"
    r"|nor|neither|until|till|upon|within|throughout|into|onto|toward|amid|unless|lest|whereas"
    r"|rather|much|more|most|far|long|at last|at first|first|second|finally|had|did|does|do|don't"
    r"|don’t|is|was|are|were|has|have|will|would|could|can|should|might|must|let|try"
    r"|\w{3,}ly|\w{2,}ing(?! (?:said|says|is|was|has|had|will|would)\b)"
    r"|\w{2,}ed(?=,| (?:by|in|on|at|about|to|with|for|from|as|why|whether|how|if|against)\b)"
    r"|asked|born|told|known|shown|seen|given|left|found|caught|torn|lost"
    rf"|(?:(?:the|an?|one|two|three|four|five|six|ten|\d+|half|some|several|many|few|every|each"
    rf"|last|next|this|that|first|same|other|couple|of|another) )+{_TIME_SPAN}s?"
    r"(?: (?:ago|later|earlier|before|after|when))?)(?!['’-])\b"
)
_PRONOUN_PATTERN = re.compile(r" (h(?:e|er|im|is)|she|its?|the(?:y|m|ir))\b(?!-)")
#: Openings of a clause with its own subject.
_CLAUSE_PATTERN = re.compile(
    r"(?:when|while|although|though|because|if|where|whether|once|unless|whenever|whereas|there"
    r"|as soon as|as long as|\w+ (?:\w+ )?(?:after|before|since|until|when))\b"
)
_FINITE_VERBS = (
    r"(?:\w+ed|said|says|was|were|is|are|has|had|have|will|would|can|could|may|might|should|did"
    r"|does|do|made|took|went|came|told|tells|thinks?|thought|knew|knows|felt|saw|sees|gave|gives"
    r"|got|gets|left|won|lost|kept|wants?|hopes?|plans?|met|sat|stood|spoke|began|fell|found|held"
    r"|ran|rose|sent|wrote|grew|broke|brought|built|bought|became|becomes|who|say"
    r"|(?:believe|claim|allege|expect|argue|insist|fear|admit|agree|warn|report|suggest|state|note"
    r"|add|feel|hope|plan|want|think|announce|confirm|deny)s?|denies)"
)
_NAME_PATTERN = rf"(?<=[\s\"“‘(])(?!(?:I|(?i:{_MONTH_PATTERN}|{_DAY_PATTERN}))\b)[A-Z][\w.-]*"
_ANY_NAME_PATTERN = re.compile(_NAME_PATTERN)
_NOUN_PATTERN = (
    r"\b(?:the|an?|every|some|any|no|my|our|your|two|three|many|several|\d+) "
    rf"(?!{_TIME_PATTERN}|few\b)\w+"
)
_PEOPLE_PATTERN = (
    r"\b(?:man|woman|boy|girl|officer|suspect|victim|driver|leader|actor|actress|player|coach|author"
    r"|student|teenager|mother|father|son|daughter|wife|husband|brother|sister|president|minister"
    r"|mayor|judge|lawyer|attorney|doctor|director|singer|star|chief|king|queen|soldier|worker"
    r"|captain|governor|senator|candidate|pilot|professor|priest|pope|teacher|child|baby|teen"
    r"|friend|boss|defendant|host|guard|agent|\w+(?:man|woman)|\d+[ -]year[ -]old)\b"
)
#: *He* near the beginning without a verb before it: *somehow he*, *the last thing she saw*.
_TOO_EARLY_PATTERN = re.compile(
    rf"(?:(?!{_FINITE_VERBS}\b)[\w'’-]+ ){{1,4}}(?:he|she|they)\b|(?!{_FINITE_VERBS}\b)\w+ it\b"
)
_MAX_EARLIER_CHARACTERS, _SUBJECT_PRONOUNS = 50, ("he", "she", "they", "it")
_NO_PERSON_PATTERN = re.compile(
    r"(?:the|an?|each|every|some|any|no|many|most|all|one|two|three|four|five|six|several|few|both"
    r"|i|we|you|my|our|your|this|that)\b"
)
#: Groups of people, which *him* or *her* cannot refer to.
_GROUP_PATTERN = re.compile(
    r"(?:police|authorities|officers|officials|investigators|detectives|prosecutors|doctors"
    r"|paramedics|firefighters|rescuers|witnesses|neighbors|soldiers|troops|fans|critics)\b"
)
_SOMEBODY_ELSE = re.compile(rf"{_NAME_PATTERN}|(?i:{_PEOPLE_PATTERN})")
_PERSON_PRONOUN = re.compile(r"(?<![\w'’-])(?:he|she|him|his|her|hers)\b(?!-)")
_SOMEBODY_THERE = re.compile(rf"{_NAME_PATTERN}|(?i:{_PEOPLE_PATTERN})|\b(?i:{_SAYING_VERBS})\b")
#: Possible antecedents before a pronoun: the subject of a verb, of a clause, or an owner.
_NOUN_SUBJECT = re.compile(rf"(?:{_NAME_PATTERN}|(?i:{_NOUN_PATTERN})).*\b{_FINITE_VERBS}\b")
_PERSON_SUBJECT = re.compile(
    rf"(?:{_NAME_PATTERN}|(?i:{_PEOPLE_PATTERN})).*\b{_FINITE_VERBS}\b|{_NAME_PATTERN}(?='s|’s)"
)
_NOUN_MENTION = re.compile(rf"{_NAME_PATTERN}|(?i:{_NOUN_PATTERN})")
_PERSON_MENTION = re.compile(rf"{_NAME_PATTERN} \w|(?i:{_PEOPLE_PATTERN})|{_NAME_PATTERN}(?='s|’s)")
#: An adverb or a parenthetical before a subject.
_PARENTHETICAL_PATTERN = re.compile(
    r"(?:\w+ly|however|though|too|also|then|again|still|therefore)? ?$"
)
#: A word right before a demonstrative.
_RIGHT_BEFORE = re.compile(
    r"(?:earlier|later|now|even|perhaps|maybe|sure|most likely|\w+ly|well|no|yes|right|look|soon"
    r"|still|again|did|does|do|is|was|are|were|has|had|have|will|would|could|can|should|what|how"
    r"|why)(?:, though)?"
    rf" ?,? (?={_POINTS}\b)"
)
#: A referent after the pronoun: *in his speech, Obama said*.
_EXPLAINED = re.compile(rf"[^,]*, (?:(?!I\b)(?:[A-Z][\w.-]* )+[a-z]|the (?i:{_PEOPLE_PATTERN}))")
_THING_EXPLAINED = re.compile(r"[^,]*, (?:(?!I\b)(?:[A-Z][\w.-]* )+[a-z]|the \w)")
_OWNER_EXPLAINED = re.compile(
    r"(?: [\w-]+){1,3} (?!I\b)[A-Z]"
    r"|(?:(?! (?:he|she|it|they) )[^,])*, (?!(?:he|she|it|they|this|that|there|I|we)\b)\w"
)
#: Possible referents of *he* or *she*.
_SOMEBODY = re.compile(
    r"(?<=[\w,;:.\"”’)] )[\"“‘(]?[A-Z][\w'’]+|\b(?:he|she|his|her|him|man|woman|boy|girl|who"
    r"|officer|suspect|victim|driver|leader|actor|actress|player|coach|author|student|teenager|mother"
    r"|father|son|daughter|wife|husband|brother|sister)\b|^[A-Z]\w+ (?:[a-z]+ed|[A-Z]|said|was|is)"
)
_HE_SAID = re.compile(rf"(?:{_SAYING_VERBS} )?(?:he|she|they|it)\b", re.I)
_AS_HE_SAID = re.compile(
    rf",[\"”’']* (?:(?:he|she|they) (?:has |had )?(?:also )?{_SAYING_VERBS}|{_SAYING_VERBS} "
    rf"(?:he|she))\b[^,]*$"
)


#: Speakers' names in minutes of meetings, and interjections.
_SPEAKER_PATTERN = re.compile(
    r"(?:\b(?:[A-Z][\w.'’-]* ){0,4}[A-Z][\w.'’-]*: "
    r"|(?:[Uu]h|[Uu]m|[Mm]m+|[Hh]m+|[Mm]m ?- ?hmm|[Oo]h|[Aa]h|[Hh]uh|[Yy]eah|[Oo]kay|'[Kk]ay)\b"
    r"[ ,.!-]*)+"
)
_SOUND_WORDS = {"Uh", "Um", "Mm", "Hm", "Oh", "Ah", "Hu", "Ye", "Ok", "'K", "uh", "um", "mm", "oh"}
_WORD_PATTERN = re.compile(r"\w+")
#: Minimum number of words in a turn.
_MIN_TURN_WORDS = 4


#: A sentence of several documents is a notice unless another one has this share of its words, or
#: unless the documents are copies, which share this part of their sentences.
_MIN_SAID_ELSEWHERE_SHARE, _MIN_COPIED_SHARE = 0.4, 0.8
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
#: A definite subject without a modifier, a name after *Mr.*, or one word that may be a surname.
_GIVEN_SUBJECT_PATTERN = re.compile(
    r"(?:[A-Z][\w ]+, )?(?:(?:[Tt]he|[Hh]is|[Hh]er|[Ii]ts|[Tt]heir) "
    r"(?:(?!(?:that|who|which|of|in|at|from|on|for)\b)[a-z-]+ ){1,3}?"
    r"|(?:Mr|Mrs|Ms|Miss)\.? [A-Z][\w'’-]+ |(?P<name>[A-Z][\w'’-]+) )"
    rf"(?:\w+ly |also |now |later )?{_FINITE_VERBS}\b"
)

Standing = Literal["alone", "leaning", "not"]
"""Where a sentence may appear in a summary: anywhere, only after the previous one, or nowhere."""


@dataclass(frozen=True, eq=False)
class Readability:
    """Where the sentences of an input may appear in a summary, decided on demand.

    `positions` are those of sentences in documents, and `repeated` tells which occurred before;
    for the other options see `CandidateRules`.
    """

    texts: Sequence[str]
    positions: Ints
    candidates: Bools
    headlines: bool = False
    quotations: bool = False
    dangling: bool = False
    english: bool = True
    repeated: Bools | None = None
    _standings: dict[int, Standing] = field(default_factory=dict)
    _problems: dict[int, str] = field(default_factory=dict)
    _headings: dict[int, int] = field(default_factory=dict)
    _verbless: dict[str, bool] = field(default_factory=dict)
    _cues: dict[str, bool] = field(default_factory=dict)

    def standing(self, number: int) -> Standing:
        """Return where a sentence may appear in a summary."""
        if number not in self._standings:
            self._standings[number] = self._classify(number)
        return self._standings[number]

    @cached_property
    def leaning(self) -> Bools:
        """The sentences that may only follow the previous one."""
        return self._with_standing("leaning")

    @cached_property
    def unfit(self) -> Bools:
        """The candidates that may not be chosen."""
        return self._with_standing("not") & self.candidates

    def _with_standing(self, standing: Standing) -> Bools:
        numbers = np.flatnonzero(self.candidates).tolist()
        if not self._standings and self.english and not self.headlines and self._are_verbs_usual:
            # Tagging many lines at once is much faster.
            self._verbless.update((self.texts[number], False) for number in numbers)
            lines = [text for text in self._verbless if may_lack_verb(text)]
            self._verbless.update(zip(lines, find_verbless(lines), strict=True))
        has_standing = np.zeros(len(self.texts), dtype=np.bool_)
        has_standing[[number for number in numbers if self.standing(number) == standing]] = True
        return has_standing

    def _classify(self, number: int) -> Standing:
        text = self.texts[number]
        if not self.candidates[number]:
            return "not"
        if not self.headlines and (
            self._is_heading(number) or self._is_broken(number) or is_notice(text)
        ):
            return "not"
        if self._documents_by_text and self._is_only_repeated(number):
            return "not"
        if not self.quotations and self._is_quoted(number):
            return "not"
        if not self.headlines and self._lacks_verb(number):
            return "not"
        problem = self._opening_problem(number)
        if not problem:
            return "alone"
        can_follow = self.positions[number] and self.standing(number - 1) != "not"
        lacks_person = problem == "person" and not _SOMEBODY.search(self.texts[number - 1])
        return "leaning" if can_follow and not lacks_person else "not"

    def may_join(self, number: int, taken: Sequence[int]) -> bool:
        """Return whether a sentence may join an extract; those in it are where they may be."""
        follows_directly = number - 1 in taken
        # The other checks of a sentence that lacks its previous one are not needed.
        if not follows_directly and number not in self._standings and self._opening_problem(number):
            return False
        standing = self.standing(number)
        return standing == "alone" or (standing == "leaning" and follows_directly)

    def _opening_problem(self, number: int) -> str:
        """Return the kind of unexplained opening of a sentence, or an empty string."""
        if number not in self._problems:
            problem = "" if self.dangling else opening_problem(self.texts[number])
            # The first sentence of an article has no other problems than those of any sentence.
            if problem and self.place(number) == 0:
                problem = opening_problem(self.texts[number], first=True)
            self._problems[number] = problem
        return self._problems[number]

    def headings(self, start: int) -> int:
        """Count the lines above the article whose document begins with this sentence."""
        if start not in self._headings:
            line_positions = self.positions[start : start + _MAX_LINES_ABOVE + 1].tolist()
            heading_numbers = takewhile(
                lambda k: not k or line_positions[k], range(len(line_positions))
            )
            first_sentences = (k for k in heading_numbers if not self._is_heading(start + k))
            self._headings[start] = next(first_sentences, 0)
        return self._headings[start]

    def place(self, number: int) -> int:
        """Return the position of a sentence without the headings above its article."""
        position = int(self.positions[number])
        return max(position - self.headings(number - position), 0) if position else 0

    def can_open(self, number: int) -> bool:
        """Return whether a summary may open with a sentence that stands alone."""
        if self.dangling or self.place(number) == 0:
            return True
        return self.standing(number) == "alone" and not self._has_given_subject(number)

    def _has_given_subject(self, number: int) -> bool:
        """Recognize *the company said* and *Mr. Ode said*: the article named them before."""
        match = _GIVEN_SUBJECT_PATTERN.match(self.texts[number])
        return match is not None and (not match["name"] or self._is_surname(match["name"]))

    @cached_property
    def _documents_by_text(self) -> dict[str, set[int]]:
        """The documents of each sentence that occurs in several."""
        if self.repeated is None:
            return {}
        numbers = self.repeated.nonzero()[0].tolist()
        if not numbers:
            return {}
        homes: dict[str, set[int]] = {self.texts[number]: set() for number in numbers}
        for text, document in zip(self.texts, self._documents.tolist(), strict=True):
            if text in homes:
                homes[text].add(document)
        return {text: documents for text, documents in homes.items() if len(documents) > 1}

    @cached_property
    def _documents(self) -> Ints:
        """The number of each sentence's document."""
        return np.cumsum(self.positions == 0)

    @cached_property
    def _unrepeated_text(self) -> str:
        """The other sentences, in lower case, one per line."""
        homes = self._documents_by_text
        return _lowercase("\n".join([text for text in self.texts if text not in homes]))

    def _is_only_repeated(self, number: int) -> bool:
        """Recognize notices: several documents have the sentence, and none in other words.

        A sentence with a name that others mention needs only half of its words anywhere.
        """
        text = self.texts[number]
        homes = self._documents_by_text.get(text)
        if homes is None or not self._unrepeated_text:
            return False
        words = {*_LONG_WORD.findall(_lowercase(text))}
        n_anywhere = sum(map(self._unrepeated_text.__contains__, words))
        min_words = _MIN_SAID_ELSEWHERE_SHARE * len(words)
        if n_anywhere >= min_words:
            names = {name.lower() for name in _ANY_NAME_PATTERN.findall(text)}
            if 2 * n_anywhere >= len(words) and any(map(self._unrepeated_text.__contains__, names)):
                return False
            lines = self._unrepeated_text.split("\n")
            if any(sum(map(line.__contains__, words)) >= min_words for line in lines):
                return False
        sizes = np.bincount(self._documents)
        n_shared = sum(homes <= documents for documents in self._documents_by_text.values())
        return bool(n_shared < _MIN_COPIED_SHARE * min(sizes[document] for document in homes))

    def _is_surname(self, name: str) -> bool:
        """Return whether a first name precedes a name somewhere in the input."""
        full_pattern = re.compile(rf"\b[A-Z][\w.]+ {re.escape(name)}\b")
        return any(name in text and full_pattern.search(text) for text in self.texts)

    def _is_heading(self, number: int) -> bool:
        """Recognize lines above an article, which are not sentences of it."""
        text = self.texts[number]
        return (
            self._is_unfinished(number) or self._is_cue(text) or is_hollow(text) or text.isupper()
        )

    def _is_cue(self, text: str) -> bool:
        """Return `is_cue`, computed once."""
        if text not in self._cues:
            self._cues[text] = is_cue(text)
        return self._cues[text]

    def _is_unfinished(self, number: int) -> bool:
        """Recognize lines without a final mark; long ones only above an article."""
        text = self.texts[number]
        if is_unfinished(text):
            return is_title(text) or self._marks_end_sentences
        is_above_article = (
            self.positions[number] < _MAX_HEADLINES and text.count(" ") < _MAX_HEADLINE_WORDS
        )
        is_above_article = is_above_article and not text.rstrip(_CLOSING_CHARACTERS).endswith(
            _END_MARKS
        )
        return is_above_article and self._marks_end_sentences

    @cached_property
    def _marks_end_sentences(self) -> bool:
        """Whether at least half of the lines are finished, cues not counted."""
        unfinished_lines: list[str] = []
        finished_texts: list[str] = []
        for text in self.texts:
            (unfinished_lines if is_unfinished(text) else finished_texts).append(text)
        # Usually, a few of the finished lines are enough to decide.
        n_needed = len(unfinished_lines)
        sentences = islice((text for text in finished_texts if not self._is_cue(text)), n_needed)
        if sum(1 for _ in sentences) == n_needed:
            return True
        n_lines = len([text for text in finished_texts if not self._is_cue(text)])
        return len([text for text in unfinished_lines if not self._is_cue(text)]) <= n_lines

    def _is_broken(self, number: int) -> bool:
        """Recognize a part of a sentence by its opening or its continuation."""
        text = self.texts[number]
        if text[0].islower():
            return text.split(maxsplit=1)[0].islower() and self._capitals_open_sentences
        if text[0] in "ABTUW" and _FRAGMENT_PATTERN.match(text):
            return True
        if text.endswith(_CONTINUED_ENDINGS) and self._neighbor_text(number, 1)[:1].isdigit():
            return True
        if text.endswith((" a.m.", " p.m.")):
            return _AFTER_HOUR_PATTERN.match(self._neighbor_text(number, 1)) is not None
        return text[0].isdigit() and self._neighbor_text(number, -1).endswith(_CONTINUED_ENDINGS)

    def is_line(self, number: int) -> bool:
        """Recognize headings, notices and lines without a verb."""
        is_heading = self._is_heading(number) or is_notice(self.texts[number])
        return is_heading or self._lacks_verb(number)

    def _lacks_verb(self, number: int) -> bool:
        """Recognize lines without a verb, unless they are usual, as in reviews."""
        text = self.texts[number]
        if text not in self._verbless:
            is_suspected = self.english and may_lack_verb(text) and self._are_verbs_usual
            self._verbless[text] = is_suspected and find_verbless([text])[0]
        return self._verbless[text]

    @cached_property
    def _are_verbs_usual(self) -> bool:
        sample = self.texts[:: len(self.texts) // _SAMPLE_SIZE + 1]
        lines = [text for text in sample if text.endswith(_END_MARKS)]
        return sum(map(may_lack_verb, lines)) <= 2 + _MAX_CAPTION_SHARE * len(lines)

    @cached_property
    def _capitals_open_sentences(self) -> bool:
        return 2 * sum(text[0].islower() for text in self.texts) <= len(self.texts)

    def _neighbor_text(self, number: int, step: int) -> str:
        """Return the previous or next sentence in the document, or an empty string."""
        other = number + step
        has_neighbor = (
            0 <= other < len(self.texts) and self.positions[other] == self.positions[number] + step
        )
        return self.texts[other] if has_neighbor else ""

    def _is_quoted(self, number: int) -> bool:
        """Recognize a sentence in a quotation that another sentence opens."""
        text, first_number = (
            self.texts[number],
            number - min(int(self.positions[number]), _MAX_QUOTATION_WORDS),
        )
        earlier_texts = self.texts[first_number:number]
        if self._has_single_marks and self._in_single_marks(first_number, number):
            return True
        text_before = (
            "" if _has_marks(text) else next(filter(_has_marks, reversed(earlier_texts)), "")
        )
        if not text_before or not _opens(text_before, max(map(text_before.rfind, _ALL_MARKS))):
            return False
        text_after = next(filter(_has_marks, self._following_texts(number)), "")
        closing = _MARKS_PATTERN.search(text_after)
        # An opening mark at the beginning of a sentence continues the quotation.
        return closing is not None and not (closing.start() and _opens(text_after, closing.start()))

    @cached_property
    def _has_single_marks(self) -> bool:
        return not {text[0] for text in self.texts}.isdisjoint("'‘")

    def _in_single_marks(self, begin: int, number: int) -> bool:
        """Recognize a sentence between single marks that another sentence opens or closes."""
        for first in range(number, begin - 1, -1):
            text = self.texts[first]
            closes_quotation = _CLOSES_SINGLE.search(text) is not None
            opens_quotation = text[0] in "'‘" and text[1:2].isupper() and not _IN_SINGLE.match(text)
            if opens_quotation and not (closes_quotation and first == number):
                next_texts = (self.texts[number], *self._following_texts(number))
                return not (closes_quotation and first < number) and any(
                    map(_CLOSES_SINGLE.search, next_texts)
                )
            if closes_quotation and first < number:
                return False
        return False

    def _following_texts(self, number: int) -> Sequence[str]:
        """Return the next sentences of a sentence's document."""
        next_number = number + 1
        while (
            next_number < len(self.texts)
            and self.positions[next_number]
            and next_number <= number + _MAX_QUOTATION_WORDS
        ):
            next_number += 1
        return self.texts[number + 1 : next_number]


def _has_marks(text: str) -> bool:
    """Return whether a text has quotation marks; looking for one character first is much faster."""
    return (
        '"' in text
        or ("'" in text and "''" in text)
        or ("`" in text and "``" in text)
        or (not text.isascii() and _MARKS_PATTERN.search(text) is not None)
    )


def _opens(text: str, index: int) -> bool:
    """Check whether a mark opens a quotation, by itself or by the space before it."""
    if text[index] != '"':
        return text[index] in "“`«"
    return text[index - 1 : index] in ("", " ", "\n", "(", "[") and text[index + 1 :][:1] > " "


def _lowercase(text: str) -> str:
    """Return a text in lower case, of the same length; much faster than ignoring case."""
    return text.lower() if text.isascii() else text.replace("İ", "i").lower()


def is_unfinished(text: str) -> bool:
    """Recognize headlines, captions and announcements: lines without a final mark."""
    if text.endswith(".") and not text.endswith(".."):
        if text.endswith(_TITLES_BEFORE_NAMES):
            return True
        return text.endswith(_ABBREVIATIONS) and is_title(text) and not _SMALL_WORD.search(text)
    end = text.rstrip(_CLOSING_CHARACTERS)
    if end.endswith(_END_MARKS):
        return end.endswith(("!", "..", "…")) and is_title(text)
    if (
        _LIST_PATTERN.match(text)
        or end.endswith(_ANNOUNCING_MARKS)
        or text.count(" ") < _MIN_NON_HEADLINE_WORDS - 1
        or is_title(text)
    ):
        return True
    return _EXPECTS_MORE.search(end) is not None


def is_title(text: str) -> bool:
    """Recognize a line of capitalized words."""
    words = [word for word in text.split() if len(word) > 3 and word[0].isalpha()]
    return len(words) > 3 and sum(word[0].isupper() for word in words) >= _MIN_CAPITAL_SHARE * len(
        words
    )


def is_cue(text: str) -> bool:
    """Recognize dates of publication, captions, bylines and other lines around articles."""
    lowercase = _lowercase(text)
    match = _CUE_PATTERN.match(lowercase)
    if match and (not match["then"] or text[match.start("then")].isupper()):
        return True
    if any(map(lowercase.__contains__, _WRITER_WORDS)) and _WRITER_CUE_PATTERN.match(lowercase):
        return True
    if ": " in lowercase[-40:] and _CREDIT_PATTERN.search(lowercase):
        return True
    return _DATE_ONLY_PATTERN.fullmatch(lowercase) is not None


def is_notice(text: str) -> bool:
    """Recognize notices of web sites, templates, news budgets and contact lines."""
    lowercase = _lowercase(text)
    has_symbols = "@" in text or "{{" in text or "[[" in text or "<!" in text
    if _REQUEST_PATTERN.match(lowercase):
        return True
    if not has_symbols:
        # Splitting is several times as fast as searching.
        ascii_words = lowercase.translate(_LETTERS_TABLE).split() if lowercase.isascii() else None
        if _RARE_WORDS.isdisjoint(ascii_words or _LATIN_WORD.findall(lowercase)):
            return False
    return _NOTICE_PATTERN.search(lowercase) is not None


def may_lack_verb(text: str) -> bool:
    """Recognize short or capitalized lines without a frequent form of a verb."""
    words = text.split()
    if len(words) > _MAX_CAPTION_WORDS:
        initials = "".join([word[0] for word in words])
        n_capitals = sum(map(str.isupper, initials))
        if 2 * n_capitals < len(words):
            return False
    # A verb with a capital opens its sentence; others are names, as in *Evening Report*.
    lowercase_text = " ".join([words[0].lower(), *filter(str.islower, words)])
    return _VERB_PATTERN.search(_LACKS_SUBJECT_PATTERN.sub("", lowercase_text)) is None


def find_verbless(texts: Sequence[str]) -> list[bool]:
    """Return which lines are captions, menus and lists, by the tags of their words.

    Without the tagger of `pyramidion-english`, these are the lines that no mark ends.
    """
    if not english_is_installed():
        return [not text.rstrip('"”’»)').endswith(_END_MARKS) for text in texts]
    full_texts = (_LACKS_SUBJECT_PATTERN.sub("", text) for text in texts)
    words = [[token.text for token in grammar_tokens(text)] for text in full_texts]
    tags = load_tagger().tag(words) if words else []
    return [
        not any(map(_is_verb, sentence, (pair.tag for pair in pairs), range(len(pairs))))
        for sentence, pairs in zip(words, tags, strict=True)
    ]


def _is_verb(word: str, tag: str, index: int) -> bool:
    """Return whether a word is tagged as a verb and written like one: others are names."""
    return tag in {"VERB", "AUX"} and (word.islower() or index == 0)


def without_quotations(text: str) -> str:
    """Return a text without what is quoted in it."""
    return _QUOTED_PATTERN.sub("", text).strip()


def opening_problem(text: str, *, first: bool = False) -> str:
    """Return the kind of unexplained opening of a sentence, or an empty string."""
    unquoted_text = text.lstrip(_OPENING_MARKS) if text[0] in _OPENING_MARKS else text
    unquoted_text = unquoted_text[_speech_start(unquoted_text) :]
    opening = "" if first and not _opens_badly(unquoted_text) else _opening_problem(unquoted_text)
    if opening:
        return opening
    # The speaker of a quotation or report.
    if text.startswith(_QUOTE_MARKS):
        return "person" if _HE_SAID.match(_QUOTED_PATTERN.sub("", text).lstrip(" ,.-–—")) else ""
    return "person" if _AS_HE_SAID.search(text) else ""


def _speech_start(text: str) -> int:
    """Return where a turn begins, after the speaker's name and interjections."""
    # A quick test for most sentences.
    if ": " not in text[:60] and text[:2] not in _SOUND_WORDS:
        return 0
    match = _SPEAKER_PATTERN.match(text)
    return match.end() if match else 0


def is_hollow(text: str) -> bool:
    """Recognize a turn without content, such as *Ada Ode: Mm, yeah*."""
    return (
        bool(_speech_start(text))
        and len(_WORD_PATTERN.findall(_SPEAKER_PATTERN.sub("", text))) < _MIN_TURN_WORDS
    )


def _opens_badly(text: str) -> bool:
    """Return whether no article may open like this: with *but*, or with a pronoun but no name."""
    lowercase = _lowercase(text)
    match = _REFERRING_FIRST_PATTERN.match(lowercase)
    if match is None or _EXPLETIVE_PATTERN.match(lowercase):
        return False
    # *It's official: Ada Ode won* has a name; a name does not show who *she* is.
    return match["person"] is not None or not _ANY_NAME_PATTERN.search(text)


def _opening_problem(text: str) -> str:
    lowercase = _lowercase(text)
    if _CONNECTIVE_PATTERN.match(lowercase) or _POINTS_BACK.match(lowercase):
        return "connective"
    if _MEANS_ANOTHER.match(lowercase):
        return "connective"
    leading_match = _RIGHT_BEFORE.match(lowercase)
    begin = leading_match.end() if leading_match else 0
    match = _REFERRING_PATTERN.match(lowercase, begin)
    if match is None:
        pronoun = _PRONOUN_PATTERN.search(lowercase, 0, _MAX_FRONT_CHARACTERS)
        if pronoun is None:
            return ""
        find_problem = _problem_inside if _NO_SUBJECT.match(lowercase) else _problem_without_person
        return find_problem(text, lowercase, pronoun.start(1), pronoun[1])
    return match.lastgroup or ""


def _problem_inside(text: str, lowercase: str, begin: int, pronoun: str) -> str:
    """Return the kind of an unexplained pronoun before or as the subject, or an empty string."""
    *parts, last_part = lowercase[:begin].split(", ")
    is_subject = bool(parts) and _PARENTHETICAL_PATTERN.fullmatch(last_part) is not None
    if parts and not is_subject and not _NO_SUBJECT.match(last_part):
        return ""
    if _has_antecedent(text[:begin], lowercase[:begin], pronoun):
        return ""
    if pronoun == "it" and _EXPLETIVE_PATTERN.match(lowercase, begin):
        return ""
    antecedent_pattern = {"he": _EXPLAINED, "she": _EXPLAINED, "it": _THING_EXPLAINED}.get(
        pronoun, _OWNER_EXPLAINED
    )
    if (
        not is_subject
        and pronoun != "they"
        and antecedent_pattern.match(text, begin + len(pronoun))
    ):
        return ""
    return "it" if pronoun[0] == "i" else "person"


def _problem_without_person(text: str, lowercase: str, begin: int, pronoun: str) -> str:
    """Return "person" if no person comes before a pronoun: *the last thing she saw*."""
    if (
        begin < _MAX_EARLIER_CHARACTERS
        and pronoun in _SUBJECT_PRONOUNS
        and _TOO_EARLY_PATTERN.match(lowercase)
    ):
        return "" if pronoun == "it" and _EXPLETIVE_PATTERN.match(lowercase, begin) else "person"
    many_match = _GROUP_PATTERN.match(lowercase)
    if not many_match and not _NO_PERSON_PATTERN.match(lowercase):
        return ""
    match = _PERSON_PRONOUN.search(lowercase, begin, _MAX_FRONT_CHARACTERS // 2)
    person_pattern = _SOMEBODY_ELSE if many_match else _SOMEBODY_THERE
    return "person" if match and not person_pattern.search(text, 0, match.start()) else ""


def _has_antecedent(text_before: str, lowercase: str, pronoun: str) -> bool:
    """Return whether a pronoun may refer to something before it."""
    is_person = pronoun[0] == "h" or pronoun == "she"
    if _CLAUSE_PATTERN.match(lowercase) or (not is_person and pronoun in ("its", "their")):
        return (_PERSON_MENTION if is_person else _NOUN_MENTION).search(text_before) is not None
    return (_PERSON_SUBJECT if is_person else _NOUN_SUBJECT).search(text_before) is not None
