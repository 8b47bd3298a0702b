package score

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"achilles/battery"
	"achilles/battery/bib"
	"achilles/infer/voe"
	"achilles/sim/num"
)

// An ObserverScore says how well an observer distinguishes expected from unexpected outcomes in one kind of episode.
// Shares are in per cent, as in publications.
type ObserverScore struct {
	N        int       `json:"n"`                  // number of items with two outcomes
	Accuracy float64   `json:"accuracy"`           // share of items whose unexpected outcome surprised more; a tie counts ½
	Interval *Interval `json:"interval,omitempty"` // 95 %, Clopper–Pearson; wider if the number of ties is odd, which leaves half a success
	Ties     int       `json:"ties"`
	AUC      *float64  `json:"auc,omitempty"` // area under the curve (Mann–Whitney) over all videos of the kind, expected against unexpected
	AUCError *float64  `json:"auc_se,omitempty"`
	MaxStep  *float64  `json:"max_step,omitempty"` // accuracy if a video is as surprising as its most surprising step; nil for observers without steps
	MeanStep *float64  `json:"mean_step,omitempty"`
	Gap      *float64  `json:"gap,omitempty"`            // mean over items of the unexpected outcome's surprise less the expected one's: of achilles in nats; nil for means of tasks
	Best     *float64  `json:"published_best,omitempty"` // the highest published accuracy
}

// observerTie is the largest difference at which two surprises count as equal.
const observerTie = 1e-9

// Observers grades surprises against the sealed labels: observer → kind of episode → score. The kinds are the tasks,
// multi_agent_a and multi_agent_b for the two types of pairs in the task multi_agent, and the means that publications
// print: efficiency and instrumental are means over the three tasks of each, and efficiency_weighted and
// instrumental_weighted are means over their episodes. Items with one outcome are not graded. Observers returns an
// error if an observer has not watched both videos of every other item. best has the highest published accuracy of a
// kind, if there is one.
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
	for _, observer := range slices.Sorted(maps.Keys(seen)) {
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

// A video names one video of an item.
type video struct{ item, name string }

// bySeen returns the surprises by observer and video. It returns an error for a surprise that fits no label, that is
// not finite, or that occurs twice.
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

// An outcome has an observer's surprises at the expected and at the unexpected video of an item.
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

// kindsOf returns the kinds of episodes to which an item belongs.
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
	share := func(won, tied int) float64 { x, _ := relative(won, tied, len(all)); return x }
	won, ties := by(func(x *voe.Surprise) float64 { return x.Surprise })
	s.Ties = ties
	s.Accuracy, s.Interval = relative(won, ties, s.N)
	var e, u []float64
	steps := true
	for _, o := range all {
		e, u = append(e, o.expected.Surprise), append(u, o.unexpected.Surprise)
		steps = steps && o.expected.MaxStep != nil && o.unexpected.MaxStep != nil && o.expected.MeanStep != nil && o.unexpected.MeanStep != nil
	}
	gap := num.Mean(u) - num.Mean(e)
	s.Gap = &gap
	auc, se := areaUnderCurve(e, u)
	s.AUC, s.AUCError = &auc, &se
	if steps {
		most, mean := share(by(func(x *voe.Surprise) float64 { return *x.MaxStep })), share(by(func(x *voe.Surprise) float64 { return *x.MeanStep }))
		s.MaxStep, s.MeanStep = &most, &mean
	}
	return s
}

// relative returns the relative accuracy in per cent of n items, of which so many were right and ties, which count half, and its
// exact interval, rounded outwards if half a success is left.
func relative(won, ties, n int) (accuracy float64, interval *Interval) {
	return 100 * (float64(won) + float64(ties)/2) / float64(n), percent(&Interval{
		ClopperPearson(won+ties/2, n, Level)[0],
		ClopperPearson(won+(ties+1)/2, n, Level)[1],
	})
}

func published(best map[string]float64, kind string) *float64 {
	if v, ok := best[kind]; ok {
		return &v
	}
	return nil
}

func percent(i *Interval) *Interval { return &Interval{100 * i[0], 100 * i[1]} }

// areaUnderCurve returns the probability, in per cent, that an unexpected video surprises more than an expected one,
// where ties count ½ (Mann and Whitney's statistic), and its standard error (DeLong, DeLong and Clarke-Pearson 1988).
func areaUnderCurve(expected, unexpected []float64) (auc, se float64) {
	e, u := slices.Sorted(slices.Values(expected)), slices.Sorted(slices.Values(unexpected))
	wins, a := placements(u, e)
	_, b := placements(e, u)
	return 100 * float64(wins) / float64(2*len(e)*len(u)), 100 * math.Sqrt(a+b)
}

// placements compares each value of a sample with all values of `in`. sum is twice the number of pairs in which the
// value of `in` is smaller, where ties count ½. variance is that of the mean share of smaller values. Both slices are
// sorted.
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

// averages adds the means over tasks that publications print (see Observers), if all three tasks are graded.
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

// Best returns the highest published accuracy of each kind of episode. observers is observer → kind → accuracy.
func Best(observers map[string]map[string]float64) map[string]float64 {
	best := map[string]float64{}
	for _, scores := range observers {
		for kind, v := range scores {
			best[kind] = max(best[kind], v)
		}
	}
	return best
}

// ObserverNames returns the observers that were graded, in the order of the tables.
func (s *Scores) ObserverNames() []string { return observerNames(s.Observers) }

// observerNames lists the observers of package voe in its order, then those from outside by name.
func observerNames(scores map[string]map[string]ObserverScore) []string {
	var names []string
	for _, o := range voe.All(0) {
		if scores[o.Name] != nil {
			names = append(names, o.Name)
		}
	}
	return append(names, strangers(scores)...)
}

// strangers lists the observers that are not in package voe, by name.
func strangers(scores map[string]map[string]ObserverScore) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(scores)), func(name string) bool {
		return slices.ContainsFunc(voe.All(0), func(o voe.Named) bool { return o.Name == name })
	})
}
