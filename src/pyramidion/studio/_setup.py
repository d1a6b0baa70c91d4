"""Pages of organizers: setting an evaluation up, and how it gets on."""

from fastapi import APIRouter

from pyramidion.studio import _importing

router = APIRouter(include_in_schema=False)
router.include_router(_importing.router)
