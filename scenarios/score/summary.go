package score

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"achilles/infer/compare"
	"achilles/sim/num"
	"achilles/sim/table"
)

// A finding is one of the few numbers that say how good a result is, beside what a baseline reaches.
type finding struct {
	measure   string // what is measured, as a noun
	value     float64
	digits    int
	interval  *Interval
	right, of int // the value is right/of; of is 0 for other values
	unit      string
	published *float64
	over      string // what published is of
	baseline  *float64
	against   string   // what the baseline does
	cautions  []string // what a reader must know of the number, as sentences
}

// findings lists what was found, most important first; nothing if nothing is graded.
func findings(s *Scores) (out []finding) {
	out = append(out, foundObservers(s)...)
	out = append(out, foundTypes(s)...)
	out = append(out, foundRecovery(s)...)
	out = append(out, foundDrawn(s)...)
	return append(out, foundPredictions(s)...)
}

// summaryTable returns the findings, with cautions as notes and the state of the sampling under them; nil if nothing is graded.
func summaryTable(s *Scores) *table.Table {
	found := findings(s)
	if found == nil {
		return nil
	}
	t := table.Of(table.Table{Name: "summary", Title: s.Data.title(), Key: []string{"measure"}}, found, []table.Field[finding]{
		table.Col(table.Column{Name: "measure", Head: "result", Kind: table.Text}, func(f finding) table.Value { return table.String(f.measure) }),
		table.Col(table.Column{Name: "value", Digits: 3, Low: "low", High: "high"}, func(f finding) table.Value { return table.Float(f.value) }),
		table.Col(table.Column{Name: "low"}, func(f finding) table.Value { return low(f.interval) }),
		table.Col(table.Column{Name: "high"}, func(f finding) table.Value { return high(f.interval) }),
		table.Col(table.Column{Name: "of", Kind: table.Text, Weight: 2, Doc: "count, or unit of the value"}, func(f finding) table.Value {
			if f.of > 0 {
				return table.String(fmt.Sprintf("%d of %d", f.right, f.of))
			}
			return table.Named(f.unit)
		}),
		table.Col(table.Column{Name: "published", Digits: 3}, func(f finding) table.Value { return table.Maybe(f.published) }),
		table.Col(table.Column{Name: "baseline", Digits: 3}, func(f finding) table.Value { return table.Maybe(f.baseline) }),
		table.Col(table.Column{Name: "baseline_is", Head: "baseline type", Kind: table.Text, Weight: 1, Doc: "what the baseline predicts for every subject"}, func(f finding) table.Value { return table.Named(f.against) }),
	})
	t.Note(0, "measure", s.Alarms()...)
	for i, f := range found {
		t.Note(i, "measure", f.cautions...)
	}
	t.Foot = sampling(s)
	return t
}

// Alarms says, in sentences, why the scores may not be those of a blind inference.
func (s *Scores) Alarms() (out []string) {
	if s.Unblinded {
		out = append(out, "UNBLINDED: inferred after the seal was opened. Do not report this as blind recovery.")
	}
	if s.NotConfined {
		out = append(out, "NOT CONFINED: programs took part that could read whatever their user can, the truth included.")
	}
	return out
}

// title says in a phrase what was taken or watched.
func (d Data) title() string {
	if d.Subjects == 0 {
		return num.Counted(d.Items, "item") + " to be watched"
	}
	text := fmt.Sprintf("%s × %s; %s", num.Counted(d.Subjects, "subject"), num.Counted(d.Items, "item"), num.Counted(d.Responses, "response"))
	if d.HeldOut > 0 {
		text += fmt.Sprintf(", %s held out", num.Count(d.HeldOut))
	}
	return text
}

// Headline returns the findings in one sentence, or "" if nothing is graded.
func (s *Scores) Headline() string {
	text := phrases(findings(s), true)
	if text == "" {
		return ""
	}
	return text + "."
}

// Headlines returns the findings as phrases for less and less room: with what they are compared to, without, and the most important one
// alone. It returns nil if nothing is graded.
func (s *Scores) Headlines() []string {
	found := findings(s)
	if found == nil {
		return nil
	}
	return []string{phrases(found, true), phrases(found, false), phrases(found[:1], false)}
}

// phrases joins findings in a phrase with a capital, with or without what each is compared to.
func phrases(found []finding, compared bool) string {
	var parts []string
	for i, f := range found {
		name := f.measure
		if i > 0 {
			name = strings.ToLower(name[:1]) + name[1:]
		}
		text := fmt.Sprintf("%s %s", name, fixed(f.value, f.digits))
		switch {
		case f.of > 0:
			text = fmt.Sprintf("%s: %d of %d", name, f.right, f.of)
		case f.unit != "":
			text += " " + f.unit
		}
		var beside []string
		if f.published != nil && compared {
			beside = append(beside, "published: "+fixed(*f.published, f.digits)+f.over)
		}
		if f.baseline != nil && compared {
			beside = append(beside, "baseline, "+f.against+": "+fixed(*f.baseline, f.digits))
		}
		if beside != nil {
			text += " (" + strings.Join(beside, "; ") + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// sampling says in a sentence how the chains ran, or that there are none; nothing if there are no fits.
func sampling(s *Scores) []string {
	d := s.Diagnostics
	if d.Fits == 0 {
		return nil
	}
	fits := fmt.Sprintf("%s by layout %s", num.Counted(d.Fits, "fit"), s.Layout.Name)
	switch d.Approximate {
	case 0:
	case d.Fits:
		return []string{"Inference: " + fits + ", by a normal approximation around the maximum: no chains, so no R-hat."}
	default:
		fits += fmt.Sprintf(" (%d by a normal approximation, without chains)", d.Approximate)
	}
	bulk := "unknown"
	if d.MinESSBulk != nil {
		bulk = num.Count(int(math.Round(*d.MinESSBulk)))
	}
	text := fmt.Sprintf("Sampling: %s, max R-hat %s, min bulk ESS %s, %s", fits, shown(d.WorstRHat, 3), bulk, num.Counted(d.Divergences, "divergent transition"))
	if d.Replaced > 0 {
		text += "; " + num.Counted(d.Replaced, "fit") + " resampled with the tempered sampler"
	}
	return []string{text + "."}
}

// foundTypes says how many subjects have the right agent type. Without verdicts, it says how many true values the posteriors
// do not miss (see missed).
func foundTypes(s *Scores) []finding {
	if v := s.Verdicts; v != nil && v.Subjects > 0 {
		f := finding{measure: "Agent type correct", value: float64(v.FamiliesRight) / float64(v.Subjects), digits: 2, right: v.FamiliesRight, of: v.Subjects, interval: v.Interval, published: v.Types}
		if v.Types != nil && v.TypesOf > 0 {
			f.over = fmt.Sprintf(" of %d", v.TypesOf)
			f.cautions = append(f.cautions, fmt.Sprintf("Ours is over %s, the published proportion over the %d of its design, as its authors judge them.", num.Counted(v.Subjects, "subject"), v.TypesOf))
		}
		var wrong []string
		for i := range v.Rows {
			if r := &v.Rows[i]; r.Truth.Family != "" && !r.Right {
				wrong = append(wrong, r.Name)
			}
		}
		if wrong != nil {
			f.cautions = append(f.cautions, "Misclassified: "+firstOf(wrong, 3)+".")
		}
		f.cautions = append(f.cautions, v.close()...)
		return []finding{f}
	}
	rows := s.graded(overall, "")
	if len(rows) == 0 {
		return nil
	}
	var missed []string
	for i := range rows {
		if rows[i].missed() {
			missed = append(missed, rows[i].Parameter+" of "+rows[i].Name)
		}
	}
	n := len(rows) - len(missed)
	f := finding{measure: "Truths within 3 posterior SDs", value: float64(n) / float64(len(rows)), digits: 2, right: n, of: len(rows)}
	if missed != nil {
		f.cautions = []string{"Missed: " + firstOf(missed, 3) + "."}
	}
	return []finding{f}
}

// alsoFits is the probability from which another agent type than the most probable one is a caution.
const alsoFits = 0.3

// close names subjects whose responses another agent type explains nearly as well.
func (v *Verdicts) close() (out []string) {
	var who []string
	for i := range v.Rows {
		r := &v.Rows[i]
		for _, f := range r.Verdict.Families {
			if f.Name != r.Family && f.Weight >= alsoFits && r.Family != compare.Unclassified {
				who = append(who, fmt.Sprintf("%s also fits %s (%s)", r.Name, f.Name, fixed(f.Weight, 2)))
			}
		}
	}
	if who == nil {
		return nil
	}
	return []string{firstOf(who, 3) + "."}
}

// firstOf returns the first names, at most so many, and the number of the others.
func firstOf(names []string, shown int) string {
	text := strings.Join(names[:min(len(names), shown)], ", ")
	if more := len(names) - shown; more > 0 {
		text += fmt.Sprintf(" and %s more", num.Count(more))
	}
	return text
}

// foundRecovery returns the root mean square error over all graded capabilities, as a fraction of their maxima.
func foundRecovery(s *Scores) []finding {
	var ours, always, published float64
	n, known, bounds := 0, 0, 0
	subjects := map[string]bool{}
	for _, p := range s.graded(overall, "") {
		if p.Group != "capability" {
			continue
		}
		n++
		subjects[p.Subject] = true
		ours += float64(p.deviation() * p.deviation())
		always += float64((1 - *p.Fraction) * (1 - *p.Fraction))
		if p.atBound() {
			bounds++
		}
		if q := s.Recovery[overall][p.Parameter].Published; q != nil {
			known++
			published += float64(*q * *q)
		}
	}
	if n == 0 {
		return nil
	}
	rms := func(sum float64) *float64 { x := math.Sqrt(sum / float64(n)); return &x }
	f := finding{measure: "Capability RMSE", value: *rms(ours), digits: 3, unit: "of maximum", baseline: rms(always), against: "maximum"}
	if known == n {
		f.published = rms(published)
		f.cautions = append(f.cautions, fmt.Sprintf("Ours is over the %d truths that are defined, of %s; the published one is the root mean square of the printed ones, weighted alike.", n, num.Counted(len(subjects), "subject")))
	}
	if 2*bounds > n {
		f.cautions = append(f.cautions, fmt.Sprintf("%d of %d true capabilities are at a bound; %d test precise recovery.", bounds, n, n-bounds))
	}
	return []finding{f}
}

// foundDrawn returns the proportion of binary values that are classified correctly and that of whole patterns, then the
// correlations of the posterior means with the drawn values of the parameters with several units that are not binary.
func foundDrawn(s *Scores) (out []finding) {
	if right, of := binaryRight(s); of > 0 {
		out = append(out, finding{measure: "Binary values correct", value: float64(right) / float64(of), digits: 3, right: right, of: of})
	}
	if p := s.Patterns; p != nil {
		out = append(out, finding{measure: "Whole patterns correct", value: p.Share, digits: 3, interval: &p.Interval, right: p.Covered, of: p.N})
	}
	for _, p := range s.Drawn {
		if p.Pearson != nil && p.Binary == nil {
			out = append(out, finding{measure: "Correlation with truth, " + p.Parameter, value: *p.Pearson, digits: 2, unit: strings.TrimSpace(s.SimulatedUnder())})
		}
	}
	return out
}

// binaryRight counts the binary values that are the likelier one.
func binaryRight(s *Scores) (right, of int) {
	for _, p := range s.Drawn {
		if p.Binary != nil {
			right, of = right+p.Binary.Right.Covered, of+p.N
		}
	}
	return right, of
}

func foundPredictions(s *Scores) (out []finding) {
	if s.Prediction != nil && s.Prediction.Pooled != nil {
		p := s.Prediction.Pooled
		f := finding{measure: "Held-out Brier score", value: p.Brier, digits: 3, interval: p.BrierInterval, baseline: p.BrierAggregate, against: "success rate"}
		if mean, ok := s.Prediction.publishedBrier(); ok {
			f.published, f.over = &mean, ", "+num.Counted(len(s.Prediction.Subjects), "subject")
		}
		out = append(out, f)
	}
	for _, measure := range slices.Sorted(maps.Keys(s.Values)) {
		if p := s.Values[measure].Pooled; p != nil {
			name := "Held-out RMSE"
			if s.Prediction != nil || len(s.Values) > 1 {
				name += ", " + measure
			}
			out = append(out, finding{measure: name, value: p.RMSE, digits: 3, baseline: p.RMSEAggregate, against: "mean"})
		}
	}
	return out
}

// publishedBrier returns the mean of the subjects' published Brier scores, weighted by their responses as the pooled one is. ok is false unless all have
// one.
func (p *Predictions) publishedBrier() (mean float64, ok bool) {
	n := 0.0
	for _, name := range slices.Sorted(maps.Keys(p.Subjects)) {
		x := p.Subjects[name]
		if x.Published == nil || x.Published.Brier == nil {
			return 0, false
		}
		mean += float64(float64(x.N) * *x.Published.Brier)
		n += float64(x.N)
	}
	return mean / n, n > 0
}

// foundObservers returns the mean accuracy of the observer achilles over the evaluation tasks, beside that of the best other
// observer.
func foundObservers(s *Scores) []finding {
	ours, n := meanAccuracy(s, "achilles")
	if n == 0 {
		return nil
	}
	f := finding{measure: "Relative accuracy of achilles", value: ours, digits: 1, unit: fmt.Sprintf("%% of pairs, mean over %d tasks", n)}
	best, who := 0.0, ""
	for _, name := range s.ObserverNames() {
		if x, m := meanAccuracy(s, name); name != "achilles" && m == n && x > best {
			best, who = x, name
		}
	}
	if who != "" {
		f.baseline, f.against = &best, "best other: "+who
	}
	return []finding{f}
}
