package score

import (
	"fmt"
	"maps"
	"slices"

	"achilles/infer"
	"achilles/sim/rng"
)

// A PathScore says how far the predicted paths of some held-out episodes are from the paths that the subjects walked.
// Distances are means over episodes of root mean square distances over ticks, in cells. Grading paths needs no truth.
type PathScore struct {
	N        int     `json:"n"`        // number of episodes
	Subjects int     `json:"subjects"` // number of subjects that acted in these episodes
	RMSE     float64 `json:"rmse"`     // distance of the predicted path, the medoid of the sampled paths
	Likely   float64 `json:"likely"`   // distance of the most frequent of the sampled paths
	Fan      float64 `json:"fan"`      // mean distance of the sampled paths

	Direct    float64 `json:"direct"`     // baseline: the shortest way to the reward, with full information
	Still     float64 `json:"still"`      // baseline: staying at the start
	Pooled    float64 `json:"pooled"`     // baseline: the path predicted from the profile of the population instead of the subject's
	PooledFan float64 `json:"pooled_fan"` // baseline: mean distance of paths sampled from the profile of the population

	Interval   *Interval `json:"interval,omitempty"`    // 95 % interval of RMSE, bootstrap over subjects; this and the next four are nil for one subject
	OverDirect *Interval `json:"over_direct,omitempty"` // interval of RMSE − Direct, paired by episode
	OverStill  *Interval `json:"over_still,omitempty"`  // interval of RMSE − Still, paired by episode
	OverPooled *Interval `json:"over_pooled,omitempty"` // interval of RMSE − Pooled, paired by episode
	OverFans   *Interval `json:"over_fans,omitempty"`   // interval of Fan − PooledFan, paired by episode
}

// Overall is the key of the score over all paradigms.
const Overall = "overall"

// gradePaths grades the episodes of each paradigm, and all together.
func (s *Scores) gradePaths(in Input) {
	if len(in.Result.Paths) == 0 {
		return
	}
	groups := map[string][]infer.PathPrediction{Overall: in.Result.Paths}
	for _, p := range in.Result.Paths {
		if i, ok := slices.BinarySearch(in.Public.Items.ID, p.Item); ok {
			name := in.Public.Items.Paradigm[i]
			groups[name] = append(groups[name], p)
		}
	}
	s.Paths = map[string]PathScore{}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		s.Paths[name] = pathScore(rng.Stream(0, "score", "paths", name), groups[name])
	}
}

func pathScore(r rng.Rand, rows []infer.PathPrediction) PathScore {
	mean := func(of func(p *infer.PathPrediction) float64) float64 {
		sum := 0.0
		for i := range rows {
			sum += of(&rows[i])
		}
		return sum / float64(len(rows))
	}
	rmse := func(p *infer.PathPrediction) float64 { return p.RMSE }
	over := func(baseline func(p *infer.PathPrediction) float64) *Interval {
		return bootstrapSubjects(r, rows, func(p *infer.PathPrediction) float64 { return p.RMSE - baseline(p) })
	}
	direct := func(p *infer.PathPrediction) float64 { return p.Direct }
	still := func(p *infer.PathPrediction) float64 { return p.Still }
	pooled := func(p *infer.PathPrediction) float64 { return p.Pooled }
	return PathScore{
		N: len(rows), Subjects: len(bySubject(rows)), RMSE: mean(rmse), Direct: mean(direct), Still: mean(still), Pooled: mean(pooled),
		Likely: mean(func(p *infer.PathPrediction) float64 { return p.Likely }), Fan: mean(func(p *infer.PathPrediction) float64 { return p.Fan }),
		PooledFan: mean(func(p *infer.PathPrediction) float64 { return p.PooledFan }),
		Interval:  bootstrapSubjects(r, rows, rmse), OverDirect: over(direct), OverStill: over(still), OverPooled: over(pooled),
		OverFans: bootstrapSubjects(r, rows, func(p *infer.PathPrediction) float64 { return p.Fan - p.PooledFan }),
	}
}

// bySubject splits rows, which are sorted by subject, into one slice for each subject.
func bySubject(rows []infer.PathPrediction) (out [][]infer.PathPrediction) {
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].Subject == rows[0].Subject {
			n++
		}
		out, rows = append(out, rows[:n]), rows[n:]
	}
	return out
}

// bootstrapSubjects returns the percentile bootstrap interval of the mean over episodes of a function `of`. It returns
// nil for fewer than two subjects. It resamples subjects, not episodes, because the errors of one subject are
// correlated.
func bootstrapSubjects(r rng.Rand, rows []infer.PathPrediction, of func(p *infer.PathPrediction) float64) *Interval {
	groups := bySubject(rows)
	if len(groups) < 2 {
		return nil
	}
	sums := make([]float64, len(groups))
	for i, g := range groups {
		for j := range g {
			sums[i] += of(&g[j])
		}
	}
	means := make([]float64, resamples)
	for b := range means {
		sum, n := 0.0, 0
		for range groups {
			i := r.IntN(len(groups))
			sum, n = sum+sums[i], n+len(groups[i])
		}
		means[b] = sum / float64(n)
	}
	slices.Sort(means)
	cut := int((1 - Level) / 2 * resamples)
	return &Interval{means[cut], means[resamples-1-cut]}
}

// pathNames lists the paradigms by name, and Overall last.
func (s *Scores) pathNames() []string {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(s.Paths)), func(name string) bool { return name == Overall })
	return append(names, Overall)
}

// PathTable returns a table with one row for each paradigm and one for all. It returns nil if no path is graded.
func (s *Scores) PathTable() []byte {
	if s.Paths == nil {
		return nil
	}
	t := textTable{title: "Paths of held-out episodes: RMSE between predicted and actual path, in cells [95 %: bootstrap over subjects]"}
	t.head = []string{"paradigm", "n", "predicted", "95 %", "straight", "stay put", "population", "ours − population", "fan", "population's fan"}
	for _, name := range s.pathNames() {
		p := s.Paths[name]
		t.rows = append(t.rows, []string{
			name, fmt.Sprint(p.N), fixed(p.RMSE, 2), span(p.Interval, 2), fixed(p.Direct, 2), fixed(p.Still, 2), fixed(p.Pooled, 2),
			span(p.OverPooled, 2), fixed(p.Fan, 2), fixed(p.PooledFan, 2),
		})
	}
	t.foot = append(t.foot, "straight: the shortest way, with full information; population: the path predicted for the profiles of all subjects together; fan: mean over sampled paths.")
	return t.text()
}

func (s *Scores) pathRows() [][]string {
	rows := [][]string{{"paradigm", "n", "subjects", "rmse", "low", "high", "likely", "fan", "direct", "still", "pooled", "pooled_fan", "over_pooled_low", "over_pooled_high"}}
	for _, name := range s.pathNames() {
		p := s.Paths[name]
		row := append([]string{name, fmt.Sprint(p.N), fmt.Sprint(p.Subjects), full(p.RMSE)}, ends(p.Interval)...)
		row = append(row, full(p.Likely), full(p.Fan), full(p.Direct), full(p.Still), full(p.Pooled), full(p.PooledFan))
		rows = append(rows, append(row, ends(p.OverPooled)...))
	}
	return rows
}
