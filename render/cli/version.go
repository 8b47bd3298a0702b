package cli

import (
	"fmt"
	"runtime/debug"
)

// version returns the versions of the program and of Go that the build recorded.
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
