package generate

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"achilles/agents"
	"achilles/gridworld/policy"
	"achilles/scenarios/scenario"
	"achilles/scenarios/seal"
	"achilles/sim/record"
)

// A runner runs one scenario. A piece of work is a subject with rules or a solver, a subject with a program, or one
// trial with all bodies. Pieces are independent of each other. Collectives vote after all pieces are done.
type runner struct {
	scenario *scenario.Scenario
	Config
	out    *Session
	choice *choice // nil if every subject takes all items

	items       agents.Items
	rules       []int // indices of the subjects with rules or a solver
	commands    []int // indices of the subjects with a program, if no items are chosen
	collectives []int
	acting      acting
	key         *seal.Key
	sequences   *sequencer
	assignment  *assignment
	quiz        quiz
	notebook    notebook
	acted       []int // by subject with a program: index of its first episode in Session.Episodes
	workers     sync.Pool
	failed      firstFailure
	calls       sync.Mutex  // of Session.Calls
	free        atomic.Bool // a program that took part was not confined
}

// newRunner makes the session of a scenario, and prepares the pieces of work.
func newRunner(ctx context.Context, s *scenario.Scenario, c Config) (*runner, error) {
	out, err := newSession(ctx, s, c)
	if err != nil {
		return nil, err
	}
	r := &runner{scenario: s, Config: c, out: out}
	if r.choice, err = out.beginChoice(c); err != nil {
		return nil, s.ChoiceFault(err)
	}
	return r, r.prepare()
}

// prepare sorts the subjects by the way in which they respond, and allocates the responses and episodes. It returns an
// error if a subject cannot take the battery.
func (r *runner) prepare() error {
	identified := sync.OnceValues(r.out.identify)
	if r.Jobs > 1 { // beside the lists
		go identified()
	}
	r.items = scenario.ItemsOf(&r.out.Battery)
	questions := questionsOf(&r.out.Battery)
	r.assignment = assign(&r.out.Battery.Items, r.out.Subjects, questions != nil)
	tasks := scenario.TasksOf(&r.out.Battery)
	id, err := identified()
	if err != nil {
		return err
	}
	r.key = id.key
	r.notebook = notebook{r.Journal, id.key, r.out.Scenario}
	r.sequences = &sequencer{id.key, id.numbering, r.out.Subjects, r.out.Battery.Items, r.scenario.Repetitions}
	r.acting = acting{root: r.out.Root, items: r.out.Battery.Items, trials: r.assignment.trials, repetitions: r.scenario.Repetitions, blocks: id.blocks}
	if id.blocks != nil && r.choice != nil {
		return r.scenario.ChoiceFault(errBlocks)
	}
	t := &taken{sequencer: r.sequences, unordered: make([]bool, len(r.out.Subjects))}
	responses, episodes, acts := 0, 0, false
	for i := range r.out.Subjects {
		spec := &r.out.Subjects[i]
		t.first, r.acted = append(t.first, responses), append(r.acted, episodes)
		t.trials = append(t.trials, r.assignment.slots(i))
		if responses += r.assignment.takes(spec) * r.scenario.Repetitions; responses > maxResponses {
			return r.scenario.TooMany(maxResponses)
		}
		switch {
		case spec.Collective != nil:
			r.collectives = append(r.collectives, i)
			continue
		case len(spec.Rule) > 0:
			r.rules = append(r.rules, i)
			continue
		}
		if err := r.scenario.CanTake(spec, tasks); err != nil {
			return err
		}
		if spec.Solver != nil {
			r.rules = append(r.rules, i)
			continue
		}
		if err := r.bind(i); err != nil {
			return r.scenario.Place(err)
		}
		acts = acts || !r.assignment.takesItems(spec)
		if len(spec.Body) == 0 && !r.assignment.takesItems(spec) {
			episodes += len(r.assignment.trials) * r.scenario.Repetitions
		}
	}
	t.outcome = make([]uint8, responses)
	if r.assignment.places && acts {
		t.chosen = make([]record.Chosen, responses)
	}
	r.quiz = quiz{taken: t, root: r.out.Root, questions: questions}
	if questions != nil {
		r.quiz.answers = make([]int, responses)
	}
	r.out.taken, r.out.Episodes = t, make([]Episode, episodes)
	if len(r.acting.bodies) > 0 {
		r.out.acting = &r.acting
	}
	if r.Late && len(r.collectives) == 0 && r.choice == nil {
		r.acting.told = t
	}
	if len(r.rules) == 0 {
		r.items = agents.Items{} // the bodies have what they need
	}
	r.workers.New = func() any { return newWorker() }
	return nil
}

// bind prepares a subject that acts, by a body or by a program.
func (r *runner) bind(subject int) error {
	spec := &r.out.Subjects[subject]
	if len(spec.Body) == 0 {
		if r.choice == nil {
			r.commands = append(r.commands, subject)
		}
		if r.Outside == nil {
			return errNoOutside
		}
		return nil
	}
	bodies, err := agents.Embody(spec, r.items)
	if err != nil {
		return err
	}
	b := body{Bodies: bodies, subject: subject, name: spec.Stream()}
	if bodies.Ordered() {
		b.order = r.sequences.places(subject, r.assignment.trials)
	}
	if bodies.ByOutcome() {
		b.before = make([]last, len(r.assignment.trials)*r.scenario.Repetitions)
	}
	if r.acting.blocks != nil {
		b.tried = make([]policy.Tried, len(r.assignment.trials)*r.scenario.Repetitions)
	}
	r.acting.bodies = append(r.acting.bodies, b)
	return nil
}

var errBlocks = errors.New("the items are trials of blocks, which a subject takes as a whole: no item can be chosen by itself")

// A firstFailure has the error of the first piece of work that has one, whichever goroutine is the first to note its error.
type firstFailure struct {
	mu    sync.Mutex
	piece int
	err   error // nil: none
}

// note notes the error of piece i, which may be nil.
func (f *firstFailure) note(i int, err error) {
	if err == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil || i < f.piece {
		f.piece, f.err = i, err
	}
}

// newSession builds the battery and the subjects of a scenario, who have not responded yet.
func newSession(ctx context.Context, s *scenario.Scenario, c Config) (*Session, error) {
	b, err := s.MakeBattery(ctx, c.Seed, c.Jobs)
	if err != nil {
		return nil, err
	}
	subjects, err := s.Subjects(c.Seed)
	if err != nil {
		return nil, err
	}
	out := &Session{
		Battery: b, Subjects: subjects, Root: c.Seed, Drawn: s.Drawn, Scenario: s.Text, Scale: s.Scale, Published: s.Published,
		HoldOut: s.HeldOut, HoldOutItems: s.HeldOutItems, NoTrajectories: !s.Trajectories,
	}
	if s.HeldOut == 0 {
		out.HoldOut = -1 // in a Session, 0 means DefaultHoldOut
	}
	if s.Bib != nil {
		out.Scene, err = Scenes(*s.Bib, c.Seed)
	}
	return out, err
}
