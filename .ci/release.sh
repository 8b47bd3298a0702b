#!/usr/bin/env bash
# What is handed out: programs for five platforms, NOTICE with the licence of every module that is linked, a list of them
# (CycloneDX 1.5), and SHA-256 sums of all. release.sh DIR makes all of it; release.sh DIR notice makes the two lists alone.
# The same commit gives the same bytes.
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: release.sh DIR [notice]" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
platforms="linux/amd64 linux/arm64 darwin/arm64 darwin/amd64 windows/amd64"

# module, version and folder of all that is linked on any platform
modules() {
  for p in $platforms; do
    GOOS=${p%/*} GOARCH=${p#*/} CGO_ENABLED=0 go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' .
  done | sort -u | sed '/^$/d'
}

list=$(modules)
{
  echo "Achilles contains the modules below, each under its own licence."
  printf '\n== Go %s, standard library\n\n' "$(go env GOVERSION)"
  cat "$(go env GOROOT)/LICENSE"
  while read -r path version dir; do
    texts=$(find "$dir" -maxdepth 1 -type f \( -iname 'licen[cs]e*' -o -iname 'copying*' -o -iname 'notice*' -o -iname 'unlicense*' \) | LC_ALL=C sort)
    [ -n "$texts" ] || { echo "$path $version has no licence" >&2; exit 1; }
    printf '\n== %s %s\n' "$path" "$version"
    while read -r f; do printf '\n' && cat "$f"; done <<<"$texts"
  done <<<"$list"
} >"$out/NOTICE"
{
  printf '{\n  "bomFormat": "CycloneDX",\n  "specVersion": "1.5",\n  "version": 1,\n  "metadata": {"component": {"type": "application", "name": "achilles"}},\n  "components": ['
  comma=""
  while read -r path version dir; do
    printf '%s\n    {"type": "library", "name": "%s", "version": "%s", "purl": "pkg:golang/%s@%s"}' "$comma" "$path" "$version" "$path" "$version"
    comma=","
  done <<<"$list"
  printf '\n  ]\n}\n'
} >"$out/sbom.cdx.json"
[ "${2:-}" != notice ] || exit 0

for p in $platforms; do
  name=achilles-${p%/*}-${p#*/}
  [ "${p%/*}" != windows ] || name=$name.exe
  # the version is that of the tag or commit
  GOFLAGS="" GOOS=${p%/*} GOARCH=${p#*/} CGO_ENABLED=0 go build -trimpath -buildvcs=true -o "$out/$name" .
done
cp LICENSE "$out/"
(cd "$out" && sha256sum LICENSE NOTICE achilles-* sbom.cdx.json >SHA256SUMS)
