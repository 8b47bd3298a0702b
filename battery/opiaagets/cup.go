package opiaagets

import (
	"fmt"
	"strings"
)

// This file has the instances with the three cups of the primate cognition test battery: the reward falls behind one of
// three walls. An agent that has climbed the ramp into a lane cannot go back.

// A lane leads to one of the three cups. letter is its letter in names, reward the place of its reward.
type lane struct {
	letter string
	side   side
	reward place
}

func lanes() []lane {
	return []lane{{"L", left, place{8, 38}}, {"M", middle, place{20, 38}}, {"R", right, place{33.4, 38}}}
}

// A start is where the agent begins. time is its time under occlusion on the paper's scale of whole numbers. distance
// is that of the released table, which counts the way forward only.
type start struct {
	word           string
	agent          place
	time, distance float64
}

func starts() []start {
	return []start{{"Close", place{20, 15}, 1, 23}, {"Far", place{20, 5}, 3, 33}}
}

func cupSizes() []float64 { return []float64{0.5, 1, 2.5, 2, 3} }

// cupVariants returns the two variants of the cup task, as the file names of the published instances spell them. OpLava has
// lava beside the ramps, and OPQ has none.
func cupVariants() []string { return []string{"OpLava", "OPQ"} }

// hiddenCups returns the 360 instances that need object permanence.
func hiddenCups() []instance {
	var out []instance
	eachCup(func(size float64, l lane, d start) {
		for _, c := range wallColours() {
			for _, variant := range cupVariants() {
				out = append(out, hiddenCup(size, l, d, c, variant))
			}
		}
	})
	return out
}

func hiddenCup(size float64, l lane, d start, c colour, variant string) instance {
	m := cup(size, l, d)
	m.subsuite, m.requires, m.occluder = "AllocentricOP", 1, 1
	m.time, m.positions, m.occluderColour = d.time, 2, c
	m.ramp, m.forced, m.lastSeen = 1, 1, 1

	rel := m
	rel.lava = is(variant == "OPQ") // the released table exchanges the two variants

	cor := cupScene(m, size, l, d)
	cor.lava, cor.rampAny = is(variant == "OpLava"), 1
	name := fmt.Sprintf("OP-STC-Allo-PCTB-3CupFC-%s-%s-0-%s.yml", cupName(size, l, d), c.name, variant)
	return instance{name, "3CupForcedChoice", "3CupFC", rel, cor}
}

// visibleCups returns the 240 controls: with clear cups (Trans) or none (NoW), with ramps (FC) or without (Free).
func visibleCups() []instance {
	var out []instance
	for _, task := range []string{"3CupFCNoW", "3CupFCTrans", "3CupFreeNoW", "3CupFreeTrans"} {
		eachCup(func(size float64, l lane, d start) {
			for _, variant := range cupVariants() {
				out = append(out, visibleCup(task, size, l, d, variant))
			}
		})
	}
	return out
}

func visibleCup(task string, size float64, l lane, d start, variant string) instance {
	climbs := is(strings.HasPrefix(task, "3CupFC"))
	lava := is(variant == "OpLava")
	m := cup(size, l, d)
	m.subsuite, m.visible, m.lastSeen = "RoomPractice", 1, 1
	m.ramp, m.forced, m.transparent = climbs, climbs, 1 // the lane walls are clear in all four

	rel := m
	rel.lava = lava

	cor := cupScene(m, size, l, d)
	cor.lava, cor.rampAny = lava*climbs, climbs // the lava lies beside the ramps: without ramps there is no lava
	name := fmt.Sprintf("OP-RP-Allo-PCTB-%s-%s-NA-0-%s.yml", task, cupName(size, l, d), variant)
	return instance{name, "3CupForcedChoice", task, rel, cor}
}

func eachCup(visit func(size float64, l lane, d start)) {
	for _, size := range cupSizes() {
		for _, l := range lanes() {
			for _, d := range starts() {
				visit(size, l, d)
			}
		}
	}
}

// cupName returns the part of a file name that tells the number of rewards, the size, the lane and the start. The G says green,
// even if the file has a yellow reward.
func cupName(size float64, l lane, d start) string { return "1G" + inName(size) + l.letter + d.word }

// cup returns the values that all cup instances have in both codings.
func cup(size float64, l lane, d start) meta {
	return meta{family: "cup", ability: "3CupLikeTasks", size: size, distance: d.distance, side: float64(l.side)}
}

func cupScene(m meta, size float64, l lane, d start) meta {
	m.geometry = at(d.agent, l.reward).geometry()
	m.distance = m.finalManhattan
	m.places, m.steps, m.mark = 3, 500, size-1 // a reward decays by 1 until the time is up
	m.blackoutFrom, m.blackoutTo = unknown(), unknown()
	m.rewardColour = "green"
	if l.side == right && d.word == "Far" {
		m.rewardColour = "yellow" // the files of November 2022 hold a yellow reward
	}
	return m
}
