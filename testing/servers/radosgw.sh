# Ceph RGW 16.2 of Debian 12 (LGPL): one monitor, one OSD that keeps everything in memory, one gateway; no manager.

Install() {
  DebianPackages radosgw ceph-osd ceph-mon ceph ceph-authtool -- radosgw ceph-mon ceph-osd ceph-common
}

Start() {
  local port mon2 mon1
  port=$(FreePorts 3) mon2=$((port + 1)) mon1=$((port + 2))
  WriteConfiguration "$port" "[v2:127.0.0.1:$mon2/0,v1:127.0.0.1:$mon1/0]"
  MakeKeys
  StartMonitor "[v2:127.0.0.1:$mon2,v1:127.0.0.1:$mon1]"
  StartOsd
  Launch server radosgw -c "$DATA/ceph.conf" -n client.rgw.a -f
  WaitReady server "http://127.0.0.1:$port/"
  timeout 120 radosgw-admin -c "$DATA/ceph.conf" -n client.rgw.a user create --uid t --display-name t \
    --access-key "$ACCESS_KEY" --secret-key "$SECRET_KEY" >"$DATA/user.log" 2>&1
  Describe "http://127.0.0.1:$port"
}

# WriteConfiguration PORT MONITORS
WriteConfiguration() {
  FSID=$(cat /proc/sys/kernel/random/uuid)
  cat >"$DATA/ceph.conf" <<CONF
[global]
fsid = $FSID
mon host = $2
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
osd pool default size = 1
osd pool default min size = 1
osd crush chooseleaf type = 0
osd pool default pg num = 4
osd pool default pg autoscale mode = off
mon allow pool size one = true
mon max pg per osd = 1000
ms bind ipv4 = true
public addr = 127.0.0.1
cluster addr = 127.0.0.1
run dir = $DATA
admin socket = $DATA/\$name.asok
pid file = $DATA/\$name.own-pid
log file = $DATA/\$name.log
mon data = $DATA/mon
osd data = $DATA/osd
osd objectstore = memstore
memstore device bytes = 6442450944
osd memory target = 939524096
mon osd full ratio = 0.97
mon data avail crit = 1
mon data avail warn = 1
mon cluster log file = $DATA/cluster.log
keyring = $DATA/keyring
[client.rgw.a]
rgw frontends = beast endpoint=127.0.0.1:$1
rgw data = $DATA
rgw dns name = localhost
rgw enable usage log = false
rgw crypt require ssl = false
rgw relaxed s3 bucket names = true
CONF
}

MakeKeys() {
  local ring="$DATA/keyring"
  {
    ceph-authtool --create-keyring "$ring" --gen-key -n mon. --cap mon 'allow *'
    ceph-authtool "$ring" --gen-key -n client.admin --cap mon 'allow *' --cap osd 'allow *'
    ceph-authtool "$ring" --gen-key -n client.rgw.a --cap mon 'allow *' --cap osd 'allow *'
    ceph-authtool "$ring" --gen-key -n osd.0 --cap mon 'allow profile osd' --cap osd 'allow *'
  } >"$DATA/keys.log" 2>&1
}

# StartMonitor ADDRESSES
StartMonitor() {
  mkdir -p "$DATA/mon"
  {
    monmaptool --create --fsid "$FSID" --addv a "$1" "$DATA/monmap"
    ceph-mon -c "$DATA/ceph.conf" --mkfs -i a --monmap "$DATA/monmap" --keyring "$DATA/keyring"
  } >"$DATA/mon-mkfs.log" 2>&1
  Launch mon ceph-mon -c "$DATA/ceph.conf" -f -i a
}

StartOsd() {
  local id
  id=$(cat /proc/sys/kernel/random/uuid)
  mkdir -p "$DATA/osd"
  timeout 60 ceph -c "$DATA/ceph.conf" osd new "$id" >/dev/null
  ceph-osd -c "$DATA/ceph.conf" -i 0 --mkfs --osd-uuid "$id" >"$DATA/osd-mkfs.log" 2>&1
  Launch osd ceph-osd -c "$DATA/ceph.conf" -f -i 0
  for _ in $(seq 100); do
    timeout 20 ceph -c "$DATA/ceph.conf" osd stat 2>/dev/null | grep -q '1 up' && return 0
    sleep 0.2
  done
  Fail "the OSD did not come up; see $DATA/osd.log"
}
