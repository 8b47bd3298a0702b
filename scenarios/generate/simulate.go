package generate

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"achilles/agents"
	"achilles/battery"
	"achilles/scenarios/scenario"
	"achilles/scenarios/seal"
	"achilles/sim/record"
)

// A Config says how to run a scenario. The results do not depend on Jobs and Progress. Its tags are for package
// scenarios/setting.
type Config struct {
	Seed     uint64                // root seed
	Jobs     int                   `setting:"jobs,flag" limits:"[0, 10000]" doc:"subjects simulated in parallel (default: one per processor); results do not depend on it"` // pieces of work (see runner); 0 means one
	Force    bool                  `setting:"force,flag" doc:"overwrite what is there"`
	Progress func(done, total int) // called after every piece of work, by one goroutine at a time; may be nil

	// Outside starts the program that acts for a subject. If it is nil, a scenario with such a subject is refused.
	// Only the responses of these subjects, and of collectives with such members, may differ from run to run.
	Outside func(spec *agents.Spec) (Player, error)
	// Waiting is called before the runner waits for a subject that acts from outside, with the number of the trial,
	// from 1, and the number of all trials of the subject. It may be nil. Several goroutines call it.
	Waiting func(subject string, trial, of int)
	// Warn is called once if much that waits for publication takes memory, because no temporary file can be written. It may be nil.
	Warn func(why error)
	// Late lets bodies act when the session is published, and not before, unless somebody needs to know earlier whether they pass.
	// Until then their responses in the session are failures.
	Late bool
	// Journal stores what these subjects did, so that a stopped run can go on. If it is nil, nothing is stored.
	Journal Journal
	// Choose begins the choice of the items that each subject takes, by what is published before anybody responds. If it is
	// nil, every subject takes all items.
	Choose func(candidates *record.Dataset) (Choosing, error)
	// Draw draws the parameters and the responses of a session from the layout of its battery. A scenario with such a
	// battery is refused if Draw is nil.
	Draw func(ctx context.Context, s *Session) error
}

// Run builds the battery and the subjects of a scenario. Every subject takes every item, or the items that are chosen for it, or
// responses are drawn from the layout of the battery. Responses that are drawn, or to chosen items, are in the session's
// Responses, sorted by subject, item and repetition, or by subject and position; All gives all. Scenes for observers are made
// later, when they are published. The error is a *conf.Error if the scenario is at fault, and that of the context if it was
// cancelled.
func Run(ctx context.Context, s *scenario.Scenario, c Config) (*Session, error) {
	if s.Battery.Layout != "" {
		return draw(ctx, s, c)
	}
	r, err := newRunner(ctx, s, c)
	if err != nil {
		return nil, err
	}
	if r.choice != nil {
		if err := r.learnInChosenOrder(ctx); err != nil {
			return nil, err
		}
	}
	each(ctx, r.pieces(), c, func(i int) { r.do(ctx, i) })
	if err := cmp.Or(ctx.Err(), r.firstError()); err != nil {
		return nil, err
	}
	if why := r.out.Battery.Items.Err(); why != nil && c.Warn != nil {
		c.Warn(why)
	}
	for _, subject := range r.collectives {
		if err := r.vote(subject); err != nil {
			return nil, err
		}
	}
	if r.choice != nil {
		err = r.choose(ctx, everybody)
	}
	r.out.NotConfined = r.free.Load()
	return r.out, cmp.Or(ctx.Err(), err)
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
		HoldOut: s.HeldOut, NoTrajectories: !s.Trajectories,
	}
	if s.HeldOut == 0 {
		out.HoldOut = -1 // in a Session, 0 means DefaultHoldOut
	}
	if s.Bib != nil {
		out.Scene, err = Scenes(*s.Bib, c.Seed)
	}
	return out, err
}

// draw builds the battery and the subjects of a scenario, and draws the responses from a layout.
func draw(ctx context.Context, s *scenario.Scenario, c Config) (*Session, error) {
	out, err := newSession(ctx, s, c)
	if err != nil {
		return nil, err
	}
	if len(out.Subjects)*out.Battery.Items.Len()*s.Repetitions > maxResponses {
		return nil, s.TooMany(maxResponses)
	}
	if c.Draw == nil {
		return nil, s.LayoutFault(errNoDraw)
	}
	choice, err := out.beginChoice(c)
	if err != nil {
		return nil, s.ChoiceFault(err)
	}
	if err := c.Draw(ctx, out); err != nil {
		return nil, cmp.Or(ctx.Err(), s.LayoutFault(err))
	}
	if choice != nil {
		err = out.choose(ctx, c, choice, everybody, out.given())
	}
	return out, cmp.Or(ctx.Err(), err)
}

var errNoDraw = errors.New("nothing here draws responses from a layout")

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
	whole       []slot     // one for each item, if a subject takes items as a whole
	trials      []slot     // all trials with a world to act in, item by item
	questions   []question // by item; nil if the items are not questions
	answers     []int      // answers to questions, by response: the index of an option, or noAnswer
	first       []int      // by subject: index of its first response
	acted       []int      // by subject with a program: index of its first episode in Session.Episodes
	workers     sync.Pool
	failed      firstFailure
	free        atomic.Bool // a program that took part was not confined
}

// A slot names a trial by the indices of its item and of the trial in the item.
type slot struct{ item, trial int }

// maxResponses is the largest number of responses of a session.
const maxResponses = 1 << 25

// prepare sorts the subjects by the way in which they respond, and allocates the responses and episodes. It returns an
// error if a subject cannot take the battery.
func (r *runner) prepare() error {
	identified := sync.OnceValues(r.out.identify)
	if r.Jobs > 1 { // beside the lists
		go identified()
	}
	r.items = scenario.ItemsOf(&r.out.Battery)
	r.listQuestions()
	r.listTrials()
	tasks := scenario.TasksOf(&r.out.Battery)
	id, err := identified()
	if err != nil {
		return err
	}
	r.key = id.key
	r.sequences = &sequencer{id.key, id.numbering, r.out.Subjects, r.out.Battery.Items, r.scenario.Repetitions}
	r.acting = acting{root: r.out.Root, items: r.out.Battery.Items, trials: r.trials, repetitions: r.scenario.Repetitions}
	responses, episodes := 0, 0
	for i := range r.out.Subjects {
		spec := &r.out.Subjects[i]
		r.first, r.acted = append(r.first, responses), append(r.acted, episodes)
		if responses += r.takes(spec) * r.scenario.Repetitions; responses > maxResponses {
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
		if len(spec.Body) == 0 && !r.takesItems(spec) {
			episodes += len(r.trials) * r.scenario.Repetitions
		}
	}
	if r.questions != nil {
		r.answers = make([]int, responses)
	}
	t := &taken{sequencer: r.sequences, first: r.first, outcome: make([]uint8, responses), unordered: make([]bool, len(r.out.Subjects))}
	for i := range r.out.Subjects {
		t.trials = append(t.trials, r.slots(i))
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
	b := body{Bodies: bodies, subject: subject, name: spec.Name}
	if bodies.Learn() {
		b.order = r.sequences.places(subject, r.trials)
	}
	r.acting.bodies = append(r.acting.bodies, b)
	return nil
}

// listTrials lists what subjects take. What a subject takes is known once the questions are listed.
func (r *runner) listTrials() {
	n := r.out.Battery.Items.Len()
	if slices.ContainsFunc(r.out.Subjects, func(x agents.Spec) bool { return r.takesItems(&x) }) {
		r.whole = make([]slot, n)
		for i := range r.whole {
			r.whole[i].item = i
		}
	}
	r.trials = make([]slot, 0, n) // most batteries have one trial an item
	var it battery.Item
	for i := range n {
		r.out.Battery.Items.Read(i, &it)
		for t := range it.Trials {
			if !it.Trials[t].World.Empty() {
				r.trials = append(r.trials, slot{i, t})
			}
		}
	}
}

// pieces returns the number of pieces of work.
func (r *runner) pieces() int {
	n := len(r.rules) + len(r.commands)
	if len(r.acting.bodies) > 0 && r.acting.told == nil {
		n += len(r.trials)
	}
	return n
}

// do runs piece i. The first pieces are the programs, which take longest; then come rules and solvers, then trials.
func (r *runner) do(ctx context.Context, i int) {
	switch k := i - len(r.commands); {
	case k < 0:
		r.failed.note(i, r.command(ctx, r.commands[i]))
	case k < len(r.rules):
		r.failed.note(i, r.rule(r.rules[k]))
	default:
		r.failed.note(i, r.trial(ctx, k-len(r.rules)))
	}
}

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

func (r *runner) firstError() error {
	if r.failed.err == nil {
		return nil
	}
	return r.scenario.Place(r.failed.err)
}

// rule sets the responses of one subject with rules or a solver.
func (r *runner) rule(subject int) error {
	if r.out.Subjects[subject].Solver != nil {
		r.solve(subject)
		return nil
	}
	a, err := agents.Compile(&r.out.Subjects[subject], r.items)
	if err != nil {
		return err
	}
	n := r.out.Battery.Items.Len() * r.scenario.Repetitions
	for k := range n {
		r.out.taken.set(subject, k, a.Succeeds(r.out.Root, k/r.scenario.Repetitions, k%r.scenario.Repetitions), "")
	}
	r.inventAnswers(subject)
	return nil
}

// each calls work with 0 … n−1, in up to c.Jobs goroutines, until the context is cancelled.
func each(ctx context.Context, n int, c Config, work func(i int)) {
	var group sync.WaitGroup
	var next atomic.Int64
	var mu sync.Mutex
	done := 0
	if c.Progress != nil {
		c.Progress(0, n)
	}
	for range min(max(c.Jobs, 1), n) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				work(i)
				mu.Lock()
				if done++; c.Progress != nil {
					c.Progress(done, n)
				}
				mu.Unlock()
			}
		})
	}
	group.Wait()
}
