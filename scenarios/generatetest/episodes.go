package generatetest

import (
	"sync"
	"testing"

	"achilles/battery/bib"
	"achilles/scenarios/generate"
	"achilles/scenarios/scenario"
)

// Episodes makes all episodes of e, which may leave everything but their number to the defaults.
func Episodes(t testing.TB, e scenario.Episodes, root uint64) []bib.Episode {
	t.Helper()
	if err := e.Check(); err != nil {
		t.Fatal(err)
	}
	scene, err := generate.Scenes(e, root)
	if err != nil {
		t.Fatal(err)
	}
	out, errs := make([]bib.Episode, e.Len()), make([]error, e.Len())
	const workers = 2
	var wait sync.WaitGroup
	for k := range workers {
		wait.Go(func() {
			for i := k; i < len(out); i += workers {
				out[i], errs[i] = scene(i)
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}
