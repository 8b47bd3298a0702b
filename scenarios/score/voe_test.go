package score_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"achilles/battery"
	"achilles/battery/bib"
	"achilles/infer/voe"
	"achilles/scenarios/score"
)

// watched returns an observer's surprises at items, given as pairs (expected, unexpected), and the labels of the items.
// Every second item has its unexpected outcome first.
func watched(observer string, task bib.Task, variants string, pairs ...[2]float64) (rows []voe.Surprise, labels []bib.Label) {
	for i, p := range pairs {
		l := bib.Label{Item: fmt.Sprintf("%s%d", task, i), Task: task, Outcome: []battery.Outcome{battery.Expected, battery.Unexpected}}
		if variants != "" {
			l.Variant = variants[i : i+1]
		}
		if i%2 == 1 {
			l.Outcome[0], l.Outcome[1] = l.Outcome[1], l.Outcome[0]
			p[0], p[1] = p[1], p[0]
		}
		labels = append(labels, l)
		for k, s := range p {
			step := -s
			rows = append(rows, voe.Surprise{Observer: observer, Item: l.Item, Video: string(rune('a' + k)), Surprise: s, MaxStep: &step, MeanStep: &step})
		}
	}
	return rows, labels
}

// TestObserverScores checks the scores of an observer that is right about three pairs, tied on one and wrong about one,
// against values by hand.
func TestObserverScores(t *testing.T) {
	rows, labels := watched("o", bib.MultiAgent, "AABBB", [2]float64{0, 1}, [2]float64{0, 3}, [2]float64{1, 2}, [2]float64{2, 2 + 1e-10}, [2]float64{4, 0})
	scores, err := score.Observers(rows, labels, map[string]float64{"multi_agent": 99.2})
	if err != nil {
		t.Fatal(err)
	}
	s := scores["o"]["multi_agent"]
	if s.N != 5 || s.Accuracy != 70 || s.Ties != 1 || *s.Best != 99.2 {
		t.Errorf("%+v", s)
	}
	low, high := score.ClopperPearson(3, 5, 0.95), score.ClopperPearson(4, 5, 0.95)
	if s.Interval[0] != 100*low[0] || s.Interval[1] != 100*high[1] {
		t.Errorf("interval %v, want from %v to %v", *s.Interval, low[0], high[1])
	}
	// The expected outcomes have surprises 0 0 1 2 4, the unexpected ones 1 3 2 2 0. Of the 25 pairs of one of each, the
	// unexpected one is greater in 2 + 4 + 3 + 3 + 0 = 12, and equal in 1 + 0 + 1 + 1 + 2 = 5.
	if want := 100 * (12 + 2.5) / 25; math.Abs(*s.AUC-want) > 1e-12 || *s.AUCError <= 0 {
		t.Errorf("area %v, want %v", *s.AUC, want)
	}
	if *s.MaxStep != 30 || *s.MeanStep != 30 {
		t.Errorf("by steps, which are the other way round: %v, %v", *s.MaxStep, *s.MeanStep)
	}
	if a, b := scores["o"]["multi_agent_a"], scores["o"]["multi_agent_b"]; a.N != 2 || a.Accuracy != 100 || b.N != 3 || b.Accuracy != 50 {
		t.Errorf("types %+v, %+v", a, b)
	}
}

// TestAverages checks both means of the efficiency tasks.
func TestAverages(t *testing.T) {
	var rows []voe.Surprise
	var labels []bib.Label
	for task, pairs := range map[bib.Task][][2]float64{
		bib.EfficiencyPath:       {{0, 1}, {0, 1}, {0, 1}, {0, 1}},
		bib.EfficiencyTime:       {{1, 0}, {0, 1}},
		bib.EfficiencyIrrational: {{1, 1}, {1, 0}},
	} {
		r, l := watched("o", task, "", pairs...)
		rows, labels = append(rows, r...), append(labels, l...)
	}
	scores, err := score.Observers(rows, labels, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s := scores["o"]["efficiency"]; math.Abs(s.Accuracy-(100+50+25)/3.0) > 1e-12 || s.N != 8 {
		t.Errorf("unweighted %+v", s)
	}
	if s := scores["o"]["efficiency_weighted"]; math.Abs(s.Accuracy-(400+100+50)/8.0) > 1e-12 {
		t.Errorf("weighted %+v", s)
	}
	if _, ok := scores["o"]["instrumental"]; ok {
		t.Error("an average of tasks that are not there")
	}
	table := string(tables(&score.Scores{Observers: scores, PublishedObservers: map[string]map[string]float64{"o": {"efficiency": 60}}, Source: "somewhere"}))
	for _, want := range []string{"efficiency_weighted", "68.75", "Published: somewhere"} {
		if !strings.Contains(table, want) {
			t.Errorf("the table lacks %q:\n%s", want, table)
		}
	}
}

// TestBadSurprises checks which surprises are refused.
func TestBadSurprises(t *testing.T) {
	for name, change := range map[string]func(rows []voe.Surprise, labels []bib.Label) ([]voe.Surprise, []bib.Label){
		"is not among the sealed labels": func(r []voe.Surprise, l []bib.Label) ([]voe.Surprise, []bib.Label) { return r, l[:1] },
		"has not watched video b": func(r []voe.Surprise, l []bib.Label) ([]voe.Surprise, []bib.Label) {
			return append(r[:1:1], r[2:]...), l
		},
		"has no video \"c\"": func(r []voe.Surprise, l []bib.Label) ([]voe.Surprise, []bib.Label) {
			r[1].Video = "c"
			return r, l
		},
		"watched twice": func(r []voe.Surprise, l []bib.Label) ([]voe.Surprise, []bib.Label) { return append(r, r[0]), l },
		"finite": func(r []voe.Surprise, l []bib.Label) ([]voe.Surprise, []bib.Label) {
			r[0].Surprise = math.NaN()
			return r, l
		},
		"no expected or no unexpected": func(r []voe.Surprise, l []bib.Label) ([]voe.Surprise, []bib.Label) {
			l[0].Outcome[0] = battery.Unexpected
			return r, l
		},
	} {
		rows, labels := watched("o", bib.Preference, "", [2]float64{0, 1}, [2]float64{0, 1})
		rows, labels = change(rows, labels)
		if _, err := score.Observers(rows, labels, nil); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("the error is %v, want one with %q", err, name)
		}
	}
}
