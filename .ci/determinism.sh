#!/usr/bin/env bash
# The same inputs give the same bytes: at one and two processors, with sealed/ present, absent and swapped, after a kill,
# on a processor without any of the features that programs look for, and on another architecture where it can be
# emulated. Run from the repository's root.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
go build -o "$tmp/achilles" .
GOARCH=arm64 CGO_ENABLED=0 go build -o "$tmp/achilles-arm64" .
cd "$tmp"
small=(--set battery.sample=200 --draws 200 --warmup 150 --seed 7)

GOMAXPROCS=1 ./achilles run quickstart "${small[@]}" --jobs 1 --out one >/dev/null 2>&1
GOMAXPROCS=2 ./achilles run quickstart "${small[@]}" --jobs 2 --out two >/dev/null 2>&1
diff -r one two
echo "GOMAXPROCS 1 and 2: same bytes"

# killed at an arbitrary moment, then the same command again
./achilles run quickstart "${small[@]}" --jobs 2 --out killed >/dev/null 2>&1 &
pid=$!
sleep 1
kill -9 "$pid" 2>/dev/null || true
wait "$pid" 2>/dev/null || true
./achilles run quickstart "${small[@]}" --jobs 2 --out killed >/dev/null 2>&1
diff -r one killed
echo "killed and resumed: same bytes"

# sealed/ absent and swapped: inferred/ must not change
infer=(--layout op --draws 200 --warmup 150 --seed 7)
./achilles generate quickstart --set battery.sample=200 --seed 8 --out other >/dev/null 2>&1
for kind in present absent swapped; do
  mkdir "$kind"
  cp -r one/public "$kind/public"
  case $kind in
    present) cp -r one/sealed "$kind/sealed" ;;
    swapped) cp -r other/sealed "$kind/sealed" ;;
  esac
  ./achilles infer "$kind" "${infer[@]}" >/dev/null 2>&1
done
diff -r present/inferred absent/inferred
diff -r present/inferred swapped/inferred
echo "sealed/ present, absent, swapped: same inferred bytes"

# the same of episodes that are watched
watch=(--set episodes=48 --seed 7)
GOMAXPROCS=1 ./achilles run bib "${watch[@]}" --jobs 1 --out watched-one >/dev/null 2>&1
GOMAXPROCS=2 ./achilles run bib "${watch[@]}" --jobs 2 --out watched-two >/dev/null 2>&1
diff -r watched-one watched-two
./achilles run bib "${watch[@]}" --jobs 2 --out watched-killed >/dev/null 2>&1 &
pid=$!
until [ -e watched-killed/.pieces/watched-000000 ] || ! kill -0 "$pid" 2>/dev/null; do sleep 0.05; done # while they watch
kill -9 "$pid" 2>/dev/null || true
wait "$pid" 2>/dev/null || true
./achilles run bib "${watch[@]}" --jobs 2 --out watched-killed >/dev/null 2>&1
diff -r watched-one watched-killed
./achilles generate bib --set episodes=2 --seed 8 --out other-episodes >/dev/null 2>&1
seed=$(sed -n 's/.*"seed": "\([0-9]*\)".*/\1/p' watched-one/inferred/manifest.json) # run does not infer with the root seed
for kind in absent swapped; do
  mkdir "watched-$kind"
  cp -r watched-one/public "watched-$kind/public"
  [ $kind = absent ] || cp -r other-episodes/sealed "watched-$kind/sealed"
  ./achilles infer "watched-$kind" --seed "$seed" >/dev/null 2>&1
  diff -r watched-one/inferred "watched-$kind/inferred"
done
echo "episodes: same bytes at GOMAXPROCS 1 and 2, killed and resumed, sealed/ absent and swapped"

# the same of responses that a layout draws, and of one fit to all subjects together
drawn=(--set battery.items=6 --set battery.subjects=8 --draws 100 --warmup 50 --seed 7)
GOMAXPROCS=1 ./achilles run 2pl "${drawn[@]}" --jobs 1 --out drawn-one >/dev/null 2>&1
GOMAXPROCS=2 ./achilles run 2pl "${drawn[@]}" --jobs 2 --out drawn-two >/dev/null 2>&1
diff -r drawn-one drawn-two
./achilles run 2pl "${drawn[@]}" --jobs 2 --out drawn-killed >/dev/null 2>&1 &
pid=$!
until [ -e drawn-killed/public ] || ! kill -0 "$pid" 2>/dev/null; do sleep 0.01; done # while it infers
kill -9 "$pid" 2>/dev/null || true
wait "$pid" 2>/dev/null || true
./achilles run 2pl "${drawn[@]}" --jobs 2 --out drawn-killed >/dev/null 2>&1
diff -r drawn-one drawn-killed
echo "drawn from a layout: same bytes at GOMAXPROCS 1 and 2, killed and resumed"

# every kind of table, where the processor is taken to have no features
acted=(--set battery.items=24 --set "population[0].count=3" --draws 100 --warmup 60 --seed 7)
./achilles run embodied "${acted[@]}" --out acted >/dev/null 2>&1
for off in cpu.avx2=off cpu.all=off; do
  export GODEBUG=$off
  rm -rf plain-*
  ./achilles run quickstart "${small[@]}" --out plain-one >/dev/null 2>&1
  ./achilles run bib "${watch[@]}" --out plain-watched >/dev/null 2>&1
  ./achilles run embodied "${acted[@]}" --out plain-acted >/dev/null 2>&1
  ./achilles run 2pl "${drawn[@]}" --out plain-drawn >/dev/null 2>&1
  unset GODEBUG
  diff -r one plain-one
  diff -r watched-one plain-watched
  diff -r acted plain-acted
  diff -r drawn-one plain-drawn
done
echo "processors without features: same bytes"

# another architecture: whole runs. The emulator needs its C library, because the viewer looks for shared libraries.
arm=(./achilles-arm64)
"${arm[@]}" help >/dev/null 2>&1 || arm=(qemu-aarch64 -L /usr/aarch64-linux-gnu ./achilles-arm64)
if "${arm[@]}" help >/dev/null 2>&1; then
  for made in "quickstart --set battery.sample=100" "bib --set episodes=6" "embodied --set battery.items=24 --set population[0].count=3" "2pl --set battery.items=6 --set battery.subjects=8"; do
    settings=(--seed 7)
    [[ $made = bib* ]] || settings+=(--draws 100 --warmup 50)
    rm -rf here there
    # shellcheck disable=SC2086 # words of a command line
    ./achilles run $made "${settings[@]}" --out here >/dev/null 2>&1
    # shellcheck disable=SC2086
    "${arm[@]}" run $made "${settings[@]}" --out there >/dev/null 2>&1
    diff -r here there
  done
  echo "arm64: same bytes"
else
  echo "arm64: skipped, there is no qemu-aarch64 or no libc6-arm64-cross"
fi
