# versitygw behind TLS, with a certificate for 127.0.0.1, localhost and the bucket's own name, from an authority made for
# this run.
. "$HERE/versitygw.sh"

# MakeCertificates: $DATA/ca.pem, $DATA/server.pem, $DATA/server.key.
MakeCertificates() {
  (
    cd "$DATA"
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "/CN=tailrace test CA" \
      -addext basicConstraints=critical,CA:TRUE -keyout ca.key -out ca.pem
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=localhost" \
      -keyout server.key -out server.csr
    printf 'subjectAltName=DNS:localhost,DNS:tailrace-test.localhost,IP:127.0.0.1\n' >server.ext
    openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile server.ext \
      -out server.pem
  ) >"$DATA/openssl.log" 2>&1
}

Start() {
  MakeCertificates
  StartVersitygw "--cert $DATA/server.pem --key $DATA/server.key" ""
  WaitReady server "https://127.0.0.1:$PORT/" --cacert "$DATA/ca.pem"
  Describe "https://127.0.0.1:$PORT" "AWS_CA_BUNDLE=$DATA/ca.pem"
}
