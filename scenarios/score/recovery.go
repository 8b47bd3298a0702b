package score

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"achilles/infer"
	"achilles/infer/compare"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
	"achilles/sim/table"
)

// A Profile is the posterior of one parameter of one subject, with its true value.
type Profile struct {
	Name      string // the subject's name, or its opaque id if there is no sealed part
	Fraction  *float64
	Truth     *float64 // in the parameter's unit: Fraction × Scale, or the value that a layout drew; nil if the truth does not define it
	Scale     float64  // the parameter's maximum; 0 if unknown
	Published *Moments
	Success   *float64 // as successRates has it; nil without a scored response
	Groups    []string
	Stacked   *compare.ParameterEstimate // posterior over all rivals of a bank, averaged by weight; nil if there is no verdict
	Widened   string                     `json:",omitempty"` // by what its standard deviation was multiplied, and why; "": by nothing
	infer.Profile
}

// Recovery says how far posterior means are from the truth, over the N subjects of a block whose truth defines the
// capability. RMSE, Bias, MCSE and Single are fractions of the capability's maximum. If there are verdicts, the
// posterior averaged over all rivals is graded, and Single is the RMSE of the posterior of the reported layout alone.
type Recovery struct {
	N         int       `json:"n"`
	RMSE      float64   `json:"rmse"`
	Interval  *Interval `json:"interval,omitempty"` // 95 % interval of RMSE, bootstrap over subjects; absent for one subject
	Bias      float64   `json:"bias"`               // mean of (posterior mean − truth)
	MCSE      *float64  `json:"mcse,omitempty"`     // Monte Carlo standard error of RMSE, from those of the posterior means
	Single    *float64  `json:"single,omitempty"`
	Published *float64  `json:"published,omitempty"`
	Maximum   float64   `json:"always_maximum"`   // RMSE of a baseline that estimates the maximum for every subject
	Inside    *Inside   `json:"inside,omitempty"` // over the truths inside the range; absent if all are at 0 or at the maximum
}

// An Inside is the recovery over the truths that are neither 0 nor the maximum.
type Inside struct {
	N       int     `json:"n"`
	RMSE    float64 `json:"rmse"`
	Maximum float64 `json:"always_maximum"`
}

// Reported returns the posterior mean and standard deviation. If there is a verdict, they are averaged over all rival
// layouts; else they are those under the layout that was inferred.
func (p *Profile) Reported() (mean, sd float64) {
	if p.Stacked != nil {
		return p.Stacked.Mean, p.Stacked.SD
	}
	return p.Mean, p.SD
}

// deviation returns (posterior mean − truth) / maximum.
func (p *Profile) deviation() float64 {
	mean, _ := p.Reported()
	return (mean - *p.Truth) / p.Scale
}

// RMSEOf returns the root mean square of (posterior mean − truth) / maximum over the graded capabilities of a subject, which is
// named by its public id; nil if none is graded.
func (s *Scores) RMSEOf(subject string) *float64 {
	sum, n := 0.0, 0
	for _, p := range s.graded(overall, "") {
		if d := p.deviation(); p.Subject == subject && p.Group == "capability" {
			sum, n = sum+float64(d*d), n+1
		}
	}
	if n == 0 {
		return nil
	}
	x := math.Sqrt(sum / float64(n))
	return &x
}

// profiles sets s.Profiles: the posteriors, each with its subject's name and truth.
func profiles(s *Scores, in Input, k *key) error {
	stacked, err := stackedProfiles(in.Result.Verdicts)
	if err != nil {
		return err
	}
	success := successRates(in.Public)
	for _, p := range in.Result.Profiles {
		if _, ok := slices.BinarySearch(in.Public.Subjects, p.Subject); !ok {
			return fmt.Errorf("score: inferred profile of subject %s: no such subject in the public data", p.Subject)
		}
		for _, v := range []float64{p.Mean, p.SD, p.Q5, p.Q25, p.Q50, p.Q75, p.Q95} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("score: inferred profile of subject %s, parameter %s: %v is not a number to grade", p.Subject, p.Parameter, v)
			}
		}
		row := Profile{Name: k.name(p.Subject), Profile: p, Scale: k.scale[p.Parameter], Groups: k.truths[p.Subject].Groups}
		row.Published = k.published.profile(row.Name, p.Parameter)
		row.Stacked = stacked[[2]string{p.Subject, p.Parameter}]
		row.Success = success[p.Subject]
		row.Widened = in.Result.Diagnostics.Widened(p.Subject, p.Parameter)
		if f, ok := k.truths[p.Subject].Capability[p.Parameter]; ok {
			truth := float64(f * row.Scale)
			row.Fraction, row.Truth = &f, &truth
		}
		if value, ok := k.drawn[p.Parameter][p.Subject]; ok {
			row.Truth = &value
		}
		s.Profiles = append(s.Profiles, row)
	}
	sortByName(s.Profiles, func(p Profile) string { return p.Name })
	return missing(s, k)
}

// stackedProfiles returns the posteriors averaged over all rivals, by subject and parameter.
func stackedProfiles(v *compare.Verdicts) (map[[2]string]*compare.ParameterEstimate, error) {
	out := map[[2]string]*compare.ParameterEstimate{}
	if v == nil {
		return out, nil
	}
	for _, s := range v.Subjects {
		for _, p := range s.Profile {
			for _, x := range []float64{p.Mean, p.SD, p.Q5, p.Q95} {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					return nil, fmt.Errorf("score: classification of subject %s, parameter %s: %v is not a number to grade", s.Subject, p.Name, x)
				}
			}
			out[[2]string{s.Subject, p.Name}] = &p
		}
	}
	return out, nil
}

// missing returns an error if a profile occurs twice, and notes true values for which the layout has no posterior.
func missing(s *Scores, k *key) error {
	have := map[[2]string]bool{}
	for _, p := range s.Profiles {
		cell := [2]string{p.Subject, p.Parameter}
		if have[cell] {
			return fmt.Errorf("score: inferred profile of subject %s, parameter %s appears twice", p.Subject, p.Parameter)
		}
		have[cell] = true
	}
	lost := map[string]int{}
	for id, t := range k.truths {
		for c := range t.Capability {
			if !have[[2]string{id, c}] {
				lost[c]++
			}
		}
	}
	var names []string
	for _, c := range slices.Sorted(maps.Keys(lost)) {
		names = append(names, fmt.Sprintf("%s (true of %s)", c, num.Counted(lost[c], "subject")))
	}
	if names != nil {
		s.note("layout %s has no posterior of %s: not graded", s.Layout.Name, strings.Join(names, ", "))
	}
	return nil
}

// gradeRecovery grades the block of all subjects and one block for each group.
func gradeRecovery(s *Scores, k *key) {
	s.Recovery = map[string]map[string]Recovery{}
	blocks := map[string]bool{overall: true}
	for _, t := range k.truths {
		for _, g := range t.Groups {
			blocks[g] = true
		}
	}
	if len(s.graded(overall, "")) == 0 {
		s.note("no subject's truth defines a capability that was inferred: recovery and coverage are empty")
	}
	for _, block := range slices.Sorted(maps.Keys(blocks)) {
		s.Recovery[block] = map[string]Recovery{}
		for _, c := range s.Parameters() {
			if rows := s.graded(block, c); len(rows) > 0 {
				r := recovery(rows, rng.Stream(0, "score", "recovery", block, c))
				r.Published = k.published.recovery(block, c)
				s.Recovery[block][c] = r
			}
		}
	}
}

// Parameters returns the names of all parameters in the layout's order.
func (s *Scores) Parameters() (names []string) {
	for _, p := range s.Profiles {
		if !slices.Contains(names, p.Parameter) {
			names = append(names, p.Parameter)
		}
	}
	return names
}

// graded returns the profiles of a parameter over the subjects of a block whose truth defines the parameter. An empty
// parameter means all.
func (s *Scores) graded(block, parameter string) (rows []Profile) {
	for _, p := range s.Profiles {
		if (p.Parameter == parameter || parameter == "") && p.Fraction != nil && (block == overall || slices.Contains(p.Groups, block)) {
			rows = append(rows, p)
		}
	}
	return rows
}

func recovery(rows []Profile, r rng.Rand) Recovery {
	squared, bias := make([]float64, len(rows)), 0.0
	for i := range rows {
		e := rows[i].deviation()
		squared[i] = float64(e * e)
		bias += e
	}
	rmse := math.Sqrt(num.Mean(squared))
	return Recovery{
		N: len(rows), RMSE: rmse, Interval: bootstrapRMS(r, squared), Bias: bias / float64(len(rows)), MCSE: rmseMCSE(rows, rmse), Single: single(rows),
		Maximum: alwaysMaximum(rows), Inside: inside(rows),
	}
}

// alwaysMaximum returns the RMSE of a baseline that estimates the maximum for every row, as a fraction of the maximum.
func alwaysMaximum(rows []Profile) float64 {
	var squared []float64
	for _, p := range rows {
		squared = append(squared, float64((1-*p.Fraction)*(1-*p.Fraction)))
	}
	return math.Sqrt(num.Mean(squared))
}

// inside grades the rows whose truth is not at a bound. It returns nil if there are no such rows.
func inside(rows []Profile) *Inside {
	rows = slices.DeleteFunc(slices.Clone(rows), func(p Profile) bool { return p.atBound() })
	if len(rows) == 0 {
		return nil
	}
	var squared []float64
	for i := range rows {
		e := rows[i].deviation()
		squared = append(squared, float64(e*e))
	}
	return &Inside{len(rows), math.Sqrt(num.Mean(squared)), alwaysMaximum(rows)}
}

// single returns the RMSE of the posteriors under the layout that was inferred, without rivals. It returns nil if no
// posterior is averaged over rivals.
func single(rows []Profile) *float64 {
	alone := slices.Clone(rows)
	stacked := false
	for i := range alone {
		stacked = stacked || alone[i].Stacked != nil
		alone[i].Stacked = nil
	}
	if !stacked {
		return nil
	}
	var squared []float64
	for i := range alone {
		e := alone[i].deviation()
		squared = append(squared, float64(e*e))
	}
	rmse := math.Sqrt(num.Mean(squared))
	return &rmse
}

// rmseMCSE returns the Monte Carlo standard error of the RMSE, propagated from those of the means: d rmse / d mean_i =
// deviation_i / (n rmse). It returns nil if rmse is 0 or a Monte Carlo error is unknown.
func rmseMCSE(rows []Profile, rmse float64) *float64 {
	if rmse == 0 {
		return nil
	}
	s := 0.0
	for i := range rows {
		if rows[i].MCSE == nil || rows[i].Stacked != nil {
			return nil
		}
		d := float64(rows[i].deviation()*(*rows[i].MCSE)) / rows[i].Scale
		s += float64(d * d)
	}
	s = math.Sqrt(s) / (float64(len(rows)) * rmse)
	return &s
}

// A recovered is a row of the table of recoveries.
type recovered struct {
	block, capability string
	Recovery
}

// rankOf puts the block of all subjects before the groups.
func rankOf(block string) int {
	if block == overall {
		return 0
	}
	return 1
}

// recoveryTable returns the recovery of each capability, over all subjects and by group; nil if it is not graded.
func recoveryTable(s *Scores) *table.Table {
	var rows []recovered
	blocks, published, single := slices.Sorted(maps.Keys(s.Recovery)), false, false
	slices.SortStableFunc(blocks, func(a, b string) int { return rankOf(a) - rankOf(b) })
	for _, block := range blocks {
		for _, c := range s.Parameters() {
			r, ok := s.Recovery[block][c]
			if !ok {
				continue
			}
			rows = append(rows, recovered{block, c, r})
			published, single = published || r.Published != nil, single || r.Single != nil
		}
	}
	t := table.Of(table.Table{
		Name: "recovery", Title: "Recovery: RMSE of the posterior mean, as a fraction of the capability's maximum", Key: []string{"block", "capability"},
		Foot: []string{"In brackets the 95 % interval, by bootstrap over subjects. Baseline: the maximum as every subject's estimate. Interior: over the truths that are neither 0 nor the maximum."},
	}, rows, []table.Field[recovered]{
		table.Col(table.Column{Name: "block", Head: "subjects", Kind: table.Text, Hidden: len(blocks) < 2, Doc: "all subjects, or a group of them"}, func(r recovered) table.Value { return table.String(r.block) }),
		table.Col(table.Column{Name: "capability", Kind: table.Text}, func(r recovered) table.Value { return table.String(r.capability) }),
		table.Col(table.Column{Name: "n", Kind: table.Count, Doc: "subjects whose truth defines the capability"}, func(r recovered) table.Value { return table.Int(r.N) }),
		table.Col(table.Column{Name: "rmse", Head: "RMSE", Digits: 3, Low: "low", High: "high", Better: table.Less, Than: "published"}, func(r recovered) table.Value { return table.Float(r.RMSE) }),
		table.Col(table.Column{Name: "low"}, func(r recovered) table.Value { return low(r.Interval) }),
		table.Col(table.Column{Name: "high"}, func(r recovered) table.Value { return high(r.Interval) }),
		table.Col(table.Column{Name: "bias", Digits: 3, Weight: 3, Doc: "mean of posterior mean − truth"}, func(r recovered) table.Value { return table.Float(r.Bias) }),
		table.Col(table.Column{Name: "mcse", Head: "MCSE", Digits: 4, Weight: 4, Doc: "Monte Carlo standard error of the RMSE"}, func(r recovered) table.Value { return table.Maybe(r.MCSE) }),
		table.Col(table.Column{Name: "published", Digits: 3}, func(r recovered) table.Value { return table.Maybe(r.Published) }),
		table.Col(table.Column{Name: "single", Head: "profile layout only", Digits: 3, Weight: 2, Doc: "RMSE of the posterior of the profile layout alone"}, func(r recovered) table.Value { return table.Maybe(r.Single) }),
		table.Col(table.Column{Name: "always_maximum", Head: "baseline", Digits: 3, Doc: "RMSE of the maximum as every subject's estimate"}, func(r recovered) table.Value { return table.Float(r.Maximum) }),
		table.Col(table.Column{Name: "inside_n", Head: "n interior", Kind: table.Count, Weight: 1, Doc: "truths that are neither 0 nor the maximum"}, func(r recovered) table.Value {
			if r.Inside == nil {
				return table.Int(0)
			}
			return table.Int(r.Inside.N)
		}),
		table.Col(table.Column{Name: "inside_rmse", Head: "interior RMSE", Digits: 3, Weight: 1}, func(r recovered) table.Value {
			if r.Inside == nil {
				return table.None
			}
			return table.Float(r.Inside.RMSE)
		}),
		table.Col(table.Column{Name: "inside_always_maximum", Head: "interior baseline", Digits: 3, Weight: 1}, func(r recovered) table.Value {
			if r.Inside == nil {
				return table.None
			}
			return table.Float(r.Inside.Maximum)
		}),
	})
	for i, r := range rows {
		if r.block == overall {
			t.Note(i, "capability", doubts(s, r.capability)...)
		}
	}
	if single {
		t.Foot = append(t.Foot, fmt.Sprintf("The posterior is model-averaged over the candidate set; \"profile layout only\" is that of %s alone.", s.Layout.Name))
	}
	t.Foot = append(t.Foot, s.from(published)...)
	return t
}

// atBound says whether the truth is at an end of the capability's range.
func (p *Profile) atBound() bool { return *p.Fraction <= 0 || *p.Fraction >= 1 }

// missed says whether the truth is more than three posterior standard deviations away from the mean and also more
// than 1 % of the parameter's maximum. The second limit is needed because a posterior at a bound can have standard
// deviation 0.
func (p *Profile) missed() bool {
	mean, sd := p.Reported()
	return math.Abs(mean-*p.Truth) > max(3*sd, 0.01*p.Scale)
}

// successRates returns the mean of each subject's scored test responses of the measure success, held out or not; without that measure,
// of the first whose values are yes or no, or from 0 to 1. Of counts it is the share of all trials; categories and other numbers have no rate.
// Subjects without such a response are left out.
func successRates(d *record.Dataset) map[string]*float64 {
	at := slices.IndexFunc(d.Manifest.Measures, func(m record.Measure) bool { return m.Name == "success" })
	if at < 0 {
		at = slices.IndexFunc(d.Manifest.Measures, func(m record.Measure) bool {
			return m.Family == record.Binary || m.Family == record.Unit
		})
	}
	if at >= 0 && (d.Manifest.Measures[at].Family == record.Choice || d.Manifest.Measures[at].Family == record.Real) {
		at = -1
	}
	out := map[string]*float64{}
	for s, id := range d.Subjects {
		sum, n := 0.0, 0
		for _, r := range d.Responses.Of(s) {
			if int(r.Measure) == at && r.Unscored == 0 && r.Phase == record.Test {
				sum, n = sum+r.Value, n+int(max(1, r.Trials))
			}
		}
		if n > 0 {
			rate := sum / float64(n)
			out[id] = &rate
		}
	}
	return out
}
