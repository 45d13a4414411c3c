"""The main job on one real server: write, kill -9, resume, commit, read by pyarrow and boto3.

Runs inside `testing/servers/servers.sh run NAME --`, which says where the server is; TAILRACE is the program.
"""

import io
import json
import os
import signal
import subprocess
import uuid

import boto3
import pyarrow as pa
import pyarrow.fs
import pyarrow.parquet as pq
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

BUCKET = os.environ["TAILRACE_BUCKET"]
ENDPOINT = os.environ["AWS_ENDPOINT_URL"]
PATIENCE_S = 300
ROWS = 400_000
# Small enough that checkpoints lie inside the file's first parts, large enough for every store.
PART_BYTES = 5 << 20
EVERY = ["--checkpoint-every", "50000rows"]
OPTIONS = ["--part-size", str(PART_BYTES), "--codec", "none"]


def make_table(rows):
    """Text that does not repeat, so that the file has several parts."""
    ids = range(rows)
    return pa.table(
        {
            "id": pa.array(ids, pa.int64()),
            "name": pa.array([f"{i * 2654435761 % 4294967291:032x}" for i in ids], pa.string()),
            "value": pa.array([i * 0.25 if i % 7 else None for i in ids], pa.float64()),
        }
    )


TABLE = make_table(ROWS)


def ipc_stream(table, end=True):
    sink = io.BytesIO()
    writer = pa.ipc.new_stream(sink, table.schema)
    for batch in table.to_batches(max_chunksize=5000):
        writer.write_batch(batch)
    if end:
        writer.close()
    return sink.getvalue()


def tailrace(*arguments, data=b""):
    done = subprocess.run(
        [os.environ["TAILRACE"], *map(str, arguments)], input=data, capture_output=True, timeout=PATIENCE_S
    )
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout.decode()}\n{done.stderr.decode()}"
    return [json.loads(line) for line in done.stdout.splitlines()]


def write_and_die(url, state, checkpoints):
    """A writer that gets SIGKILL after this many checkpoints; the rows of the last one."""
    command = [os.environ["TAILRACE"], "write", "-", url, "--state", state, *EVERY, *OPTIONS, "--json"]
    writer = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    seen = []
    try:
        writer.stdin.write(ipc_stream(TABLE.slice(0, (checkpoints + 1) * 50_000), end=False))
        writer.stdin.flush()
        for line in writer.stdout:
            event = json.loads(line)
            if event["event"] == "checkpoint":
                seen.append(event["rows"])
            if len(seen) == checkpoints:
                break
    finally:
        writer.send_signal(signal.SIGKILL)
        writer.wait(timeout=PATIENCE_S)
        writer.stdout.close()
        try:
            writer.stdin.close()
        except BrokenPipeError:
            pass
    assert len(seen) == checkpoints, seen
    return seen[-1]


@pytest.fixture
def s3():
    return boto3.client(
        "s3",
        endpoint_url=ENDPOINT,
        config=Config(
            s3={"addressing_style": "path"},
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
        ),
    )


@pytest.fixture
def key():
    return f"main job/{uuid.uuid4()}/p=1/part+0.parquet"


@pytest.fixture
def url(key):
    return f"s3://{BUCKET}/{key}".replace(" ", "%20").replace("+", "%2B")


def file_system():
    scheme, address = ENDPOINT.split("://")
    options = {"tls_ca_file_path": os.environ["AWS_CA_BUNDLE"]} if scheme == "https" else {}
    return pyarrow.fs.S3FileSystem(
        endpoint_override=address,
        scheme=scheme,
        access_key=os.environ["AWS_ACCESS_KEY_ID"],
        secret_key=os.environ["AWS_SECRET_ACCESS_KEY"],
        region=os.environ["AWS_REGION"],
        **options,
    )


def assert_absent(s3, key):
    with pytest.raises(ClientError) as error:
        s3.head_object(Bucket=BUCKET, Key=key)
    assert error.value.response["ResponseMetadata"]["HTTPStatusCode"] == 404


def open_uploads(s3, key):
    return [u["UploadId"] for u in s3.list_multipart_uploads(Bucket=BUCKET, Prefix=key).get("Uploads", [])]


def assert_whole(s3, key, table):
    bytes_by_boto = s3.get_object(Bucket=BUCKET, Key=key)["Body"].read()
    assert pq.read_table(io.BytesIO(bytes_by_boto)).equals(table)
    assert pq.read_table(f"{BUCKET}/{key}", filesystem=file_system()).equals(table)
    metadata = pq.read_metadata(io.BytesIO(bytes_by_boto))
    for group in range(metadata.num_row_groups):
        for column in range(metadata.num_columns):
            assert metadata.row_group(group).column(column).has_offset_index
    assert open_uploads(s3, key) == []


def test_killed_writer_is_resumed_and_committed(s3, key, url, tmp_path):
    state, pending = tmp_path / "state", tmp_path / "pending"
    durable = write_and_die(url, state, checkpoints=3)
    assert durable == 150_000
    assert_absent(s3, key)
    assert len(open_uploads(s3, key)) == 1
    tailrace("resume", state, "-", "--no-commit", "--pending", pending, *EVERY, "--json", data=ipc_stream(TABLE))
    assert_absent(s3, key)
    tailrace("commit", pending)
    assert_whole(s3, key, TABLE)
    # Safe to repeat.
    tailrace("commit", pending)
    assert_whole(s3, key, TABLE)


def test_killed_writer_is_finished_at_its_last_state(s3, key, url, tmp_path):
    state = tmp_path / "state"
    durable = write_and_die(url, state, checkpoints=2)
    tailrace("finish", state)
    assert_whole(s3, key, TABLE.slice(0, durable))


def test_killed_writer_is_aborted(s3, key, url, tmp_path):
    state = tmp_path / "state"
    write_and_die(url, state, checkpoints=2)
    tailrace("abort", state)
    assert_absent(s3, key)
    assert open_uploads(s3, key) == []
