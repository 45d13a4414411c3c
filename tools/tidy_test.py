"""Shows that each rule of tidy.py finds what it is for, and lets pass what is good."""

from pathlib import PurePosixPath

import pytest

import cpp_functions
import tidy


def findings(path, text):
    """The names of the rules that speak up about one file, the rest of the tree being in order."""
    sources = [tidy.Source(PurePosixPath(path), text)]
    if path.endswith(".cc"):
        sources.append(tidy.Source(PurePosixPath(path).parent / "CMakeLists.txt", PurePosixPath(path).name + "\n"))
    return [line.split(": ")[1] for line in tidy.check(sources)]


def include(name):
    return f'#include "{name}"\n'


BAD = [
    ("layers", "src/state/state.cc", include("store/local_store.h")),
    ("layers", "src/store/local_store.h", "// A store.\n#pragma once\n" + include("writer/open_file.h")),
    ("layers", "src/base/error.cc", include("testing/fake_clock.h")),
    ("layers", "src/store/local_store.cc", include("store/local_fixture.h")),
    ("layers", "src/writer/room.cc", include("cli/exit_codes.h")),
    ("layers", "src/extra/extra.cc", include("base/clock.h")),
    ("layers", "include/tailrace/error.h", "// Errors.\n#pragma once\n" + include("base/mutex.h")),
    ("layers", "cli/main.cc", include("writer/open_file.h")),
    ("layers", "cli/main.cc", include("testing/fake_clock.h")),
    ("heavy_headers", "src/writer/room.cc", "#include <parquet/metadata.h>\n"),
    ("heavy_headers", "src/writer/room_test.cc", "#include <parquet/metadata.h>\n"),
    ("heavy_headers", "cli/input_csv.cc", "#include <parquet/metadata.h>\n"),
    ("heavy_headers", "tests/sim/crash_test.cc", "#include <parquet/metadata.h>\n"),
    ("heavy_headers", "src/writer/room.cc", "#include <arrow/api.h>\n"),
    ("heavy_headers", "src/state/wire.cc", "#include <arrow/util/compression.h>\n"),
    ("heavy_headers", "include/tailrace/writer.h", "// A writer.\n#pragma once\n#include <arrow/table.h>\n"),
    ("file_length", "src/base/error.cc", "int x;\n" * 401),
    ("file_length", "src/base/error_test.cc", "int x;\n" * 601),
    ("file_length", "tools/setup.sh", "true\n" * 401),
    ("function_length", "src/base/error.cc", "void F() {\n" + "  G();\n" * 69 + "}\n"),
    ("function_length", "src/base/error_test.cc", "TEST(A, B) {\n" + "  G();\n" * 69 + "}\n"),
    ("function_length", "tools/tool.py", "def f():\n" + "    g()\n" * 70),
    ("line_shape", "tools/tool.py", "x = " + "1" * 120 + "\n"),
    ("line_shape", "src/base/error.cc", "int x; \n"),
    ("line_shape", "src/base/error.cc", "\tint x;\n"),
    ("line_shape", "src/base/error.cc", "int x;"),
    ("file_name", "src/base/string_utils.cc", ""),
    ("file_name", "src/base/util_test.cc", ""),
    ("file_name", "tools/test_helpers.py", ""),
    ("file_name", "cli/common.h", "// All.\n#pragma once\n"),
    ("marks", "src/base/error.cc", "// TODO: more\n"),
    ("marks", "src/base/error.cc", "int x;  // FIXME\n"),
    ("marks", "cmake/A.cmake", "# XXX\n"),
    ("marks", "tools/setup.sh", "# HACK\n"),
    ("marks", "src/base/error_test.cc", "TEST(A, DISABLED_B) {}\n"),
    ("marks", "src/base/error_test.cc", "TEST(A, B) { GTEST_SKIP(); }\n"),
    ("marks", "tests/cli/test_write.py", "@pytest.mark.skipif(True)\ndef test_a(): pass\n"),
    ("marks", "tests/cli/test_write.py", "pytest.skip('no')\n"),
    ("header_form", "src/base/clock.h", "// Time.\nint x;\n"),
    ("header_form", "src/base/clock.h", "// Time.\n#ifndef CLOCK_H\n#pragma once\n"),
    ("header_form", "src/base/clock.h", ""),
    ("header_form", "src/base/clock.h", "// Time.\n#pragma once\nusing namespace std;\n"),
    ("machine_paths", "README.md", "cd /home/someone/tailrace\n"),
    ("machine_paths", "cmake/A.cmake", "set(X /Users/someone/x)\n"),
    ("machine_paths", "src/base/error_test.cc", 'auto path = "/tmp/x";\n'),
]


@pytest.mark.parametrize("rule, path, text", BAD)
def test_finds(rule, path, text):
    assert set(findings(path, text)) == {rule}


GOOD = [
    ("src/state/packed_bytes.cc", "#include <arrow/util/compression.h>\n"),
    ("src/store/local_store.cc", include("state/wire.h") + include("store/place.h") + include("tailrace/store.h")),
    ("src/state/state_test.cc", include("testing/batches.h") + "#include <arrow/api.h>\n"),
    ("src/store/local_fixture.h", "// For tests.\n#pragma once\n" + include("testing/temp_folder.h")),
    ("src/store/local_test.cc", include("store/local_fixture.h")),
    ("src/encode/parquet_file.cc", "#include <parquet/metadata.h>\n#include <arrow/api.h>\n"),
    ("src/writer/room.cc", "#include <arrow/status.h>\n#include <arrow/buffer.h>\n#include <vector>\n"),
    ("cli/input_parquet.cc", "#include <parquet/metadata.h>\n"),
    ("cli/input_csv.cc", include("cli/input.h") + include("tailrace/error.h") + "#include <arrow/csv/reader.h>\n"),
    ("cli/size_text_test.cc", include("testing/batches.h")),
    ("tests/sim/crash_test.cc", include("writer/open_file.h") + include("testing/batches.h")),
    ("src/base/error.cc", "int x;\n" * 400),
    ("src/base/error_test.cc", "int x;\n" * 600),
    ("src/base/error.cc", "void F() {\n" + "  G();\n" * 68 + "}\n"),
    ("src/base/error.cc", "constexpr int kTable[] = {\n" + "  F(1),\n" * 100 + "};\n"),
    ("src/base/error.cc", "class A {\n" + "  void F() { G(); }\n" * 100 + "};\n"),
    ("src/base/error.cc", 'const char kTemplate[] = "XXXXXX";\n'),
    ("src/base/clock.h", "// Time.\n#pragma once\nnamespace tailrace {}\n"),
    ("tools/setup.sh", "sed " + "x" * 130 + " | sort\n"),
    ("src/base/error.cc", 'const char kText[] = R"(' + "x" * 120 + ')";\n'),
    ("README.md", "| a very long line |" + " of a table |" * 20 + "\n"),
    ("docs/guide.md", "tailrace write x.csv file:///data/x.parquet; see ../home/x\n"),
]


@pytest.mark.parametrize("path, text", GOOD)
def test_lets_pass(path, text):
    assert findings(path, text) == []


def test_every_rule_is_shown():
    assert {rule for rule, _, _ in BAD} == {rule.__name__ for rule in tidy.RULES}


def test_finds_what_no_cmakelists_names():
    sources = [tidy.Source(PurePosixPath("src/base/error.cc"), "")]
    assert [line.split(": ")[1] for line in tidy.check(sources)] == ["unlisted"]


def test_reads_the_tree_without_what_is_built(tmp_path):
    for name in ("src/a.cc", "build/dev/b.cc", ".venv/lib/c.py", ".ci/run", "Makefile", "image.png"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    assert [str(source.path) for source in tidy.read_tree(tmp_path)] == [".ci/run", "Makefile", "src/a.cc"]


FUNCTIONS = """
#include <x>  // {
namespace a {
namespace {
struct S {
  S() : x_{1}, y_(2) {
    F("}");
  }
  bool operator==(const S&) const { return true; }
  int x_ = 0;
};
std::map<int, std::function<void()>> Make(int n = 0) {
  auto lambda = [&] {
    return '{';
  };
  if (n > 0) {
    lambda();
  }
  return {};
}
const std::vector<int> kList = {
    F(1),
};
enum class E { kOne };
const char kRaw[] = R"x({ ( )x";
}  // namespace
template <typename T>
void S<T>::Run() const {
}
}  // namespace a
"""


def test_functions_are_found_by_their_braces():
    found = [(name, last - first + 1) for first, last, name in cpp_functions.find(FUNCTIONS)]
    assert found == [
        ("S", 1),  # a member initialised with braces looks like a function of its own
        ("y_", 3),
        ("operator==", 1),
        ("Make", 9),
        ("S::Run", 3),
    ]
