package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"achilles/infer/chargrid"
	"achilles/infer/table"
	"achilles/sim/num"
)

// A SpaceResult has the agent characteristic grids over some features: one for every set of subjects in Analysis.Sets,
// then one for every subject.
type SpaceResult struct {
	Name  string // names of the features, joined by " × "
	Space *chargrid.Space
	Grids []GridResult
}

// A GridResult is the grid of one set or subject, with the judgement of each cell.
type GridResult struct {
	chargrid.Grid
	Capability *float64 // nil if no cell has a response
	SE         float64  // standard error of Capability
	Cells      []chargrid.Judgement
	Regions    []chargrid.Region
	Next       []chargrid.Suggestion
}

func (s *SpaceResult) add(g *chargrid.Grid, q chargrid.Criterion) {
	r := GridResult{Grid: *g, SE: g.SE(), Cells: q.JudgeAll(g)}
	if v, ok := g.Capability(); ok {
		r.Capability = &v
	}
	r.Regions, r.Next = s.Space.Regions(g, r.Cells), s.Space.Next(r.Cells)
	s.Grids = append(s.Grids, r)
}

func (a *Analysis) hasCapability() bool { return len(a.Settings.Capability) > 0 && len(a.Spaces) > 0 }

// makeSpaces makes the space of every configured grid, the space of capability first. It makes no space twice.
func (a *Analysis) makeSpaces(t *table.Table) error {
	grids := a.Settings.Grids
	if len(a.Settings.Capability) > 0 {
		grids = append([]Grid{{a.Settings.Capability}}, grids...)
	}
	for _, g := range grids {
		name := strings.Join(g.Features, " × ")
		if slices.ContainsFunc(a.Spaces, func(s SpaceResult) bool { return s.Name == name }) {
			continue
		}
		axes, err := a.axes(g.Features)
		if err != nil {
			return fmt.Errorf("key grid or capability: %w", err)
		}
		s, err := chargrid.NewSpace(len(t.Items), axes)
		if err != nil {
			return fmt.Errorf("grid %s: %w", name, err)
		}
		if s.Outside > 0 {
			a.warn(name, "%d of %d items lack a feature of the grid, or lie outside its cut points, and are in no cell", s.Outside, len(t.Items))
		}
		a.Spaces = append(a.Spaces, SpaceResult{Name: name, Space: s})
	}
	return nil
}

func (a *Analysis) axes(names []string) (axes []chargrid.Axis, err error) {
	for _, name := range names {
		i := slices.IndexFunc(a.Axes, func(x chargrid.Axis) bool { return x.Feature == name })
		if i < 0 {
			return nil, fmt.Errorf("feature %q is not declared", name)
		}
		if len(a.Axes[i].Labels) == 0 {
			return nil, fmt.Errorf("feature %q has no value on any item", name)
		}
		axes = append(axes, a.Axes[i])
	}
	return axes, nil
}

// A Capability compares the subjects' capability over the first space with their success rate over all responses. The
// correlations are over the subjects that have a capability.
type Capability struct {
	Space             string // name of the first space
	Subjects          []SubjectCapability
	Pearson, Spearman float64           // NaN if all capabilities or all success rates are equal
	Interval          chargrid.Interval // interval of Pearson, by Fisher's z over subjects
	UsedCells         int               // number of cells of the space with a response of any subject
}

// A SubjectCapability is one subject's success rate and capability.
type SubjectCapability struct {
	Subject     string
	Responses   int
	SuccessRate float64
	Capability  []*float64 // by space; nil if no cell has a response
	SE          []float64  // standard errors of Capability
	Cells       []int      // by space: number of cells with a response
}

// makeCapability adds the grid of every subject to every space, and compares capability with success rate.
func (a *Analysis) makeCapability(t *table.Table) {
	if len(a.Spaces) == 0 {
		return
	}
	c := &Capability{Space: a.Spaces[0].Name, UsedCells: a.Spaces[0].Grids[0].Used()}
	bounds := t.Bounds()
	var rate, capability []float64
	for s, id := range t.Subjects {
		from, to := bounds[s], bounds[s+1]
		r := SubjectCapability{Subject: id, Responses: to - from, SuccessRate: num.Sum(t.Value[from:to]) / float64(max(to-from, 1))}
		for k := range a.Spaces {
			space := &a.Spaces[k]
			space.add(space.Space.Subject(t, id, from, to), a.Settings.Competence)
			g := &space.Grids[len(space.Grids)-1]
			r.Capability, r.SE, r.Cells = append(r.Capability, g.Capability), append(r.SE, g.SE), append(r.Cells, g.Used())
		}
		if r.Capability[0] != nil {
			rate, capability = append(rate, r.SuccessRate), append(capability, *r.Capability[0])
		}
		c.Subjects = append(c.Subjects, r)
	}
	c.Pearson, c.Spearman = chargrid.Pearson(rate, capability, nil), chargrid.Spearman(rate, capability, nil)
	c.Interval = chargrid.FisherInterval(c.Pearson, float64(len(rate)), a.Settings.Level)
	if !a.hasCapability() {
		return
	}
	a.Capability = c
	if math.IsNaN(c.Pearson) {
		a.warn("capability", "the correlation with success rate is not defined: fewer than two subjects differ")
	}
}
