package bib

import (
	"fmt"
	"strconv"

	"achilles/gridworld/lattice"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// An Actor decides how to walk.
type Actor interface {
	// Walk returns the walk of the actor in s, planned with l. ok is false if the actor cannot do what s asks for
	// without touching anything else.
	Walk(l *lattice.Planner, s *lattice.Problem) (w lattice.Walk, ok bool)
}

// Actors has two actors, one for each manner of walking that episodes need.
type Actors struct {
	Rational   Actor // walks on shortest paths
	Irrational Actor // also goes round the walls of Problem.Ghost, which are not there
}

// An Episode is one item: the videos that an observer watches, and which of them is expected.
type Episode struct {
	Task       Task         `json:"task" sealed:"says what to look for"`
	Index      int          `json:"index" sealed:"counterbalancing goes by it"`
	Variant    string       `json:"variant,omitempty" sealed:"says what is expected"`              // value of the nuisance that is counterbalanced, in words
	Dial       *Dial        `json:"dial,omitempty" sealed:"says how sure the expected outcome is"` // the episode's of Design.Dials, if there are any
	Nats       *float64     `json:"nats,omitempty" sealed:"says how sure the expected outcome is"` // log odds of the expected outcome for the ideal observer, if there is a Dial; nil: not known
	Source     string       `json:"source,omitempty" sealed:"says what is expected"`               // name of the imported file; empty if the episode was generated
	Expected   record.Video `json:"expected" sealed:"as expected"`
	Unexpected record.Video `json:"unexpected" sealed:"as unexpected"` // without trials if the task is a background task
}

// A Generator makes episodes. It is for one goroutine at a time.
type Generator struct {
	design  Design
	actors  Actors
	empty   *lattice.Map
	planner lattice.Planner
	maps    map[cells]*lattice.Map
	tries   int // maxTries; fewer in a test of what happens then
}

// NewGenerator returns a generator for a design. It panics if Check refuses the design.
func NewGenerator(d Design, c Actors) *Generator {
	if err := d.Check(); err != nil {
		panic("bib: " + err.Error())
	}
	return &Generator{design: d, actors: c, empty: d.Motion.border(), maps: map[cells]*lattice.Map{}, tries: maxTries}
}

// maxTries is the largest number of layouts that are drawn for an episode. The worst of 600 episodes, over every task and
// split, took 489 tries.
const maxTries = 20_000

// Episode returns episode i of a task. It depends only on root, t, i and the design; its geometry does not depend on
// the design's shapes. It panics if t is unknown or i is negative. The error names the constraint that failed most
// often in maxTries tries.
func (g *Generator) Episode(root uint64, t Task, i int) (Episode, error) {
	if !t.Known() || i < 0 {
		panic("bib: no such task or index")
	}
	d := &draft{Generator: g, Rand: rng.Stream(root, "battery", "bib", string(t), strconv.Itoa(i)), task: t, index: i, dial: g.design.dialAt(t, i)}
	unmet := map[failure]int{}
	for range g.tries {
		g.planner.Reset()
		clear(g.maps)
		p, fault := d.draw()
		if fault == "" && !d.mix(&p) {
			fault = "walks to the object that is liked less"
		}
		if fault == "" && !(turned{d}).turn(root, &p) {
			fault = "places for distractors, and noisy walks that end"
		}
		if fault == "" {
			e := g.render(root, t, i, &p)
			if e.Dial != nil {
				e.Nats = ideal{d}.nats(&p)
			}
			return e, nil
		}
		unmet[fault]++
	}
	worst := failure("")
	for f, n := range unmet {
		if n > unmet[worst] || n == unmet[worst] && f < worst {
			worst = f
		}
	}
	return Episode{}, fmt.Errorf("bib: task %s, episode %d: no layout in %d tries; most often unmet: %s", t, i, g.tries, worst)
}

// A failure names the constraint that a draft violates; empty: none.
type failure string

// A draft is an episode that is being drawn.
type draft struct {
	*Generator
	rng.Rand
	task  Task
	index int
	dial  Dial
}

// An outline is an episode before its frames are rendered.
type outline struct {
	variant    string    // Episode.Variant
	familiar   [8]trial  // the familiarisation trials
	unfamiliar *[8]trial // familiarisation of the unexpected outcome; nil: the same as familiar
	expected   trial
	unexpected trial
	unpaired   bool  // there is no unexpected outcome
	shown      []int // the familiarisation trials that are shown, in ascending order; nil: all
}

// trials returns the familiarisation trials that are shown.
func (p *outline) trials() []int {
	if p.shown == nil {
		return []int{0, 1, 2, 3, 4, 5, 6, 7}
	}
	return p.shown
}

// draw makes one attempt at a layout for the task. Each attempt continues the random stream of the last.
func (d *draft) draw() (outline, failure) {
	switch d.task {
	case Preference:
		return exchanges{d}.preference()
	case MultiAgent:
		return anywhere{d}.multiAgent()
	case InaccessibleGoal:
		return anywhere{d}.inaccessible()
	case EfficiencyPath:
		return detours{d}.efficiency(detours.shorterWay)
	case EfficiencyTime:
		return detours{d}.efficiency(detours.sameTime)
	case EfficiencyIrrational:
		return detours{d}.efficiency(detours.habit)
	case EfficiencyIrrationalControl:
		return detours{d}.efficiency(detours.newHabit)
	case InstrumentalNoBarrier:
		return locks{d}.instrumental(locks.noBarrier)
	case InstrumentalInconsequential:
		return locks{d}.instrumental(locks.inconsequential)
	case InstrumentalBlocking:
		return locks{d}.instrumental(locks.blocking)
	case ConstrainedPreference:
		return constrained{anywhere{d}}.preference()
	case FalseBelief, TrueBelief, UnseenReturn, IgnorantActor:
		return beliefs{anywhere{d}}.draw()
	case SingleObject:
		return background{d}.singleObject()
	case BackgroundPreference:
		return background{d}.nearPreference()
	case BackgroundMultiAgent:
		return background{d}.relay()
	default:
		return background{d}.escape()
	}
}

// even reports whether the index is even. Tasks alternate their main nuisance, such as which object is nearer, between
// even and odd episodes.
func (d *draft) even() bool { return d.index%2 == 0 }

// open returns the map of the places where an actor can be if these cells are walls.
func (d *draft) open(walls cells) *lattice.Map {
	if m, ok := d.maps[walls]; ok {
		return m
	}
	m := d.planner.Map(d.empty)
	for _, c := range walls.list() {
		d.design.Motion.block(m, c)
	}
	d.maps[walls] = m
	return m
}
