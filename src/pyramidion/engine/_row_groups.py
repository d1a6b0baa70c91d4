"""The row groups of a Parquet file, read from its footer: polars does not list them."""

import io
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any

from pyramidion.collection.formats.table_files import parquet_height
from pyramidion.errors import Where
from pyramidion.files.reading import MAX_MODEL_BYTES

# The most values to read in a footer, which has some 20 per column and row group.
_MAX_VALUES = 2**19

# Fields of FileMetaData and RowGroup, numbered in parquet.thrift.
_ROW_GROUPS_FIELD, _BYTES_FIELD, _ROWS_FIELD = 4, 2, 3


def row_groups(data: IO[bytes], where: Where) -> list[tuple[int, int]]:
    """Return the numbers of rows and unpacked bytes of each row group.

    All rows are one group if polars can read the footer and this module cannot.
    """
    height = parquet_height(data, where)
    # Whatever a damaged footer says, its rows must add up to what polars counts.
    with suppress(ValueError, LookupError, TypeError, AttributeError):
        groups = [
            (group[_ROWS_FIELD], group[_BYTES_FIELD])
            for group in _read_footer(data)[_ROW_GROUPS_FIELD]
        ]
        if sum(rows for rows, _ in groups) == height and min(map(min, groups)) >= 0:
            return groups
    return [(height, height)]


def _read_footer(data: IO[bytes]) -> dict[int, Any]:
    """Read the numbers in a footer, which is followed by its length and a mark."""
    end = data.seek(0, io.SEEK_END) - 8
    data.seek(end)
    length = int.from_bytes(data.read(4), "little")
    if not 0 < length <= min(end, MAX_MODEL_BYTES):
        raise ValueError(length)
    data.seek(end - length)
    return _CompactReader(data.read(length)).struct()


@dataclass(slots=True)
class _CompactReader:
    """Reads Thrift's compact protocol; anything but integers is skipped."""

    data: bytes
    position: int = 0
    values: int = 0

    def struct(self, depth: int = 0) -> dict[int, Any]:
        """Read the fields of a struct by number."""
        fields: dict[int, Any] = {}
        number = 0
        while header := self._byte():
            number = number + (header >> 4) if header >> 4 else self._integer()
            # The value of a Boolean field is in its type.
            fields[number] = self._value(0 if header & 15 < 3 else header & 15, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        self.values += 1
        if self.values > _MAX_VALUES or depth > 16:
            raise ValueError(kind)
        if kind in (4, 5, 6):
            return self._integer()
        if kind == 12:
            return self.struct(depth + 1)
        if kind == 9:
            header = self._byte()
            count = self._unsigned() if header >> 4 == 15 else header >> 4
            return [self._value(header & 15, depth + 1) for _ in range(count)]
        # Booleans, bytes, floating-point numbers and texts; footers have no sets or maps.
        length = self._unsigned() if kind == 8 else {0: 0, 1: 1, 2: 1, 3: 1, 7: 8}[kind]
        self.position += length
        return None

    def _integer(self) -> int:
        value = self._unsigned()
        return value >> 1 ^ -(value & 1)

    def _unsigned(self) -> int:
        value = 0
        for shift in range(0, 70, 7):
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
        raise ValueError(value)

    def _byte(self) -> int:
        self.position += 1
        return self.data[self.position - 1]
