#!/usr/bin/env bash
# Builds, vets and tests infer in a copy that holds nothing but what it may see: there the compiler itself enforces the
# blindness. Then an import of the agents is smuggled in, and the build must fail.
set -euo pipefail
cd "$(dirname "$0")/.."
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

seen="gridworld infer sim/conf sim/longtest sim/num sim/expr sim/record sim/rng"
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
go vet ./...
go test -short ./infer/...

cat >infer/smuggled.go <<'GO'
package infer

import _ "achilles/agents"
GO
if go build ./infer 2>/dev/null; then
  echo "blind.sh: infer builds with an import of the agents: the copy holds too much" >&2
  exit 1
fi
echo "blind build: passed, and a smuggled import does not compile"
