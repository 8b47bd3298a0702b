package opiaagets

import "fmt"

// This file has the instances with the grid of the primate cognition test battery: the reward falls into one of 4, 8 or 12
// holes of a platform. In the controls the holes are shallow, and the top of the reward shows.

// A row is a row of holes: its word in names, its depth z in the arena, its time under occlusion on the paper's scale of
// whole numbers, and the distance that the released table has for the inner columns.
type row struct {
	word           string
	z              float64
	time, distance float64
}

func closeRow() row { return row{"Close", 24, 1, 16} }
func midRow() row   { return row{"Mid", 30, 2, 32} }
func farRow() row   { return row{"Far", 36, 3, 48} }

// A hole is a column in which holes lie. Names call the inner columns close and the outer ones far.
type hole struct {
	word  string
	x     float64
	side  side
	outer bool
}

func holes() []hole {
	return []hole{
		{"CloseLeft", 14, left, false}, {"CloseRight", 24, right, false},
		{"FarLeft", 6, left, true}, {"FarRight", 32, right, true},
	}
}

// hiddenGrids returns the 192 instances that need object permanence, visibleGrids the 240 controls. Their sizes differ:
// a reward must vanish in a deep hole and show above a shallow one.
func hiddenGrids() []instance  { return grids(true, []float64{0.5, 1.5, 1, 2}) }
func visibleGrids() []instance { return grids(false, []float64{2.5, 2, 3.5, 3, 4}) }

func grids(hidden bool, sizes []float64) []instance {
	g := gridMaker{hidden: hidden}
	for _, r := range []row{closeRow(), farRow(), midRow()} {
		for _, size := range sizes {
			for _, h := range holes() {
				g.add(4, "4CupGrid"+r.word, "G"+inName(size)+h.word, size, r, h)
			}
		}
	}
	for _, pair := range [][2]row{{closeRow(), farRow()}, {closeRow(), midRow()}, {midRow(), farRow()}} {
		for _, size := range sizes {
			for _, h := range holes() {
				g.add(8, "8CupGrid"+pair[0].word+pair[1].word, "G"+inName(size)+h.word+"Close", size, pair[0], h)
				g.add(8, "8CupGrid"+pair[0].word+pair[1].word, "G"+inName(size)+h.word+"Far", size, pair[1], h)
			}
		}
	}
	for _, size := range sizes {
		for _, h := range holes() {
			for _, r := range []row{closeRow(), farRow(), midRow()} {
				g.add(12, "12CupGrid", nameOf12(size, r, h), size, r, h)
			}
		}
	}
	return g.out
}

// nameOf12 returns the part that stands for the hole in the name of an instance with 12 holes. The suite spells the far
// outer holes irregularly.
func nameOf12(size float64, r row, h hole) string {
	if h.outer && r.word == "Far" {
		return "G" + inName(size) + h.word + "-G" + inName(size) + "Far"
	}
	return "G" + inName(size) + h.word + r.word
}

type gridMaker struct {
	hidden bool
	out    []instance
}

func (g *gridMaker) add(holes int, task, name string, size float64, r row, h hole) {
	m := meta{
		family: "grid", ability: "GridLikeTasks", row: r.word, column: "Inner", occluderColour: platformBlue(),
		size: size, distance: r.distance, side: float64(h.side), ramp: 1, platform: 1, forced: 1, lastSeen: 1,
	}
	prefix := "OP-RP-Allo-PCTB"
	m.subsuite, m.visible = "RoomPractice", 1
	if g.hidden {
		prefix = "OP-STC-Allo-PCTB"
		m.subsuite, m.visible = "AllocentricOP", 0
		m.requires, m.occluder, m.positions, m.time = 1, 1, float64(holes-1), r.time
	}
	if h.outer {
		m.column = "Outer"
		m.distance += 8
		m.time += is(g.hidden)
	}
	rel := m
	if g.hidden && task == "8CupGridCloseFar" {
		rel.time = slipOfCloseFar(r, h)
	}
	out := instance{fmt.Sprintf("%s-%s-%s-NA-0-NA.yml", prefix, task, name), fmt.Sprintf("%dCup", holes), task, rel, gridScene(m, size, holes, r, h)}
	g.out = append(g.out, out)
}

// slipOfCloseFar returns the time in the released table for the one task in which it is not the sum of the times of row and
// column: there the far inner hole has a shorter time than the close outer one.
func slipOfCloseFar(r row, h hole) float64 {
	return 1 + is(r.word == "Far") + 2*is(h.outer)
}

func gridScene(m meta, size float64, holes int, r row, h hole) meta {
	m.geometry = at(place{20, 2}, place{h.x, r.z}).geometry()
	m.distance = m.finalManhattan
	m.places, m.rampAny, m.steps, m.mark = float64(holes), 1, 250, size-1
	m.blackoutFrom, m.blackoutTo = unknown(), unknown()
	m.rewardColour = "green"
	return m
}
