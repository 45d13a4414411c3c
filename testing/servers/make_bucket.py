#!/usr/bin/env python3
"""Make a bucket: make_bucket.py ENDPOINT BUCKET ACCESS_KEY SECRET_KEY REGION [CA_FILE].

Signs one PUT with SigV4 by hand: the server tests must not depend on the client that they test, and curl cannot take
a key with a colon. A server may answer before it can make buckets, so it tries for a minute.
"""
import datetime
import hashlib
import hmac
import ssl
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

EMPTY_HASH = hashlib.sha256(b"").hexdigest()


def sign(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def signed_request(url: str, access_key: str, secret_key: str, region: str) -> urllib.request.Request:
    parts = urllib.parse.urlsplit(url)
    moment = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    names = "host;x-amz-content-sha256;x-amz-date"
    canonical = (
        f"PUT\n{parts.path}\n\nhost:{parts.netloc}\nx-amz-content-sha256:{EMPTY_HASH}\nx-amz-date:{moment}\n\n"
        f"{names}\n{EMPTY_HASH}"
    )
    scope = f"{moment[:8]}/{region}/s3/aws4_request"
    to_sign = f"AWS4-HMAC-SHA256\n{moment}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"
    key = ("AWS4" + secret_key).encode()
    for piece in (moment[:8], region, "s3", "aws4_request"):
        key = sign(key, piece)
    request = urllib.request.Request(url, method="PUT")
    request.add_header("x-amz-content-sha256", EMPTY_HASH)
    request.add_header("x-amz-date", moment)
    request.add_header(
        "Authorization",
        f"AWS4-HMAC-SHA256 Credential={access_key}/{scope}, SignedHeaders={names}, "
        f"Signature={sign(key, to_sign).hex()}",
    )
    return request


def main() -> int:
    endpoint, bucket, access_key, secret_key, region = sys.argv[1:6]
    ca_file = sys.argv[6] if len(sys.argv) > 6 else None
    handlers = [urllib.request.ProxyHandler({})]
    if ca_file:
        handlers.append(urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=ca_file)))
    opener = urllib.request.build_opener(*handlers)
    said = ""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            opener.open(signed_request(f"{endpoint}/{bucket}", access_key, secret_key, region), timeout=20).close()
            return 0
        except urllib.error.HTTPError as error:
            said = f"{error.code} {error.read().decode(errors='replace')}"
            if error.code == 409:  # it is there already
                return 0
        except OSError as error:
            said = str(error)
        time.sleep(0.2)
    print(f"no bucket: {said}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
