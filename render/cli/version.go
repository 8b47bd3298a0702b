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
	v := info.Main.Version // of the tag or commit, where the go command could ask for it
	if v == "" || v == "(devel)" {
		v = "unreleased"
	}
	return fmt.Sprintf("%s, built with %s", v, info.GoVersion)
}
