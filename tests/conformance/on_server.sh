#!/usr/bin/env bash
# on_server.sh CONFORMANCE-PROGRAM PYTHON: all suites against the server that the environment names.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# What does not run on a store of the run belongs to another test.
"$1" --gtest_filter='On/*'
suite=$?
"$2" -m pytest -q -p no:cacheprovider "$here/main_job_test.py"
job=$?
[ $suite = 0 ] && [ $job = 0 ]
