package score

// ParseWeaknesses returns the names of the weaknesses in a text.
func ParseWeaknesses(text string) (names []string) {
	for _, w := range parseWeaknesses(text) {
		names = append(names, w.name)
	}
	return names
}

// WeaknessNames returns the names of all weaknesses.
func WeaknessNames() (names []string) {
	for _, n := range weaknessNames() {
		names = append(names, n.name)
	}
	return names
}

// Vigorish is exported because a test checks it by hand.
var Vigorish = vigorish

// SetMost sets the largest number of draws of a subject.
func (c *Chances) SetMost(n int) { c.most = n }

// Restore returns the scores that rows.json has.
func Restore(rows []byte) (*Scores, error) { return restore(rows) }

// Procrustean, Match and Slopes are exported because tests check them by hand.
var (
	Procrustean = procrustean
	Slopes      = slopes
	Match       = match
)

// Models grades the models of an analysis alone.
func Models(in Input) (*Scores, error) {
	s := &Scores{}
	return s, gradeModels(s, in)
}

// Misses grades the predictions of in alone, by opaque ids.
func Misses(in Input) (*Scores, error) {
	s := &Scores{}
	return s, gradeMisses(s, in, &key{})
}

// Decimals is exported because a test checks it by hand.
var Decimals = decimals

// SuccessRates is exported because a test checks it by hand.
var SuccessRates = successRates
