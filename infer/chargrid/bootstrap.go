package chargrid

import (
	"context"
	"math"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"

	"achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// A Bootstrap has the settings of the bootstrap over subjects. Every replicate draws subjects with replacement, from its
// own random stream.
type Bootstrap struct {
	Replicates int
	Level      float64 // share of the replicates inside an interval, in (0, 1)
	Root       uint64  // root seed
	Jobs       int     // number of replicates computed at a time; no result depends on it
	MaxWork    int     // largest number of responses × replicates; see Used
}

// DefaultBootstrap returns settings with 1000 replicates and 95 % intervals.
func DefaultBootstrap(root uint64) Bootstrap {
	return Bootstrap{Replicates: 1000, Level: 0.95, Root: root, Jobs: 1, MaxWork: 2e9}
}

// Used returns the number of replicates for a table. This is Replicates, or fewer for a large table because of MaxWork,
// but not fewer than 100 for this reason.
func (b Bootstrap) Used(t *table.Table) int {
	return min(b.Replicates, max(100, b.MaxWork/max(t.Rows(), 1)))
}

// Correlate computes the correlation of success with every feature, for a set of subjects, in the order of the
// features. Success that is not binary is ranked once in the whole table, and not again in every replicate of the
// bootstrap.
func Correlate(ctx context.Context, t *table.Table, set Set, b Bootstrap) ([]Correlation, error) {
	fs := numeric(t)
	ranked := rankedTables(t, fs)
	p := Pool(t, set.Weight)
	noise, turn := make([]curveNoise, len(fs)), make([]int, len(fs))
	for i, f := range fs {
		q := f.pool(p)
		noise[i], turn[i] = newCurveNoise(t, f, set, q), turningPoint(f.value, q)
	}
	compute := func(weight []float64, r *rng.Rand) []float64 {
		out := make([]float64, perFeature*len(fs))
		p := Pool(t, weight)
		for i, f := range fs {
			pr := p
			if ranked[i] != t {
				pr = Pool(ranked[i], weight)
			}
			q, to := f.pool(p), out[i*perFeature:(i+1)*perFeature]
			f.statistics(q, f.pool(pr), turn[i], to)
			if r != nil {
				to[conformanceAt] = noise[i].replicate(q, r)
			}
		}
		return out
	}
	replicates, err := b.replicate(ctx, len(t.Subjects), set, b.Used(t), compute)
	if err != nil {
		return nil, err
	}
	value := compute(set.Weight, nil)
	var out []Correlation
	for i, k := 0, 0; k < len(t.Features); k++ {
		if t.Features[k].Nominal() {
			out = append(out, nominal(&t.Features[k], p))
			continue
		}
		f := fs[i]
		c := f.correlation(p, value[i*perFeature:], replicates, i*perFeature, turn[i], b.Level)
		if c.Shape == Peak || c.Shape == Valley {
			c.Turn = f.value[turn[i]]
		}
		out = append(out, c)
		i++
	}
	return out, nil
}

// nominal returns what can be said of a feature whose values have no order.
func nominal(f *table.Feature, p Totals) Correlation {
	undefined := Estimate{math.NaN(), none, none}
	c := Correlation{Feature: f.Name, Pearson: undefined, Spearman: undefined, Conformance: undefined, Line: Line{undefined, undefined},
		Before: undefined, After: undefined, Turn: math.NaN()}
	q := levelsOf(f).pool(p)
	for _, n := range q.N {
		if c.Responses += n; n > 0 {
			c.Levels++
		}
	}
	c.Eta = eta(q)
	return c
}

// rankedTables returns, for every feature, the table of rankValues. Features that are missing on the same items share
// one table.
func rankedTables(t *table.Table, fs []measured) []*table.Table {
	same := func(a, b measured) bool {
		return slices.EqualFunc(a.of, b.of, func(x, y int32) bool { return (x < 0) == (y < 0) })
	}
	ranked := make([]*table.Table, len(fs))
next:
	for i, f := range fs {
		for j := range i {
			if same(f, fs[j]) {
				ranked[i] = ranked[j]
				continue next
			}
		}
		ranked[i] = f.rankValues(t)
	}
	return ranked
}

// correlation returns the correlation of one feature. Its values start at value[0], and at index at in each replicate. turn is
// the index of its turning point.
func (m measured) correlation(p Totals, value []float64, replicates [][]float64, at, turn int, level float64) Correlation {
	c := Correlation{Feature: m.feature.Name, Turn: math.NaN()}
	q := m.pool(p)
	for _, n := range q.N {
		if c.Responses += n; n > 0 {
			c.Levels++
		}
	}
	c.Eta = eta(q)
	estimate := func(k int) Estimate {
		return Estimate{value[k], none, percentiles(replicates, at+k, value[k], level)}
	}
	c.Pearson, c.Spearman, c.Conformance = estimate(pearsonAt), estimate(spearmanAt), estimate(conformanceAt)
	if i := &c.Conformance.Cluster; i.Low > c.Conformance.Value || i.High < c.Conformance.Value {
		i.Low, i.High = min(i.Low, c.Conformance.Value), max(i.High, c.Conformance.Value)
	}
	c.Line = Line{estimate(interceptAt), estimate(slopeAt)}
	c.Before, c.After = estimate(beforeAt), estimate(afterAt)
	c.Shape = m.shape(p, c.Spearman, c.Before, c.After, turn, level)
	r := c.Spearman.Value
	c.Pearson.Fisher = fisher(c.Pearson.Value, c.Responses, 1, level)
	c.Spearman.Fisher = fisher(r, c.Responses, 1+float64(r*r)/2, level)
	switch {
	case c.Responses == 0:
		c.Reason = "no response to an item that has the feature"
	case c.Levels < 2:
		c.Reason = "the feature has one value"
	case math.IsNaN(c.Pearson.Value):
		c.Reason = "every response has the same value"
	}
	return c
}

// replicate computes statistics for n random resamples of the subjects of a set. It returns nil if the set has fewer
// than two subjects.
func (b Bootstrap) replicate(ctx context.Context, subjects int, set Set, n int, compute func(weight []float64, r *rng.Rand) []float64) ([][]float64, error) {
	members := set.members(subjects)
	if len(members) < 2 {
		return nil, ctx.Err()
	}
	out := make([][]float64, n)
	var workers errgroup.Group
	workers.SetLimit(max(b.Jobs, 1))
	for k := range n {
		workers.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			r := rng.Stream(b.Root, "bootstrap", set.Name, strconv.Itoa(k))
			weight := make([]float64, subjects)
			for range members {
				weight[members[r.IntN(len(members))]]++
			}
			out[k] = compute(weight, &r)
			return nil
		})
	}
	return out, workers.Wait()
}

// percentiles returns the percentile interval of the statistic with index at. value is the statistic of the data. It
// leaves out replicates in which the statistic is undefined. It returns none if these are more than a tenth, or if value
// is undefined.
func percentiles(replicates [][]float64, at int, value, level float64) Interval {
	var x []float64
	for _, r := range replicates {
		if !math.IsNaN(r[at]) {
			x = append(x, r[at])
		}
	}
	if math.IsNaN(value) || len(x) == 0 || 10*len(x) < 9*len(replicates) {
		return none
	}
	slices.Sort(x)
	return Interval{num.SortedQuantile(x, (1-level)/2), num.SortedQuantile(x, (1+level)/2)}
}
