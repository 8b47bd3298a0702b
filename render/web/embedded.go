//go:build embedded

package web

import _ "embed" // the viewer

// A release has the viewer for browsers within it, which its script compiles first (.ci/release.sh).
var (
	//go:embed viewer.wasm.zst
	packed []byte
	//go:embed wasm_exec.js
	glue []byte
)
