"""What the sentence splitter knows about words: abbreviations by kind, and words that open sentences.

An abbreviation's *kind* says what a capital letter after its full stop means. The lists are
closed classes (titles, states, months) or words that news is full of; the rules that use
them are in :mod:`pyramidion.text.sentences`.
"""

from enum import Enum
from types import MappingProxyType
from typing import Final

__all__ = [
    "ABBREVIATIONS",
    "ARTICLES",
    "BRANDS",
    "CALENDAR",
    "DESIGNATORS",
    "INSTITUTIONS",
    "OPENERS",
    "PARTICLES",
    "PREPOSITIONS",
    "ROLES",
    "SPEECH_VERBS",
    "STARTERS",
    "Kind",
    "is_opener",
]


class Kind(Enum):
    """What an abbreviation stands for, and so what may follow it.

    Examples
    --------
    >>> ABBREVIATIONS["Dr"], ABBREVIATIONS["Inc"]
    (<Kind.STREET_OR_NAME: 'Elm St., St. Paul'>, <Kind.COMPANY: 'Acme Inc.'>)
    """

    ACRONYM = "U.S."
    CLOCK = "p.m."
    COMPANY = "Acme Inc."
    DATE = "Sept."
    GENERATION = "Tate Jr."
    INITIALS = "J.R.R."
    INNER = "e.g."
    NUMBERED = "No. 5"
    ORDINARY = "Dept."
    PLACE = "Fresno, Calif."
    STREET = "Fifth Ave."
    STREET_OR_NAME = "Elm St., St. Paul"
    SUFFIX = "Ph.D."
    TITLE = "Gov."


# Words in lower case are also recognised with a first capital and in capitals. Words with a
# capital are not recognised in lower case, where most are other words: `art.`, `rep.`, `mass.`
_FORMS: Final = {
    Kind.ACRONYM: """B.B.C C.I.A D.A D.C E.P.A E.U F.B.I F.D.A I.M.F I.R.A I.R.S L.A N.A.S.A
        N.A.T.O N.B.A N.C.A.A N.F.L N.Y.C P.L.O U.A.E U.K U.N U.S U.S.A U.S.S.R W.H.O W.T.O""",
    Kind.CLOCK: "a.m p.m",
    Kind.COMPANY: "Bros Co Corp Cos Inc L.L.C L.P LLC Ltd P.L.C Plc Pty S.A corp inc ltd plc",
    Kind.DATE: """Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec
        Mon Tue Tues Wed Weds Thu Thur Thurs Fri Sat Sun""",
    Kind.GENERATION: "Jr Sr jr sr",
    Kind.INNER: "a.k.a approx c ca cf e.g eg esp f.k.a i.e ie incl n.b v viz vs",
    Kind.NUMBERED: """App Art Arts Eq Eqs Ex Nos Op Par Pt Ref Sec Tab ch chap col cols est fig figs
        ff fn ft hr hrs lb lbs min mins no oz p para paras pp sect vol vols yr yrs""",
    Kind.ORDINARY: """Assn Assoc Attn Bldg Cmte Conf Ctr Dept Dist Div Govt Inst Intl Natl Orch Soc
        Sq Twp Univ assn assoc attn bldg dept depts dist ed eds govt intl natl univ""",
    Kind.PLACE: """Ala Alta Ariz Ark B.C Calif Colo Conn Del Fla Ga Ill Ind Kan Kans Ky La Mass Md
        Mich Minn Miss Mo Mont N.B N.C N.D N.H N.J N.M N.S N.Y Neb Nebr Nev Okla Ont Ore P.E.I P.R
        Pa Penn Que R.I S.C S.D Sask Tenn Tex Va Vt W.Va Wash Wis Wisc Wyo""",
    Kind.STREET: "Ave Blvd Cres Ct Hts Hwy Ln Pkwy Pl Rd Ter Terr Tpke ave blvd rd",
    Kind.STREET_OR_NAME: "Dr St",
    Kind.SUFFIX: """A.D B.A B.C.E B.S B.Sc C.E C.E.O C.F.O C.P.A D.D.S D.Phil Ed.D Esq J.D K.C
        LL.B LL.D M.A M.B.A M.D M.S M.Sc Ph.D Q.C R.N al etc""",
    Kind.TITLE: """Adm Ald Amb Asst Atty Brig Capt Cdr Cmdr Col Comdr Cpl Dep Det Fr Ft Gen Gens Gov
        Govs Hon Insp Lieut Lt Maj Messrs Mme Mmes Msgr Mt Pfc Pres Prof Profs Pvt Rep Reps Rev Rt
        Sen Sens Sgt Spc Ste Supt Ven capt dr lt mr mrs ms mx prof sgt""",
}


def _all_forms() -> dict[str, Kind]:
    """Every way of writing each abbreviation; the written form wins over a derived one."""
    written = {form: kind for kind, forms in _FORMS.items() for form in forms.split()}
    derived: dict[str, Kind] = {}
    for form, kind in written.items():
        if len(form) > 1:
            derived |= {form.capitalize(): kind} if form.islower() else {}
            derived[form.upper()] = kind
    return derived | written


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ABBREVIATIONS: Final = MappingProxyType(_all_forms())
"""Abbreviations, without their last full stop, and their kinds."""

ARTICLES: Final = _words("a about an exactly its nearly roughly the")
"""Words that may stand between a preposition and its noun."""

BRANDS: Final = _words("jeopardy yahoo")
"""Names that end in an exclamation mark."""

CALENDAR: Final = _words(
    """monday tuesday wednesday thursday friday saturday sunday january february march april june
    july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
    mon tue tues wed thu thur thurs fri sat sun bst cdt cest cet cst ct eastern edt est et central
    gmt jst mdt mst mountain mt pacific pdt pst pt utc"""
)
"""Days, months and time zones: what follows a time of day."""

DESIGNATORS: Final = _words(
    """annex appendix apt block category chapter class column company degrees division exhibit
    figure flu form gate grade group hepatitis hall influenza item letter level line list model
    option panel part paragraph phase pier plan platform point pool room route row schedule school
    section series side site size strain table team terminal tier type unit variable variant version
    vitamin vitamins volume war ward wing zone"""
)
"""Words after which one capital letter is a label: `vitamin C`."""

PARTICLES: Final = _words("al bin da de del der di du el ibn la le van von")
"""Small words that can open a name: `van Eyck`."""

PREPOSITIONS: Final = _words(
    "about after around as at before between by during for from in on since until with within"
)
"""Words that open a phrase, not yet a sentence: `At 4 a.m.`"""

SPEECH_VERBS: Final = _words(
    """added admitted announced answered argued asked asks began boasted called chanted complained
    continued countered cried declared demanded exclaimed explained inquired insisted joked mused
    muttered noted pleaded pondered quipped recalled remarked replied responded retorted roared
    said says screamed shouted snapped thought told urged warned whispered wondered wrote yelled"""
)
"""What people do with words: `"Why?" Moreno asked.`"""

ROLES: Final = _words(
    """acting administrator admiral ambassador analyst assistant associate attorney brigadier
    captain ceo cfo chair chairman chairwoman chancellor chief co-chairman co-founder coach colonel
    commander commissioner congressman congresswoman consul controller coordinator counsel coo
    dean deputy director economist editor envoy executive founder general governor head inspector
    interim judge justice lead lieutenant magistrate major manager managing marshal mayor minister
    officer owner partner president premier prime prince princess professor publisher
    representative secretary secretary-general senator senior sergeant solicitor special
    spokesman spokesperson spokeswoman strategist superintendent surgeon treasurer trustee under
    undersecretary vice"""
)
"""Posts, in the singular: they go on with the name before them (`Acme Corp. Chairman Lee`)."""

INSTITUTIONS: Final = _words(
    """academy agency air airport airways army association attorneys avenue bancorp bank board
    boulevard bridge building bureau capitol census center centre circuit city coast college
    commission committee congress constitution corps council county court customs day democrat
    democratic democrats department district drive elementary embassy federal fish food force
    forces forest foundation geological guard high highway hospital house institute legislature
    library lines marines memorial middle ministry museum national navy office olympic olympics
    open parks parkway patrol plaza postal rangers republican republicans road school schools
    secret senate securities state steel street superior supreme treasuries treasury turnpike
    university"""
)
"""Words that go on with the name of a country, state, street or person before them."""

STARTERS: Final = _words(
    """a about above according across additionally after afterward afterwards again against ago all
    almost along already also although altogether always am amid among an and another any anybody
    anyone anything apart apparently are around as aside at away back because been before behind
    being below beneath beside besides between beyond both but by can certainly clearly concerning
    consequently could currently despite did do does doing down due during each earlier early either
    elsewhere enough especially even eventually ever every everybody everyone everything
    everywhere evidently except few fewer finally first firstly following for formerly fortunately
    four five from further furthermore generally given had half hardly has have having he hence her
    here hers herself him himself his historically how however i if in incidentally including
    indeed inside instead into is it its itself just last lastly lately later least less let like
    likewise many may maybe me meanwhile might more moreover most mostly much must my myself namely
    near nearby nearly neither never nevertheless next no nobody none nonetheless nor normally not
    nothing notwithstanding now nowhere obviously of off officially often on once one only onto or
    originally other others otherwise ought our ours out outside over overall overnight own
    particularly per perhaps plus possibly presumably previously prior probably quickly quite rather
    really recently regarding regardless reportedly roughly said same second secondly several shall
    she should similarly simply since six so some somebody somehow someone something sometimes
    somewhere soon specifically still subsequently such suddenly ten than thank thanks that the
    their theirs them then there thereafter therefore these they third this those though three
    through throughout thus till to today together tomorrow tonight too toward towards traditionally
    two typically ultimately under undoubtedly unfortunately unless unlike until up upon us usually
    various very via was we well were what whatever when whenever where whereas wherever whether
    which whichever while who whoever whole whom whose why will with within without would yes
    yesterday yet you your yours
    he'd he'll he's here's how's i'd i'll i'm i've it'd it'll it's let's she'd she'll she's that's
    there's they'd they'll they're they've we'd we'll we're we've what's who's you'd you'll you're
    you've aren't can't couldn't didn't doesn't don't hadn't hasn't haven't isn't shouldn't wasn't
    weren't won't wouldn't"""
)
"""Function words and adverbs that open a sentence, and are no part of a name."""

OPENERS: Final = _words(
    """access activity admission aid ambulance analysis assembly attendance attention bad behavior
    bread business campaign cargo cash children clean climate coal coffee competition concern
    confidence confusion construction consumption content contact control corn corruption cotton
    credit crime crew criticism damage data dawn debate debt delivery demand development disease
    distribution drinking economic education electricity employment enrollment entry evidence
    experience expert export exposure extra failure faith family fear fighting fire firefighting
    flooding food foreign former freedom fresh fuel funding gas gold good grain great
    ground growth heat heavy help hope hunger industry inflation information initial insurance
    interest investigation investment key knowledge labor land large late legislation life light
    little local long looking low management manufacturing mail meat medical medicine membership men
    milk military mining modern money music negotiation new news nuclear official oil old
    opposition output participation payment peace people permission personal police policy political
    pollution poor pressure print private production profit progress property protection public
    publication rain radio recent registration relief religion repair reporting research
    resistance rice rising royal rural safety salt science scoring security seating sentencing
    separate service sewage shipping short silence small smoke snow social sound space
    speculation staff storage strong student sugar support surgery survival talk tax technical
    technology telephone television testimony testing textile ticket timber time tourism trade
    trading traffic training transport travel treatment trouble truth turnout unemployment union use
    vaccination violence visibility voting war water weather wheat wine women wood work young"""
)
"""Common words that open a sentence when a word in lower case follows them."""

_NAMES_LIKE_PLURALS: Final = _words(
    """abbas adams airlines andrews angeles athens atlas banks barnes bates bowles briggs brooks
    brussels burns cairns charles chambers childers christmas collins connors daniels dallas davies
    davis dickens douglas downs edwards ellis evans fields flanders flowers francis gates gibbons
    giles graves griffiths hamas hawkins hayes hicks higgins hobbes holmes honduras hopkins hughes
    humphries huggins illinois islands jacobs james jeffries jenkins johns jones judas kansas keys
    laos lewis lucas maldives marcos marks massachusetts mars masters mathis matthews meyers mills
    mohandas moines morris moses myers naples nations netherlands nichols nicholas norris olympics
    orleans owens parsons paulos peoples peters phelps philippines phillips phoenix pires powers
    quarles reeves reynolds rhodes richards rivers roberts robbins robins rodgers rogers ross salas
    sanders sands saunders sears series sims simmons simons simpkins sparks spears states stephens
    stevens stokes summers sykes texas thames thomas timmons travis tunis vargas vegas vilnius wales
    walters waters watkins watts wells wilkins williams withers woods yates"""
)
_SHORTEST_PLURAL: Final = 5


def is_opener(word: str) -> bool:
    """Tell whether a word in lower case is a common one, not likely a name.

    Plurals count (`officers`, `shares`), except surnames and places that look like one.

    Examples
    --------
    >>> is_opener("officers"), is_opener("police"), is_opener("rogers"), is_opener("senate")
    (True, True, False, False)
    """
    if word in OPENERS or word in STARTERS:
        return True
    return (
        len(word) >= _SHORTEST_PLURAL
        and word[-1] == "s"
        and word[-2] not in "suia'’"
        and word not in _NAMES_LIKE_PLURALS
    )
