package analysis

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"

	"achilles/infer/chargrid"
	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// A TraitsResult has the traits that one model, fitted to all responses, estimates. It also says how the model's order
// of the subjects agrees with the order by success rate, and between halves of the items.
type TraitsResult struct {
	Model string
	predict.Traits
	SuccessRate       []float64 // of every subject over all its responses; NaN without any
	Observed          []ObservedRow
	SkillNames        []string // names of the skills in Skills and Mask; numbers if the model learns its skills
	Spearman, Kendall float64  // rank correlations of ability and success rate over the subjects; NaN if one is constant
	// Stability is the mean of Kendall's tau-b between the abilities of two fits to disjoint random halves of the items,
	// and StabilitySD its standard deviation. Both are NaN if the configuration does not ask for them.
	Stability, StabilitySD float64
	Consistency            []ConsistencyRow // of halves and of smaller sets of items; nil as these
}

// measure fits every model that has traits to all responses.
func (a *Analysis) measure(ctx context.Context, t *table.Table, models []predict.Predictor) error {
	rate := make([]float64, len(t.Subjects))
	bounds := t.Bounds()
	for s := range rate {
		rate[s] = num.Mean(t.Value[bounds[s]:bounds[s+1]])
	}
	var measurers []predict.Measurer
	for _, p := range models {
		if p, ok := p.(predict.Measurer); ok {
			measurers = append(measurers, p)
		}
	}
	if len(measurers) > 0 {
		a.classes, a.similarity = classRows(t, a.Settings.Prediction.Skills), similarityRows(t)
		a.extremes = extremeRows(t, a.Settings.Prediction.Skills, a.Settings.Prediction.Families)
	}
	for i, p := range measurers {
		a.Settings.runs("abilities by " + p.Name())
		r, err := p.Measure(ctx, t, a.Settings.Level, rng.Derive(a.Settings.Seed, "traits", p.Name()))
		if err != nil {
			return err
		}
		out := TraitsResult{Model: p.Name(), Traits: r, SuccessRate: rate, Stability: math.NaN(), StabilitySD: math.NaN()}
		ability := values(r.Ability)
		out.Spearman, out.Kendall = chargrid.Spearman(ability, rate, nil), kendall(ability, rate)
		if len(r.Mask) > 0 {
			for k := range r.Mask[0] {
				name := strconv.Itoa(k + 1)
				if !r.Learnt {
					name = a.skill(k, len(r.Mask[0]))
				}
				out.SkillNames = append(out.SkillNames, name)
			}
		}
		if out.Consistency, err = a.consistency(ctx, p, t); err != nil {
			return err
		}
		if len(out.Consistency) > 0 {
			out.Stability, out.StabilitySD = out.Consistency[0].Kendall, out.Consistency[0].SD
		}
		out.Observed = out.observed(t, a.Settings.Level)
		a.Traits = append(a.Traits, out)
		a.Settings.runs("")
		if a.Settings.Progress != nil {
			a.Settings.Progress(i+1, len(measurers), "abilities by "+p.Name())
		}
	}
	return nil
}

// runs says which piece is running, "" if none is.
func (c *Settings) runs(name string) {
	if c.Running != nil {
		c.Running(name)
	}
}

// skill returns the name of skill k of n: the name of a configured skill, or the number k + 1.
func (a *Analysis) skill(k, n int) string {
	if s := a.Settings.Prediction.Skills; len(s) == n {
		return s[k]
	}
	return strconv.Itoa(k + 1)
}

// abilityBins is the number of groups of subjects, of nearly equal size, by which items' success is counted.
const abilityBins = 6

// observed returns how often the subjects of each group of abilities succeed on each item, with Wilson's intervals.
func (r *TraitsResult) observed(t *table.Table, level float64) (rows []ObservedRow) {
	order := num.Indices(len(r.Ability))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(r.Ability[a].Value, r.Ability[b].Value) })
	bin := make([]int, len(order))
	for place, s := range order {
		bin[s] = place * abilityBins / len(order)
	}
	type cell struct{ n, ability, success float64 }
	cells := make([][abilityBins]cell, len(t.Items))
	for i, j := range t.Item {
		c := &cells[j][bin[t.Subject[i]]]
		c.n++
		c.ability += r.Ability[t.Subject[i]].Value
		c.success += t.Value[i]
	}
	for j, id := range t.Items {
		for _, c := range cells[j] {
			if c.n > 0 {
				low, high := num.WilsonInterval(c.success, c.n, level)
				rows = append(rows, ObservedRow{r.Model, id, c.ability / c.n, c.n, c.success / c.n, low, high})
			}
		}
	}
	return rows
}

func values(as []predict.Ability) []float64 {
	out := make([]float64, len(as))
	for i, a := range as {
		out[i] = a.Value
	}
	return out
}

// kendall returns tau-b (Kendall 1945): the number of concordant pairs less the number of discordant pairs, divided by
// the geometric mean of the numbers of pairs that x and y do not tie. It returns NaN if x or y is constant.
func kendall(x, y []float64) float64 {
	sum, nx, ny := 0.0, 0.0, 0.0
	for i := range x {
		for j := range i {
			a, b := cmp.Compare(x[i], x[j]), cmp.Compare(y[i], y[j])
			sum += float64(a * b)
			nx += float64(a * a)
			ny += float64(b * b)
		}
	}
	return sum / math.Sqrt(nx*ny)
}

// published returns the configured published number for a score of a model, or NaN if there is none.
func (c *Settings) published(model, score string) float64 {
	i := slices.IndexFunc(c.Prediction.Published, func(p PublishedScore) bool { return p.Model == model && p.Score == score })
	if i < 0 {
		return math.NaN()
	}
	return c.Prediction.Published[i].Value
}
