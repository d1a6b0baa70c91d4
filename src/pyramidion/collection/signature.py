"""The signature every result carries: what was computed, by which version, on which data."""

from dataclasses import dataclass

import pyramidion

__all__ = ["Signature"]


@dataclass(frozen=True, slots=True)
class Signature:
    """What one must know to compute a number again.

    Parameters
    ----------
    subject
        The metric or command with its parameters, such as ``rouge-2(stem)``.
    data
        The hash of the data (`Collection.data_hash`).
    seed
        The seed, where chance plays a part.
    details
        Anything else that matters, as name and value.

    Examples
    --------
    >>> str(Signature("describe", data="3f2a0c11"))
    'describe|v0.1.0|data:3f2a0c11'
    >>> str(Signature("rouge-2(stem)", data="3f2a0c11", seed=0, details=(("tok", "rouge"),)))
    'rouge-2(stem)|tok:rouge|v0.1.0|seed:0|data:3f2a0c11'
    """

    subject: str
    data: str = ""
    seed: int | None = None
    details: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        parts = [self.subject, *(f"{name}:{value}" for name, value in self.details)]
        parts.append(f"v{pyramidion.__version__}")
        if self.seed is not None:
            parts.append(f"seed:{self.seed}")
        if self.data:
            parts.append(f"data:{self.data}")
        return "|".join(parts)
