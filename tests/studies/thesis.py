"""What the thesis prints, for the tests of studies."""

import csv
import re

import numpy as np

from pyramidion.studies import FrequencyClasses
from support import GOLD, shared_file

#: The thesis, as text beside the checkout.
THESIS = "seeds/004_fea21333468648cb.txt"


def word_classes(group):
    """Return Table 2.5 (``summaries``) or 2.6 (``translations``), class 1 first."""
    with (GOLD / "study" / "word_classes.csv").open(encoding="utf-8") as stream:
        rows = [row for row in csv.DictReader(stream) if row["group"] == group]
    sizes = [[int(row[f"C{n}"]) for n in range(1, 8)] for row in rows]
    return FrequencyClasses(np.array(sizes), tuple(f"set {row['set']}" for row in rows))


def appendix(letter):
    """Return the seven texts of appendix B (translations) or C (summaries), headings left out."""
    text = shared_file(THESIS).read_text(encoding="utf-8")
    _, _, section = text.partition(f"## Appendix {letter}")
    section = section.partition(f"## Appendix {chr(ord(letter) + 1)}")[0]
    parts = re.split(rf"\n#+ \**{letter}\.\d [^\n]*\n", section)[1:]
    assert len(parts) == 7
    return tuple(re.sub(r"^#+ ", "", part, flags=re.MULTILINE) for part in parts)


def marked_summaries():
    """Give, of Figures 4.2 and 4.3, the ranks of the marked words: SUM-Avr's, then the people's."""
    text = shared_file(THESIS).read_text(encoding="utf-8")
    start = text.index("**SUM<sub>Avr</sub> SUMMARY**")
    section = text[start : text.index("Figure 4.3: Summaries produced")]
    parts = re.split(r"\*\*(?:SUM<sub>Avr</sub> SUMMARY|HUMAN SUMMARY \d)\*\*", section)[1:]
    assert len(parts) == 5
    return [{int(rank) for rank in re.findall(r"\]<sub>(\d+)</sub>", part)} for part in parts]
