//go:build embedded

package web

import _ "embed" // the programs for browsers

// A release has the programs for browsers within it, which its script compiles first (.ci/release.sh).
var (
	//go:embed viewer.wasm.zst
	packed []byte
	//go:embed study.wasm.zst
	packedStudy []byte
	//go:embed wasm_exec.js
	glue []byte
)
