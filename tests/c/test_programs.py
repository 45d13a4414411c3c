"""Programs in C that check by themselves; each prints what was not true."""
import os
import subprocess


def run(program, folder):
    done = subprocess.run([program, folder], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_errors(tmp_path):
    run(os.environ["ERRORS"], tmp_path)


def test_events(tmp_path):
    run(os.environ["EVENTS"], tmp_path)


def test_structs_of_other_sizes(tmp_path):
    run(os.environ["STRUCTS"], tmp_path)
