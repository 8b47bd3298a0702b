package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"achilles/infer"
	"achilles/infer/layout"
	"achilles/scenarios/seal"
	"achilles/sim/record"
	"achilles/sim/store"
)

func exportArvizCommand(a *app) *cobra.Command {
	var ref, as string
	var thin int
	c := &cobra.Command{
		Use:   "arviz DIR --out FOLDER",
		Short: "Write posterior draws, log likelihoods and data for ArviZ",
		Long: `Export arviz writes a Zarr folder that ArviZ 1 opens as a DataTree (arviz.from_zarr; az.summary, az.loo): posterior,
sample_stats, log_likelihood, posterior_predictive, observed_data and constant_data. Parameters of items have the dimension item, the
parts of vectors (ability[lava]) the dimension part. Responses have the
dimension response, or response_MEASURE if there are several measures; constant_data has the subject and item of each, and the
features of items.

Log likelihoods and drawn responses are of every K-th draw (--thin), by default as few as make at most 16 million numbers.

ArviZ 1.3 has no az.loo where the likelihood of a response is the same in every draw, as of the first choice in a block. Leave such out:

  ll = tree["log_likelihood"]["success"]
  tree["log_likelihood"] = tree["log_likelihood"].isel(response=(ll.max(["chain", "draw"]) - ll.min(["chain", "draw"]) > 1e-9).values)`,
		Example: `  achilles export arviz results/quickstart --out quickstart.zarr`,
		Args:    cobra.ExactArgs(1),
	}
	c.Flags().StringVar(&ref, "layout", "", "the layout of the result, if it is not a shipped one")
	asFlag(c, &as)
	c.Flags().IntVar(&thin, "thin", 0, "keep the log likelihoods of every K-th draw (default: see above)")
	return a.writes(c, "folder", "", func(_ context.Context, args []string, to destination) error {
		if thin < 0 {
			return usagef("--thin must be at least 1")
		}
		d, err := openChecked(args[0])
		if err != nil {
			return err
		}
		defer d.Close()
		public, err := d.Public()
		if err != nil {
			return err
		}
		res, err := resultOf(d, as)
		if err != nil {
			return err
		}
		if res.Draws == nil {
			return fmt.Errorf("%s has no posterior draws", d.Path(seal.InferredPart))
		}
		place := seal.InferredPart
		if as != "" {
			place = placeOf(as)
		}
		_, inferred, err := d.Part(place)
		if err != nil {
			return err
		}
		l, err := layoutOfResult(a, res, ref, d)
		if err != nil {
			return err
		}
		data, err := record.Read(public)
		if err != nil {
			return err
		}
		w, err := store.Begin(to.out, to.force)
		if err != nil {
			return err
		}
		defer w.Abort()
		e := &arviz{zarr: zarr{out: w}, data: data, res: res, inferred: inferred}
		if err := e.draws(); err != nil {
			return err
		}
		if err := e.units(); err != nil {
			return err
		}
		e.items()
		switch err := e.responses(public, l, thin); {
		case errors.Is(err, infer.ErrTogether):
			a.note("no log_likelihood and no posterior_predictive: %v; achilles infer --force keeps them", err)
		case err != nil:
			return err
		}
		e.root(map[string]any{"creation_library": "achilles " + release, "inference_library": "achilles", "layout": l.Name, "engine": string(res.Settings.Engine)})
		if e.err != nil {
			return e.err
		}
		if err := w.Commit(); err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "%d files in %s\n", e.files, to.out)
		if infer.Approximate(res.Diagnostics.Fits) > 0 {
			a.note("draws are of a normal approximation, so that az.loo and az.compare are not of the posterior")
		}
		if e.still > 0 {
			a.note("the likelihood of %d of the responses is the same in every draw, which az.loo refuses; leave them out as achilles export arviz --help says", e.still)
		}
		if e.step > 1 {
			a.note("log_likelihood and posterior_predictive have only the draws whose number is divisible by %d (--thin)", e.step)
		}
		return nil
	})
}

// mostReplicated is the largest number of log likelihoods that are written unless more are asked for.
const mostReplicated = 1 << 24

// An arviz writes the groups of an inference for ArviZ.
type arviz struct {
	zarr
	data     *record.Dataset
	res      *infer.Result
	inferred fs.FS

	subjects         []string // those with draws
	chains, perChain int      // number of chains, and of draws of each
	kept             int      // draws from one of the posterior to the next: 1 unless draws of items were left out
	step             int
	still            int // number of responses with one likelihood in every draw

	vector vector
	parts  map[string][]string // dimension of vectors → names of the parts
}

// indices writes the coordinate 0, step, 2·step … of a dimension.
func (e *arviz) indices(group, dim string, n, step int) {
	list := make([]int64, (n+step-1)/step)
	for i := range list {
		list[i] = int64(i * step)
	}
	e.array(group+"/"+dim, []string{dim}, []int{len(list)}, false, list)
}

// draws writes the posterior and what is known of how it was sampled.
func (e *arviz) draws() error {
	parameters := e.res.Draws.Parameters()
	values := make([][][]float64, len(parameters)) // by parameter and subject
	for of, err := range e.res.Draws.All() {
		if err != nil {
			return err
		}
		chains := int(of.Chain[len(of.Chain)-1]) + 1
		per := len(of.Chain) / chains
		if e.chains == 0 {
			e.chains, e.perChain = chains, per
		}
		if chains != e.chains || per != e.perChain || per*chains != len(of.Chain) {
			return fmt.Errorf("%s has %d chains and %d draws, %s %d and %d: one array needs equal numbers", e.subjects[0], e.chains, e.perChain*e.chains, of.Subject, chains, len(of.Chain))
		}
		e.subjects = append(e.subjects, of.Subject)
		for k := range parameters {
			values[k] = append(values[k], of.Values[k])
		}
	}
	e.kept = 1
	if d := e.res.UnitDraws; d != nil && len(d.Draws()) > 1 {
		e.kept = int(d.Draws()[1])
	}
	dims, shape := []string{"chain", "draw", "subject"}, []int{e.chains, (e.perChain + e.kept - 1) / e.kept, len(e.subjects)}
	e.group("posterior", map[string]any{})
	e.coordinates("posterior", e.kept)
	e.array("posterior/subject", dims[2:], shape[2:], false, e.subjects)
	for k, name := range parameters {
		all := make([]float64, 0, shape[0]*shape[1]*shape[2])
		for i := range e.chains * e.perChain {
			if i%e.perChain%e.kept != 0 {
				continue
			}
			for s := range e.subjects {
				all = append(all, values[k][s][i])
			}
		}
		e.variable(name, dims, shape, all)
	}
	shape[1] = e.perChain
	diverging, anybody := make([]bool, shape[0]*shape[1]*shape[2]), make([]bool, shape[0]*shape[1])
	at := map[string]int{}
	for s, id := range e.subjects {
		at[id] = s
	}
	for _, f := range e.res.Diagnostics.Fits {
		s, one := at[f.Subject]
		if f.Rows != infer.AllRows {
			continue
		}
		for c, list := range f.Divergent {
			for _, i := range list {
				anybody[c*e.perChain+i] = true
				if one {
					diverging[(c*e.perChain+i)*len(e.subjects)+s] = true
				}
			}
		}
	}
	e.group("sample_stats", map[string]any{})
	e.coordinates("sample_stats", 1)
	e.array("sample_stats/subject", dims[2:], shape[2:], false, e.subjects)
	e.array("sample_stats/diverging", dims[:2], shape[:2], false, anybody) // of any subject
	e.array("sample_stats/diverging_of_subject", dims, shape, false, diverging)
	return e.sampler(at, dims, shape)
}

// sampler writes how NUTS came to each draw: of all subjects together, as ArviZ's plots and checks want it, and of each, whose index is at, where each had
// chains of its own. Their log densities and energies then add up, since their posteriors are independent; the deepest tree and the smallest step stand for
// all. What other engines drew has NaN, and where they drew everything there is nothing to write.
func (e *arviz) sampler(at map[string]int, dims []string, shape []int) error {
	rows, err := e.res.Sampler(e.inferred)
	if err != nil || len(rows) == 0 {
		return err
	}
	many := rows[0].Subject != infer.Everybody
	n := e.chains * e.perChain
	add := func(x, y float64) float64 { return x + y }
	for _, x := range []struct {
		name string
		of   func(s *infer.Sampled) float64
		both func(x, y float64) float64
	}{
		{"lp", func(s *infer.Sampled) float64 { return s.LP }, add},
		{"energy", func(s *infer.Sampled) float64 { return s.Energy }, add},
		{"tree_depth", func(s *infer.Sampled) float64 { return float64(s.Depth) }, math.Max},
		{"step_size", func(s *infer.Sampled) float64 { return s.Step }, math.Min},
	} {
		all, each := slices.Repeat([]float64{math.NaN()}, n), slices.Repeat([]float64{math.NaN()}, n*len(e.subjects))
		for i := range rows {
			k, v := int(rows[i].Chain)*e.perChain+int(rows[i].Draw), x.of(&rows[i])
			if many {
				s, ok := at[rows[i].Subject]
				if !ok {
					continue
				}
				each[k*len(e.subjects)+s] = v
			}
			if all[k] = x.both(all[k], v); math.IsNaN(all[k]) {
				all[k] = v
			}
		}
		e.array("sample_stats/"+x.name, dims[:2], shape[:2], false, all)
		if many {
			e.array("sample_stats/"+x.name+"_of_subject", dims, shape, false, each)
		}
	}
	return nil
}

func (e *arviz) coordinates(group string, step int) {
	e.indices(group, "chain", e.chains, 1)
	e.indices(group, "draw", e.perChain, step)
}

// items writes what is known of the items.
func (e *arviz) items() {
	it := &e.data.Items
	e.group("constant_data", map[string]any{})
	e.array("constant_data/item", []string{"item"}, []int{it.Len()}, false, it.ID)
	for k := range it.Columns {
		c := it.Values(k)
		name := "constant_data/" + safeName(c.Name)
		if c.Kind == record.Text {
			e.array(name, []string{"item"}, []int{it.Len()}, false, c.Text)
			continue
		}
		values := append([]float64{}, c.Number...)
		for i := range c.Missing {
			if c.Missing[i] {
				values[i] = math.NaN()
			}
		}
		e.array(name, []string{"item"}, []int{it.Len()}, false, values)
	}
}

// safeName returns a name that is one folder.
func safeName(name string) string {
	name = strings.NewReplacer("/", "_", "\\", "_").Replace(name)
	if strings.HasPrefix(name, ".") || name == "c" || name == "item" || name == "part" || name == "zarr.json" {
		return "_" + name
	}
	return name
}

// responses writes the data, and for each response its log likelihoods and those that were drawn in its place.
func (e *arviz) responses(public fs.FS, l *layout.Layout, thin int) error {
	n := e.data.Responses.Len()
	if e.step = thin; thin == 0 {
		e.step = max(1, (n*e.chains*e.perChain+mostReplicated-1)/mostReplicated)
	}
	e.step = (e.step + e.kept - 1) / e.kept * e.kept
	var names []string
	parts := map[string][]*infer.Replicated{}
	if l.Joint() && e.res.UnitDraws == nil && len(e.res.Units) > 0 { // no more than what was observed
		e.observed(l)
		return infer.ErrTogether
	}
	for r, err := range infer.Replicate(public, e.res, l, e.step) {
		if err != nil {
			return err
		}
		if parts[r.Measure] == nil {
			names = append(names, r.Measure)
		}
		parts[r.Measure] = append(parts[r.Measure], r)
	}
	e.group("observed_data", map[string]any{})
	for _, g := range []string{"log_likelihood", "posterior_predictive"} {
		e.group(g, map[string]any{})
		e.coordinates(g, e.step)
	}
	per := (e.perChain + e.step - 1) / e.step
	for _, name := range names {
		dim := "response"
		if len(names) > 1 {
			dim += "_" + safeName(name)
		}
		var subject, item []string
		var value, trial, repetition []float64
		for _, p := range parts[name] {
			for _, x := range p.Responses {
				subject, item = append(subject, p.Subject), append(item, e.data.Items.ID[x.Item])
				value, trial, repetition = append(value, x.Value), append(trial, float64(x.Trial)), append(repetition, float64(x.Repetition))
			}
		}
		e.describe(dim, subject, item, trial, repetition)
		e.array("observed_data/"+safeName(name), []string{dim}, []int{len(value)}, false, value)
		ll, drawn := make([]float64, 0, e.chains*per*len(value)), make([]float64, 0, e.chains*per*len(value))
		for i := range e.chains * per {
			for _, p := range parts[name] {
				ll, drawn = append(ll, p.LogLik[i]...), append(drawn, p.Drawn[i]...)
			}
		}
		for k := range value {
			low, high := ll[k], ll[k]
			for i := k; i < len(ll); i += len(value) {
				low, high = min(low, ll[i]), max(high, ll[i])
			}
			if high-low < 1e-9 { // what rounding makes of equal ones
				e.still++
			}
		}
		dims, shape := []string{"chain", "draw", dim}, []int{e.chains, per, len(value)}
		e.array("log_likelihood/"+safeName(name), dims, shape, true, ll)
		e.array("posterior_predictive/"+safeName(name), dims, shape, true, drawn)
	}
	return nil
}

// describe says whose the responses of a dimension are.
func (e *arviz) describe(dim string, subject, item []string, trial, repetition []float64) {
	for name, values := range map[string]any{"subject": subject, "item": item, "trial": trial, "repetition": repetition} {
		e.array("constant_data/"+dim+"_"+name, []string{dim}, []int{len(subject)}, false, values)
	}
}

// observed writes the responses of the layout's measures.
func (e *arviz) observed(l *layout.Layout) {
	e.group("observed_data", map[string]any{})
	for _, r := range l.Responses {
		dim := "response"
		if len(l.Responses) > 1 {
			dim += "_" + safeName(r.Measure)
		}
		var subject, item []string
		var value, trial, repetition []float64
		for _, x := range e.data.Responses.All() {
			if x.Unscored == 0 && e.data.Manifest.Measures[x.Measure].Name == r.Measure {
				subject, item = append(subject, e.data.Subjects[x.Subject]), append(item, e.data.Items.ID[x.Item])
				value, trial, repetition = append(value, x.Value), append(trial, float64(x.Trial)), append(repetition, float64(x.Repetition))
			}
		}
		e.describe(dim, subject, item, trial, repetition)
		e.array("observed_data/"+safeName(r.Measure), []string{dim}, []int{len(value)}, false, value)
	}
}
