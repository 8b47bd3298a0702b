package viewer

// Estimate is the estimate that profiles are drawn with.
var Estimate = density
