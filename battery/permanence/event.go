package permanence

import "achilles/gridworld"

// An event is what happens before the actor may act. The reward is shown in the air, seen over everything, and so are
// covers all the time.
type event struct {
	things   []spot // where they are at first: the reward, and the covers
	cues     []cue
	tick     int // now; in the end, when everything is at rest
	hides    int // the first tick at which the reward was not in the air to be seen, the last time
	darkFrom int // when the lights go out; 0: they do not
	shows    bool
	reward   spot // where it is
}

type cue struct {
	tick, thing int
	spot
	state gridworld.State
}

func (e *event) reset() { *e = event{things: e.things[:0], cues: e.cues[:0]} }

// begin shows the reward at a spot, for three ticks.
func (e *event) begin(p spot) {
	e.things, e.reward, e.shows = append(e.things, p), p, true
	e.wait(stillTicks)
}

// stillTicks is how long a reward that does not move is shown.
const stillTicks = 3

func (e *event) wait(ticks int) { e.tick += ticks }

// show puts the reward into the air at p, from now on.
func (e *event) show(p spot) {
	e.reward, e.shows = p, true
	e.cues = append(e.cues, cue{e.tick, 0, p, gridworld.Air})
}

// hide takes the reward out of sight, from now on.
func (e *event) hide() {
	e.shows, e.hides = false, e.tick
	e.cues = append(e.cues, cue{e.tick, 0, e.reward, gridworld.Hidden})
}

// moveReward shows the reward on its way to p, in so many ticks, the last of which shows it there.
func (e *event) moveReward(p spot, ticks int) {
	from := e.reward
	for i := 1; i <= ticks; i++ {
		e.wait(1)
		e.show(between(from, p, i, ticks))
	}
}

// rest lays the reward into a well.
func (e *event) rest(p spot) {
	if e.shows {
		e.hides = e.tick
	}
	e.reward, e.shows = p, false
	e.cues = append(e.cues, cue{e.tick, 0, p, gridworld.Ground})
}

// cover adds a cover that is at p in the beginning.
func (e *event) cover(p spot) (thing int) {
	e.things = append(e.things, p)
	return len(e.things) - 1
}

// put moves a cover, now.
func (e *event) put(thing int, p spot) { e.cues = append(e.cues, cue{e.tick, thing, p, gridworld.Air}) }

// remove takes a cover away, now.
func (e *event) remove(thing int, p spot) {
	e.cues = append(e.cues, cue{e.tick, thing, p, gridworld.Hidden})
}

// between is i n-ths of the way from one spot to another, to the nearest cell.
func between(from, to spot, i, n int) spot {
	return spot{from.x + nearest((to.x-from.x)*i, n), from.y + nearest((to.y-from.y)*i, n)}
}

// nearest is a/b, b > 0, rounded to the nearest whole number.
func nearest(a, b int) int {
	if a < 0 {
		return -((-2*a + b) / (2 * b))
	}
	return (2*a + b) / (2 * b)
}
