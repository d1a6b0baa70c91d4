"""What `rewrite` is asked."""

from dataclasses import dataclass, field

from pyramidion.errors import InputError
from pyramidion.rewriting.options import RewriteOptions

__all__ = ["RewriteRequest"]


@dataclass(frozen=True, slots=True)
class RewriteRequest:
    """What is to be done with summaries.

    Parameters
    ----------
    options
        What is rewritten, and how.
    words
        How many words a summary may have then; as many as it takes if it is not given.
    topic
        Which topic's documents, where there are several and the summary does not say it.
    who
        Whether to tell who people are.
    explain
        Whether to list what was replaced.

    Examples
    --------
    >>> RewriteRequest().options.kinds
    ('people',)
    """

    options: RewriteOptions = field(default_factory=lambda: RewriteOptions(("people",)))
    words: int | None = None
    topic: str = ""
    who: bool = False
    explain: bool = False

    def __post_init__(self) -> None:
        if not self.options.kinds:
            raise InputError("nothing is to be rewritten", hint="give np, np-raw or people")
        if self.options.status and not (self.options.describe == "new" or self.who):
            hint = "give --describe new or --who, too"
            raise InputError("--status has no effect here", hint=hint)
        if self.words is not None and self.words < 1:
            raise InputError(f"the limit is {self.words} words", hint="give 1 or more")
