// Package infertest has what tests of inference share: gradients against central differences, estimates against
// references within Monte Carlo error, simulation-based calibration, and a hand-written object-permanence posterior
// with several modes that engines must get right.
package infertest

// TB is the part of testing.TB that the checks need; a *testing.T is one.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}
