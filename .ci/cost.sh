#!/usr/bin/env bash
# Runs a test binary for go test -exec and notes the processor time that it and its children took, in seconds, beside its
# folder, in the file that COSTS names. cost.sh report prints the dearest twenty, and warns of what is too dear.
set -u
if [ "${1:-}" = report ]; then
  sort -rn "$COSTS" | sed 20q
  awk -v each=40 -v all=300 '
    { sum += $1; if ($1 > each) printf "warning: %s takes %.0f s of processor time; at most %d are wanted\n", $2, $1, each }
    END { printf "%.0f s of processor time in all\n", sum; if (sum > all) printf "warning: at most %d are wanted\n", all }' "$COSTS"
  exit 0
fi
mine=$(mktemp)
TIMEFORMAT='%U %S' # of the program and its children
{ time "$@" 2>&3; } 3>&2 2>"$mine"
code=$?
tail -n 1 "$mine" | awk -v dir="${PWD#"$ROOT"/}" '{ printf "%.1f\t%s\n", $1 + $2, dir }' >>"$COSTS"
rm "$mine"
exit $code
