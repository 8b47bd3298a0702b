package embedding

import (
	"context"
	"math"
	"strconv"

	"achilles/infer/predict"
	"achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// A Loss is what training minimises, averaged over responses: y is a response and p its prediction.
type Loss string

// The losses.
const (
	CrossEntropy Loss = "cross_entropy" // −y log p − (1−y) log(1−p); so is the empty one
	Squared      Loss = "squared"       // (p − y)²
	Absolute     Loss = "absolute"      // |p − y|
)

// slope returns the derivative of the loss by p. That of the cross entropy is bounded, as in the released code.
func (l Loss) slope(p, y float64) float64 {
	switch l {
	case Squared:
		return 2 * (p - y)
	case Absolute:
		if p < y {
			return -1
		}
		return 1
	}
	return (p - y) / max(float64(p*(1-p)), 1e-12)
}

func (l Loss) of(p, y float64) float64 {
	switch l {
	case Squared:
		return float64((p - y) * (p - y))
	case Absolute:
		return math.Abs(p - y)
	}
	q := min(max(p, 1e-15), 1-1e-15)
	return -float64(y*num.Log(q)) - float64((1-y)*num.Log1p(-q))
}

// A Training says how Adam, or L-BFGS, finds the parameters. If there are responses for checking, the parameters of the epoch that predicts
// them best are kept, and training may stop early.
type Training struct {
	Epochs   int     // largest number of epochs; an epoch is one pass over the responses, or more with Least
	Batch    int     // number of responses in a step; 0: all of them, or those of one of Parts, of a model whose link is a dot
	Parts    int     // number of random parts of the responses, of which each step of Adam takes the next; only if Batch is 0, where 0 is 1
	Descent  bool    // whether L-BFGS takes the place of Adam, with at most Epochs evaluations of all responses
	Fall     float64 // relative fall of the objective below which, over a few iterations, L-BFGS has arrived
	Least    int     // smallest number of steps in an epoch, which passes over a small table several times
	Rate     float64 // step size of Adam
	Decay    bool    // whether the step size falls linearly from Rate to 0
	Shuffle  bool    // whether every pass over the responses has a new order
	Patience int     // number of epochs without improvement after which training stops; 0: it does not
	Loss     Loss
	ByRank   bool // an epoch is better if its AUC is higher (a binary measure) or its mean absolute error lower; otherwise if Loss is lower
}

// A normal is the normal prior that a parameter, such as the slope, has for every subject or for every item.
type normal struct {
	mean, precision float64
	free            bool // whether the parameter's mean over all subjects or all items replaces mean
}

// A fit has the parameters of a model with a certain formula, the link.
type fit struct {
	link    link
	u, v, w []float64 // parameters of all subjects, of all items, and those that all responses share; slices of all
	ku, kv  int       // number of parameters of a subject, and of an item
	all     []float64
}

func newFit(l link, size counts) *fit {
	ku, kv, kw := l.widths()
	f := &fit{link: l, ku: ku, kv: kv, all: make([]float64, size.subjects*ku+size.items*kv+kw)}
	f.u, f.v, f.w = f.cut(f.all, size)
	return f
}

// cut returns the three parts of x, which has as many elements as f.all: those of subjects, of items, and the shared ones.
func (f *fit) cut(x []float64, size counts) (u, v, w []float64) {
	a, b := size.subjects*f.ku, size.subjects*f.ku+size.items*f.kv
	return x[:a], x[a:b], x[b:]
}

func (f *fit) subject(s int32) []float64 { return f.u[int(s)*f.ku : (int(s)+1)*f.ku] }
func (f *fit) item(j int32) []float64    { return f.v[int(j)*f.kv : (int(j)+1)*f.kv] }

// start draws the random starting values. Every subject and every item has its own stream of random numbers, so that its
// starting values do not depend on the others.
func (f *fit) start(size counts, root uint64) {
	noU, noV := make([]float64, f.ku), make([]float64, f.kv)
	r := rng.Stream(root, "formula")
	f.link.start(noU, noV, f.w, size, &r)
	for s := range int32(size.subjects) {
		r := rng.Stream(root, "subject", strconv.Itoa(int(s)))
		f.link.start(f.subject(s), noV, nil, size, &r)
	}
	for j := range int32(size.items) {
		r := rng.Stream(root, "item", strconv.Itoa(int(j)))
		f.link.start(noU, f.item(j), nil, size, &r)
	}
}

// predict sets p[i] to the probability that subject[i] succeeds on item[i].
func (f *fit) predict(subject, item []int32, p []float64) {
	e := f.link.at(f.w, nil)
	for i := range p {
		p[i] = e.forward(f.subject(subject[i]), f.item(item[i]), int(item[i]))
	}
}

// A trainer fits one model to the rows of a table.
type trainer struct {
	Training
	*fit
	t          *table.Table
	size       counts
	onSubject  []normal // prior of each parameter of a subject; nil: none
	onItem     []normal // prior of each parameter of an item; nil: none
	root       uint64
	near       *fit // where training starts; nil, or of another number of parameters: at random
	grad       []float64
	gu, gv, gw []float64
	evaluator  evaluator
	random     rng.Rand // draws the order of the responses, and dropout
	order      []int
	best       []float64 // parameters of the best epoch
	bestLoss   float64
	sinceBest  int
	checkP     []float64
}

// train runs the epochs. It leaves r.all with the parameters of the epoch that predicts check best, or of the last epoch if
// check is nil or empty.
func (r *trainer) train(ctx context.Context, check *table.Table) error {
	r.fit.start(r.size, r.root)
	if r.near != nil && len(r.near.all) == len(r.all) {
		copy(r.all, r.near.all)
	}
	r.grad = make([]float64, len(r.all))
	r.gu, r.gv, r.gw = r.cut(r.grad, r.size)
	r.random = rng.Stream(r.root, "training")
	r.evaluator = r.link.at(r.w, &r.random)
	if r.t.Rows() == 0 {
		return ctx.Err()
	}
	l, ok := r.link.(dot)
	whole := ok && r.Batch == 0
	if whole && r.Descent {
		return r.descend(ctx, newWhole(r, l, r.t))
	}
	r.order = r.random.Perm(r.t.Rows())
	batch := max(1, min(r.Batch, len(r.order)))
	pass := (len(r.order) + batch - 1) / batch // number of steps in a pass over the responses
	gradient := func(k int) { r.gradient(r.order[k*batch : min((k+1)*batch, len(r.order))]) }
	if whole {
		parts := r.divided(l)
		pass, gradient = len(parts), func(k int) { parts[k].gradient() }
	}
	steps := pass * max(1, (r.Least+pass-1)/pass)
	optimiser := newAdam(len(r.all))
	r.bestLoss = math.Inf(1)
	for epoch := range r.Epochs {
		if err := ctx.Err(); err != nil {
			return err
		}
		for k := range steps {
			if r.Shuffle && k%pass == 0 {
				r.order = r.random.Perm(r.t.Rows())
			}
			rate := r.Rate
			if r.Decay {
				rate *= 1 - float64(epoch*steps+k)/float64(r.Epochs*steps)
			}
			gradient(k % pass)
			optimiser.step(r.all, r.grad, rate)
			r.link.project(r.w)
		}
		if check != nil && check.Rows() > 0 && r.checked(check) {
			break
		}
	}
	if r.best != nil {
		copy(r.all, r.best)
	}
	return nil
}

// divided returns the objective on each of Parts: on the rows in r.order, cut into as many pieces of nearly the same length.
func (r *trainer) divided(l dot) (out []*whole) {
	if r.Parts < 2 {
		return []*whole{newWhole(r, l, r.t)}
	}
	n := len(r.order)
	for k := range r.Parts {
		rows := r.order[k*n/r.Parts : (k+1)*n/r.Parts]
		out = append(out, newWhole(r, l, r.t.Subset(ascending(rows))))
	}
	return out
}

// gradient sets r.grad to the gradient of the mean loss over the given rows, plus the gradient of −log prior divided by the
// number of all rows.
func (r *trainer) gradient(rows []int) {
	clear(r.grad)
	n := float64(len(rows))
	for _, i := range rows {
		s, j := r.t.Subject[i], r.t.Item[i]
		u, v := r.subject(s), r.item(j)
		p := r.evaluator.forward(u, v, int(j))
		d := r.Loss.slope(p, r.t.Value[i]) / n
		r.evaluator.backward(d, u, v, int(j), r.gu[int(s)*r.ku:(int(s)+1)*r.ku], r.gv[int(j)*r.kv:(int(j)+1)*r.kv], r.gw)
	}
	penalise(r.u, r.gu, r.onSubject, float64(r.t.Rows()))
	penalise(r.v, r.gv, r.onItem, float64(r.t.Rows()))
}

// penalise adds the gradient of −log prior, divided by n, to g, and returns −log prior, without its constant, divided by n. x has
// len(prior) parameters for each subject or item, one after the other.
func penalise(x, g []float64, prior []normal, n float64) (value float64) {
	width := len(prior)
	if width == 0 {
		return 0
	}
	for k, q := range prior {
		mean := q.mean
		if q.free {
			mean = 0
			for i := k; i < len(x); i += width {
				mean += x[i]
			}
			mean /= float64(len(x) / width)
		}
		for i := k; i < len(x); i += width {
			d := x[i] - mean
			g[i] += float64(q.precision * d / n)
			value += float64(q.precision * d * d / 2)
		}
	}
	return value / n
}

// checked copies the parameters to r.best if they predict the rows of check better than those of all earlier epochs. It reports
// whether training has to stop, because there was no improvement for r.Patience epochs.
func (r *trainer) checked(check *table.Table) bool {
	if r.checkP == nil {
		r.checkP = make([]float64, check.Rows())
	}
	r.predict(check.Subject, check.Item, r.checkP)
	loss := 0.0
	switch auc := predict.AUC(check.Value, r.checkP); {
	case r.ByRank && check.Binary && !math.IsNaN(auc):
		loss = -auc
	case r.ByRank:
		loss = meanLoss(Absolute, check.Value, r.checkP)
	default:
		loss = meanLoss(r.Loss, check.Value, r.checkP)
	}
	if loss < r.bestLoss {
		r.bestLoss, r.sinceBest = loss, 0
		r.best = append(r.best[:0], r.all...)
		return false
	}
	r.sinceBest++
	return r.Patience > 0 && r.sinceBest >= r.Patience
}

func meanLoss(l Loss, y, p []float64) float64 {
	sum := 0.0
	for i, q := range p {
		sum += l.of(q, y[i])
	}
	return sum / float64(len(p))
}
