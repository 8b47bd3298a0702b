package score_test

import (
	"strings"
	"testing"

	"achilles/infer/compare"
	"achilles/scenarios/score"
)

// TestHeadline checks a grading by hand of five truths: the deviations are .1, .1, .1, .25 and .3 of the maximum, whose
// root mean square is .191. A baseline that always says the maximum is off by 0, .5, .75, 0 and .5, whose root mean
// square is .461.
func TestHeadline(t *testing.T) {
	s, err := score.Run(hand())
	if err != nil {
		t.Fatal(err)
	}
	h := s.Headline()
	for _, want := range []string{"Truths within 3 posterior SDs: ", "capability RMSE 0.191 of maximum (baseline, maximum: 0.461)", "held-out Brier score "} {
		if !strings.Contains(h, want) {
			t.Errorf("the headline is %q, without %q", h, want)
		}
	}
	if got := (&score.Scores{}).Headline(); got != "" {
		t.Errorf("the headline of nothing is %q", got)
	}
	forms := s.Headlines()
	if len(forms) != 3 || forms[0]+"." != h || strings.Contains(forms[1], "baseline") || !strings.Contains(forms[1], "capability RMSE 0.191 of maximum; ") || !strings.HasPrefix(forms[1], forms[2]+"; ") {
		t.Errorf("for less and less room: %q", forms)
	}
}

// TestPublishedBrier checks that the published Brier scores are averaged as ours are, by responses, and only where all subjects have one.
func TestPublishedBrier(t *testing.T) {
	of := func(x float64) *score.PublishedPrediction { return &score.PublishedPrediction{Brier: &x} }
	p := &score.Predictions{Pooled: &score.Prediction{N: 40, Brier: 0.15}, Subjects: map[string]score.Prediction{"a": {N: 30, Published: of(0.1)}, "b": {N: 10, Published: of(0.2)}}}
	if h := (&score.Scores{Prediction: p}).Headline(); h != "Held-out Brier score 0.150 (published: 0.125, 2 subjects)." {
		t.Errorf("the headline is %q", h)
	}
	p.Subjects["c"] = score.Prediction{N: 1}
	if h := (&score.Scores{Prediction: p}).Headline(); strings.Contains(h, "published") {
		t.Errorf("the headline is %q", h)
	}
}

// TestMissed checks that a truth ten standard deviations away is named in the headline and among the doubts, and that
// one within three is not.
func TestMissed(t *testing.T) {
	in := hand()
	for i := range in.Result.Profiles {
		p := &in.Result.Profiles[i]
		p.SD = 100
		if p.Subject == "s2" && p.Parameter == "op" { // the mean is 4, the truth 2
			p.SD = 0.2
		}
	}
	s, err := score.Run(in)
	if err != nil {
		t.Fatal(err)
	}
	if h := s.Headline(); !strings.HasPrefix(h, "Truths within 3 posterior SDs: 4 of 5;") {
		t.Errorf("the headline is %q", h)
	}
	caution(t, s, "Truths within 3 posterior SDs", "Missed: op of agent 10.")
	var texts []string
	for _, d := range s.Doubts() {
		texts = append(texts, d.About+": "+d.Text)
	}
	if all := strings.Join(texts, "\n"); strings.Count(all, "but the truth is") != 1 || !strings.Contains(all, "agent 10: op is 4.00 ±0.20, but the truth is 2.00") {
		t.Errorf("the doubts are\n%s", all)
	}
}

// TestObserversInShort checks that the mean over tasks of our observer is beside the best mean of the others.
func TestObserversInShort(t *testing.T) {
	of := func(a, b float64) map[string]score.ObserverScore {
		return map[string]score.ObserverScore{"preference": {Accuracy: a}, "multi_agent": {Accuracy: b}, "efficiency": {Accuracy: 1}}
	}
	s := &score.Scores{Observers: map[string]map[string]score.ObserverScore{"achilles": of(100, 90), "random": of(50, 40), "key_first": of(50, 60)}}
	if h := s.Headline(); h != "Relative accuracy of achilles 95.0 % of pairs, mean over 2 tasks (baseline, best other: key_first: 55.0)." {
		t.Errorf("the headline is %q", h)
	}
}

// TestBeliefsInShort checks that observers of tests of beliefs alone have a headline and a ranking.
func TestBeliefsInShort(t *testing.T) {
	of := func(a, b float64) map[string]score.ObserverScore {
		return map[string]score.ObserverScore{"false_belief": {Accuracy: a}, "ignorant_actor": {Accuracy: b}}
	}
	s := &score.Scores{Observers: map[string]map[string]score.ObserverScore{"achilles": of(100, 90), "reality": of(0, 50)}}
	if h := s.Headline(); h != "Relative accuracy of achilles 95.0 % of pairs, mean over 2 tasks (baseline, best other: reality: 25.0)." {
		t.Errorf("the headline is %q", h)
	}
	for _, r := range s.Tables() {
		if r.Name == "ranking" && len(r.Rows) == 2 {
			return
		}
	}
	t.Error("there is no ranking of two observers")
}

// TestTypesInShort checks that the headline names the subjects whose family was missed, and leaves out subjects without
// a true family.
func TestTypesInShort(t *testing.T) {
	s := &score.Scores{Verdicts: &score.Verdicts{Subjects: 2, FamiliesRight: 1}}
	for i, name := range []string{"a", "b", "c"} {
		r := score.VerdictRow{Name: name, Right: i == 0}
		if i < 2 {
			r.Truth.Family = compare.Capable
		}
		s.Verdicts.Rows = append(s.Verdicts.Rows, r)
	}
	if h := s.Headline(); h != "Agent type correct: 1 of 2." {
		t.Errorf("the headline is %q", h)
	}
	caution(t, s, "Agent type correct", "Misclassified: b.")
}

// TestNormalApproximationInShort checks that fits by a normal approximation are not said to have unknown diagnostics of chains, and that the
// only measure, of numbers, has no name beside its error.
func TestNormalApproximationInShort(t *testing.T) {
	in := hand()
	for i := range in.Result.Diagnostics.Fits {
		in.Result.Diagnostics.Fits[i].Engine = "laplace"
	}
	foot := func() string {
		s, err := score.Run(in)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(tableOf(t, s, "summary").Foot, " ")
	}
	if got := foot(); !strings.HasPrefix(got, "Inference: ") || !strings.Contains(got, "normal approximation") || strings.Contains(got, "unknown") {
		t.Errorf("all approximate: %q", got)
	}
	in.Result.Diagnostics.Fits[0].Engine = "nuts"
	if got := foot(); !strings.HasPrefix(got, "Sampling: ") || !strings.Contains(got, "by a normal approximation, without chains") {
		t.Errorf("some approximate: %q", got)
	}
	times := &score.Values{Pooled: &score.Value{RMSE: 3.25}}
	s := &score.Scores{Values: map[string]*score.Values{"success": times}}
	if h := s.Headline(); h != "Held-out RMSE 3.250." {
		t.Errorf("one measure: %q", h)
	}
	if s.Values["steps"] = times; !strings.Contains(s.Headline(), "Held-out RMSE, steps 3.250; held-out RMSE, success 3.250") {
		t.Errorf("two measures: %q", s.Headline())
	}
}

// caution checks that the summary has a note on a result.
func caution(t *testing.T, s *score.Scores, measure, text string) {
	t.Helper()
	x := tableOf(t, s, "summary")
	for _, n := range x.Notes {
		if n.Text == text && x.Value(n.Row, "measure").Text() == measure {
			return
		}
	}
	t.Errorf("no note %q on %s: %v", text, measure, x.Notes)
}
