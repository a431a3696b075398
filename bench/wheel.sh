#!/usr/bin/env bash
# Build wheel and sdist, and start each in an empty environment of every Python that is named.
#
#   bench/wheel.sh python3.11 python3.12 python3.13
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/build"
"$work/build/bin/pip" install --quiet build
"$work/build/bin/python" -m build --outdir "$work/dist" "$here" >/dev/null
for python in "${@:-python3}"; do
  for built in "$work"/dist/*.whl "$work"/dist/*.tar.gz; do
    rm -rf "$work/env" "$work/data"
    "$python" -m venv "$work/env"
    "$work/env/bin/pip" install --quiet "$built"
    "$work/env/bin/pip" check >/dev/null
    begun=$(date +%s)
    (cd "$work" && exec env/bin/table-companion serve --no-browser --port 0 --data data) >"$work/said" 2>&1 &
    companion=$!
    for _ in $(seq 60); do
      address=$(grep -o 'http://127.0.0.1:[0-9]*/' "$work/said" | head -1) && break
      kill -0 $companion || { cat "$work/said"; exit 1; }
      sleep 1
    done
    "$python" -c "import sys, urllib.request as u; u.urlopen(sys.argv[1], timeout=20).read()" "$address"
    kill $companion
    wait $companion || true
    echo "$("$python" --version), $(basename "$built"): $("$work/env/bin/table-companion" --version), page after $(($(date +%s) - begun)) s"
  done
done
