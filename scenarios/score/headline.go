package score

import (
	"fmt"
	"math"
	"strings"

	"achilles/battery/bib"
)

// Headline returns the result in one sentence: what was recovered and what was missed, and the errors beside published
// ones and those of a baseline. It returns "" if nothing is graded.
func (s *Scores) Headline() string {
	var parts []string
	for _, p := range []string{s.observersInShort(), s.toldInShort(), s.recoveryInShort(), s.classifiedInShort(), s.simulatedInShort(), s.predictionInShort()} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	if parts == nil {
		return ""
	}
	text := strings.Join(parts, "; ") + "."
	return strings.ToUpper(text[:1]) + text[1:]
}

// toldInShort says how many verdicts have the right family. If there are no verdicts, it says how many true values the
// posteriors do not miss (see missed).
func (s *Scores) toldInShort() string {
	if v := s.Verdicts; v != nil && v.Subjects > 0 {
		var missed []string
		for i := range v.Rows {
			if r := &v.Rows[i]; r.Truth.Family != "" && !r.Right {
				missed = append(missed, r.Name)
			}
		}
		return fmt.Sprintf("%d of %d subjects told%s", v.FamiliesRight, v.Subjects, listMissed(missed))
	}
	rows := s.graded(overall, "")
	if len(rows) == 0 {
		return ""
	}
	var missed []string
	for i := range rows {
		if rows[i].missed() {
			missed = append(missed, rows[i].Parameter+" of "+rows[i].Name)
		}
	}
	return fmt.Sprintf("%d of %d truths within three posterior standard deviations%s", len(rows)-len(missed), len(rows), listMissed(missed))
}

// missed says whether the truth is more than three posterior standard deviations away from the mean and also more
// than 1 % of the parameter's maximum. The second limit is needed because a posterior at a bound can have standard
// deviation 0.
func (p *Profile) missed() bool {
	mean, sd := p.Reported()
	return math.Abs(mean-*p.Truth) > max(3*sd, 0.01*p.Scale)
}

// listMissed returns the names of the first three missed subjects or parameters, and the number of the others.
func listMissed(names []string) string {
	const shown = 3
	if len(names) == 0 {
		return ""
	}
	text := ", missed: " + strings.Join(names[:min(len(names), shown)], ", ")
	if more := len(names) - shown; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// recoveryInShort returns the root mean square error over all graded capabilities, as a fraction of their maxima.
func (s *Scores) recoveryInShort() string {
	var ours, always, published float64
	n, known := 0, 0
	for _, p := range s.graded(overall, "") {
		if p.Group != "capability" {
			continue
		}
		n++
		ours += float64(p.deviation() * p.deviation())
		always += float64((1 - *p.Fraction) * (1 - *p.Fraction))
		if q := s.Recovery[overall][p.Parameter].Published; q != nil {
			known++
			published += float64(*q * *q)
		}
	}
	if n == 0 {
		return ""
	}
	rms := func(sum float64) string { return fixed(math.Sqrt(sum/float64(n)), 3) }
	beside := "always the maximum: " + rms(always)
	if known == n {
		beside = "published: " + rms(published) + ", " + beside
	}
	return fmt.Sprintf("RMSE %s of the capabilities' maxima (%s)", rms(ours), beside)
}

func (s *Scores) predictionInShort() string {
	if s.Prediction == nil || s.Prediction.Pooled == nil {
		return ""
	}
	p := s.Prediction.Pooled
	text := "held-out Brier score " + fixed(p.Brier, 3)
	if p.BrierAggregate != nil {
		text += fmt.Sprintf(" (each subject's own success rate: %s)", fixed(*p.BrierAggregate, 3))
	}
	return text
}

// observersInShort returns the mean accuracy of the observer achilles over the tasks, beside that of the best other
// observer.
func (s *Scores) observersInShort() string {
	ours, n := s.meanAccuracy("achilles")
	if n == 0 {
		return ""
	}
	text := fmt.Sprintf("achilles is right about %s %% of pairs of outcomes, the mean over %d kinds of episode", fixed(ours, 1), n)
	best, who := 0.0, ""
	for _, name := range s.ObserverNames() {
		if x, m := s.meanAccuracy(name); name != "achilles" && m == n && x > best {
			best, who = x, name
		}
	}
	if who != "" {
		text += fmt.Sprintf(" (best other observer: %s, %s %%)", who, fixed(best, 1))
	}
	return text
}

// meanAccuracy returns the mean accuracy over the evaluation tasks on which an observer was graded, in per cent, and
// the number of these tasks.
func (s *Scores) meanAccuracy(observer string) (mean float64, tasks int) {
	for _, task := range bib.Evaluation() {
		if x, ok := s.Observers[observer][string(task)]; ok {
			mean += x.Accuracy
			tasks++
		}
	}
	return mean / float64(max(tasks, 1)), tasks
}
