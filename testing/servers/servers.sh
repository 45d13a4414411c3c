#!/usr/bin/env bash
# Installs, starts and stops the object stores that the tests run against, on free loopback ports.
#
#   servers.sh list                      names of the servers
#   servers.sh install NAME...           fetch and build what is missing (kept in $TAILRACE_SERVERS_HOME)
#   servers.sh start NAME DATADIR        start; prints endpoint, credentials and bucket as NAME=VALUE lines
#   servers.sh stop DATADIR              stop what was started there
#   servers.sh run NAME -- COMMAND...    start in a temporary folder, run COMMAND with those lines as environment, stop
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$HERE/lib.sh"

Recipe() {
  NAME=$1
  List | grep -qxF -- "$NAME" || Fail "no server named '$NAME'; there are: $(List | tr '\n' ' ')"
  . "$HERE/$NAME.sh"
}

List() { for file in "$HERE"/*.sh; do basename "$file" .sh; done | grep -vx -e lib -e servers; }

# One install of a server at a time: parallel test runs wait for the first.
InstallOne() {
  (
    Recipe "$1"
    mkdir -p "$SERVERS_HOME/bin"
    exec 9>"$SERVERS_HOME/$(declare -f Install | cksum | cut -d' ' -f1).lock"
    flock 9
    CommonTools
    Install
  )
}

StartOne() {
  InstallOne "$1"
  (
    Recipe "$1"
    mkdir -p "$2"
    DATA=$(cd "$2" && pwd)
    Install
    Start
  )
}

# StopAll DATADIR: ends the processes whose numbers stand in the pid files, front end first. A number may have been
# given to somebody else since; a process younger than its pid file is left alone.
StopAll() {
  local name file pid age
  for name in server object container account osd mon memcached; do
    file="$1/$name.pid"
    [ -f "$file" ] || continue
    pid=$(cat "$file")
    age=$(ps -o etimes= -p "$pid" 2>/dev/null | tr -d ' ' || true)
    if [ -n "$age" ] && [ $(($(date +%s) - age)) -le $(($(stat -c %Y "$file") + 2)) ]; then
      kill "$pid" 2>/dev/null || true
      for _ in $(seq 50); do
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.1
      done
      kill -9 "$pid" 2>/dev/null || true
    fi
    rm -f "$file"
  done
}

# Runs a command against a fresh server. A watcher stops the server even when this script is killed outright.
RunWith() {
  local name=$1 data rc=0
  shift
  [ "${1:-}" = -- ] || Fail "usage: servers.sh run NAME -- COMMAND..."
  shift
  data=$(mktemp -d -t tailrace-server.XXXXXX)
  setsid bash -c 'tail --pid="$1" -f /dev/null; "$2" stop "$3"; rm -rf "$3"' watch $$ "$HERE/servers.sh" "$data" \
    >/dev/null 2>&1 </dev/null 9>&- &
  disown
  StartOne "$name" "$data"
  (
    set -a
    . "$data/env"
    exec "$@"
  ) || rc=$?
  [ "$rc" = 0 ] || { Say "last lines of the server's log:"; tail -20 "$data/server.log" >&2 || true; }
  StopAll "$data"
  rm -rf "$data"
  return "$rc"
}

case "${1:-}" in
  list) List ;;
  install) shift; for name in "$@"; do InstallOne "$name"; done ;;
  start) [ $# = 3 ] || Fail "usage: servers.sh start NAME DATADIR"; StartOne "$2" "$3"; cat "$3/env" ;;
  stop) [ $# = 2 ] || Fail "usage: servers.sh stop DATADIR"; StopAll "$2" ;;
  run) shift; RunWith "$@" ;;
  *) sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac
