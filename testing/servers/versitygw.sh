# versitygw (Go, Apache-2.0) with its posix back end: objects are plain files below $DATA/objects.

Install() { GoBinary versitygw github.com/versity/versitygw/cmd/versitygw@v1.8.0; }

# StartVersitygw GLOBAL-OPTIONS POSIX-OPTIONS: shared by the variants. Without --keep-alive every answer closes
# the connection. The program changes directory, so paths must be absolute.
StartVersitygw() {
  local port
  port=$(FreePorts 1)
  mkdir -p "$DATA/objects" "$DATA/iam"
  export ROOT_ACCESS_KEY=$ACCESS_KEY ROOT_SECRET_KEY=$SECRET_KEY
  # shellcheck disable=SC2086  # the options are words
  Launch server "$SERVERS_HOME/bin/versitygw" --port "127.0.0.1:$port" --region "$REGION" \
    --virtual-domain "localhost:$port" --iam-dir "$DATA/iam" --quiet --keep-alive $1 posix $2 "$DATA/objects"
  PORT=$port
}

Start() {
  StartVersitygw "" ""
  WaitReady server "http://127.0.0.1:$PORT/"
  Describe "http://127.0.0.1:$PORT"
}
