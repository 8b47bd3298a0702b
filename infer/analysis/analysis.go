// Package analysis is the capability-oriented analysis of any response table: what success depends on, where each
// subject is competent, and how well success can be predicted (Burnell et al. 2022, "Not a number").
package analysis

import (
	"context"
	"fmt"

	"achilles/infer/adaptive"
	"achilles/infer/chargrid"
	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/record"
)

// An Analysis has all results. It has slices in a fixed order for what are maps in analysis.json.
type Analysis struct {
	Settings    Settings // with defaults filled in from the data
	Measure     string
	Binary      bool // whether every response is a success or a failure
	Subjects    []string
	Items       int
	ItemNames   []string
	Responses   int
	SuccessRate float64
	Replicates  int // number of bootstrap replicates
	Features    []table.Feature
	Axes        []chargrid.Axis // by feature
	Sets        []SetResult     // the set of all subjects, then the groups
	Matrix      chargrid.Matrix
	Spaces      []SpaceResult // the space of capability first; empty if there are no relevant features and no configured grids
	Capability  *Capability   // nil if Settings.Capability has no features
	Prediction  []ModelResult
	New         []NewResult
	Shifts      []ShiftResult
	ShortForms  []adaptive.ShortForm
	Traits      []TraitsResult // results of the models that have traits
	each        []EachRow
	classes     []ClassRow
	similarity  []SimilarityRow
	extremes    []ExtremeRow
	resampled   []ResampledRow
	compared    []ComparedRow
	Warnings    []Caveat
	Partial     bool // whether the analysis was interrupted before it was done

	finished predict.Finished
}

// A SetResult has the results of a set of subjects whose responses are pooled.
type SetResult struct {
	Name         string
	Correlations []chargrid.Correlation // correlations of the numeric features with success
	Curves       []chargrid.Curve       // characteristic curves of all features
	Robustness   []chargrid.Robustness  // robustness to the irrelevant features
}

// A Caveat is a doubt about a result, or the reason why it is missing.
type Caveat struct {
	About   string `json:"about"`
	Message string `json:"message"`
}

func (a *Analysis) warn(about, format string, args ...any) {
	a.Warnings = append(a.Warnings, Caveat{about, fmt.Sprintf(format, args...)})
}

// Run analyses a dataset. The same data and configuration give the same result. Run fails if the configuration is
// invalid or does not fit the data, and when ctx is done. If models had been graded by then, it returns what was done, too.
func Run(ctx context.Context, d *record.Dataset, c Settings) (*Analysis, error) {
	c, err := c.withDefaults(d)
	if err != nil {
		return nil, err
	}
	specs := make([]table.Spec, len(c.Features))
	for i, f := range c.Features {
		specs[i] = f.Spec
	}
	t, err := table.Build(d, c.Measure, specs)
	if err != nil {
		return nil, err
	}
	a := &Analysis{Settings: c, Measure: c.Measure, Binary: t.Binary, Subjects: t.Subjects, Items: len(t.Items), ItemNames: t.Items, Responses: t.Rows(), Features: t.Features}
	a.SuccessRate, _ = t.Mean()
	a.checkTable(t)
	parts, err := table.Parts(d, c.Measure)
	if err != nil {
		return nil, err
	}
	for _, f := range parts {
		a.warn("parts", "%s: %s", f.Statement(), f.Advice())
	}
	if err := a.makeAxes(t); err != nil {
		return nil, err
	}
	if err := a.makeSpaces(t); err != nil {
		return nil, err
	}
	if err := a.makeSets(ctx, t); err != nil {
		return nil, err
	}
	if err := a.makeEach(ctx, t); err != nil {
		return nil, err
	}
	if a.compared, err = compared(t, c.Prediction.Compared, c.Prediction.Skills); err != nil {
		return nil, err
	}
	a.Matrix = chargrid.NewMatrix(t, chargrid.All())
	a.makeCapability(t)
	if err := a.predict(ctx, d, t); err != nil {
		if ctx.Err() == nil {
			return nil, err
		}
		a.Partial = true
		a.warn("analysis", "interrupted before all was done; rerun the command to resume")
		return a, err
	}
	return a, nil
}

// checkTable adds warnings if the data leave results empty or weak.
func (a *Analysis) checkTable(t *table.Table) {
	if len(a.Features) == 0 {
		a.warn("features", "the items have no feature: only aggregates and item effects can be analysed")
	} else if len(a.Settings.named(table.Relevant)) == 0 {
		a.warn("features", "no feature is declared relevant: there is no capability, no robustness and no shift; give features a role")
	}
	if len(t.Subjects) < 2 {
		a.warn("subjects", "with one subject there are no intervals over subjects and no correlation between capability and success")
	}
	for _, f := range t.Features {
		n := 0
		for i := range t.Items {
			if _, ok := f.At(i); !ok {
				n++
			}
		}
		if n == len(t.Items) {
			a.warn(f.Name, "no item has a value")
		} else if 2*n > len(t.Items) {
			a.warn(f.Name, "%d of %d items have no value", n, len(t.Items))
		}
	}
}

func (a *Analysis) makeAxes(t *table.Table) error {
	for i := range t.Features {
		f := &t.Features[i]
		axis := chargrid.Axis{Feature: f.Name, Rule: "no value", Bin: make([]int32, len(t.Items))}
		if !empty(f) {
			var err error
			if axis, err = chargrid.NewAxis(f, a.Settings.Features[i].Binning); err != nil {
				return fmt.Errorf("key feature.binning: %w", err)
			}
		} else {
			for j := range axis.Bin {
				axis.Bin[j] = -1
			}
		}
		a.Axes = append(a.Axes, axis)
	}
	return nil
}

func empty(f *table.Feature) bool {
	for i := range f.Value {
		if _, ok := f.At(i); ok {
			return false
		}
	}
	return true
}

// makeSets computes the results of the set of all subjects and of each group.
func (a *Analysis) makeSets(ctx context.Context, t *table.Table) error {
	sets, err := a.Settings.sets(t)
	if err != nil {
		return err
	}
	b := chargrid.DefaultBootstrap(a.Settings.Seed)
	b.Replicates, b.Level, b.Jobs = a.Settings.Replicates, a.Settings.Level, a.Settings.Jobs
	if a.Replicates = b.Used(t); a.Replicates < b.Replicates {
		a.warn("replicates", "%d bootstrap replicates instead of %d, for the size of the table", a.Replicates, b.Replicates)
	}
	for _, s := range sets {
		r := SetResult{Name: s.Name}
		p := chargrid.Pool(t, s.Weight)
		if r.Correlations, err = chargrid.Correlate(ctx, t, s, b); err != nil {
			return err
		}
		for i := range t.Features {
			r.Curves = append(r.Curves, chargrid.NewCurve(t, &t.Features[i], &a.Axes[i], s, a.Settings.Level))
			if t.Features[i].Role == table.Irrelevant && a.hasCapability() {
				r.Robustness = append(r.Robustness, a.Spaces[0].Space.Robust(&a.Axes[i], s.Name, p, a.Settings.Permutations, a.Settings.Seed))
			}
		}
		for k := range a.Spaces {
			a.Spaces[k].add(a.Spaces[k].Space.Pooled(s.Name, p), a.Settings.Competence)
		}
		a.Sets = append(a.Sets, r)
	}
	return nil
}

// sets returns the set of all subjects, then the declared groups.
func (c *Settings) sets(t *table.Table) ([]chargrid.Set, error) {
	sets := []chargrid.Set{chargrid.All()}
	index := map[string]int{}
	for i, id := range t.Subjects {
		index[id] = i
	}
	for _, g := range c.Groups {
		s := chargrid.Set{Name: g.Name, Weight: make([]float64, len(t.Subjects))}
		if _, taken := index[g.Name]; taken || g.Name == "" || g.Name == "all" || len(g.Subjects) == 0 {
			return nil, fmt.Errorf("key group: name %q is empty, all, or that of a subject, or it has no subjects", g.Name)
		}
		for _, id := range g.Subjects {
			i, ok := index[id]
			if !ok {
				return nil, fmt.Errorf("group %q: subject %q is not in the data", g.Name, id)
			}
			s.Weight[i] = 1
		}
		sets = append(sets, s)
	}
	return sets, nil
}
