package policy_test

import (
	"context"
	"math"
	"testing"

	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/sim"
	"achilles/sim/rng"
)

// TestWhoDoesNotReckonChooses lets an agent that found such a reward gone in an earlier trial, and has learned nothing from it, choose between four
// holes: with odds of exp(2) for where the better reward was, whose share is exp(2)/(exp(2) + 3) = .711 (Luce 1959; see Parameters.Rational), and never
// the same way for certain. Who has learned it goes to the other one. Of 2,000 choices the share lies within .041, 4 standard errors.
func TestWhoDoesNotReckonChooses(t *testing.T) {
	text := "world 1\nmove turning\nlimit 90\nlegend H hole\nmap\nH.H.H.H\n.......\n.......\n.......\n\nactor 3,0 north\n" +
		"thing 0 0,3 reward air size 4 value 2 colour 255,0,0\nthing 1 4,3 reward air size 4 value 1 colour 0,255,0 final\n" +
		"cue 3 thing 0 0,3 ground\ncue 3 thing 1 4,3 ground\nfreeze 0 20\n"
	places := []gridworld.Pos{{X: 0, Y: 3}, {X: 2, Y: 3}, {X: 4, Y: 3}, {X: 6, Y: 3}}
	past := &policy.Past{Round: 1, Trials: []policy.Tried{{At: places[0], Gone: gridworld.RGB(255, 0, 0), After: 10}}}
	for _, c := range []struct{ span, first, other float64 }{{0, math.Exp(2) / (math.Exp(2) + 3), 1 / (math.Exp(2) + 3)}, {1, 1 / (math.Exp(2) + 3), math.Exp(2) / (math.Exp(2) + 3)}} {
		const n = 2000
		r, went := rng.Stream(5, "past"), map[gridworld.Pos]float64{}
		for range n {
			w, err := gridworld.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			var room policy.Room
			room.Enter(w, places, policy.DefaultUnits())
			a := policy.Agent{Room: &room, Leaves: true, Parameters: policy.Perfect(policy.Reward), Past: past, Draws: &r}
			u := r.Float64()
			a.Span, a.Rational = c.span, 2+math.Log(u/(1-u)) // logistic around 2
			if _, err := sim.Run(context.Background(), &gridworld.Env{World: w, Places: places}, &a, gridworld.Options{}); err != nil && err != sim.ErrLeft {
				t.Fatal(err)
			}
			went[w.Actor().Pos]++
		}
		for k, want := range []float64{c.first, 1 / (math.Exp(2) + 3), c.other, 1 / (math.Exp(2) + 3)} {
			if got := went[places[k]] / n; math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/n) {
				t.Errorf("span %v: to hole %d go %.3f, want %.3f (%v)", c.span, k, got, want, went)
			}
		}
	}
}
