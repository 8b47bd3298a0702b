package generate_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"achilles/agents"
	"achilles/agents/embodied"
	"achilles/battery"
	"achilles/gridworld/policy"
	"achilles/scenarios/generate"
	"achilles/sim/longtest"
	"achilles/sim/num"
)

// A demands has, for each feature that the layout embodied uses, the values by item.
type demands struct {
	time, positions, occluder, size, path, side, lava, ramp, platform []float64
}

func demandsOf(b *battery.Battery) demands {
	f := func(name string) []float64 {
		c, ok := b.Column(name)
		if !ok {
			panic("no feature " + name)
		}
		return c.Number
	}
	return demands{
		time: f("timeUnderOcclusion"), positions: f("numPositions"), occluder: f("occluder"), size: f("goalSize"), path: f("pathLength"),
		side: f("rightLeft"), lava: f("lava"), ramp: f("ramp"), platform: f("platform"),
	}
}

// success returns the probability that the layout embodied gives for a body on item i, from its formula.
func (d *demands) success(body map[string]float64, i int) float64 {
	q := num.Logistic(body["visual"]-(5-d.size[i])) * num.Logistic(body["flatNav"]-d.path[i]+body["rightLeft"]*d.side[i])
	if d.occluder[i] == 1 {
		q *= num.Logistic(body["memory"]-d.time[i]) * num.Logistic(body["op"]-d.positions[i])
	}
	for _, x := range []struct{ ability, there float64 }{{body["lava"], d.lava[i]}, {body["ramp"], d.ramp[i]}, {body["platform"], d.platform[i]}} {
		if x.there == 1 {
			q *= x.ability
		}
	}
	return (1-body["noise"])*q + body["noise"]*body["chance"]
}

// A tally compares the number of successes with its distribution under the model. got is the number of successes in n
// episodes; mean, variance and fourth are the expectation, variance and fourth cumulant that the probabilities give it.
type tally struct{ n, got, mean, variance, fourth float64 }

func (t *tally) add(y, p float64) {
	v := p * (1 - p)
	t.n, t.got, t.mean, t.variance, t.fourth = t.n+1, t.got+y, t.mean+p, t.variance+v, t.fourth+v*(1-6*v)
}

// z returns the deviation of the number from its expectation, in standard deviations.
func (t *tally) z() float64 {
	if t.variance == 0 {
		return 0
	}
	return (t.got - t.mean) / math.Sqrt(t.variance)
}

// spread returns the difference between the sum of z² over many tallies and its expectation, in standard deviations.
// The expectation of each z² is 1; its variance is 2 + fourth/variance².
func spread[K comparable](all map[K]*tally) float64 {
	sum, variance := 0.0, 0.0
	for _, t := range all {
		if t.variance > 0 {
			sum += t.z()*t.z() - 1
			variance += 2 + t.fourth/(t.variance*t.variance)
		}
	}
	return sum / math.Sqrt(variance)
}

// agreeInCells compares them by every pair of a trait and a feature: in each table of tenths of the trait's range × values of the
// feature, the cells must differ from their expectations as by chance. It also says how many tables there are.
func agreeInCells(t *testing.T, out *generate.Session, features map[string][]float64, success func(body map[string]float64, item int) float64) {
	t.Helper()
	type cell struct {
		tenth int
		value float64
	}
	least, most := map[string]float64{}, map[string]float64{}
	for i := range out.Subjects {
		for trait, x := range out.Subjects[i].Body[0].Trait {
			if _, known := least[trait]; !known {
				least[trait], most[trait] = x, x
			}
			least[trait], most[trait] = min(least[trait], x), max(most[trait], x)
		}
	}
	tables := map[[2]string]map[cell]*tally{}
	for r := range out.All() {
		body := out.Subjects[r.Subject].Body[0].Trait
		p := success(body, r.Item)
		for trait, x := range body {
			if least[trait] == most[trait] {
				continue
			}
			tenth := int(9.999 * (x - least[trait]) / (most[trait] - least[trait]))
			for name, values := range features {
				table := tables[[2]string{trait, name}]
				if table == nil {
					table = map[cell]*tally{}
					tables[[2]string{trait, name}] = table
				}
				at := cell{tenth, values[r.Item]}
				if table[at] == nil {
					table[at] = &tally{}
				}
				table[at].add(r.Value, p)
			}
		}
	}
	limit := num.NormalQuantile(1 - 0.5e-6/float64(len(tables)))
	worst := 0.0
	for pair, table := range tables {
		x := spread(table)
		if worst = max(worst, math.Abs(x)); math.Abs(x) > limit {
			t.Errorf("%s × %s: the cells differ from their expectations more than by chance: %.1f standard deviations", pair[0], pair[1], x)
		}
	}
	t.Logf("%d tables of a trait × a feature; limit %.2f, farthest from its expectation %.2f", len(tables), limit, worst)
}

// TestBodiesPassAsTheLayoutSays is the most important test of bodies. Whether a body passes an item is the outcome of
// an episode. The test checks that it passes as often as the layout computes from its traits and the measured features
// of the item, for every subject, item and level of every demand. Nothing in the simulation uses the features.
//
// All checks together fail for a right program on one of a million seeds; the seed is fixed.
func TestBodiesPassAsTheLayoutSays(t *testing.T) {
	count, items := 40, 400
	if longtest.On() {
		count, items = 400, 2000
	}
	s := open(t, "embodied", fmt.Sprint("population[0].count=", count), fmt.Sprint("battery.items=", items))
	out := run(t, s, generate.Config{Seed: 5, Jobs: 2})
	d := demandsOf(&out.Battery)
	features := map[string][]float64{
		"time": d.time, "positions": d.positions, "occluder": d.occluder, "size": d.size, "path": d.path, "side": d.side,
		"lava": d.lava, "ramp": d.ramp, "platform": d.platform,
	}
	agree(t, out, features, d.success)
}

// agree compares which bodies pass which items with the probabilities that they should have, by subject, by item and by
// level of every feature.
func agree(t *testing.T, out *generate.Session, features map[string][]float64, success func(body map[string]float64, item int) float64) {
	t.Helper()
	agreeInOrder(t, out, features, func(body *agents.Body, r *generate.Response) float64 { return success(body.Trait, r.Item) })
}

// agreeInOrder is agree for bodies that may learn, and also compares by eighth of the sequence.
func agreeInOrder(t *testing.T, out *generate.Session, features map[string][]float64, success func(body *agents.Body, r *generate.Response) float64) {
	t.Helper()
	families, _ := out.Battery.Column("family")
	bySubject, byItem, byLevel := map[string]*tally{}, map[string]*tally{}, map[string]*tally{}
	add := func(m map[string]*tally, key string, y, p float64) {
		if m[key] == nil {
			m[key] = &tally{}
		}
		m[key].add(y, p)
	}
	if len(slices.Collect(out.All())) != len(out.Subjects)*out.Battery.Items.Len() {
		t.Fatalf("%d responses", len(slices.Collect(out.All())))
	}
	for r := range out.All() {
		p := success(&out.Subjects[r.Subject].Body[0], &r)
		add(bySubject, out.Subjects[r.Subject].Name, r.Value, p)
		add(byItem, out.Battery.Items.Name(r.Item), r.Value, p)
		add(byLevel, "family "+families.Text[r.Item], r.Value, p)
		for name, values := range features {
			add(byLevel, fmt.Sprint(name, " ", values[r.Item]), r.Value, p)
		}
		add(byLevel, fmt.Sprintf("probability %.1f", p), r.Value, p)
		add(byLevel, fmt.Sprint("eighth ", 8*(r.Position-1)/out.Battery.Items.Len()), r.Value, p)
	}
	checks := float64(len(byLevel) + 2)
	limit := num.NormalQuantile(1 - 0.5e-6/checks)
	for _, key := range slices.Sorted(maps.Keys(byLevel)) {
		x := byLevel[key]
		if math.Abs(x.z()) > limit {
			t.Errorf("%s: %.0f of %.0f pass, and %.1f should: %.1f standard deviations", key, x.got, x.n, x.mean, x.z())
		}
	}
	for what, all := range map[string]map[string]*tally{"subjects": bySubject, "items": byItem} {
		if x := spread(all); math.Abs(x) > limit {
			t.Errorf("%s differ from their expectations more than by chance: %.1f standard deviations", what, x)
		}
	}
	if longtest.On() || testing.Verbose() {
		report(t, byLevel)
		t.Logf("limit %.2f; spread over subjects %.2f, over items %.2f", limit, spread(bySubject), spread(byItem))
	}
}

func report(t *testing.T, all map[string]*tally) {
	for _, key := range slices.Sorted(maps.Keys(all)) {
		x := all[key]
		t.Logf("%-16s %8.0f episodes %10.0f passed %10.1f expected  z %5.2f", key, x.n, x.got, x.mean, x.z())
	}
}

// TestWorldsAgreeWithBodies checks, on every generated item, that a body without limits passes, that a body that lacks
// an ability fails if the item demands it and passes otherwise, and that a fraudster passes exactly the items on which
// its shortcut does, according to the item's feature.
func TestWorldsAgreeWithBodies(t *testing.T) {
	items := 150
	if longtest.On() {
		items = 2000
	}
	const never = -1e6
	trait := func(name string, x float64) agents.Body {
		return agents.Body{Body: embodied.Body{Trait: map[string]float64{name: x}}}
	}
	goal := func(g policy.Goal) agents.Body { return agents.Body{Body: embodied.Body{Goal: g}} }
	s := open(t, "embodied", fmt.Sprint("battery.items=", items))
	s.Populations = nil
	passes := map[string]string{ // body → feature that says where it passes, or after ! where it fails; empty: it passes everywhere
		"unlimited": "", "oracle": "", "lapsing": "", "memory": "!occluder", "op": "!occluder", "lava": "!lava", "ramp": "!ramp",
		"platform": "!platform", "last seen": "lastSeenPasses", "nearest visible": "nearestVisiblePasses", "right": "alwaysRightPasses",
		"ahead": "straightAheadPasses", "motion": "motionFollowerPasses",
	}
	bodies := map[string]agents.Body{
		"unlimited": {}, "oracle": goal(policy.Oracle), "lapsing": {Body: embodied.Body{Trait: map[string]float64{"noise": 1, "chance": 1}}},
		"memory": trait("memory", never), "op": trait("op", never), "lava": trait("lava", 0), "ramp": trait("ramp", 0), "platform": trait("platform", 0),
		"last seen": goal(policy.LastSeen), "nearest visible": goal(policy.NearestVisible), "right": goal(policy.Right),
		"ahead": goal(policy.Ahead), "motion": goal(policy.Motion),
	}
	for _, name := range slices.Sorted(maps.Keys(bodies)) {
		s.Agents = append(s.Agents, agents.Spec{Name: name, Body: []agents.Body{bodies[name]}})
	}
	out := run(t, s, generate.Config{Seed: 9, Jobs: 2})
	for r := range out.All() {
		name := out.Subjects[r.Subject].Name
		want := true
		if f := passes[name]; f != "" {
			c, ok := out.Battery.Column(trimmed(f))
			if !ok {
				t.Fatalf("no feature %s", f)
			}
			want = (c.Number[r.Item] == 1) == (f[0] != '!')
		}
		if (r.Value == 1) != want {
			it := out.Battery.Items.At(r.Item)
			t.Errorf("%s on %s (%s): passes %v, want %v\n%s", name, it.Name, it.Task, r.Value == 1, want, it.Trials[0].World)
		}
	}
}

func trimmed(f string) string {
	if f[0] == '!' {
		return f[1:]
	}
	return f
}
