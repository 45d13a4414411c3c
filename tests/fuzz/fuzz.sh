#!/usr/bin/env bash
# fuzz.sh TARGET CORPUS: replays the corpus, then fuzzes for TAILRACE_FUZZ_SECONDS (10; 0 replays alone).
#
# What is found on the way stays beside the target: an input that fails in findings/, from where it goes into the corpus
# with the fix; those that reach new code in grown/TARGET, from where the next run goes on. `-minimize_crash=1` and
# `-merge=1` of libFuzzer make both small.
set -euo pipefail
target=$(realpath "$1")
corpus=$(realpath "$2")
seconds=${TAILRACE_FUZZ_SECONDS:-10}
[[ -n $(ls -A "$corpus") ]] || { echo "fuzz.sh: $corpus is empty" >&2; exit 1; }
cd "$(dirname "$target")"
mkdir -p findings "grown/$(basename "$target")"

options=(-artifact_prefix=findings/ -timeout=60 -rss_limit_mb=2048 -max_len=16384 -print_final_stats=1)
dictionary=$corpus.dict
[[ ! -f $dictionary ]] || options+=("-dict=$dictionary")
export ARROW_DEFAULT_MEMORY_POOL=system  # whose overflows the sanitizer sees
"$target" "${options[@]}" -runs=0 "$corpus"
if ((seconds > 0)); then
  "$target" "${options[@]}" "-max_total_time=$seconds" "grown/$(basename "$target")" "$corpus"
fi
