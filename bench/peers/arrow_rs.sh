#!/usr/bin/env bash
# arrow_rs.sh TARGET: builds the peer over arrow-rs, minutes once per machine, and puts it into the folder TARGET.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=${TAILRACE_READERS_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/tailrace-readers}
command -v cargo >/dev/null || { echo "cargo is missing; tools/setup.sh --bench installs it" >&2; exit 1; }
mkdir -p "$home"
exec {lock}>"$home/lock-arrow_rs"
flock "$lock"
cargo build --release --locked --quiet --manifest-path "$here/arrow_rs/Cargo.toml" --target-dir "$home/cargo" >&2
cp "$home/cargo/release/write-with-arrow-rs" "$1"
