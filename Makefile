# One-word commands over CMake presets; `make` lists them.
JOBS ?= $(shell nproc)
PYTHON_BIN := .venv/bin/python

# The order of the steps matters; the builds inside them are parallel.
.NOTPARALLEL:
.PHONY: help setup setup-test setup-bench build demo test test-asan test-tsan fuzz bench-store format tidy clean

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*##  *\(.*\)/  make \1\t\2/p' Makefile | expand -t 20

setup:  ## install what building needs and is missing (Debian packages, .venv)
	@tools/setup.sh

setup-test:  ## ... and what the tests need
	@tools/setup.sh --test

setup-bench:  ## ... and the clients that the benchmarks compare with
	@tools/setup.sh --bench

configure-%:
	@cmake --preset $* >/dev/null

build: setup configure-release  ## build the program and the library, Release, into build/release
	cmake --build --preset release -j $(JOBS) --target tailrace_program

.PHONY: install package test-packages
install: setup configure-release  ## install command, libraries and headers: make install PREFIX=DIR
	@test -n "$(PREFIX)" || { echo "say where: make install PREFIX=DIR" >&2; exit 2; }
	cmake --build --preset release -j $(JOBS) --target tailrace_installed
	cmake --install build/release --prefix "$(PREFIX)" --strip

package: setup configure-release  ## make a tarball and a Debian package in build/package
	cmake --build --preset release -j $(JOBS) --target tailrace_installed
	@packaging/package.sh build/release build/package

# Takes minutes, and the registry of Rust: not part of `make test`.
test-packages: setup-test  ## try what is installed and packaged, and the C interface from Rust
	@cmake --preset release -DTAILRACE_TEST_PACKAGES=ON >/dev/null
	cmake --build --preset release -j $(JOBS) --target tailrace_installed
	ctest --preset release -R '^(install|c_interface_rust)$$'

demo: build  ## write real flight data, kill the writer, resume, commit, look at the file
	@tools/demo.sh

# All builds, then every test of them in one run, so that the runner's closing line speaks for all.
TESTED := release asan tsan fuzz
test: setup-test $(TESTED:%=configure-%)  ## build and run every test
	for preset in $(TESTED); do cmake --build --preset $$preset -j $(JOBS) || exit 1; done
	@printf 'subdirs(%s)\n' $(TESTED) > build/CTestTestfile.cmake
	ctest --test-dir build --output-on-failure --no-tests=error -j $(JOBS)

test-asan: setup-test configure-asan  ## build and run the tests under AddressSanitizer
	cmake --build --preset asan -j $(JOBS)
	ctest --preset asan -j $(JOBS)

# What `make test` asks of six of them; SeaweedFS takes twenty minutes to build, once per machine, and moto checks little.
.PHONY: test-stores
test-stores: setup-test configure-release  ## run the conformance suite on every real server, SeaweedFS and moto too
	cmake --build --preset release -j $(JOBS) --target conformance_tests tailrace_program
	ctest --preset release -C all-stores -L '^stores$$' -j $(JOBS)

format: setup-test  ## format the C++ sources in place
	@$(PYTHON_BIN) tools/format.py --fix

test-tsan: setup-test configure-tsan  ## build and run the tests with threads under ThreadSanitizer
	cmake --build --preset tsan -j $(JOBS)
	ctest --preset tsan -j $(JOBS)

# Finds stay below build/fuzz/tests/fuzz (tests/fuzz/fuzz.sh).
fuzz: setup-test configure-fuzz  ## fuzz each parser for TAILRACE_FUZZ_SECONDS (60)
	cmake --build --preset fuzz -j $(JOBS)
	TAILRACE_FUZZ_SECONDS=$${TAILRACE_FUZZ_SECONDS:-60} ctest --preset fuzz -j $(JOBS)

.PHONY: fuzz-long
fuzz-long: export TAILRACE_FUZZ_SECONDS ?= 3600
fuzz-long: fuzz  ## ... for an hour each

.PHONY: bench bench-write
bench: bench-write bench-store  ## measure whole writes against other writers (bench/README.md), and uploads

bench-write: setup-bench configure-release  ## ... the writes alone
	cmake --build --preset release -j $(JOBS) --target bench_write
	@$(PYTHON_BIN) bench/e2e/bench_write.py --build build/release --data build/bench --out build/bench $(BENCH_ARGUMENTS)

bench-store: setup-bench configure-release  ## measure uploads against other clients (bench/store/README.md)
	cmake --build --preset release -j $(JOBS) --target bench_store
	@$(PYTHON_BIN) bench/store/bench_store.py --build build/release $(BENCH_ARGUMENTS)

tidy: setup-test  ## check layers, lengths, names and format
	@$(PYTHON_BIN) tools/tidy.py
	@$(PYTHON_BIN) tools/format.py

clean:  ## remove what was built; .venv stays
	rm -rf build
