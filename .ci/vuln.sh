#!/usr/bin/env bash
# Known vulnerabilities in what achilles calls, by govulncheck, from a database on this machine: a folder as vuln.go.dev serves it.
# Exit code 77: none is given. Other exit codes are those of govulncheck: 3 for a finding.
set -euo pipefail
cd "$(dirname "$0")/.."
db=${1:-${ACHILLES_VULNDB:-}}
[ -n "$db" ] || { echo "no database: vuln.sh FOLDER, or ACHILLES_VULNDB"; exit 77; }
[ -f "$db/index/modules.json" ] || { echo "$db has no index/modules.json: want a copy of the Go vulnerability database" >&2; exit 2; }
exec go run golang.org/x/vuln/cmd/govulncheck@v1.1.4 -db "file://$(cd "$db" && pwd)" ./...
