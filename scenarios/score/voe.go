package score

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"achilles/battery"
	"achilles/battery/bib"
	"achilles/infer/voe"
)

// An ObserverScore says how well an observer tells expected from unexpected outcomes of one kind of episode. Shares
// are in per cent, as the literature prints them.
type ObserverScore struct {
	N        int       `json:"n"`                  // items with two outcomes
	Accuracy float64   `json:"accuracy"`           // relative accuracy: the unexpected outcome surprised more; a tie is half right
	Interval *Interval `json:"interval,omitempty"` // 95 %, Clopper-Pearson; outwards where ties leave half a success
	Ties     int       `json:"ties"`
	AUC      *float64  `json:"auc,omitempty"` // over all videos of the kind, expected against unexpected (Mann-Whitney)
	AUCError *float64  `json:"auc_se,omitempty"`
	MaxStep  *float64  `json:"max_step,omitempty"` // accuracy by the most surprising step instead, for observers that have steps
	MeanStep *float64  `json:"mean_step,omitempty"`
	Best     *float64  `json:"published_best,omitempty"` // the highest published accuracy
}

// observerTie is how close two surprises are that are the same.
const observerTie = 1e-9

// Observers grades surprises against the sealed labels: observer → kind of episode → score. The kinds are the tasks,
// multi_agent_a and multi_agent_b for the two types of pairs of which multi_agent is made, and the averages that the
// literature prints: efficiency and instrumental, over the three tasks of each alike, and efficiency_weighted and
// instrumental_weighted, over their episodes. Every observer must have watched both videos of every labelled item
// that has two; items with one are not graded. Best has the highest published accuracy of a kind, where there is one.
func Observers(surprises []voe.Surprise, labels []bib.Label, best map[string]float64) (map[string]map[string]ObserverScore, error) {
	byItem := make(map[string]*bib.Label, len(labels))
	for i := range labels {
		byItem[labels[i].Item] = &labels[i]
	}
	seen, err := bySeen(surprises, byItem)
	if err != nil {
		return nil, err
	}
	scores := map[string]map[string]ObserverScore{}
	for _, observer := range sortedKeys(seen) {
		kinds := map[string][]outcome{}
		for i := range labels {
			l := &labels[i]
			if len(l.Outcome) < 2 {
				continue
			}
			o, err := pairUp(observer, l, seen[observer])
			if err != nil {
				return nil, err
			}
			for _, kind := range kindsOf(l) {
				kinds[kind] = append(kinds[kind], o)
			}
		}
		scores[observer] = map[string]ObserverScore{}
		for kind, o := range kinds {
			scores[observer][kind] = gradeOutcomes(o, best, kind)
		}
		averages(scores[observer], best)
	}
	return scores, nil
}

// A video of an item.
type video struct{ item, name string }

// bySeen sorts surprises by observer and video, and refuses what no label knows.
func bySeen(surprises []voe.Surprise, labels map[string]*bib.Label) (map[string]map[video]*voe.Surprise, error) {
	seen := map[string]map[video]*voe.Surprise{}
	for i := range surprises {
		s := &surprises[i]
		l, ok := labels[s.Item]
		if !ok {
			return nil, fmt.Errorf("score: observer %s: item %s is not among the sealed labels", s.Observer, s.Item)
		}
		if len(s.Video) != 1 || int(s.Video[0]-'a') >= len(l.Outcome) {
			return nil, fmt.Errorf("score: observer %s: item %s has no video %q", s.Observer, s.Item, s.Video)
		}
		if math.IsNaN(s.Surprise) || math.IsInf(s.Surprise, 0) {
			return nil, fmt.Errorf("score: observer %s: item %s, video %s: surprise is not a finite number", s.Observer, s.Item, s.Video)
		}
		if seen[s.Observer] == nil {
			seen[s.Observer] = map[video]*voe.Surprise{}
		}
		v := video{s.Item, s.Video}
		if seen[s.Observer][v] != nil {
			return nil, fmt.Errorf("score: observer %s: item %s, video %s: watched twice", s.Observer, s.Item, s.Video)
		}
		seen[s.Observer][v] = s
	}
	return seen, nil
}

// An outcome is what an observer made of the expected and of the unexpected video of an item.
type outcome struct{ expected, unexpected *voe.Surprise }

func pairUp(observer string, l *bib.Label, seen map[video]*voe.Surprise) (o outcome, err error) {
	for i, which := range l.Outcome {
		s := seen[video{l.Item, string(rune('a' + i))}]
		if s == nil {
			return o, fmt.Errorf("score: observer %s has not watched video %c of item %s", observer, 'a'+i, l.Item)
		}
		switch which {
		case battery.Expected:
			o.expected = s
		case battery.Unexpected:
			o.unexpected = s
		}
	}
	if o.expected == nil || o.unexpected == nil {
		return o, fmt.Errorf("score: sealed labels: item %s has no expected or no unexpected outcome", l.Item)
	}
	return o, nil
}

// kindsOf are the kinds of episodes that an item counts for.
func kindsOf(l *bib.Label) []string {
	kinds := []string{string(l.Task)}
	if l.Task == bib.MultiAgent && l.Variant != "" {
		kinds = append(kinds, map[string]string{"A": "multi_agent_a", "B": "multi_agent_b"}[l.Variant])
	}
	return kinds
}

func gradeOutcomes(all []outcome, best map[string]float64, kind string) ObserverScore {
	s := ObserverScore{N: len(all), Best: published(best, kind)}
	by := func(value func(*voe.Surprise) float64) (won, tied int) {
		for _, o := range all {
			switch d := value(o.unexpected) - value(o.expected); {
			case d > observerTie:
				won++
			case d >= -observerTie:
				tied++
			}
		}
		return won, tied
	}
	share := func(won, tied int) float64 { return 100 * (float64(won) + float64(tied)/2) / float64(len(all)) }
	won, ties := by(func(x *voe.Surprise) float64 { return x.Surprise })
	s.Ties, s.Accuracy = ties, share(won, ties)
	s.Interval = percent(&Interval{
		ClopperPearson(won+ties/2, s.N, Level)[0],
		ClopperPearson(won+(ties+1)/2, s.N, Level)[1],
	})
	var e, u []float64
	steps := true
	for _, o := range all {
		e, u = append(e, o.expected.Surprise), append(u, o.unexpected.Surprise)
		steps = steps && o.expected.MaxStep != nil && o.unexpected.MaxStep != nil && o.expected.MeanStep != nil && o.unexpected.MeanStep != nil
	}
	auc, se := areaUnderCurve(e, u)
	s.AUC, s.AUCError = &auc, &se
	if steps {
		most, mean := share(by(func(x *voe.Surprise) float64 { return *x.MaxStep })), share(by(func(x *voe.Surprise) float64 { return *x.MeanStep }))
		s.MaxStep, s.MeanStep = &most, &mean
	}
	return s
}

func published(best map[string]float64, kind string) *float64 {
	if v, ok := best[kind]; ok {
		return &v
	}
	return nil
}

func percent(i *Interval) *Interval { return &Interval{100 * i[0], 100 * i[1]} }

// areaUnderCurve is the chance, in per cent, that an unexpected video surprises more than an expected one, ties
// half: Mann and Whitney's statistic, counted in whole numbers; with its standard error after DeLong, DeLong and
// Clarke-Pearson (1988).
func areaUnderCurve(expected, unexpected []float64) (auc, se float64) {
	e, u := slices.Sorted(slices.Values(expected)), slices.Sorted(slices.Values(unexpected))
	wins, a := placements(u, e)
	_, b := placements(e, u)
	return 100 * float64(wins) / float64(2*len(e)*len(u)), 100 * math.Sqrt(a+b)
}

// placements counts, twice, how many of in are below each of a sample, ties half, and returns the sum and the variance
// of the mean share. Both are sorted.
func placements(sample, in []float64) (sum int, variance float64) {
	var share []float64
	for _, x := range sample {
		below, _ := slices.BinarySearchFunc(in, x-observerTie, cmp.Compare[float64])
		upTo, _ := slices.BinarySearchFunc(in, math.Nextafter(x+observerTie, math.Inf(1)), cmp.Compare[float64])
		sum += below + upTo
		share = append(share, float64(below+upTo)/float64(2*len(in)))
	}
	mean := float64(sum) / float64(2*len(in)*len(sample))
	for _, x := range share {
		variance += float64((x-mean)*(x-mean)) / float64(max(len(sample)-1, 1)*len(sample))
	}
	return sum, variance
}

// averages adds what the literature prints below its columns.
func averages(scores map[string]ObserverScore, best map[string]float64) {
	for name, tasks := range map[string][]bib.Task{
		"efficiency":   {bib.EfficiencyPath, bib.EfficiencyTime, bib.EfficiencyIrrational},
		"instrumental": {bib.InstrumentalNoBarrier, bib.InstrumentalInconsequential, bib.InstrumentalBlocking},
	} {
		n, sum, weighted, all := 0, 0.0, 0.0, true
		for _, t := range tasks {
			s, ok := scores[string(t)]
			all = all && ok
			n += s.N
			sum += s.Accuracy
			weighted += float64(s.Accuracy * float64(s.N))
		}
		if all {
			scores[name] = ObserverScore{N: n, Accuracy: sum / float64(len(tasks)), Best: published(best, name)}
			scores[name+"_weighted"] = ObserverScore{N: n, Accuracy: weighted / float64(n), Best: published(best, name+"_weighted")}
		}
	}
}

// Best is the highest accuracy of each kind of episode in published tables: observer → kind → accuracy.
func Best(observers map[string]map[string]float64) map[string]float64 {
	best := map[string]float64{}
	for _, scores := range observers {
		for kind, v := range scores {
			best[kind] = max(best[kind], v)
		}
	}
	return best
}
