"""The row groups of a Parquet file, read from its footer: polars does not list them."""

import io
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any

from pyramidion.collection.formats.table_files import parquet_height
from pyramidion.errors import Where
from pyramidion.files.reading import MAX_MODEL_BYTES

# Maximum number of values to read in a footer, which has about 20 per column and row group.
_MAX_FOOTER_VALUES = 2**19

# Fields of FileMetaData and RowGroup, numbered in parquet.thrift.
_ROW_GROUPS_FIELD, _BYTES_FIELD, _ROWS_FIELD = 4, 2, 3


def read_row_groups(data: IO[bytes], where: Where) -> list[tuple[int, int]]:
    """Return the numbers of rows and unpacked bytes of each row group.

    All rows are one group if polars can read the footer and this module cannot.
    """
    height = parquet_height(data, where)
    # A footer may be damaged, so its rows must add up to what polars counts.
    with suppress(ValueError, LookupError, TypeError, AttributeError):
        groups = [
            (group[_ROWS_FIELD], group[_BYTES_FIELD])
            for group in _read_footer(data)[_ROW_GROUPS_FIELD]
        ]
        if sum(n_rows for n_rows, _ in groups) == height and min(map(min, groups)) >= 0:
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
    return _CompactReader(data.read(length)).read_struct()


@dataclass(slots=True)
class _CompactReader:
    """Reads Thrift's compact protocol; anything but integers is skipped."""

    data: bytes
    position: int = 0
    n_values: int = 0

    def read_struct(self, depth: int = 0) -> dict[int, Any]:
        """Read the fields of a struct by number."""
        fields: dict[int, Any] = {}
        field_number = 0
        while header := self._read_byte():
            field_number = field_number + (header >> 4) if header >> 4 else self._read_integer()
            # The value of a Boolean field is in its type.
            fields[field_number] = self._read_value(0 if header & 15 < 3 else header & 15, depth)
        return fields

    def _read_value(self, type_code: int, depth: int) -> Any:
        self.n_values += 1
        if self.n_values > _MAX_FOOTER_VALUES or depth > 16:
            raise ValueError(type_code)
        if type_code in (4, 5, 6):
            return self._read_integer()
        if type_code == 12:
            return self.read_struct(depth + 1)
        if type_code == 9:
            header = self._read_byte()
            count = self._read_unsigned() if header >> 4 == 15 else header >> 4
            return [self._read_value(header & 15, depth + 1) for _ in range(count)]
        # Skip Booleans, bytes, floating-point numbers and texts; footers have no sets or maps.
        length = (
            self._read_unsigned() if type_code == 8 else {0: 0, 1: 1, 2: 1, 3: 1, 7: 8}[type_code]
        )
        self.position += length
        return None

    def _read_integer(self) -> int:
        value = self._read_unsigned()
        return value >> 1 ^ -(value & 1)

    def _read_unsigned(self) -> int:
        value = 0
        for shift in range(0, 70, 7):
            byte = self._read_byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
        raise ValueError(value)

    def _read_byte(self) -> int:
        self.position += 1
        return self.data[self.position - 1]
