package score

// ParseWeaknesses are the names in a text about weaknesses.
func ParseWeaknesses(text string) (names []string) {
	for _, w := range parseWeaknesses(text) {
		names = append(names, w.name)
	}
	return names
}

// WeaknessNames lists the names that there are.
func WeaknessNames() (names []string) {
	for _, n := range weaknessNames() {
		names = append(names, n.name)
	}
	return names
}

// Vigorish is tested by hand.
var Vigorish = vigorish
