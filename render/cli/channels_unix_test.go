//go:build unix

package cli_test

import (
	"fmt"
	"os"
	"syscall"
)

// linked returns how many names a file has, and whose it is.
func linked(info os.FileInfo) string {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "?"
	}
	return fmt.Sprint(s.Nlink, s.Uid, s.Gid)
}
