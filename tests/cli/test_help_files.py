"""Completion scripts and the manual page, which are made of what parses the options."""

import os
import re
import shutil
import subprocess

import pytest
from conftest import OK, PATIENCE_S, TAILRACE, USAGE, run

COMMANDS = ["write", "resume", "finish", "commit", "abort", "inspect", "uploads", "doctor", "demo", "completion", "man"]


def options_of(*command):
    """As --help lists them."""
    return set(re.findall(r"^\s+(?:-\w,)?(--[a-z][a-z0-9-]*)", run(*command, "--help").out, re.MULTILINE))


@pytest.fixture(scope="module")
def bash(tmp_path_factory):
    """Completes a command line as bash does, whose words are split at = and : too."""
    folder = tmp_path_factory.mktemp("completion")
    script = tmp_path_factory.mktemp("script") / "tailrace"
    script.write_text(run("completion", "bash").out)
    (folder / "in put.arrows").write_text("")
    (folder / "sub").mkdir()

    def complete(*words):
        line = " ".join(f"'{word}'" for word in ("tailrace", *words))
        code = f"""set -eu
            source '{script}'
            [[ $(complete -p tailrace) == 'complete -F _tailrace tailrace' ]]
            COMP_WORDS=({line}) COMP_CWORD={len(words)}
            _tailrace
            printf '%s\\n' "${{COMPREPLY[@]-}}"
        """
        done = subprocess.run(["bash", "--norc", "-c", code], cwd=folder, capture_output=True, text=True,
                              timeout=PATIENCE_S)
        assert done.returncode == OK, done.stderr
        assert done.stderr == ""
        return {word for word in done.stdout.splitlines() if word}

    return complete


def test_bash_completes_commands(bash):
    assert bash("") == set(COMMANDS)
    assert bash("co") == {"commit", "completion"}
    assert bash("uploads", "") == {"list", "abort"}
    assert bash("completion", "") == {"bash", "zsh", "fish"}


@pytest.mark.parametrize("command", [["write"], ["resume"], ["inspect"], ["uploads", "list"], ["uploads", "abort"]])
def test_bash_completes_every_option(bash, command):
    found = {word for word in bash(*command, "--") if word.startswith("--")}
    assert found == options_of(*command) and len(found) > 10


def test_bash_completes_values(bash):
    assert bash("write", "a", "--codec", "") == {"zstd", "snappy", "gzip", "brotli", "lz4", "none"}
    assert bash("write", "a", "--encodings", "s") == {"spark"}
    assert bash("write", "--adaptive", "=", "o") == {"on", "off"}
    assert bash("write", "--adaptive", "=") == {"on", "off"}
    assert bash("write", "") == {"in put.arrows", "sub"}
    assert bash("write", "--state", "in") == {"in put.arrows"}
    assert bash("uploads", "list", "--states", "s") == {"sub"}
    assert bash("write", "--part-size", "") == set()


def test_zsh_and_fish_know_every_command_and_option():
    zsh, fish = run("completion", "zsh").out, run("completion", "fish").out
    assert zsh.startswith("#compdef tailrace\n")
    for command in (["write"], ["uploads", "abort"]):
        body = re.search(rf"^_tailrace_{'_'.join(command)}\(\) {{\n(.*?)^}}", zsh, re.MULTILINE | re.DOTALL)[1]
        seen = "; and ".join(f"__fish_seen_subcommand_from {word}" for word in command)
        for option in options_of(*command):
            assert re.search(rf"'\*{option}=?\[", body), option
            assert re.search(rf"-n '{seen}' (-l {option[2:]}|.* -l {option[2:]})\b", fish), option
    for command in COMMANDS:
        assert f"        '{command}:" in zsh and re.search(rf" -a {command} -d '", fish)
    assert re.search(r"'\*--codec=\[[^]]*\]:[^:]*:\(zstd snappy gzip brotli lz4 none\)'", zsh)
    assert re.search(r"-l codec -x -a 'zstd snappy gzip brotli lz4 none'", fish)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_are_of_their_language(shell, tmp_path):
    text = run("completion", shell).out
    (tmp_path / "script").write_text(text)
    # Of those that are not here at least what would be told first.
    if shutil.which(shell):
        done = subprocess.run([shell, "-n", tmp_path / "script"], capture_output=True, text=True, timeout=PATIENCE_S)
        assert done.returncode == 0 and done.stderr == ""
    for line in text.splitlines():
        assert line.replace("\\'", "").replace("'\\''", "").count("'") % 2 == 0 or shell == "bash", line


def test_other_shells_are_refused():
    assert "bash, zsh or fish" in run("completion", "tcsh", code=USAGE).err


def page():
    return run("man").out


def test_the_manual_page_has_what_help_has():
    text = page().replace("\\-", "-")
    assert re.findall(r"^\.SH (.*)$", text, re.MULTILINE) == [
        "NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "EXIT STATUS", "ENVIRONMENT"]
    sections = dict(re.findall(r"^\.SS ([a-z ]+)\n(.*?)(?=^\.S[SH] )", text, re.MULTILINE | re.DOTALL))
    assert set(COMMANDS) | {"uploads list", "uploads abort"} == set(sections)
    for command in ("write", "resume", "finish", "uploads abort", "doctor"):
        for option in options_of(*command.split()):
            assert f"\\fB{option}\\fR" in sections[command], (command, option)
        assert "Examples:" in sections[command] or "Examples" in sections[command]
    codes = text.split(".SH EXIT STATUS")[1]
    assert "\\fB15\\fR\ninterrupted: " in codes


def test_the_manual_page_is_shown_without_warnings(tmp_path):
    path = tmp_path / "tailrace.1"
    path.write_text(page())
    checkers = [["mandoc", "-T", "lint", "-W", "warning"], ["groff", "-man", "-Tutf8", "-ww", "-z"]]
    found = [command for command in checkers if shutil.which(command[0])]
    for command in found:
        done = subprocess.run([*command, path], capture_output=True, text=True, timeout=PATIENCE_S)
        said = (done.stdout + done.stderr).splitlines()
        # It is of a version, not of a day.
        assert [line for line in said if "missing date" not in line] == []
    # What both would say, on a machine that has neither.
    lines = path.read_text().splitlines()
    assert lines[0].startswith(".TH TAILRACE 1 ")
    known = {".TH", ".SH", ".SS", ".PP", ".TP", ".nf", ".fi"}
    assert {line.split()[0] for line in lines if line.startswith((".", "'"))} <= known
    assert [line for line in lines if line.startswith((".nf", ".fi"))].count(".nf") == lines.count(".fi")
    assert "" not in lines


def test_the_program_is_found_by_its_name_in_a_shell(tmp_path):
    """What the packages install works with nothing else around."""
    os.symlink(TAILRACE, tmp_path / "tailrace")
    env = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "--norc", "-c", "source <(tailrace completion bash); complete -p tailrace"],
                          env=env, capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.stdout == "complete -F _tailrace tailrace\n" and done.stderr == ""
