package gridworld

// A Phase says how far an actor has come with keys and locks.
type Phase uint8

const (
	Bare     Phase = iota // without a key, or there is none
	Carrying              // with a key
	Open                  // no lock is left
)

// Phases is the number of phases.
const Phases = 3

var phaseNames = [Phases]string{"bare", "carrying", "open"}

// String returns the name of p in lower case.
func (p Phase) String() string { return nameOf(phaseNames[:], int(p)) }

// Phase returns the phase the actor is in.
func (w *World) Phase() Phase {
	switch {
	case !w.locked():
		return Open
	case w.Carrying():
		return Carrying
	}
	return Bare
}

func (w *World) locked() bool {
	for _, k := range w.cells {
		if w.palette[k].cell.Kind == Lock {
			return true
		}
	}
	return false
}

// A Subgoal is what a way leads to first.
type Subgoal uint8

const (
	NoWay Subgoal = iota
	ToGoal
	ToKey
	ToLock
)

var subgoalNames = [...]string{"no-way", "to-goal", "to-key", "to-lock"}

// String returns the name of g in lower case.
func (g Subgoal) String() string { return nameOf(subgoalNames[:], int(g)) }

// Costs are what an actor is thought to pay for using a key, in units of the Metric. World.Step charges nothing.
type Costs struct{ Take, Unlock int }

// A Plan has the cheapest ways to a target through the state space of cell and phase: straight there, or first to the
// lock with the key, or first to the key. The zero Plan is ready for use and to be used again; it does not refer to
// the world it was computed for.
type Plan struct {
	fields [Phases]CostField
	direct [Phases]Board // the cells from which the target is touched
	key    Board         // the cells from which a key is touched
	lock   Board         // the cells from which a lock is touched
	open   World
	seeds  []Seed
}

// Toward computes the plan of w to a thing at target. Keys that are hidden or in the air do not exist for it.
func (l *Plan) Toward(w *World, m Metric, target Pos, c Costs) {
	l.open.CopyFrom(w)
	if w.locked() {
		l.open.open()
	}
	l.direct[Open] = l.open.Contact(target)
	l.compute(Open, &l.open, m)

	l.direct[Carrying] = w.Contact(target)
	l.direct[Bare] = l.direct[Carrying]
	l.lock, l.key = w.LockContact(), Board{}
	for i := range w.things {
		if t := &w.things[i]; t.Kind == Key && t.State == Ground {
			b := w.Contact(t.Pos)
			l.key.Add(&b)
		}
	}
	l.chain(Carrying, &l.lock, c.Unlock)
	l.compute(Carrying, w, m)
	l.chain(Bare, &l.key, c.Take)
	l.compute(Bare, w, m)
}

// chain seeds phase with the cells of via, at the cost of the next phase from there on.
func (l *Plan) chain(phase Phase, via *Board, extra int) {
	l.seeds = l.seeds[:0]
	for p := range via.All() {
		if cost, ok := l.fields[phase+1].Cost(p); ok {
			l.seeds = append(l.seeds, Seed{p, cost + extra})
		}
	}
}

// compute computes the field of phase from the seeds so far and the cells that touch the target.
func (l *Plan) compute(phase Phase, w *World, m Metric) {
	if phase == Open {
		l.seeds = l.seeds[:0]
	}
	l.seeds = Seeds(l.seeds, &l.direct[phase], 0)
	l.fields[phase].Compute(w, m, l.seeds)
}

// Cost returns the cost of the cheapest way from p in phase; ok is false where there is none.
func (l *Plan) Cost(phase Phase, p Pos) (cost int, ok bool) { return l.fields[phase].Cost(p) }

// Guide returns the guide of one phase. It leads to where the next sub-goal or the target is touched.
func (l *Plan) Guide(phase Phase) Guide { return &l.fields[phase] }

// Subgoal returns what the cheapest way from p in phase leads to first; of equally cheap ways Path's.
func (l *Plan) Subgoal(phase Phase, p Pos) Subgoal {
	f := &l.fields[phase]
	if _, ok := f.Cost(p); !ok {
		return NoWay
	}
	for s := f.Descents(p); s != 0; s = f.Descents(p) {
		p = p.Add(s.First())
	}
	switch {
	case l.direct[phase].Has(p):
		return ToGoal
	case phase == Carrying:
		return ToLock
	}
	return ToKey
}
