package generate

import (
	"context"
	"strconv"

	"achilles/agents/external/chat"
	"achilles/scenarios/results"
	"achilles/scenarios/scenario"
	"achilles/scenarios/seal"
)

// drawnFile is the name of the file that has the drawn root seed of a results directory, until the sealed part is
// written.
const drawnFile = ".drawn"

// anewFile is the name of the file that says that a run which began anew has not ended.
const anewFile = ".anew"

// forget forgets what agents from outside did, of whom a program or a prompt may have changed since; but not twice before the run has ended, so that it can go
// on. What an address answered to the same messages is kept: it costs money, and has names of its own.
func forget(d *results.Dir) error {
	if _, err := d.ReadFile(anewFile); err == nil {
		return nil
	}
	if err := d.Acted().Forget(chat.IsAnswer); err != nil {
		return err
	}
	return d.WritePrivate(anewFile, nil)
}

// DrawnRoot returns the root seed that was drawn for a scenario in a results directory, so that a stopped or repeated
// run goes on with the same seed, even after the section inference of the scenario was changed. If there is none, or
// anew is true, it draws one and stores it in the directory.
func DrawnRoot(d *results.Dir, s *scenario.Scenario, anew bool) (uint64, error) {
	if !anew {
		if root, ok := sealedRoot(d, s); ok {
			return root, nil
		}
		if b, err := d.ReadFile(drawnFile); err == nil {
			if root, err := strconv.ParseUint(string(b), 10, 64); err == nil {
				return root, nil
			}
		}
	}
	root := seal.DrawRoot()
	return root, d.WritePrivate(drawnFile, strconv.AppendUint(nil, root, 10))
}

// sealedRoot returns the root seed in the sealed part of d, and whether a run may go on with it. It may if the seed was
// drawn, and either the scenario text is the same or nothing has been inferred yet. A seed that a user gave does not
// count as drawn.
func sealedRoot(d *results.Dir, s *scenario.Scenario) (uint64, bool) {
	if !d.Has(seal.SealedPart) {
		return 0, false
	}
	sealed, err := d.FS(seal.SealedPart)
	if err != nil {
		return 0, false
	}
	root, text, ok := seal.DrawnRoot(sealed)
	return root, ok && (text == s.Text || !d.Has(seal.InferredPart))
}

// Into runs a scenario and publishes the session into a results directory. It stores in the directory what agents from
// outside did, so that a stopped run can go on; c.Anew forgets what they did in a run that ended. If the directory has other data, it replaces them if c.Force is true, and
// else returns an error.
func Into(ctx context.Context, d *results.Dir, s *scenario.Scenario, c Config) (*Session, error) {
	if c.Anew {
		if err := forget(d); err != nil {
			return nil, err
		}
	}
	c.Journal, c.Late = d.Acted(), true
	session, err := Run(ctx, s, c)
	if err != nil {
		return nil, err
	}
	if err := session.PublishInto(ctx, d, "generate", c.Jobs, c.Progress, c.Force); err != nil {
		return nil, err
	}
	return session, d.Remove(drawnFile, anewFile)
}

// PublishInto publishes a session into a results directory. stage is the name of its ledger entry. progress may be nil.
func (s *Session) PublishInto(ctx context.Context, d *results.Dir, stage string, jobs int, progress func(done, total int), force bool) error {
	return d.PutPublic(stage, force, func(create results.Create) error { return PublishTo(ctx, s, jobs, progress, create) })
}
