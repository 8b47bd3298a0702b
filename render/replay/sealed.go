package replay

import (
	"errors"
	"io/fs"
	"slices"

	"golang.org/x/sync/errgroup"

	"achilles/scenarios/seal"
	"achilles/sim/record"
)

// A sealed knows what the sealed part says about subjects, items and episodes. While the part is sealed, it is zero, and its methods
// return what the public part shows.
type sealed struct {
	truth    *seal.Truth    // nil while sealed
	episodes []seal.Episode // in the order of the public ones; nil while sealed
}

// openSealed reads the sealed part with a commitment, if the ledger of a results directory says that its seal was opened. An empty
// commitment stands for no sealed part. With an error, nothing is known.
func openSealed(dir fs.FS, commitment string) (s sealed, err error) {
	text, err := fs.ReadFile(dir, ledgerFile)
	if errors.Is(err, fs.ErrNotExist) || commitment == "" {
		return sealed{}, nil
	}
	if err != nil {
		return sealed{}, err
	}
	ledger, err := seal.ParseLedger(text)
	if err != nil {
		return sealed{}, err
	}
	opened := false
	for _, e := range ledger.Entries {
		opened = opened || e.Read[seal.SealedPart] == commitment
	}
	if !opened {
		return sealed{}, nil
	}
	part, err := fs.Sub(dir, sealedPart)
	if err != nil {
		return sealed{}, err
	}
	if s.truth, err = seal.ReadTruth(part, commitment); err != nil {
		return sealed{}, err
	}
	if s.episodes, err = readEpisodes(part, s.truth); err != nil {
		return sealed{}, err
	}
	return s, nil
}

// readEpisodes reads all shards of sealed episodes in parallel.
func readEpisodes(dir fs.FS, truth *seal.Truth) ([]seal.Episode, error) {
	shards := truth.EpisodeShards()
	lists := make([][]seal.Episode, len(shards))
	var g errgroup.Group
	for i, f := range shards {
		g.Go(func() (err error) {
			lists[i], err = seal.EpisodeShard(dir, f)
			return err
		})
	}
	err := g.Wait()
	return slices.Concat(lists...), err
}

// subject returns the name of a subject, or its id if names are sealed.
func (s *sealed) subject(id string) string {
	if s.truth != nil {
		if x, ok := s.truth.Subjects[id]; ok {
			return x.Name
		}
	}
	return id
}

// item returns the name of an item, or its id if names are sealed.
func (s *sealed) item(id string) string {
	if s.truth != nil {
		if it, ok := s.truth.Items[id]; ok && it.Name != "" {
			return it.Name
		}
	}
	return id
}

// task returns the task that an item of scenes shows, "" if that is sealed or if the item has no scenes.
func (s *sealed) task(item string) string {
	if s.truth == nil || s.truth.Items[item].Episode == nil {
		return ""
	}
	return string(s.truth.Items[item].Episode.Task)
}

// outcomes returns "expected" or "unexpected" for each of an item's videos. It returns nil if that is sealed.
func (s *sealed) outcomes(item string) (list []string) {
	if s.truth == nil || s.truth.Items[item].Episode == nil {
		return nil
	}
	for _, o := range s.truth.Items[item].Episode.Outcome {
		list = append(list, o.String())
	}
	return list
}

// parameter returns the maximum of a parameter, which is 0 if unknown, and the parameter's true value for a subject,
// which is nil if unknown.
func (s *sealed) parameter(subject, parameter string) (scale float64, truth *float64) {
	if s.truth == nil {
		return 0, nil
	}
	scale = s.truth.Scale[parameter]
	if f, ok := s.truth.Subjects[subject].Truth.Capability[parameter]; ok {
		x := f * scale
		truth = &x
	}
	return scale, truth
}

// episode returns sealed episode i. It should be that of the public episode i; if its key differs, or if it is sealed, episode returns
// nil.
func (s *sealed) episode(i int, key record.Key) *seal.Episode {
	if i >= len(s.episodes) {
		return nil
	}
	e := &s.episodes[i]
	if e.Item != key.Item || e.Trial != key.Trial || e.Subject != key.Subject || e.Repetition != key.Repetition {
		return nil
	}
	return e
}

// cause returns the cause of failure in episode i, "" if it is not known.
func (s *sealed) cause(i int, key record.Key) string {
	if e := s.episode(i, key); e != nil {
		return e.Cause
	}
	return ""
}

// state returns the actor's eyes and beliefs in episode i. Both are nil if the seal is closed or if the actor has no body.
func (s *sealed) state(i int, key record.Key) (*seal.Eyes, []seal.Belief, error) {
	e := s.episode(i, key)
	if e == nil || e.Eyes == "" && e.Beliefs == "" {
		return nil, nil, nil
	}
	eyes, err := seal.DecodeEyes(e.Eyes)
	if err != nil {
		return nil, nil, err
	}
	beliefs, err := seal.DecodeBeliefs(e.Beliefs)
	return &eyes, beliefs, err
}
