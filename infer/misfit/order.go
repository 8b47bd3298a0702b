package misfit

import (
	"fmt"
	"math"
	"slices"

	"achilles/sim/num"
)

// splits is the number of places, evenly spaced in the order of presentation, at which a change of the success rate is
// tested.
const splits = 19

// neighbours is the number of trials, one after another, that are looked at together for likeness.
const neighbours = 12

// ordered returns the checks of the order of presentation, if it is known: a trend, a trend in the logarithm of the position
// (a learner improves early), the success rate by eighths, a change at one place, likeness of near trials, and whether a trial goes as the one before.
// A change and likeness are also looked for with the weights of a rate of trials that are lost whatever they ask: the tired and the
// distracted fail what they should pass.
func (r *residuals) ordered() (out []check) {
	d := r.data
	raw, place := make([]float64, len(d.Responses)), []int32{}
	for i, x := range d.Responses {
		raw[i] = math.NaN()
		if x.Position > 0 {
			raw[i] = float64(x.Position)
			place = append(place, x.Position)
		}
	}
	slices.Sort(place)
	place = slices.Compact(place)
	position, ok := standard("position", raw)
	if !ok || len(place) < 2*bins {
		return nil
	}
	out = r.withContrast(out, "order of presentation, trend", weights{a: &position.values}, "rises more from trial to trial", "falls more from trial to trial")
	late := make([]float64, len(raw))
	for i, x := range raw {
		late[i] = num.Log(x) // the logarithm of NaN is NaN
	}
	if early, ok := standard("position", late); ok {
		out = r.withContrast(out, "order of presentation, early trend", weights{a: &early.values}, "rises more in the first trials", "falls more in the first trials")
	}
	part := func(x float64, n int) int { // returns which of n equal parts of the order x belongs to
		at, _ := slices.BinarySearch(place, int32(x))
		return at * n / len(place)
	}
	g := &single{name: "order of presentation, in eighths", of: make([]uint8, len(raw))}
	for k := range bins {
		g.names = append(g.names, fmt.Sprintf("the trial is in the %s eighth", eighths[k]))
	}
	g.names = append(g.names, "the position is missing")
	for i, x := range raw {
		g.of[i] = bins
		if !math.IsNaN(x) {
			g.of[i] = uint8(part(x, bins))
		}
	}
	if gs := r.newGroups(g.alone()); gs != nil {
		out = append(out, check{name: g.name, groups: gs})
	}
	near := make([]int32, len(raw))
	for i, x := range raw {
		near[i] = -1
		if !math.IsNaN(x) {
			near[i] = int32(part(x, max(1, len(place)/neighbours)))
		}
	}
	out = r.withClusters(out, "order of presentation, alike when near", "responses to trials one after another", near, max(1, len(place)/neighbours))
	if r.spans() {
		out = r.withWeighted(out, "order of presentation, failing when near", "failures of trials one after another that should be passed", near, max(1, len(place)/neighbours), r.passing())
	}
	return r.withBefore(r.withChange(out, raw, place, part))
}

// withBefore adds the check of the trial before: the success rate after a passed and after a failed one. Given all trials before, a residual has
// mean 0 under the model, so that these are groups like others.
func (r *residuals) withBefore(out []check) []check {
	at := map[int32]int{} // position → response
	for i, x := range r.data.Responses {
		at[x.Position] = i
	}
	g := &single{name: "order of presentation, the trial before", names: []string{"the trial before was failed", "the trial before was passed", "the trial before is unknown"}}
	for _, x := range r.data.Responses {
		before := uint8(2)
		if k, ok := at[x.Position-1]; ok && x.Position > 1 && r.data.Binary[k] {
			before = uint8(r.data.Responses[k].Value)
		}
		g.of = append(g.of, before)
	}
	if gs := r.newGroups(g.alone()); gs != nil {
		out = append(out, check{name: g.name, groups: gs})
	}
	return out
}

// withChange adds the check of a change: the largest difference of the success rate before and after one of the splits.
func (r *residuals) withChange(out []check, raw []float64, place []int32, part func(x float64, n int) int) []check {
	c := check{name: "order of presentation, a change"}
	parts := newValues(make([]float64, splits+2), len(raw)) // a value for each part of the order, the last that of unknown positions
	for i, x := range raw {
		k := splits + 1
		if !math.IsNaN(x) {
			k = part(x, splits+1)
		}
		parts.set(i, k)
	}
	how := []*values{nil} // weights by which a change is looked for: of the log odds, and of a rate of trials that are lost whatever they ask
	if r.spans() {
		how = append(how, r.byExpected(func(p float64) float64 { return 1 / (1 - p) }))
	}
	for k := range splits {
		after := float64(splits-k) / (splits + 1)
		w := parts
		w.list = slices.Repeat([]float64{-after}, splits+2)
		for later := k + 1; later <= splits; later++ {
			w.list[later] = 1 - after
		}
		w.list[splits+1] = 0
		at := place[(k+1)*len(place)/(splits+1)]
		for _, by := range how {
			if one, ok := r.newContrast(weights{&w, by}, fmt.Sprintf("is higher from trial %d on", at), fmt.Sprintf("is lower from trial %d on", at)); ok {
				c.contrast = append(c.contrast, one)
			}
		}
	}
	if c.contrast == nil {
		return out
	}
	return append(out, c)
}
