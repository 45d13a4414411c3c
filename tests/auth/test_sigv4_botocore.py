"""Signatures compared with botocore's, request by request.

Each random request is signed by both; URL, signed headers and signature must be the same. TAILRACE_SEED gives another
series; a failure prints the request.
"""

import datetime
import json
import os
import random
import subprocess
from urllib.parse import parse_qsl, urlsplit

import botocore.auth
import pytest
from botocore.awsrequest import AWSRequest
from botocore.compat import HTTPHeaders
from botocore.credentials import Credentials
from botocore.utils import percent_encode

SEED = int(os.environ.get("TAILRACE_SEED", "20260131"))
UNSIGNED = "UNSIGNED-PAYLOAD"
# What is easily encoded wrongly: reserved, looks encoded, normalised by others, more than one byte or UTF-16 unit.
PIECES = [" ", "+", "=", "&", "%", "%2F", "%41", ":", ",", "/", "//", "/./", "/../", "..", ".", "~", "*", "'", "(", ")",
          "!", "@", "$", ";", "?", "#", "[", "]", "\\", '"', "<", ">", "^", "`", "|", "{", "}", "\t", "\x01", "\x7f",
          "ä", "é", "e\u0301", "€", "日本", "🌊", "\u200b", "\ufeff", "\U0010ffff"]


def random_text(rng, longest):
    length = rng.randint(0, longest)
    return "".join(rng.choice(PIECES) if rng.random() < 0.6 else rng.choice("abcXYZ019-_") for _ in range(length))


def random_unicode(rng, longest):
    length = rng.randint(0, longest)
    return "".join(chr(rng.choice([rng.randrange(1, 0xD800), rng.randrange(0xE000, 0x110000)])) for _ in range(length))


def random_request(rng):
    text = random_text if rng.random() < 0.8 else random_unicode
    # botocore keeps the parameters of a presigned URL in a dict, so no name comes twice.
    query = {text(rng, 4) or "uploads": text(rng, 6) for _ in range(rng.choice([0, 0, 1, 2, 5]))}
    headers = {f"x-amz-meta-{i}": rng.choice(["plain", " a  b   c ", "x=1, y", "", "~!*'()"])
               for i in range(rng.choice([0, 1, 3]))}
    if rng.random() < 0.3:
        headers["Range"] = "bytes=0-9"
    if rng.random() < 0.3:
        headers["Content-Type"] = "application/vnd.apache.parquet"
    if rng.random() < 0.2:
        headers["User-Agent"] = "not signed"
    second = datetime.timedelta(seconds=rng.randrange(0, 60 * 365 * 86400))
    return {
        "method": rng.choice(["GET", "PUT", "POST", "HEAD", "DELETE"]),
        "scheme": rng.choice(["http", "https"]),
        "host": rng.choice(["bucket.s3.eu-central-1.amazonaws.com", "127.0.0.1", "localhost"]),
        "port": rng.choice([0, 80, 443, 9000]),
        "path": "/" + text(rng, 12),
        "query": list(query.items()),
        "headers": list(headers.items()),
        "access_key_id": "AKIDEXAMPLE",
        "secret_access_key": rng.choice(["wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "x", "s" * 100]),
        "session_token": rng.choice(["", "token+/=="]),
        "region": rng.choice(["us-east-1", "auto", "eu-central-1"]),
        "service": "s3",
        "time": (datetime.datetime(1970, 1, 1) + second).isoformat() + "Z",
        "payload_hash": rng.choice(["", UNSIGNED]),
        "body": random_text(rng, 5),
    }


def authority(request):
    own = {"http": 80, "https": 443}[request["scheme"]]
    return request["host"] + (f":{request['port']}" if request["port"] not in (0, own) else "")


def botocore_request(request):
    url = f"{request['scheme']}://{authority(request)}{percent_encode(request['path'], safe='/~')}"
    if request["query"]:
        url += "?" + "&".join(f"{percent_encode(k)}={percent_encode(v)}" for k, v in request["query"])
    made = AWSRequest(method=request["method"], url=url, data=request["body"].encode())
    made.headers = HTTPHeaders()
    for name, value in request["headers"]:
        made.headers[name] = value
    signs_body = request["payload_hash"] != UNSIGNED
    made.context["payload_signing_enabled"] = signs_body
    made.context["client_config"] = type("Config", (), {"s3": {"payload_signing_enabled": signs_body}})
    return made


def credentials_of(request):
    return Credentials(request["access_key_id"], request["secret_access_key"], request["session_token"] or None)


def set_clock(monkeypatch, request):
    moment = datetime.datetime.fromisoformat(request["time"])
    monkeypatch.setattr(botocore.auth, "get_current_datetime", lambda *args, **kwargs: moment)


def sign_all(requests):
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    run = subprocess.run([os.environ["SIGN_LINES"]], input=lines.encode(), stdout=subprocess.PIPE, check=True)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(answers) == len(requests)
    return answers


def authorization(headers):
    """The fields of an Authorization header: signers differ in the blanks between them."""
    scheme, _, fields = headers["authorization"].partition(" ")
    return scheme, dict(field.strip().split("=", 1) for field in fields.split(","))


def test_headers(monkeypatch):
    rng = random.Random(SEED)
    requests = [random_request(rng) for _ in range(4000)]
    for request, ours in zip(requests, sign_all(requests)):
        set_clock(monkeypatch, request)
        theirs = botocore_request(request)
        botocore.auth.S3SigV4Auth(credentials_of(request), "s3", request["region"]).add_auth(theirs)
        our_headers = {name.lower(): value for name, value in ours["headers"]}
        their_headers = {name.lower(): value for name, value in theirs.headers.items()}
        assert urlsplit(ours["url"])[:3] == urlsplit(theirs.url)[:3], request
        assert authorization(our_headers) == authorization(their_headers), request
        for name in ("x-amz-date", "x-amz-content-sha256", "x-amz-security-token"):
            assert our_headers.get(name) == their_headers.get(name), request


def test_presigned(monkeypatch):
    rng = random.Random(SEED + 1)
    requests = [random_request(rng) | {"headers": [], "body": "", "valid_for": rng.choice([1, 3600, 604800])}
                for _ in range(2000)]
    for request, ours in zip(requests, sign_all(requests)):
        set_clock(monkeypatch, request)
        theirs = botocore_request(request)
        signer = botocore.auth.S3SigV4QueryAuth(credentials_of(request), "s3", request["region"], request["valid_for"])
        signer.add_auth(theirs)
        assert urlsplit(ours["url"])[:3] == urlsplit(theirs.url)[:3], request
        sets = [sorted(parse_qsl(urlsplit(url).query, keep_blank_values=True)) for url in (ours["url"], theirs.url)]
        assert sets[0] == sets[1], request


@pytest.mark.parametrize("body", ["Action=AssumeRole&Version=2011-06-15&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fr", ""])
def test_sts(monkeypatch, body):
    """The other service that is called with a signature: its body is hashed, and no header says so."""
    request = random_request(random.Random(SEED)) | {
        "method": "POST", "path": "/", "query": [], "body": body, "payload_hash": "", "service": "sts",
        "session_token": "token+/==", "headers": [["Content-Type", "application/x-www-form-urlencoded"]]}
    set_clock(monkeypatch, request)
    theirs = botocore_request(request)
    botocore.auth.SigV4Auth(credentials_of(request), "sts", request["region"]).add_auth(theirs)
    our_headers = {name.lower(): value for name, value in sign_all([request])[0]["headers"]}
    their_headers = {name.lower(): value for name, value in theirs.headers.items()}
    assert authorization(our_headers) == authorization(their_headers)
    assert "x-amz-content-sha256" not in our_headers
