package mml

import (
	"math"

	"achilles/sim/num"
)

// An ItemFit compares the responses to an item of subjects with each total score with those that the model expects: S-X² of Orlando
// and Thissen (2000), for ordered categories as Kang and Chen (2008). Cells are joined until one response is expected in each.
type ItemFit struct {
	X2       float64 // NaN, as P and RMSEA, where there is no degree of freedom
	DF       int
	P        float64
	RMSEA    float64
	Subjects float64 // of whom it is: those for whose set of items there are fifty or more
}

// mostTotals is the number of operations up to which totals are compared.
const mostTotals = 2e9

// ItemFit returns the test of each item; nil where there are several groups or too many items.
func (f *Fit) ItemFit() []ItemFit {
	e := f.e
	grid, designs := e.coarse(), e.patterns.designs()
	work := 0.0
	for _, d := range designs {
		most := 0
		for _, i := range d.items {
			most += len(e.items[i].d)
		}
		work += float64(len(grid.theta)*len(d.items)*len(d.items)) * float64(most)
	}
	if len(e.groups) > 1 || work > mostTotals {
		return nil
	}
	prior := e.normal()
	weight := make([]float64, len(grid.theta))
	chance := make([][][]float64, len(e.items)) // item × node × category
	for i := range chance {
		chance[i] = make([][]float64, len(grid.theta))
	}
	for q, theta := range grid.theta {
		weight[q] = num.Exp(prior(0, theta) + grid.logw[q])
		for i := range e.items {
			it := &e.items[i]
			p := make([]float64, len(it.d)+1)
			it.logP(it.predictor(theta), p)
			num.ExpEach(p)
			chance[i][q] = p
		}
	}
	out := make([]ItemFit, len(e.items))
	for _, d := range designs {
		e.compareTotals(d, weight, chance, out)
	}
	// parameters that other responses determine as well take less than a degree of freedom each
	fitted := !e.patterns.repeated()
	for i := range out {
		for j, at := range e.items[i].at {
			if fitted && at >= 0 && !(e.model.OneSlope() && j < len(e.items[i].slope)) {
				out[i].DF--
			}
		}
		df := float64(out[i].DF)
		if df < 1 {
			out[i] = ItemFit{X2: math.NaN(), P: math.NaN(), RMSEA: math.NaN(), Subjects: out[i].Subjects}
			continue
		}
		out[i].P = tail(out[i].X2, df)
		out[i].RMSEA = math.Sqrt(max(0, out[i].X2-df) / (df * out[i].Subjects))
	}
	return out
}

// compareTotals adds squared deviations and numbers of free cells of the subjects of a design.
func (e *engine) compareTotals(d *design, weight []float64, chance [][][]float64, out []ItemFit) {
	most := 0
	own := make([][][]float64, len(d.items))
	for k, i := range d.items {
		most += len(e.items[i].d)
		own[k] = chance[i]
	}
	observed := make([][][]float64, len(d.items)) // item × total × category
	total := make([]float64, most+1)
	for k, i := range d.items {
		observed[k] = num.Rows(most+1, len(e.items[i].d)+1)
	}
	for _, u := range d.patterns {
		p := &e.patterns[u]
		t := 0
		for _, i := range d.items {
			t += int(p.y[i])
		}
		total[t] += p.n
		for k, i := range d.items {
			observed[k][t][p.y[i]] += p.n
		}
	}
	all := make([]float64, most+1) // probability of each total
	for q := range weight {
		for t, x := range totals(own, q, -1, most) {
			all[t] += float64(weight[q] * x)
		}
	}
	for k, i := range d.items {
		expect := num.Rows(most+1, len(e.items[i].d)+1)
		for q := range weight {
			rest := totals(own, q, k, most)
			for c, p := range own[k][q] {
				w := float64(weight[q] * p)
				for t := c; t <= most; t++ {
					expect[t][c] += float64(w * rest[t-c])
				}
			}
		}
		for t := range expect {
			for c := range expect[t] {
				if expect[t][c] *= total[t]; all[t] > 0 {
					expect[t][c] /= all[t]
				}
			}
		}
		// the lowest and the highest total leave no choice
		x, cells := joined(observed[k][1:most], expect[1:most])
		out[i].X2, out[i].DF, out[i].Subjects = out[i].X2+x, out[i].DF+cells, out[i].Subjects+d.n
	}
}

// coarse returns nodes for sums over what is known of all abilities, not of one subject.
func (e *engine) coarse() *grid {
	if e.abilities == 1 {
		return e.grid
	}
	return even(e.abilities, []int{0, 61, 17, 11}[e.abilities], 5)
}

// totals returns the probability of each total score at a node, without one item; −1: with all (Lord and Wingersky 1984).
func totals(chance [][][]float64, q, without, most int) []float64 {
	out, next := make([]float64, most+1), make([]float64, most+1)
	out[0] = 1
	top := 0
	for i := range chance {
		if i == without {
			continue
		}
		p := chance[i][q]
		clear(next[:top+len(p)])
		for t := 0; t <= top; t++ {
			for k, x := range p {
				next[t+k] += float64(out[t] * x)
			}
		}
		top += len(p) - 1
		out, next = next, out
	}
	clear(out[top+1:])
	return out
}

// joined returns the sum of squared deviations by what is expected, and the number of cells that are free given the number of subjects in each row. In
// a row, neighbouring categories are joined until one response is expected in each; a row in which all would be one is joined with the
// next.
func joined(observed, expect [][]float64) (x float64, cells int) {
	if len(observed) == 0 {
		return 0, 0
	}
	k := len(observed[0])
	type row struct{ o, e []float64 }
	var rows []row
	now := row{make([]float64, k), make([]float64, k)}
	for t := range observed {
		for j := range k {
			now.o[j] += observed[t][j]
			now.e[j] += expect[t][j]
		}
		if c := cellsOf(now.o, now.e); len(c) > 1 {
			rows = append(rows, now)
			now = row{make([]float64, k), make([]float64, k)}
		}
	}
	if len(rows) > 0 {
		last := &rows[len(rows)-1]
		for j := range k {
			last.o[j] += now.o[j]
			last.e[j] += now.e[j]
		}
	}
	for _, r := range rows {
		c := cellsOf(r.o, r.e)
		for _, v := range c {
			d := v[0] - v[1]
			x += float64(d*d) / v[1]
		}
		cells += len(c) - 1
	}
	return x, cells
}

// cellsOf joins neighbouring categories until one response is expected in each: observed and expected numbers.
func cellsOf(o, e []float64) (out [][2]float64) {
	var now [2]float64
	for j := range o {
		now[0], now[1] = now[0]+o[j], now[1]+e[j]
		if now[1] >= 1 {
			out = append(out, now)
			now = [2]float64{}
		}
	}
	if n := len(out); n > 0 {
		out[n-1][0], out[n-1][1] = out[n-1][0]+now[0], out[n-1][1]+now[1]
	}
	return out
}
