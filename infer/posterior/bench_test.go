package posterior_test

import (
	"strconv"
	"testing"

	"achilles/infer/posterior"
)

// BenchmarkFit fits agents of the object-permanence table: a posterior with one mode by either engine, and one with two
// modes by Auto. It reports the evaluations of a fit, and the effective sample size of its worst parameter, also for
// each thousand evaluations.
//
//	go test ./infer/posterior -run xxx -bench Fit -benchtime 5x
func BenchmarkFit(b *testing.B) {
	table := readOP(b)
	for _, c := range []struct {
		name, agent string
		engine      posterior.Engine
	}{{"auto", "Agent9", posterior.Auto}, {"tempered", "Agent9", posterior.Tempered}, {"takeover", "Agent26", posterior.Auto}} {
		b.Run(c.name, func(b *testing.B) {
			o := table.Target(c.agent, readings["asrun"])
			conf := posterior.Default()
			conf.Engine = c.engine
			var gradients, likelihoods, ess, each float64
			for i := 0; b.Loop(); i++ {
				p := fitOP(b, o, conf, 1, "benchmark", strconv.Itoa(i))
				least := float64(conf.Chains * conf.Draws)
				for _, s := range p.Summaries {
					least = min(least, s.ESSBulk)
				}
				gradients += float64(p.Work.Gradients)
				likelihoods += float64(p.Work.Likelihoods)
				ess += least
				for _, chain := range p.Chains {
					each += float64(chain.Gradients) / float64(conf.Chains*conf.Draws)
				}
			}
			n := float64(b.N)
			b.ReportMetric(gradients/n, "gradients/op")
			b.ReportMetric(likelihoods/n, "likelihoods/op")
			b.ReportMetric(each/n, "gradients/draw")
			b.ReportMetric(ess/n, "ESS/op")
			b.ReportMetric(1000*ess/(gradients+likelihoods), "ESS/kevaluation")
		})
	}
}
