#!/usr/bin/env bash
# Longer statistical suites: reference posteriors, simulation-based calibration, recovery over several seeds.
set -euo pipefail
cd "$(dirname "$0")/.."
go test ./infer/... ./sim/score/... -run Stat -stat -timeout 40m
