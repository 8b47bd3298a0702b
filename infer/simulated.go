package infer

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"achilles/infer/diag"
	"achilles/infer/joint"
	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/infer/prior"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// bindTable binds a layout that measures all subjects together to the items of a public directory and to n subjects,
// who have the covariates of its subjects in turn.
func (c *Job) bindTable(data *record.Dataset, l *layout.Layout, n int) (*layout.Joint, error) {
	subjects := make([]string, n)
	for i := range subjects {
		subjects[i] = strconv.Itoa(i)
	}
	j, err := l.BindJoint(&data.Items, subjects, inTurn(data.Covariates, n), data.Manifest.Measures)
	if err == nil && j.UsesMeans() {
		err = fmt.Errorf("layout %s: its likelihood depends on the mean of the responses, so data cannot be simulated from it; use a variant with a fixed chance rate, such as op-fixed", l.Name)
	}
	return j, err
}

// inTurn returns columns of n rows, which are those of the given columns in turn.
func inTurn(columns []record.Column, n int) (out []record.Column) {
	for _, c := range columns {
		at := make([]int, n)
		for i := range at {
			at[i] = i % max(len(c.Number), len(c.Text))
		}
		out = append(out, c.Rows(at))
	}
	return out
}

// simulateTable draws all parameters from the prior and a response of every subject to every item, and fits the responses.
func (c *Job) simulateTable(ctx context.Context, j *layout.Joint, random *rng.Rand, path ...string) (truth []float64, cells *layout.Cells, post *posterior.Posterior, err error) {
	truth = drawnFrom(j, random)
	responses, err := j.Simulate(truth, random)
	if err != nil {
		return nil, nil, nil, err
	}
	if cells, err = j.NewCells(responses, nil); err != nil {
		return nil, nil, nil, err
	}
	post, err = c.drawTogether(ctx, cells, 1, nil, path...)
	return truth, cells, post, err
}

// drawTogether draws from the posterior of all subjects together by the engine of c, with this number of goroutines.
func (c *Job) drawTogether(ctx context.Context, cells *layout.Cells, jobs int, progress func(done, total int), path ...string) (*posterior.Posterior, error) {
	s := joint.Default()
	s.Sampling, s.Jobs, s.Progress = c.Sampling, jobs, progress
	return joint.Sample(ctx, cells, s, c.Seed, path...)
}

// identifyTable simulates one table of subjects, and says how much its responses tell about every parameter.
func (c *Job) identifyTable(ctx context.Context, data *record.Dataset, l *layout.Layout, subjects int) (*Identifiability, error) {
	j, err := c.bindTable(data, l, subjects)
	if err != nil {
		return nil, err
	}
	random := rng.Stream(c.Seed, "identify")
	truth, _, post, err := c.simulateTable(ctx, j, &random, "identify")
	if err != nil {
		return nil, err
	}
	return identifiabilityOf(j, c.Engine, post.Draws, truth), nil
}

// identifiabilityOf returns how much responses tell about each parameter of a layout that measures all subjects together: over all
// units of the parameter. draws are [chain][draw][value]; truth may be nil. The units of a parameter whose prior depends on others
// are compared with the population that the draws infer (populationSD), not with the prior of its mean and spread: next to that,
// every unit would count as identified though nothing sets one apart from another.
func identifiabilityOf(j *layout.Joint, e posterior.Engine, draws [][][]float64, truth []float64) *Identifiability {
	out := &Identifiability{}
	has := unitsOf(j.Layout(), e)
	for i, marginal := range j.PriorSD() {
		p := j.Layout().Parameters[i]
		if !p.OfSubjects() && !has(i) {
			continue
		}
		apart := j.HasScores(i) && j.Units(i) > 1
		if !isFinite(marginal) && !apart {
			out.Unbounded = append(out.Unbounded, p.Name)
			continue
		}
		x := Identification{Parameter: p.Name, Prior: p.Prior, Subjects: j.Units(i)}
		scale := func(v float64) float64 { return v }
		if x.Log = apart && strings.HasPrefix(p.Prior, prior.LogNormal.String()); x.Log {
			scale = math.Log
		}
		var means, variances, misses []float64
		for at := j.First(i); at < j.First(i)+j.Units(i); at++ {
			column := slices.Concat(diag.Column(draws, at)...)
			own := make([]float64, len(column))
			for k, v := range column {
				own[k] = scale(v)
			}
			mean, variance := num.Moments(own)
			means, variances = append(means, mean), append(variances, variance)
			if truth != nil {
				misses = append(misses, num.Mean(column)-truth[at])
			}
		}
		against := marginal
		if apart {
			against = populationSD(means, variances)
			x.PopulationSD = against
		}
		if isFinite(marginal) {
			x.PriorSD = marginal
		}
		x.contract(variances, misses, against)
		out.Parameters = append(out.Parameters, x)
	}
	return out
}

// populationSD returns the SD of the values of all units as the draws infer it: their variance is that of the posterior means plus
// the mean posterior variance (law of total variance). A contraction against it is the empirical reliability of the means.
func populationSD(means, within []float64) float64 {
	_, variance := num.Moments(means)
	return math.Sqrt(variance + num.Mean(within))
}

// calibrateTable is Calibrate for a layout that measures all subjects together. A replication is a table of as many subjects
// as the data have. The quantities are the log likelihood and one value of every parameter, that of its first unit: the
// units of a parameter are alike. Errors are planted in the draws only.
func (c *Job) calibrateTable(ctx context.Context, data *record.Dataset, l *layout.Layout, replications int) (*Calibration, error) {
	j, err := c.bindTable(data, l, len(data.Subjects))
	if err != nil {
		return nil, err
	}
	var quantities []string
	for _, p := range j.Layout().Parameters {
		quantities = append(quantities, p.Name)
	}
	faults := drawFaults()
	all := make([]*replication, replications)
	err = parallel(ctx, replications, c.Jobs, c.Progress, func(ctx context.Context, i int) (err error) {
		all[i], err = c.replicateTable(ctx, j, faults, strconv.Itoa(i))
		return err
	})
	if err != nil {
		return nil, err
	}
	return calibration(append(quantities, jointLikelihood), faults, all, c.Seed), nil
}

// replicateTable simulates and fits one table, and plants every fault in its draws.
func (c *Job) replicateTable(ctx context.Context, j *layout.Joint, faults []fault, name string) (*replication, error) {
	random := rng.Stream(c.Seed, "calibrate", name)
	truth, cells, post, err := c.simulateTable(ctx, j, &random, "calibrate", name)
	if err != nil {
		return nil, err
	}
	prior := func() []float64 { return drawnFrom(j, &random) }
	t, grad := cells.NewTarget(make([]bool, len(j.Layout().Parameters)), 1), make([]float64, len(truth))
	ranks := func(draws [][]float64) []int {
		var own []float64
		var first [][]float64
		for _, theta := range append([][]float64{truth}, draws...) {
			own = append(own, t.LogLikelihood(theta, grad))
			first = append(first, firstUnits(j, theta))
		}
		return rank(own, first[0], first[1:], &random)
	}
	out := &replication{ranks: [][]int{ranks(evenly(slices.Concat(post.Draws...), nil))}}
	for _, f := range faults {
		some := evenly(slices.Concat(post.Draws...), nil)
		f.draws(some, prior)
		out.ranks, out.refit = append(out.ranks, ranks(some)), append(out.refit, false)
	}
	return out, nil
}

// firstUnits returns the value of the first unit of every parameter.
func firstUnits(j *layout.Joint, theta []float64) (out []float64) {
	for i := range j.Layout().Parameters {
		out = append(out, theta[j.First(i)])
	}
	return out
}
