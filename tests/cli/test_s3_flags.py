"""Options of stores: each reaches the wire, on the calls that it is for; wrong ones are refused by name."""

import base64
import hashlib
import re
import socket
import threading

import pytest
from conftest import BAD_STATE, DENIED, INVALID, NOT_FOUND, OK, RETRY, USAGE, ipc_stream, run
from s3_child import BIG_STREAM, PARTS, SECRET, SMALL, fault_server  # noqa: F401

URL = "s3://bucket/k.parquet"
SMALL_STREAM = ipc_stream(SMALL)
KEY = bytes(range(32))
CREATE, PART, COMPLETE, PUT = "CreateMultipartUpload", "UploadPart", "CompleteMultipartUpload", "PutObject"


def put(server, *options, code=OK, env=None, url=URL):
    """A write of one PUT."""
    return run("write", "-", url, *options, "--json", data=SMALL_STREAM, code=code, env=env or server.env())


def upload(server, *options, code=OK, env=None):
    """A write of three parts."""
    return run("write", "-", URL, *PARTS, *options, "--json", data=BIG_STREAM, code=code, env=env or server.env())


def test_environment_is_enough_and_requests_are_exact(fault_server):
    server = fault_server()
    put(server)
    upload(server)
    assert server.counts() == {PUT: 1, CREATE: 1, PART: 3, COMPLETE: 1}
    assert {call["status"] for call in server.calls} == {200}


# What goes with the object's creation, and the header that it becomes.
OF_THE_OBJECT = [
    (["--content-type", "application/x-test"], "content-type", "application/x-test"),
    (["--storage-class", "STANDARD_IA"], "x-amz-storage-class", "STANDARD_IA"),
    (["--acl", "bucket-owner-full-control"], "x-amz-acl", "bucket-owner-full-control"),
    (["--tag", "team=a b", "--tag", "x="], "x-amz-tagging", "team=a%20b&x="),
    (["--object-metadata", "Owner=me=too"], "x-amz-meta-owner", "me=too"),
    (["--sse", "s3"], "x-amz-server-side-encryption", "AES256"),
    (["--sse", "kms", "--sse-kms-key-id", "alias/k"], "x-amz-server-side-encryption-aws-kms-key-id", "alias/k"),
    (["--lock-mode", "governance", "--lock-until", "2037-01-31"], "x-amz-object-lock-retain-until-date",
     "2037-01-31T00:00:00Z"),
    (["--legal-hold"], "x-amz-object-lock-legal-hold", "ON"),
]


def test_what_the_object_is_given_goes_with_its_creation_alone(fault_server):
    server = fault_server()
    options = [word for words, _, _ in OF_THE_OBJECT if "s3" not in words for word in words]
    put(server, *options)
    upload(server, *options)
    for words, header, value in OF_THE_OBJECT:
        if "s3" in words:
            continue
        assert server.headers(PUT)[0][header] == value
        assert server.headers(CREATE)[0][header] == value
        # The body of Complete is XML and has a type of its own.
        others = server.headers(PART) + server.headers(COMPLETE)
        assert all(headers.get(header) != value for headers in others), header
    assert server.headers(CREATE)[0]["x-amz-object-lock-mode"] == "GOVERNANCE"


def test_encryption_by_the_store(fault_server):
    server = fault_server(rules={"required_headers": {"x-amz-server-side-encryption": "AES256"}})
    put(server, "--sse", "s3")
    upload(server, "--sse", "s3")
    assert "x-amz-server-side-encryption" not in server.headers(PART)[0]


@pytest.mark.parametrize("kind", ["md5", "crc32", "crc32c", "sha256", "crc64nvme"])
def test_checksums_are_declared_and_sent(fault_server, kind):
    server = fault_server(rules={"require_checksum": True})
    upload(server, "--checksum", kind)
    header = "content-md5" if kind == "md5" else f"x-amz-checksum-{kind}"
    assert all(header in headers for headers in server.headers(PART))
    declared = server.headers(CREATE)[0].get("x-amz-checksum-algorithm")
    assert declared == (None if kind == "md5" else kind.upper())


def test_no_checksum(fault_server):
    server = fault_server(rules={"checksums": "refused"})
    upload(server, "--checksum", "none")
    sent = [name for operation in (CREATE, PART, COMPLETE) for one in server.headers(operation) for name in one]
    assert not [name for name in sent if name.startswith("x-amz-checksum") or name == "content-md5"]
    assert server.counts()[CREATE] == 1


def test_a_checksum_that_was_asked_for_is_never_given_up(fault_server):
    server = fault_server(rules={"checksums": "refused"})
    assert "CreateMultipartUpload" in upload(server, "--checksum", "crc32c", code=INVALID).err
    upload(server)  # nobody asked: goes on without


def test_every_call_agrees_to_pay_and_names_the_owner(fault_server):
    server = fault_server()
    upload(server, "--requester-pays", "--expected-bucket-owner", "123456789012")
    for operation in (CREATE, PART, COMPLETE):
        for headers in server.headers(operation):
            assert headers["x-amz-request-payer"] == "requester"
            assert headers["x-amz-expected-bucket-owner"] == "123456789012"


def test_bodies_are_signed_where_asked_for(fault_server):
    server = fault_server()
    put(server)
    put(server, "--sign-payload")
    plain, signed = [headers["x-amz-content-sha256"] for headers in server.headers(PUT)]
    assert plain == "UNSIGNED-PAYLOAD" and re.fullmatch("[0-9a-f]{64}", signed)


def test_endpoint_region_and_addressing(fault_server):
    server = fault_server(rules={"region": "eu-north-9"})
    bare = server.env(AWS_ENDPOINT_URL=None, AWS_REGION=None)
    here = server.endpoint.replace("127.0.0.1", "localhost")
    put(server, "--endpoint", here, "--region", "eu-north-9", "--addressing", "virtual", env=bare)
    put(server, "--endpoint", here, "--region", "eu-north-9", "--addressing", "path", env=bare)
    elsewhere = server.env(AWS_ENDPOINT_URL="http://x.test")
    put(server, "--endpoint", server.endpoint, "--region", "eu-north-9", env=elsewhere)
    assert [call["status"] for call in server.stop()] == [200, 200, 200]
    hosts = [headers["host"].split(":")[0] for headers in server.headers(PUT)]
    assert hosts == ["bucket.localhost", "localhost", "127.0.0.1"]


@pytest.mark.parametrize("answer", ["malformed", "redirect301", "redirect307"])
def test_the_region_that_the_store_names_is_taken(fault_server, answer):
    server = fault_server(rules={"region": "eu-north-9", "wrong_region": answer})
    upload(server, "--region", "us-west-2")
    # Asked for with the first call, known from then on.
    assert server.counts() == {CREATE: 2, PART: 3, COMPLETE: 1}


def test_profiles_of_the_config_files(fault_server, tmp_path):
    server = fault_server(rules={"region": "eu-north-9"})
    (tmp_path / ".aws").mkdir()
    (tmp_path / ".aws" / "config").write_text("[default]\nregion = eu-north-9\n[profile other]\nregion = eu-north-9\n")
    key = f"aws_access_key_id = {server.settings['AWS_ACCESS_KEY_ID']}\naws_secret_access_key = {SECRET}\n"
    (tmp_path / ".aws" / "credentials").write_text(
        f"[default]\naws_access_key_id = AKWRONG\naws_secret_access_key = wrong\n[other]\n{key}"
    )
    env = server.env(AWS_ACCESS_KEY_ID=None, AWS_SECRET_ACCESS_KEY=None, AWS_REGION=None)
    put(server, "--aws-profile", "other", env=env)
    put(server, env=env | {"AWS_PROFILE": "other"})
    put(server, env=env, code=DENIED)
    missing = put(server, "--aws-profile", "none", env=env, code=None)
    assert missing.code != OK and "none" in missing.err
    assert [call["status"] for call in server.stop() if call["operation"] == PUT] == [200, 200, 403]


def test_anonymous(fault_server):
    server = fault_server(rules={"anonymous": True})
    put(server, "--anonymous", env=server.env(AWS_ACCESS_KEY_ID="AKWRONG"))
    assert "x-amz-date" not in server.headers(PUT)[0]


def test_attempts_and_time_outs(fault_server, tmp_path):
    faults = tmp_path / "faults.json"
    faults.write_text(
        '{"about": "No PUT is answered.", "rules": [{"when": {"operation": "PutObject", "times": -1},'
        ' "then": {"apply": false, "no_reply": true, "end": "hang"}}]}'
    )
    server = fault_server(faults=faults)
    given_up = put(server, "--request-timeout", "200ms", "--max-attempts", "3", code=RETRY)
    assert given_up.event("error")["outcome"] == "retry" and "3" in given_up.err
    # One attempt takes all the time that there is.
    put(server, "--request-timeout", "300ms", "--retry-timeout", "1ms", code=RETRY)
    assert server.counts()[PUT] == 4


def test_connect_time_out_is_told(fault_server):
    # A full backlog: the kernel answers no further SYN.
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        address = listener.getsockname()
        waiting = []
        for _ in range(8):
            one = socket.socket()
            one.setblocking(False)
            one.connect_ex(address)
            waiting.append(one)
        server = fault_server()
        failed = put(server, "--endpoint", f"http://127.0.0.1:{address[1]}", "--connect-timeout", "300ms",
                     "--max-attempts", "1", code=RETRY)
        for one in waiting:
            one.close()
    assert "127.0.0.1" in failed.err
    assert server.stop() == []


class Proxy(threading.Thread):
    """Writes the first line of each request down and refuses it."""

    def __init__(self):
        super().__init__(daemon=True)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.lines = []
        self.start()

    def run(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection, connection.makefile("rb") as stream:
                self.lines.append(stream.readline().decode().strip())
                connection.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.join()


def test_proxies(fault_server):
    server, proxy = fault_server(), Proxy()
    put(server, "--proxy", proxy.url, "--max-attempts", "1", code=None)
    put(server, "--proxy", proxy.url, "--no-proxy", "127.0.0.1", code=OK)
    put(server, "--no-proxy", "*", code=OK, env=server.env(http_proxy=proxy.url))
    put(server, "--max-attempts", "1", code=None, env=server.env(http_proxy=proxy.url))
    proxy.close()
    puts = [line for line in proxy.lines if line.startswith("PUT ")]
    assert puts == [f"PUT {server.endpoint}/bucket/k.parquet HTTP/1.1"] * 2
    assert server.counts() == {PUT: 2}


def test_tls_is_verified(fault_server):
    server = fault_server(tls=True)
    assert server.endpoint.startswith("https://localhost:")
    refused = put(server, "--max-attempts", "1", code=None)
    assert refused.code not in (OK, USAGE) and "certificate" in refused.err.lower()
    put(server, "--ca-file", server.ca_file)
    put(server, env=server.env(AWS_CA_BUNDLE=str(server.ca_file)))
    put(server, "--ca-file", server.ca_file, "--http2")
    other_name = server.endpoint.replace("localhost", "127.0.0.1")
    wrong = put(server, "--ca-file", server.ca_file, "--endpoint", other_name, "--max-attempts", "1", code=None)
    assert wrong.code not in (OK, USAGE)
    assert server.counts() == {PUT: 3}


def test_plain_http_is_refused_where_asked_for(fault_server):
    server = fault_server()
    assert "--no-http" in put(server, "--no-http", code=INVALID).err
    assert server.stop() == []


@pytest.mark.parametrize("text", [KEY, base64.b64encode(KEY) + b"\n"], ids=["bytes", "base64"])
def test_a_customers_key(fault_server, tmp_path, text):
    server = fault_server(tls=True)
    key_file, other_key, state = tmp_path / "key", tmp_path / "other", tmp_path / "state"
    key_file.write_bytes(text)
    other_key.write_bytes(KEY[::-1])
    here = ["--ca-file", server.ca_file]
    ours = [*here, "--sse-customer-key-file", key_file]
    env = server.env()
    ran = [run("write", "-", URL, *PARTS, *ours, "--sse", "customer-key", "--state", state, "--no-commit", "--pending",
               tmp_path / "pending", "--checkpoint-every", "50000rows", "--json", data=BIG_STREAM, env=env)]
    # Each process needs the key, and the same.
    ran.append(run("commit", tmp_path / "pending", *here, "--json", env=env, code=INVALID))
    assert "--sse-customer-key-file" in ran[-1].err
    ran.append(run("commit", tmp_path / "pending", *here, "--sse-customer-key-file", other_key, env=env, code=INVALID))
    ran.append(run("commit", tmp_path / "pending", *ours, "--json", env=env))
    ran.append(run("commit", tmp_path / "pending", *ours, "--json", env=env))
    ran.append(run("inspect", URL, *ours, "--json", env=env))
    ran.append(run("inspect", tmp_path / "pending", "--json", env=env))
    ran.append(run("inspect", URL, *here, env=env, code=None))
    assert ran[-1].code not in (OK, USAGE)
    header = "x-amz-server-side-encryption-customer-key"
    for operation in (CREATE, PART, "HeadObject", "GetObject"):
        assert server.headers(operation)[0][header] == base64.b64encode(KEY).decode()
    assert all(header not in headers for headers in server.headers(COMPLETE))
    shown = "".join(one.out + one.err for one in ran)
    assert base64.b64encode(KEY).decode() not in shown and KEY.hex() not in shown
    for path in (state, tmp_path / "pending"):
        assert KEY not in path.read_bytes() and base64.b64encode(KEY) not in path.read_bytes()
    assert hashlib.md5(KEY).digest() != KEY  # what the state may hold


def test_a_customers_key_does_not_cross_the_network_in_the_clear(fault_server, tmp_path):
    server = fault_server()
    (tmp_path / "key").write_bytes(KEY)
    refused = put(server, "--sse-customer-key-file", tmp_path / "key", code=INVALID)
    assert "--sse-customer-key-file" in refused.err and "plain http" in refused.err
    assert server.stop() == []


WRONG = [
    (["--addressing", "both"], USAGE), (["--max-connections", "0"], USAGE), (["--connect-timeout", "9"], USAGE),
    (["--checksum", "sum"], USAGE), (["--sse", "rot13"], USAGE), (["--sse-kms-key-id", "k"], USAGE),
    (["--tag", "x"], USAGE), (["--lock-until", "2037-01-31"], USAGE), (["--region", ""], USAGE),
    (["--sse-customer-key-file", "/nonexistent"], USAGE), (["--endpoint", "https://id:secret@host"], USAGE),
    (["--proxy", "http://id:secret@host"], USAGE), (["--endpoint", "ftp://host"], INVALID),
    (["--object-metadata", "a b=c"], INVALID), (["--storage-class", "a\nb"], INVALID),
    (["--ca-file", "/nonexistent"], INVALID),
]


@pytest.mark.parametrize("options, code", WRONG, ids=lambda value: value[0] if isinstance(value, list) else None)
def test_wrong_values_are_refused_by_name(fault_server, options, code):
    server = fault_server()
    refused = put(server, *options, code=None)
    assert refused.code == code, refused.err
    assert options[0] in refused.err and "secret" not in refused.err + refused.out
    assert server.stop() == []


def test_options_that_would_do_nothing_are_refused(fault_server, at):
    server = fault_server()
    for options in (["--region", "x"], ["--storage-class", "X"], ["--ca-file", "/x"], ["--tag", "a=b"]):
        refused = run("write", "-", at.target, *options, data=SMALL_STREAM, code=INVALID)
        assert options[0] in refused.err
    put(server, "--no-commit", "--pending", at.pending)
    for options in (["--storage-class", "X"], ["--sse", "s3"], ["--checksum", "md5"]):
        assert options[0] in run("commit", at.pending, *options, env=server.env(), code=USAGE).err
    (at.folder / "key").write_bytes(KEY)
    refused = run("commit", at.pending, "--sse-customer-key-file", at.folder / "key", env=server.env(), code=None)
    assert refused.code == INVALID and "--sse-customer-key-file" in refused.err
    for options in (["--endpoint", "http://x.test"], ["--region", "elsewhere"]):
        refused = run("commit", at.pending, *options, env=server.env(), code=BAD_STATE)
        assert options[0] in refused.err and "--retarget" in refused.err
    run("commit", at.pending, "--endpoint", server.endpoint, "--region", "us-east-1", env=server.env())


def test_refusals_of_the_store_are_named(fault_server):
    server = fault_server(rules={"denied": ["CreateMultipartUpload"]})
    wrong = put(server, code=DENIED, env=server.env(AWS_SECRET_ACCESS_KEY="wrong-and-secret"))
    assert "SignatureDoesNotMatch" in wrong.err and "wrong-and-secret" not in wrong.err + wrong.out
    missing = put(server, code=NOT_FOUND, url="s3://none/k.parquet")
    assert "NoSuchBucket" in missing.err and missing.event("error")["kind"] == "not found"
    denied = upload(server, code=DENIED)
    assert "CreateMultipartUpload" in denied.err and "k.parquet" in denied.err
    keyless = put(server, code=None, env=server.env(AWS_ACCESS_KEY_ID=None, AWS_SECRET_ACCESS_KEY=None))
    assert keyless.code not in (OK, USAGE) and "credentials" in keyless.err.lower()
    for url in ("s3://bucket", "s3://bucket/", "s3://bucket/folder/"):
        put(server, url=url, code=INVALID)
    assert SECRET not in "".join(one.err + one.out for one in (missing, denied, keyless))
