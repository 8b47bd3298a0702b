#!/usr/bin/env bash
# The same inputs give the same bytes: at one and two processors, with sealed/ present, absent and swapped, and after a
# kill. Run from the repository's root.
set -euo pipefail
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
go build -o "$tmp/achilles" .
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
for kind in absent swapped; do
  mkdir "watched-$kind"
  cp -r watched-one/public "watched-$kind/public"
  [ $kind = absent ] || cp -r other-episodes/sealed "watched-$kind/sealed"
  ./achilles infer "watched-$kind" --seed 7 >/dev/null 2>&1
  diff -r watched-one/inferred "watched-$kind/inferred"
done
echo "episodes: same bytes at GOMAXPROCS 1 and 2, killed and resumed, sealed/ absent and swapped"
