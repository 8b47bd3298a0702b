#!/usr/bin/env bash
# What is handed out: programs for five platforms with that of studies for browsers within, NOTICE with the licence of every module
# that is linked, a list of them (CycloneDX 1.5), an archive of these for each platform (.tar.gz, for Windows .zip), and SHA-256
# sums of all. release.sh DIR makes all of it; release.sh DIR notice makes the two lists alone. The same commit gives the same bytes. PLATFORMS has those wanted, such as "linux/amd64". The programs
# for Linux are static, and have no window: they start in an empty root, and view serves a browser.
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: release.sh DIR [notice]" >&2; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
platforms=${PLATFORMS:-linux/amd64 linux/arm64 darwin/arm64 darwin/amd64 windows/amd64}

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

# The program of studies comes in by an overlay, so that the tree stays as it was committed.
study=$(mktemp -d)
trap 'rm -rf "$study" results/.release-fonts' EXIT
GOFLAGS="" GOOS=js GOARCH=wasm CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags="-s -w" -o "$study/study.wasm" ./render/study/app
zstd -q -19 -T1 "$study/study.wasm" -o "$study/study.wasm.zst"
printf '{"Replace": {"%s/render/web/study.wasm.zst": "%s/study.wasm.zst", "%s/render/web/wasm_exec.js": "%s/lib/wasm/wasm_exec.js"}}\n' \
  "$PWD" "$study" "$PWD" "$(go env GOROOT)" >"$study/overlay.json"

# Charts are written in Liberation Sans alone. The eight other faces of that module, 2 MB of a wheel, are replaced by it.
fonts=results/.release-fonts # a relative path, as programs name it: those built elsewhere have the same bytes
rm -rf "$fonts"
mkdir -p results
cp -r "$(go list -m -f '{{.Dir}}' codeberg.org/go-fonts/liberation)" "$fonts"
chmod -R u+w "$fonts"
for f in "$fonts"/liberation{serif,mono}*/data.go; do
  printf 'package %s\n\nimport sans "codeberg.org/go-fonts/liberation/liberationsansregular"\n\nvar TTF = sans.TTF\n' "$(basename "${f%/data.go}")" >"$f"
  rm "${f%/data.go}"/*.ttf
done
cp go.mod go.sum "$study/"
printf '\nreplace codeberg.org/go-fonts/liberation => ./%s\n' "$fonts" >>"$study/go.mod"

for p in $platforms; do
  name=achilles-${p%/*}-${p#*/}
  tags=embedded
  [ "${p%/*}" != windows ] || name=$name.exe
  [ "${p%/*}" != linux ] || tags=$tags,nowindow
  # the version is that of the commit
  GOFLAGS="" GOOS=${p%/*} GOARCH=${p#*/} CGO_ENABLED=0 go build -modfile="$study/go.mod" -trimpath -buildvcs=true -overlay "$study/overlay.json" -tags "$tags" -ldflags="-s -w" -o "$out/$name" .
done
cp LICENSE "$out/"
python3 -B .ci/archive.py "$out"
(cd "$out" && sha256sum LICENSE NOTICE achilles-* sbom.cdx.json >SHA256SUMS)
