"""`cmake --install`, which `make install` runs: command, libraries, headers, CMake package, pkg-config files."""
import os
import shlex
import shutil
from pathlib import Path

import pytest
from conftest import ARROW_HOME, BUILD, CMAKE, ROOT, assert_rows, assert_stands_alone, run

CONSUMER = Path(__file__).parent / "consumer"
CXX = os.environ["CXX"]


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """The consumer project, by itself."""
    folder = tmp_path_factory.mktemp("consumer") / "source"
    shutil.copytree(CONSUMER, folder)
    for name in ("rows.c", "rows.h"):
        shutil.copy(ROOT / "tests/c" / name, folder)
    return folder


def pkg_config(prefix, *arguments):
    return shlex.split(run("pkg-config", *arguments, PKG_CONFIG_PATH=f"{prefix}/lib/pkgconfig"))


def test_the_command_runs_by_itself(prefix, tmp_path):
    program = prefix / "bin/tailrace"
    assert_stands_alone(program, prefix)
    (tmp_path / "in.csv").write_text("id\n" + "\n".join(map(str, range(1000))) + "\n")
    run(program, "write", tmp_path / "in.csv", tmp_path / "f.parquet")
    assert_rows(tmp_path / "f.parquet")


def test_shells_and_man_find_what_is_made_of_the_options(prefix):
    assert (prefix / "share/man/man1/tailrace.1").read_text().startswith(".TH TAILRACE 1 ")
    scripts = {"bash-completion/completions/tailrace": "complete -F _tailrace tailrace",
               "zsh/site-functions/_tailrace": "#compdef tailrace",
               "fish/vendor_completions.d/tailrace.fish": "complete -c tailrace"}
    for name, text in scripts.items():
        assert text in (prefix / "share" / name).read_text()


def test_nothing_installed_names_the_place_it_was_built_in(prefix):
    built = [str(BUILD).encode(), str(ROOT / "src").encode()] + ([ARROW_HOME.encode()] if ARROW_HOME else [])
    # Archives are not stripped, so in a build with debug information they say what they were made of.
    files = [path for path in prefix.rglob("*") if path.is_file() and path.suffix != ".a"]
    assert len(files) > 100
    assert [(str(path), place) for path in files for place in built if place in path.read_bytes()] == []


def test_the_licences_come_with_it(prefix):
    documents = {path.relative_to(prefix / "share/doc/tailrace").as_posix()
                 for path in (prefix / "share/doc/tailrace").rglob("*.txt")}
    names = {path.name for path in (prefix / "share/doc/tailrace").iterdir()}
    assert {"LICENSE", "NOTICE"} <= names
    assert not ARROW_HOME or documents == {"arrow/LICENSE.txt", "arrow/NOTICE.txt"}


def test_a_cmake_project_finds_it(prefix, sources, tmp_path):
    build = tmp_path / "build"
    run(CMAKE, "-S", sources, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_COMPILER={CXX}",
        "-DCMAKE_BUILD_TYPE=Debug")
    run(CMAKE, "--build", build)
    for program in ("with_c", "with_cxx"):
        assert_stands_alone(build / program, prefix)
        run(build / program, tmp_path / f"{program}.parquet")
        assert_rows(tmp_path / f"{program}.parquet")


def test_a_cmake_project_in_c_alone_needs_nothing_else(prefix, sources, tmp_path):
    project = tmp_path / "source"
    shutil.copytree(sources, project)
    (project / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(consumer LANGUAGES C)\n"
        "find_package(tailrace 0.1 REQUIRED COMPONENTS c)\nadd_executable(with_c with_c.c rows.c)\n"
        "target_link_libraries(with_c PRIVATE tailrace::c)\n")
    run(CMAKE, "-S", project, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
    cache = (tmp_path / "build/CMakeCache.txt").read_text()
    assert "CURL" not in cache and "Arrow_DIR" not in cache
    run(CMAKE, "--build", tmp_path / "build")
    run(tmp_path / "build/with_c", tmp_path / "f.parquet")
    assert_rows(tmp_path / "f.parquet")


@pytest.mark.parametrize("package, compiler, source", [
    ("tailrace", ["cc", "-std=c99"], ["with_c.c", "rows.c"]),
    ("tailrace-cxx", [CXX, "-std=c++20"], ["with_cxx.cc"]),
])
def test_pkg_config_finds_it(prefix, sources, tmp_path, package, compiler, source):
    libdir = Path(" ".join(pkg_config(prefix, "--variable=libdir", package))).resolve()
    assert libdir == (prefix / "lib").resolve()
    program = tmp_path / "program"
    run(*compiler, *(sources / name for name in source), *pkg_config(prefix, "--cflags", "--libs", package),
        f"-Wl,-rpath,{libdir}:{libdir}/tailrace", "-o", program)
    assert_stands_alone(program, prefix)
    run(program, tmp_path / "f.parquet")
    assert_rows(tmp_path / "f.parquet")
