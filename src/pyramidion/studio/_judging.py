from fastapi import APIRouter
from sqlalchemy.orm import Session

from pyramidion.studio._store import Account

router = APIRouter()


def work_of(session: Session, account: Account) -> list[object]:
    return []
