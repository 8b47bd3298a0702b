package infertest

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"achilles/sim/num"
)

// OPReading is one of two readings of the object-permanence layout of Burden et al. (2023, Table 5).
type OPReading struct {
	Margin    float64 // margin of an item without occluder, and in Table 5 the largest op
	MaxMemory float64 // memory ~ U(0, MaxMemory)
	Nested    bool    // op ~ U(0, 11·memory) instead of U(0, Margin)
}

// OPAsRun is the layout as the released code has it.
func OPAsRun() OPReading { return OPReading{Margin: 52.8, MaxMemory: 4.8, Nested: true} }

// OPTable5 is the layout as printed.
func OPTable5() OPReading { return OPReading{Margin: 48.4, MaxMemory: 4.4} }

// OPNames are the parameters, in the order of Constrain.
func OPNames() []string {
	return []string{"op", "memory", "visual", "flatNav", "lava", "platform", "ramp", "rightLeft", "noise"}
}

const (
	opOP = iota
	opMemory
	opVisual
	opFlatNav
	opLava
	opPlatform
	opRamp
	opRightLeft
	opNoise
	opParameters
)

// The largest demands of the battery.
const (
	opTime      = 4  // time under occlusion
	opPositions = 11 // other positions
	opGoalSize  = 5
	opDistance  = 56
	opMaxVisual = 6
)

// OPTable is a table of responses: items with their features, agents with a pass or fail on each.
type OPTable struct {
	Agents    []string
	items     []opItem
	responses [][]bool // [agent][item]
}

type opItem struct {
	lava, platform, ramp, time, side, positions, size, distance, occluder float64
}

// ReadOP reads a CSV table with the columns lava, platform, ramp, time, xpos, positions, size, distance, occluder,
// and one column an agent after "colour".
func ReadOP(r io.Reader) (*OPTable, error) {
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("infertest: object-permanence table: %w", err)
	}
	header := rows[0]
	features := []string{"lava", "platform", "ramp", "time", "xpos", "positions", "size", "distance", "occluder"}
	first := slices.Index(header, "colour") + 1
	t := &OPTable{Agents: header[first:], responses: make([][]bool, len(header)-first)}
	for line, row := range rows[1:] {
		var x [9]float64
		for i, name := range features {
			at := slices.Index(header, name)
			if at < 0 {
				return nil, fmt.Errorf("infertest: object-permanence table has no column %s", name)
			}
			if x[i], err = strconv.ParseFloat(row[at], 64); err != nil {
				return nil, fmt.Errorf("infertest: object-permanence table, line %d, column %s: %w", line+2, name, err)
			}
		}
		t.items = append(t.items, opItem{x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8]})
		for i, y := range row[first:] {
			t.responses[i] = append(t.responses[i], y == "1")
		}
	}
	return t, nil
}

// OP is the posterior of one agent, written out by hand: a likelihood over distinct feature rows whose logistic
// factors are computed once a level. It satisfies the targets of all engines. It is not safe for concurrent use;
// Clone gives another.
type OP struct {
	reading OPReading
	rows    []opRow
	chance  float64 // ν = 1 − mean response
	// levels of the features, and per level the factor, and the sum of the log-likelihood slopes through it
	time, positions, size []opLevel
	distance              []opLevel
	theta, dtheta         [opParameters]float64
	u                     [opParameters]float64

	Densities, Likelihoods int // calls so far
}

type opRow struct {
	passes, fails                   float64
	time, positions, size, distance int // levels; positions −1 without occluder
	lava, platform, ramp            bool
}

type opLevel struct {
	demand, side float64
	factor       float64
	slope        float64
}

// Target returns the posterior of the named agent. It panics for an agent that is not in the table.
func (t *OPTable) Target(agent string, reading OPReading) *OP {
	at := slices.Index(t.Agents, agent)
	if at < 0 {
		panic("infertest: no such agent")
	}
	return t.Imagined(reading, func(item int) bool { return t.responses[at][item] })
}

// Imagined returns the posterior of an agent with the given responses to the items of the table.
func (t *OPTable) Imagined(reading OPReading, passes func(item int) bool) *OP {
	o := &OP{reading: reading}
	index := map[opRow]int{}
	total := 0.0
	for i, item := range t.items {
		row := opRow{
			time: level(&o.time, item.time, 0), positions: -1, size: level(&o.size, opGoalSize-item.size, 0),
			distance: level(&o.distance, item.distance, item.side),
			lava:     item.lava == 1, platform: item.platform == 1, ramp: item.ramp == 1,
		}
		if item.occluder == 1 {
			row.positions = level(&o.positions, opTime*item.positions, 0)
		}
		j, ok := index[row]
		if !ok {
			j = len(o.rows)
			index[row] = j
			o.rows = append(o.rows, row)
		}
		if passes(i) {
			o.rows[j].passes++
			total++
		} else {
			o.rows[j].fails++
		}
	}
	o.chance = 1 - total/float64(len(t.items))
	return o
}

func level(levels *[]opLevel, demand, side float64) int {
	for i, l := range *levels {
		if l.demand == demand && l.side == side {
			return i
		}
	}
	*levels = append(*levels, opLevel{demand: demand, side: side})
	return len(*levels) - 1
}

// Clone returns a target of the same posterior for another goroutine, with counts of its own.
func (o *OP) Clone() *OP {
	c := *o
	c.time, c.positions, c.size, c.distance = slices.Clone(o.time), slices.Clone(o.positions), slices.Clone(o.size), slices.Clone(o.distance)
	c.Densities, c.Likelihoods = 0, 0
	return &c
}

// Dim returns 9.
func (o *OP) Dim() int { return opParameters }

// set fills theta from points of the unit interval.
func (o *OP) set(u []float64) {
	copy(o.u[:], u)
	o.theta[opMemory] = o.reading.MaxMemory * u[opMemory]
	o.theta[opOP] = o.maxOP() * u[opOP]
	o.theta[opVisual] = opMaxVisual * u[opVisual]
	o.theta[opFlatNav] = opDistance * u[opFlatNav]
	copy(o.theta[opLava:opRamp+1], u[opLava:opRamp+1])
	o.theta[opNoise] = u[opNoise]
}

func (o *OP) maxOP() float64 {
	if o.reading.Nested {
		return opPositions * o.theta[opMemory]
	}
	return o.reading.Margin
}

// LogLikelihood returns the log likelihood at the prior quantiles u in the open unit cube.
func (o *OP) LogLikelihood(u []float64) float64 {
	o.Likelihoods++
	o.set(u)
	o.theta[opRightLeft] = math.Sqrt2 * math.Erfinv(2*u[opRightLeft]-1)
	return o.logLikelihood(false)
}

// LogDensity returns log likelihood plus log prior density, with all constants, on the unconstrained scale, where every
// parameter is the logit of its prior quantile, but rightLeft itself.
func (o *OP) LogDensity(q, grad []float64) float64 {
	o.Densities++
	var u [opParameters]float64
	lp := 0.0
	for i, x := range q {
		if i == opRightLeft {
			lp -= 0.5*x*x + 0.5*math.Log(2*math.Pi)
			continue
		}
		u[i] = num.Logistic(x)
		lp += num.LogLogistic(x) + num.LogLogistic(-x)
	}
	o.set(u[:])
	o.theta[opRightLeft] = q[opRightLeft]
	lp += o.logLikelihood(true)
	d := o.dtheta
	if o.reading.Nested { // op = 11·memory·u
		d[opMemory] += d[opOP] * opPositions * u[opOP]
	}
	width := [opParameters]float64{o.maxOP(), o.reading.MaxMemory, opMaxVisual, opDistance, 1, 1, 1, 0, 1}
	for i := range q {
		grad[i] = d[i]*width[i]*u[i]*(1-u[i]) + 1 - 2*u[i]
	}
	grad[opRightLeft] = d[opRightLeft] - q[opRightLeft]
	return lp
}

// logLikelihood works on theta, and leaves its gradient in dtheta if asked for.
func (o *OP) logLikelihood(gradient bool) float64 {
	t := &o.theta
	fill := func(levels []opLevel, ability, bias float64) {
		for i := range levels {
			l := &levels[i]
			l.factor, l.slope = num.Logistic(ability-l.demand+bias*l.side), 0
		}
	}
	fill(o.time, t[opMemory], 0)
	fill(o.positions, t[opOP], 0)
	fill(o.size, t[opVisual], 0)
	fill(o.distance, t[opFlatNav], t[opRightLeft])
	open := num.Logistic(o.reading.Margin)
	noise, clear := t[opNoise], 1-t[opNoise]
	var binary [3]float64 // slopes through lava, platform, ramp
	bySlope := 0.0
	lp := 0.0
	for _, r := range o.rows {
		f := o.time[r.time].factor * o.size[r.size].factor * o.distance[r.distance].factor
		if r.positions >= 0 {
			f *= o.positions[r.positions].factor
		} else {
			f *= open
		}
		if r.lava {
			f *= t[opLava]
		}
		if r.platform {
			f *= t[opPlatform]
		}
		if r.ramp {
			f *= t[opRamp]
		}
		p := clear*f + noise*o.chance
		g := 0.0
		if r.passes > 0 {
			lp += r.passes * num.Log(p)
			g = r.passes / p
		}
		if r.fails > 0 {
			lp += r.fails * num.Log(1-p)
			g -= r.fails / (1 - p)
		}
		if !gradient {
			continue
		}
		bySlope += g * (o.chance - f)
		s := g * clear * f // slope of the log likelihood by the log of any factor
		o.time[r.time].slope += s
		o.size[r.size].slope += s
		o.distance[r.distance].slope += s
		if r.positions >= 0 {
			o.positions[r.positions].slope += s
		}
		if r.lava {
			binary[0] += s
		}
		if r.platform {
			binary[1] += s
		}
		if r.ramp {
			binary[2] += s
		}
	}
	if gradient {
		o.collect(binary, bySlope)
	}
	return lp
}

// collect turns slopes by log factors into slopes by parameters: the log of a logistic has slope 1 − its value.
func (o *OP) collect(binary [3]float64, noise float64) {
	d := &o.dtheta
	*d = [opParameters]float64{opNoise: noise}
	sum := func(levels []opLevel, ability, bias int) {
		for _, l := range levels {
			s := l.slope * (1 - l.factor)
			d[ability] += s
			d[bias] += s * l.side
		}
	}
	sum(o.time, opMemory, opRightLeft)
	sum(o.positions, opOP, opRightLeft)
	sum(o.size, opVisual, opRightLeft)
	sum(o.distance, opFlatNav, opRightLeft)
	for i, s := range binary {
		d[opLava+i] = s / o.theta[opLava+i]
	}
}

// FromCube writes the unconstrained position of the prior quantiles u into q.
func (o *OP) FromCube(u, q []float64) {
	for i, x := range u {
		if i == opRightLeft {
			q[i] = math.Sqrt2 * math.Erfinv(2*x-1)
		} else {
			q[i] = num.Log(x) - num.Log1p(-x)
		}
	}
}

// Constrain writes the parameters at the unconstrained position q into theta, in the order of OPNames.
func (o *OP) Constrain(q, theta []float64) {
	var u [opParameters]float64
	for i, x := range q {
		u[i] = num.Logistic(x)
	}
	o.set(u[:])
	o.theta[opRightLeft] = q[opRightLeft]
	copy(theta, o.theta[:])
}
