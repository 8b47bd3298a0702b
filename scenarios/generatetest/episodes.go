package generatetest

import (
	"testing"

	"golang.org/x/sync/errgroup"

	"achilles/battery/bib"
	"achilles/scenarios/generate"
	"achilles/scenarios/scenario"
)

// Episodes makes all episodes of e. All fields of e except the number of episodes may be zero, which means the
// defaults.
func Episodes(t testing.TB, e scenario.Episodes, root uint64) []bib.Episode {
	t.Helper()
	if err := e.Check(); err != nil {
		t.Fatal(err)
	}
	scene, err := generate.Scenes(e, root)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]bib.Episode, e.Len())
	var group errgroup.Group
	group.SetLimit(2)
	for i := range out {
		group.Go(func() (err error) {
			out[i], err = scene(i)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	return out
}
