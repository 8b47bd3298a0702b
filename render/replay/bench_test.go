package replay_test

import (
	"context"
	"testing"
	"testing/fstest"

	"achilles/render/replay"
	"achilles/scenarios"
	"achilles/scenarios/generate"
	"achilles/scenarios/generatetest"
	"achilles/scenarios/scenario"
	"achilles/scenarios/seal"
)

// results returns a results directory in memory, with items × bodies episodes. If unsealed is true, its ledger says
// that grading opened the seal.
func results(b *testing.B, items, bodies int, unsealed bool) fstest.MapFS {
	b.Helper()
	text, err := scenarios.FS.ReadFile("embodied.toml")
	if err != nil {
		b.Fatal(err)
	}
	s, err := scenario.Parse("embodied.toml", string(text))
	if err != nil {
		b.Fatal(err)
	}
	s.Battery.Items, s.Populations[0].Count = items, bodies
	session, err := generate.Run(context.Background(), s, generate.Config{Seed: 1, Jobs: 2})
	if err != nil {
		b.Fatal(err)
	}
	public, sealed, err := generatetest.Files(session)
	if err != nil {
		b.Fatal(err)
	}
	m := fstest.MapFS{}
	for name, data := range public {
		m["public/"+name] = &fstest.MapFile{Data: data}
	}
	for name, data := range sealed {
		m["sealed/"+name] = &fstest.MapFile{Data: data}
	}
	if unsealed {
		l := &seal.Ledger{Format: seal.LedgerFormat, Version: seal.LedgerVersion}
		l.Append(seal.Entry{Stage: "score", Read: map[string]string{seal.SealedPart: generatetest.Commitment(sealed)}})
		m["ledger.json"] = &fstest.MapFile{Data: l.Encode()}
	}
	return m
}

// BenchmarkOpen opens the list of 60,000 episodes.
func BenchmarkOpen(b *testing.B) {
	for _, c := range []struct {
		name     string
		unsealed bool
	}{{"sealed", false}, {"unsealed", true}} {
		m := results(b, 2000, 30, c.unsealed)
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				a, err := replay.Open(m)
				if err != nil || len(a.Rows) != 60_000 || a.Unsealed != c.unsealed {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkEpisode opens episodes of a directory with 60,000, in an order that jumps from row to row.
func BenchmarkEpisode(b *testing.B) {
	a, err := replay.Open(results(b, 2000, 30, true))
	if err != nil {
		b.Fatal(err)
	}
	row := 0
	for b.Loop() {
		row = (row + 7919) % len(a.Rows)
		if _, err := a.Episode(row); err != nil {
			b.Fatal(err)
		}
	}
}
