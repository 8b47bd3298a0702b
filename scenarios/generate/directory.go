package generate

import (
	"bytes"
	"context"
	"io"
	"strconv"

	"achilles/scenarios/results"
	"achilles/scenarios/scenario"
	"achilles/scenarios/seal"
)

// drawnFile has the root seed that was drawn for a directory until it is sealed.
const drawnFile = ".drawn"

// DrawnRoot is the root seed that is drawn for a scenario in a results directory: once, so that a run that was stopped, or
// is repeated, goes on with it. Anew draws another one.
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
	return root, d.WriteFile(drawnFile, strconv.AppendUint(nil, root, 10))
}

// sealedRoot is the root seed of the session that is sealed in d, where it is one of this very scenario.
func sealedRoot(d *results.Dir, s *scenario.Scenario) (uint64, bool) {
	if !d.Has(seal.SealedPart) {
		return 0, false
	}
	sealed, err := d.FS(seal.SealedPart)
	if err != nil {
		return 0, false
	}
	return seal.RootOf(sealed, s.Text)
}

// Into runs a scenario and publishes what was made into a results directory, where other data are replaced under force
// only. What those did who act from outside is kept there, so that a run that was stopped goes on.
func Into(ctx context.Context, d *results.Dir, s *scenario.Scenario, c Config, force bool) (*Session, error) {
	c.Journal = d.Acted()
	session, err := Run(ctx, s, c)
	if err != nil {
		return nil, err
	}
	if err := session.PublishInto(ctx, d, "generate", c.Jobs, c.Progress, force); err != nil {
		return nil, err
	}
	return session, d.Remove(drawnFile)
}

// PublishInto publishes a session into a results directory, as what a stage of that name has made. Progress may be nil.
func (s *Session) PublishInto(ctx context.Context, d *results.Dir, stage string, jobs int, progress func(done, total int), force bool) error {
	public, sealed, err := s.Files(ctx, jobs, progress)
	if err != nil {
		return err
	}
	return d.PutPublic(stage, public, sealed, force)
}

// Files publishes in memory: it returns the files of the public and of the sealed directory, path → content. See PublishTo.
func (s *Session) Files(ctx context.Context, jobs int, progress func(done, total int)) (public, sealed map[string][]byte, err error) {
	parts := map[string]map[string][]byte{seal.PublicPart: {}, seal.SealedPart: {}}
	err = PublishTo(ctx, s, jobs, progress, func(part, path string) (io.WriteCloser, error) {
		return &memory{files: parts[part], path: path}, nil
	})
	if err != nil {
		return nil, nil, err
	}
	return parts[seal.PublicPart], parts[seal.SealedPart], nil
}

// A memory is a file that appears in files when it is closed.
type memory struct {
	bytes.Buffer
	files map[string][]byte
	path  string
}

// Close keeps the file.
func (m *memory) Close() error {
	m.files[m.path] = m.Bytes()
	return nil
}
