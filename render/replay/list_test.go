package replay_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"achilles/render/replay"
	"achilles/sim/rng"
)

func rows() []replay.Row {
	none := math.NaN()
	return []replay.Row{
		{Suite: "opiaagets", Paradigm: "cup", Task: "op", Item: "i-1", Subject: "body 10", Outcome: "failed", Cause: "forgot", Surprise: none, Steps: 9, HeldOut: &replay.HeldOut{RMSE: 1, Surprise: 0.2, P: 0.4, Truth: 0.3}},
		{Suite: "opiaagets", Paradigm: "grid", Task: "op", Item: "i-2", Subject: "body 2", Outcome: "passed", Surprise: none, Steps: 12, HeldOut: &replay.HeldOut{RMSE: none, Surprise: 3, P: 0.1, Truth: 0.7}},
		{Suite: "bib", Paradigm: "preference", Task: "preference", Item: "i-3", Subject: "achilles", Outcome: "watched", Surprise: 2.5, Steps: 180},
		{Suite: "bib", Paradigm: "preference", Task: "preference", Item: "i-4", Subject: "achilles", Outcome: "watched", Surprise: 0.5, Steps: 190},
	}
}

// value returns the number that selects a value of a field in Query.Value.
func value(t *testing.T, s *replay.List, f replay.Field, text string) int {
	t.Helper()
	k := slices.Index(s.Values(f), text)
	if k < 0 {
		t.Fatalf("%s has no value %q: %q", f, text, s.Values(f))
	}
	return k + 1
}

func TestSelect(t *testing.T) {
	s := replay.NewList(rows())
	filter := func(f replay.Field, text string) replay.Query {
		var c replay.Query
		c.Value[f] = value(t, s, f, text)
		return c
	}
	both := filter(replay.Suite, "bib")
	both.Search, both.Order = "pref ACH", replay.MostSurprising
	for _, c := range []struct {
		name string
		give replay.Query
		want []int32
	}{
		{"all", replay.Query{}, []int32{0, 1, 2, 3}},
		{"suite", filter(replay.Suite, "bib"), []int32{2, 3}},
		{"agent", filter(replay.Agent, "body 2"), []int32{1}},
		{"cause", filter(replay.Cause, "forgot"), []int32{0}},
		{"outcome", filter(replay.Outcome, "watched"), []int32{2, 3}},
		{"surprise at all", filter(replay.Surprise, "any"), []int32{2, 3}},
		{"surprise, upper half", filter(replay.Surprise, "top half"), []int32{2}},
		{"words", replay.Query{Search: " BODY cup"}, []int32{0}},
		{"no such word", replay.Query{Search: "body nowhere"}, nil},
		{"item", replay.Query{Search: "i-4"}, []int32{3}},
		{"longest", replay.Query{Order: replay.Longest}, []int32{3, 2, 1, 0}},
		{"most wrong", replay.Query{Order: replay.MostWrong}, []int32{1, 0, 2, 3}},
		{"largest path error", replay.Query{Order: replay.WorstPath}, []int32{0, 1, 2, 3}},
		{"most surprising", replay.Query{Order: replay.MostSurprising}, []int32{2, 3, 0, 1}},
		{"together", both, []int32{2, 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := s.Select(nil, c.give); !slices.Equal(got, c.want) {
				t.Errorf("rows %v, want %v", got, c.want)
			}
		})
	}
}

func TestValues(t *testing.T) {
	s := replay.NewList(rows())
	if got := s.Values(replay.Agent); !slices.Equal(got, []string{"achilles", "body 2", "body 10"}) {
		t.Errorf("agents are %q: numbers in names are not sorted by their value", got)
	}
	if got := replay.NewList(rows()[:2]).Values(replay.Surprise); got != nil {
		t.Errorf("without surprises there is %q to choose from", got)
	}
	if got := replay.NewList(rows()[1:2]).Values(replay.Cause); got != nil {
		t.Errorf("where causes are sealed there is %q to choose from", got)
	}
	if got := replay.NewList(nil).Select(nil, replay.Query{}); len(got) != 0 {
		t.Errorf("nothing has rows %v", got)
	}
}

// TestCounts checks the number that Counts gives for every value of every field against the number of rows that Select
// returns with this value.
func TestCounts(t *testing.T) {
	s := replay.NewList(many(500))
	c := replay.Query{Search: "body"}
	c.Value[replay.Paradigm] = 2
	for f := range replay.Fields {
		counts := s.Counts(f, c)
		for k, n := range counts {
			one := c
			one.Value[f] = k + 1
			if got := len(s.Select(nil, one)); got != n {
				t.Errorf("%s %q: %d counted, %d left", f, s.Values(f)[k], n, got)
			}
		}
	}
}

// TestSearchOracle checks that Select returns the rows that contain every word of the search, and no others.
func TestSearchOracle(t *testing.T) {
	all := many(300)
	s := replay.NewList(all)
	for _, search := range []string{"", "1", "body 1", "grid forgot", "GRID passed 7", "x"} {
		var want []int32
		for i, r := range all {
			text := strings.ToLower(strings.Join([]string{r.Suite, r.Paradigm, r.Task, r.Item, r.Subject, r.Outcome, r.Cause}, "\n"))
			if !slices.ContainsFunc(strings.Fields(strings.ToLower(search)), func(w string) bool { return !strings.Contains(text, w) }) {
				want = append(want, int32(i))
			}
		}
		if got := s.Select(nil, replay.Query{Search: search}); !slices.Equal(got, want) {
			t.Errorf("%q leaves %d rows, want %d", search, len(got), len(want))
		}
	}
}

func many(n int) []replay.Row {
	r := rng.Stream(1, "shelf")
	list := make([]replay.Row, n)
	for i := range list {
		list[i] = replay.Row{
			Suite: "opiaagets", Paradigm: []string{"cup", "grid", "cv", "basic"}[r.IntN(4)], Task: "op",
			Item: fmt.Sprintf("i-%08x", i/42), Subject: fmt.Sprintf("body %d", i%42), Outcome: []string{"passed", "failed"}[r.IntN(2)],
			Cause: []string{"", "forgot", "lost"}[r.IntN(3)], Surprise: r.Float64(), Steps: r.IntN(200),
		}
	}
	return list
}

func BenchmarkOpenList(b *testing.B) {
	list := many(60_000)
	b.ReportAllocs()
	for b.Loop() {
		replay.NewList(list)
	}
}

func BenchmarkSelect(b *testing.B) {
	s := replay.NewList(many(60_000))
	var left []int32
	for _, c := range []replay.Query{{Search: "body 7 grid"}, {Value: [replay.Fields]int{1: 2, 4: 1}}, {Order: replay.MostSurprising}} {
		b.Run(fmt.Sprintf("%q,%v,%v", c.Search, c.Value, c.Order), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				left = s.Select(left[:0], c)
			}
		})
	}
}
