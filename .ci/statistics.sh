#!/usr/bin/env bash
# The longer statistical suites, which every package keeps behind the flag -stat: reference posteriors,
# simulation-based calibration, coverage, recovery over several seeds.
set -euo pipefail
cd "$(dirname "$0")/.."
git grep -l 'flag.Bool("stat"' -- '*_test.go' | xargs -n1 dirname | sort -u | while read -r package; do
  go test "./$package" -stat -timeout 25m
done
