package cli

import (
	"fmt"
	"runtime/debug"
)

// version is the version of the program and that of Go, as the build says them.
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
