// Package infertest has what tests of inference share: checks of gradients against central differences, and of estimates
// against references within Monte Carlo error; simulation-based calibration; and a hand-written object-permanence posterior
// with several modes, on which engines are tested.
package infertest

// TB is the part of testing.TB that the checks need; a *testing.T is one.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}
