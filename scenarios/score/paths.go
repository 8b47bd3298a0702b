package score

import (
	"maps"
	"slices"

	"achilles/infer"
	"achilles/sim/rng"
	"achilles/sim/table"
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
func gradePaths(s *Scores, in Input) {
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

// PathNames lists the paradigms by name, and Overall last.
func (s *Scores) PathNames() []string {
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(s.Paths)), func(name string) bool { return name == Overall })
	if _, ok := s.Paths[Overall]; ok {
		names = append(names, Overall)
	}
	return names
}

// A pathed is a row of the table of paths.
type pathed struct {
	paradigm string
	PathScore
}

// pathTable returns the grades of predicted paths, by paradigm and over all; nil if there are none.
func pathTable(s *Scores) *table.Table {
	if s.Paths == nil {
		return nil
	}
	var rows []pathed
	for _, name := range s.PathNames() {
		rows = append(rows, pathed{name, s.Paths[name]})
	}
	return table.Of(table.Table{
		Name: "paths", Title: "Paths of held-out episodes: RMSE between predicted and actual path, in cells", Key: []string{"paradigm"},
		Foot: []string{"In brackets the 95 % interval, by bootstrap over subjects. Group profile: predicted from the pooled profiles of all subjects. Sampled: mean over paths sampled from the profile. Differences: RMSE − RMSE of the baseline; negative if the subject's own profile predicts better."},
	}, rows, []table.Field[pathed]{
		table.Col(table.Column{Name: "paradigm", Kind: table.Text}, func(p pathed) table.Value { return table.String(p.paradigm) }),
		table.Col(table.Column{Name: "n", Kind: table.Count, Doc: "episodes"}, func(p pathed) table.Value { return table.Int(p.N) }),
		table.Col(table.Column{Name: "subjects", Kind: table.Count, Weight: 5}, func(p pathed) table.Value { return table.Int(p.Subjects) }),
		table.Col(table.Column{Name: "rmse", Head: "RMSE", Digits: 2, Low: "low", High: "high", Better: table.Less, Than: "pooled", Doc: "of the predicted path, the medoid of the sampled ones"}, func(p pathed) table.Value { return table.Float(p.RMSE) }),
		table.Col(table.Column{Name: "low"}, func(p pathed) table.Value { return low(p.Interval) }),
		table.Col(table.Column{Name: "high"}, func(p pathed) table.Value { return high(p.Interval) }),
		table.Col(table.Column{Name: "likely", Head: "most frequent", Digits: 2, Weight: 6, Doc: "RMSE of the most frequent of the sampled paths"}, func(p pathed) table.Value { return table.Float(p.Likely) }),
		table.Col(table.Column{Name: "fan", Head: "sampled", Digits: 2, Weight: 4, Doc: "mean RMSE of the sampled paths"}, func(p pathed) table.Value { return table.Float(p.Fan) }),
		table.Col(table.Column{Name: "direct", Head: "shortest path", Digits: 2, Weight: 1, Doc: "baseline: the shortest path, with full information"}, func(p pathed) table.Value { return table.Float(p.Direct) }),
		table.Col(table.Column{Name: "still", Head: "stay-put", Digits: 2, Weight: 2, Doc: "baseline: to stay at the start"}, func(p pathed) table.Value { return table.Float(p.Still) }),
		table.Col(table.Column{Name: "pooled", Head: "group profile", Digits: 2, Doc: "baseline: the path predicted from the profiles of all subjects together"}, func(p pathed) table.Value { return table.Float(p.Pooled) }),
		table.Col(table.Column{Name: "pooled_fan", Head: "sampled, group profile", Digits: 2, Weight: 4, Doc: "mean RMSE of paths sampled from the group profile"}, func(p pathed) table.Value { return table.Float(p.PooledFan) }),
		table.Col(table.Column{Name: "over_pooled_low"}, func(p pathed) table.Value { return low(p.OverPooled) }),
		table.Col(table.Column{Name: "over_pooled_high"}, func(p pathed) table.Value { return high(p.OverPooled) }),
		table.Col(table.Column{Name: "over_pooled", Head: "RMSE − group profile", Digits: 2, Low: "over_pooled_low", High: "over_pooled_high", Weight: 1}, func(p pathed) table.Value { return table.Float(p.RMSE - p.Pooled) }),
		table.Col(table.Column{Name: "over_direct", Head: "RMSE − shortest path", Digits: 2, Low: "over_direct_low", High: "over_direct_high", Weight: 3}, func(p pathed) table.Value { return table.Float(p.RMSE - p.Direct) }),
		table.Col(table.Column{Name: "over_direct_low"}, func(p pathed) table.Value { return low(p.OverDirect) }),
		table.Col(table.Column{Name: "over_direct_high"}, func(p pathed) table.Value { return high(p.OverDirect) }),
	})
}
