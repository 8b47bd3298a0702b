package figure

// What tests look at.
var (
	BinomialBand = binomialBand
	UpperEnds    = upperEnds
)
