package num

// Erfc is tested on its own: the distribution functions and quantiles go through it.
var (
	Erfc = erfc
)
