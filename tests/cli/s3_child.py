"""The strict S3 server of the tests as a child; its program is in the environment variable TAILRACE_FAULT_SERVER."""

import io
import json
import os
import subprocess
from collections import Counter

import boto3
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from botocore.config import Config
from conftest import PATIENCE_S, ipc_stream

MIB = 1 << 20
SECRET = "tailrace/test+secret"  # that of the server
# The smallest part that S3 takes, and no codec, so that rows are bytes.
PARTS = ["--part-size", "5MiB", "--codec", "none"]


def wide_table(rows, first=0):
    """About 160 bytes a row that do not repeat."""
    ids = range(first, first + rows)
    return pa.table(
        {
            "id": pa.array(ids, pa.int64()),
            "text": pa.array([f"{i * 2654435761 % 4294967291:0150x}" for i in ids], pa.string()),
        }
    )


SMALL = wide_table(100)
BIG = wide_table(80_000)  # 13 MB: three parts of 5 MiB
BIG_STREAM = ipc_stream(BIG, 5000)


class FaultServer:
    """Ends with its standard input; `calls` is filled then."""

    def __init__(self, folder, rules=None, faults=None, tls=False):
        self.log = folder / f"calls-{id(self)}.jsonl"
        self.ca_file = folder / f"ca-{id(self)}.pem"
        self.folder = folder
        command = [os.environ["TAILRACE_FAULT_SERVER"], "--log", str(self.log)]
        if rules:
            command += ["--rules", json.dumps(rules)]
        if faults:
            command += ["--faults", str(faults)]
        if tls:
            command += ["--tls", str(self.ca_file)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        lines = iter(self.process.stdout.readline, "\n")
        self.settings = dict(line.strip().split("=", 1) for line in lines if line)
        self.endpoint = self.settings["AWS_ENDPOINT_URL"]
        self.calls = None

    def env(self, **changes):
        """All that a program needs to reach the server, and nothing of this machine's own. None takes one out."""
        names = ("AWS_ENDPOINT_URL", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION")
        env = {name: self.settings[name] for name in names}
        env |= {"HOME": str(self.folder), "PATH": os.environ["PATH"], "AWS_EC2_METADATA_DISABLED": "true"} | changes
        return {name: value for name, value in env.items() if value is not None}

    def client(self):
        return boto3.client(
            "s3",
            endpoint_url=self.endpoint,
            aws_access_key_id=self.settings["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=self.settings["AWS_SECRET_ACCESS_KEY"],
            region_name="us-east-1",
            config=Config(
                s3={"addressing_style": "path"},
                request_checksum_calculation="when_required",
                response_checksum_validation="when_required",
            ),
        )

    def table(self, key="k.parquet"):
        body = self.client().get_object(Bucket="bucket", Key=key)["Body"].read()
        return pq.read_table(io.BytesIO(body))

    def is_absent(self, key="k.parquet"):
        s3 = self.client()
        return "Contents" not in s3.list_objects_v2(Bucket="bucket", Prefix=key)

    def uploads(self):
        return self.client().list_multipart_uploads(Bucket="bucket").get("Uploads", [])

    def stop(self):
        """The calls of its life, in order."""
        if self.calls is None:
            self.process.stdin.close()
            self.process.stdout.close()
            assert self.process.wait(timeout=PATIENCE_S) == 0
            self.calls = [json.loads(line) for line in self.log.read_text().splitlines()]
        return self.calls

    def counts(self):
        return Counter(call["operation"] for call in self.stop())

    def headers(self, operation):
        """Of each call of it, with lower-case names."""
        return [
            {name.lower(): value for name, value in call["headers"].items()}
            for call in self.stop()
            if call["operation"] == operation
        ]


@pytest.fixture
def fault_server(tmp_path):
    """Starts servers that are stopped, at the latest, when the test ends."""
    started = []

    def start(**options):
        started.append(FaultServer(tmp_path, **options))
        return started[-1]

    yield start
    for server in started:
        server.stop()
