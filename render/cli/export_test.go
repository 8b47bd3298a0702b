package cli

// RunEvery is Run with another time between the lines that say how far the work is.
var RunEvery = run
