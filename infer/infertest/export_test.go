package infertest

// GradientError exports gradientError for its test.
var GradientError = gradientError
