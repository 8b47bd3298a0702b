package generate_test

import (
	"testing"

	"achilles/battery/bib"
	"achilles/scenarios/generate"
	"achilles/scenarios/scenario"
)

// BenchmarkScenes times one episode of each task on one goroutine.
func BenchmarkScenes(b *testing.B) {
	for _, task := range allTasks() {
		b.Run(string(task), func(b *testing.B) {
			scene, err := generate.Scenes(scenario.Episodes{Design: bib.Design{Episodes: b.N, Tasks: []bib.Task{task}}}, 1)
			for i := 0; i < b.N && err == nil; i++ {
				_, err = scene(i)
			}
			if err != nil {
				b.Fatal(err)
			}
		})
	}
}
