"""Accounts: passwords, invitations, visits, and limits on login attempts."""

import hashlib
import secrets
import threading
import time
from dataclasses import dataclass, field
from itertools import pairwise

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from pyramidion.collection.ids import to_spreadsheet
from pyramidion.errors import InputError
from pyramidion.studio._store import Account, Invitation, RegistrationLink, Role, Visit, folded

#: How long an invitation and a visit are valid, in seconds.
INVITATION_SECONDS, VISIT_SECONDS = 14 * 86_400, 14 * 86_400

#: The role of somebody whose name was removed.
ERASED = "erased"

#: Minimum and maximum length of a password.
SHORTEST, LONGEST = 10, 200

#: Seconds that an attempt to log in may have to wait; later ones are refused.
MAX_DELAY = 30.0
_LONGEST_STEP = 15.0

# Common passwords that are long enough, in lower case and without additions such as digits.
_COMMON_TEXT = """
password passwords passwort motdepasse contrasena qwerty qwertyuiop qwertyui azertyuiop qwertz
qwertzuiop asdfghjkl zxcvbnm iloveyou letmein welcome welcomeback administrator admin adminadmin
changeme sunshine princess football baseball basketball superman batman trustno dragon monkey
michael jennifer jordan starwars pokemon computer internet samsung liverpool chelsea pyramidion
organizer assessor summary summaries evaluation studio secret mysecret test testtest testing hello
helloworld helloworld abcdefghij abcdefghijk abc abcd abcabcabc passpass passw0rd p@ssw0rd p@ssword
"""
_COMMON = frozenset(_COMMON_TEXT.split())

_HASHER = PasswordHasher()
# Unknown names take as long to check as known ones.
_DUMMY_HASH = _HASHER.hash(secrets.token_urlsafe())


def hashed(token: str) -> str:
    """Return the hash under which the token of a link or cookie is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


def add_account(session: Session, name: str, role: Role) -> Account:
    """Add a person, who can log in after accepting an invitation."""
    account = Account(name=free_name(session, name), role=role)
    session.add(account)
    session.flush()
    return account


def free_name(session: Session, name: str, *, account: Account | None = None) -> str:
    """Normalize a name; refuse an invalid one, or one that is in use."""
    name = " ".join(name.split())
    if not 1 <= len(name) <= 80 or not name.isprintable():
        raise InputError("a name needs 1 to 80 characters", hint="type another name")
    if to_spreadsheet(name) != name:  # tables of scores are opened in spreadsheets
        raise InputError(f"a name cannot begin with {name[0]}", hint="begin with a letter")
    other = account_named(session, name)
    if other is not None and (account is None or other.id != account.id):
        raise InputError(f"there is already an account {name}", hint="choose another name")
    return name


def account_named(session: Session, name: str) -> Account | None:
    """Find a person by name, ignoring case."""
    return session.scalar(select(Account).where(Account.folded == folded(name)))


def invite(session: Session, account: Account) -> str:
    """Return the token of a new invitation link; older links of the person stop working."""
    now = time.time()
    for other in session.scalars(
        select(Invitation).where(Invitation.account_id == account.id, Invitation.used.is_(None))
    ):
        other.used = now
    token = secrets.token_urlsafe(24)
    expires = now + INVITATION_SECONDS
    session.add(Invitation(token_hash=hashed(token), account_id=account.id, expires=expires))
    return token


def invited(session: Session, token: str) -> Account | None:
    """Return the account of a valid link."""
    invitation = _invitation(session, token)
    return invitation.account if invitation else None


def _invitation(session: Session, token: str) -> Invitation | None:
    invitation = session.scalar(select(Invitation).where(Invitation.token_hash == hashed(token)))
    is_valid = (
        invitation
        and invitation.used is None
        and invitation.expires > time.time()
        and invitation.account.active
    )
    return invitation if is_valid else None


def accept(session: Session, token: str, password: str, *, name: str = "") -> Account:
    """Set the password of an invited person and end their visits; the link works once."""
    invitation = _invitation(session, token)
    if invitation is None:
        raise InputError("this link is no longer valid", hint="ask the organizer for a new one")
    account = invitation.account
    password_hash = _new_hash(password, name or account.name)
    if name:
        account.name = free_name(session, name, account=account)
    account.password_hash = password_hash
    invitation.used = time.time()
    end_visits(session, account)
    return account


def _new_hash(password: str, name: str) -> str:
    """Return the hash of a password; refuse one that is short or easy to guess."""
    if not SHORTEST <= len(password) <= LONGEST:
        message = f"a password needs {SHORTEST} to {LONGEST} characters"
        raise InputError(message, hint="use several words")
    if _is_common(password, name):
        raise InputError("this password is easy to guess", hint="use several words")
    return _HASHER.hash(password)


def open_group(session: Session, token: str) -> RegistrationLink | None:
    """Return the registration link with this token, unless it is closed or used up."""
    group = session.scalar(
        select(RegistrationLink).where(RegistrationLink.token_hash == hashed(token))
    )
    if group is None or not group.active:
        return None
    member_query = select(func.count()).where(Account.group_id == group.id)
    return group if (session.scalar(member_query) or 0) < group.max_people else None


def register(session: Session, group: RegistrationLink, name: str, password: str) -> Account:
    """Add an assessor who registers by a link and agrees to its text."""
    password_hash = _new_hash(password, name)
    account = add_account(session, name, "assessor")
    account.password_hash, account.group_id = password_hash, group.id
    return account


def _is_common(password: str, name: str) -> bool:
    """Return whether a password is a common one, digits in a row, or little more than the name."""
    core = password.casefold().strip("0123456789!?.-_#*$ ")
    has_few = len(set(password)) <= 3 or (password.isdigit() and _is_row(password))
    return has_few or core in _COMMON or (core in ("", folded(name)) and len(password) < 16)


def _is_row(digits: str) -> bool:
    """Return whether digits mostly follow each other, as in 1234567890."""
    steps = [int(b) - int(a) for a, b in pairwise(digits)]
    return sum(step in (1, -1, 9, -9, 0) for step in steps) >= len(steps) - 1


def erase_account(session: Session, account: Account) -> None:
    """Erase the name of a person; their judgments stay, under a pseudonym."""
    account.name = f"Person {secrets.token_hex(4)}"
    account.role, account.password_hash, account.active = ERASED, "", False
    session.execute(delete(Invitation).where(Invitation.account_id == account.id))


def log_in(session: Session, name: str, password: str) -> Account | None:
    """Return the account with this name and password; takes constant time."""
    account = account_named(session, name)
    stored_hash = account.password_hash if account and account.active else ""
    try:
        _HASHER.verify(stored_hash or _DUMMY_HASH, password[:LONGEST])
    except (VerificationError, InvalidHashError):
        return None
    return account if stored_hash else None


def begin_visit(session: Session, account: Account) -> str:
    """Return the cookie of a new visit, and delete expired visits."""
    token = secrets.token_urlsafe(24)
    now = time.time()
    expires = now + VISIT_SECONDS
    session.execute(delete(Visit).where(Visit.expires < now))
    session.add(Visit(token_hash=hashed(token), account_id=account.id, expires=expires))
    return token


def visit_of(session: Session, token: str) -> Visit | None:
    """Return the visit of a cookie."""
    visit = session.scalar(select(Visit).where(Visit.token_hash == hashed(token)))
    return visit if visit and visit.expires > time.time() and visit.account.active else None


def end_visits(session: Session, account: Account) -> None:
    """Log a person out everywhere."""
    for visit in session.scalars(select(Visit).where(Visit.account_id == account.id)):
        session.delete(visit)


@dataclass
class Attempts:
    """Slows repeated attempts down, by address and name together and by address alone.

    Attempts of a source wait for each other: sending many at once does not help.
    """

    seconds: float = 300.0
    #: How many attempts are not slowed down, for a name and for all names of an address.
    free: int = 5
    free_by_address: int = 50
    _sources: dict[tuple[str, ...], tuple[int, float]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def delay(self, source: tuple[str, str]) -> float:
        """Count an attempt; return how many seconds it has to wait."""
        now = time.monotonic()
        with self._lock:
            if len(self._sources) > 10_000:  # many made-up names must not fill the memory
                oldest_time = now - self.seconds
                self._sources = {k: v for k, v in self._sources.items() if v[1] > oldest_time}
            limits = {source: self.free, source[:1]: self.free_by_address}
            return max(
                self._reserved(key, free_attempts, now) for key, free_attempts in limits.items()
            )

    def _reserved(self, key: tuple[str, ...], free_attempts: int, now: float) -> float:
        count, turn = self._sources.get(key, (0, now))
        if turn < now - self.seconds:
            count = 0
        wait = min(2.0 ** (count - free_attempts), _LONGEST_STEP) if count >= free_attempts else 0.0
        start = max(now, turn) + wait
        if start - now <= MAX_DELAY:  # a refused attempt does not make others wait longer
            self._sources[key] = (count + 1, start)
        return start - now

    def forget(self, source: tuple[str, str]) -> None:
        """Do not count the attempts of somebody who has logged in."""
        with self._lock:
            self._sources.pop(source, None)
            count, turn = self._sources.get(source[:1], (1, 0.0))
            self._sources[source[:1]] = (count - 1, turn)
