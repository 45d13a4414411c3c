"""The shared library exports the C interface, and the headers are one that C programs can use. LIBRARY names it."""
import os
import re
import subprocess
from pathlib import Path

HEADERS = Path(__file__).resolve().parents[2] / "include/tailrace"


def declared():
    text = "".join(path.read_text() for path in sorted((HEADERS / "c").glob("*.h")))
    text = re.sub(r"//.*", "", text)
    return set(re.findall(r"\bTAILRACE_API[^;(]*?\b(tailrace_\w+)\(", text))


def test_it_exports_what_the_headers_declare_and_nothing_else():
    lines = subprocess.run(["nm", "-D", "--defined-only", os.environ["LIBRARY"]], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    exported = {line.split()[-1].split("@")[0] for line in lines} - {"TAILRACE_1"}
    assert len(declared()) > 60
    assert exported == declared()


def test_its_name_has_the_number_of_the_interface():
    dynamic = subprocess.run(["readelf", "-d", os.environ["LIBRARY"]], capture_output=True, text=True,
                             check=True).stdout
    number = re.search(r"#define TAILRACE_ABI_VERSION (\d+)", (HEADERS / "c/error.h").read_text())[1]
    assert re.search(r"SONAME.*\[(.*)\]", dynamic)[1] == f"libtailrace.so.{number}"


def test_the_umbrella_header_includes_all():
    included = re.findall(r'#include "tailrace/c/(\w+\.h)"', (HEADERS / "tailrace.h").read_text())
    assert sorted(included) == sorted(path.name for path in (HEADERS / "c").glob("*.h"))
