package worlds

import "achilles/battery/measure"

// A reason says why a candidate was rejected, or that it fits. A reason whose name begins with wrong says that a
// measurement of the built world differs from the point of the design.
type reason uint8

const (
	fits           reason = iota
	noRoom                // the obstacles and places of the point do not fit into a world at this distance
	noWay                 // the reward cannot be reached
	tooShort              // the walk until the reward is in sight takes longer than the time under occlusion
	tooLate               // the full-information actor runs out of time
	wrongPlace            // distance or side differ
	wrongSight            // the reward is in sight from the start and should not be, or the reverse
	wrongPositions        // the number of hidden places differs
	wrongTime             // the time for which the reward is out of sight differs
	wrongGround           // lava, ramp, ledge or clear wall is present and should not be, or the reverse
	wrongEvent            // whether the reward is seen to move, or is displaced, differs
	duplicate             // another item of the battery has the same world
	reasonCount
)

var reasonTexts = [reasonCount]string{
	"fits", "no room", "no way", "walk longer than the occlusion", "out of time", "wrong distance or side", "wrong line of sight",
	"wrong number of positions", "wrong time under occlusion", "wrong ground", "wrong event", "duplicate",
}

// String returns the reason in words.
func (r reason) String() string { return reasonTexts[r] }

// compare returns the reason for the first difference between a measurement and a point, or fits if there is none.
func (p *point) compare(m *measure.Measurement) reason {
	switch {
	case !m.Finished:
		return tooLate
	case m.Manhattan != p.distance || m.Side != p.side:
		return wrongPlace
	case m.Occluder != p.occluder:
		return wrongSight
	case m.Positions != p.positions:
		return wrongPositions
	case !p.occluder && m.Hidden != p.hidden:
		return wrongTime
	case m.Lava != p.lava || m.Ramp != p.ramp || m.Platform != p.platform || m.Transparent != p.transparent:
		return wrongGround
	case m.Bounce != p.bounce || m.Displaced != p.displaced:
		return wrongEvent
	}
	return fits
}
