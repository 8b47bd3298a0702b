package posterior_test

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"

	"achilles/sim/num"
)

// An OPVariant is one of two variants of the object-permanence layout of Burden et al. (2023, Table 5).
type OPVariant struct {
	Margin    float64 // margin of an item without occluder; if Nested is false also the largest op
	MaxMemory float64 // memory ~ U(0, MaxMemory)
	Nested    bool    // op ~ U(0, 11·memory) instead of U(0, Margin)
}

// OPAsRun returns the layout as the released code has it.
func OPAsRun() OPVariant { return OPVariant{Margin: 52.8, MaxMemory: 4.8, Nested: true} }

// OPTable5 returns the layout as printed in Table 5 of the paper.
func OPTable5() OPVariant { return OPVariant{Margin: 48.4, MaxMemory: 4.4} }

// OPNames returns the names of the parameters, in the order of Constrain.
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

// Largest demands of the battery, and the largest value of visual.
const (
	opTime      = 4  // time under occlusion
	opPositions = 11 // other positions
	opGoalSize  = 5  // size of the reward
	opDistance  = 56 // distance of the reward
	opMaxVisual = 6  // upper bound of the prior of visual
)

// An OPTable is a table of responses: items with their features, and agents with a pass or fail on each item.
type OPTable struct {
	Agents    []string
	items     []opItem
	responses [][]bool // [agent][item]
}

type opItem struct {
	lava, platform, ramp, time, side, positions, size, distance, occluder float64
}

// ReadOP reads a CSV table with the columns lava, platform, ramp, time, xpos, positions, size, distance, occluder, and
// one column for each agent after the column colour.
func ReadOP(r io.Reader) (*OPTable, error) {
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("object-permanence table: %w", err)
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
				return nil, fmt.Errorf("object-permanence table has no column %s", name)
			}
			if x[i], err = strconv.ParseFloat(row[at], 64); err != nil {
				return nil, fmt.Errorf("object-permanence table, line %d, column %s: %w", line+2, name, err)
			}
		}
		t.items = append(t.items, opItem{x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8]})
		for i, y := range row[first:] {
			t.responses[i] = append(t.responses[i], y == "1")
		}
	}
	return t, nil
}

// Target returns the posterior of an agent. It panics if the agent is not in the table.
func (t *OPTable) Target(agent string, variant OPVariant) *OP {
	at := slices.Index(t.Agents, agent)
	if at < 0 {
		panic("no such agent")
	}
	return t.Simulated(variant, func(item int) bool { return t.responses[at][item] })
}

// Side returns on which side the reward of an item lies: −1 left, 1 right, 0 in the middle.
func (t *OPTable) Side(item int) float64 { return t.items[item].side }

// Mirrored returns the table with left and right exchanged.
func (t *OPTable) Mirrored() *OPTable {
	m := *t
	m.items = slices.Clone(t.items)
	for i := range m.items {
		m.items[i].side = -m.items[i].side
	}
	return &m
}

// Simulated returns the posterior of an agent with these responses to the items of the table.
func (t *OPTable) Simulated(variant OPVariant, passes func(item int) bool) *OP {
	o := &OP{variant: variant, open: num.Logistic(variant.Margin)}
	index := map[opRow]int{}
	total := 0.0
	for i, item := range t.items {
		row := opRow{
			time: level(&o.time, item.time, 0), positions: -1, size: level(&o.size, opGoalSize-item.size, 0),
			distance: level(&o.distance, item.distance, item.side),
			needs:    [3]bool{item.lava == 1, item.platform == 1, item.ramp == 1},
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
