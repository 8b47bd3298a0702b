//go:build !embedded

package web

// A program from a plain build has no programs for browsers within it: Build and BuildStudy compile them.
var packed, packedStudy, glue []byte
