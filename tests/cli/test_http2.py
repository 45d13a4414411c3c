"""HTTP/2, in front of the strict server: where it is asked for, and only there."""

import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import PATIENCE_S, run
from s3_child import BIG, BIG_STREAM, PARTS, fault_server  # noqa: F401


def certificate(folder):
    """Key and certificate of "localhost"."""
    key, cert = folder / "key.pem", folder / "cert.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, "-days", "2"]
        + ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"],
        check=True,
        capture_output=True,
    )
    return key, cert


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Gateway:
    """http2_gateway.py in front of the server, and what was spoken with it."""

    def __init__(self, folder, server):
        key, self.ca_file = certificate(folder)
        port = free_port()
        self.endpoint = f"https://localhost:{port}"
        program = Path(__file__).with_name("http2_gateway.py")
        command = [sys.executable, program, key, self.ca_file, str(port), server.endpoint.removeprefix("http://")]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        deadline = time.monotonic() + PATIENCE_S
        while socket.socket().connect_ex(("127.0.0.1", port)) != 0:
            assert self.process.poll() is None and time.monotonic() < deadline
            time.sleep(0.02)

    def spoken(self):
        """Ends it; the versions of its requests."""
        self.process.kill()
        return set(self.process.communicate()[0].split())

    def end(self):
        self.process.kill()
        self.process.wait()


@pytest.fixture
def gateway(fault_server, tmp_path):
    server = fault_server()
    one = Gateway(tmp_path, server)
    yield server, one
    one.end()


def write(server, gateway, *flags):
    where = ["s3://bucket/k.parquet", "--endpoint", gateway.endpoint, "--ca-file", gateway.ca_file]
    run("write", "-", *where, *PARTS, *flags, data=BIG_STREAM, env=server.env())
    assert server.table().equals(BIG)


def test_where_it_is_asked_for(gateway):
    server, front = gateway
    write(server, front, "--http2")
    assert front.spoken() == {"2"}


def test_only_there(gateway):
    server, front = gateway
    write(server, front)
    assert front.spoken() == {"1.1"}
