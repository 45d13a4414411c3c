"""Writes an Arrow IPC stream by pyarrow.parquet.ParquetWriter at its defaults. Prints its cost, start-up left out.

    python write_pyarrow.py IN.arrows OUT.parquet zstd|snappy|none
"""
import sys

import pyarrow.ipc as ipc
import pyarrow.parquet as pq

from own_cost import printed_cost

source, target, codec = sys.argv[1:]
with printed_cost(), open(source, "rb") as file:
    batches = ipc.open_stream(file)
    with pq.ParquetWriter(target, batches.schema, compression=codec) as writer:
        for batch in batches:
            writer.write_batch(batch)
