package score_test

import (
	"maps"
	"math"
	"slices"
	"testing"

	"achilles/infer/layout"
	"achilles/infer/trajectory"
	scene "achilles/scenarios/scenario"
	"achilles/scenarios/score"
	"achilles/sim/longtest"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// A learner follows what is published of a subject in blocks of trials, and says with which probability the subject passes the next one. It
// knows nothing of the layout: values are updated trial after trial.
type learner struct {
	trait       map[string]float64
	block       float64
	value       map[float64]float64 // of the wells
	habit, rule float64
	round       float64
	lately      []float64 // wells in which the reward was found in the round
	missed      bool      // a well to which it was sent in the round
	ever        bool      // in the block
	gone        int       // rewards that had perished, in the block
}

// before returns the probability to pass a trial.
func (l *learner) before(f func(string) float64) float64 {
	if f("block") != l.block {
		*l = learner{trait: l.trait, block: f("block"), value: map[float64]float64{}}
	}
	if f("round") != l.round {
		l.round, l.lately, l.missed = f("round"), nil, false
	}
	b := l.trait["rationality"]
	others := f("others")
	switch {
	case others == 0:
		return 1
	case f("durations") == 1 && f("phase") == 1: // it may know that the better one has perished; if not, it goes for that one
		knows, better := 1-math.Pow(1-l.trait["spanRate"], float64(l.gone)), 1/(1+math.Exp(-b))
		return num.Logistic(l.trait["memory"]-f("timeUnderOcclusion")) * (knows*better + (1-knows)*(1-better))
	case f("shown") == 1:
		p := num.Logistic(l.trait["memory"]-f("timeUnderOcclusion")) / (1 + others*math.Exp(-b))
		if f("habit") == 1 && l.habit > 0 {
			p *= num.Logistic(l.trait["restraint"] - l.habit*(1+l.trait["fading"]*f("delay")))
		}
		return p
	case f("reversal") == 1:
		right := math.Exp(b * l.value[side(f, 0)])
		return right / (right + math.Exp(b*l.value[side(f, 1)]))
	case f("matching") == 1:
		knows := l.rule * num.Logistic(l.trait["memory"]-f("delay"))
		sample := 1.0
		if between := len(l.lately) - 1; between > 0 {
			sample = num.Logistic(l.trait["visits"] - float64(between))
		}
		return knows*sample + (1-knows)/(1+others)
	}
	right, wrong := math.Exp(b*l.value[f("well")]), 0.0
	for well := 1.0; well <= others+1; well++ {
		if well != f("well") && !slices.Contains(l.lately, well) {
			wrong += math.Exp(b * l.value[well])
		}
	}
	return l.rule*num.Logistic(l.trait["visits"]-float64(len(l.lately)))*right/(right+wrong) + (1-l.rule)/(1+others)
}

// side returns the key of the value of one well of a pair: the right one (0) or the other (1).
func side(f func(string) float64, other float64) float64 {
	return 1 + 2*f("pair") + math.Mod(f("phase")+other, 2)
}

// after learns from what the subject did.
func (l *learner) after(f func(string) float64, r *record.Response) {
	well, right := float64(r.Chosen.Place), f("well")
	if f("reversal") == 1 {
		right = side(f, 0)
		if well > 0 {
			well = side(f, 1)
		}
	}
	switch {
	case r.Value == 1:
		well = right
		l.value[well] += l.trait["winRate"] * (1 - l.value[well])
		if f("others") > 0 && f("shown") == 0 && f("reversal") == 0 && !l.missed {
			l.rule += l.trait["ruleRate"] * (1 - l.rule)
		}
		if f("others") == 0 {
			l.lately = append(l.lately, well)
		}
		if f("shown") == 1 {
			l.habit++
		}
	case f("durations") == 1:
		if f("phase") == 1 && well > 0 {
			l.gone++
		}
	case f("others") == 0:
		l.missed, l.ever = true, true
	case well > 0 && !slices.Contains(l.lately, well):
		l.value[well] -= l.trait["lossRate"] * l.value[well]
	}
}

// TestBodiesInBlocks lets bodies learn in blocks of trials, without lapses and with one in five. The layout, which counts earlier trials, must
// give every response the probability that follows from learning trial by trial, at the true traits, but for tests after a visit that was
// missed, in mazes in an earlier round too, of which it knows roughly; and of each kind of trial bodies must pass as many as that. With 22 groups of trials and a limit of
// 4 standard errors, one run in a thousand fails for right probabilities.
func TestBodiesInBlocks(t *testing.T) {
	for _, lapses := range []string{"0", "0.2"} {
		t.Run(lapses, func(t *testing.T) {
			bodiesInBlocks(t, 6, "battery.items=750", "population[0].count=12", "population[0].body.noise="+lapses)
		})
	}
	t.Run("durations", func(t *testing.T) { // of which few trials ask for what was learned
		bodiesInBlocks(t, 2, "battery.items=600", "population[0].count=30", `battery.levels.paradigm=["own-durations"]`)
	})
}

func bodiesInBlocks(t *testing.T, kinds int, set ...string) {
	d := publishOf(t, "blocks", 501, set...)
	l, err := layout.Parse("blocks.toml", string(shippedFile(t, "layouts/blocks.toml")))
	if err != nil {
		t.Fatal(err)
	}
	type sum struct{ passed, expected, variance float64 }
	sums := map[string]*sum{}
	for s, id := range d.data.Subjects {
		traits := d.traits[id]
		items, responses := d.data.Items.ByPosition(d.data.Responses.Of(s))
		design, err := l.Bind(items, d.data.Manifest.Measures)
		if err != nil {
			t.Fatal(err)
		}
		data, err := design.NewData(responses)
		if err != nil {
			t.Fatal(err)
		}
		var theta []float64
		for _, p := range design.Parameters() {
			theta = append(theta, traits[p.Name])
		}
		predicted := make([]float64, design.Rows())
		design.NewTarget(data).Predict(theta, predicted)
		slices.SortFunc(responses, func(a, b record.Response) int { return int(a.Position - b.Position) })
		who := learner{trait: traits}
		done := map[float64]bool{}
		for i, r := range responses {
			f := func(name string) float64 {
				c, ok := items.Column(name)
				if !ok {
					t.Fatalf("no column %s", name)
				}
				return c.Number[r.Item]
			}
			if f("block") != who.block && done[f("block")] || int(r.Position) != i+1 {
				t.Fatalf("subject %s takes block %v in two parts", id, f("block"))
			}
			done[f("block")] = true
			p := who.before(f)
			p += traits["noise"] * (0.5 - p)
			if f("others") > 0 && (who.missed || who.ever && f("maze") == 1) {
				who.after(f, &r)
				continue
			}
			if got := predicted[design.Row(int(r.Item))]; math.Abs(got-p) > 1e-9 {
				t.Fatalf("subject %s, trial %d (%s, trial %v of its block): the layout says %v, and learning %v", id, r.Position, items.Task[r.Item], f("trial"), got, p)
			}
			who.after(f, &r)
			kind := items.Task[r.Item]
			if f("durations") == 1 && f("phase") == 1 {
				kind += ", gone"
			}
			x := sums[kind]
			if x == nil {
				x = &sum{}
				sums[kind] = x
			}
			x.passed, x.expected, x.variance = x.passed+r.Value, x.expected+p, x.variance+p*(1-p)
		}
	}
	for kind, x := range sums {
		t.Logf("%-24s passed %4.0f, expected %7.1f", kind, x.passed, x.expected)
		if math.Abs(x.passed-x.expected) > 4*math.Sqrt(x.variance)+1e-6 {
			t.Errorf("%s: passed %.0f, expected %.1f ± %.1f", kind, x.passed, x.expected, math.Sqrt(x.variance))
		}
	}
	if len(sums) < kinds {
		t.Errorf("only %d kinds of trials", len(sums))
	}
}

// TestPathsInBlocksAgreeWithLayout checks that of the paths that are sampled for the true traits of bodies, given what is published of what they
// did before, as many succeed in each trial as the layout says, but for trials after a visit that was missed. The mean of the squared
// deviations in standard errors is 1, and its standard deviation √(2/n) over n trials; the limit is six of these above.
func TestPathsInBlocksAgreeWithLayout(t *testing.T) {
	const n = 200
	d := publishOf(t, "blocks", 502, "battery.items=300", "population[0].count=3", "population[0].parameters.noise=0.02")
	l, err := layout.Parse("blocks.toml", string(shippedFile(t, "layouts/blocks.toml")))
	if err != nil {
		t.Fatal(err)
	}
	sum, trials := map[string]float64{}, map[string]float64{}
	for s, id := range d.data.Subjects {
		items, responses := d.data.Items.ByPosition(d.data.Responses.Of(s))
		design, err := l.Bind(items, d.data.Manifest.Measures)
		if err != nil {
			t.Fatal(err)
		}
		data, err := design.NewData(responses)
		if err != nil {
			t.Fatal(err)
		}
		var theta []float64
		for _, p := range design.Parameters() {
			theta = append(theta, d.traits[id][p.Name])
		}
		predicted := make([]float64, design.Rows())
		design.NewTarget(data).Predict(theta, predicted)
		others, _ := items.Column("others")
		block, _ := items.Column("block")
		missed := map[float64]bool{}
		slices.SortFunc(responses, func(a, b record.Response) int { return int(a.Position - b.Position) })
		for _, r := range responses {
			p, in := predicted[design.Row(int(r.Item))], block.Number[r.Item]
			missed[in] = missed[in] || others.Number[r.Item] == 0 && r.Value == 0
			if missed[in] || p < 1e-3 || p > 1-1e-3 {
				continue
			}
			k := record.Key{Subject: id, Item: items.ID[r.Item]}
			s, err := trajectory.ReadScene(d.worlds[k.Item])
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.Predict(t.Context(), d.profile(t, k), n, rng.Stream(4, k.Item, id))
			if err != nil {
				t.Fatal(err)
			}
			kind := items.Task[r.Item]
			sum[kind] += (got.Sampled - p) * (got.Sampled - p) * n / (p * (1 - p))
			trials[kind]++
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(sum)) {
		mean := sum[kind] / trials[kind]
		t.Logf("%-22s %4.0f trials, mean of squared deviations %.2f", kind, trials[kind], mean)
		if mean > 1+6*math.Sqrt(2/trials[kind]) {
			t.Errorf("%s: sampled paths succeed in other trials than the layout says", kind)
		}
	}
}

// TestBlocksAreCovered measures fresh bodies in blocks: 8 from each of -seeds root seeds, 1000 trials each. It logs the root mean square
// error of the posterior means as a proportion of the maxima, and how many intervals hold the truth. The bounds are exact binomial ones: all 20
// checks together fail for a right program once in a million runs.
func TestBlocksAreCovered(t *testing.T) {
	longtest.Only(t, "takes a minute a seed, and -seeds 20 -from 501 for twenty seeds")
	scale := map[string]float64{"winRate": 1, "lossRate": 1, "ruleRate": 1, "spanRate": 1, "rationality": 8, "restraint": 7.2, "fading": 1, "visits": 4.8, "memory": 4.8, "noise": 1}
	type kept struct {
		n, half, ninety int
		square          float64
	}
	all := map[string]*kept{}
	for seed := range uint64(*verdictSeeds) {
		text, err := scene.Override("f", string(shippedFile(t, "blocks.toml")), "population[0].count=8")
		if err != nil {
			t.Fatal(err)
		}
		subjects, profiles := measureBlind(t, text, "blocks", *verdictFrom+seed)
		for _, p := range profiles {
			k := all[p.Parameter]
			if k == nil {
				k = &kept{}
				all[p.Parameter] = k
			}
			x := subjects[p.Subject].Body[0].Trait[p.Parameter]
			e := (p.Mean - x) / scale[p.Parameter]
			k.n, k.square = k.n+1, k.square+e*e
			if p.Q25 <= x && x <= p.Q75 {
				k.half++
			}
			if p.Q5 <= x && x <= p.Q95 {
				k.ninety++
			}
		}
		for _, name := range slices.Sorted(maps.Keys(all)) {
			k := all[name]
			t.Logf("%2d seeds: %-11s RMSE %.3f of the maximum (prior 0.289), 50 %% intervals hold %d, 90 %% intervals %d of %d", seed+1, name, math.Sqrt(k.square/float64(k.n)), k.half, k.ninety, k.n)
		}
	}
	for name, k := range all {
		for of, n := range map[float64]int{0.5: k.half, 0.9: k.ninety} {
			if i := score.ClopperPearson(n, k.n, 1-1e-6/20); of < i[0] || of > i[1] {
				t.Errorf("%s: %.0f %% intervals hold the truth of %d of %d bodies", name, 100*of, n, k.n)
			}
		}
	}
}
