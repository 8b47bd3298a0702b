package generate_test

import (
	"testing"

	"achilles/agents"
	"achilles/scenarios/generate"
	"achilles/scenarios/scenario"
)

// BenchmarkEpisode times episodes in three cases. In "generated", items are made and measured, and one body plans its
// way through each. In "bodies", a hundred bodies take every item, with one worker and with two.
func BenchmarkEpisode(b *testing.B) {
	bench := func(name string, s *scenario.Scenario, n, jobs int) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if out := run(b, s, generate.Config{Seed: 1, Jobs: jobs}); len(generate.Acted(b, out)) != n {
					b.Fatal("episodes are missing")
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "episodes/s")
		})
	}
	one := open(b, "embodied", "battery.items=2000")
	one.Populations, one.Agents = nil, []agents.Spec{{Name: "planner", Body: []agents.Body{{}}}}
	bench("generated", one, 2000, 1)
	many := open(b, "embodied", "battery.items=500", "population[0].count=100")
	bench("bodies/1-worker", many, 50_000, 1)
	bench("bodies/2-workers", many, 50_000, 2)
}

// BenchmarkPublishEpisodes publishes 50,000 trajectories.
func BenchmarkPublishEpisodes(b *testing.B) {
	out := run(b, open(b, "embodied", "battery.items=500", "population[0].count=100"), generate.Config{Seed: 1, Jobs: 2})
	b.ReportAllocs()
	for b.Loop() {
		publishTo(b, out, 2)
	}
	b.ReportMetric(50_000*float64(b.N)/b.Elapsed().Seconds(), "episodes/s")
}
