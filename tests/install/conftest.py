"""An installed tailrace, out of reach of the tree and the Python environment that it was built from.

BUILD is the build folder, ARROW_HOME the folder that libarrow came from (empty where it is the system's)."""
import os
import shutil
import subprocess
from pathlib import Path

import pyarrow.parquet as pq
import pytest

BUILD = Path(os.environ["BUILD"])
ARROW_HOME = os.environ["ARROW_HOME"]
CMAKE = os.environ["CMAKE"]
ROOT = Path(__file__).resolve().parents[2]
# Nothing of the caller's: no library path, no Python environment, no CMake variables.
CLEAN = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"}


def run(*command, **environment):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=600,
                          env=CLEAN | environment)
    assert done.returncode == 0, f"{command[0]}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def libraries_of(program):
    """Where the loader finds each library that the program and its libraries need."""
    found = {}
    for line in run("ldd", program).splitlines():
        name, arrow, path = line.strip().partition(" => ")
        if arrow:
            found[name] = path.rsplit(" (", 1)[0]
    return found


def assert_stands_alone(program, prefix):
    """Every library is found, ours and Arrow's below the prefix, none where it was built."""
    found = libraries_of(program)
    assert [name for name, path in found.items() if "not found" in path] == []
    built = [str(BUILD)] + ([ARROW_HOME] if ARROW_HOME else [])
    assert [path for path in found.values() if path.startswith(tuple(built))] == []
    if ARROW_HOME:
        for name in ("libarrow.so.2600", "libparquet.so.2600"):
            assert Path(found[name]).resolve() == (prefix / "lib/tailrace" / name).resolve()


def assert_rows(path):
    assert pq.read_table(path)["id"].to_pylist() == list(range(1000))


@pytest.fixture(scope="session")
def prefix(tmp_path_factory):
    """Installed, then moved to a folder with a blank in its name."""
    folder = tmp_path_factory.mktemp("install")
    run(CMAKE, "--install", BUILD, "--prefix", folder / "first", "--strip")
    shutil.move(folder / "first", folder / "moved here")
    return folder / "moved here"
