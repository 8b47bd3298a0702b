package embedding_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"achilles/infer/embedding"
)

// TestSearched counts the candidates by hand: what a kind has not is not crossed.
func TestSearched(t *testing.T) {
	abilities, layers, steps := []int{2, 5, 9}, []int{16, 64}, []float64{0.001, 0.01}
	for _, c := range []struct {
		p    embedding.Predictor
		want int
	}{
		{embedding.Released(embedding.IRT, nil), 2},
		{embedding.Released(embedding.MIRT, nil), 3 * 2},
		{embedding.Released(embedding.MF, nil), 3 * 2},
		{embedding.Released(embedding.NeuralCD, skills), 2 * 2},
		{embedding.Released(embedding.CamillaBase, skills), 2},
		{embedding.Released(embedding.Camilla, nil), 3 * 2 * 2},
		{embedding.Converged(embedding.IRT, nil), 3},          // priors of slopes
		{embedding.Converged(embedding.MIRT, nil), 3 * 3 * 2}, // three of them
		{embedding.Converged(embedding.MF, nil), 1},
		{embedding.Converged(embedding.CamillaBase, skills), 3},
		{embedding.Converged(embedding.Camilla, nil), 3 * 2 * 2},
	} {
		if got := c.p.Searched(abilities, layers, steps).Candidates; len(got) != c.want {
			t.Errorf("%s: %d candidates, want %d: %v", c.p.ID, len(got), c.want, got)
		}
	}
}

// TestSearchOfTheUsual: a model that is given its usual dimensions, layers and step is the same to the bit, and another one is another.
func TestSearchOfTheUsual(t *testing.T) {
	tb, _ := simulated(1, 8, 12)
	for _, c := range []struct {
		p         embedding.Predictor
		abilities int
		layers    []int
		step      float64
	}{
		{embedding.Released(embedding.MIRT, nil), 5, nil, 0.005},
		{embedding.Released(embedding.MF, nil), 5, nil, 0.001},
		{embedding.Released(embedding.NeuralCD, skills), 7, []int{512}, 0.002},
		{embedding.Released(embedding.Camilla, nil), 5, []int{128}, 0.005},
		{embedding.Converged(embedding.Camilla, nil), 5, []int{128}, 0.005},
	} {
		c.p.Epochs = 1
		usual := all(tb, fitted(t, c.p, tb))
		if got := all(tb, fitted(t, c.p.Searched([]int{c.abilities}, c.layers, []float64{c.step}), tb)); !slices.Equal(got, usual) {
			t.Errorf("%s: its usual settings, given, predict something else", c.p.ID)
		}
		if got := all(tb, fitted(t, c.p.Searched([]int{c.abilities}, c.layers, []float64{2 * c.step}), tb)); slices.Equal(got, usual) {
			t.Errorf("%s: twice the step changes nothing", c.p.ID)
		}
	}
}

// TestSearchChooses: the candidate with the least loss on what is kept apart is chosen, and a step that learns nothing in the time is not.
func TestSearchChooses(t *testing.T) {
	tb, _ := simulated(2, 30, 40)
	p := embedding.Released(embedding.MIRT, nil)
	r, err := p.Searched([]int{1, 5}, nil, []float64{1e-9, 0.05}).Measure(context.Background(), tb, 0.9, 1)
	if err != nil {
		t.Fatal(err)
	}
	least, chosen := math.Inf(1), 0
	for _, c := range r.Tried {
		least = min(least, c.Loss)
	}
	for _, c := range r.Tried {
		if c.Chosen {
			chosen++
			if c.Loss != least || c.Step != 0.05 {
				t.Errorf("chosen: %+v, least loss %v", c, least)
			}
		}
	}
	if len(r.Tried) != 4 || chosen != 1 {
		t.Errorf("%+v tried, %d chosen", r.Tried, chosen)
	}
	if r, err := p.Measure(context.Background(), tb, 0.9, 1); err != nil || r.Tried != nil {
		t.Errorf("nothing to choose: %+v, %v", r.Tried, err)
	}
}
