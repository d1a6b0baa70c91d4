"""How tests look at what is refused."""

from collections.abc import Callable
from typing import Any

import pytest

from pyramidion.errors import PyramidionError


def refusal(
    kind: type[PyramidionError], call: Callable[..., Any], /, *arguments: Any, **options: Any
) -> str:
    """Call, expect an error of exactly this kind, and give its message, which is one line."""
    with pytest.raises(kind) as caught:
        call(*arguments, **options)
    assert type(caught.value) is kind
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    return message
