package joint

import (
	"slices"

	"achilles/infer/layout"
	"achilles/infer/posterior"
	"achilles/sim/rng"
)

// The log marginal likelihood of all responses is estimated from the draws of up to fewValues values, of which there are leastPerValue for each, by
// bridge sampling with so many evaluations of the density. A standard error above mostEvidence, which is then too small itself, says that the density is too
// far from the normal one that is fitted to it. Of 2pl at 12 × 5 (seeds 1 to 3) and rasch at 60 × 16 (seeds 1 and 2), it was .024 to .035.
const (
	leastPerValue = 20
	proposals     = 4000
	mostEvidence  = 0.3
)

// addEvidence adds it to a posterior of all values, in the coordinates of a target.
func addEvidence(p *posterior.Posterior, t *layout.JointTarget, root uint64, path ...string) {
	var q [][][]float64
	var logp [][]float64
	draws, grad := 0, make([]float64, t.Dim())
	for _, chain := range p.Draws {
		at, l := make([][]float64, len(chain)), make([]float64, len(chain))
		for k, theta := range chain {
			at[k] = make([]float64, t.Dim())
			t.Unconstrain(theta, at[k])
			l[k] = t.LogDensity(at[k], grad)
		}
		q, logp, draws = append(q, at), append(logp, l), draws+len(chain)
	}
	if draws < leastPerValue*t.Dim() {
		return
	}
	value, se := posterior.Bridge(t, q, logp, proposals, rng.Stream(root, append(slices.Clone(path), "evidence")...))
	if p.Work.Gradients += draws + proposals; se <= mostEvidence {
		p.LogEvidence, p.LogEvidenceError = value, se
	}
}
