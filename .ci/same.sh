#!/usr/bin/env bash
# The same inputs give the same bytes, for a tiny run of each kind: at one and two processors, after a kill, and with
# sealed/ absent and swapped for another run's. The program is built without a C compiler: one build shows that, too.
set -euo pipefail
cd "$(dirname "$0")/.."
. .ci/kinds.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
CGO_ENABLED=0 go build -o "$work/achilles" .
cd "$work"

same() {
  run=(./achilles run "$scenario" "${set[@]}" "${infer[@]}" --seed 7)
  GOMAXPROCS=1 quietly "${run[@]}" --jobs 1 --out one
  GOMAXPROCS=2 quietly "${run[@]}" --jobs 2 --out two
  diff -r one two

  # killed as soon as a piece of the inference is on disk, or wherever the kill meets it; then the same command again
  "${run[@]}" --jobs 2 --out killed >/dev/null 2>&1 &
  pid=$!
  until [ -e killed/.pieces ] || ! kill -0 "$pid" 2>/dev/null; do :; done
  kill -9 "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
  quietly "${run[@]}" --jobs 2 --out killed
  diff -r one killed

  quietly ./achilles generate "$scenario" "${set[@]}" --seed 8 --out other
  seed=$(sed -n 's/.*"seed": "\([0-9]*\)".*/\1/p' one/inferred/manifest.json) # run does not infer with the root seed
  for sealed in absent swapped; do
    mkdir $sealed
    cp -r one/public $sealed/public
    [ $sealed = absent ] || cp -r other/sealed $sealed/sealed
    quietly ./achilles infer $sealed "${infer[@]}" --seed "$seed"
    diff -r one/inferred $sealed/inferred
  done
  rm -r one two killed other absent swapped
  echo "$kind: same bytes at GOMAXPROCS 1 and 2, killed and resumed, sealed/ absent and swapped"
}
each same
