package infer

import (
	"cmp"
	"math"
	"slices"

	"achilles/infer/chargrid"
	"achilles/infer/diag"
	"achilles/infer/layout"
	"achilles/sim/num"
)

// An Identification says how much the responses of subjects tell about one parameter. The contraction of a subject is
// 1 − posterior variance/prior variance: 0 if the responses tell nothing, 1 if they determine the parameter, and below 0 if
// the posterior is wider than the prior (Schad, Betancourt and Vasishth 2021). The variance of a prior that depends on other
// parameters is that of its marginal distribution.
// In parts that nothing connects, no subject is told apart from those of another part.
type Identification struct {
	Parameter string  `json:"parameter"`
	Prior     string  `json:"prior"`              // as written in the layout
	PriorSD   float64 `json:"prior_sd,omitempty"` // 0 if the prior has no finite variance
	// PopulationSD is the SD of the population that the responses infer, where the prior depends on other parameters and there are
	// several units. Contraction is then 1 − posterior variance/population variance, the reliability. 0 otherwise.
	PopulationSD float64 `json:"population_sd,omitempty"`
	Log          bool    `json:"log,omitempty"`   // PosteriorSD and PopulationSD are of the logarithm, since the prior is log-normal
	PosteriorSD  float64 `json:"posterior_sd"`    // root mean square of the subjects' posterior SDs
	Contraction  float64 `json:"contraction"`     // mean contraction of the subjects
	Identified   int     `json:"identified"`      // number of subjects whose contraction is at least IdentifiedFrom; 0 if Parts is not 0
	Parts        int     `json:"parts,omitempty"` // number of parts of the table that nothing connects: none is then identified across them
	Subjects     int     `json:"subjects"`
	RMSE         float64 `json:"rmse,omitempty"` // of the posterior means, for simulated subjects; 0 if the truth is unknown
}

// IdentifiedFrom is the smallest contraction at which a parameter of a subject counts as identified: its posterior SD is then
// at most 0.316 prior SDs.
const IdentifiedFrom = 0.9

// A PosteriorCorrelation is a pair of parameters with a strong correlation in the posterior of at least one subject: the
// responses constrain them together rather than one by one.
type PosteriorCorrelation struct {
	A        string  `json:"a"`
	B        string  `json:"b"`
	R        float64 `json:"r"`                 // Pearson's correlation, for the subject with the strongest one
	Subject  string  `json:"subject,omitempty"` // this subject; "" for simulated subjects
	Strong   int     `json:"strong"`            // number of subjects with a strong correlation
	Subjects int     `json:"subjects"`          // number of all subjects
}

// StrongCorrelation is the smallest absolute value at which a posterior correlation counts as strong: about two thirds of the
// variance of one parameter are explained by the other.
const StrongCorrelation = 0.8

// An Identifiability says how much the responses of subjects to a battery tell about their parameters. Unbounded lists the
// parameters whose prior has no finite variance: no contraction is defined for them, and Parameters lacks them. Strong lists
// the strong correlations, those of most subjects first.
type Identifiability struct {
	Parameters []Identification       `json:"parameters"`
	Unbounded  []string               `json:"unbounded,omitempty"`
	Strong     []PosteriorCorrelation `json:"strong,omitempty"`
	Labels     []layout.Labels        `json:"labels,omitempty"` // of metafeatures with a judge
}

// moments has the variances and correlations of a subject's posterior. A subject whose chains disagree has no posterior; its
// *moments is nil.
type moments struct {
	subject  string
	variance []float64
	r        [][]float64 // r[a][b] is the correlation of parameters a and b, for b < a
	miss     []float64   // posterior mean − truth; nil if the truth is unknown
}

// momentsOf returns the variances and correlations of draws [chain][draw][parameter]. It returns nil without draws.
func momentsOf(subject string, draws [][][]float64) *moments {
	if len(draws) == 0 {
		return nil
	}
	t := &moments{subject: subject}
	columns := make([][]float64, len(draws[0][0]))
	for k := range columns {
		columns[k] = slices.Concat(diag.Column(draws, k)...)
		var row []float64
		for _, other := range columns[:k] {
			row = append(row, chargrid.Pearson(columns[k], other, nil))
		}
		_, variance := num.Moments(columns[k])
		t.variance, t.r = append(t.variance, variance), append(t.r, row)
	}
	return t
}

// identifiability returns how much the responses tell about each parameter, from the moments of all subjects.
func identifiability(design *layout.Design, all []*moments) *Identifiability {
	resolved := slices.DeleteFunc(slices.Clone(all), func(t *moments) bool { return t == nil })
	out := &Identifiability{Strong: strong(design.Names(), all), Labels: design.Labels()}
	parameters := design.Parameters()
	for k, prior := range design.PriorSD() {
		if !isFinite(prior) {
			out.Unbounded = append(out.Unbounded, parameters[k].Name)
			continue
		}
		if len(resolved) == 0 {
			continue
		}
		x := Identification{Parameter: parameters[k].Name, Prior: parameters[k].Prior, PriorSD: prior, Subjects: len(all)}
		var variances, misses []float64
		for _, t := range resolved {
			variances = append(variances, t.variance[k])
			if t.miss != nil {
				misses = append(misses, t.miss[k])
			}
		}
		x.contract(variances, misses, prior)
		out.Parameters = append(out.Parameters, x)
	}
	return out
}

// contract sets the numbers of a parameter whose units have these posterior variances and, where the truth is known, differences of the
// posterior mean from it. A contraction is against this standard deviation.
func (x *Identification) contract(variances, misses []float64, against float64) {
	n := float64(len(variances))
	var left, miss float64
	for _, v := range variances {
		left += v / n
		if contraction(v, against) >= IdentifiedFrom {
			x.Identified++
		}
	}
	for _, off := range misses {
		miss += float64(off*off) / n
	}
	x.PosteriorSD, x.Contraction, x.RMSE = math.Sqrt(left), contraction(left, against), math.Sqrt(miss)
}

// withhold notes that subjects belong to several parts that nothing connects (table.Judgement.Parts): the place of one part beside
// another rests on the prior, so that nobody is told apart across them.
func (x *Identifiability) withhold(parts map[string]int) {
	n := 0
	for _, k := range parts {
		n = max(n, k)
	}
	for i := range x.Parameters {
		if p := &x.Parameters[i]; n > 1 && p.PopulationSD > 0 {
			p.Identified, p.Parts = 0, n
		}
	}
}

func isFinite(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) }

func contraction(variance, priorSD float64) float64 {
	return 1 - variance/float64(priorSD*priorSD)
}

// strong lists the pairs of parameters whose correlation is strong for at least one subject.
func strong(names []string, all []*moments) (out []PosteriorCorrelation) {
	for a := range names {
		for b := range a {
			p := PosteriorCorrelation{A: names[b], B: names[a], Subjects: len(all)}
			for _, t := range all {
				if t == nil {
					continue
				}
				r := t.r[a][b]
				if math.Abs(r) >= StrongCorrelation {
					p.Strong++
				}
				if math.Abs(r) > math.Abs(p.R) {
					p.R, p.Subject = r, t.subject
				}
			}
			if p.Strong > 0 {
				out = append(out, p)
			}
		}
	}
	slices.SortStableFunc(out, func(x, y PosteriorCorrelation) int {
		return cmp.Or(cmp.Compare(y.Strong, x.Strong), cmp.Compare(math.Abs(y.R), math.Abs(x.R)))
	})
	return out
}
