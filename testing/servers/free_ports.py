#!/usr/bin/env python3
"""Print N free consecutive loopback ports' first number, or N=1: one port.

The ports lie below the range the kernel hands to outgoing connections, so that nobody is given one of them between
this look and the server's bind. Two callers at once are kept apart by a random start.
"""
import random
import socket
import sys


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def ephemeral_low() -> int:
    try:
        with open("/proc/sys/net/ipv4/ip_local_port_range", encoding="ascii") as range_file:
            return int(range_file.read().split()[0])
    except OSError:
        return 32768


def main() -> int:
    count = int(sys.argv[1])
    high = min(ephemeral_low(), 65536) - count
    low = 10000 if high > 12000 else 1024
    for _ in range(1000):
        first = random.randrange(low, high)
        if all(is_free(port) for port in range(first, first + count)):
            print(first)
            return 0
    print(f"no {count} free consecutive ports between {low} and {high}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
