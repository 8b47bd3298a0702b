package score_test

import (
	"fmt"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"achilles/agents"
	"achilles/infer"
	"achilles/infer/infertest"
	"achilles/scenarios/score"
	"achilles/scenarios/seal"
	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// falseAlarm is the probability with which one check of TestCoverageOfCalibratedPosteriors may fail for a right program
// on a fresh seed: 1e-6 for all six shares together. The seed is fixed, so that the test does not fail by chance.
const falseAlarm = 1e-6 / 6

// TestCoverageOfCalibratedPosteriors draws subjects from the prior U(0, 1) who answer 40 items, so that their posterior
// is exactly Beta(1 + k, 41 − k). It checks that central and shortest intervals hold the truth as often as their level
// says, within exact binomial bounds. Posteriors of half the width, and shifted ones, must fail, so that the bounds are
// known to be narrow enough.
func TestCoverageOfCalibratedPosteriors(t *testing.T) {
	for _, c := range []struct {
		name         string
		shrink, bias float64
		right        bool
	}{{"calibrated", 1, 0, true}, {"overconfident", 0.5, 0, false}, {"biased", 1, 0.15, false}} {
		t.Run(c.name, func(t *testing.T) {
			s := run(t, betaSubjects(400, c.shrink, c.bias))
			wrong := 0
			for level, nominal := range map[string]float64{"50": 0.5, "90": 0.9} {
				d := s.Coverage.Detail[level]["op"]
				for name, share := range map[string]*score.Share{"all": &d.All, "interior": d.Interior, "shortest": d.Shortest} {
					i := score.ClopperPearson(share.Covered, share.N, 1-falseAlarm)
					t.Logf("%s %% %s: %d of %d", level, name, share.Covered, share.N)
					if nominal < i[0] || nominal > i[1] {
						wrong++
					}
				}
			}
			if c.right && wrong > 0 || !c.right && wrong < 5 {
				t.Errorf("%d of 6 shares are off", wrong)
			}
		})
	}
}

// TestShortestReachesBounds checks truths at the maximum with a posterior density that rises up to the maximum: they
// lie outside every central interval and inside every shortest one.
func TestShortestReachesBounds(t *testing.T) {
	in := betaSubjects(20, 1, 0)
	rising := distuv.Beta{Alpha: 41, Beta: 1}
	for id, spec := range in.Sealed.Subjects {
		spec.Truth.Capability["op"] = 1
		in.Sealed.Subjects[id] = spec
	}
	for i := range in.Result.Profiles {
		in.Result.Profiles[i] = betaProfile(in.Result.Profiles[i].Subject, rising, 1, 0)
	}
	for _, s := range in.Result.Draws.(*infertest.Draws).Subjects {
		for i := range s.Values[0] {
			s.Values[0][i] = rising.Quantile((float64(i) + 0.5) / drawsEach)
		}
	}
	d := run(t, in).Coverage.Detail["90"]["op"]
	if d.AtBound != 20 || d.Interior != nil || d.All.Covered != 0 || d.Shortest.Covered != 20 {
		t.Errorf("%+v", d)
	}
}

// drawsEach is the number of draws of a subject. With few draws the shortest interval would be too short.
const drawsEach = 800

// betaSubjects returns an input of n subjects with one capability. shrink multiplies the widths of the posteriors, and
// bias shifts them; with 1 and 0 they are right.
func betaSubjects(n int, shrink, bias float64) score.Input {
	in := score.Input{
		Public: &record.Dataset{Manifest: record.Manifest{Manifest: part.Manifest{Parents: map[string]string{part.Sealed: "b"}}}}, Manifest: "a",
		Result: &infer.Result{Manifest: part.Manifest{Parents: map[string]string{"public": "a"}}},
		Sealed: &seal.Truth{Digest: "b", Scale: map[string]float64{"op": 1}, Subjects: map[string]agents.Spec{}},
	}
	draws := &infertest.Draws{Names: []string{"op"}}
	in.Result.Draws = draws
	for i := range n {
		id := fmt.Sprintf("s%04d", i)
		s := betaSubject(id)
		posterior := distuv.Beta{Alpha: float64(s.k + 1), Beta: float64(41 - s.k)}
		in.Public.Subjects = append(in.Public.Subjects, id)
		in.Sealed.Subjects[id] = agents.Spec{Name: "agent " + id, Truth: agents.Truth{Capability: map[string]float64{"op": s.truth}}}
		in.Result.Profiles = append(in.Result.Profiles, betaProfile(id, posterior, shrink, bias))
		for i, x := range s.draws {
			draws.Add(id, 0, int32(i), squeeze(x, posterior, shrink, bias))
		}
	}
	return in
}

// A betaDrawn is a subject that passes with probability truth, and did so k times of 40, with draws of its posterior.
type betaDrawn struct {
	truth float64
	k     int
	draws [drawsEach]float64
}

// betaSubject draws a subject, once for all tests.
func betaSubject(id string) *betaDrawn {
	if s := betaKnown[id]; s != nil {
		return s
	}
	r := rng.Stream(1, "calibrated", id)
	s := &betaDrawn{truth: r.Float64()}
	for range 40 {
		if r.Bernoulli(s.truth) {
			s.k++
		}
	}
	for i := range s.draws {
		s.draws[i] = betaDraw(&r, s.k)
	}
	betaKnown[id] = s
	return s
}

var betaKnown = map[string]*betaDrawn{}

func betaProfile(id string, d distuv.Beta, shrink, bias float64) infer.Profile {
	q := func(p float64) float64 { return squeeze(d.Quantile(p), d, shrink, bias) }
	return infer.Profile{
		Subject: id, Parameter: "op", Mean: d.Mean() + bias, SD: shrink * d.StdDev(),
		Q5: q(0.05), Q25: q(0.25), Q50: q(0.5), Q75: q(0.75), Q95: q(0.95),
	}
}

func squeeze(x float64, d distuv.Beta, shrink, bias float64) float64 {
	return d.Mean() + shrink*(x-d.Mean()) + bias
}

// betaDraw returns a draw of Beta(1 + k, 41 − k): the (k+1)th smallest of 41 uniform numbers.
func betaDraw(r *rng.Rand, k int) float64 {
	u := make([]float64, 41)
	for i := range u {
		u[i] = r.Float64()
	}
	slices.Sort(u)
	return u[k]
}

// bootstrapCoverage is the probability that the interval of the RMSE of 40 normal deviations holds the true RMSE, from
// a long simulation (4580 of 5000): for so small samples the percentile bootstrap of a mean square falls short of 95 %.
const bootstrapCoverage = 0.916

// TestRecoveryInterval checks that 300 intervals hold the true RMSE as often as bootstrapCoverage says, within exact
// binomial bounds at a false-alarm rate of 1e-6.
func TestRecoveryInterval(t *testing.T) {
	covered := 0
	const sd, repetitions = 0.1, 300
	for rep := range repetitions {
		in := betaSubjectsAt(rng.Stream(uint64(rep), "recovery interval"), 40, sd)
		i := run(t, in).Recovery["overall"]["op"].Interval
		if i[0] <= sd && sd <= i[1] {
			covered++
		}
	}
	if i := score.ClopperPearson(covered, repetitions, 1-1e-6); bootstrapCoverage < i[0] || bootstrapCoverage > i[1] {
		t.Errorf("the true RMSE is inside %d of %d intervals", covered, repetitions)
	}
}

// betaSubjectsAt returns an input of n subjects with truth ½ whose posterior means have normal errors of standard
// deviation sd.
func betaSubjectsAt(r rng.Rand, n int, sd float64) score.Input {
	in := score.Input{
		Public: &record.Dataset{Manifest: record.Manifest{Manifest: part.Manifest{Parents: map[string]string{part.Sealed: "b"}}}}, Manifest: "a",
		Result: &infer.Result{Manifest: part.Manifest{Parents: map[string]string{"public": "a"}}},
		Sealed: &seal.Truth{Digest: "b", Scale: map[string]float64{"op": 1}, Subjects: map[string]agents.Spec{}},
	}
	for i := range n {
		id := fmt.Sprintf("s%04d", i)
		in.Public.Subjects = append(in.Public.Subjects, id)
		in.Sealed.Subjects[id] = agents.Spec{Name: id, Truth: agents.Truth{Capability: map[string]float64{"op": 0.5}}}
		in.Result.Profiles = append(in.Result.Profiles, infer.Profile{Subject: id, Parameter: "op", Mean: 0.5 + sd*r.Norm()})
	}
	return in
}
