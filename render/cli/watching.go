package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"achilles/infer/voe"
	"achilles/sim/record"
	"achilles/sim/store"
)

// looking are the flags of whatever lets observers watch.
type looking struct {
	observers, programs, answers []string
	moments                      int
}

func (l *looking) flags(c *cobra.Command) {
	c.Flags().StringSliceVar(&l.observers, "observers", nil, "who watches episodes, as names with commas between (default: all)")
	c.Flags().IntVar(&l.moments, "moments", unset, "episodes of which what observers think is kept frame by frame (default: the scenario's number, or 60)")
	c.Flags().StringArrayVar(&l.programs, "outside", nil, "an observer of your own, as NAME=PROGRAM; may be given several times (docs/theory/bib.md)")
	c.Flags().StringArrayVar(&l.answers, "surprises", nil, "the answers of an observer of your own, as NAME=FILE_OR_FOLDER; may be given several times")
}

// unset is a number that a flag was not given.
const unset = -1

// given says whether any of the flags was.
func (l *looking) given() bool {
	return l.observers != nil || l.programs != nil || l.answers != nil || l.moments != unset
}

// isWatched says whether a public directory has episodes to watch, rather than responses.
func isWatched(public fs.FS) (bool, error) {
	m, err := record.ReadManifest(public)
	if err != nil {
		return false, err
	}
	return len(record.SceneShards(m)) > 0, nil
}

// checkStage refuses flags that belong to the other kind of data.
func (m *measuring) checkStage(watched bool) error {
	switch {
	case watched && (m.layout != "" || m.engine != "" || m.bank != "" || m.chains+m.warmup+m.draws != 0):
		return usagef("these are episodes, which observers watch: --layout, --bank, --engine, --chains, --warmup and --draws do not apply")
	case !watched && m.looking.given():
		return usagef("these are responses, and no episodes to watch: --observers, --moments, --outside and --surprises do not apply")
	}
	return nil
}

// watch lets observers watch the episodes of a results directory, or takes what is there where it was made from the same.
func (a *app) watch(ctx context.Context, d *results, m *measuring) (*voe.Result, error) {
	public, err := d.public()
	if err != nil {
		return nil, err
	}
	t := voe.Task{Seed: m.seed, Observers: m.looking.observers, Moments: m.looking.moments, Jobs: m.workers(), Progress: a.progress("watch")}
	asked, err := m.looking.outsiders()
	if err != nil {
		return nil, err
	}
	for _, o := range asked {
		t.Outside = append(t.Outside, o.Outsider)
	}
	if d.has("inferred") {
		if res, err := d.sameWatched(public, t); err == nil || !m.force {
			return res, err
		}
	} else if _, err := voe.Expect(public, t); err != nil {
		return nil, err // before anybody from outside is asked
	}
	stage, err := store.NewStage(d.path("inferred"), m.force)
	if err != nil {
		return nil, overwriteHint(err)
	}
	defer stage.Abort()
	if err := a.askOutside(ctx, public, asked, t.Outside); err != nil {
		return nil, err
	}
	pieces := store.Pieces{Dir: d.path(".pieces")}
	res, err := voe.Infer(ctx, public, t, pieces, stage)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(a.replaceInferred(d, stage), os.RemoveAll(pieces.Dir)); err != nil {
		return nil, err
	}
	return res, d.enterInferred(res.Manifest.Public)
}

// sameWatched returns the result that is there if the same episodes and settings gave it.
func (d *results) sameWatched(public fs.FS, t voe.Task) (*voe.Result, error) {
	root, err := d.inferred()
	if err != nil {
		return nil, err
	}
	want, err := voe.Expect(public, t)
	if err != nil {
		return nil, err
	}
	res, err := voe.Open(root)
	if err != nil {
		return nil, err
	}
	got := res.Manifest
	got.Files = nil
	x, err := json.Marshal(want)
	if err != nil {
		return nil, err
	}
	y, err := json.Marshal(got)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(x, y) {
		return nil, overwriteHint(fmt.Errorf("%s has a result of other episodes, observers or settings: it %w", d.path("inferred"), store.ErrExists))
	}
	return res, d.enterInferred(res.Manifest.Public)
}

// sumUpWatched says what was watched.
func (a *app) sumUpWatched(res *voe.Result, d *results) {
	videos := map[[2]string]bool{}
	items := map[string]bool{}
	for _, s := range res.Surprises {
		videos[[2]string{s.Item, s.Video}], items[s.Item] = true, true
	}
	n := len(res.Manifest.Config.Observers) + len(res.Manifest.Config.Outside)
	fmt.Fprintf(a.stdout, "%d observers watched %d videos of %d episodes; in %s\n", n, len(videos), len(items), d.path("inferred"))
}
