"""Records a server's answers as seeds of the corpora: bodies for xml_replies, whole answers for http_answer.

    testing/servers/servers.sh run NAME -- .venv/bin/python tests/fuzz/record_answers.py NAME [CORPUS]

Asks for what the client asks for, with and without success. A body that is there already is not written again.
"""

import hashlib
import io
import os
import sys
from pathlib import Path

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

MAX_BODY = 4096


class Recorder:
    def __init__(self, server, corpus):
        self.server, self.corpus, self.seen = server, corpus, set()

    def write(self, target, name, data):
        digest = hashlib.sha256(data).digest()
        if data and digest not in self.seen:
            self.seen.add(digest)
            folder = self.corpus / target
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{self.server}-{name}").write_bytes(data)

    def on_answer(self, response_dict, event_name, **_):
        status, body = response_dict["status_code"], response_dict["body"]
        body = body if isinstance(body, bytes) else b""
        name = f"{event_name.rpartition('.')[2]}-{status}"
        if body.lstrip().startswith(b"<"):
            self.write("xml_replies", name, body[:MAX_BODY])
        lines = [f"HTTP/1.1 {status} X", *(f"{k}: {v}" for k, v in response_dict["headers"].items())]
        self.write("http_answer", name, "\r\n".join(lines).encode() + b"\r\n\r\n" + body[:MAX_BODY])


def ask(call, **arguments):
    """The answer, or None: a refusal is recorded as well as a success."""
    try:
        return call(**arguments)
    except ClientError:
        return None


def main():
    recorder = Recorder(sys.argv[1], Path(sys.argv[2] if len(sys.argv) > 2 else Path(__file__).parent / "corpus"))
    s3 = boto3.client("s3", endpoint_url=os.environ["AWS_ENDPOINT_URL"], config=Config(
        s3={"addressing_style": "path"}, retries={"max_attempts": 1}, request_checksum_calculation="when_required"))
    s3.meta.events.register("before-parse.s3.*", recorder.on_answer)
    bucket = {"Bucket": os.environ["TAILRACE_BUCKET"]}
    there, absent = {**bucket, "Key": "a b/+%&é.parquet"}, {**bucket, "Key": "absent"}
    ask(s3.put_object, **there, Body=b"0123456789", Metadata={"tailrace-write-id": "w"})
    ask(s3.head_object, **there)
    ask(s3.head_object, **absent)
    ask(s3.get_object, **absent)
    ask(s3.get_object, **there, Range="bytes=90-99")
    ask(s3.put_object, **there, Body=b"x", IfNoneMatch="*")
    ask(s3.list_objects_v2, **bucket, Delimiter="/", EncodingType="url")
    upload = s3.create_multipart_upload(**there)["UploadId"]
    of_upload = {**there, "UploadId": upload}
    part = s3.upload_part(**of_upload, PartNumber=1, Body=io.BytesIO(b"x" * (5 << 20)))
    s3.upload_part(**of_upload, PartNumber=2, Body=b"y")
    ask(s3.list_multipart_uploads, **bucket)
    ask(s3.list_parts, **of_upload)
    ask(s3.list_parts, **of_upload, MaxParts=1)
    parts = [{"PartNumber": 1, "ETag": part["ETag"]}]
    wrong = [{"PartNumber": 1, "ETag": '"0123456789abcdef0123456789abcdef"'}]
    ask(s3.complete_multipart_upload, **of_upload, MultipartUpload={"Parts": wrong})
    ask(s3.complete_multipart_upload, **of_upload, MultipartUpload={"Parts": parts})
    ask(s3.abort_multipart_upload, **of_upload)
    ask(s3.list_parts, **absent, UploadId="absent")
    ask(s3.delete_objects, **bucket, Delete={"Objects": [{"Key": there["Key"]}]})
    ask(s3.list_objects_v2, Bucket="no-such-bucket-here")


if __name__ == "__main__":
    main()
