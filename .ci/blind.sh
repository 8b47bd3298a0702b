#!/usr/bin/env bash
# Builds infer, and finds all that its tests import, in a copy that holds nothing but what it may see: there the compiler
# itself enforces the blindness. Then an import of the agents is smuggled in, once into infer and once into a test, and
# both must fail. blind.sh test runs the tests in the copy, too.
set -euo pipefail
cd "$(dirname "$0")/.."
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

seen="gridworld infer sim/conf sim/longtest sim/part sim/table sim/num sim/expr sim/record sim/rng"
mkdir "$copy/sim"
cp go.mod go.sum "$copy"
cp sim/*.go "$copy/sim"
for part in $seen; do
  cp -r "$part" "$copy/$part"
done
mkdir "$copy/scenarios"
cp -r scenarios/layouts "$copy/scenarios/layouts" # measurement layouts: text that infer is given, not truth
cp -r scenarios/analyses "$copy/scenarios/analyses"
cp -r docs "$copy/docs"                           # manuals that tests hold against the code
cd "$copy"
go build ./...
go list -test -deps ./... >/dev/null # fails for an import that is not in the copy
[ "${1:-}" != test ] || go test ./infer/...

for file in infer/smuggled.go infer/smuggled_test.go; do
  printf 'package infer\n\nimport _ "achilles/agents"\n' >$file
  if go build ./infer 2>/dev/null && go list -test -deps ./infer >/dev/null 2>&1; then
    echo "blind.sh: $file may import the agents: the copy holds too much" >&2
    exit 1
  fi
  rm $file
done
echo "blind build: passed; an import of the agents fails in infer and in its tests"
