// Package infertest has helpers for tests of inference: checks of gradients against central differences, checks of
// estimates against references within Monte Carlo error, and an object-permanence posterior with several modes, written
// by hand.
package infertest

// TB is the part of testing.TB that the checks need. A *testing.T is a TB.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}
