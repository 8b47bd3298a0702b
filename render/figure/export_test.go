package figure

// Functions that tests call.
var (
	BinomialBand = binomialBand
	MainSkills   = mainSkills
	NotDrawn     = notDrawn
	UpperEnds    = upperEnds
)
