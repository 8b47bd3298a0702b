package num

// Erfc is exported because the tests check it directly; distribution functions and quantiles are computed from it.
var (
	Erfc = erfc
)
