"""The public names, and the modules they are loaded from."""

from pyramidion.collection.checks.finding import Finding as Finding
from pyramidion.collection.checks.finding import Repair as Repair
from pyramidion.collection.checks.finding import address_name as address_name
from pyramidion.collection.checks.finding import repeated as repeated
from pyramidion.collection.checks.findings import checked as checked
from pyramidion.collection.checks.findings import find_problems as find_problems
from pyramidion.collection.checks.findings import implausible as implausible
from pyramidion.collection.checks.findings import warn_findings as warn_findings
from pyramidion.collection.checks.streams import SortedKeys as SortedKeys
from pyramidion.collection.checks.streams import StreamChecks as StreamChecks
from pyramidion.collection.checks.streams import repeated_error as repeated_error
from pyramidion.collection.checks.structure import conflicting_kinds as conflicting_kinds
from pyramidion.collection.checks.structure import differing_units as differing_units
from pyramidion.collection.checks.structure import doubtful as doubtful
from pyramidion.collection.checks.structure import pyramid_problems as pyramid_problems
from pyramidion.collection.checks.structure import repeated_units as repeated_units
from pyramidion.collection.checks.structure import require_consistent as require_consistent
