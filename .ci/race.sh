#!/usr/bin/env bash
# Races: a tiny run of each kind by a program that looks for them, and the tests of the packages where goroutines meet
# outside of a run. race.sh all: the tests of every package, in random order.
set -euo pipefail
cd "$(dirname "$0")/.."
. .ci/kinds.sh
if [ "${1:-}" = all ]; then
  go test -race -shuffle=on -short -timeout 90m ./...
  exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -race -o "$work/achilles" .
race() {
  quietly ./achilles run "$scenario" "${set[@]}" "${infer[@]}" --seed 7 --jobs 2 --out "$kind"
  echo "$kind: no race"
}
(cd "$work" && each race)
# A program that looks for races sleeps for a second at its end, and these tests start many.
GORACE=atexit_sleep_ms=0 go test -race -short -vet=off ./sim/store ./agents/external/... ./battery/tables ./render/play ./render/viewer ./render/web
