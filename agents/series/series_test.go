package series_test

import (
	"strings"
	"testing"

	"achilles/agents/series"
	"achilles/sim/rng"
)

func alphabet() []string { return strings.Split("abcdefghijklmnopqrstuvwxyz", "") }

func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		kind   series.Kind
		lag    int
		series string
		want   string // a letter; empty: no answer
		why    string
	}{
		{series.Mode, 0, "abcbd", "b", "b appears twice"},
		{series.Mode, 0, "abcd", "a", "all once: the first"},
		{series.MinRepetition, 0, "aabbc", "c", "c is there once"},
		{series.MinRepetition, 0, "aabb", "a", "as often as b: the first"},
		{series.MinDistance, 0, "adei", "j", "distances 3, 1, 4: i + 1"},
		{series.MinDistance, 0, "ba", "z", "one back is 25 on"},
		{series.MaxDistance, 0, "adei", "m", "i + 4"},
		{series.RarestDistance, 0, "abcfg", "j", "distances 1, 1, 3, 1: g + 3"},
		{series.CommonestDistance, 0, "abcfg", "h", "g + 1"},
		{series.RarestDistance, 0, "abd", "e", "distances 1, 2 once each: the first"},
		{series.Pattern, 1, "abcd", "e", "distances 1, 1, 1: the pattern is 1"},
		{series.Pattern, 1, "adgj", "m", "distances of 3"},
		{series.Pattern, 1, "abab", "a", "distances 1, 25, 1: once in full, the pattern is 1, 25, one into a further round"},
		{series.Pattern, 1, "ababab", "a", "1, 25 twice: the pattern is 1, 25, one into a third round"},
		{series.Pattern, 2, "acbdce", "d", "distances of 1 between every other letter: c + 1"},
		{series.Pattern, 4, "abcd", "", "no two letters are so far apart"},
		{series.Mode, 0, "a", "a", "one letter"},
		{series.MinDistance, 0, "a", "", "one letter has no distance"},
		{series.Mode, 0, "", "", "nothing to go on from"},
		{series.Mode, 0, "a-b", "", "not a series of letters"},
	} {
		s := series.Solver{Kind: c.kind, Lag: c.lag}
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		got := ""
		if a := s.Answer(c.series, alphabet(), nil); a >= 0 {
			got = alphabet()[a]
		}
		if got != c.want {
			t.Errorf("%s: %s %d continues %q with %q, want %q", c.why, c.kind, c.lag, c.series, got, c.want)
		}
	}
}

// TestOptions checks that the answer is an index into the options in the order in which they are given, and −1 if the
// letter is not an option.
func TestOptions(t *testing.T) {
	s := series.Solver{Kind: series.Pattern, Lag: 1}
	if a := s.Answer("abcd", []string{"c", "e", "d"}, nil); a != 1 {
		t.Errorf("answer %d, want 1", a)
	}
	if a := s.Answer("abcd", []string{"c", "d"}, nil); a != -1 {
		t.Errorf("answer %d, want none", a)
	}
}

func TestRandomIsEven(t *testing.T) {
	r := rng.Stream(1, "random")
	count := [5]int{}
	for range 10_000 {
		count[series.Solver{Kind: series.Random}.Answer("abcd", []string{"a", "b", "c", "d", "e"}, &r)]++
	}
	for i, n := range count {
		if n < 1800 || n > 2200 { // 2000 expected, standard deviation 40
			t.Errorf("option %d was drawn %d times of 10000", i, n)
		}
	}
}

// TestRotation checks for solvers of every kind but Random that shifting all letters of a series in the alphabet shifts
// the solver's continuation as far.
func TestRotation(t *testing.T) {
	r := rng.Stream(2, "series")
	shift := func(s string, by int) string {
		out := []byte(s)
		for i := range out {
			out[i] = 'a' + (out[i]-'a'+byte(by))%26
		}
		return string(out)
	}
	for range 500 {
		letters := make([]byte, 4+r.IntN(7))
		for i := range letters {
			letters[i] = 'a' + byte(r.IntN(4))
		}
		by := 1 + r.IntN(25)
		for _, kind := range series.Kinds()[1:] {
			s := series.Solver{Kind: kind}
			if kind == series.Pattern {
				s.Lag = 1 + r.IntN(3)
			}
			a, b := s.Answer(string(letters), alphabet(), nil), s.Answer(shift(string(letters), by), alphabet(), nil)
			if a < 0 || b != (a+by)%26 {
				t.Fatalf("%v continues %s with %d, and %d letters on with %d", s, letters, a, by, b)
			}
		}
	}
}

func TestCheck(t *testing.T) {
	for _, s := range []series.Solver{{}, {Kind: "modus"}, {Kind: series.Pattern}, {Kind: series.Mode, Lag: 1}, {Kind: series.Pattern, Lag: -1}} {
		if s.Check() == nil {
			t.Errorf("%+v is a solver", s)
		}
	}
}
