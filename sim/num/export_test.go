package num

// Erfc and BetaTails are tested on their own: the distribution functions and quantiles go through them.
var (
	Erfc      = erfc
	BetaTails = betaTails
)
