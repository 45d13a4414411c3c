# One-word commands over CMake presets; `make` lists them.
JOBS ?= $(shell nproc)
PYTHON_BIN := .venv/bin/python

# The order of the steps matters; the builds inside them are parallel.
.NOTPARALLEL:
.PHONY: help setup setup-test build demo test test-asan format tidy clean

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*##  *\(.*\)/  make \1\t\2/p' Makefile | expand -t 20

setup:  ## install what building needs and is missing (Debian packages, .venv)
	@tools/setup.sh

setup-test:  ## ... and what the tests need
	@tools/setup.sh --test

configure-%:
	@cmake --preset $* >/dev/null

build: setup configure-release  ## build the program and the library, Release, into build/release
	cmake --build --preset release -j $(JOBS) --target tailrace_program

demo: build  ## write real flight data, kill the writer, resume, commit, look at the file
	@tools/demo.sh

# Both builds, then every test of both in one run, so that the runner's closing line speaks for all.
test: setup-test configure-release configure-asan  ## build and run every test
	cmake --build --preset release -j $(JOBS)
	cmake --build --preset asan -j $(JOBS)
	@printf 'subdirs(release)\nsubdirs(asan)\n' > build/CTestTestfile.cmake
	ctest --test-dir build --output-on-failure --no-tests=error -j $(JOBS)

test-asan: setup-test build/asan/build.ninja  ## build and run the tests under the sanitizers
	cmake --build --preset asan -j $(JOBS)
	ctest --preset asan -j $(JOBS)

# What `make test` asks of six of them; SeaweedFS takes twenty minutes to build, once per machine, and moto checks little.
.PHONY: test-stores
test-stores: setup-test configure-release  ## run the conformance suite on every real server, SeaweedFS and moto too
	cmake --build --preset release -j $(JOBS) --target conformance_tests tailrace_program
	ctest --preset release -C all-stores -L '^stores$$' -j $(JOBS)

format: setup-test  ## format the C++ sources in place
	@$(PYTHON_BIN) tools/format.py --fix

tidy: setup-test  ## check layers, lengths, names and format
	@$(PYTHON_BIN) tools/tidy.py
	@$(PYTHON_BIN) tools/format.py

clean:  ## remove what was built; .venv stays
	rm -rf build
