package generate

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"achilles/battery"
	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/store"
)

// publishTrials writes what there is of the trials: their worlds, what subjects did in them, which is sealed, and what could be
// seen of it. A trial's world is read once for all three, in up to jobs goroutines, in which bodies act. progress is called with the
// number of items whose trials are written; it may be nil.
func (h *history) publishTrials(ctx context.Context, jobs int, progress func(done, total int), create results.Create) (trialFiles, error) {
	inPublic := func(path string) (io.WriteCloser, error) { return create(seal.PublicPart, path) }
	inSealed := func(path string, data []byte) error { return create.Put(seal.SealedPart, path, data) }
	w := &trialsWriter{record.NewWorldWriter(inPublic), seal.NewEpisodeWriter(inSealed), record.NewTrajectoryWriter(inPublic)}
	w.trajectories.Jobs, w.trajectories.Scratch = jobs, store.Scratch{}
	done := 0
	err := ordered(ctx, jobs, h.ahead(jobs), len(h.id.itemAt), newRecorder, func(r *recorder, row int) (*itemTrials, error) {
		return r.trials(ctx, h, row)
	}, func(t *itemTrials) error {
		done++
		if progress != nil {
			progress(done, len(h.id.itemAt))
		}
		return w.write(t)
	})
	if err != nil {
		_, _ = w.trajectories.Close() // closes its files
		return trialFiles{}, err
	}
	return w.close()
}

// ahead returns the number of items whose trials may wait to be written. Too few, and a goroutine that the system stops for some
// milliseconds stops the others.
func (h *history) ahead(jobs int) int {
	episodes := h.session.responses() / max(len(h.id.itemAt), 1) // of an item, about
	return max(fewAhead(jobs), battery.Ahead/max(episodes, 1))
}

// The trialFiles are the files that publishTrials writes.
type trialFiles struct{ sealed, public []part.File }

// An itemTrials is what is written of the trials of one item, in the order of publication.
type itemTrials struct {
	worlds       []record.World
	episodes     []seal.Episode
	trajectories []record.Trajectory
}

// trials returns what is written of the item in a row of the published items.
func (r *recorder) trials(ctx context.Context, h *history, row int) (*itemTrials, error) {
	out := new(itemTrials)
	item := h.id.itemAt[row]
	it := &r.item
	h.session.Battery.Items.Read(item, it)
	for _, t := range h.id.trialsAt(item, len(it.Trials)) {
		if it.Trials[t].World.Empty() && len(it.Trials[t].Places) == 0 {
			continue
		}
		if err := it.Trials[t].Read(&r.start); err != nil {
			return nil, fmt.Errorf("item %q: trial %d: %w", it.Name, t, err)
		}
		w := r.publicWorld(it, t)
		w.Item, w.Trial = h.id.item[item], h.id.publicTrial(item, t)
		out.worlds = append(out.worlds, w)
		if h.session.acting != nil {
			allSteps(&r.start)
			r.worker.enter(&r.start, it.Trials[t].Places)
		}
		group, err := h.of(ctx, r.worker, slot{item, t})
		if err != nil {
			return nil, err
		}
		if len(group) == 0 {
			continue
		}
		out.seal(h.id, group)
		if h.session.NoTrajectories {
			continue
		}
		if err := r.trajectories(ctx, h, group, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// seal adds the episodes of a trial to those of the item.
func (t *itemTrials) seal(id *identity, group []acted) {
	t.episodes = slices.Grow(t.episodes, len(group))
	for _, x := range group {
		t.episodes = append(t.episodes, seal.Episode{
			Item: id.item[x.Item], Trial: x.trial, Subject: id.subject[x.Subject], Repetition: x.Repetition, Moves: x.Moves, Eyes: x.Eyes, Beliefs: x.Beliefs, Cause: x.Cause,
		})
	}
}

// A trialsWriter writes what there is of the trials of one item after another.
type trialsWriter struct {
	worlds       *record.WorldWriter
	episodes     *seal.EpisodeWriter
	trajectories *record.TrajectoryWriter
}

func (w *trialsWriter) write(t *itemTrials) error {
	for i := range t.worlds {
		if err := w.worlds.Write(&t.worlds[i]); err != nil {
			return err
		}
	}
	for i := range t.trajectories {
		if err := w.trajectories.Write(&t.trajectories[i]); err != nil {
			return err
		}
	}
	for i := range t.episodes {
		if err := w.episodes.Write(&t.episodes[i]); err != nil {
			return err
		}
	}
	return nil
}

// close ends all files.
func (w *trialsWriter) close() (trialFiles, error) {
	trajectories, err := w.trajectories.Close()
	sealed, err2 := w.episodes.Close()
	worlds, err3 := w.worlds.Close()
	slices.SortFunc(trajectories, func(a, b part.File) int { return strings.Compare(a.Path, b.Path) })
	return trialFiles{sealed, append(worlds, trajectories...)}, cmp.Or(err, err2, err3)
}
