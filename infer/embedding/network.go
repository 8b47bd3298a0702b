package embedding

import (
	"math"

	"achilles/sim/num"
	"achilles/sim/rng"
)

// A network is the monotone link of NeuralCD (Wang et al. 2020) and Camilla (Liu et al. 2023). Its input is the difference
// between the abilities A of subject i and the difficulties D of item j in every dimension k, multiplied by the item's
// discrimination e and skills m. Two hidden layers follow. No weight is negative, so that more ability never lowers the
// probability of success:
//
//	x_k = σ(e_j)(σ(A_ik) − σ(D_jk)) m_jk,  p = σ(w₃·σ(W₂ σ(W₁x + b₁) + b₂) + b₃)
//
// The parameters of a subject are A. Those of an item are D, then e and, if skills are learnt, the logits q of m = softmax(q).
// In training, each hidden unit is dropped at random with probability ½.
type network struct {
	dimensions int
	hidden     [2]int
	mask       [][]float64 // skills m, by item and dimension; nil: they are learnt
}

const keepShare = 0.5 // probability that dropout keeps a hidden unit, as in the released code

func (l network) widths() (subject, item, shared int) {
	k, h := l.dimensions, l.hidden
	item = k + 1
	if l.mask == nil {
		item += k
	}
	return k, item, h[0]*(k+1) + h[1]*(h[0]+1) + h[1] + 1
}

// layers cuts the parameters of the network into the weights and biases of its three layers.
func (l network) layers(w []float64) (weight, bias [3][]float64) {
	widths := [...]int{l.dimensions, l.hidden[0], l.hidden[1], 1}
	for i := range weight {
		in, out := widths[i], widths[i+1]
		weight[i], bias[i], w = w[:in*out], w[in*out:in*out+out], w[in*out+out:]
	}
	return weight, bias
}

// start draws the weights and the parameters of subjects and items by the normal rule of Glorot and Bengio (2010), called
// Xavier's: variance 2/(inputs + outputs). Biases are uniform in ±1/√inputs.
func (l network) start(u, v, w []float64, size counts, r *rng.Rand) {
	k := l.dimensions
	gaussian(u, xavier(size.subjects, k), r)
	gaussian(v, xavier(size.items, k), r)
	v[k] = float64(xavier(size.items, 1) * r.Norm())
	if w == nil {
		return
	}
	weight, bias := l.layers(w)
	widths := [...]int{k, l.hidden[0], l.hidden[1], 1}
	for i := range weight {
		gaussian(weight[i], xavier(widths[i], widths[i+1]), r)
		linearStart(bias[i], widths[i], r)
	}
}

func xavier(in, out int) float64 { return math.Sqrt(2 / float64(in+out)) }

// linearStart draws weights and biases of a linear layer with in inputs, uniformly in ±1/√in.
func linearStart(w []float64, in int, r *rng.Rand) {
	bound := 1 / math.Sqrt(float64(in))
	uniform(w, -bound, bound, r)
}

// project sets negative weights to 0. Biases may be negative.
func (l network) project(w []float64) {
	weight, _ := l.layers(w)
	for _, layer := range weight {
		for i, x := range layer {
			layer[i] = max(x, 0)
		}
	}
}

func (l network) at(w []float64, r *rng.Rand) evaluator {
	e := &networkAt{network: l, r: r}
	for _, x := range []*[]float64{&e.a, &e.b, &e.x, &e.dx, &e.m} {
		*x = make([]float64, l.dimensions)
	}
	e.weight, e.bias = l.layers(w)
	for i, n := range l.hidden {
		e.h[i], e.out[i], e.dh[i], e.on[i] = make([]float64, n), make([]float64, n), make([]float64, n), make([]int, 0, n)
	}
	return e
}

// A networkAt evaluates a network. It computes only the hidden units that are on: those that dropout keeps.
type networkAt struct {
	network
	weight, bias [3][]float64
	r            *rng.Rand
	a, b         []float64 // σ(A) and σ(D)
	x, dx, m     []float64
	e, p         float64
	h, out, dh   [2][]float64 // by layer, of the units that are on: σ, out = σ/(share kept), and the gradient by out
	on           [2][]int     // by hidden layer: indices of the units that are on
}

func (e *networkAt) forward(u, v []float64, j int) float64 {
	k := e.dimensions
	e.e = num.Logistic(v[k])
	if e.mask != nil {
		copy(e.m, e.mask[j])
	} else {
		softmax(v[k+1:], e.m)
	}
	for i := range e.x {
		e.a[i], e.b[i] = num.Logistic(u[i]), num.Logistic(v[i])
		e.x[i] = float64(e.e * (e.a[i] - e.b[i]) * e.m[i])
	}
	keep := 1.0
	if e.r != nil {
		keep = keepShare
	}
	for l := range e.hidden {
		e.draw(l)
		if l == 0 {
			for a, o := range e.on[0] {
				e.h[0][a] = e.bias[0][o] + num.Dot(e.weight[0][o*k:(o+1)*k], e.x)
			}
		} else {
			e.sum()
		}
		for a := range e.on[l] {
			e.h[l][a] = num.Logistic(e.h[l][a])
			e.out[l][a] = e.h[l][a] / keep
		}
	}
	z := e.bias[2][0]
	for a, o := range e.on[1] {
		z += float64(e.weight[2][o] * e.out[1][a])
	}
	e.p = num.Logistic(z)
	return e.p
}

// sum writes the input of each unit of the second hidden layer that is on into e.h, of four units at a time, whose sums do not wait for each
// other.
func (e *networkAt) sum() {
	on, width := e.on[1], e.hidden[0]
	for a := 0; a < len(on); a += 4 {
		var row [4][]float64
		var z [4]float64
		for c := range row {
			o := on[min(a+c, len(on)-1)]
			row[c], z[c] = e.weight[1][o*width:(o+1)*width], e.bias[1][o]
		}
		r0, r1, r2, r3 := row[0], row[1], row[2], row[3]
		z0, z1, z2, z3 := z[0], z[1], z[2], z[3]
		for b, i := range e.on[0] {
			x := e.out[0][b]
			z0 += float64(r0[i] * x)
			z1 += float64(r1[i] * x)
			z2 += float64(r2[i] * x)
			z3 += float64(r3[i] * x)
		}
		z = [4]float64{z0, z1, z2, z3}
		copy(e.h[1][a:min(a+4, len(on))], z[:])
	}
}

// draw chooses the units of hidden layer l that are on: each with probability ½, or all of them without dropout. Each bit of a
// random word decides for one unit.
func (e *networkAt) draw(l int) {
	e.on[l] = e.on[l][:0]
	word := ^uint64(0)
	for o := range e.hidden[l] {
		if e.r != nil && o%64 == 0 {
			word = e.r.Uint64()
		}
		if word>>(o%64)&1 == 1 {
			e.on[l] = append(e.on[l], o)
		}
	}
}

func (e *networkAt) backward(d float64, _, _ []float64, _ int, gu, gv, gw []float64) {
	gweight, gbias := e.layers(gw)
	k, keep := e.dimensions, 1.0
	if e.r != nil {
		keep = keepShare
	}
	d = float64(d * e.p * (1 - e.p))
	gbias[2][0] += d
	for a, o := range e.on[1] {
		gweight[2][o] += float64(d * e.out[1][a])
		e.dh[1][a] = float64(d * e.weight[2][o])
	}
	clear(e.dh[0])
	clear(e.dx)
	for a := 0; a < len(e.on[1]); a += 2 { // two units at a time; a single last one has a second that adds 0
		var row, grow [2][]float64
		var dz [2]float64
		for c := range dz {
			at := min(a+c, len(e.on[1])-1)
			o, h := e.on[1][at], e.h[1][at]
			if at == a+c {
				dz[c] = float64(e.dh[1][at] / keep * h * (1 - h))
			}
			gbias[1][o] += dz[c]
			row[c], grow[c] = e.weight[1][o*e.hidden[0]:(o+1)*e.hidden[0]], gweight[1][o*e.hidden[0]:(o+1)*e.hidden[0]]
		}
		r0, r1, g0, g1, d0, d1 := row[0], row[1], grow[0], grow[1], dz[0], dz[1]
		for b, i := range e.on[0] {
			x := e.out[0][b]
			g0[i] += float64(d0 * x)
			g1[i] += float64(d1 * x)
			e.dh[0][b] = e.dh[0][b] + float64(d0*r0[i]) + float64(d1*r1[i])
		}
	}
	for b, i := range e.on[0] {
		h := e.h[0][b]
		dz := float64(e.dh[0][b] / keep * h * (1 - h))
		gbias[0][i] += dz
		row, grow := e.weight[0][i*k:(i+1)*k], gweight[0][i*k:(i+1)*k]
		for c := range row {
			grow[c] += float64(dz * e.x[c])
			e.dx[c] += float64(dz * row[c])
		}
	}
	e.input(gu, gv)
}

// input computes the gradients by the parameters of the subject and the item from e.dx, the gradient by the input x.
func (e *networkAt) input(gu, gv []float64) {
	k, mean := e.dimensions, 0.0
	for i, dx := range e.dx {
		a, b := e.a[i], e.b[i]
		gu[i] += float64(dx * e.e * e.m[i] * a * (1 - a))
		gv[i] -= float64(dx * e.e * e.m[i] * b * (1 - b))
		gv[k] += float64(dx * (a - b) * e.m[i] * e.e * (1 - e.e))
		mean += float64(dx * e.x[i])
	}
	if e.mask != nil {
		return
	}
	for i, dx := range e.dx { // gradient by q: m_i(g_i − Σ m g), where g is the gradient by m, so that m_i g_i = x_i dx_i
		gv[k+1+i] += float64(dx*e.x[i]) - float64(e.m[i]*mean)
	}
}

// softmax writes exp(q)/Σ exp(q) into m.
func softmax(q, m []float64) {
	all := num.LogSumExp(q)
	for i, x := range q {
		m[i] = num.Exp(x - all)
	}
}
