package generate

import (
	"context"

	"achilles/agents"
	"achilles/agents/accuracy"
	"achilles/sim/record"
)

// A Config says how to run a scenario. The results do not depend on Jobs and Progress. Its tags are for package
// scenarios/setting.
type Config struct {
	Seed     uint64                // root seed
	Jobs     int                   `setting:"jobs,flag" limits:"[0, 10000]" doc:"subjects simulated in parallel (default: one per processor); results do not depend on it"` // pieces of work (see runner); 0 means one
	Force    bool                  `setting:"force,flag" doc:"overwrite existing output"`
	Anew     bool                  // whether Into asks agents from outside again that acted in a run that ended
	Progress func(done, total int) // called after every piece of work, by one goroutine at a time; may be nil

	// Outside starts the program that acts for a subject, or says which language model does. If it is nil, a scenario with such a subject is
	// refused. Only the responses of these subjects, and of collectives with such members, may differ from run to run. kept is Journal.
	Outside func(spec *agents.Spec, kept Journal) (Player, error)
	// Waiting is called before the runner waits for a subject that acts from outside, with the number of the trial,
	// from 1, and the number of all trials of the subject. What it returns is called when the wait is over. It may be nil. Several goroutines call it.
	Waiting func(subject string, trial, of int) (over func())
	// Failed is called for each trial or question of such a subject that stays without a score, with the reason. It may be nil. Several
	// goroutines call it.
	Failed func(subject, why string)
	// Warn is called once if much that waits for publication takes memory, because no temporary file can be written. It may be nil.
	Warn func(why error)
	// Late lets bodies act when the session is published, and not before, unless somebody needs to know earlier whether they pass.
	// Until then their responses in the session are failures.
	Late bool
	// Ballot is told how the members of a collective vote on each item, one after the other. It may be nil.
	Ballot func(collective string, b accuracy.Ballot)
	// Journal stores what these subjects did, so that a stopped run can go on. If it is nil, nothing is stored.
	Journal Journal
	// Choose begins the choice of the items that each subject takes, by what is published before anybody responds. If it is
	// nil, every subject takes all items.
	Choose func(candidates *record.Dataset) (Choosing, error)
	// Draw draws the parameters and the responses of a session from the layout of its battery. A scenario with such a
	// battery is refused if Draw is nil.
	Draw func(ctx context.Context, s *Session) error
}

// A Choosing lets a published subject, given by its number, take one item after another by calling take, until it has
// taken enough. It sees what was published and the responses that take returns, and nothing else.
type Choosing func(ctx context.Context, subject int, take Take) error

// A Take lets a subject take a published item, given by its number, and returns its responses to it. After an error the
// subject takes no more items.
type Take func(ctx context.Context, item int) ([]record.Response, error)

// A Journal stores data under names that are valid file names, so that a stopped run can go on where it stopped.
type Journal interface {
	Get(name string) ([]byte, error) // nil if there is nothing under the name
	Put(name string, data []byte) error
}
