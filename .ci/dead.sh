#!/usr/bin/env bash
# Nothing is compiled in vain: no function that neither the program nor that of studies in browsers can reach, but for those
# that .ci/dead.txt names with a reason. Packages of help for tests, whose names end in test, are for tests.
set -euo pipefail
cd "$(dirname "$0")/.."
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
deadcode=$(go tool -n deadcode) # built for this machine, whatever it looks at
list() { "$deadcode" -f '{{range .Funcs}}{{printf "%s %s\n" $.Path .Name}}{{end}}' ./... | { grep -v 'test [^ ]*$' || true; } | sort -u; }
list >"$tmp/here"
GOOS=js GOARCH=wasm list >"$tmp/browser"
comm -12 "$tmp/here" "$tmp/browser" >"$tmp/dead"
[ -s "$tmp/browser" ] || [ ! -s "$tmp/here" ] || { echo "deadcode saw nothing of the browser's program" >&2; exit 1; }
sed -e 's/ *#.*//' -e '/^$/d' .ci/dead.txt | sort -u >"$tmp/known"
new=$(comm -23 "$tmp/dead" "$tmp/known")
old=$(comm -13 "$tmp/dead" "$tmp/known")
[ -z "$new" ] || { echo "never called by the program:"; echo "$new"; }
[ -z "$old" ] || { echo "in .ci/dead.txt, yet called or gone:"; echo "$old"; }
[ -z "$new$old" ] || exit 1
echo "no dead code, but for $(wc -l <"$tmp/known") functions with a reason"
