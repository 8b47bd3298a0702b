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

// A Kind is a formula.
type Kind string

// The formulas.
const (
	IRT         Kind = "irt"          // one ability; with guessing as published, without as two-parameter logistic otherwise
	MIRT        Kind = "mirt"         // several abilities
	MF          Kind = "mf"           // what the released code calls matrix factorisation: additive
	NeuralCD    Kind = "neuralcd"     // a monotone network over given skills
	CamillaBase Kind = "camilla_base" // several abilities, masked by given skills
	Camilla     Kind = "camilla"      // a monotone network over learnt skills
)

// Kinds returns all formulas.
func Kinds() []Kind { return []Kind{IRT, MIRT, MF, NeuralCD, CamillaBase, Camilla} }

// A Predictor fits models of one kind. It is a predict.Predictor.
type Predictor struct {
	ID        string
	Kind      Kind
	Skills    []string // numeric features of the items, 1 where an item needs the skill; NeuralCD and Camilla-Base use them
	Published bool     // as the released code trains
	Starts    int      // fits from different first values, whose predictions are averaged
	Epochs    int      // of a network; other models that are not as published take Steps
	Steps     int      // steps of Adam over all responses
	Loss      Loss     // ignored by published training, which has its own for each measure
	MaxRows   int      // responses that inner validation uses at most

	Candidates []Candidate // priors of which inner validation chooses; the first if there is only one
}

var (
	_ predict.Checked  = Predictor{}
	_ predict.Measurer = Predictor{}
)

// A Candidate is a prior of a compensatory model: its number of abilities, which skills decide for Camilla-Base, and the
// precision of the normal prior of the items' slopes.
type Candidate struct {
	Dimensions int
	Slope      float64
}

// dimensions is the number of abilities where nothing else decides: K = 5 in the released code.
const dimensions = 5

// Released returns the predictor of a kind as the released code of Camilla trains it: ten epochs in batches of 256 with a
// step size of its own for each model, and the epoch kept that ranks the validation responses best.
func Released(kind Kind, skills []string) Predictor {
	return Predictor{ID: string(kind) + "_published", Kind: kind, Skills: skills, Published: true, Starts: 1, Epochs: 10}
}

// Converged returns the predictor of a kind as it should be trained. IRT, MIRT, MF and Camilla-Base maximise the posterior
// density under normal priors over all responses; a fifth of them, kept apart, chooses the prior of the slopes first. MIRT
// averages eight starts. The networks train until a tenth of the responses that is kept apart is no longer predicted better.
func Converged(kind Kind, skills []string) Predictor {
	p := Predictor{ID: string(kind), Kind: kind, Skills: skills, Starts: 1, Epochs: 60, Steps: 300, MaxRows: 200_000}
	switch kind {
	case MIRT:
		p.Starts = 8
		p.Candidates = []Candidate{{2, 1}, {2, 5}, {5, 1}, {20, 2}, {20, 8}}
	case IRT, CamillaBase:
		p.Candidates = []Candidate{{1, 0.3}, {1, 3}}
	}
	return p
}

// Name identifies the model.
func (o Predictor) Name() string { return o.ID }

// Fit is FitChecked without responses for checking.
func (o Predictor) Fit(ctx context.Context, train *table.Table, root uint64) (predict.Model, error) {
	return o.FitChecked(ctx, train, nil, root)
}

// FitChecked trains on the rows of train. Published training keeps the epoch that predicts check best, or the last one if
// check is nil; other training does not look at it. It fails for a skill that is not in the table, and when ctx is done.
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
	plan, err := o.choose(ctx, train, mask, root)
	if err != nil {
		return nil, err
	}
	m := &Model{kind: o.Kind, published: o.Published, t: train, mask: mask, plan: plan}
	for k := range o.Starts {
		f, err := o.one(ctx, plan, train, check, rng.Derive(root, "start", strconv.Itoa(k)))
		if err != nil {
			return nil, err
		}
		m.fits = append(m.fits, f)
	}
	return m, nil
}

// one trains from one start. Networks that are not as published keep a tenth of their rows apart to know when to stop.
func (o Predictor) one(ctx context.Context, p plan, train, check *table.Table, root uint64) (*fit, error) {
	size := counts{len(train.Subjects), len(train.Items)}
	if p.Patience > 0 && !o.Published {
		train, check = apart(train, 0.1, root)
	}
	r := &trainer{Training: p.Training, fit: newFit(p.link, size), t: train, size: size, onSubject: p.onSubject, onItem: p.onItem, root: root}
	return r.fit, r.train(ctx, check)
}

// choose returns the plan of the candidate that predicts a fifth of the responses best, trained on the others.
func (o Predictor) choose(ctx context.Context, train *table.Table, mask [][]float64, root uint64) (best plan, err error) {
	if len(o.Candidates) < 2 {
		return o.plan(train, mask, append(o.Candidates, Candidate{})[0]), nil
	}
	train, rest := apart(atMost(train, o.MaxRows, root), 0.2, root)
	least := math.Inf(1)
	for i, c := range o.Candidates {
		p := o.plan(train, mask, c)
		f, err := o.one(ctx, p, train, nil, rng.Derive(root, "choose", strconv.Itoa(i)))
		if err != nil {
			return best, err
		}
		predicted := make([]float64, rest.Rows())
		f.predict(rest.Subject, rest.Item, predicted)
		if l := meanLoss(o.Loss, rest.Value, predicted); i == 0 || l < least {
			least, best = l, p
		}
	}
	return best, nil
}

// atMost draws limit rows at random from a larger table.
func atMost(t *table.Table, limit int, root uint64) *table.Table {
	if t.Rows() <= limit {
		return t
	}
	r := rng.Stream(root, "sample")
	return t.Subset(ascending(r.Perm(t.Rows())[:limit]))
}

// apart draws a share of the rows at random and returns the others and these.
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
