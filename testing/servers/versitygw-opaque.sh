# versitygw whose ETags are made from CRC-64/NVME: opaque words such as "CRC64NVME-I+d+K+WPIaA=".
. "$HERE/versitygw.sh"

Start() {
  StartVersitygw "" --data-integrity-etag
  WaitReady server "http://127.0.0.1:$PORT/"
  Describe "http://127.0.0.1:$PORT"
}
