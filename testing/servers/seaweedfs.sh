# SeaweedFS (Go, Apache-2.0): master, volume server, filer and S3 gateway in one process. Built inside its module.

Install() { GoModuleBinary weed github.com/seaweedfs/seaweedfs@v0.0.0-20261109003541-7506e5f91cd6 ./weed; }

Start() {
  local p
  p=$(FreePorts 8)
  cat >"$DATA/s3.json" <<JSON
{"identities": [{"name": "t", "credentials": [{"accessKey": "$ACCESS_KEY", "secretKey": "$SECRET_KEY"}],
                 "actions": ["Admin", "Read", "List", "Tagging", "Write"]}]}
JSON
  Launch server "$SERVERS_HOME/bin/weed" -logtostderr=true server -ip=127.0.0.1 -ip.bind=127.0.0.1 -dir="$DATA" \
    -volume.max=60 -master.volumeSizeLimitMB=1024 -master.port=$((p + 1)) -master.port.grpc=$((p + 2)) \
    -volume.port=$((p + 3)) -volume.port.grpc=$((p + 4)) -filer.port=$((p + 5)) -filer.port.grpc=$((p + 6)) \
    -filer -s3 -s3.port="$p" -s3.port.grpc=$((p + 7)) -s3.config="$DATA/s3.json" -s3.domainName=localhost
  WaitReady server "http://127.0.0.1:$p/"
  # The gateway answers before the master has elected itself.
  for _ in $(seq 100); do
    curl -s --noproxy '*' "http://127.0.0.1:$((p + 1))/cluster/status" | grep -q '"IsLeader":true' && break
    sleep 0.1
  done
  Describe "http://127.0.0.1:$p"
}
