package embedding

import (
	"context"
	"math"
	"slices"

	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/num"
)

// Measure fits the model and returns its traits.
func (o Predictor) Measure(ctx context.Context, t *table.Table, level float64, root uint64) (predict.Traits, error) {
	m, err := o.fit(ctx, t, nil, root)
	if err != nil {
		return predict.Traits{}, err
	}
	return m.Traits(level), nil
}

// Traits returns the subjects' abilities, the items' parameters and the items' masks, which say how much each item needs each
// skill. level is the level of the intervals.
//
// Models that were trained as the paper's released code trains them have the abilities that this code reports, without
// intervals. Such an ability is θ in IRT; the mean of σ over the subject's parameters
// in MIRT, Camilla-Base and NeuralCD; the mean of the subject's parameters in MF, where sign and scale are arbitrary; and in
// Camilla σ(A) weighted by how much the items need each skill (Eq. 13 of the paper).
//
// In models that were trained until they converged, the ability is θ in IRT, where its prior is standard normal. In the other
// models it is the subject's expected success rate over all items with responses, and Skills has the expected success rates over the items
// that need a skill. These abilities have intervals, except those of the two networks, NeuralCD and Camilla, whose parameters
// have no priors.
func (m *Model) Traits(level float64) predict.Traits {
	t := predict.Traits{Mask: m.mask, Negative: m.negative()}
	t.Difficulty, t.Discrimination = make([]float64, len(m.t.Items)), make([]float64, len(m.t.Items))
	n := float64(len(m.fits))
	for _, f := range m.fits {
		for j := range t.Difficulty {
			d, a := f.describe(int32(j))
			t.Difficulty[j] += d / n
			t.Discrimination[j] += a / n
		}
	}
	if l, ok := m.plan.link.(network); ok && l.mask == nil {
		t.Mask = make([][]float64, len(m.t.Items))
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
		return t
	}
	if m.kind == IRT { // θ
		t.Ability = m.abilities(level)
		return t
	}
	known := m.known()
	t.Ability = m.expected(func(j int) float64 { return known[j] }, level)
	if m.mask != nil {
		for k := range m.mask[0] {
			t.Skills = append(t.Skills, m.expected(func(j int) float64 { return known[j] * m.mask[j][k] }, level))
		}
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
	u := m.fits[0].subject(s)
	switch m.kind {
	case IRT:
		return u[0]
	case MF:
		return mean(len(u), func(k int) float64 { return u[k] })
	case Camilla:
		return mean(len(mask), func(j int) float64 {
			sum := 0.0
			for k, q := range mask[j] {
				sum += float64(q * num.Logistic(u[k]))
			}
			return sum
		})
	}
	return mean(len(u), func(k int) float64 { return num.Logistic(u[k]) })
}

func mean(n int, of func(k int) float64) float64 {
	sum := 0.0
	for k := range n {
		sum += of(k)
	}
	return sum / float64(n)
}
