"""One upload by another client, in a process of its own: prints what it cost as one line of JSON.

    python peers.py obstore|pyarrow|boto3 PARTS PART_MIB PARTS_IN_FLIGHT

Endpoint and credentials come from the environment. Each is used as its documentation shows, at its defaults but for the
size of parts and how many are sent at once. The bytes are the same memory in each part, made before the clock starts.
"""
import json
import os
import resource
import sys
import time

BUCKET, KEY = "bucket", "object"


class Repeated:
    """A file of `parts` times the same block."""

    def __init__(self, block, parts):
        self.block, self.left = block, parts * len(block)

    def read(self, size=-1):
        if size < 0 or size > len(self.block):
            size = len(self.block)
        size = min(size, self.left)
        self.left -= size
        return self.block if size == len(self.block) else self.block[:size]


def with_obstore(block, parts, in_flight):
    import obstore
    from obstore.store import S3Store
    plain = os.environ["AWS_ENDPOINT_URL"].startswith("http://")
    # Certificates of the benchmark's server are made at its start; obstore takes no file of authorities.
    options = {"allow_http": True} if plain else {"allow_invalid_certificates": True}
    store = S3Store(BUCKET, client_options=options)
    return lambda: obstore.put(store, KEY, (block for _ in range(parts)), use_multipart=True,
                               chunk_size=len(block), max_concurrency=in_flight)


def with_pyarrow(block, parts, _):
    from pyarrow.fs import S3FileSystem, initialize_s3
    initialize_s3(num_event_loop_threads=1)
    scheme, host = os.environ["AWS_ENDPOINT_URL"].split("://")
    arguments = {} if scheme == "http" else {"tls_ca_file_path": os.environ["AWS_CA_BUNDLE"]}
    store = S3FileSystem(endpoint_override=host, scheme=scheme, access_key="key", secret_key="secret",
                         region="us-east-1", **arguments)

    def upload():
        with store.open_output_stream(f"{BUCKET}/{KEY}") as stream:
            for _ in range(parts):
                stream.write(block)
    return upload


def with_boto3(block, parts, in_flight):
    import boto3
    from boto3.s3.transfer import TransferConfig
    from botocore.config import Config
    client = boto3.client("s3", config=Config(s3={"addressing_style": "path"}, max_pool_connections=in_flight))
    transfer = TransferConfig(multipart_chunksize=len(block), max_concurrency=in_flight)
    return lambda: client.upload_fileobj(Repeated(block, parts), BUCKET, KEY, Config=transfer)


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main():
    name, parts, part_mib, in_flight = sys.argv[1], *map(int, sys.argv[2:5])
    block = os.urandom(part_mib << 20)
    clients = {"obstore": with_obstore, "pyarrow": with_pyarrow, "boto3": with_boto3}
    upload = clients[name](block, parts, in_flight)
    cpu, wall = cpu_seconds(), time.monotonic()
    upload()
    print(json.dumps({"cpu_s": cpu_seconds() - cpu, "wall_s": time.monotonic() - wall,
                      "rss_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
                      "bytes": parts * len(block)}))


if __name__ == "__main__":
    main()
