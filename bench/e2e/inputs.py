"""What the benchmarks write, as Arrow IPC files in a folder that is kept between runs.

    python inputs.py FOLDER table ROWS | lineitem SCALE | wide COLUMNS ROWS | as_file STREAM
"""
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.ipc as ipc
import pyarrow.parquet as pq

BATCH_ROWS = 1 << 18


def table_batches(rows):
    """int64 (0, 1, 2, ...), float64 (random), 22-byte string (all different)."""
    random = np.random.default_rng(1)
    for begin in range(0, rows, BATCH_ROWS):
        n = min(BATCH_ROWS, rows - begin)
        text = np.char.add("user-id-", np.char.zfill(random.integers(0, 10**14, n).astype("U14"), 14))
        yield pa.record_batch({"id": pa.array(np.arange(begin, begin + n)), "v": pa.array(random.random(n)),
                               "s": pa.array(text, pa.string())})


def save_stream(batches, path):
    """An IPC stream; whole or not at all."""
    batches = iter(batches)
    first = next(batches)
    part = path.with_name(path.name + ".part")
    with ipc.new_stream(part, first.schema) as sink:
        sink.write_batch(first)
        for batch in batches:
            sink.write_batch(batch)
    part.rename(path)


def table(folder, rows):
    path = folder / f"table-{rows}.arrows"
    if not path.exists():
        save_stream(table_batches(rows), path)
    return path


def without_views(schema):
    return pa.schema([f.with_type(pa.string()) if f.type == pa.string_view() else f for f in schema])


def lineitem(folder, scale):
    """TPC-H lineitem of tpchgen-cli."""
    path = folder / f"lineitem-{scale}.arrows"
    if path.exists():
        return path
    program = shutil.which("tpchgen-cli", path=str(Path(sys.executable).parent)) or shutil.which("tpchgen-cli")
    if program is None:
        raise SystemExit("tpchgen-cli is missing; tools/setup.sh --bench installs it")
    subprocess.run([program, "parquet", "-s", str(scale), "--tables", "lineitem", "--output-dir", folder], check=True)
    file = pq.ParquetFile(folder / "lineitem.parquet")
    schema = without_views(file.schema_arrow)
    save_stream((pa.RecordBatch.from_arrays([column.cast(f.type) for column, f in zip(batch.columns, schema)],
                                            schema=schema) for batch in file.iter_batches(BATCH_ROWS)), path)
    (folder / "lineitem.parquet").unlink()
    return path


def as_file(stream):
    """The same batches as an IPC file, which can be mapped."""
    path = stream.with_suffix(".arrow")
    if not path.exists():
        part = path.with_name(path.name + ".part")
        with ipc.open_stream(stream) as batches, ipc.new_file(part, batches.schema) as sink:
            for batch in batches:
                sink.write_batch(batch)
        part.rename(path)
    return path


def wide(folder, columns, rows):
    """Half int64, half float64, all random."""
    path = folder / f"wide-{columns}-{rows}.arrows"
    if not path.exists():
        random = np.random.default_rng(2)
        arrays = {f"c{i}": random.random(rows) if i % 2 else random.integers(0, 1 << 40, rows) for i in range(columns)}
        save_stream(pa.table(arrays).to_batches(max_chunksize=1024), path)
    return path


def made(folder, kind, *arguments):
    """The path of an input. It is made by a process of its own: what this one uses most would count as the least that
    the processes it measures use."""
    command = [sys.executable, __file__, str(folder), kind, *map(str, arguments)]
    return Path(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[-1])


def main():
    folder, kind, *arguments = sys.argv[1:]
    if kind == "as_file":
        print(as_file(Path(arguments[0])))
    else:
        print({"table": table, "lineitem": lineitem, "wide": wide}[kind](Path(folder), *map(int, arguments)))


if __name__ == "__main__":
    main()
