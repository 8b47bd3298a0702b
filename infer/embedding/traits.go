package embedding

import (
	"context"
	"fmt"
	"math"
	"slices"

	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/num"
)

// toMeasure is the largest number of starts of Measure: they differ by a small part of the intervals of what is averaged over all items.
const toMeasure = 3

// Measure fits the model, from at most toMeasure starts, and returns its traits.
func (o Predictor) Measure(ctx context.Context, t *table.Table, level float64, root uint64) (predict.Traits, error) {
	o.Starts = min(o.Starts, toMeasure)
	m, err := o.fit(ctx, t, nil, root)
	if err != nil {
		return predict.Traits{}, err
	}
	out := m.Traits(level)
	out.Tried = m.tried
	subsets, missing := t.Select(o.Subsets)
	if missing != "" {
		return predict.Traits{}, fmt.Errorf("embedding: subset %q is not a feature of the table", missing)
	}
	for _, f := range subsets {
		if f.Nominal() {
			return predict.Traits{}, fmt.Errorf("embedding: subset %q has labels: it must be above 0 on the items of the subset, and 0 elsewhere", f.Name)
		}
		known, weight := m.known(), make([]float64, len(t.Items))
		for j := range weight {
			if v, ok := f.At(j); ok && v > 0 {
				weight[j] = known[j]
			}
		}
		out.Subsets = append(out.Subsets, m.on(weight, out.Mask, level))
	}
	return out, nil
}

// on returns the subjects' abilities on the items with the given weights: expected success rates, but of a published Camilla Σ σ(A) times
// how much these items need each skill (Eq. 13 and 14 of the paper).
func (m *Model) on(weight []float64, mask [][]float64, level float64) (out []predict.Ability) {
	if _, ok := m.plan.link.(dot); ok && !m.published {
		return m.expected([][]float64{weight}, level)[0]
	}
	if !m.published || m.kind != Camilla {
		return m.predicted([][]float64{weight})[0]
	}
	all := 0.0
	need := make([]float64, len(mask[0]))
	for j, w := range weight {
		all += w
		num.AddTo(need, w, mask[j])
	}
	for s := range m.t.Subjects {
		sum := 0.0
		for k, a := range m.fits[0].subject(int32(s)) {
			sum += float64(need[k] * num.Logistic(a))
		}
		out = append(out, predict.Ability{Value: sum / all, Low: math.NaN(), High: math.NaN()})
	}
	return out
}

// predicted returns, for each of several weights of the items, every subject's mean prediction, without an interval.
func (m *Model) predicted(weights [][]float64) [][]predict.Ability {
	out := make([][]predict.Ability, len(weights))
	items := make([]int32, len(m.t.Items))
	for j := range items {
		items[j] = int32(j)
	}
	p := make([]float64, len(items))
	for s := range m.t.Subjects {
		m.predict(slices.Repeat([]int32{int32(s)}, len(items)), items, p)
		for k, w := range weights {
			sum, all := 0.0, 0.0
			for j, q := range p {
				sum += float64(w[j] * q)
				all += w[j]
			}
			out[k] = append(out[k], predict.Ability{Value: sum / all, Low: math.NaN(), High: math.NaN()}) // NaN of no items
		}
	}
	return out
}

// sigmoids returns σ of the parameters of every subject, by dimension: what the released code takes for the ability of a skill.
func (m *Model) sigmoids(dimensions int) [][]predict.Ability {
	out := make([][]predict.Ability, dimensions)
	for s := range m.t.Subjects {
		for k, a := range m.fits[0].subject(int32(s))[:dimensions] {
			out[k] = append(out[k], predict.Ability{Value: num.Logistic(a), Low: math.NaN(), High: math.NaN()})
		}
	}
	return out
}

// printed returns the overall abilities of Camilla-Base by Eq. 12 of the paper: the subject's parameters weighted by the skills of each
// item, averaged over the items with any.
func (m *Model) printed() (out []predict.Ability) {
	need, n := make([]float64, len(m.mask[0])), 0.0
	for _, q := range m.mask {
		all := num.Sum(q)
		if all == 0 {
			continue
		}
		n++
		for k, x := range q {
			need[k] += x / all
		}
	}
	for s := range m.t.Subjects {
		out = append(out, predict.Ability{Value: num.Dot(need, m.fits[0].subject(int32(s))) / n, Low: math.NaN(), High: math.NaN()})
	}
	return out
}

// Traits returns the subjects' abilities, the items' parameters and the items' masks, which say how much each item needs each
// skill. level is the level of the intervals.
//
// Models that were trained as the paper's released code trains them have the abilities that this code reports, without
// intervals. Such an ability is θ in IRT; the mean of σ over the subject's parameters
// in MIRT, Camilla-Base and NeuralCD, whereas Eq. 12 of the paper weighs them by the skills of the items (Printed); the mean of the subject's parameters in MF, where sign and scale are arbitrary; and in
// Camilla σ(A) weighted by how much the items need each skill (Eq. 13 of the paper). Skills has σ of each parameter, where there are
// skills.
//
// In models that were trained until they converged, the ability is θ in IRT, where its prior is standard normal. In the other
// models it is the subject's expected success rate over all items with responses, and Skills has the expected success rates over the items
// that need a skill. These abilities have intervals, except those of the two networks, NeuralCD and Camilla, whose parameters
// have no priors.
func (m *Model) Traits(level float64) predict.Traits {
	t := predict.Traits{Mask: m.mask}
	t.Difficulty, t.Discrimination = make([]float64, len(m.t.Items)), make([]float64, len(m.t.Items))
	n := float64(len(m.fits))
	for _, f := range m.fits {
		in := f.space(counts{len(m.t.Subjects), len(m.t.Items)})
		for j := range t.Difficulty {
			d, a := f.describe(int32(j), in)
			t.Difficulty[j] += d / n
			t.Discrimination[j] += a / n
		}
	}
	t.Negative = m.negative(t.Discrimination)
	if l, ok := m.plan.link.(network); ok && l.mask == nil {
		t.Mask, t.Learnt = make([][]float64, len(m.t.Items)), true
		for j := range t.Mask {
			t.Mask[j] = m.fits[0].masked(int32(j), l)
		}
	}
	t.Infit, t.Outfit = m.itemFit()
	for s := range m.t.Subjects {
		t.Vector = append(t.Vector, slices.Clone(m.fits[0].subject(int32(s))))
	}
	if m.published {
		for s := range m.t.Subjects {
			t.Ability = append(t.Ability, predict.Ability{Value: m.coded(int32(s), t.Mask), Low: math.NaN(), High: math.NaN()})
		}
		if len(t.Mask) > 0 {
			t.Skills = m.sigmoids(len(t.Mask[0]))
		}
		if m.kind == CamillaBase {
			t.Printed = m.printed()
		}
		return t
	}
	if m.kind == IRT { // θ
		t.Ability = m.abilities(level)
		return t
	}
	weights := [][]float64{m.known()} // of all items, then of those that need each given skill
	if m.mask != nil {
		for k := range m.mask[0] {
			of := make([]float64, len(m.mask))
			for j, known := range weights[0] {
				of[j] = known * m.mask[j][k]
			}
			weights = append(weights, of)
		}
	}
	rates := m.expected(weights, level)
	t.Ability, t.Skills = rates[0], rates[1:]
	if m.mask == nil && len(t.Mask) > 0 { // learnt skills
		learnt := make([][]float64, len(t.Mask[0]))
		for k := range learnt {
			for j, q := range t.Mask {
				learnt[k] = append(learnt[k], weights[0][j]*q[k])
			}
		}
		t.Skills = m.predicted(learnt)
	}
	return t
}

// known returns, by item, 1 if it has responses, else 0: nothing is known of its parameters. Without any response all are 1.
func (m *Model) known() []float64 {
	out := make([]float64, len(m.t.Items))
	for _, j := range m.t.Item {
		out[j] = 1
	}
	if m.t.Rows() == 0 {
		return slices.Repeat([]float64{1}, len(out))
	}
	return out
}

// coded returns the overall ability of subject s by the formula of the released code (see Traits).
func (m *Model) coded(s int32, mask [][]float64) float64 {
	u := slices.Clone(m.fits[0].subject(s))
	switch m.kind {
	case IRT:
		return u[0]
	case MF:
		return num.Mean(u)
	case Camilla:
		skills := make([]float64, len(mask))
		for j := range mask {
			for k, q := range mask[j] {
				skills[j] += float64(q * num.Logistic(u[k]))
			}
		}
		return num.Mean(skills)
	}
	for k, x := range u {
		u[k] = num.Logistic(x)
	}
	return num.Mean(u)
}
