package worlds

import (
	"fmt"
	"strconv"
)

// paradigm returns the name of the paradigm, for Item.Paradigm.
func (p *point) paradigm() string {
	return [...]string{cup: "cups", grid: "grid", chick: "chick", basic: "basic"}[p.family]
}

// task returns the name of the kind of item, if possible in the words of the most similar task of the suite.
func (g *generator) task() string {
	s := &g.sketch
	places := len(s.stations)
	switch {
	case s.family == cup && g.meter.Forced:
		return strconv.Itoa(places) + "CupFC" + s.frontWord("NoW")
	case s.family == cup:
		return strconv.Itoa(places) + "CupFree" + s.frontWord("NoW")
	case s.family == grid:
		return strconv.Itoa(places) + "CupGrid"
	case s.family == chick && s.occluder:
		return strconv.Itoa(s.positions+1) + "Occluder"
	case s.family == chick:
		return strconv.Itoa(places) + s.frontWord("NoOccluder")
	}
	return s.basicTask()
}

// frontWord returns the word for what stands at places that are in sight; `none` is the word for nothing. It returns ""
// for items with an occluder.
func (s *sketch) frontWord(none string) string {
	if s.occluder {
		return ""
	}
	return [...]string{bareFront: none, lowFront: "XtraLow", clearFront: "Trans", backWall: "Back"}[s.front]
}

// basicTask returns the name of a basic control, by its first obstacle.
func (s *sketch) basicTask() string {
	switch {
	case s.occluder:
		return "HighW"
	case s.turned:
		return "TurnAround"
	case s.ramp && s.band.shape == down:
		return "RampDown"
	case s.ramp:
		return "RampUp"
	case s.lava:
		return "Lava"
	case s.transparent:
		return "TransparentW"
	case s.platform:
		return "Ledge"
	case len(s.strips) > 0 || s.front == lowFront:
		return "OpaqueW"
	case s.bounce:
		return "Moving"
	case s.side != 0:
		return "Turning"
	}
	return "Sanity"
}

// String returns the levels of p as text.
func (p *point) String() string {
	return fmt.Sprintf("family %s, occluder %t, timeUnderOcclusion %g, numPositions %d, goalDistance %d, rightLeft %d, lava %t, ramp %t, platform %t, transparent %t, bounce %t, displaced %t",
		families[p.family], p.occluder, float64(p.hidden)/TicksPerTime, p.positions, p.distance*UnitsPerCell, p.side,
		p.lava, p.ramp, p.platform, p.transparent, p.bounce, p.displaced)
}
