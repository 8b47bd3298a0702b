package cli

import (
	"fmt"
	"runtime/debug"
)

// version returns the version of the program and the version of Go that built it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v := info.Main.Version
	if v == "" {
		v = "(devel)"
	}
	return fmt.Sprintf("%s, built with %s", v, info.GoVersion)
}
