package opiaagets

import (
	"context"
	"fmt"

	"achilles/battery"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// In the paper's battery an occluder is present exactly if the item tests object permanence, and exactly then the
// reward is hidden for some time and there are other positions. Time grows with distance, and the number of positions
// gives away the paradigm. A designed battery varies each of them independently.

// Factors returns the factors of a design with their default levels. Every other feature follows from them.
func Factors() []battery.Factor {
	flag := []float64{0, 1}
	return []battery.Factor{
		{Name: "family", Text: []string{"cup", "grid", "cv"}},
		{Name: "occluder", Number: flag},
		{Name: "timeUnderOcclusion", Number: []float64{0, 1, 2, 3, 4}},
		{Name: "numPositions", Number: []float64{0, 1, 2, 3, 5, 7, 11}},
		{Name: "goalSize", Number: []float64{0.5, 1, 1.5, 2, 3, 4, 5}},
		{Name: "goalDistance", Number: []float64{8, 16, 24, 32, 40, 48, 56}},
		{Name: "rightLeft", Number: []float64{-1, 0, 1}},
		{Name: "lava", Number: flag},
		{Name: "ramp", Number: flag},
		{Name: "platform", Number: flag},
		{Name: "transparent", Number: flag},
		{Name: "bounce", Number: flag},
		{Name: "forcedChoice", Number: flag},
		{Name: "occluderColour", Text: []string{"Beige", "Brown", "DarkBlue", "DarkGreen", "Grey", "OffWhite"}},
	}
}

// Design returns a battery over the features of the released coding. A level that is listed twice is used twice as often.
// With r.Items > 0 the design has that many items and is balanced: it uses the levels of a factor equally often, to within
// one, and its factors are almost uncorrelated. With r.Items 0 it has every combination of levels once.
//
// requiresOP is 1 if an occluder hides the reward for some time. lightsOut is 1 if the reward is hidden for some time
// without an occluder. The shortcut of going to where the reward was last seen passes unless the reward moves and is
// hidden for some time.
func Design(ctx context.Context, r battery.Request) (battery.Battery, error) {
	factors, err := withLevels(r.Levels)
	if err != nil {
		return battery.Battery{}, err
	}
	var points [][]int
	if r.Items == 0 {
		points, err = battery.Cross(factors)
	} else {
		points, err = battery.Balance(ctx, rng.Stream(r.Root, "battery", Suite, "design"), factors, r.Items)
	}
	if err != nil {
		return battery.Battery{}, err
	}
	columns := released()
	b := battery.Battery{Suite: Suite, Measure: Measures(), Schema: battery.SchemaOf(columns)}
	for i, p := range points {
		m := designed(factors, p)
		it := battery.Item{Name: fmt.Sprintf("design-%06d", i+1), Suite: Suite, Paradigm: "design-" + m.family, Task: "design", Values: battery.ValuesOf(columns, &m)}
		b.Items.Append(&it)
	}
	return b, nil
}

func withLevels(levels []battery.Factor) ([]battery.Factor, error) {
	factors := Factors()
	return battery.WithLevels(factors, levels, func(at int, x float64) error {
		f := featureNamed(factors[at].Name)
		if !(x >= f.Range[0] && x <= f.Range[1]) {
			return fmt.Errorf("outside %v to %v", f.Range[0], f.Range[1])
		}
		if whole := f.Unit == "0 or 1" || f.Unit == "side" || f.Unit == "places"; whole && x != float64(int(x)) {
			return fmt.Errorf("not a whole number (%s)", f.Unit)
		}
		return nil
	})
}

func featureNamed(name string) record.Feature {
	for _, f := range Schema() {
		if f.Name == name {
			return f
		}
	}
	panic("opiaagets: a factor is not a feature")
}

// designed returns the features of the item with the levels of one point of the design.
func designed(factors []battery.Factor, point []int) meta {
	number := map[string]float64{}
	text := map[string]string{}
	for f, l := range point {
		if fac := factors[f]; fac.Text != nil {
			text[fac.Name] = fac.Text[l]
		} else {
			number[fac.Name] = fac.Number[l]
		}
	}
	m := meta{
		family: text["family"], subsuite: "design", ability: "design",
		time: number["timeUnderOcclusion"], positions: number["numPositions"], size: number["goalSize"],
		distance: number["goalDistance"], side: number["rightLeft"], lava: number["lava"], ramp: number["ramp"],
		platform: number["platform"], occluder: number["occluder"], transparent: number["transparent"],
		bounce: number["bounce"], forced: number["forcedChoice"], occluderColour: colourNamed(text["occluderColour"]),
	}
	hidden := m.time > 0
	m.requires = is(hidden && m.occluder == 1)
	m.visible = 1 - m.requires
	m.lightsOut = is(hidden && m.occluder == 0)
	m.lastSeen = is(!hidden || m.bounce == 0)
	return m
}

func colourNamed(name string) colour {
	for _, c := range wallColours() {
		if c.name == name {
			return c
		}
	}
	panic("opiaagets: no such colour")
}
