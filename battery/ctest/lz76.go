package ctest

import (
	"math"
	"strings"
)

// Phrases is the number of phrases in the exhaustive history of a text (Lempel and Ziv 1976): each phrase but the last
// is the shortest that does not occur before its own last letter.
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

// PhraseRate is Phrases as a share of what a random text of that length has in the limit, n / log n to the base of the
// alphabet. Short texts are far from the limit.
func PhraseRate(text string) float64 {
	n := float64(len(text))
	if n < 2 {
		return float64(Phrases(text))
	}
	return float64(Phrases(text)) * math.Log(n) / math.Log(Letters) / n
}
