package predict

import (
	"context"
	"strconv"

	"achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// A Factor is a Bayesian item response model with several dimensions: the probit of success is
//
//	a_j·θ_s + b_j + c_s    with    (b_j, a_j) ~ N(B x_j, Λ),  θ_s ~ N(0, I),  c_s ~ N(0, σ²)
//
// for subject s and an item j with features x_j. The features give the prior mean of an item's parameters, which alone
// decides for an item without responses. All variances are learnt. Predictions are posterior means, computed by Gibbs
// sampling with a normal latent variable for every response (Albert and Chib 1993). A value between 0 and 1 is the
// probability that the response counts as a success, which every sweep draws anew.
type Factor struct {
	ID
	Features   []string
	Dimensions int  // number of dimensions of θ; 0: subject and item effects alone
	Pooled     bool // whether items with equal features share their parameters a and b
	Chains     int  // number of chains with different starts
	Warmup     int  // number of sweeps of a chain that are left out
	Draws      int  // number of sweeps of a chain that are averaged
	MaxWork    int  // largest number of (rows + parameters of items) × sweeps of a chain: large tables get fewer sweeps, but at least 60
}

// DefaultFactor returns a Factor with eight dimensions, of which superfluous ones vanish, and four short chains,
// because different starts matter more than long chains.
func DefaultFactor(id string, features []string) Factor {
	return Factor{ID: ID(id), Features: features, Dimensions: 8, Chains: 4, Warmup: 75, Draws: 100, MaxWork: 40e6}
}

// keptValues is the largest number of parameter values that a fit stores. If all draws have more, only some evenly
// spaced draws are stored.
const keptValues = 8 << 20

// Fit samples the posterior. It fails for a feature that is not in the table, and when ctx is done.
func (f Factor) Fit(ctx context.Context, train *table.Table, root uint64) (Model, error) {
	fs, missing := train.Select(f.Features)
	if missing != "" {
		return nil, unknownFeature(missing)
	}
	m := &factorModel{width: f.Dimensions + 1, class: make([]int32, len(train.Items))}
	d := newDesign(len(train.Items), fs)
	if f.Pooled {
		var first []int
		m.class, first = d.classes()
		d = d.pick(first)
	} else {
		for i := range m.class {
			m.class[i] = int32(i)
		}
	}
	g := newGibbs(train, m.class, d, f.Dimensions)
	warmup, draws := f.sweeps(train.Rows() + len(g.item))
	keep := max(1, min(draws, keptValues/((g.subjects+g.items)*m.width*f.Chains)))
	for chain := range f.Chains {
		r := rng.Stream(root, "factor", strconv.Itoa(chain))
		g.start(&r)
		for sweep := range warmup + draws {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			g.sweep(&r)
			if k := sweep - warmup; k >= 0 && (k+1)*keep/draws > k*keep/draws {
				m.keep(g)
			}
		}
	}
	return m, nil
}

func (f Factor) sweeps(work int) (warmup, draws int) {
	all := f.Warmup + f.Draws
	n := min(all, max(60, f.MaxWork/max(work, 1)))
	warmup = f.Warmup * n / all
	return warmup, n - warmup
}

func (d *design) pick(rows []int) *design {
	p := *d
	p.x, p.filled = nil, nil
	for _, i := range rows {
		p.x, p.filled = append(p.x, d.row(i)...), append(p.filled, d.filled[i])
	}
	return &p
}

// A factorModel has draws of the subjects' and the items' parameters.
type factorModel struct {
	width         int         // number of parameters of a subject or item
	class         []int32     // by item of the table: item of the model
	subject, item [][]float64 // by draw: (c, θ) of all subjects, and (b, a) of all items
}

func (m *factorModel) keep(g *gibbs) {
	m.subject = append(m.subject, append([]float64(nil), g.subject...))
	m.item = append(m.item, append([]float64(nil), g.item...))
}

// Predict averages the success probability over the draws.
func (m *factorModel) Predict(subject, item []int32, p []float64) {
	for i := range p {
		s, j := int(subject[i])*m.width, int(m.class[item[i]])*m.width
		sum := 0.0
		for k := range m.subject {
			sum += num.NormalCDF(linear(m.subject[k][s:s+m.width], m.item[k][j:j+m.width]))
		}
		p[i] = sum / float64(len(m.subject))
	}
}

// linear returns the linear predictor a·θ + b + c of a subject u = (c, θ) and an item v = (b, a).
func linear(u, v []float64) float64 {
	eta := u[0] + v[0]
	for k := 1; k < len(u); k++ {
		eta += float64(u[k] * v[k])
	}
	return eta
}
