package worlds

import "achilles/gridworld"

// An event is what happens before the actor may act. The covers are always in the air, where no wall hides them; so is
// the reward while it is shown.
type event struct {
	things   []thing // the reward, then the covers and further rewards
	usual    kind    // of rewards
	cues     []cue
	tick     int  // the present tick; in the end, the tick at which everything is at rest
	hides    int  // tick at which the reward last went out of sight
	darkFrom int  // tick at which the lights go out; 0: they do not
	darkTo   int  // tick at which they are on again; 0: when everything is at rest; untilFree: when the actor may act
	shows    bool // the reward is in the air
	reward   spot // present place of the reward
}

// A thing has its place at tick 0. The size of a cover is in hundredths; that of a reward is 0.
type thing struct {
	spot
	size int
	kind        // of a reward
	late bool   // it is hidden at first
	name string // of a cover; empty: cover
}

// A kind of reward has an index in goalColours and a value. Thing 0 always ends the episode; others do if they are final.
type kind struct {
	colour, value int
	final         bool
	wide          int // size in hundredths; 0: that of the item
}

// coverSize is the size of covers under which every reward fits.
const coverSize = 500

type cue struct {
	tick, thing int
	spot
	state gridworld.State
}

func (e *event) reset(colour int) {
	*e = event{things: e.things[:0], cues: e.cues[:0], usual: kind{colour: colour, value: 1}}
}

// begin shows the reward at p for the first stillTicks ticks.
func (e *event) begin(p spot) {
	e.things, e.reward, e.shows = append(e.things, thing{spot: p, kind: e.usual}), p, true
	e.wait(stillTicks)
}

// stillTicks is the number of ticks for which a reward that does not move is shown; untilFree is no tick.
const stillTicks, untilFree = 3, -1

func (e *event) wait(ticks int) { e.tick += ticks }

// move puts a thing at p in a state at the present tick.
func (e *event) move(thing int, p spot, state gridworld.State) {
	e.cues = append(e.cues, cue{e.tick, thing, p, state})
}

// show puts the reward into the air at p at the present tick.
func (e *event) show(p spot) {
	e.reward, e.shows = p, true
	e.move(0, p, gridworld.Air)
}

// hide makes the reward vanish at the present tick.
func (e *event) hide() {
	e.shows, e.hides = false, e.tick
	e.move(0, e.reward, gridworld.Hidden)
}

// moveReward moves the reward through the air to p, which it reaches after `ticks` ticks.
func (e *event) moveReward(p spot, ticks int) {
	from := e.reward
	for i := 1; i <= ticks; i++ {
		e.wait(1)
		e.show(between(from, p, i, ticks))
	}
}

// rest puts the reward on the ground in the well at p at the present tick. If the reward was in sight, it counts as
// hidden from this tick on.
func (e *event) rest(p spot) {
	if e.shows {
		e.hides = e.tick
	}
	e.reward, e.shows = p, false
	e.move(0, p, gridworld.Ground)
}

// add adds a cover of some size, or a further reward if the size is 0, that is at p at tick 0, and returns its index among the things.
func (e *event) add(p spot, size int) int {
	e.things = append(e.things, thing{spot: p, size: size, kind: e.usual})
	return len(e.things) - 1
}

// lightsOut makes it dark from the present tick on, for some ticks.
func (e *event) lightsOut(ticks int) {
	e.darkFrom = e.tick
	e.wait(ticks)
}
