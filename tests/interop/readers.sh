#!/usr/bin/env bash
# readers.sh arrow_rs TARGET        puts the program over arrow-rs into the folder TARGET
# readers.sh parquet_java           prints a class path: parquet-java, and the program over it
# readers.sh spark PYTHON           prints a folder for PYTHONPATH that holds pyspark
#
# Installs and builds once per machine, below $TAILRACE_READERS_HOME (~/.cache/tailrace-readers), from the usual
# registries; minutes the first time, nothing later.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
home=${TAILRACE_READERS_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/tailrace-readers}

say() { echo "readers: $*" >&2; }
need() {
  command -v "$1" >/dev/null && return
  say "$1 is missing; tools/setup.sh --test installs it, on Debian: apt-get install $2"
  exit 1
}

# once FOLDER RECIPE COMMAND...: runs the command in a new folder, which becomes FOLDER, unless FOLDER was made by the
# same recipe already.
once() {
  local folder=$1 recipe=$2
  shift 2
  [[ $(cat "$folder/recipe" 2>/dev/null) != "$recipe" ]] || return 0
  say "installing $(basename "$folder") (minutes, once per machine) ..."
  rm -rf "$folder" "$folder.new"
  mkdir -p "$folder.new"
  (cd "$folder.new" && "$@" >&2)
  echo "$recipe" >"$folder.new/recipe"
  mv "$folder.new" "$folder"
}

fetch_parquet_java() {
  mvn -q -B -f "$here/parquet_java/pom.xml" dependency:copy-dependencies -DoutputDirectory="$PWD"
}

compile_parquet_java() { javac -d . -cp "$home/parquet_java/*" -Xlint:-classfile "$here"/parquet_java/*.java; }

make_spark() { "$python" -m pip install -qq --disable-pip-version-check --no-deps --target . "${packages[@]}"; }

mkdir -p "$home"
exec {lock}>"$home/lock-$1"
flock "$lock"
case $1 in
  arrow_rs)
    need cargo "cargo-web"
    cargo build --locked --quiet --manifest-path "$here/arrow_rs/Cargo.toml" --target-dir "$home/cargo" >&2
    cp "$home/cargo/debug/read-with-arrow-rs" "$2"
    ;;
  parquet_java)
    need javac openjdk-17-jdk-headless
    need mvn maven
    recipe=$(sha256sum <"$here/parquet_java/pom.xml")
    once "$home/parquet_java" "$recipe" fetch_parquet_java
    once "$home/parquet_java_classes" "$(cat "$here"/parquet_java/*.java | sha256sum) $recipe" compile_parquet_java
    echo "$home/parquet_java_classes:$home/parquet_java/*"
    ;;
  spark)
    need java openjdk-17-jdk-headless
    python=$2 packages=(pyspark==4.3.0 py4j==0.10.9.9)
    once "$home/spark" "${packages[*]}" make_spark
    echo "$home/spark"
    ;;
  *)
    say "unknown reader $1"
    exit 2
    ;;
esac
