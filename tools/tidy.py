#!/usr/bin/env python3
"""Checks what a compiler does not: layers, lengths, names, marks. Run by `make tidy` and by ctest.

    tools/tidy.py [ROOT]

Prints one line for each finding, "path:line: rule: message", and ends with 1 if there is any. Each rule is a
function below, and tidy_test.py shows each of them at work.
"""

import ast
import re
import sys
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

sys.path.insert(0, str(Path(__file__).resolve().parent))
import cpp_functions  # noqa: E402

# In the order of the layers: each module may use only those before it.
MODULES = (
    *("base", "state", "observe", "http", "auth", "store"),
    *("encode", "settle", "upload", "writer", "commit", "doctor", "c"),
)
# Outside src/encode/: an input of the command, and what reads files back in tests.
READS_PARQUET = {"cli/input_fixture.h", "cli/input_parquet.cc", "tests/sim/writes.cc"}
# Arrow's heavy headers cost seconds a file. These are cheap.
CHEAP_ARROW = {f"arrow/{name}.h" for name in ("type_fwd", "status", "result", "buffer")}
# Files that need more: lists in a state are compressed by Arrow's codecs, and the C interface takes Arrow C Data.
ALSO_ARROW = {("src/state/packed_bytes.cc", "arrow/util/compression.h")} | {
    ("src/c/import.cc", f"arrow/{name}.h") for name in ("array/array_nested", "c/bridge", "record_batch", "type")
}
CPP = {".h", ".cc"}
CODE = CPP | {".py", ".sh", ".cmake"}
# Not C++, where clang-format knows what cannot be broken, nor shell, where a long pipe reads badly when it is.
WRAPPED = {".py", ".cmake"}
MAX_LINES, MAX_TEST_LINES, MAX_FUNCTION_LINES, MAX_COLUMNS = 400, 600, 70, 120
SKIPPED_FOLDERS = {"build", "__pycache__"}
# The files that spell out what is forbidden.
OWN_FILES = {"tools/tidy.py", "tools/tidy_test.py"}


@dataclass(frozen=True)
class Source:
    path: PurePosixPath  # relative to the root
    text: str

    @property
    def lines(self):
        return self.text.splitlines()

    @property
    def top(self):
        return self.path.parts[0]

    @property
    def module(self):
        """The module of src/ that the file belongs to, or None."""
        return self.path.parts[1] if self.top == "src" and len(self.path.parts) > 2 else None

    @property
    def is_test(self):
        stem = self.path.stem
        return bool(re.search(r"_(test|fixture)$|^test_", stem)) or self.top in ("tests", "testing")

    def includes(self):
        """(line, name) of each #include."""
        for number, line in enumerate(self.lines, 1):
            if match := re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line):
                yield number, match[1]

    def matches(self, pattern):
        for number, line in enumerate(self.lines, 1):
            if match := re.search(pattern, line):
                yield number, match[0]


def layers(source):
    """Modules include only those before them; the public headers and the CLI only the public headers."""
    if source.path.suffix not in CPP:
        return
    for line, name in source.includes():
        folder = name.split("/")[0] if "/" in name else None
        if source.top == "include":
            if folder in (*MODULES, "cli", "testing"):
                yield line, f"a public header includes {name}, which is not public"
        elif source.top == "cli":
            if folder in MODULES or (folder == "testing" and not source.is_test):
                yield line, f"the CLI uses include/tailrace alone, not {name}"
        elif source.module:
            only_tests = folder == "testing" or name.endswith("_fixture.h")
            if folder in ("cli", "tests") or (only_tests and not source.is_test):
                yield line, f"src/ may not use {name}"
            elif source.module not in MODULES:
                yield line, f"{source.module} is no module: add it to MODULES, in its place"
            elif not source.is_test and folder in MODULES[MODULES.index(source.module) + 1 :]:
                yield line, f"{source.module} stands below {folder} and may not use {name}"


def heavy_headers(source):
    """Parquet only where files are encoded or read; of Arrow only the cheap headers elsewhere in the library."""
    if source.path.suffix not in CPP:
        return
    encodes = source.module == "encode" or str(source.path) in READS_PARQUET
    for line, name in source.includes():
        if name.startswith("parquet/") and not encodes:
            yield line, f"{name}: only src/encode/ and READS_PARQUET include Parquet's headers"
        if name.startswith("arrow/") and name not in CHEAP_ARROW and not source.is_test:
            if (str(source.path), name) in ALSO_ARROW:
                continue
            if source.top == "include" or (source.module and not encodes):
                yield line, f"{name}: outside src/encode/ at most {', '.join(sorted(CHEAP_ARROW))}"


def file_length(source):
    limit = MAX_TEST_LINES if source.is_test else MAX_LINES
    if source.path.suffix in CODE and len(source.lines) > limit:
        yield limit + 1, f"{len(source.lines)} lines, at most {limit}: which second concept moved in?"


def function_length(source):
    if source.path.suffix in CPP:
        functions = cpp_functions.find(source.text)
    elif source.path.suffix == ".py":
        nodes = [n for n in ast.walk(ast.parse(source.text)) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]
        functions = [(n.lineno, n.end_lineno, n.name) for n in nodes]
    else:
        return
    for first, last, name in functions:
        if last - first + 1 > MAX_FUNCTION_LINES:
            yield first, f"{name} has {last - first + 1} lines, at most {MAX_FUNCTION_LINES}"


def line_shape(source):
    if source.path.suffix not in CODE:
        return
    for number, line in enumerate(source.lines, 1):
        if len(line) > MAX_COLUMNS and source.path.suffix in WRAPPED:
            yield number, f"{len(line)} columns, at most {MAX_COLUMNS}"
        if line != line.rstrip() or "\t" in line:
            yield number, "a tab, or blanks at the end"
    if source.text and not source.text.endswith("\n"):
        yield len(source.lines), "no newline at the end"


def file_name(source):
    """A name that says nothing collects what belongs nowhere."""
    if source.path.suffix in CODE and re.search(r"(^|_)(utils?|helpers?|common|misc)(_test)?$", source.path.stem):
        yield 1, "name the file after its one concept"


def marks(source):
    """What is missing is named in an issue, not hidden in the code; a test that is off shows nothing."""
    if str(source.path) in OWN_FILES or source.path.suffix not in CODE:
        return
    pattern = r"\b(TODO|FIXME|XXX|HACK|GTEST_SKIP)\b|\bDISABLED_|\bpytest\.(skip|xfail|mark\.(skip|skipif|xfail))\b"
    for line, mark in source.matches(pattern):
        yield line, mark


def header_form(source):
    if source.path.suffix != ".h":
        return
    code = [line for line in source.lines if line.strip() and not line.lstrip().startswith("//")]
    if not code or code[0] != "#pragma once":
        yield 1, "a header begins with a comment that says what it is for, then #pragma once"
    for line, found in source.matches(r"^\s*using namespace\b"):
        yield line, f"{found} in a header"


def machine_paths(source):
    """A path of the author's machine works nowhere else."""
    if str(source.path) in OWN_FILES:
        return
    for line, found in source.matches(r"(?<![\w.<}])/((work|root|Users)/\w|home/(?!me\b)\w)"):
        yield line, f"{found}...: a path of one machine"
    if source.path.suffix in CODE:
        for line, _ in source.matches(r"(?<![\w.])/tmp\b"):
            yield line, "/tmp: make a temporary folder of your own"


def unlisted(sources):
    """A source that no CMakeLists.txt names is never compiled, and its tests never run."""
    named = set()
    for source in sources:
        if source.path.name == "CMakeLists.txt":
            named |= {source.path.parent / word for word in re.findall(r"[\w./-]+\.cc\b", source.text)}
    for source in sources:
        if source.path.suffix == ".cc" and source.path not in named:
            yield source, 1, "no CMakeLists.txt names this file"


RULES = (layers, heavy_headers, file_length, function_length, line_shape, file_name, marks, header_form, machine_paths)


def read_tree(root):
    """All text files below `root`, without hidden folders and what is built."""
    sources = []
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        if any(part in SKIPPED_FOLDERS or (part.startswith(".") and part != ".ci") for part in parts[:-1]):
            continue
        if path.suffix in CODE | {".md", ".txt", ".json"} or path.name in ("Makefile", "run"):
            if path.is_file():
                sources.append(Source(PurePosixPath(*parts), path.read_text(encoding="utf-8")))
    return sources


def check(sources):
    """Every finding, as a line of text."""
    found = []
    for rule in RULES:
        for source in sources:
            found += [(source, line, rule, message) for line, message in rule(source)]
    found += [(source, line, unlisted, message) for source, line, message in unlisted(sources)]
    return [f"{source.path}:{line}: {rule.__name__}: {message}" for source, line, rule, message in found]


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    sources = read_tree(root)
    findings = check(sources)
    print("\n".join(findings) if findings else f"tidy: {len(sources)} files, nothing to say")
    # An empty tree means that the wrong folder was given.
    return 1 if findings or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
