# LocalStack core 4.6 (Python, Apache-2.0), the S3 provider only, run on the host without its container.
# The pins are what 4.6.0 needs on Python 3.11; newer ones need 3.12. No signature is checked.

Install() {
  PythonVenv localstack-4.6.0 'localstack-core[base-runtime]==4.6.0' localstack-twisted==25.5.0 cbor2==5.6.5 \
    jinja2==3.1.6 pyopenssl==24.2.1 cryptography==43.0.3 moto-ext==5.1.54
}

Start() {
  local port
  port=$(FreePorts 1)
  ACCESS_KEY=test SECRET_KEY=test
  export SERVICES=s3 EAGER_SERVICE_LOADING=1 STRICT_SERVICE_LOADING=1 GATEWAY_LISTEN=127.0.0.1:$port DISABLE_EVENTS=1 \
    SKIP_SSL_CERT_DOWNLOAD=1 DNS_ADDRESS=0 OVERRIDE_IN_DOCKER=0 FILESYSTEM_ROOT="$DATA" TMPDIR="$DATA" \
    LOCALSTACK_VOLUME_DIR="$DATA"
  Launch server "$VENV/bin/python" -m localstack.runtime.main
  WaitReady server "http://127.0.0.1:$port/"
  Describe "http://127.0.0.1:$port"
}
