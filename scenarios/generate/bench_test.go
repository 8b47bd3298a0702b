package generate_test

import (
	"context"
	"testing"

	"achilles/battery/bib"
	"achilles/scenarios/generate"
)

// BenchmarkMake has the time for an episode on one goroutine.
func BenchmarkMake(b *testing.B) {
	for _, task := range allTasks() {
		b.Run(string(task), func(b *testing.B) {
			plan := generate.Plan{Design: bib.Design{Episodes: b.N, Tasks: []bib.Task{task}}}
			if _, err := generate.Make(context.Background(), plan, 1, 1); err != nil {
				b.Fatal(err)
			}
		})
	}
}
