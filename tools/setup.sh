#!/usr/bin/env bash
# Installs what is missing to build tailrace: Debian packages, with root or sudo, and a Python environment in
# .venv, which carries libarrow. With --test also what the tests need, with --bench the clients that benchmarks compare
# with. Running it again costs nothing.
#
# PYTHON=/path/to/python3 chooses the Python to make the environment with; 3.11 or newer.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly packages=(cmake ninja-build ccache libgtest-dev libgmock-dev libcli11-dev libcurl4-openssl-dev
                    libpugixml-dev libssl-dev nlohmann-json3-dev)
# The compiler of the fuzz targets, the symbolizer of ThreadSanitizer, certificates for the tests, and what builds and
# runs other readers, which tests/interop/readers.sh gets once per machine.
readonly test_packages=(clang-19 libclang-rt-19-dev llvm-19 openssl maven openjdk-17-jdk-headless)
readonly bench_packages=(curl)
readonly venv=.venv

say() { printf 'setup: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# apt_install PACKAGE...
apt_install() {
  local as_root=()
  if [[ $(id -u) -ne 0 ]]; then
    command -v sudo >/dev/null ||
      fail "Debian packages are missing and there is neither root nor sudo; run as root: apt-get install $*"
    as_root=(sudo)
  fi
  say "installing Debian packages: $*"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300)
  "${apt[@]}" -qq update ||
    say "apt-get update failed; going on with the package lists that are there"
  local log
  log=$("${apt[@]}" -qq install --yes --no-install-recommends "$@" 2>&1) ||
    fail "apt-get could not install $*"$'\n'"$log"
}

# Prints those of the given packages that are not installed.
missing_packages() {
  local package
  local -A installed=()
  while read -r package; do
    installed[${package%%:*}]=1
  done < <(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
           sed -n 's/^installed //p')
  for package in "$@"; do
    [[ -n ${installed[$package]:-} ]] || printf '%s\n' "$package"
  done
}

# install_packages PACKAGE...
install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    # Not Debian: what the packages provide has to be there already; CMake names the library it misses.
    local tool
    for tool in cmake ninja; do
      command -v "$tool" >/dev/null || fail "$tool is missing; on Debian: apt-get install $*"
    done
    return
  fi
  local wanted=("$@")
  command -v "${CXX:-c++}" >/dev/null || wanted+=(g++)
  local missing
  mapfile -t missing < <(missing_packages "${wanted[@]}")
  if ((${#missing[@]} > 0)); then apt_install "${missing[@]}"; fi
}

# runs PYTHON CODE: does this Python exist and run the code?
runs() { "$1" -c "$2" >/dev/null 2>&1; }

# Prints a Python that is new enough and can make environments.
find_python() {
  local new_enough='import sys; sys.exit(sys.version_info < (3, 11))'
  local candidates=(python3 /usr/bin/python3 python3.13 python3.12 python3.11)
  [[ -n ${PYTHON:-} ]] && candidates=("$PYTHON")
  local python without_pip=
  for python in "${candidates[@]}"; do
    runs "$python" "$new_enough" || continue
    if runs "$python" 'import ensurepip, venv'; then
      printf '%s\n' "$python"
      return
    fi
    without_pip=${without_pip:-$python}
  done
  [[ -n $without_pip ]] || fail "needs Python 3.11 or newer; looked for: ${candidates[*]}"
  # Debian keeps ensurepip in a package of its own, one for each version.
  local version
  version=$("$without_pip" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  command -v apt-get >/dev/null || fail "$without_pip has no ensurepip, which making an environment needs"
  apt_install "python$version-venv"
  runs "$without_pip" 'import ensurepip, venv' || fail "$without_pip still has no ensurepip"
  printf '%s\n' "$without_pip"
}

# make_environment PURPOSE REQUIREMENTS
make_environment() {
  local purpose=$1 requirements=$2
  # A copy of the requirements, written last, says that they are installed.
  local stamp=$venv/setup-$purpose.stamp
  if cmp --silent "$requirements" "$stamp" && runs $venv/bin/python ''; then return; fi
  if ! runs $venv/bin/python 'import pip'; then
    local python
    python=$(find_python)
    say "making the Python environment $venv with $python"
    rm -rf $venv
    "$python" -m venv $venv
  fi
  say "installing Python packages for $purpose: $(sed -n 's/==.*//p' "$requirements" | tr '\n' ' ')"
  # Twice quiet: an old pip warns of how it installs what has no wheel. Errors are still shown.
  $venv/bin/python -m pip install -qq --disable-pip-version-check --no-deps --requirement "$requirements"
  cp "$requirements" "$stamp"
}

main() {
  local wanted=("${packages[@]}") test=false bench=false
  case ${1:-} in
    '') ;;
    --test) test=true && wanted+=("${test_packages[@]}") ;;
    --bench) test=true && bench=true && wanted+=("${bench_packages[@]}") ;;
    *) fail "usage: tools/setup.sh [--test | --bench]" ;;
  esac
  # Debian's cargo is too old; that of rustup will do.
  if $test && ! command -v cargo >/dev/null; then wanted+=(cargo-web); fi
  install_packages "${wanted[@]}"
  make_environment building tools/requirements.txt
  if $test; then make_environment tests tools/requirements-test.txt; fi
  if $bench; then make_environment benchmarks tools/requirements-bench.txt; fi
}

main "$@"
