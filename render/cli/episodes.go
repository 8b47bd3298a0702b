package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"achilles/infer/voe"
	"achilles/scenarios/generate"
	"achilles/scenarios/scenario"
	"achilles/scenarios/seal"
)

// generateEpisodes makes and publishes the episodes of a scenario. It returns a line on what was made.
func (a *app) generateEpisodes(ctx context.Context, s *scenario.Scenario, m *making) (string, error) {
	screening, err := generate.Screen(s, m.seed)
	if err != nil {
		return "", err
	}
	public, sealed, err := a.project(ctx, screening, m.jobs)
	if err != nil {
		return "", err
	}
	line := fmt.Sprintf("%d episodes of %d tasks; public and sealed in %s", len(screening.Names), len(s.Bib.Tasks), m.out)
	return line, a.replacePublic("generate", m.out, public, sealed, m.force)
}

// project publishes a screening in memory: scenes are packed well.
func (a *app) project(ctx context.Context, s *generate.Screening, jobs int) (public, sealed map[string][]byte, err error) {
	parts := map[string]map[string][]byte{seal.PublicPart: {}, seal.SealedPart: {}}
	err = generate.PublishScreening(ctx, s, jobs, a.progress("generate"), func(part, name string) (io.WriteCloser, error) {
		return &keptFile{files: parts[part], name: name}, nil
	})
	return parts[seal.PublicPart], parts[seal.SealedPart], err
}

// A keptFile appears in files when it is closed.
type keptFile struct {
	bytes.Buffer
	files map[string][]byte
	name  string
}

func (k *keptFile) Close() error {
	k.files[k.name] = k.Bytes()
	return nil
}

// checkEpisodes also makes the first episode of every task, so that what shows only then is found.
func (a *app) checkEpisodes(file string, s *scenario.Scenario) error {
	screening, err := generate.Screen(s, s.Seed)
	if err != nil {
		return err
	}
	for i := 0; i < len(screening.Names); i += s.Bib.Episodes {
		if _, err := screening.Episode(i); err != nil {
			return err
		}
	}
	if _, err := voe.Select(s.Inference.Observers, 0); err != nil {
		return fmt.Errorf("%s: key inference.observers: %w", file, err)
	}
	fmt.Fprintf(a.stdout, "%s: %d episodes, %d of each of %d tasks\n", file, len(screening.Names), s.Bib.Episodes, len(s.Bib.Tasks))
	return nil
}
