// Package longtest marks the tests of the long suite, which go test leaves out unless it is told -long: statistics,
// real processes and their delays, heaps, and programs that a machine may lack. So go test ./... takes few minutes and
// says the same on every machine.
package longtest

import (
	"flag"
	"testing"
)

var long = flag.Bool("long", false, "run the tests of the long suite too")

// On reports whether the tests of the long suite run, for a test that does more then.
func On() bool { return *long }

// Only skips a test that belongs to the long suite unless the suite runs. why says what the test takes or needs, such as
// "takes minutes".
func Only(t testing.TB, why string) {
	t.Helper()
	if !*long {
		t.Skip(why + ": -long runs it")
	}
}
