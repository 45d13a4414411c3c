"""Speaks TLS with HTTP/2 or 1.1, as the client chooses, and HTTP/1.1 with the server behind it.

    http2_gateway.py KEY CERTIFICATE PORT SERVER

SERVER is host:port. Prints the version of each request, a line each, as it is answered.
"""

import asyncio
import http.client
import sys

from hypercorn.asyncio import serve
from hypercorn.config import Config

HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding"}


def forward(server, scope, body):
    """The whole exchange, with path and headers as they came."""
    connection = http.client.HTTPConnection(server)
    target = scope["raw_path"] + (b"?" + scope["query_string"] if scope["query_string"] else b"")
    connection.putrequest(scope["method"], target.decode(), skip_host=True, skip_accept_encoding=True)
    headers = {name.decode(): value.decode() for name, value in scope["headers"]}
    for name, value in {**headers, "content-length": str(len(body))}.items():
        connection.putheader(name, value)
    connection.endheaders(body)
    answer = connection.getresponse()
    kept = [(n.lower().encode(), v.encode()) for n, v in answer.getheaders() if n.lower() not in HOP_BY_HOP]
    content = answer.read()
    connection.close()
    return answer.status, kept, content


def gateway(server):
    async def app(scope, receive, send):
        if scope["type"] != "http":
            return
        pieces, more = [], True
        while more:
            message = await receive()
            pieces.append(message.get("body", b""))
            more = message.get("more_body", False)
        status, headers, content = await asyncio.to_thread(forward, server, scope, b"".join(pieces))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": content})
        print(scope["http_version"], flush=True)

    return app


def main(key, certificate, port, server):
    config = Config()
    config.keyfile, config.certfile, config.bind = key, certificate, [f"127.0.0.1:{port}"]
    config.accesslog = config.errorlog = None
    asyncio.run(serve(gateway(server), config))


if __name__ == "__main__":
    main(*sys.argv[1:])
