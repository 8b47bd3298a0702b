package predict

import (
	"achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/rng"
)

// Scales of the inverse gamma priors of variances, in squared probits. The shape is 1. The prior of σ², the variance of the
// subjects' levels c, is weak, because the responses always inform it. The other scales are small, so that useless dimensions
// vanish.
const (
	levelScale    = 0.5  // σ²
	residualScale = 0.05 // Λ
	effectScale   = 0.05 // variances of B
	interceptVar  = 4    // fixed variance of the intercepts in B
)

// A gibbs sampler has the state of one chain of a Factor. Parameters lie in rows of width numbers: (c, θ) of a subject,
// and (b, a) of an item.
type gibbs struct {
	t               *table.Table
	d               *design
	width           int
	subjects, items int
	rowItem         []int32 // item of each row
	bySubject       []int   // by subject: its first row; the last element is the number of rows
	byItem          []int   // by item: index in itemRows of its first row; the last element is the number of rows
	itemRows        []int32 // rows, sorted by item
	class           []int32 // by item: which distinct row of the design it has
	first           []int   // by class: the first item that has it

	latent        []float64 // latent variable of each row
	subject, item []float64 // parameters, subjects × width and items × width
	effect        []float64 // width × d.width: B
	prior         []float64 // items × width: prior means B x of the items' parameters
	level         float64   // variance of c: σ²
	residual      []float64 // diagonal of Λ, by parameter of an item
	scale         []float64 // width × d.blocks: variances of the effects
	cross         num.Lower // xᵀx of the design

	a           num.Lower // a, b, x and total are scratch space
	b, x, total []float64 // total by class
}

func newGibbs(t *table.Table, class []int32, d *design, dimensions int) *gibbs {
	w := dimensions + 1
	g := &gibbs{t: t, d: d, width: w, subjects: len(t.Subjects), items: len(d.x) / d.width, bySubject: t.Bounds(),
		rowItem: make([]int32, t.Rows()), itemRows: make([]int32, t.Rows()), latent: make([]float64, t.Rows())}
	g.byItem = make([]int, g.items+1)
	for i, j := range t.Item {
		g.rowItem[i] = class[j]
		g.byItem[class[j]+1]++
	}
	for j := range g.items {
		g.byItem[j+1] += g.byItem[j]
	}
	next := append([]int(nil), g.byItem...)
	for i, j := range g.rowItem {
		g.itemRows[next[j]] = int32(i)
		next[j]++
	}
	g.subject, g.item, g.prior = make([]float64, g.subjects*w), make([]float64, g.items*w), make([]float64, g.items*w)
	g.effect, g.residual, g.scale = make([]float64, w*d.width), make([]float64, w), make([]float64, w*d.blocks)
	g.class, g.first = d.classes()
	g.total = make([]float64, len(g.first))
	g.cross = num.NewLower(d.width)
	for j := range g.items {
		addOuter(g.cross, d.row(j))
	}
	n := max(w, d.width)
	g.a, g.b, g.x = num.NewLower(n), make([]float64, n), make([]float64, n)
	return g
}

// scratchMatrix returns a zero matrix of n rows, valid until the next call.
func (g *gibbs) scratchMatrix(n int) num.Lower {
	a := g.a[:n*(n+1)/2]
	clear(a)
	return a
}

// addOuter adds x xᵀ to a.
func addOuter(a num.Lower, x []float64) {
	at := 0
	for i, v := range x {
		row := a[at : at+i+1]
		at += i + 1
		for k := range row {
			row[k] += float64(v * x[k])
		}
	}
}

// start draws the parameters at random and resets the variances.
func (g *gibbs) start(r *rng.Rand) {
	for i := range g.subject {
		g.subject[i] = 0.3 * r.Norm()
	}
	for i := range g.item {
		g.item[i] = 0.3 * r.Norm()
	}
	clear(g.effect)
	clear(g.prior)
	g.level = 1
	for k := range g.residual {
		g.residual[k] = 0.3
	}
	for k := range g.scale {
		g.scale[k] = 0.3
		if k%g.d.blocks == 0 {
			g.scale[k] = interceptVar
		}
	}
}

// sweep draws every block of parameters given the other blocks.
func (g *gibbs) sweep(r *rng.Rand) {
	g.drawLatent(r)
	for s := range g.subjects {
		g.drawSubject(s, r)
	}
	g.drawLevel(r)
	for j := range g.items {
		g.drawItem(j, r)
	}
	for k := range g.width {
		g.drawEffects(k, r)
	}
}

func (g *gibbs) subjectRow(s int) []float64 { return g.subject[s*g.width : (s+1)*g.width] }
func (g *gibbs) itemRow(j int) []float64    { return g.item[j*g.width : (j+1)*g.width] }

func (g *gibbs) drawLatent(r *rng.Rand) {
	for i, v := range g.t.Value {
		eta := linear(g.subjectRow(int(g.t.Subject[i])), g.itemRow(int(g.rowItem[i])))
		success := v == 1
		if v > 0 && v < 1 {
			success = r.Bernoulli(v)
		}
		if success {
			g.latent[i] = drawPositive(eta, r)
		} else {
			g.latent[i] = -drawPositive(-eta, r)
		}
	}
}

// drawSubject draws the parameters of subject s. It regresses the latent variables of the subject's responses on the
// items' parameters.
func (g *gibbs) drawSubject(s int, r *rng.Rand) {
	w := g.width
	a, b, x := g.scratchMatrix(w), g.b[:w], g.x[:w]
	clear(b)
	a[0] = 1 / g.level
	for k := 1; k < w; k++ {
		a.Row(k)[k] = 1
	}
	x[0] = 1
	for i := g.bySubject[s]; i < g.bySubject[s+1]; i++ {
		item := g.itemRow(int(g.rowItem[i]))
		copy(x[1:], item[1:])
		y := g.latent[i] - item[0]
		addOuter(a, x)
		num.AddTo(b, y, x)
	}
	drawGaussian(a, b, r)
	copy(g.subjectRow(s), b)
}

func (g *gibbs) drawLevel(r *rng.Rand) {
	sum := 0.0
	for s := range g.subjects {
		c := g.subject[s*g.width]
		sum += float64(c * c)
	}
	g.level = drawVariance(1+float64(g.subjects)/2, levelScale+sum/2, r)
}

// drawItem draws the parameters of item j. It regresses the latent variables of the item's responses on the subjects'
// parameters.
func (g *gibbs) drawItem(j int, r *rng.Rand) {
	w := g.width
	a, b, x := g.scratchMatrix(w), g.b[:w], g.x[:w]
	for k := range b {
		a.Row(k)[k] = 1 / g.residual[k]
		b[k] = g.prior[j*w+k] / g.residual[k]
	}
	x[0] = 1
	for _, i := range g.itemRows[g.byItem[j]:g.byItem[j+1]] {
		subject := g.subjectRow(int(g.t.Subject[i]))
		copy(x[1:], subject[1:])
		y := g.latent[i] - subject[0]
		addOuter(a, x)
		num.AddTo(b, y, x)
	}
	drawGaussian(a, b, r)
	copy(g.itemRow(j), b)
}

// expected returns the prior mean of parameter k of item j, given the item's features.
func (g *gibbs) expected(j, k int) float64 {
	sum, effect, x := 0.0, g.effect[k*g.d.width:(k+1)*g.d.width], g.d.row(j)
	for _, p := range g.d.filled[j] {
		sum += float64(effect[p] * x[p])
	}
	return sum
}

// drawEffects draws the effects of the features on parameter k of the items, by a regression. It then draws the
// variances.
func (g *gibbs) drawEffects(k int, r *rng.Rand) {
	w := g.d.width
	a, b := g.scratchMatrix(w), g.b[:w]
	scale, effect := g.scale[k*g.d.blocks:(k+1)*g.d.blocks], g.effect[k*w:(k+1)*w]
	for i, v := range g.cross {
		a[i] = v / g.residual[k]
	}
	clear(b)
	for p := range b {
		a.Row(p)[p] += 1 / scale[g.d.block[p]]
	}
	total := g.total // of the parameter over the items of each class
	clear(total)
	for j, c := range g.class {
		total[c] += g.item[j*g.width+k]
	}
	for c, j := range g.first {
		x, y := g.d.row(j), total[c]/g.residual[k]
		for _, p := range g.d.filled[j] {
			b[p] += float64(x[p] * y)
		}
	}
	drawGaussian(a, b, r)
	copy(effect, b)

	mean := total
	for c, j := range g.first {
		mean[c] = g.expected(j, k)
	}
	sum := 0.0
	for j, c := range g.class {
		g.prior[j*g.width+k] = mean[c]
		e := g.item[j*g.width+k] - g.prior[j*g.width+k]
		sum += float64(e * e)
	}
	g.residual[k] = drawVariance(1+float64(g.items)/2, residualScale+sum/2, r)
	for block := 1; block < g.d.blocks; block++ {
		n, square := 0.0, 0.0
		for p, v := range effect {
			if g.d.block[p] == block {
				n, square = n+1, square+float64(v*v)
			}
		}
		scale[block] = drawVariance(1+n/2, effectScale+square/2, r)
	}
}
