"""The S3 server of the tests as boto3 sees it: whatever the server refuses, it must not be AWS's own client's way."""

import base64
import hashlib
import json
import os
import socket
import subprocess
import urllib.request

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

PART = b"p" * (5 << 20)


class Server:
    """The server as a child, which ends with its standard input."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [os.environ["TAILRACE_FAULT_SERVER"], *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.settings = dict(line.strip().split("=", 1) for line in iter(self.process.stdout.readline, "\n"))

    def client(self, secret=None, style="path", **config):
        return boto3.client(
            "s3",
            endpoint_url=self.settings["AWS_ENDPOINT_URL"],
            aws_access_key_id=self.settings["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=secret or self.settings["AWS_SECRET_ACCESS_KEY"],
            region_name=self.settings["AWS_REGION"],
            config=Config(
                s3={"addressing_style": style},
                request_checksum_calculation="when_required",
                response_checksum_validation="when_required",
                retries={"total_max_attempts": 1},
                **config,
            ),
        )

    def stop(self):
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait(timeout=20)


@pytest.fixture
def server():
    one = Server()
    yield one
    assert one.stop() == 0


def code(call, **arguments):
    with pytest.raises(ClientError) as error:
        call(**arguments)
    return error.value.response["Error"]["Code"]


KEYS = ["plain", "a b/c+d", "x=1/y:2", "é/ü", "100%", "a&b,c;d@e$f", "q?x", "#", "~!*'()", "a//b"]


@pytest.mark.parametrize("key", KEYS)
def test_keys_are_taken_byte_for_byte(server, key):
    s3 = server.client()
    s3.put_object(Bucket="bucket", Key=key, Body=b"x")
    assert s3.get_object(Bucket="bucket", Key=key)["Body"].read() == b"x"
    assert [o["Key"] for o in s3.list_objects_v2(Bucket="bucket")["Contents"]] == [key]
    upload = s3.create_multipart_upload(Bucket="bucket", Key=key)["UploadId"]
    s3.upload_part(Bucket="bucket", Key=key, UploadId=upload, PartNumber=1, Body=b"y")
    assert s3.list_multipart_uploads(Bucket="bucket")["Uploads"][0]["Key"] == key
    s3.abort_multipart_upload(Bucket="bucket", Key=key, UploadId=upload)
    s3.delete_objects(Bucket="bucket", Delete={"Objects": [{"Key": key}]})
    assert "Contents" not in s3.list_objects_v2(Bucket="bucket")


@pytest.fixture
def names_below_localhost(monkeypatch):
    """Let "bucket.localhost" be this machine, as curl does; not every resolver does."""
    look_up = socket.getaddrinfo
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda host, *rest, **more: look_up(str(host).removeprefix("bucket."), *rest, **more)
    )


@pytest.mark.parametrize("style", ["path", "virtual"])
def test_whole_life_of_an_upload(server, names_below_localhost, style):
    # The name of the bucket goes into the host only where that is a name.
    server.settings["AWS_ENDPOINT_URL"] = server.settings["AWS_ENDPOINT_URL"].replace("127.0.0.1", "localhost")
    s3 = server.client(style=style)
    upload = s3.create_multipart_upload(
        Bucket="bucket", Key="k", Metadata={"w": "1"}, ChecksumAlgorithm="SHA256", Tagging="a=b%20c"
    )["UploadId"]
    parts = []
    for number, body in ((1, PART), (2, b"tail")):
        digest = base64.b64encode(hashlib.sha256(body).digest()).decode()
        stored = s3.upload_part(
            Bucket="bucket", Key="k", UploadId=upload, PartNumber=number, Body=body, ChecksumSHA256=digest
        )
        parts.append({"PartNumber": number, "ETag": stored["ETag"], "ChecksumSHA256": stored["ChecksumSHA256"]})
    listed = s3.list_parts(Bucket="bucket", Key="k", UploadId=upload)["Parts"]
    assert [(p["PartNumber"], p["Size"], p["ETag"]) for p in listed] == [
        (1, len(PART), parts[0]["ETag"]),
        (2, 4, parts[1]["ETag"]),
    ]
    done = s3.complete_multipart_upload(Bucket="bucket", Key="k", UploadId=upload, MultipartUpload={"Parts": parts})
    head = s3.head_object(Bucket="bucket", Key="k", ChecksumMode="ENABLED")
    assert head["ETag"] == done["ETag"]
    assert head["Metadata"] == {"w": "1"}
    assert head["ChecksumSHA256"] == done["ChecksumSHA256"]
    assert s3.get_object_tagging(Bucket="bucket", Key="k")["TagSet"] == [{"Key": "a", "Value": "b c"}]
    assert s3.get_object(Bucket="bucket", Key="k", Range="bytes=-4")["Body"].read() == b"tail"
    again = dict(Bucket="bucket", Key="k", UploadId=upload, MultipartUpload={"Parts": parts})
    assert code(s3.complete_multipart_upload, **again) == "NoSuchUpload"


def test_refusals(server):
    s3 = server.client()
    stranger = server.client(secret="wrong")
    assert code(stranger.put_object, Bucket="bucket", Key="k", Body=b"x") == "SignatureDoesNotMatch"
    assert code(s3.put_object, Bucket="none", Key="k", Body=b"x") == "NoSuchBucket"
    assert code(s3.get_object, Bucket="bucket", Key="k") == "NoSuchKey"
    wrong = base64.b64encode(bytes(4)).decode()
    assert code(s3.put_object, Bucket="bucket", Key="k", Body=b"x", ChecksumCRC32=wrong) == "BadDigest"
    s3.put_object(Bucket="bucket", Key="k", Body=b"x", IfNoneMatch="*")
    assert code(s3.put_object, Bucket="bucket", Key="k", Body=b"y", IfNoneMatch="*") == "PreconditionFailed"


def test_presigned_url(server):
    s3 = server.client(signature_version="s3v4")
    s3.put_object(Bucket="bucket", Key="a b", Body=b"x")
    url = s3.generate_presigned_url("get_object", {"Bucket": "bucket", "Key": "a b"}, ExpiresIn=60)
    with urllib.request.urlopen(url) as answer:
        assert answer.read() == b"x"


def test_faults_rules_and_log_from_outside(tmp_path):
    faults = tmp_path / "faults.json"
    faults.write_text(
        json.dumps(
            {
                "about": "the first PUT is stored but not acknowledged",
                "rules": [{"when": {"operation": "PutObject"}, "then": {"status": 503, "code": "SlowDown"}}],
            }
        )
    )
    log = tmp_path / "log"
    server = Server("--rules", '{"buckets": ["mine"]}', "--faults", str(faults), "--log", str(log))
    s3 = server.client()
    assert code(s3.put_object, Bucket="mine", Key="k", Body=b"x") == "SlowDown"
    assert s3.get_object(Bucket="mine", Key="k")["Body"].read() == b"x"
    assert server.stop() == 0
    calls = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(c["operation"], c["status"], c["faulty"]) for c in calls] == [
        ("PutObject", 503, True),
        ("GetObject", 200, False),
    ]
    assert server.settings["AWS_SECRET_ACCESS_KEY"] not in log.read_text()
