#!/usr/bin/env bash
# The same bytes elsewhere: where the processor is taken to have none of the features that programs look for (elsewhere.sh
# processors), and on another architecture where it can be emulated (elsewhere.sh arm64). Exit code 77: not to be had here.
set -euo pipefail
cd "$(dirname "$0")/.."
. .ci/kinds.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/achilles" .
case ${1:-} in
processors) variants=("env GODEBUG=cpu.avx2=off ./achilles" "env GODEBUG=cpu.all=off ./achilles") ;;
arm64)
  GOARCH=arm64 CGO_ENABLED=0 go build -o "$work/achilles-arm64" .
  cd "$work"
  # the emulator needs its C library, because the viewer looks for shared libraries
  variants=("./achilles-arm64")
  ${variants[0]} help >/dev/null 2>&1 || variants=("qemu-aarch64 -L /usr/aarch64-linux-gnu ./achilles-arm64")
  ${variants[0]} help >/dev/null 2>&1 || { echo "no qemu-aarch64, or no libc6-arm64-cross"; exit 77; } ;;
*) echo "usage: elsewhere.sh processors|arm64" >&2; exit 2 ;;
esac
cd "$work"

elsewhere() {
  quietly ./achilles run "$scenario" "${set[@]}" "${infer[@]}" --seed 7 --out here
  for program in "${variants[@]}"; do
    # shellcheck disable=SC2086 # words of a command line
    quietly $program run "$scenario" "${set[@]}" "${infer[@]}" --seed 7 --out there
    diff -r here there
    rm -r there
    echo "$kind: same bytes from $program"
  done
  rm -r here
}
each elsewhere
