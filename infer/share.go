package infer

import (
	"context"
	"fmt"
	"io/fs"

	"achilles/sim/part"
	"achilles/sim/record"
)

// A Share is the part of an inference that one of Of processes does, 0 ≤ Index < Of: the fits of every Of-th subject from
// subject Index on, and every Of-th file of scenes from file Index on. The shares of all processes together are the whole.
type Share struct{ Index, Of int }

// Shared says what RunShare did.
type Shared struct {
	Names  []string // under which it put its results
	Of     int      // number of results of all shares together
	Key    string   // digest of everything that they depend on
	Public string   // digest of the manifest of the public part
}

func (s Share) has(i int) bool { return i%s.Of == s.Index }

// CheckDivisible returns an error if the inference has no shares, because the layout measures all subjects in one fit. It returns
// nil if there is no layout.
func (j *Job) CheckDivisible() error {
	if j.Layout == nil {
		return nil
	}
	if err := j.Layout.CheckSeparate(); err != nil {
		return fmt.Errorf("%w, which cannot be divided into shards", err)
	}
	return nil
}

// RunShare does a share of the work of Run, and puts the results into the sink pieces. If pieces has the results of all
// shares, Run does no fit, and gives the bytes that it gives without shares. External observers have no part in a share.
// The error is that of CheckDivisible if there are no shares.
func RunShare(ctx context.Context, public fs.FS, j Job, share Share, pieces Sink) (*Shared, error) {
	if err := j.CheckDivisible(); err != nil {
		return nil, err
	}
	j.Outside = nil
	r, err := newRun(public, j, pieces)
	if err != nil {
		return nil, err
	}
	scenes := record.SceneShards(&r.data.Manifest)
	tasks := r.tasks()
	done := &Shared{Key: r.key, Public: r.parent, Of: len(tasks) + len(scenes)}
	if done.Names, err = r.fitShare(ctx, tasks, share); err != nil {
		return nil, err
	}
	for number, f := range scenes {
		if !share.has(number) {
			continue
		}
		if _, err := (watching{r}).observed(ctx, number, f); err != nil {
			return nil, err
		}
		done.Names = append(done.Names, part.PieceName(f.Path))
	}
	return done, nil
}

// fitShare does the fits of a share, and returns the names under which their results are stored.
func (r *run) fitShare(ctx context.Context, all []task, share Share) (names []string, err error) {
	var tasks []task
	for _, t := range all {
		if share.has(int(t.subject)) {
			tasks = append(tasks, t)
			names = append(names, part.PieceName(fitOf(r.data.Subjects[t.subject], t.rows)))
		}
	}
	err = r.fitAll(ctx, tasks)
	return names, err
}
