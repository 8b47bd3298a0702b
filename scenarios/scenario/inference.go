package scenario

import (
	"time"

	"achilles/battery/bib"
	"achilles/sim/conf"
)

// Inference says how the responses are measured. It is the only section of a scenario that inference may read. If
// Chains, Warmup or Draws is 0, inference uses its default.
type Inference struct {
	Layout                string // name of a shipped layout, or a file
	Bank                  string // name of a shipped bank of rival layouts, or a file; empty: no bank
	Chains, Warmup, Draws int    // number of NUTS chains, and warm-up iterations and draws of each
	Engine                string // auto, nuts, tempered, laplace or marginal
	Predict               bool   // fit a second time without the held-out responses, to grade predictions of them

	Observers []string      // names of the observers that watch the episodes; empty: all observers
	Moments   int           // number of items for which the observers' beliefs are recorded frame by frame
	Timeout   time.Duration // longest time that an observer of the user's own may take over an answer; 0: the default
}

// defaultMoments is the value of Moments if the scenario gives none.
const defaultMoments = 60

// readWatching reads the section inference of a scenario whose episodes observers watch.
func readWatching(t *conf.Table) Inference {
	return Inference{
		Observers: t.Texts("observers"), Moments: t.Whole("moments", defaultMoments, 0, bib.MaxEpisodes),
		Timeout: time.Duration(readTimeout(t) * float64(time.Second)),
	}
}

func readInference(t *conf.Table) Inference {
	in := Inference{
		Layout: t.Text("layout"), Bank: t.Text("bank"),
		Chains: t.Whole("chains", 0, 4, 1000), Warmup: t.Whole("warmup", 0, 1, 1_000_000), Draws: t.Whole("draws", 0, 1, 1_000_000),
		Engine: t.Word("engine", "auto", "nuts", "tempered", "laplace", "marginal"), Predict: t.Flag("predict", true),
	}
	return in
}
