package cli

// RunEvery is Run with one more argument: the time between lines of progress.
var RunEvery = run
