// Package infertest has helpers for tests of inference: checks of gradients against central differences, checks of
// estimates against references within Monte Carlo error, and results of an inference in memory.
package infertest

// TB is the part of testing.TB that the checks need. A *testing.T is a TB.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}
