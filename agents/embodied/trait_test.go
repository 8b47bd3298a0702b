package embodied_test

import (
	"math"
	"testing"

	"achilles/agents/embodied"
	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/sim/longtest"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// TestLinks checks, on trials that demand a capability, that bodies pass with the probability that the link of the
// capability gives: logistic(capability − demand), or the capability itself if it is a probability.
func TestLinks(t *testing.T) {
	n := 1500
	if longtest.On() {
		n = 4000
	}
	u := policy.DefaultUnits()
	check := func(trial string, b embodied.Body, p float64) {
		t.Helper()
		h, pol, passed := open(t, trial), disposition(t, b), 0
		for i := range n {
			if h.play(pol, rng.NewKey(uint64(i), "links", trial)) == policy.None {
				passed++
			}
		}
		expected := float64(n) * p
		if e := math.Abs(float64(passed)-expected) / math.Sqrt(expected*(1-p)); e > z {
			t.Errorf("%s, %v: %d of %d pass, want %.1f (%.1f standard deviations)", trial, b.Trait, passed, n, expected, e)
		}
	}
	for _, trial := range []string{"cups", "holes", "dark"} {
		h := open(t, trial)
		time := float64(h.hidden(t)) / u.TicksPerTime
		for _, m := range []float64{-1, 0.2, 1.5} {
			check(trial, with("memory", m), num.Logistic(m-time))
		}
	}
	for trial, others := range map[string]float64{"cups": 2, "holes": 3, "dark": 0} {
		for _, op := range []float64{0.5, 2.5, 4} {
			check(trial, with("op", op), num.Logistic(op-others))
		}
	}
	for trial, size := range map[string]float64{"open": 1, "cups": 2, "dark": 3} {
		for _, visual := range []float64{1, 3, 4.5} {
			check(trial, with("visual", visual), num.Logistic(visual-(u.Largest-size)))
		}
	}
	for trial, side := range map[string]float64{"far": -1, "cups": 1, "lava": 0} {
		h := open(t, trial)
		h.play(disposition(t, embodied.Body{}), rng.NewKey(1, "measure"))
		distance := float64(h.steps()) * u.PerCell
		for _, d := range []float64{-1, 0, 2} {
			check(trial, with("flatNav", distance+d, "rightLeft", 0.7), num.Logistic(d+0.7*side))
		}
	}
	for trial, trait := range map[string]string{"lava": "lava", "ramp": "ramp", "ledge": "platform"} {
		check(trial, with(trait, 0.3), 0.3)
		check(trial, with(trait, 0.8, "noise", 0.4, "chance", 0.25), 0.6*0.8+0.4*0.25)
	}
	check("cups", with("persistence", 0.6), 0.6)
	check("cups", with("lookAlike", 0.35), 0.65)
	check("cups", with("pullLeft", 0.2), 0.8)
	check("cups", with("shyRed", 0.1), 0.9)
	check("holes", embodied.Body{Trait: map[string]float64{"memory": never}, Fallback: policy.GuessPlace}, 0.25)
	// A reward that was hidden elsewhere before demands inhibition, one that is moved on unseen demands tracking. Each
	// further demand of a trial multiplies the probability of success by the link of its own capability.
	for _, x := range []float64{-1, 1.5, 3} {
		check("habit", with("inhibition", x), num.Logistic(x-2))
		check("cover", with("tracking", x), num.Logistic(x-2))
		check("box", with("tracking", x, "op", 2.5), num.Logistic(x-2)*num.Logistic(2.5-2))
		check("cover", with("tracking", x, "op", x, "inhibition", never), num.Logistic(x-2)*num.Logistic(x-2))
		check("habit", with("inhibition", x, "op", 1.0, "memory", 2.0), num.Logistic(x-2)*num.Logistic(1-2)*num.Logistic(2-float64(open(t, "habit").hidden(t))/u.TicksPerTime))
	}
	// The trait effort is added to memory once for every place other than the right one. A body of rationality x chooses
	// the right place among n + 1 with odds of exp(x) to n.
	for trial, others := range map[string]float64{"cups": 2, "holes": 3} {
		time := float64(open(t, trial).hidden(t)) / u.TicksPerTime
		for _, x := range []float64{-0.5, 0.2, 1} {
			check(trial, with("memory", 0.5, "effort", x), num.Logistic(0.5+x*others-time))
			check(trial, with("rationality", x), num.Logistic(x-math.Log(others)))
			check(trial, with("rationality", x, "op", 2.5, "memory", 0.8), num.Logistic(x-math.Log(others))*num.Logistic(2.5-others)*num.Logistic(0.8-time))
		}
	}
	check("cover", with("rationality", 1.0, "tracking", 1.0, "memory", 3.0), num.Logistic(1-math.Log(2))*num.Logistic(1-2)*num.Logistic(3-float64(open(t, "cover").hidden(t))/u.TicksPerTime))
	check("tube", with("tubes", 0.3, "timing", 0.2, "op", 2.5), 0.3*num.Logistic(0.5))
	check("tunnel", with("timing", 0.3, "op", 2.5), 0.3*num.Logistic(0.5))
	// If all capabilities are limited at once, the probability is the product of their links.
	h := open(t, "cups")
	time, distance := float64(h.hidden(t))/u.TicksPerTime, float64(h.steps())*u.PerCell
	check("cups", with("memory", 1.5, "op", 3.0, "visual", 4.5, "flatNav", distance+1, "rightLeft", -0.5, "noise", 0.2, "chance", 0.5),
		0.8*num.Logistic(1.5-time)*num.Logistic(3-2)*num.Logistic(4.5-3)*num.Logistic(1-0.5)+0.2*0.5)
}

// TestThresholds checks that a body passes if the draw of a capability equals the demand, and fails if the draw is
// slightly smaller.
func TestThresholds(t *testing.T) {
	inf := math.Inf(1)
	u := policy.DefaultUnits()
	unlimited := disposition(t, embodied.Body{})
	for _, s := range trials() {
		h := open(t, s.Name)
		ticks := float64(h.hidden(t))
		distance := float64(h.steps()) * u.PerCell
		passes := func(memory, op, visual, endurance float64) bool {
			h.actor.Disposition, h.actor.Room = unlimited, &h.room
			h.run(able{&h.actor, memory, op, visual, endurance}, rng.NewKey(1, "threshold"))
			return h.actor.Cause(&h.last) == policy.None
		}
		at := func(what string, d, below float64, try func(x float64) bool) {
			t.Helper()
			if !try(d) || try(d-below) {
				t.Errorf("trial %s: a demand of %s %v is met by %v: %v, by %v: %v", s.Name, what, d, d, try(d), d-below, try(d-below))
			}
		}
		if len(s.Places) > 0 {
			at("memory", ticks/u.TicksPerTime, 0.5/u.TicksPerTime, func(x float64) bool { return passes(x, inf, inf, inf) })
			at("op", map[string]float64{"cups": 2, "holes": 3, "dark": 0, "corridor": 1, "habit": 2, "cover": 2, "box": 2, "tube": 2, "tunnel": 2}[s.Name], 0.5, func(x float64) bool { return passes(inf, x, inf, inf) })
		}
		if h.world.Rules().Move == gridworld.Turning {
			at("distance", distance, 0.5, func(x float64) bool { return passes(inf, inf, inf, x) })
		}
		size := float64(h.world.Thing(h.reward()).Size) / 100
		at("size", u.Largest-size, 0.005, func(x float64) bool { return passes(inf, inf, x, inf) })
	}
}

// TestMoreCapabilityNeverHurts checks that a body that passes with some random numbers also passes with the same ones and
// more of any one capability. So the draws of one trait cannot depend on another trait.
func TestMoreCapabilityNeverHurts(t *testing.T) {
	base := map[string]float64{"memory": 0.3, "op": 2, "visual": 3.5, "flatNav": 20, "lava": 0.5, "ramp": 0.5, "platform": 0.5}
	for _, s := range trials() {
		h := open(t, s.Name)
		for name := range base {
			more := map[string]float64{}
			for k, x := range base {
				more[k] = x
			}
			more[name] += 0.4
			less, better := disposition(t, embodied.Body{Trait: base}), disposition(t, embodied.Body{Trait: more})
			for root := range uint64(200) {
				r := rng.NewKey(root, "more")
				if h.play(less, r) == policy.None && h.play(better, r) != policy.None {
					t.Fatalf("trial %s, root %d: more %s fails where less passes", s.Name, root, name)
				}
			}
		}
	}
}
