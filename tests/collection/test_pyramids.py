import pytest
from hypothesis import given

from collection.refusals import refusal
from collection.strategies import peer_annotations, pyramids
from pyramidion.collection.pyramids import (
    NOT_IN_PYRAMID,
    SCU,
    Contributor,
    Part,
    Pyramid,
    ReferenceText,
)
from pyramidion.errors import InputError, NotFoundError

TEXTS = {"A": "Ice melts fast.", "B": "The ice is melting.", "C": "Seas rise."}


def built(*units, texts=TEXTS):
    return Pyramid.from_references(texts, units)


class TestBuilding:
    def test_references_stand_under_their_headers(self):
        rule = "-" * 18
        pyramid = built(texts={"A": "Ice.", "B": "Sea."})
        assert pyramid.text == f"{rule}\n A\n{rule}\n\nIce.\n\n{rule}\n B\n{rule}\n\nSea.\n"
        assert [pyramid.text[r.start : r.end].strip() for r in pyramid.references] == [
            "Ice.",
            "Sea.",
        ]

    def test_parts_are_found_in_their_own_reference(self):
        pyramid = built(
            ("melting", {"A": ["Ice melts"], "B": ["ice is melting"]}), texts=TEXTS | {"D": "Ice."}
        )
        for contributor in pyramid.scus[0].contributors:
            for part in contributor.parts:
                assert pyramid.text[part.start : part.end] == part.label
        assert pyramid.references_of(pyramid.scus[0]) == ("A", "B")

    def test_quotation_from_another_reference_is_refused(self):
        # "Seas" stands in C, after B, and must not be found there.
        assert refusal(InputError, built, ("rise", {"B": ["Seas"]})) == (
            "'Seas' is not in reference B; quote it verbatim"
        )

    def test_quotation_from_a_header_is_refused(self):
        assert "is not in reference A" in refusal(InputError, built, ("rule", {"A": ["---"]}))

    def test_empty_quotation_is_refused(self):
        assert refusal(InputError, built, ("nothing", {"A": [""]})) == (
            "'' is not in reference A; quote it verbatim"
        )

    def test_unknown_reference(self):
        assert refusal(NotFoundError, built, ("x", {"D": ["Ice"]})) == (
            "there is no reference 'D'; available: A, B, C"
        )

    @pytest.mark.parametrize(
        "texts",
        [
            {"A": "Ice.\n---\nD\n---\nmelts."},
            {"two\nlines": "Ice."},
            {" A": "Ice.", "A": "Sea."},
            {"": "Ice."},
            {"---": "Ice."},
        ],
    )
    def test_references_that_cannot_be_distinguished(self, texts):
        message = refusal(InputError, built, texts=texts)
        assert message.endswith(
            "cannot be distinguished in one text; "
            "write each name on one line, and do not use lines of dashes in a text"
        )

    def test_label_joins_the_parts(self):
        pyramid = built(("melt", {"A": ["Ice", "fast"]}))
        assert pyramid.scus[0].contributors[0].label == "Ice...fast"
        assert Contributor((Part(0, 3, "Ice"),), "Given").label == "Given"

    def test_uids_count_from_1(self):
        assert [scu.uid for scu in built(("a", {}), ("b", {})).scus] == ["1", "2"]

    def test_empty_pyramid(self):
        assert built(texts={}).references == ()


class TestWeights:
    def test_weight_counts_contributors(self):
        pyramid = built(("ice", {"A": ["Ice"], "B": ["ice"]}), ("sea", {"C": ["Seas"]}))
        twice = SCU("3", "again", pyramid.scus[0].contributors[:1] * 2)
        assert [pyramid.weight(scu) for scu in (*pyramid.scus, twice)] == [2, 1, 2]

    def test_contributor_outside_all_references_weighs_nothing(self):
        pyramid = built()
        header = Contributor((Part(0, 3, "---"),))
        assert pyramid.reference_of(header) is None
        assert pyramid.weight(SCU("1", "x", (header,))) == 0
        beyond = Contributor((Part(10**6, 10**6 + 1, "x"),))
        assert pyramid.reference_of(beyond) is None

    def test_first_part_decides_whatever_the_order(self):
        pyramid = built(("ice", {"B": ["melting", "ice"]}))
        contributor = pyramid.scus[0].contributors[0]
        assert contributor.start == min(part.start for part in contributor.parts)
        assert pyramid.reference_of(contributor) == "B"

    def test_tiers(self):
        pyramid = built(("sea", {"C": ["Seas"]}), ("ice", {"A": ["Ice"], "B": ["ice"]}), ("no", {}))
        assert {w: [scu.label for scu in scus] for w, scus in pyramid.tiers().items()} == {
            2: ["ice"],
            1: ["sea"],
            0: ["no"],
        }
        assert list(pyramid.tiers()) == [2, 1, 0]

    def test_tiers_with_a_repeated_uid(self):
        pyramid = built(("ice", {"A": ["Ice"], "B": ["ice"]}))
        doubled = Pyramid(pyramid.text, (*pyramid.scus, SCU("1", "other")))
        assert {weight: len(scus) for weight, scus in doubled.tiers().items()} == {2: 1, 0: 1}

    @given(pyramids())
    def test_every_contributor_is_in_a_reference(self, pyramid):
        for scu in pyramid.scus:
            owners = [pyramid.reference_of(c) for c in scu.contributors]
            assert None not in owners
            assert pyramid.weight(scu) == len(owners)
            assert pyramid.references_of(scu) == tuple(
                reference.name for reference in pyramid.references if reference.name in owners
            )
        assert sum(map(len, pyramid.tiers().values())) == len(pyramid.scus)


class TestHeaders:
    text = "-----\n D0736-C.M.100.H.G\n-----\n\nIce.\n-----\n D0736-C.M.100.H.H\n-----\nSea."

    def test_found_by_dashes(self):
        names = ["D0736-C.M.100.H.G", "D0736-C.M.100.H.H"]
        assert [r.name for r in Pyramid(self.text).references] == names
        assert self.text[Pyramid(self.text).references[1].start :] == "Sea."

    @pytest.mark.parametrize("regex", [r"[-]+\n D[^\n]*\n[-]+\n", r"^-----\n.*\n-----$"])
    def test_found_by_the_files_expression(self, regex):
        names = [r.name for r in Pyramid(self.text, start_document_regex=regex).references]
        assert names == ["D0736-C.M.100.H.G", "D0736-C.M.100.H.H"]

    @pytest.mark.parametrize("regex", ["(", "[[q]", "a{99999999999}", "never there", "x*"])
    def test_invalid_expression_gives_way_to_dashes(self, regex):
        assert len(Pyramid(self.text, start_document_regex=regex).references) == 2

    def test_last_reference_ends_with_the_text(self):
        assert Pyramid(self.text).references[-1] == ReferenceText(
            "D0736-C.M.100.H.H", len(self.text) - 4, len(self.text)
        )

    def test_no_headers(self):
        assert Pyramid("Ice melts.").references == ()


@given(peer_annotations())
def test_annotated_peers_name_the_pyramids_units(peer):
    assert [scu.uid for scu in peer.scus] == [*(s.uid for s in peer.pyramid.scus), NOT_IN_PYRAMID]
