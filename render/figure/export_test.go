package figure

// Functions that tests call.
var (
	BinomialBand = binomialBand
	UpperEnds    = upperEnds
)
