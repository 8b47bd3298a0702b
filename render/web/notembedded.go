//go:build !embedded

package web

// A plain build has no program of studies within it: BuildStudy compiles it.
var packedStudy, glue []byte
