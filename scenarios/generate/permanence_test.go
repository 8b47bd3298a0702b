package generate_test

import (
	"fmt"
	"testing"

	"achilles/battery"
	"achilles/scenarios/generate"
	"achilles/sim/longtest"
	"achilles/sim/num"
)

// columns returns features of a battery, by item.
func columns(t *testing.T, b *battery.Battery, names ...string) map[string][]float64 {
	t.Helper()
	f := map[string][]float64{}
	for _, name := range names {
		c, ok := b.Column(name)
		if !ok {
			t.Fatalf("no feature %s", name)
		}
		f[name] = c.Number
	}
	return f
}

// TestBodiesPassPermanenceAsTheLayoutSays is TestBodiesPassAsTheLayoutSays for the layout permanence: bodies that do
// not follow a cover, ignore tubes or time, or do not resist a habit must go wrong as often as their traits and the
// features say.
func TestBodiesPassPermanenceAsTheLayoutSays(t *testing.T) {
	count, items := 60, 400
	if longtest.On() {
		count, items = 400, 1800
	}
	s := open(t, "permanence", fmt.Sprint("population[0].count=", count), fmt.Sprint("battery.items=", items))
	out := run(t, s, generate.Config{Seed: 501, Jobs: 2})
	f := columns(t, &out.Battery, "timeUnderOcclusion", "numPositions", "occluder", "goalSize", "pathLength", "rightLeft", "hidings", "moves", "tubes", "timing", "congruent")
	agree(t, out, f, func(body map[string]float64, i int) float64 {
		q := num.Logistic(body["visual"]-(5-f["goalSize"][i])) * num.Logistic(body["flatNav"]-f["pathLength"][i]+body["rightLeft"]*f["rightLeft"][i])
		for _, x := range []struct {
			there, probability float64
		}{
			{f["occluder"][i], num.Logistic(body["memory"]-f["timeUnderOcclusion"][i]) * num.Logistic(body["op"]-f["numPositions"][i])},
			{f["hidings"][i], num.Logistic(body["inhibition"] - f["hidings"][i])},
			{f["moves"][i], num.Logistic(body["tracking"] - f["moves"][i])},
			{f["tubes"][i], body["tubes"]},
			{f["timing"][i], body["timing"]},
		} {
			if x.there > 0 {
				q *= x.probability
			}
		}
		return (1-body["noise"])*q + body["noise"]*body["chance"]
	})
}

// TestBodiesPassComparativeAsTheLayoutSays is TestBodiesPassAsTheLayoutSays for the layout comparative: bodies that do
// not go round a barrier, ignore widths or sizes, or cannot count must go wrong as often as their traits and the features
// say.
func TestBodiesPassComparativeAsTheLayoutSays(t *testing.T) {
	count, items := 40, 240
	if longtest.On() {
		count, items = 400, 1600
	}
	s := open(t, "comparative", fmt.Sprint("population[0].count=", count), fmt.Sprint("battery.items=", items))
	out := run(t, s, generate.Config{Seed: 501, Jobs: 2})
	f := columns(t, &out.Battery, "timeUnderOcclusion", "numPositions", "occluder", "goalSize", "pathLength", "rightLeft", "retreat", "openings", "sizes", "when", "number", "congruent")
	success := func(body map[string]float64, i int) float64 {
		q := num.Logistic(body["visual"]-(5-f["goalSize"][i])) * num.Logistic(body["flatNav"]-f["pathLength"][i]+body["rightLeft"]*f["rightLeft"][i])
		for _, x := range []struct {
			there, probability float64
		}{
			{f["occluder"][i], num.Logistic(body["memory"]-f["timeUnderOcclusion"][i]) * num.Logistic(body["op"]-f["numPositions"][i])},
			{f["retreat"][i], num.Logistic(body["retreat"] - f["retreat"][i])},
			{f["number"][i], num.Logistic(body["number"] - f["number"][i])},
			{f["openings"][i], body["openings"]},
			{f["sizes"][i], body["sizes"]},
			{f["when"][i], body["when"]},
		} {
			if x.there > 0 {
				q *= x.probability
			}
		}
		return (1-body["noise"])*q + body["noise"]*body["chance"]
	}
	agree(t, out, f, success)
	if longtest.On() {
		agreeInCells(t, out, f, success)
	}
}

// TestBodiesPassRadialAsTheLayoutSays is TestBodiesPassAsTheLayoutSays for the layout radial: bodies that go back to arms
// that they saw emptied, or to arms that never had a reward, must go wrong as often as their traits and the features say.
func TestBodiesPassRadialAsTheLayoutSays(t *testing.T) {
	count, items := 40, 240
	if longtest.On() {
		count, items = 400, 1600
	}
	s := open(t, "radial", fmt.Sprint("population[0].count=", count), fmt.Sprint("battery.items=", items))
	out := run(t, s, generate.Config{Seed: 501, Jobs: 2})
	f := columns(t, &out.Battery, "timeUnderOcclusion", "occluder", "goalSize", "pathLength", "rightLeft", "visits", "unbaited", "congruent")
	agree(t, out, f, func(body map[string]float64, i int) float64 {
		q := num.Logistic(body["visual"]-(5-f["goalSize"][i])) * num.Logistic(body["flatNav"]-f["pathLength"][i]+body["rightLeft"]*f["rightLeft"][i])
		for _, x := range []struct {
			there, probability float64
		}{
			{f["occluder"][i], num.Logistic(body["memory"] - f["timeUnderOcclusion"][i])},
			{f["visits"][i], num.Logistic(body["visits"] - f["visits"][i])},
			{f["unbaited"][i], num.Logistic(body["unbaited"] - f["unbaited"][i])},
		} {
			if x.there > 0 {
				q *= x.probability
			}
		}
		return (1-body["noise"])*q + body["noise"]*body["chance"]
	})
}

// TestBodiesPassPhysicalAsTheLayoutSays is TestBodiesPassAsTheLayoutSays for the layout physical: bodies that go by area or pieces, straight
// for what is in sight, for what is gone, a decoy or what no strip brings, and those that ignore how boards lie, must go wrong as often as their
// traits and the features say.
func TestBodiesPassPhysicalAsTheLayoutSays(t *testing.T) {
	count, items := 40, 280
	if longtest.On() {
		count, items = 400, 1680
	}
	shares := []string{"area", "cohesion", "reach", "gone", "decoys", "boards", "tools", "when"}
	s := open(t, "physical", fmt.Sprint("population[0].count=", count), fmt.Sprint("battery.items=", items))
	out := run(t, s, generate.Config{Seed: 501, Jobs: 2})
	f := columns(t, &out.Battery, append(shares, "timeUnderOcclusion", "numPositions", "occluder", "goalSize", "pathLength", "rightLeft", "retreat", "ratio", "congruent")...)
	success := func(body map[string]float64, i int) float64 {
		q := num.Logistic(body["visual"]-(5-f["goalSize"][i])) * num.Logistic(body["flatNav"]-f["pathLength"][i]+body["rightLeft"]*f["rightLeft"][i])
		if f["occluder"][i] > 0 {
			q *= num.Logistic(body["memory"]-f["timeUnderOcclusion"][i]) * num.Logistic(body["op"]-f["numPositions"][i])
		}
		for _, name := range []string{"retreat", "ratio"} {
			if x := f[name][i]; x > 0 {
				q *= num.Logistic(body[name] - x)
			}
		}
		for _, name := range shares {
			if f[name][i] > 0 {
				q *= body[name]
			}
		}
		return (1-body["noise"])*q + body["noise"]*body["chance"]
	}
	agree(t, out, f, success)
	if longtest.On() {
		agreeInCells(t, out, f, success)
	}
}
