package bib

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"achilles/gridworld/lattice"
	"achilles/sim/rng"
)

// A Dial makes what an observer can know of an actor less: by how little the expected outcome is more probable than the unexpected
// one, in nats, says Episode.Nats. The zero Dial changes nothing.
type Dial struct {
	Mixed       float64 `json:"mixed,omitempty"`       // chance that the actor of Preference and MultiAgent goes to the other object in a familiarisation trial, 0 to MaxMixed
	Noise       float64 `json:"noise,omitempty"`       // temperature of the familiar walks of tasks with two objects and of all walks of EfficiencyPath, in pixels, 0 to MaxNoise
	Hidden      float64 `json:"hidden,omitempty"`      // proportion of each familiar walk to one of two objects, and of the test walk of InaccessibleGoal, that is not shown, its end, 0 to MaxHidden; it needs Noise
	Trials      int     `json:"trials,omitempty"`      // number of familiarisation trials of evaluation tasks, 1 to 7; 0: all eight
	Distractors int     `json:"distractors,omitempty"` // number of further objects in Preference, MultiAgent and InaccessibleGoal, to which nobody goes, 0 to MaxDistractors
}

// The largest values of a Dial. With MaxMixed choices say nothing of a preference.
const (
	MaxMixed       = 0.5
	MaxNoise       = 4
	MaxHidden      = 0.9
	MaxDistractors = 3
)

// Check returns an error for the first value of d that is out of range.
func (d *Dial) Check() error {
	switch {
	case !(d.Mixed >= 0 && d.Mixed <= MaxMixed):
		return fmt.Errorf("mixed: %v; it must be a probability from 0 to %v", d.Mixed, MaxMixed)
	case !(d.Noise >= 0 && d.Noise <= MaxNoise):
		return fmt.Errorf("noise: %v; it must be 0 to %d pixels", d.Noise, MaxNoise)
	case !(d.Hidden >= 0 && d.Hidden <= MaxHidden):
		return fmt.Errorf("hidden: %v; it must be a proportion from 0 to %v", d.Hidden, MaxHidden)
	case d.Hidden > 0 && d.Noise == 0:
		return fmt.Errorf("hidden: %v without noise; the first steps of an exact walk reveal where it leads", d.Hidden)
	case d.Trials < 0 || d.Trials > 7:
		return fmt.Errorf("trials: %d; it must be 1 to 7, or 0 for all eight", d.Trials)
	case d.Distractors < 0 || d.Distractors > MaxDistractors:
		return fmt.Errorf("distractors: %d; it must be 0 to %d", d.Distractors, MaxDistractors)
	}
	return nil
}

// Compare orders dials by their values.
func (d Dial) Compare(e Dial) int {
	return cmp.Or(cmp.Compare(d.Mixed, e.Mixed), cmp.Compare(d.Noise, e.Noise), cmp.Compare(d.Hidden, e.Hidden), cmp.Compare(e.Shown(), d.Shown()), cmp.Compare(d.Distractors, e.Distractors))
}

// Shown returns the number of familiarisation trials that are shown.
func (d Dial) Shown() int { return cmp.Or(d.Trials, 8) }

// mixable has the tasks on which Dial.Mixed has an effect.
func mixable(t Task) bool { return t == Preference || t == MultiAgent }

// crowded has the tasks on which Dial.Distractors has an effect. chosen has those in which an actor chooses between two objects.
func crowded(t Task) bool { return mixable(t) || t == InaccessibleGoal }
func chosen(t Task) bool  { return crowded(t) || t == ConstrainedPreference }

// dozen is the number of neighbouring episodes that have one Dial of a design: every nuisance is balanced in twelve.
const dozen = 12

// dialAt returns the dial of an episode.
func (d *Design) dialAt(t Task, index int) Dial {
	if len(d.Dials) == 0 || !t.Paired() {
		return Dial{}
	}
	return d.Dials[index/dozen%len(d.Dials)]
}

// level returns the dial of an episode for its label; nil if the design has none.
func (d *Design) level(t Task, index int) *Dial {
	if len(d.Dials) == 0 || !t.Paired() {
		return nil
	}
	q := d.dialAt(t, index)
	return &q
}

// mix makes choices of the familiar actor weaker evidence of its preference: in each familiarisation trial it goes to the other object
// with the probability Dial.Mixed, so that most of its choices may mislead. A trial whose walk a test repeats is kept. Other tasks,
// which do not need to know the preference, stay as they are, and without Mixed nothing is drawn. mix returns false if a walk fails.
func (d *draft) mix(p *outline) bool {
	q := d.dial.Mixed
	if q == 0 || !mixable(d.task) {
		return true
	}
	for k := range p.familiar {
		t := p.familiar[k]
		if !d.Bernoulli(q) || same(t.walk.Track, p.unexpected.walk.Track) {
			continue
		}
		if !d.act(&t, other) {
			return false
		}
		p.familiar[k] = t
	}
	return true
}

// turned has the outlines of a draft turned as its dial says.
type turned struct{ *draft }

// turn does to an outline what its dial says but for Mixed, with draws from a stream of its own, so that the layout stays that of the
// zero dial unless it has no room for distractors or for a noisy walk: then turn returns false.
func (d turned) turn(root uint64, p *outline) bool {
	if d.dial == (Dial{}) || p.unpaired {
		return true
	}
	own := *d.draft
	d.draft = &own
	d.Rand = rng.Stream(root, "battery", "bib", string(d.task), strconv.Itoa(d.index), "dial")
	p.shown = slices.Sorted(slices.Values(d.Perm(len(p.familiar))[:d.dial.Shown()]))
	if crowded(d.task) && !d.distract(p) {
		return false
	}
	return d.dial.Noise == 0 || d.shake(p)
}

// distract adds Dial.Distractors objects to every trial, at places in reach that no walk comes near. Both outcomes have them at the
// same places.
func (d turned) distract(p *outline) bool {
	for range d.dial.Distractors {
		for k := range p.familiar {
			if !d.addObject(&p.familiar[k]) {
				return false
			}
		}
		if !d.addObject(&p.expected, &p.unexpected) {
			return false
		}
	}
	return true
}

// addObject adds an object at the same place to all trials. It returns false after 200 failures.
func (d turned) addObject(trials ...*trial) bool {
	for range 200 {
		at := randomPoint(&d.Rand)
		if slices.ContainsFunc(trials, func(t *trial) bool { return !d.addable(t, at) }) {
			continue
		}
		for _, t := range trials {
			t.object = append(slices.Clip(t.object), at)
		}
		return true
	}
	return false
}

// addable reports whether there is room for a further object of t at a place.
func (d turned) addable(t *trial, at lattice.Point) bool {
	return farFrom(at, fromStart, t.start) && farFrom(at, apart, t.object...) && reached(d.waysFrom(t.shut(), t.start), at) &&
		!slices.ContainsFunc(t.walk.Track, func(p lattice.Point) bool { return lattice.Chebyshev(p, at) < berth })
}

// berth is how near a noisy actor, and any walk, comes to a thing that it must not touch, in king's steps.
const berth = objectHalf + Clearance

// shake redraws walks with Dial.Noise: those of the shown trials to one of two objects, of which it hides the end, and all walks of
// EfficiencyPath, where the unexpected one goes round the bar that stood there before. It returns false if a walk fails.
func (d turned) shake(p *outline) bool {
	switch {
	case chosen(d.task):
		for _, k := range p.shown {
			t := &p.familiar[k]
			if !d.noisy(t, t.walls) {
				return false
			}
			t.hide(d.dial.Hidden)
		}
		if d.task == InaccessibleGoal && d.dial.Hidden > 0 {
			return d.underway(p)
		}
	case d.task == EfficiencyPath:
		for _, k := range p.shown {
			if !d.noisy(&p.familiar[k], p.familiar[k].walls) {
				return false
			}
		}
		return d.noisy(&p.expected, p.expected.walls) && d.noisy(&p.unexpected, p.unexpected.walls.union(&p.familiar[0].walls))
	}
	return true
}

// underway draws test trials of InaccessibleGoal of which the end is not shown, so that only the steps tell where the actor goes. In every
// other two episodes it goes to the preferred object, which is expected if nothing encloses it: who takes walls round an object for what
// is expected is right in half of the episodes. A walk is shown up to these walls at most. underway returns false if a walk fails.
func (d turned) underway(p *outline) bool {
	shut, free := &p.expected, &p.unexpected
	if !reached(d.toward(free, free.walls, preferred), free.start) {
		return false // the other object is in the only way, so that even here no walk is to the preferred one
	}
	going := shut
	if d.index/2%2 == 1 {
		p.variant += ", gone to"
		p.expected, p.unexpected = *free, *shut
		shut, free = &p.unexpected, &p.expected
		going = free
		going.walk.Thing = preferred
	}
	if !d.noisy(going, going.walls) {
		return false
	}
	going.hide(d.dial.Hidden)
	m := d.open(shut.walls)
	if k := slices.IndexFunc(going.walk.Track, func(at lattice.Point) bool { return !m.Open(at) }); k >= 0 {
		going.walk.Track = going.walk.Track[:k]
	}
	if len(going.walk.Track) == 0 {
		return false
	}
	shut.walk, free.walk = going.walk, going.walk
	shut.cut, free.cut = true, true
	return !math.IsInf(ideal(d).logWalk(shut, other), -1)
}

// hide hides a proportion of the walk of t, its end.
func (t *trial) hide(proportion float64) {
	if proportion > 0 {
		t.cut = true
		t.walk.Track = t.walk.Track[:max(1, len(t.walk.Track)-int(proportion*float64(len(t.walk.Track))+0.5))]
	}
}

// longest is the largest number of frames of a noisy walk.
const longest = 500

// noisy draws the walk of t anew, to the same thing, by an actor that takes these cells for walls. It returns false if it takes more
// than longest frames.
func (d turned) noisy(t *trial, walls cells) bool {
	goal, f := t.object[t.walk.Thing], d.toward(t, walls, t.walk.Thing)
	touch := cmp.Or(t.contact, contactLeast+contactCoins/2)
	t.walk.Track = nil
	var choice []lattice.Chance
	for at := t.start; len(t.walk.Track) < longest; {
		if choice = f.Noisily(choice[:0], at, d.dial.Noise); len(choice) == 0 {
			return false
		}
		u, k := d.Float64(), 0
		for ; k < len(choice)-1 && u >= choice[k].P; k++ {
			u -= choice[k].P
		}
		at = choice[k].Point
		if t.walk.Track = append(t.walk.Track, at); lattice.Square(at, goal) <= touch*touch {
			return true
		}
	}
	return false
}

// toward returns the field of ways to a thing of t past these walls, and past the other things.
func (d *draft) toward(t *trial, walls cells, thing int) *lattice.Field {
	m := d.planner.Map(d.open(walls))
	for k, c := range t.object {
		if k != thing {
			m.Block(c.X-berth, c.Y-berth, c.X+berth, c.Y+berth)
		}
	}
	return d.planner.From(m, t.object[thing])
}
