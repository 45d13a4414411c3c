"""Writes an Arrow IPC file, which it maps, by Polars' sink_parquet at its defaults. Prints its cost, start-up left out.

    python write_polars.py IN.arrow OUT.parquet zstd|snappy|none
"""
import sys

import polars as pl

from own_cost import printed_cost

source, target, codec = sys.argv[1:]
with printed_cost():
    pl.scan_ipc(source).sink_parquet(target, compression="uncompressed" if codec == "none" else codec)
