package ctest

import (
	"strings"

	"achilles/sim/rng"
)

// Alphabet has all letters: the options of a problem that any letter may answer.
const Alphabet = "abcdefghijklmnopqrstuvwxyz"

// A Problem is a series to be continued.
type Problem struct {
	Series  string // the letters that are shown
	Options string // the letters to choose from, one of them the answer
	Answer  byte
	K       int // complexity: of its best explanation, or the published one

	Explanation Explanation // the best one
}

// problem returns the problem of a series whose first letter is given as 0 (a) to 25 (z). Its options are the Alphabet.
func problem(s Series, first uint8, e Explanation) Problem {
	return Problem{
		Series: s.Text(first), Options: Alphabet, Answer: letter(first, e.Next), K: e.K(), Explanation: e,
	}
}

// letter returns the letter at a distance from the first one, which is 0 for a.
func letter(first, distance uint8) byte { return 'a' + (first+distance)%Letters }

// offer gives a problem n options, in random order. It chooses the answer, then the next letters of other explanations,
// cheapest first, then letters near the last one shown, until there are n. With n ≥ 26 the options are the Alphabet, in
// its order.
func (p *Problem) offer(n int, others []Explanation, r rng.Rand) {
	if n >= Letters {
		p.Options = Alphabet
		return
	}
	options := []byte{p.Answer}
	add := func(l byte) {
		if len(options) < n && strings.IndexByte(string(options), l) < 0 {
			options = append(options, l)
		}
	}
	first, last := p.Series[0]-'a', p.Series[len(p.Series)-1]-'a'
	for _, e := range others {
		add(letter(first, e.Next))
	}
	for d := uint8(0); d < Letters; d++ {
		// The distances from the last letter are 0, 1, −1, 2, −2, …
		if d%2 == 1 {
			add(letter(last, (d+1)/2))
		} else {
			add(letter(last, (Letters-d/2)%Letters))
		}
	}
	shown := make([]byte, n)
	for i, at := range r.Perm(n) {
		shown[at] = options[i]
	}
	p.Options = string(shown)
}
