"""Repeats the batches of an Arrow IPC stream into standard output until they have so many bytes.

    python repeat_stream.py IN.arrows BYTES
"""
import sys

import pyarrow.ipc as ipc

source, left = sys.argv[1], int(sys.argv[2])
with ipc.open_stream(source) as reader:
    batches = list(reader)
    with ipc.new_stream(sys.stdout.buffer, reader.schema) as sink:
        while left > 0:
            for batch in batches:
                sink.write_batch(batch)
                left -= batch.nbytes
                if left <= 0:
                    break
