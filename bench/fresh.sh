#!/usr/bin/env bash
# README's two commands on a machine that has nothing: a fresh root file system of Debian, made by debootstrap.
#
#   sudo bench/fresh.sh bookworm          # Debian 12: the page, and `test --quick`
#   sudo bench/fresh.sh trixie full       # Debian 13: the page, and every check; Chromium is Debian's
#
# Taken along from this machine: how names are found, certificates, and settings of pip. The folder stays (FRESH_ROOT, or
# /var/tmp/fresh-SUITE) and is used again. Fails where a page does not open, a check fails or a traceback is seen.
set -euo pipefail
suite=${1:?"expected a suite of Debian, as bookworm or trixie"}
checks=${2:-quick}
root=${FRESH_ROOT:-/var/tmp/fresh-$suite}
here=$(cd "$(dirname "$0")/.." && pwd)
log=$(mktemp)
port=$(python3 -c "import socket; s = socket.create_server(('127.0.0.1', 0)); print(s.getsockname()[1])")

if [ ! -x "$root/usr/bin/python3" ]; then
  debootstrap --variant=minbase --include=python3,python3-venv,ca-certificates "$suite" "$root"
fi
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
cp /etc/hosts "$root/etc/hosts"
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
for config in /etc/pip.conf; do [ ! -e "$config" ] || cp "$config" "$root$config"; done
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
[ -c "$root/dev/null" ] || mknod -m 666 "$root/dev/null" c 1 3
mkdir -p "$root/dev/shm" && chmod 1777 "$root/dev/shm"
trap 'umount "$root/proc" || true; rm -f "$log"' EXIT

chroot "$root" id player >/dev/null 2>&1 || chroot "$root" useradd --create-home player
rm -rf "$root/home/player/companion"
mkdir "$root/home/player/companion"
git -C "$here" archive HEAD | tar -x -C "$root/home/player/companion"
chroot "$root" chown -R player:player /home/player

as_player() {  # a shell's words, as somebody who may install nothing
  chroot "$root" /usr/bin/env -i HOME=/home/player USER=player LANG=C.UTF-8 PATH=/usr/bin:/bin \
    $(env | grep -E '^(PIP_|SSL_CERT_|https?_proxy=|no_proxy=)' || true) \
    setpriv --reuid player --regid player --init-groups sh -c "cd ~/companion && $1"
}

echo "— $suite: python3 run.py"
begun=$(date +%s)
set -m # a group of its own: run.py starts other programs
as_player "exec python3 run.py --no-browser --port $port --data ~/data" >"$log" 2>&1 &
companion=$!
set +m
opened=""
for _ in $(seq 600); do
  if python3 -c "import urllib.request as u; u.urlopen('http://127.0.0.1:$port/', timeout=5)" 2>/dev/null; then opened=yes; break; fi
  kill -0 $companion 2>/dev/null || break
  sleep 1
done
kill -- "-$companion" 2>/dev/null || true
wait $companion 2>/dev/null || true
cat "$log"
[ -n "$opened" ] || { echo "fresh.sh: the page did not open"; exit 1; }
! grep -q Traceback "$log" || { echo "fresh.sh: a traceback was seen"; exit 1; }
echo "— page open after $(($(date +%s) - begun)) s"

echo "— $suite: python3 run.py test"
if [ "$checks" = full ]; then
  chroot "$root" apt-get update -qq # a player may install none; without one the browser tests are left out
  chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium-headless-shell fonts-noto-cjk libatomic1 >/dev/null
  as_player "CI=1 python3 run.py test"
else
  as_player "python3 run.py test --quick"
fi
