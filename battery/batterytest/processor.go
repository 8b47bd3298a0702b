//go:build unix

package batterytest

import (
	"syscall"
	"time"
)

// ProcessorTime returns the processor time that the process has used: unlike the time on the clock, it does not depend
// much on what else the machine does.
func ProcessorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
