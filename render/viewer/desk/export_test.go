package desk

// Density is the estimate that profiles are drawn with.
var Density = density
