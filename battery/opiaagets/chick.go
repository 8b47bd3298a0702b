package opiaagets

import (
	"fmt"
	"slices"
	"strings"
)

// This file has the instances after Chiandetti and Vallortigara's experiment with chicks: the agent cannot move while the
// reward rolls away over lava towards a block that sends it left or right. In two of the three hidden tasks the lights go
// out meanwhile, and only the size of the occluders tells where the reward can be.

// hiddenChicks returns the 36 instances that need object permanence.
func hiddenChicks() []instance {
	var out []instance
	for _, task := range []string{"1Occluder", "2Occluder", "Thin"} {
		for _, s := range sides() {
			for _, c := range wallColours() {
				out = append(out, hiddenChick(task, s, c))
			}
		}
	}
	return out
}

func hiddenChick(task string, s side, c colour) instance {
	// With two equal occluders the lights stay on: the reward is seen to go behind one of them.
	dark := task != "2Occluder"
	m := chick(s, c)
	m.subsuite, m.requires, m.occluder = "AllocentricOP", 1, 1
	m.time, m.positions = 3, 1
	m.lastSeen = is(!dark)

	rel := m
	rel.size, rel.transparent, rel.lightsOut = 2, is(dark), 1 // the files have size 3, and clear rails in every task

	cor := chickScene(m, s)
	cor.size, cor.mark, cor.rampAny = 3, 2, 1
	cor.lightsOut = is(dark)
	if dark {
		cor.blackoutFrom, cor.blackoutTo = 19, 80
	}
	name := fmt.Sprintf("OP-STC-Allo-CVChick-%s-%s-%s-0-OPQ.yml", task, s.word(), c.name)
	return instance{name, "CVChick", task, rel, cor}
}

// A chickControl is a kind of control in which the reward stays in sight. The walls stand behind the reward (Ipsi: on
// its side, Contra: on the other side), are clear or low, or there are none.
type chickControl struct {
	task     string
	sizes    []float64
	variant  string // last part of the name: OPQ, Trans or NA
	onlyEast bool   // the file for the left side is missing from the paper's set
	rampless bool   // no ramp in the file
}

// chickControls returns the kinds of control in the order of their names. No rule says which kinds exist.
func chickControls() []chickControl {
	all, falling := []float64{1.5, 1, 2.5, 2, 3}, []float64{2}
	return []chickControl{
		{"1FallingLargeContra", falling, "OPQ", false, false},
		{"1FallingLargeIpsi", falling, "OPQ", false, false},
		{"1FallingSmallContra", falling, "OPQ", false, false},
		{"1OccluderContra", all, "OPQ", false, true},
		{"1OccluderIpsi", all, "OPQ", false, true},
		{"1ThinContra", all, "OPQ", true, false},
		{"1ThinIpsi", all, "OPQ", false, false},
		{"1TransContra", all, "Trans", false, false},
		{"1TransIpsi", all, "Trans", false, false},
		{"1XtraLowContra", all, "OPQ", false, false},
		{"1XtraLowIpsi", all, "OPQ", false, false},
		{"2Falling", falling, "OPQ", false, false},
		{"2Occluder", all, "OPQ", false, true},
		{"2Thin", all, "OPQ", false, false},
		{"2Trans", all, "Trans", false, false},
		{"2XtraLow", all, "OPQ", false, false},
		{"NoOccluder", all, "NA", false, false},
	}
}

// visibleChicks returns the 598 controls in the order of their names: by size, then by kind.
func visibleChicks() []instance {
	var out []instance
	for _, size := range []float64{1.5, 1, 2.5, 2, 3} {
		for _, v := range chickControls() {
			for _, s := range sides() {
				if v.has(size, s) {
					out = append(out, v.instances(size, s)...)
				}
			}
		}
	}
	return out
}

func (v chickControl) has(size float64, s side) bool {
	return !(v.onlyEast && s != right) && slices.Contains(v.sizes, size)
}

// instances returns one instance per wall colour, or a single one without colour if the walls are clear or absent.
func (v chickControl) instances(size float64, s side) []instance {
	walls := wallColours()
	if v.variant != "OPQ" {
		walls = []colour{{}}
	}
	var out []instance
	for _, c := range walls {
		out = append(out, v.instance(size, s, c))
	}
	return out
}

func (v chickControl) instance(size float64, s side, c colour) instance {
	m := chick(s, c)
	m.subsuite, m.visible, m.lastSeen = "RoomPractice", 1, 1
	m.size = size

	rel := m
	rel.transparent = is(strings.Contains(v.task, "Trans"))
	if strings.Contains(v.task, "Contra") {
		rel.side = float64(-s) // the released table has the side of the wall
	}

	cor := chickScene(m, s)
	cor.mark, cor.rampAny = size-1, is(!v.rampless)

	task := "G" + inName(size) + v.task
	paint := c.name
	if paint == "" {
		paint = "NA"
	}
	name := fmt.Sprintf("OP-RP-Allo-CVChick-%s-%s-%s-0-%s.yml", task, s.word(), paint, v.variant)
	return instance{name, "CVChick", task, rel, cor}
}

// chick returns the values that all chick instances have in both codings.
func chick(s side, c colour) meta {
	return meta{
		family: "cv", ability: "CVChickLikeTasks", occluderColour: c,
		distance: 46, side: float64(s), lava: 1, platform: 1, bounce: 1, forced: 1,
	}
}

// chickScene adds the values that the files of all chick instances have. The place where the reward ends is
// approximated as in the sister repository (comparative-object-permanence): 12 units to the side, at the depth of the
// occluders.
func chickScene(m meta, s side) meta {
	sc := scene{agent: place{20, 2}, reward: place{20, 22}, final: place{20 + 12*float64(s), 36}, moving: true}
	m.geometry = sc.geometry()
	m.distance, m.side = m.finalManhattan, float64(s)
	m.transparent, m.places, m.frozen, m.steps = 1, 2, 10, 500 // the walkway has clear rails in every file
	m.blackoutFrom, m.blackoutTo = unknown(), unknown()
	m.rewardColour = "green"
	return m
}
