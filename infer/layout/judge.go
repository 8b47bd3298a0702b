package layout

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"achilles/sim/conf"
	"achilles/sim/expr"
	"achilles/sim/num"
	"achilles/sim/record"
)

// A Judge says how the values of a metafeature err. The items have labels, which somebody gave them; responses depend on the true value.
type Judge struct {
	SD        float64     // SD of a label around the true value; 0: see Confusion
	Values    []float64   // the true values that there are, ascending; nil: any number in the range
	Confusion [][]float64 // true value → label → probability of the label; nil: see SD
	// Truth is the distribution of the true values over items: a probability for each of Values, or the mean and SD of a normal
	// distribution. If it is nil, that of probabilities is the one that makes the labels most likely, and the normal one has the mean
	// of the labels and their variance less that of the judge.
	Truth []float64
	at    conf.Place
}

// judgeNodes is the number of nodes at which the posterior of a true value that can be any number is evaluated, and judgeReach how many
// standard deviations of it they reach to either side. The trapezoid rule is then exact to 1e-5 (Trefethen and Weideman 2014), and to 1e-3 at
// an end of the range.
const (
	judgeNodes = 15
	judgeReach = 4.5
)

func (m *Metafeature) readJudge(section *conf.Table, of *columnsOf) {
	if !section.Has("judge") {
		return
	}
	t, j := section.Table("judge"), &Judge{at: section.Place("judge")}
	if of != ofItems || m.Levels != nil || record.IsHistory(m.Column) {
		section.Reportf("judge", "only a number that each item has can be a judge's label")
		return
	}
	hasSD, confusion := t.Has("sd"), t.Has("confusion")
	if hasSD == confusion {
		t.Reportf("sd", "a judge has either sd, how far labels are from true values, or confusion, a row for each true value with the probability of each label")
	}
	if hasSD {
		j.SD = t.Number("sd", 1, "a number above 0", func(x float64) bool { return x > 0 })
	}
	if t.Has("values") || confusion {
		j.Values = m.readTrueValues(t)
	}
	k := len(j.Values)
	switch {
	case t.Has("truth") && j.Values != nil:
		j.Truth = t.Numbers("truth", fmt.Sprintf("%d probabilities, one for each true value, whose sum is 1", k), func(x []float64) bool { return len(x) == k && distribution(x) })
	case t.Has("truth"):
		j.Truth = t.Numbers("truth", "two numbers, the mean and SD of the true values", func(x []float64) bool { return len(x) == 2 && x[1] > 0 })
	}
	switch {
	case confusion:
		j.Confusion = readConfusion(t, k)
	case j.Values != nil:
		j.Confusion = nearest(j.Values, j.SD)
	}
	m.Judge = j
}

// readTrueValues reads the values that a judge may give: without the key, the whole numbers of the range.
func (m *Metafeature) readTrueValues(t *conf.Table) []float64 {
	if t.Has("values") {
		return t.Numbers("values", "at least two numbers in the range, ascending", func(x []float64) bool {
			ok := len(x) > 1 && len(x) <= mostStates && x[0] >= m.Range[0] && x[len(x)-1] <= m.Range[1]
			for i := range x {
				ok = ok && (i == 0 || x[i] > x[i-1])
			}
			return ok
		})
	}
	n := m.Range[1] - m.Range[0]
	if m.Range[0] != math.Trunc(m.Range[0]) || n != math.Trunc(n) || n < 1 || n >= mostStates {
		t.Missing("values", "the possible true values; they are known only where the range goes from one whole number to another")
		return nil
	}
	var out []float64
	for x := m.Range[0]; x <= m.Range[1]; x++ {
		out = append(out, x)
	}
	return out
}

func readConfusion(t *conf.Table, k int) [][]float64 {
	want := fmt.Sprintf("%d lists, one for each true value, each with the probabilities of the %d labels, whose sum is 1", k, k)
	rows, ok := t.Value("confusion").([]any)
	ok = ok && len(rows) == k
	var out [][]float64
	for _, row := range rows {
		list, is := row.([]any)
		ok = ok && is && len(list) == k
		var p []float64
		for _, v := range list {
			x, finite := conf.Finite(v)
			ok, p = ok && finite, append(p, x)
		}
		ok, out = ok && distribution(p), append(out, p)
	}
	if !ok {
		t.Wrong("confusion", want)
	}
	return out
}

// distribution reports whether numbers are probabilities with the sum 1, and makes this sum exact if it was rounded.
func distribution(p []float64) bool {
	sum := 0.0
	for _, x := range p {
		if !(x >= 0) {
			return false
		}
		sum += x
	}
	if math.Abs(sum-1) > 0.005 {
		return false
	}
	for i := range p {
		p[i] /= sum
	}
	return true
}

// nearest returns the confusion of a judge who errs by a normal distribution around the true value, and names the nearest one.
func nearest(values []float64, sd float64) [][]float64 {
	out := make([][]float64, len(values))
	for t, truth := range values {
		below := 0.0
		for l := range values {
			upTo := 1.0
			if l+1 < len(values) {
				upTo = num.NormalCDF(((values[l]+values[l+1])/2 - truth) / sd)
			}
			out[t] = append(out[t], upTo-below)
			below = upTo
		}
	}
	return out
}

// A truth has a state of the true value of a metafeature in each row: the value, and its probability given the row's label.
type truth struct{ value, weight []float64 }

// truths returns the states of the true value of every metafeature with a judge, in rows that are items. It returns an error for a label
// that no judge gives.
func (l *Layout) truths(labels map[string]expr.Column, ids []string) (map[string][]truth, error) {
	out := map[string][]truth{}
	for i := range l.Metafeatures {
		m := &l.Metafeatures[i]
		if m.Judge == nil {
			continue
		}
		of, err := m.Judge.truths(m, labels[m.Name].Number, ids)
		if err != nil {
			return nil, err
		}
		out[m.Name] = of
	}
	return out, nil
}

// KnownFrom returns the layout in which the true values have the distribution that they have in these items, for other items of the
// same judges. It returns an error as Bind does.
func (l *Layout) KnownFrom(items *record.Items) (*Layout, error) {
	columns, err := l.metafeatures(items)
	if err != nil {
		return nil, err
	}
	out := *l
	out.Metafeatures = slices.Clone(l.Metafeatures)
	for i := range out.Metafeatures {
		m := &out.Metafeatures[i]
		if m.Judge == nil {
			continue
		}
		judge := *m.Judge
		if judge.Truth, err = judge.distribution(m, columns[m.Name].Number, items.ID); err != nil {
			return nil, err
		}
		m.Judge = &judge
	}
	return &out, nil
}

// distribution returns that of the true values: a probability for each of Values, or the mean and SD of a normal one.
func (j *Judge) distribution(m *Metafeature, labels []float64, ids []string) ([]float64, error) {
	if j.Truth != nil {
		return j.Truth, nil
	}
	if j.Values == nil {
		return j.normalDistribution(m, labels)
	}
	at, err := j.labelled(m, labels, ids)
	if err != nil {
		return nil, err
	}
	counts := make([]float64, len(j.Values))
	for _, k := range at {
		counts[k]++
	}
	return mostLikely(j.Confusion, counts), nil
}

// labelled returns the index among Values of each label.
func (j *Judge) labelled(m *Metafeature, labels []float64, ids []string) ([]int, error) {
	at := make([]int, len(labels))
	for i, x := range labels {
		if at[i] = slices.Index(j.Values, x); at[i] < 0 {
			return nil, j.at.Errorf("item %s has %s = %g, which is not among the values %s of the judge", ids[i], m.Column, x, strings.Trim(fmt.Sprint(j.Values), "[]"))
		}
	}
	return at, nil
}

// truths returns the states of the true value of m in each item.
func (j *Judge) truths(m *Metafeature, labels []float64, ids []string) ([]truth, error) {
	prior, err := j.distribution(m, labels, ids)
	if err != nil {
		return nil, err
	}
	if j.Values == nil {
		return j.normalTruths(m, labels, prior[0], float64(prior[1]*prior[1])), nil
	}
	at, err := j.labelled(m, labels, ids)
	if err != nil {
		return nil, err
	}
	out := make([]truth, len(j.Values))
	for t, v := range j.Values {
		out[t] = truth{slices.Repeat([]float64{v}, len(labels)), make([]float64, len(labels))}
	}
	for i, label := range at {
		sum := 0.0
		for t := range out {
			sum += float64(prior[t] * j.Confusion[t][label])
		}
		if !(sum > 0) {
			return nil, j.at.Errorf("item %s has %s = %g, a label that this judge gives to none of the true values", ids[i], m.Column, labels[i])
		}
		for t := range out {
			out[t].weight[i] = float64(prior[t]*j.Confusion[t][label]) / sum
		}
	}
	return out, nil
}

// Labels says how far the labels of a judge are to be believed, over the items.
type Labels struct {
	Metafeature string   `json:"metafeature"`
	Wrong       *float64 `json:"wrong,omitempty"` // expected share of wrong labels; nil where a true value can be any number
	Reliability float64  `json:"reliability"`     // share of the variance of true values that is known from their labels
}

// Labels returns one Labels for each metafeature with a judge, in the order of the layout.
func (d *Design) Labels() []Labels { return d.labels }

// believed returns the Labels of a metafeature whose items have these labels.
func (m *Metafeature) believed(labels []float64, of []truth) Labels {
	out := Labels{Metafeature: m.Name}
	n := float64(len(labels))
	wrong, mean, within, squares := 0.0, 0.0, 0.0, 0.0
	for i, label := range labels {
		own, square := 0.0, 0.0
		for _, t := range of {
			own += float64(t.weight[i] * t.value[i])
			square += float64(t.weight[i] * float64(t.value[i]*t.value[i]))
			if t.value[i] != label {
				wrong += t.weight[i] / n
			}
		}
		mean, squares, within = mean+own/n, squares+square/n, within+(square-float64(own*own))/n
	}
	if m.Judge.Values != nil {
		out.Wrong = &wrong
	}
	if all := squares - float64(mean*mean); all > 0 {
		out.Reliability = 1 - within/all
	}
	return out
}

// mostLikelySteps is the number of steps of mostLikely. Each makes the labels more likely.
const mostLikelySteps = 1000

// mostLikely returns the distribution of true values under which labels with these counts are most likely, by steps of
// expectation-maximisation from the uniform one (Dempster, Laird and Rubin 1977). A label that no true value gets counts for none.
func mostLikely(confusion [][]float64, counts []float64) []float64 {
	n := len(counts)
	prior := slices.Repeat([]float64{1 / float64(n)}, n)
	next := make([]float64, n)
	for range mostLikelySteps {
		clear(next)
		total := 0.0
		for label, c := range counts {
			sum := 0.0
			for t, p := range prior {
				sum += float64(p * confusion[t][label])
			}
			if c == 0 || sum == 0 {
				continue
			}
			total += c
			for t, p := range prior {
				next[t] += float64(c*float64(p*confusion[t][label])) / sum
			}
		}
		if total == 0 {
			break
		}
		for t := range next {
			prior[t] = next[t] / total
		}
	}
	return prior
}

// normalDistribution returns the mean of the labels, and the SD that is left of theirs without the judge's.
func (j *Judge) normalDistribution(m *Metafeature, labels []float64) ([]float64, error) {
	mean, variance := 0.0, 0.0
	for _, x := range labels {
		mean += x / float64(len(labels))
	}
	for _, x := range labels {
		variance += float64((x-mean)*(x-mean)) / float64(len(labels))
	}
	if spread := math.Sqrt(variance); spread <= j.SD {
		return nil, j.at.Errorf("the labels of %s have SD %.3g, no more than the judge's %g, so that they say nothing about the items: declare truth = [mean, SD] of the true values if they differ all the same", m.Column, spread, j.SD)
	}
	return []float64{mean, math.Sqrt(variance - float64(j.SD*j.SD))}, nil
}

// normalTruths returns the states of a true value that can be any number in the range: normal over the items with this mean and variance, as
// the label is around it.
func (j *Judge) normalTruths(m *Metafeature, labels []float64, mean, variance float64) []truth {
	share := variance / (variance + float64(j.SD*j.SD))
	sd := j.SD * math.Sqrt(share)
	out := make([]truth, judgeNodes)
	for k := range out {
		out[k] = truth{make([]float64, len(labels)), make([]float64, len(labels))}
	}
	for i, x := range labels {
		centre := mean + float64(share*(x-mean))
		lo, hi := max(m.Range[0], centre-float64(judgeReach*sd)), min(m.Range[1], centre+float64(judgeReach*sd))
		sum := 0.0
		for k := range out {
			v := lo + float64((hi-lo)*float64(k))/(judgeNodes-1)
			if hi < lo { // the whole distribution is beyond an end of the range
				v = min(max(centre, m.Range[0]), m.Range[1])
			}
			z := (v - centre) / sd
			w := num.Exp(-0.5 * float64(z*z))
			if k == 0 || k == judgeNodes-1 {
				w /= 2
			}
			out[k].value[i], out[k].weight[i] = v, w
			sum += w
		}
		for k := range out {
			if out[k].weight[i] /= sum; !(sum > 0) {
				out[k].weight[i] = 1.0 / judgeNodes
			}
		}
	}
	return out
}

// checkJudges returns an error if the labels of a judge are used where the true values cannot be summed over exactly: subjects that are
// measured together share the true value of an item, and so do several responses of one subject.
func (c *checker) checkJudges() error {
	judged := slices.IndexFunc(c.Metafeatures, func(m Metafeature) bool { return m.Judge != nil })
	if judged < 0 {
		return nil
	}
	m := &c.Metafeatures[judged]
	if err := c.CheckSeparate(); err != nil {
		return m.Judge.at.Errorf("%s has a judge, which is for subjects that are measured one by one: here all share the true value of an item (%v). Infer it instead, as [item] with a prior around the label", m.Name, err)
	}
	var first *ResponseModel
	for i := range c.Responses {
		r := &c.Responses[i]
		uses := false
		for _, n := range r.nodes {
			uses = uses || len(c.judgedIn(n)) > 0
		}
		switch {
		case !uses:
		case r.Family != Bernoulli:
			return r.places[0].Errorf("%s is %s and depends on %s, which has a judge: only the probability of a binary response is averaged over true values", r.Measure, r.Family, m.Name)
		case first != nil:
			return r.places[0].Errorf("%s and %s both depend on labels of a judge, and an item has one true value for both: keep one of them", first.Measure, r.Measure)
		default:
			first = r
		}
	}
	return nil
}

// String describes the judge in a few words.
func (j *Judge) String() string {
	if j.SD > 0 {
		return "judged with SD " + number(j.SD)
	}
	right := 0.0
	for t, row := range j.Confusion {
		right += row[t] / float64(len(j.Confusion))
	}
	return fmt.Sprintf("judged with a confusion of %d levels, %.0f %% right on average", len(j.Values), 100*right)
}
