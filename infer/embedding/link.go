package embedding

import (
	"achilles/sim/num"
	"achilles/sim/rng"
)

// A link is the formula that gives the probability of success from the numbers of a subject, those of an item, and those
// that all responses share.
type link interface {
	// widths returns the numbers of parameters of a subject, of an item, and of the formula itself.
	widths() (subject, item, shared int)
	// start draws the random starting values of training: u of one subject, v of one item, and w, which all responses share; they are
	// drawn in this order, and w not at all if it is nil.
	start(u, v, w []float64, size counts, r *rng.Rand)
	// at returns an evaluator with scratch memory of its own. The evaluator does not copy w: it uses the present values at
	// every call. r draws the units that dropout leaves out; nil: no dropout.
	at(w []float64, r *rng.Rand) evaluator
	// project moves the shared parameters w back into their range after a step of the optimiser.
	project(w []float64)
}

// counts are the numbers of subjects and items. The scale of a network's random starting values depends on them.
type counts struct{ subjects, items int }

// An evaluator computes one response at a time.
type evaluator interface {
	// forward returns the probability of success of a subject with parameters u on item number j, whose parameters are v.
	forward(u, v []float64, j int) float64
	// backward adds d times the gradient of the probability that forward returned last to gu, gv and gw: its derivatives by
	// u, v and w. The arguments u, v and j must be those of that call of forward.
	backward(d float64, u, v []float64, j int, gu, gv, gw []float64)
}

// A dot is the compensatory model of item response theory: the log odds of subject i on item j are a weighted sum of the
// abilities θ. The mask q says which dimensions an item uses; q = 1 if it is nil.
//
//	p = σ(Σ_k q_jk a_jk θ_ik − b_j + c_i)
//
// The parameters of a subject are θ and, if level is true, its level c; those of an item are a, then b. Without a mask it is
// MIRT (Reckase 2009), with a mask Camilla-Base as released.
type dot struct {
	dimensions int
	level      bool
	mask       [][]float64
	slope      float64 // mean of the slopes' random starting values, if spread is not 0
	spread     float64 // standard deviation of all random starting values; 0: draw them as the released code does
}

func (l dot) widths() (subject, item, shared int) {
	subject = l.dimensions
	if l.level {
		subject++
	}
	return subject, l.dimensions + 1, 0
}

func (l dot) start(u, v, _ []float64, _ counts, r *rng.Rand) {
	if l.spread > 0 {
		gaussian(u, l.spread, r)
		gaussian(v, l.spread, r)
		for k := range l.dimensions {
			v[k] += l.slope
		}
		return
	}
	gaussian(u, 1, r)
	uniform(v[:l.dimensions], 0, 1, r)
	gaussian(v[l.dimensions:], 1, r)
}

func (dot) project([]float64) {}

func (l dot) at([]float64, *rng.Rand) evaluator { return &dotAt{dot: l} }

type dotAt struct {
	dot
	p float64
}

func (e *dotAt) forward(u, v []float64, j int) float64 {
	z := -v[e.dimensions]
	if e.level {
		z += u[e.dimensions]
	}
	if e.mask == nil {
		for k, a := range v[:e.dimensions] {
			z += float64(a * u[k])
		}
	} else {
		for k, q := range e.mask[j] {
			z += float64(q * v[k] * u[k])
		}
	}
	e.p = num.Logistic(z)
	return e.p
}

func (e *dotAt) backward(d float64, u, v []float64, j int, gu, gv, _ []float64) {
	d = float64(d * e.p * (1 - e.p))
	gv[e.dimensions] -= d
	if e.level {
		gu[e.dimensions] += d
	}
	for k := range e.dimensions {
		dk := d
		if e.mask != nil {
			dk = float64(d * e.mask[j][k])
		}
		gu[k] += float64(dk * v[k])
		gv[k] += float64(dk * u[k])
	}
}

// A curve is the item characteristic curve of one ability θ (Birnbaum 1968), with D = 1.702:
//
//	p = c_j + (1 − c_j) σ(D a_j (θ_i − b_j))
//
// The parameters of an item are a, b and c. A value of a below 0.001 counts as 0.001, and c counts as the nearest value in
// [0, 1]; outside these ranges, the gradient is 0.
type curve struct{}

const (
	logisticScale = 1.702 // D: σ(Dx) differs by less than 0.01 from the normal distribution function (Haley 1952)
	leastSlope    = 1e-3
)

func (curve) widths() (subject, item, shared int) { return 1, 3, 0 }

func (curve) start(u, v, _ []float64, _ counts, r *rng.Rand) {
	gaussian(u, 1, r)
	uniform(v, 0, 1, r)
	v[1] = r.Norm()
}

func (curve) project([]float64) {}

func (curve) at([]float64, *rng.Rand) evaluator { return &curveAt{} }

type curveAt struct {
	curve
	a, c, s float64
}

func (e *curveAt) forward(u, v []float64, _ int) float64 {
	e.a, e.c = max(v[0], leastSlope), min(max(v[2], 0), 1)
	e.s = num.Logistic(logisticScale * e.a * (u[0] - v[1]))
	return e.c + float64((1-e.c)*e.s)
}

func (e *curveAt) backward(d float64, u, v []float64, _ int, gu, gv, _ []float64) {
	if v[2] >= 0 && v[2] <= 1 {
		gv[2] += float64(d * (1 - e.s))
	}
	d = float64(d * (1 - e.c) * e.s * (1 - e.s) * logisticScale)
	gu[0] += float64(d * e.a)
	gv[1] -= float64(d * e.a)
	if v[0] >= leastSlope {
		gv[0] += float64(d * (u[0] - v[1]))
	}
}

// An additive link is what the released code of Camilla calls MF: one linear layer, whose input is the vector u of the subject
// followed by the vector v of the item,
//
//	p = σ(w·u_i + w'·v_j + w_0)
//
// so that subject and item do not interact: a Rasch model with more parameters than it needs.
type additive struct{ dimensions int }

func (l additive) widths() (subject, item, shared int) {
	return l.dimensions, l.dimensions, 2*l.dimensions + 1
}

func (l additive) start(u, v, w []float64, _ counts, r *rng.Rand) {
	gaussian(u, 1, r)
	gaussian(v, 1, r)
	linearStart(w, 2*l.dimensions, r)
}

func (additive) project([]float64) {}

func (l additive) at(w []float64, _ *rng.Rand) evaluator { return &additiveAt{additive: l, w: w} }

type additiveAt struct {
	additive
	w []float64
	p float64
}

func (e *additiveAt) forward(u, v []float64, _ int) float64 {
	k := e.dimensions
	e.p = num.Logistic(e.w[2*k] + num.Dot(e.w[:k], u) + num.Dot(e.w[k:2*k], v))
	return e.p
}

func (e *additiveAt) backward(d float64, u, v []float64, _ int, gu, gv, gw []float64) {
	d = float64(d * e.p * (1 - e.p))
	k := e.dimensions
	for i := range k {
		gu[i] += float64(d * e.w[i])
		gv[i] += float64(d * e.w[k+i])
		gw[i] += float64(d * u[i])
		gw[k+i] += float64(d * v[i])
	}
	gw[2*k] += d
}

func gaussian(x []float64, spread float64, r *rng.Rand) {
	for i := range x {
		x[i] = float64(spread * r.Norm())
	}
}

func uniform(x []float64, low, high float64, r *rng.Rand) {
	for i := range x {
		x[i] = low + float64((high-low)*r.Float64())
	}
}
