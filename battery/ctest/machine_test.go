package ctest_test

import (
	"slices"
	"strings"
	"testing"

	"achilles/battery/ctest"
)

func TestPrograms(t *testing.T) {
	for _, c := range []struct {
		program, letters string
		steps            []int
		why              string
	}{
		{"", "", nil, "nothing to do"},
		{"WRITE", "a", []int{1}, "registers begin at a"},
		{"SUCC WRITE PRED PRED WRITE", "bz", []int{2, 5}, "the alphabet is a circle"},
		{"WRITE SUCC LOOPTOP", "abcdef", []int{1, 4, 7, 10, 13, 16}, "C begins at a, so that the first loop finds z"},
		{"SUCC SUCC C<-A PRED B<-A A<-C WRITE A<-B WRITE", "cb", []int{7, 9}, "registers keep what they are given"},
		{"SUCC SUCC WRITE C<-A LOOPTOP WRITE", "ceg", []int{3, 8, 13}, "C begins anew where it is set"},
		{"SUCC C<-A WRITE LOOPTOP PRED WRITE", "ba", []int{3, 6}, "C falls to a: the loop ends"},
		{"SUCC LOOPTOP", "", nil, "no letters, and an end after a while"},
		{"WRITE SUCC SUCC SUCC SUCC LOOPS", "a", nil, "four back from the loop: the WRITE is not met again"},
		{"WRITE SUCC SUCC LOOPS", "acegik", nil, "four back, and no further than the top"},
		{"SUCC WRITE SUCC SUCC SUCC SUCC SUCC SUCC LOOPM", "bhntzf", nil, "seven back from the loop: from the WRITE on"},
	} {
		p, err := ctest.ParseProgram(c.program)
		if err != nil {
			t.Fatal(err)
		}
		if p.String() != c.program {
			t.Errorf("%q reads as %q", c.program, p)
		}
		out := p.Run(6)
		var letters strings.Builder
		for _, l := range out.Letters {
			letters.WriteByte('a' + l)
		}
		if !strings.HasPrefix(letters.String(), c.letters) || len(c.letters) < 3 && letters.Len() != len(c.letters) {
			t.Errorf("%s: %q writes %q, want %q", c.why, c.program, letters.String(), c.letters)
		}
		if n := len(c.steps); n > 0 && !slices.Equal(out.Steps[:n], c.steps) {
			t.Errorf("%s: %q writes after %v steps, want %v", c.why, c.program, out.Steps, c.steps)
		}
	}
	if _, err := ctest.ParseProgram("WRITE JUMP"); err == nil || !strings.Contains(err.Error(), `instruction 2: "JUMP" is not one of WRITE`) {
		t.Errorf("error %v", err)
	}
}

func TestPass(t *testing.T) {
	for program, want := range map[string]int{
		"WRITE SUCC LOOPTOP":             1,
		"WRITE SUCC WRITE":               0,
		"SUCC C<-A WRITE LOOPTOP WRITE":  0,
		"WRITE WRITE PRED WRITE LOOPTOP": 3,
	} {
		p, _ := ctest.ParseProgram(program)
		if got := p.Run(9).Pass; got != want {
			t.Errorf("%s: %d letters before it goes back, want %d", program, got, want)
		}
	}
}

func TestParseSeries(t *testing.T) {
	s, err := ctest.ParseSeries("yzab")
	if err != nil || !slices.Equal(s, ctest.Series{0, 1, 2, 3}) || s.Text(24) != "yzab" || s.Text(0) != "abcd" {
		t.Errorf("yzab is %v (%v)", s, err)
	}
	for _, bad := range []string{"", "abC", "a b", "aé"} {
		if _, err := ctest.ParseSeries(bad); err == nil {
			t.Errorf("%q is a series", bad)
		}
	}
}

// TestPhrases checks numbers of phrases, such as 6 for 0·001·10·100·1000·101, the example of Lempel and Ziv (1976, section
// II).
func TestPhrases(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "a": 1, "aa": 2, "aaaaaaa": 2, "ab": 2, "abcd": 4, "ababab": 3, "0001101001000101": 6, "aabbzabb": 4,
	} {
		if got := ctest.Phrases(text); got != want {
			t.Errorf("%q has %d phrases, want %d", text, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("WRITE SUCC LOOPTOP", "abcd")
	f.Add("A<-B LOOPM", "zz")
	f.Fuzz(func(t *testing.T, program, series string) {
		if p, err := ctest.ParseProgram(program); err == nil {
			q, err := ctest.ParseProgram(p.String())
			if err != nil || !slices.Equal(p, q) {
				t.Errorf("%q reads as %q", p, q)
			}
			if out := p.Run(20); len(out.Letters) > 20 || len(out.Letters) != len(out.Steps) || !slices.IsSorted(out.Steps) {
				t.Errorf("%q: %d letters after steps %v", p, len(out.Letters), out.Steps)
			}
		}
		if s, err := ctest.ParseSeries(series); err == nil && s.Text(series[0]-'a') != series {
			t.Errorf("%q reads as %q", series, s.Text(series[0]-'a'))
		}
	})
}
