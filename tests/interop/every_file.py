"""Files with a column for every type, written with each choice of encodings, in several row groups and by several
processes; for readers that come with programs of their own (readers.sh)."""
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from conftest import save, write_with_options
from every_type import every_type
from random_tables import read_back

HERE = Path(__file__).parent
COMMON = ["row_group_rows=500", "page_bytes=4096", "resume=700", "checkpoint=900", "sorted=id", "bloom=id"]
VARIANTS = {
    "portable": ["encodings=portable"],
    "spark": ["encodings=spark"],
    "all": ["encodings=all"],
    "all_v2": ["encodings=all", "pages=v2"],
    "portable_v2_none": ["encodings=portable", "pages=v2", "codec=none"],
    "off": ["adaptive=off"],
}
PAGED_ROWS = 60_000


BITS = {16: pa.int16(), 32: pa.int32(), 64: pa.int64()}


def plain(array):
    """The values, without dictionary, views and extension type."""
    array = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
    t = array.type
    if isinstance(array, pa.ExtensionArray):
        return plain(array.storage)
    if pa.types.is_dictionary(t):
        return plain(array.dictionary).take(array.indices)
    if pa.types.is_string_view(t):
        return array.cast(pa.string())
    if pa.types.is_binary_view(t):
        return array.cast(pa.binary())
    if pa.types.is_list_view(t) or pa.types.is_large_list_view(t):
        # Arrow's own cast to lists gives other rows where some are null.
        return pa.array(array.to_pylist(), (pa.list_ if pa.types.is_list_view(t) else pa.large_list)(t.value_field))
    return array


def assert_same(got, wanted, field):
    """Equal values; those of a reader that has another type for them are cast. Floats are compared by their bits, since
    -0 equals 0."""
    got, wanted = plain(got), plain(wanted)
    if pa.types.is_null(wanted.type):
        assert got.null_count == len(wanted), field
        return
    wanted = wanted.cast(read_back(wanted.type))
    got = got if got.type == wanted.type else got.cast(wanted.type)
    if pa.types.is_floating(wanted.type):
        got, wanted = (array.view(BITS[array.type.bit_width]) for array in (got, wanted))
    if not got.equals(wanted):
        row = next(i for i in range(len(wanted)) if not got[i].equals(wanted[i]))
        raise AssertionError(f"{field}, row {row}: {got[row]!r} instead of {wanted[row]!r}")


class EveryFile:
    """One table, written once with each variant."""

    def __init__(self, folder, without=()):
        self.folder = folder
        table, self.values = every_type()
        self.table = table.drop_columns([f.name for f in table.schema if f.type in without])
        self.source = save(self.table, folder / "every.arrows", batch_rows=333)

    def path(self, variant):
        target = self.folder / f"{variant}.parquet"
        if not target.exists():
            write_with_options(self.source, target, *COMMON, *VARIANTS[variant])
        return target

    def compare(self, got):
        assert len(got) == len(self.table)
        for field in self.table.schema:
            assert_same(got[field.name], self.table[field.name], field)


@pytest.fixture(scope="session")
def every(tmp_path_factory):
    return EveryFile(tmp_path_factory.mktemp("every"))


@pytest.fixture(scope="session")
def paged(tmp_path_factory):
    """A file of many pages, id rising, and its table: for readers that skip pages, or row groups by a bloom filter."""
    folder = tmp_path_factory.mktemp("paged")
    ids = np.arange(PAGED_ROWS) * 1009
    table = pa.table({"id": ids, "text": [f"t{i}" for i in ids]})
    source = save(table, folder / "in.arrows")
    write_with_options(source, folder / "f.parquet", "row_group_rows=20000", "page_bytes=8192", "bloom=id",
                       "resume=30000")
    return folder / "f.parquet", table


def install(*arguments):
    """What readers.sh prints."""
    done = subprocess.run([HERE / "readers.sh", *map(str, arguments)], stdout=subprocess.PIPE, text=True, timeout=3000)
    assert done.returncode == 0, "readers.sh failed; it says why above"
    return done.stdout.strip()


PYTHON = sys.executable
