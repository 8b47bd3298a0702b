package infertest

// GradientError is tested on its own.
var GradientError = gradientError
