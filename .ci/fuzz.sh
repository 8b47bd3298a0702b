#!/usr/bin/env bash
# Every fuzz target, two at a time: fuzz.sh [SECONDS] [PATTERN], twenty seconds each if none are given. What a target finds it
# leaves below testdata/fuzz, where the next run of the tests fails on it.
#
# An input that reaches new code is not made smaller (-fuzzminimizetime 1x): the coverage of readers that keep pools and
# goroutines changes from run to run, and Go would spend a minute on every input.
set -euo pipefail
cd "$(dirname "$0")/.."
export SECONDS_EACH=${1:-20}
one() {
  local package=$1 target=$2 log
  log=$(mktemp)
  if go test "./$package" -run '^$' -fuzz "^$target\$" -fuzztime "${SECONDS_EACH}s" -fuzzminimizetime 1x -parallel 1 >"$log" 2>&1; then
    echo "$package $target: $(grep -oE 'execs: [0-9]+' "$log" | tail -n 1)"
    rm -f "$log"
  elif grep -q '^ *context deadline exceeded' "$log" && ! grep -q 'Failing input' "$log"; then
    # Go before 1.27 takes the end of its own time for a failure now and then (golang/go#75804)
    echo "$package $target: $(grep -oE 'execs: [0-9]+' "$log" | tail -n 1), ended by the time limit"
    rm -f "$log"
  else
    cat "$log"
    rm -f "$log"
    echo "$package $target: FAILED"
    return 1
  fi
}
export -f one
git grep -E '^func Fuzz' -- '*_test.go' | sed -E 's|^(.*)/[^/]*:func (Fuzz[A-Za-z]*)\(.*|\1 \2|' | grep -E "${2:-.}" |
  xargs -P 2 -L 1 bash -c 'one "$@"' one
