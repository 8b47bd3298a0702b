//go:build !embedded

package web

// A program from a plain build has no viewer for browsers within it: Build compiles it.
var packed, glue []byte
