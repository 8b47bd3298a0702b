// Package embedding has models that give every subject and every item a vector of numbers and predict a response by a
// differentiable formula of the two: item response theory with one and with several abilities, NeuralCD, and Camilla with
// its rivals (Liu et al. 2023). All are fitted by one trainer, in two ways: as the released code of Camilla trains them, and
// with priors or with early stopping until they have converged.
package embedding

import (
	"context"
	"math"
	"slices"
	"strconv"

	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/rng"
)

// A Kind is the formula of a model.
type Kind string

// The formulas.
const (
	IRT         Kind = "irt"          // item response theory with one ability; if Published, items have a guessing parameter
	MIRT        Kind = "mirt"         // item response theory with several abilities
	MF          Kind = "mf"           // "matrix factorisation" of the released code: a number of the subject plus one of the item
	NeuralCD    Kind = "neuralcd"     // a monotone network over given skills
	CamillaBase Kind = "camilla_base" // several abilities, of which an item uses those of its given skills
	Camilla     Kind = "camilla"      // a monotone network over learnt skills
)

// Kinds returns all formulas.
func Kinds() []Kind { return []Kind{IRT, MIRT, MF, NeuralCD, CamillaBase, Camilla} }

// A Predictor fits models of one kind. It is a predict.Predictor.
type Predictor struct {
	predict.ID
	Kind      Kind
	Skills    []string // numeric features of the items, 1 where an item needs the skill; NeuralCD and Camilla-Base use them
	Subsets   []string // numeric features of the items, above 0 on the items of a subset: Traits has the abilities on each
	Published bool     // whether to train as the released code of Camilla does
	Starts    int      // number of fits with different starting values; their predictions are averaged
	MaxWork   int      // largest number of responses × starts: large tables get fewer starts, but at least one; 0: no limit
	Epochs    int      // passes over the responses; only if Published or for a network
	Steps     int      // largest number of steps, each over all responses but in MIRT over a part; for the other models
	Loss      Loss     // what training minimises; ignored if Published, because the released code chooses the loss by the measure
	MaxRows   int      // largest number of responses that are used to choose among Candidates

	Candidates []Candidate // priors; the one whose fit predicts responses that were kept apart best is used
}

// A Candidate is one way to train a model: the number of abilities (of MIRT, MF and Camilla; IRT has one, the others one for each skill), the
// precision of the normal prior of the items' slopes, the number of units of a network's first hidden layer, of which the second has half, and
// the step size of Adam. 0 is that of the kind.
type Candidate struct {
	Dimensions int
	Slope      float64
	Layer      int
	Step       float64
}

// dimensions is the number of abilities, K = 5, of the models of the released code, unless the given skills say how many.
// The converged Camilla has as many.
const dimensions = 5

// mostToChoose is the usual Predictor.MaxRows.
const mostToChoose = 200_000

// Released returns the predictor of a kind as the released code of Camilla trains it: ten epochs in batches of 256, with a
// step size for each kind. The parameters of the best epoch are kept: of the one with the highest AUC (for a binary measure) or
// the lowest mean absolute error on the responses for checking.
func Released(kind Kind, skills []string) Predictor {
	return Predictor{ID: predict.ID(kind) + "_published", Kind: kind, Skills: skills, Published: true, Starts: 1, Epochs: 10}
}

// Converged returns the predictor of a kind as it should be trained. IRT, MIRT, MF and Camilla-Base minimise the loss over all
// responses with normal priors of the parameters. Before that, IRT, MIRT and Camilla-Base choose the prior of the slopes: the
// candidate which, fitted to four fifths of the responses, predicts the other fifth best. MIRT averages up to eight starts, which
// end at different maxima: their mean predicts better than the highest. The networks are trained on nine tenths of the responses until five epochs in a row do not improve their predictions of the
// other tenth.
func Converged(kind Kind, skills []string) Predictor {
	p := Predictor{ID: predict.ID(kind), Kind: kind, Skills: skills, Starts: 1, Epochs: 60, Steps: 150, MaxRows: mostToChoose, MaxWork: 1_000_000}
	switch kind {
	case MIRT:
		p.Starts, p.Steps = 8, 160
		p.Candidates = []Candidate{{Dimensions: 2, Slope: 1}, {Dimensions: 2, Slope: 5}, {Dimensions: 5, Slope: 1}, {Dimensions: 20, Slope: 2}, {Dimensions: 20, Slope: 8}}
	case IRT, CamillaBase:
		p.Candidates = []Candidate{{Slope: 0.3}, {Slope: 3}, {Slope: 30}}
		if kind == CamillaBase {
			p.Steps = 200
		}
	}
	return p
}

// Fit does the same as FitChecked without responses for checking.
func (o Predictor) Fit(ctx context.Context, train *table.Table, root uint64) (predict.Model, error) {
	return o.FitChecked(ctx, train, nil, root)
}

// FitChecked trains on the rows of train. If o is Published, it keeps the parameters of the epoch that predicts the rows of
// check best, or of the last epoch if check is nil. Otherwise it ignores check. FitChecked fails for a skill that is not in the
// table, and when ctx is done.
func (o Predictor) FitChecked(ctx context.Context, train, check *table.Table, root uint64) (predict.Model, error) {
	m, err := o.fit(ctx, train, check, root)
	if err != nil {
		return nil, err // not a nil *Model in an interface
	}
	return m, nil
}

func (o Predictor) fit(ctx context.Context, train, check *table.Table, root uint64) (*Model, error) {
	mask, err := o.mask(train)
	if err != nil {
		return nil, err
	}
	if !o.Published {
		check = nil
	}
	plan, near, tried, err := o.choose(ctx, train, mask, root)
	if err != nil {
		return nil, err
	}
	m := &Model{kind: o.Kind, published: o.Published, t: train, mask: mask, plan: plan, tried: tried}
	starts := o.Starts
	if o.MaxWork > 0 {
		starts = min(starts, max(1, o.MaxWork/max(1, train.Rows())))
	}
	for k := range starts {
		f, err := o.one(ctx, plan, near, train, check, rng.Derive(root, "start", strconv.Itoa(k)))
		if err != nil {
			return nil, err
		}
		m.fits = append(m.fits, f)
	}
	return m, nil
}

// one trains once, from random starting values, but L-BFGS from the parameters of near unless it is nil. A network that is not Published is
// trained on nine tenths of the rows; the loss on the other tenth says when to stop.
func (o Predictor) one(ctx context.Context, p plan, near *fit, train, check *table.Table, root uint64) (*fit, error) {
	size := counts{len(train.Subjects), len(train.Items)}
	if p.Patience > 0 && !o.Published {
		train, check = apart(train, 0.1, root)
	}
	r := &trainer{Training: p.Training, fit: newFit(p.link, size), t: train, size: size, onSubject: p.onSubject, onItem: p.onItem, root: root}
	if p.Descent {
		r.near = near
	}
	return r.fit, r.train(ctx, check)
}

// Searched returns the predictor with candidates of all combinations of these numbers of abilities, units of the first hidden layer and step sizes, as
// far as its kind has them; none of one: as it is. A converged MIRT crosses numbers of abilities with three priors of slopes.
func (o Predictor) Searched(abilities, layers []int, steps []float64) Predictor {
	o.MaxRows = mostToChoose
	if len(o.Candidates) == 0 {
		o.Candidates = []Candidate{{}}
	}
	network, learnt := o.Kind == NeuralCD || o.Kind == Camilla, o.Kind == MIRT || o.Kind == Camilla || o.Kind == MF && o.Published
	if learnt && len(abilities) > 0 {
		if o.Kind == MIRT && !o.Published {
			o.Candidates = []Candidate{{Slope: 1}, {Slope: 2}, {Slope: 8}}
		}
		o.Candidates = crossed(o.Candidates, abilities, func(c *Candidate, k int) { c.Dimensions = k })
	}
	if network {
		o.Candidates = crossed(o.Candidates, layers, func(c *Candidate, n int) { c.Layer = n })
	}
	if network || o.Published || o.Kind == MIRT {
		o.Candidates = crossed(o.Candidates, steps, func(c *Candidate, x float64) { c.Step = x })
	}
	return o
}

// crossed returns every candidate with every value; the candidates without values.
func crossed[T any](candidates []Candidate, values []T, set func(c *Candidate, v T)) (out []Candidate) {
	if len(values) == 0 {
		return candidates
	}
	for _, c := range candidates {
		for _, v := range values {
			set(&c, v)
			out = append(out, c)
		}
	}
	return out
}

// choose returns the plan of a candidate. If there are several, it returns that of the candidate which, trained on four fifths
// of the responses (of MaxRows of them if there are more), predicts the other fifth best, and that fit.
func (o Predictor) choose(ctx context.Context, train *table.Table, mask [][]float64, root uint64) (best plan, fitted *fit, tried []predict.Tried, err error) {
	if len(o.Candidates) < 2 {
		return o.plan(train, mask, append(o.Candidates, Candidate{})[0]), nil, nil, nil
	}
	train, rest := apart(atMost(train, o.MaxRows, root), 0.2, root)
	least := math.Inf(1)
	var f *fit // begins where the candidate before ended, if both have as many parameters
	for i, c := range o.Candidates {
		p := o.plan(train, mask, c)
		rough := p
		rough.Fall = near
		if f, err = o.one(ctx, rough, f, train, nil, rng.Derive(root, "choose", strconv.Itoa(i))); err != nil {
			return best, nil, nil, err
		}
		predicted := make([]float64, rest.Rows())
		f.predict(rest.Subject, rest.Item, predicted)
		l := meanLoss(p.Loss, rest.Value, predicted)
		if i == 0 || l < least {
			least, best, fitted = l, p, f
			for k := range tried {
				tried[k].Chosen = false
			}
		}
		tried = append(tried, predict.Tried{Dimensions: c.Dimensions, Slope: c.Slope, Layer: c.Layer, Step: c.Step, Loss: l, Chosen: l == least})
	}
	return best, fitted, tried, nil
}

// atMost returns the table or, if it has more than limit rows, limit of them drawn at random.
func atMost(t *table.Table, limit int, root uint64) *table.Table {
	if t.Rows() <= limit {
		return t
	}
	r := rng.Stream(root, "sample")
	return t.Subset(ascending(r.Perm(t.Rows())[:limit]))
}

// apart divides the rows at random: few has the given share of them, and most has the others.
func apart(t *table.Table, share float64, root uint64) (most, few *table.Table) {
	r := rng.Stream(root, "apart")
	perm := r.Perm(t.Rows())
	n := int(share * float64(len(perm)))
	return t.Subset(ascending(perm[n:])), t.Subset(ascending(perm[:n]))
}

func ascending(rows []int) []int32 {
	out := make([]int32, len(rows))
	for i, r := range rows {
		out[i] = int32(r)
	}
	slices.Sort(out)
	return out
}
