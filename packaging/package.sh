#!/usr/bin/env bash
# Makes a tarball, which runs wherever it is unpacked, and a Debian package of what was built:
#
#   packaging/package.sh BUILD_DIR OUTPUT_DIR
#
# Prints the two paths. Needs nothing but CMake, tar and, for the Debian package, dpkg.
set -euo pipefail

fail() { printf 'package: %s\n' "$*" >&2; exit 1; }

# debian_dependencies FILE...: the packages that these files' libraries are in, as "name (>= version), ...". What a
# library's package says of itself (its shlibs file) comes first, as for every Debian package.
debian_dependencies() {
  local needed found name path package shlibs dependency
  needed=$(objdump -p "$@" | sed -n 's/^ *NEEDED *//p' | sort -u)
  found=$(ldd "$@")
  for name in $needed; do
    case $name in libarrow.so.* | libparquet.so.* | ld-linux-*) continue ;; esac
    path=$(awk -v name="$name" '$1 == name { print $3; exit }' <<<"$found")
    [[ -n $path ]] || fail "$name is not installed here"
    package=$(dpkg-query --search "$(realpath "$path")" 2>/dev/null || dpkg-query --search "*$path") ||
      fail "$path is of no Debian package"
    package=${package%%: *}
    shlibs=/var/lib/dpkg/info/$package.shlibs
    [[ -e $shlibs ]] || shlibs=/var/lib/dpkg/info/${package%%:*}.shlibs
    dependency=
    if [[ -e $shlibs ]]; then
      dependency=$(awk -v file="$name" '
        $1 !~ /:$/ && (file == $1 ".so." $2 || file == $1 "-" $2 ".so") {
          for (i = 3; i <= NF; ++i) printf "%s%s", $i, i < NF ? " " : "\n"
          exit
        }
      ' "$shlibs")
    fi
    printf '%s\n' "${dependency:-${package%%:*}}"
  done | sort -u | paste -sd, | sed 's/,/, /g'
}

# debian_package STAGE VERSION OUTPUT: what STAGE holds goes below /usr.
debian_package() {
  local stage=$1 version=$2 output=$3 architecture root
  architecture=$(dpkg --print-architecture)
  root=$(mktemp -d "$stage.deb.XXXXXX")
  mkdir -p "$root/DEBIAN" "$root/usr"
  cp -a "$stage/." "$root/usr/"
  cat "$root/usr/share/doc/tailrace/NOTICE" "$root/usr/share/doc/tailrace/LICENSE" \
    > "$root/usr/share/doc/tailrace/copyright"
  local depends
  depends=$(debian_dependencies "$root/usr/bin/tailrace" "$root/usr/lib/libtailrace.so.1" "$root"/usr/lib/tailrace/*.so.*)
  cat > "$root/DEBIAN/control" <<CONTROL
Package: tailrace
Version: $version
Architecture: $architecture
Maintainer: the tailrace authors
Section: database
Priority: optional
Installed-Size: $(du -sk "$root/usr" | cut -f1)
Depends: $depends
Description: Parquet objects as transactions
 Streams Arrow data into Parquet objects on S3-like stores and file systems;
 nothing is visible before it is whole, and any process goes on from a small
 state. The command, the C and C++ libraries and the libarrow they need.
CONTROL
  # So that programs find libtailrace.so.1 at once.
  printf 'activate-noawait ldconfig\n' > "$root/DEBIAN/triggers"
  find "$root" -type d -exec chmod 755 {} +
  dpkg-deb --root-owner-group --build "$root" "$output/tailrace_${version}_$architecture.deb" >/dev/null
  rm -rf "$root"
  printf '%s\n' "$output/tailrace_${version}_$architecture.deb"
}

main() {
  [[ $# -eq 2 ]] || fail "usage: packaging/package.sh BUILD_DIR OUTPUT_DIR"
  local build=$1 output=$2 version name stage
  version=$(head -1 "$(dirname "${BASH_SOURCE[0]}")/../VERSION")
  name=tailrace-$version-$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)
  mkdir -p "$output"
  stage=$(mktemp -d)
  # Expanded now: the variable is gone when the trap runs.
  # shellcheck disable=SC2064
  trap "rm -rf '$stage'" EXIT
  cmake --install "$build" --prefix "$stage/$name" --strip >/dev/null
  tar -C "$stage" --owner=0 --group=0 --sort=name -cJf "$output/$name.tar.xz" "$name"
  printf '%s\n' "$output/$name.tar.xz"
  if command -v dpkg-deb >/dev/null; then debian_package "$stage/$name" "$version" "$output"; fi
}

main "$@"
