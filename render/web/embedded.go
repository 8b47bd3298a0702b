//go:build embedded

package web

import _ "embed" // the program for browsers

// A release has the program of studies within it, which its script compiles first (.ci/release.sh).
var (
	//go:embed study.wasm.zst
	packedStudy []byte
	//go:embed wasm_exec.js
	glue []byte
)
