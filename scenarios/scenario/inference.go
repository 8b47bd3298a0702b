package scenario

import (
	"achilles/battery/bib"
	"achilles/sim/conf"
)

// Inference says how the responses are measured. It is the only section that the inference gets. Numbers that are 0 are
// left to the inference.
type Inference struct {
	Layout                string // name of a shipped layout, or a file
	Bank                  string // name of a shipped bank of rival layouts, or a file; none where it is empty
	Chains, Warmup, Draws int    // NUTS chains, and draws of each
	Engine                string // auto, nuts or tempered
	Predict               bool   // fit a second time without the held-out cells, to grade predictions

	Observers []string // who watches episodes; none: every observer there is
	Moments   int      // of so many items what observers think is kept frame by frame
}

// defaultMoments is the number of items of which moments are kept where a scenario says nothing.
const defaultMoments = 60

// readWatching reads the section of a scenario whose episodes are watched.
func readWatching(t *conf.Table) Inference {
	in := Inference{Observers: t.Texts("observers"), Moments: t.Whole("moments", defaultMoments, 0, bib.MaxEpisodes)}
	return in
}

func readInference(t *conf.Table) Inference {
	in := Inference{
		Layout: t.Text("layout"), Bank: t.Text("bank"),
		Chains: t.Whole("chains", 0, 4, 1000), Warmup: t.Whole("warmup", 0, 1, 1_000_000), Draws: t.Whole("draws", 0, 1, 1_000_000),
		Engine: t.Word("engine", "auto", "nuts", "tempered"), Predict: t.Flag("predict", true),
	}
	return in
}
