# moto server (Python, Apache-2.0): in memory; checks neither signatures nor checksums.

Install() { PythonVenv moto-5.2.5 'moto[server]==5.2.5'; }

Start() {
  local port
  port=$(FreePorts 1)
  Launch server "$VENV/bin/moto_server" -H 127.0.0.1 -p "$port"
  WaitReady server "http://127.0.0.1:$port/"
  Describe "http://127.0.0.1:$port"
}
