package ctest

import (
	"math"
	"strings"
)

// Phrases returns the number of phrases in the exhaustive history of a text (Lempel and Ziv 1976). From left to right,
// each phrase is the shortest piece that does not occur in the text before its own last letter; the last phrase may
// have occurred before.
func Phrases(text string) int {
	n := 0
	for start := 0; start < len(text); n++ {
		end := start + 1
		for end < len(text) && strings.Contains(text[:end-1], text[start:end]) {
			end++
		}
		start = end
	}
	return n
}

// PhraseRate returns Phrases divided by n / log n (to the base 26), the limit for a random text of length n. Texts of fewer
// than two letters have the rate Phrases. Short texts are far from the limit.
func PhraseRate(text string) float64 {
	n := float64(len(text))
	if n < 2 {
		return float64(Phrases(text))
	}
	return float64(Phrases(text)) * math.Log(n) / math.Log(Letters) / n
}
