#!/usr/bin/env python3
"""Checks that the C++ sources are formatted, or with --fix formats them. Run by `make format` and by ctest."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("include", "src", "cli", "testing", "tests", "bench")


def main():
    # The one that the environment pins: another version formats otherwise.
    formatter = Path(sys.executable).parent / "clang-format"
    files = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*")) if path.suffix in (".h", ".cc")]
    assert files, f"no sources below {ROOT}"
    mode = ["-i"] if sys.argv[1:] == ["--fix"] else ["--dry-run", "--Werror"]
    # Two at once: a process of its own for each half.
    halves = [subprocess.Popen([formatter, *mode, *files[start::2]]) for start in (0, 1) if files[start::2]]
    if any([half.wait() != 0 for half in halves]):
        print("format: run `make format`")
        return 1
    print(f"format: {len(files)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
