package power

import (
	"fmt"
	"math"
	"slices"

	"achilles/battery"
	"achilles/sim/expr"
	"achilles/sim/num"
)

// A Shape is a set of members of a family. It sorts the items into cells. A member has one pass probability for each
// cell, which can be anything between the bounds of the cell.
type Shape struct {
	Family, Name string
	cell         []int     // item → cell
	low, high    []float64 // bounds of the pass probability, by cell
	weak         bool      // rates must fall from the first cell to the last, and the last must be at most visible × the first
}

// visible is the largest ratio of the pass rates in the last and the first cell of an Achilles heel. With a larger
// ratio the weakness would not show.
const visible = 0.65

// able is the least constant pass rate of a capable subject; below it a subject is nonspecific.
const able = 0.8

// A count has the number of items of a cell, and the sum of a subject's pass probabilities on them.
type count struct{ n, sum float64 }

// rate returns the mean pass probability, or 0 in an empty cell.
func (c count) rate() float64 { return c.sum / max(c.n, 1) }

// nearest returns the member of a shape that responds most like a subject with pass probabilities p: the member with
// the least Kullback–Leibler divergence of p from it. Without bounds its rate in a cell would be the mean of p in that
// cell.
func (s *Shape) nearest(p []float64) Rival {
	cells, rates := make([]count, len(s.low)), make([]float64, len(s.low))
	entropy := 0.0
	for i, c := range s.cell {
		cells[c].n++
		cells[c].sum += p[i]
		entropy += float64(p[i]*log(p[i])) + float64((1-p[i])*log(1-p[i]))
	}
	for c := range rates {
		rates[c] = cells[c].rate()
	}
	if s.weak {
		rates = falling(cells)
	}
	for c := range rates {
		rates[c] = min(max(rates[c], s.low[c]), s.high[c])
	}
	return Rival{Family: s.Family, Shape: s.Name, Evidence: max(0, entropy-fit(cells, rates)), Rates: rates, cell: s.cell}
}

// log returns the natural logarithm of a probability. It is finite at 0, so that 0·log 0 is 0.
func log(x float64) float64 {
	if x <= 0 {
		return -math.MaxFloat32
	}
	return num.Log(x)
}

// fit returns the expected log likelihood of the rates. The expectation is over one response to every item by the
// subject whose pass probabilities are summed in cells.
func fit(cells []count, rates []float64) float64 {
	sum := 0.0
	for c, r := range rates {
		sum += float64(cells[c].sum*log(r)) + float64((cells[c].n-cells[c].sum)*log(1-r))
	}
	return sum
}

// falling returns the rates with the greatest fit among those that fall from the first cell to the last, and whose last
// is at most visible × the first. If the second condition matters, it searches the first rate on a grid of 0.005.
func falling(cells []count) []float64 {
	rates := pool(cells)
	last := len(rates) - 1
	if rates[last] <= visible*rates[0] {
		return rates
	}
	best, most := rates, math.Inf(-1)
	for top := 0.005; top < 1.0025; top += 0.005 {
		try := slices.Clone(rates)
		for c := range try { // rates between the first and the last must lie between these two
			try[c] = min(max(try[c], visible*top), top)
		}
		try[0], try[last] = min(top, 1), visible*min(top, 1)
		if f := fit(cells, try); f > most {
			best, most = try, f
		}
	}
	return best
}

// pool returns the rates of greatest likelihood among those that never rise from one cell to the next, by pooling
// adjacent violators (Barlow et al. 1972). An empty cell gets the rate of the cell before it, or of the cell after it
// if it is the first.
func pool(cells []count) []float64 {
	type block struct {
		count
		cells int
	}
	var blocks []block
	for _, c := range cells {
		blocks = append(blocks, block{c, 1})
		for k := len(blocks) - 1; k > 0; k-- {
			a, b := blocks[k-1], blocks[k]
			if a.n > 0 && b.n > 0 && a.rate() >= b.rate() {
				break
			}
			blocks = append(blocks[:k-1], block{count{a.n + b.n, a.sum + b.sum}, a.cells + b.cells})
		}
	}
	var out []float64
	for _, b := range blocks {
		for range b.cells {
			out = append(out, b.rate())
		}
	}
	return out
}

// Shapes returns the shapes of the families in the object-permanence scenarios, on a battery with the features of the
// suite opiaagets. The error names the first condition that does not fit the battery.
func Shapes(b *battery.Battery) ([]Shape, error) {
	m := &maker{b: b}
	m.fixed("capable", "constant", [][2]float64{{able, 1}})
	m.fixed("nonspecific", "constant", [][2]float64{{0, able}})
	for _, f := range []string{"lava", "ramp", "platform"} {
		m.weak(f, f+" == 1")
	}
	m.weak("visual", "goalSize <= 2.5", "goalSize <= 2", "goalSize <= 1.5", "goalSize <= 1", "goalSize <= 0.5")
	m.weak("memory", "timeUnderOcclusion > 0", "timeUnderOcclusion > 1", "timeUnderOcclusion > 2", "timeUnderOcclusion > 3")
	m.weak("positions", "numPositions > 1", "numPositions > 2", "numPositions > 4", "numPositions > 10")
	m.weak("right-bias", "rightLeft < 1", "rightLeft < 0")
	m.weak("left-bias", "rightLeft > -1", "rightLeft > 0")
	m.colours()
	m.fixed("achilles-heel", "look-alike", [][2]float64{{0.9, 1}, {0.35, 0.7}, {0.6, 0.9}, {0.8, 0.97}}, `family == "cup"`, `family == "grid"`, `family == "cv"`)
	m.fixed("achilles-heel", "clumsy", [][2]float64{{0.75, 1}, {0.3, 0.6}, {0.5, 1}, {0.4, 1}, {0.4, 1}},
		"lava == 1", `family == "grid" && requiresOP == 1 && timeUnderOcclusion <= 1`,
		`family == "grid" && requiresOP == 1 && timeUnderOcclusion == 2`, `family == "grid" && requiresOP == 1 && timeUnderOcclusion > 2`)
	for _, fails := range []string{`"cup"`, `"grid"`, `"cv"`, `"cup", "grid"`, `"cup", "cv"`, `"cv", "grid"`} {
		m.fixed("context-specific", "fails "+fails, [][2]float64{{0.6, 1}, {0, 0.2}}, "in(family, "+fails+")")
	}
	m.fraudster("last seen", "lastSeenPasses")
	return m.shapes, m.err
}

// A maker makes shapes from conditions on items. It stops at the first error and keeps it in err.
type maker struct {
	b      *battery.Battery
	shapes []Shape
	err    error
}

// weak adds an Achilles heel to the shapes. Each condition implies the one before it. The pass rates fall from the
// items for which no condition holds to those for which the last one holds.
func (m *maker) weak(name string, conditions ...string) {
	bounds := make([][2]float64, len(conditions)+1)
	for i := range bounds {
		bounds[i] = [2]float64{0, 1}
	}
	bounds[0][0] = 0.7
	m.fixed("achilles-heel", name, bounds, conditions...)
	m.shapes[len(m.shapes)-1].weak = true
}

// fixed adds a shape with bounds for each cell. Cell 0 has the items for which no condition holds; cell k has those
// for which condition k is the last that holds, counted from 1.
func (m *maker) fixed(family, name string, bounds [][2]float64, conditions ...string) {
	s := Shape{Family: family, Name: name, cell: make([]int, m.b.Items.Len())}
	for _, b := range bounds {
		s.low, s.high = append(s.low, b[0]), append(s.high, b[1])
	}
	for c, condition := range conditions {
		m.each(condition, func(item int) { s.cell[item] = c + 1 })
	}
	m.shapes = append(m.shapes, s)
}

func (m *maker) colours() {
	for _, among := range []string{`"Beige"`, `"Brown"`, `"DarkBlue"`, `"DarkGreen"`, `"Grey"`, `"OffWhite"`, `"Beige", "OffWhite"`} {
		is := "in(occluderColour, " + among + ")"
		m.weak("colour "+among, is)
		m.weak("colour "+among+" with lava", is+" && lava == 1")
	}
}

// each calls call with every item for which the condition holds.
func (m *maker) each(condition string, call func(item int)) {
	if m.err != nil {
		return
	}
	n, err := expr.Parse(condition)
	var p *expr.Program
	if err == nil {
		p, err = expr.Compile(n, m.b.Column, m.b.ColumnNames()...)
	}
	if err != nil {
		m.err = fmt.Errorf("power: condition %s: %w", condition, err)
		return
	}
	for i := range m.b.Items.Len() {
		if p.Bool(i) {
			call(i)
		}
	}
}
