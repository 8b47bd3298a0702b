#!/usr/bin/env bash
# Wheels of the Python package with the program within, one for each platform: wheel.sh DIR. PLATFORMS has those wanted, as for
# release.sh, which makes the programs; a wheel has 16 to 20 MB. No compiler is needed to install them, and the same commit gives the same bytes.
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: wheel.sh DIR" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
programs=$(mktemp -d)
trap 'rm -rf "$programs"' EXIT
.ci/release.sh "$programs"
python3 -B .ci/wheel.py "$programs" "$out"
