package analysis

import (
	"cmp"
	"context"
	"math"
	"slices"

	"achilles/infer/embedding"
	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/rng"
	sheet "achilles/sim/table"
)

// A ResampledRow says what a measure of the subjects does where the battery or the population is another one (Burden et al. 2023, on invariance).
type ResampledRow struct {
	Resample, Measure string
	Responses         float64 // of the resample
	Subjects          int     // with a value of the measure from all responses and from the resample
	All, Mean         float64 // means over the subjects: from all responses, and from the resample
	Shift, RMS        float64 // mean and root mean square change, in SDs over the subjects of the value from all responses; NaN without spread
	Covered           float64 // proportion of subjects in whose interval from the resample the value from all responses lies; NaN without intervals
}

// A measured has one measure of all subjects; NaN where it is not defined.
type measured struct {
	name string
	of   []predict.Ability
}

// otherHalf is the proportion of the items of the other half that a battery keeps, so that every demand stays measurable while success moves.
const otherHalf = 0.2

// resample measures the subjects on batteries in which the easier or the harder half of the items by a demand is five times as frequent as the
// other, and in the halves of the subjects with less and with more success. Success rate, the capabilities of layouts, the ability of the
// two-parameter model fitted to the resample, and the standing in the population are compared with those from all responses.
func (a *Analysis) resample(ctx context.Context, t *table.Table) error {
	if !a.Settings.Resample {
		return nil
	}
	all, err := a.measureAll(ctx, t, "all", true)
	if err != nil {
		return err
	}
	for _, s := range a.shifts() {
		split, err := s.Split(t)
		if err != nil {
			a.warn("resample "+s.Name, "left out: %v", err)
			continue
		}
		for _, way := range []struct {
			name        string
			most, fewer []int32
		}{{"easier by " + s.Name, split.Train, split.Test}, {"harder by " + s.Name, split.Test, split.Train}} {
			part := t.Subset(thinned(t, way.most, way.fewer, rng.Derive(a.Settings.Seed, "resample", way.name)))
			other, err := a.measureAll(ctx, part, way.name, true)
			if err != nil {
				return err
			}
			a.compareResample(way.name, part, all, other)
		}
	}
	for _, half := range halves(all[0].of) {
		part := t.Subset(half.rows(t))
		other, err := a.measureAll(ctx, part, half.name, false)
		if err != nil {
			return err
		}
		// what is computed from a subject's own responses alone does not depend on the others
		for k := range all {
			if other[k].of == nil {
				other[k].of = slices.Clone(all[k].of)
				for s := range other[k].of {
					if !half.has[s] {
						other[k].of[s] = unknown()
					}
				}
			}
		}
		a.compareResample(half.name, part, all, other)
	}
	return nil
}

// thinned returns the rows of most, and those of fewer to a fifth of its items, in ascending order.
func thinned(t *table.Table, most, fewer []int32, root uint64) []int32 {
	var items []int32
	for _, i := range fewer {
		items = append(items, t.Item[i])
	}
	slices.Sort(items)
	items = slices.Compact(items)
	r := rng.Stream(root, "items")
	kept := map[int32]bool{}
	for _, k := range r.Perm(len(items))[:int(math.Ceil(otherHalf*float64(len(items))))] {
		kept[items[k]] = true
	}
	rows := slices.Clone(most)
	for _, i := range fewer {
		if kept[t.Item[i]] {
			rows = append(rows, i)
		}
	}
	slices.Sort(rows)
	return rows
}

// A halfOf is one half of the subjects.
type halfOf struct {
	name string
	has  []bool
}

// halves returns the halves of the subjects with less and with more success; those with equal success as they stand.
func halves(success []predict.Ability) []halfOf {
	order := make([]int, 0, len(success))
	for s := range success {
		if !math.IsNaN(success[s].Value) {
			order = append(order, s)
		}
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(success[x].Value, success[y].Value) })
	out := []halfOf{{"weaker half of subjects", make([]bool, len(success))}, {"stronger half of subjects", make([]bool, len(success))}}
	for place, s := range order {
		out[2*place/len(order)].has[s] = true
	}
	return out
}

func (h *halfOf) rows(t *table.Table) (rows []int32) {
	for i, s := range t.Subject {
		if h.has[s] {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// measureAll returns all measures from the rows of t, the resample of: first success, last the standing. Without alone it leaves those empty that depend on nothing but a
// subject's own responses, but for success.
func (a *Analysis) measureAll(ctx context.Context, t *table.Table, of string, alone bool) ([]measured, error) {
	c := &a.Settings
	bounds := t.Bounds()
	success, rates := make([]predict.Ability, len(t.Subjects)), []float64(nil)
	for s := range success {
		success[s] = unknown()
		if n := float64(bounds[s+1] - bounds[s]); n > 0 {
			sum := num.Sum(t.Value[bounds[s]:bounds[s+1]])
			success[s].Value = sum / n
			if t.Binary {
				success[s].Low, success[s].High = num.WilsonInterval(sum, n, c.Level)
			}
			rates = append(rates, sum/n)
		}
	}
	out := []measured{{"success rate", success}}
	for _, p := range c.Predictors {
		l, ok := p.(*predict.LayoutPredictor)
		if !ok {
			continue
		}
		names := l.Capabilities()
		profiles := make([][]predict.Ability, len(names))
		if alone {
			var err error
			if profiles, err = l.Profiles(ctx, t, c.Level, rng.Derive(c.Seed, "resample", of, l.Name())); err != nil {
				return nil, err
			}
		}
		for k, name := range names {
			out = append(out, measured{l.Name() + ": " + name, profiles[k]})
		}
	}
	irt := embedding.Converged(embedding.IRT, nil)
	irt.Loss = c.Prediction.Loss
	traits, err := irt.Measure(ctx, t, c.Level, rng.Derive(c.Seed, "resample", of, "irt"))
	if err != nil {
		return nil, err
	}
	standing := make([]predict.Ability, len(t.Subjects))
	mean, variance := num.Moments(rates)
	for s := range standing {
		if standing[s] = unknown(); math.IsNaN(success[s].Value) {
			traits.Ability[s] = unknown()
			continue
		}
		standing[s].Value = (success[s].Value - mean) / math.Sqrt(variance)
	}
	return append(out, measured{"IRT ability", traits.Ability}, measured{"standing in population", standing}), nil
}

// compareResample adds a row for each measure.
func (a *Analysis) compareResample(name string, t *table.Table, all, other []measured) {
	for k := range all {
		r := ResampledRow{Resample: name, Measure: all[k].name, Responses: float64(t.Rows())}
		var before []float64
		covered, judged := 0.0, 0.0
		for s, x := range all[k].of {
			if !math.IsNaN(x.Value) {
				before = append(before, x.Value)
			}
			y := other[k].of[s]
			if math.IsNaN(x.Value - y.Value) {
				continue
			}
			r.Subjects++
			r.All, r.Mean = r.All+x.Value, r.Mean+y.Value
			r.RMS += float64((y.Value - x.Value) * (y.Value - x.Value))
			if !math.IsNaN(y.Low) {
				judged++
				if y.Low <= x.Value && x.Value <= y.High {
					covered++
				}
			}
		}
		n := float64(r.Subjects)
		_, variance := num.Moments(before)
		r.All, r.Mean = r.All/n, r.Mean/n
		r.Shift, r.RMS = (r.Mean-r.All)/math.Sqrt(variance), math.Sqrt(r.RMS/n/variance)
		r.Covered = covered / judged
		a.resampled = append(a.resampled, r)
	}
}

func unknown() predict.Ability {
	return predict.Ability{Value: math.NaN(), Low: math.NaN(), High: math.NaN()}
}

var resampledIs = sheet.Table{Name: "resampled", Title: "Measures of the subjects on another battery and in another population", Key: []string{"resample", "measure"},
	Foot: []string{"Easier and harder by: one half of the items by this demand, and a fifth of the other. Shift and RMS: mean and root mean square change, in SDs over the subjects. Covered: whose interval from the resample has the value from all responses."}}

var resampledColumns = []column[ResampledRow]{
	col(sheet.Column{Name: "resample"}, func(r *ResampledRow) any { return &r.Resample }),
	col(sheet.Column{Name: "measure"}, func(r *ResampledRow) any { return &r.Measure }),
	col(sheet.Column{Name: "responses", Weight: 2, Doc: "of the resample"}, func(r *ResampledRow) any { return &r.Responses }),
	col(sheet.Column{Name: "subjects", Weight: 1, Doc: "with a value from all responses and from the resample"}, func(r *ResampledRow) any { return &r.Subjects }),
	col(sheet.Column{Name: "all", Digits: 3, Weight: 1, Doc: "mean over these subjects, from all responses"}, func(r *ResampledRow) any { return &r.All }),
	col(sheet.Column{Name: "mean", Digits: 3, Weight: 1, Doc: "the same from the resample"}, func(r *ResampledRow) any { return &r.Mean }),
	col(sheet.Column{Name: "shift", Digits: 2, Doc: "mean change, in SDs over the subjects"}, func(r *ResampledRow) any { return &r.Shift }),
	col(sheet.Column{Name: "rms", Head: "RMS", Digits: 2, Doc: "root mean square change, in SDs over the subjects"}, func(r *ResampledRow) any { return &r.RMS }),
	col(sheet.Column{Name: "covered", Digits: 2, Doc: "proportion of subjects in whose interval from the resample the value from all responses lies"}, func(r *ResampledRow) any { return &r.Covered }),
}
