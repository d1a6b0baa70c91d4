"""Where sentences end: the marks of a text, and a question about each.

This is the readable specification of the compiled class of the same name, and takes its place
where nothing was compiled. The compiled one does not ask about what is plain: outside brackets, a
full stop after a word and before a capital ends a sentence, one after a title does not, nor one
after an abbreviation and before a small letter or a digit, nor any mark within a word.
"""

from collections.abc import Callable, Sequence

__all__ = ["Judge", "Span", "Stops"]

Span = tuple[int, int]

Judge = Callable[[int, int, int], int]
"""Is given where a sentence begins, a mark, and where the paragraph ends; says where reading goes
on, as a number below 0 where no sentence ends there."""


class Stops:
    """The abbreviations of a language (1 for a title, 2 for a street or a name), and its marks."""

    __slots__ = ("_marks",)

    def __init__(self, abbreviations: dict[str, int], marks: str) -> None:
        self._marks = marks

    def split(
        self, text: str, paragraphs: Sequence[Span], *, caseless: bool, judge: Judge
    ) -> list[Span]:
        """Return the sentences of paragraphs; caseless is a text without capitals to go by."""
        marks = [mark for mark in self._marks if mark in text]
        sentences = []
        for start, end in paragraphs:
            begin = read = start
            for position in _places(marks, text, start, end - 1):
                if position < read:
                    continue
                judged = judge(begin, position, end)
                read = abs(judged)
                if judged > 0:
                    sentences.append((begin, read))
                    begin = read
                    while text[begin].isspace():
                        begin += 1
            sentences.append((begin, end))
        return sentences


def _places(marks: Sequence[str], text: str, start: int, end: int) -> list[int]:
    """Find the marks: many times faster than a pattern does."""
    places = []
    for mark in marks:
        position = text.find(mark, start, end)
        while position >= 0:
            places.append(position)
            position = text.find(mark, position + 1, end)
    return places if len(marks) == 1 else sorted(places)
