package figure

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"achilles/render/figure/chart"
	"achilles/scenarios/score"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// replications returns the entries of the figures that compare the responses with what posterior draws predict: with
// replicated responses, and with expected success rates.
func replications(m *Material) (out []Entry) {
	if !replicates(m) {
		return nil
	}
	of := "the layout."
	if averaged(m) {
		of = "the model-averaged candidate set. Shown are held-out responses, with the predictions that are reported."
	}
	caption := fmt.Sprintf("Posterior predictive check: observed proportion of successes at every value of an item feature, with the equal-tailed 90 %% interval over %d replicated data sets. Points outside the interval indicate misfit of %s", m.replicated(), of)
	few := replicable(m)
	out = append(out,
		Entry{Name: "predictive", Title: "Replicated and observed success", Section: SectionPrediction, Caption: caption + cutTo(m, len(few)), Make: func() chart.Figure { return replicated(m, few) }},
		Entry{Name: "items", Title: "Observed and expected success by demands", Section: SectionPrediction, Make: m.itemMap,
			Caption: "Items by their demands: observed proportion of subjects who passed, and the posterior expectation. Demands with many values are binned." + cutTo(m, len(few))})
	for _, p := range subjectIDs(m) {
		out = append(out, Entry{Name: "predictive-" + p.name, Title: "Replicated and observed success of " + p.name, Each: "SUBJECT", Caption: caption, Make: func() chart.Figure { return replicated(m, []string{p.id}) }})
	}
	return out
}

// fromAverage is the number of data sets that are replicated from predictions averaged over a candidate set, which have no draws.
const fromAverage = 1000

// averaged reports whether a candidate set was compared: what is reported is its average by weight, and not the one layout.
func averaged(m *Material) bool { return m.Result != nil && m.Result.Verdicts != nil }

// replicates reports whether there is something to replicate responses from.
func replicates(m *Material) bool {
	return m.Public != nil && success(m) >= 0 && (m.Chances != nil && !averaged(m) || averaged(m) && m.Result.Predictions != nil)
}

// replicated returns the number of data sets that are replicated.
func (m *Material) replicated() int {
	if averaged(m) {
		return fromAverage
	}
	draws, _ := m.Chances.Size()
	return draws
}

// A named is the name of a subject and its opaque id.
type named struct{ name, id string }

// subjectIDs returns the subjects in the order of the profiles.
func subjectIDs(m *Material) (out []named) {
	for _, p := range m.Scores.Profiles {
		if n := len(out); n == 0 || out[n-1].id != p.Subject {
			out = append(out, named{p.Name, p.Subject})
		}
	}
	return out
}

// success returns the index of the first binary measure, which says whether a response is a success. It returns −1 if
// there is none.
func success(m *Material) int {
	return slices.IndexFunc(m.Public.Manifest.Measures, func(x record.Measure) bool { return x.Family == record.Binary })
}

const (
	mostReplicated = 1 << 19 // largest number of responses, about, that a figure replicates from each draw
	mostChances    = 1 << 26 // largest number of chances of all subjects of a figure, 8 bytes each
)

// replicable returns the ids of the first subjects, as many as a figure shows and as it can replicate the responses of, but at least
// one.
func replicable(m *Material) []string {
	n := len(m.Public.Subjects)
	draws, rows := m.replicated(), m.Public.Items.Len()
	if !averaged(m) {
		draws, rows = m.Chances.Size()
	}
	most := min(mostReplicated*n/max(1, m.Public.Responses.Len()), mostChances/max(1, draws*rows))
	return first(m.Public.Subjects)[:min(n, mostSubjects, max(1, most))]
}

// An expectation has the scored responses of one subject, and their probabilities of success.
type expectation struct {
	responses []scored
	draws     [][]float64 // by draw and row of demands: probability of success
}

// A scored is a scored response.
type scored struct {
	item, row int32   // row: of demands
	value     float64 // 0 or 1
}

// expectations returns the expectations of the subjects with the given opaque ids. It leaves out a subject without
// draws, and one whose responses the layout cannot explain.
func expectations(m *Material, ids []string) (out []expectation) {
	measure := success(m)
	if averaged(m) {
		return averages(m, ids)
	}
	for s, id := range m.Public.Subjects {
		if !slices.Contains(ids, id) {
			continue
		}
		draws, err := m.Chances.Of(id)
		var unexplained *score.UnexplainedError
		if err != nil && !errors.As(err, &unexplained) {
			fail(m, err)
		}
		if err != nil || len(draws) == 0 {
			continue
		}
		mine := m.Public.Responses.Of(s)
		e := expectation{draws: draws, responses: make([]scored, 0, len(mine))}
		for _, r := range mine {
			if int(r.Measure) == measure && r.Unscored == 0 {
				e.responses = append(e.responses, scored{r.Item, int32(m.Chances.Row(&r)), r.Value})
			}
		}
		out = append(out, e)
	}
	return out
}

// averages returns the expectations of held-out responses by the predictions of a candidate set, averaged by weight.
func averages(m *Material, ids []string) (out []expectation) {
	measure := success(m)
	name := m.Public.Manifest.Measures[measure].Name
	for list, err := range m.Result.Predictions {
		if err != nil {
			fail(m, err)
			break
		}
		if len(list) == 0 || !slices.Contains(ids, list[0].Subject) {
			continue
		}
		s, _ := slices.BinarySearch(m.Public.Subjects, list[0].Subject)
		var e expectation
		var p []float64
		for _, x := range list {
			item, ok := slices.BinarySearch(m.Public.Items.ID, x.Item)
			if x.Measure != name || !ok {
				continue
			}
			for _, r := range m.Public.Responses.To(s, item) {
				if int(r.Measure) == measure && r.Unscored == 0 && int32(r.Trial) == x.Trial && int32(r.Repetition) == x.Repetition {
					e.responses = append(e.responses, scored{r.Item, int32(len(p)), r.Value})
					p = append(p, x.P)
				}
			}
		}
		if len(p) > 0 {
			e.draws = slices.Repeat([][]float64{p}, fromAverage)
			out = append(out, e)
		}
	}
	return out
}

// mostValues is the largest number of values of a numeric feature that are shown separately. If there are more, values
// are put into bins.
const mostValues = 12

// A levels maps the items to levels of a feature. A level is a value of the feature, or a bin of values.
type levels struct {
	axis chart.Feature
	at   []float64 // by level: place on the axis
	of   []int32   // by item: level; −1 if it has no value
}

// levels yields the levels of every feature that has one of the roles and at least two levels, in the order of the
// roles. It leaves out a text feature with more than mostValues texts.
func (m *Material) levels(roles ...record.Role) iter.Seq[levels] {
	return func(yield func(levels) bool) { eachLevels(m, roles, yield) }
}

func eachLevels(m *Material, roles []record.Role, yield func(levels) bool) {
	items := &m.Public.Items
	for _, role := range roles {
		for k := -1; k < len(items.Columns); k++ { // −1 stands for the paradigm
			c, _ := items.Column("paradigm")
			if k >= 0 {
				c = items.Columns[k]
			}
			if c.Role != role {
				continue
			}
			if k >= 0 {
				c = items.Values(k)
			}
			if l := newLevels(c); len(l.at) > 1 && len(l.axis.Labels) <= mostValues && !yield(l) {
				return
			}
		}
	}
}

func newLevels(c record.Column) levels {
	l := levels{axis: chart.Feature{Name: c.Name}, of: make([]int32, max(len(c.Number), len(c.Text)))}
	has := func(i int) bool { return c.Missing == nil || !c.Missing[i] }
	if c.Number == nil {
		for i, v := range c.Text {
			if has(i) {
				l.axis.Labels = append(l.axis.Labels, v)
			}
		}
		slices.Sort(l.axis.Labels)
		l.axis.Labels = slices.Compact(l.axis.Labels)
		for k := range l.axis.Labels {
			l.at = append(l.at, float64(k))
		}
		for i, v := range c.Text {
			k, _ := slices.BinarySearch(l.axis.Labels, v)
			if l.of[i] = int32(k); !has(i) {
				l.of[i] = -1
			}
		}
		return l
	}
	var values []float64
	for i, v := range c.Number {
		if has(i) {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	upper := upperEnds(values)
	sum, n := make([]float64, len(upper)), make([]float64, len(upper))
	for i, v := range c.Number {
		if !has(i) {
			l.of[i] = -1
			continue
		}
		k, _ := slices.BinarySearch(upper, v)
		l.of[i] = int32(k)
		sum[k] += v
		n[k]++
	}
	for k := range upper {
		l.at = append(l.at, sum[k]/n[k])
	}
	return l
}

// upperEnds returns the upper ends of bins of sorted values. If there are at most mostValues distinct values, each is a
// bin. Otherwise, there are at most mostValues bins with about equal numbers of values.
func upperEnds(sorted []float64) []float64 {
	distinct := slices.Compact(slices.Clone(sorted))
	if len(distinct) <= mostValues {
		return distinct
	}
	var ends []float64
	for k := 1; k <= mostValues; k++ {
		ends = append(ends, sorted[(len(sorted)*k+mostValues-1)/mostValues-1])
	}
	return slices.Compact(ends)
}

// replicated draws the success rates of the subjects with the given opaque ids, beside the success rates of replicated
// responses.
func replicated(m *Material, ids []string) chart.Figure { return chart.Replicated(panelsOf(m, ids)) }

func panelsOf(m *Material, ids []string) (panels []chart.ReplicatedPanel) {
	subjects := expectations(m, ids)
	for l := range m.levels(record.Demand, record.Nuisance, record.Condition) {
		if p := replicatedOf(l, subjects, ids); len(p.Rates) > 0 {
			panels = append(panels, p)
		}
	}
	return panels
}

func replicatedOf(l levels, subjects []expectation, ids []string) chart.ReplicatedPanel {
	return replicatedPanel(l, subjects, rng.Stream(0, append([]string{"figure", "replicated", l.axis.Name}, ids...)...))
}

// replicatedPanel returns a panel of observed and replicated success rates. For every draw, it replicates all
// responses. Subjects are independent given the layout, so that any of their draws can be combined. If a subject has
// fewer draws than another, its draws are used again.
func replicatedPanel(l levels, subjects []expectation, random rng.Rand) chart.ReplicatedPanel {
	draws := 0
	for _, s := range subjects {
		draws = max(draws, len(s.draws))
	}
	n, passed := make([]float64, len(l.at)), make([]float64, len(l.at))
	rates := make([][]float64, len(l.at)) // by level: replicated rates
	for d := -1; d < draws; d++ {         // −1 stands for the observed responses
		count := make([]float64, len(l.at))
		for _, s := range subjects {
			var chances []float64
			if d >= 0 {
				chances = s.draws[d%len(s.draws)]
			}
			for _, r := range s.responses {
				k := l.of[r.item]
				switch {
				case k < 0:
				case d < 0:
					n[k]++
					passed[k] += r.value
				case random.Bernoulli(chances[r.row]):
					count[k]++
				}
			}
		}
		for k := range rates {
			if d >= 0 && n[k] > 0 {
				rates[k] = append(rates[k], count[k]/n[k])
			}
		}
	}
	out := chart.ReplicatedPanel{Feature: l.axis}
	for k, x := range rates {
		if len(x) == 0 {
			continue
		}
		slices.Sort(x)
		out.Rates = append(out.Rates, chart.ReplicatedRate{X: l.at[k], Observed: passed[k] / n[k], Mean: num.Mean(x), Low: num.SortedQuantile(x, 0.05), High: num.SortedQuantile(x, 0.95)})
	}
	return out
}

// An itemRate has the number of responses to an item, the number of successes, and the expected number of successes.
type itemRate struct{ n, passed, expected float64 }

// itemMap draws the success rates of all items, by their demands.
func (m *Material) itemMap() chart.Figure {
	items := make([]itemRate, m.Public.Items.Len())
	for _, s := range expectations(m, replicable(m)) {
		mean := make([]float64, len(s.draws[0]))
		for _, chances := range s.draws {
			for row, p := range chances {
				mean[row] += p / float64(len(s.draws))
			}
		}
		for _, r := range s.responses {
			i := &items[r.item]
			i.n, i.passed, i.expected = i.n+1, i.passed+r.value, i.expected+mean[r.row]
		}
	}
	var panels []chart.ItemPanel
	for l := range m.levels(record.Demand) {
		p := chart.ItemPanel{Feature: l.axis, Observed: grouped(l, items, func(i *itemRate) float64 { return i.passed }), Predicted: grouped(l, items, func(i *itemRate) float64 { return i.expected })}
		if len(p.Observed) > 0 {
			panels = append(panels, p)
		}
	}
	return chart.ItemMap(panels)
}

// rateSteps is the number of steps between a success rate of 0 and one of 1. An item map rounds rates to these steps.
const rateSteps = 20

// grouped returns groups of items with the same level and the same rounded rate. sum returns the number of successes of
// an item, either the observed or the expected one.
func grouped(l levels, items []itemRate, sum func(*itemRate) float64) (out []chart.ItemGroup) {
	count := make([][rateSteps + 1]int, len(l.at))
	for i := range items {
		if k := l.of[i]; k >= 0 && items[i].n > 0 {
			count[k][int(rateSteps*sum(&items[i])/items[i].n+0.5)]++
		}
	}
	for k := range count {
		for step, n := range count[k] {
			if n > 0 {
				out = append(out, chart.ItemGroup{X: l.at[k], Rate: float64(step) / rateSteps, Items: n})
			}
		}
	}
	return out
}
