package mml

import (
	"testing"

	"achilles/sim/rng"
)

// TestBounds checks that estimates at a bound are called so and have no error.
func TestBounds(t *testing.T) {
	d := &Data{}
	const n = 60
	for i := range 8 {
		d.Categories = append(d.Categories, 2)
		for s := range n {
			if i == 0 {
				d.Responses = append(d.Responses, make([]int8, 8))
			}
			if s*9 >= n*(i+1) { // a Guttman scale
				d.Responses[s][i] = 1
			}
		}
	}
	f := estimated(t, d, Settings{Model: TwoPL})
	bound := 0
	for i := range f.Items {
		if it := &f.Items[i]; it.Bound != "" {
			bound++
			if it.SlopeSE[0] != 0 {
				t.Errorf("item %d: slope %g ± %g at its bound", i+1, it.Slope[0], it.SlopeSE[0])
			}
		}
	}
	if bound < 2 {
		t.Errorf("%d slopes of a Guttman scale are at their bound", bound)
	}
	r := rng.Stream(6, "none")
	d = &Data{Categories: []int{2, 2, 2, 2}}
	for range 200 { // abilities of nobody differ
		var row []int8
		for range 4 {
			row = append(row, int8(r.IntN(2)))
		}
		d.Responses = append(d.Responses, row)
	}
	if f = estimated(t, d, Settings{Model: Rasch}); f.Spread > 0.6 {
		t.Errorf("coins have a spread of %g ± %g", f.Spread, f.SpreadSE)
	}
}

// TestRefusals checks what data and settings are refused for.
func TestRefusals(t *testing.T) {
	ok := func() (*Data, Settings) {
		return &Data{Categories: []int{2, 2}, Responses: [][]int8{{0, 1}, {1, 0}}}, Settings{Model: Rasch}
	}
	for name, change := range map[string]func(d *Data, s *Settings){
		"no item":            func(d *Data, _ *Settings) { d.Categories = nil },
		"unknown model":      func(_ *Data, s *Settings) { s.Model = "4pl" },
		"one category":       func(d *Data, _ *Settings) { d.Categories[0] = 1 },
		"three categories":   func(d *Data, _ *Settings) { d.Categories[0] = 3 },
		"category of none":   func(d *Data, _ *Settings) { d.Responses[0][0] = 2 },
		"short row":          func(d *Data, _ *Settings) { d.Responses[0] = d.Responses[0][:1] },
		"a group too few":    func(d *Data, _ *Settings) { d.Group = []int{0} },
		"no ability":         func(_ *Data, s *Settings) { s.Loads = [][]bool{{true, false}, {false, false}} },
		"groups, abilities":  func(d *Data, s *Settings) { d.Group = []int{0, 1}; s.Loads = [][]bool{{true, false}, {false, true}} },
		"nobody responds":    func(d *Data, _ *Settings) { d.Responses = [][]int8{{-1, -1}} },
		"known of one alone": func(_ *Data, s *Settings) { s.Known = []*Item{nil} },
	} {
		d, s := ok()
		change(d, &s)
		if _, err := Estimate(d, s); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	d, s := ok()
	estimated(t, d, s)
}
