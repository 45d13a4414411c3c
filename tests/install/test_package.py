"""The tarball and the Debian package that `make package` makes: unpacked, and used."""
import re
import shutil

import pytest
from conftest import ARROW_HOME, BUILD, ROOT, assert_rows, assert_stands_alone, run


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("package")
    # Compressed as fast as can be: what is tried is the same.
    fast = {"XZ_OPT": "-0", "DPKG_DEB_COMPRESSOR_LEVEL": "0"}
    return run("bash", ROOT / "packaging/package.sh", BUILD, folder, **fast).split()


def works(prefix, tmp_path):
    assert_stands_alone(prefix / "bin/tailrace", prefix)
    (tmp_path / "in.csv").write_text("id\n" + "\n".join(map(str, range(1000))) + "\n")
    run(prefix / "bin/tailrace", "write", tmp_path / "in.csv", tmp_path / "f.parquet")
    assert_rows(tmp_path / "f.parquet")


def test_the_tarball_runs_where_it_is_unpacked(packages, tmp_path):
    tarball, *_ = packages
    run("tar", "-xJf", tarball, "-C", tmp_path)
    (folder,) = [path for path in tmp_path.iterdir() if path.is_dir()]
    assert re.fullmatch(r"tailrace-[\d.]+-linux-\w+", folder.name)
    assert {path.name for path in folder.iterdir()} == {"bin", "include", "lib", "share"}
    works(folder, tmp_path)


def test_the_debian_package(packages, tmp_path):
    if shutil.which("dpkg-deb") is None:
        assert len(packages) == 1
        return
    package = packages[1]
    run("dpkg-deb", "--extract", package, tmp_path / "root")
    works(tmp_path / "root/usr", tmp_path)
    version = (ROOT / "VERSION").read_text().split()[0]
    assert run("dpkg-deb", "--field", package, "Version").strip() == version
    depends = run("dpkg-deb", "--field", package, "Depends")
    for name in ("libc6 ", "libstdc++6", "libcurl4", "libssl3", "libpugixml1"):
        assert name in depends
    # Whoever unpacks it owns nothing but root's files, and no other package's: libarrow has a folder of its own.
    listing = run("dpkg-deb", "--contents", package).splitlines()
    assert [line for line in listing if " root/root " not in line] == []
    paths = {line.split()[5] for line in listing}
    assert not ARROW_HOME or "./usr/lib/tailrace/libarrow.so.2600" in paths
    assert "./usr/share/doc/tailrace/copyright" in paths
