package generate

import (
	"cmp"
	"fmt"
	"slices"

	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/sim/record"
)

// An acted is an episode with the public number of its trial.
type acted struct {
	*Episode
	trial int // number of the trial in the public directory
}

// actedInOrder returns the episodes of a session in the order of publication: by item, trial, subject and repetition.
// It refuses an episode whose subject, item or trial does not exist.
func (s *Session) actedInOrder(id *identity) ([]acted, error) {
	list := make([]acted, len(s.Episodes))
	for i := range s.Episodes {
		e := &s.Episodes[i]
		if e.Subject < 0 || e.Subject >= len(s.Subjects) || e.Item < 0 || e.Item >= len(s.Battery.Items) {
			return nil, fmt.Errorf("an episode names subject %d, item %d: the session has no such", e.Subject, e.Item)
		}
		it := &s.Battery.Items[e.Item]
		if e.Trial < 0 || e.Trial >= len(it.Trials) || it.Trials[e.Trial].World == "" {
			return nil, fmt.Errorf("item %q has no trial %d to act in", it.Name, e.Trial)
		}
		list[i] = acted{e, id.publicTrial(e.Item, e.Trial)}
	}
	slices.SortFunc(list, func(a, b acted) int {
		return cmp.Or(int(id.itemRow[a.Item]-id.itemRow[b.Item]), a.trial-b.trial, int(id.subjectRow[a.Subject]-id.subjectRow[b.Subject]), a.Repetition-b.Repetition)
	})
	return list, nil
}

// sealEpisodes writes the files of sealed/episodes/, each with up to seal.EpisodesPerShard episodes.
func sealEpisodes(list []acted, id *identity, create results.Create) ([]record.File, error) {
	var files []record.File
	for shard := range slices.Chunk(list, seal.EpisodesPerShard) {
		episodes := make([]seal.Episode, len(shard))
		for i, x := range shard {
			episodes[i] = seal.Episode{
				Item: id.item[x.Item], Trial: x.trial, Subject: id.subject[x.Subject], Repetition: x.Repetition, Moves: x.Moves, Eyes: x.Eyes, Beliefs: x.Beliefs, Cause: x.Cause,
			}
		}
		path, data, err := seal.EncodeEpisodes(len(files), episodes)
		if err != nil {
			return nil, err
		}
		if err := create.Put(seal.SealedPart, path, data); err != nil {
			return nil, err
		}
		files = append(files, record.NewFile(path, data))
	}
	return files, nil
}
