//go:build !unix

package cli_test

import "os"

// linked returns nothing: this system says nothing more of a file in one way.
func linked(os.FileInfo) string { return "" }
