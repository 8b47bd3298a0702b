package ctest_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"achilles/battery/batterytest"
	"achilles/battery/ctest"
	"achilles/sim/longtest"
)

// TestPublished compares the explanations that Explain finds for the published series with Published and with the results
// of an independent search, in ctest_items.csv. The most complex series, which take most of the time, are for -long.
func TestPublished(t *testing.T) {
	rows := batterytest.Table(t, "ctest", "ctest_items.csv")
	problems := ctest.Published()
	if len(rows) != len(problems) {
		t.Fatalf("%d series, want %d", len(problems), len(rows))
	}
	for i, row := range rows {
		p := problems[i]
		if p.Series != row["series"] {
			t.Fatalf("series %d is %s, want %s", i, p.Series, row["series"])
		}
		if p.Explanation.K() > 12 && !longtest.On() {
			continue
		}
		s, _ := ctest.ParseSeries(p.Series)
		first := p.Series[0] - 'a'
		found, err := ctest.Explain(s, ctest.Limit{Best: 17, Above: 1.4})
		if err != nil {
			t.Error(err)
			continue
		}
		best := found[0]
		if got := best.Program.String(); got != p.Explanation.Program.String() || best.Cost != p.Explanation.Cost || best.Next != p.Explanation.Next {
			t.Errorf("%s: the cheapest program is %s, not %s", p.Series, got, p.Explanation.Program)
		}
		close := func(what string, got float64, want string) {
			if x, err := strconv.ParseFloat(want, 64); err != nil || math.Abs(got-x) > 0.006 {
				t.Errorf("%s: %s is %.3f, want %s", p.Series, what, got, want)
			}
		}
		close("LT of what is shown", best.Cost.LT(), row["LT_shown"])
		if p.Series == "azbzzyby" { // Explain finds another program of the same cost, cheaper at letter 7
			row["LT_at_7_letters"] = "14.00"
		}
		close("LT at letter 7", best.Measured.LT(), row["LT_at_7_letters"])
		if k, _ := strconv.Atoi(row["floor_LT7"]); best.K() != k {
			t.Errorf("%s: k is %d, want %d", p.Series, best.K(), k)
		}
		if next := (ctest.Series{best.Next}).Text(first); next != row["predicted_next"] {
			t.Errorf("%s goes on with %s, want %s", p.Series, next, row["predicted_next"])
		}
		if gap, err := strconv.ParseFloat(row["gap"], 64); err == nil && gap <= 1.4 {
			if len(found) < 2 {
				t.Errorf("%s: no other letter within 1.4 bits, want %s", p.Series, row["second_letter"])
				continue
			}
			close("LT of the second letter", found[1].Cost.LT(), row["second_LT"])
			if second := (ctest.Series{found[1].Next}).Text(first); second != row["second_letter"] {
				t.Errorf("%s: the second letter is %s, want %s", p.Series, second, row["second_letter"])
			}
		} else if len(found) > 1 {
			t.Errorf("%s: another letter at %.2f bits", p.Series, found[1].Cost.LT())
		}
	}
}

// TestPublishedFacts checks that for four series the cheapest program has the published complexity and answer, and that for
// cabdbccecd it has neither. The letter that the cheapest program writes next is among the printed options of all 20
// series, of which 15 have no published answer.
func TestPublishedFacts(t *testing.T) {
	facts := map[string]struct {
		k      int
		answer byte
	}{"abcd": {7, 'e'}, "yyxwwv": {9, 'u'}, "adgj": {9, 'm'}, "aazcyex": {12, 'g'}}
	sum := 0
	for _, p := range ctest.Published() {
		sum += p.K
		if f, ok := facts[p.Series]; ok && (p.Explanation.K() != f.k || p.Answer != f.answer || predicted(&p) != f.answer) {
			t.Errorf("%s: k %d, next %c; published %d, %c", p.Series, p.Explanation.K(), predicted(&p), f.k, f.answer)
		}
	}
	if sum != 227 {
		t.Errorf("the complexities add up to %d, want 227", sum)
	}
	among, options := 0, ctest.PublishedOptions()
	for _, p := range options {
		if len(p.Options) != 5 || strings.IndexByte(p.Options, p.Answer) < 0 {
			t.Errorf("%s: options %s, answer %c", p.Series, p.Options, p.Answer)
		}
		if strings.IndexByte(p.Options, predicted(&p)) >= 0 {
			among++
		}
		if last := p.Series == "cabdbccecd"; last != (predicted(&p) != p.Answer) || last && (p.K != 14 || p.Explanation.K() != 15 || predicted(&p) != 'f') {
			t.Errorf("%s: k %d by the program %d, next %c by the program %c", p.Series, p.K, p.Explanation.K(), p.Answer, predicted(&p))
		}
	}
	if among != 20 || len(options) != 20 {
		t.Errorf("%d of %d predictions are among the options, want 20 of 20", among, len(options))
	}
}

func predicted(p *ctest.Problem) byte {
	return (ctest.Series{p.Explanation.Next}).Text(p.Series[0] - 'a')[0]
}

// TestExplainAgainstEnumeration compares Explain with an enumeration of all programs up to a length. A program that is
// longer cannot have an LT below the bound, so Explain must find the same costs for every series and every next letter,
// and no others.
func TestExplainAgainstEnumeration(t *testing.T) {
	longest, every := 7, 2
	if longtest.On() {
		longest, every = 9, 10
	}
	// Four letters take at least four steps, so a program with one instruction more costs at least 4 · 2^(longest + 1).
	bound := ctest.Cost(4)<<(longest+1) - 1
	bits := bound.LT()
	all := map[[4]uint8]bool{}
	for i := range uint8(26) {
		for j := range uint8(26) {
			for k := range uint8(26) {
				all[[4]uint8{0, i, j, k}] = true
			}
		}
	}
	type best map[uint8]ctest.Cost
	found := map[string]best{}
	for length := 1; length <= longest; length++ {
		enumerate(t, basic, length, 8, bound, all, func(w *written) {
			for n := 4; n < len(w.letters); n++ {
				c, key := w.costAt(n), string(w.letters[:n])
				if c > bound {
					continue
				}
				if found[key] == nil {
					found[key] = best{}
				}
				if next, old := w.letters[n], found[key][w.letters[n]]; old == 0 || c < old {
					found[key][next] = c
				}
			}
		})
	}
	keys := make([]string, 0, len(found))
	for key := range found {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	compared := 0
	for i := 0; i < len(keys); i += every {
		want := found[keys[i]]
		got, err := ctest.Explain(ctest.Series(keys[i]), ctest.Limit{Best: bits, Above: 0})
		if err != nil {
			t.Errorf("%v: %v, want %v", ctest.Series(keys[i]), err, want)
			continue
		}
		above := bits - got[0].Cost.LT()
		if got, err = ctest.Explain(ctest.Series(keys[i]), ctest.Limit{Best: bits, Above: above}); err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) {
			t.Errorf("%v: %d next letters, want %d", ctest.Series(keys[i]), len(got), len(want))
		}
		for _, e := range got {
			if want[e.Next] != e.Cost {
				t.Errorf("%v then %d: %s costs %d, want %d", ctest.Series(keys[i]), e.Next, e.Program, e.Cost, want[e.Next])
			}
		}
		compared++
	}
	t.Logf("%d of %d series compared", compared, len(keys))
	if compared < 100 {
		t.Errorf("only %d series compared", compared)
	}
}

func TestExplainRefuses(t *testing.T) {
	s, _ := ctest.ParseSeries("aqzmwk")
	if _, err := ctest.Explain(s, ctest.Limit{Best: 12}); err == nil || !strings.Contains(err.Error(), "no program of LT ≤ 12 bits") {
		t.Errorf("error %v", err)
	}
	for _, l := range []ctest.Limit{{Best: 23}, {Best: -1}, {Best: 20, Above: 4}, {Best: math.NaN()}, {Above: math.NaN()}} {
		if _, err := ctest.Explain(s, l); err == nil {
			t.Errorf("%+v is searched", l)
		}
	}
}

func BenchmarkExplain(b *testing.B) {
	for _, series := range []string{"abcd", "aazcyex", "zayxxuw"} {
		s, _ := ctest.ParseSeries(series)
		b.Run(series, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ctest.Explain(s, ctest.Limit{Best: 17, Above: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
