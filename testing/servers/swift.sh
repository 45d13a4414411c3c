# OpenStack Swift 2.30 with s3api (Debian 12, Apache-2.0): proxy, account, container, object server; one replica.
# Multipart uploads become static large objects of at most 1,000 parts.

Install() {
  DebianPackages swift-proxy-server swift-account-server swift-container-server swift-object-server memcached -- \
    swift-proxy swift-account swift-container swift-object memcached
  # Swift reads its hash salt from this file alone.
  local conf=/etc/swift/swift.conf root=()
  grep -qs '^swift_hash_path_suffix *= *[^ %]' $conf && return 0
  [ "$(id -u)" = 0 ] || root=(sudo)
  "${root[@]}" mkdir -p /etc/swift
  printf '%s\n' '[swift-hash]' 'swift_hash_path_suffix = tailrace' 'swift_hash_path_prefix = test' \
    '[storage-policy:0]' 'name = Policy-0' 'default = yes' | "${root[@]}" tee $conf >/dev/null
}

Start() {
  local port
  port=$(FreePorts 5)
  ACCESS_KEY=test:tester SECRET_KEY=testing
  mkdir -p "$DATA/etc" "$DATA/dev/d1"
  Launch memcached memcached -l 127.0.0.1 -p $((port + 4)) -u "$(id -un)" -m 32
  local kind offset=0
  for kind in object container account; do
    offset=$((offset + 1))
    StartStorage "$kind" $((port + offset))
  done
  WriteProxyConfiguration "$port" $((port + 4))
  Launch server swift-proxy-server "$DATA/etc/proxy.conf"
  WaitReady server "http://127.0.0.1:$port/"
  Describe "http://127.0.0.1:$port"
}

# StartStorage object|container|account PORT
StartStorage() {
  (
    cd "$DATA/etc"
    swift-ring-builder "$1.builder" create 4 1 0
    swift-ring-builder "$1.builder" add "r1z1-127.0.0.1:$2/d1" 1
    swift-ring-builder "$1.builder" rebalance
  ) >"$DATA/ring-$1.log" 2>&1 || [ -f "$DATA/etc/$1.ring.gz" ] || Fail "no ring for $1; see $DATA/ring-$1.log"
  cat >"$DATA/etc/$1.conf" <<CONF
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = $2
user = $(id -un)
swift_dir = $DATA/etc
devices = $DATA/dev
mount_check = false
workers = 0
fallocate_reserve = 0
[pipeline:main]
pipeline = $1-server
[app:$1-server]
use = egg:swift#$1
CONF
  Launch "$1" "swift-$1-server" "$DATA/etc/$1.conf"
}

# WriteProxyConfiguration PORT MEMCACHED-PORT
WriteProxyConfiguration() {
  cat >"$DATA/etc/proxy.conf" <<CONF
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = $1
user = $(id -un)
swift_dir = $DATA/etc
workers = 0
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth copy slo dlo
  versioned_writes symlink proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:$2
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
location = $REGION
storage_domain = localhost
max_upload_part_num = 1000
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
max_manifest_segments = 1000
[filter:dlo]
use = egg:swift#dlo
[filter:versioned_writes]
use = egg:swift#versioned_writes
allow_versioned_writes = true
allow_object_versioning = true
[filter:symlink]
use = egg:swift#symlink
CONF
}
