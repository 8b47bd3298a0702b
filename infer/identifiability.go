package infer

import (
	"cmp"
	"math"
	"slices"

	"achilles/infer/chargrid"
	"achilles/infer/diag"
	"achilles/infer/layout"
)

// An Identification says how much responses tell about one parameter, over subjects. A subject's contraction is
// 1 − posterior variance/prior variance: 0 where its responses tell no more than the prior, 1 where they tell everything,
// below 0 where they leave more doubt than the prior (Schad, Betancourt and Vasishth 2021). A prior that depends on other
// parameters has the variance of its marginal distribution.
type Identification struct {
	Parameter   string  `json:"parameter"`
	Prior       string  `json:"prior"` // as the layout has it
	PriorSD     float64 `json:"prior_sd"`
	PosteriorSD float64 `json:"posterior_sd"` // root mean square over subjects
	Contraction float64 `json:"contraction"`  // mean over subjects
	Identified  int     `json:"identified"`   // subjects whose contraction is IdentifiedFrom or more
	Subjects    int     `json:"subjects"`
	RMSE        float64 `json:"rmse,omitempty"` // of posterior means, where the truth is known: 0 elsewhere
}

// IdentifiedFrom is the contraction from which a parameter of a subject counts as identified: its posterior sd is below a
// third of the prior's (0.316).
const IdentifiedFrom = 0.9

// A PosteriorCorrelation is a pair of parameters that responses tell together and not apart: what one gains, the other
// gains or loses.
type PosteriorCorrelation struct {
	A        string  `json:"a"`
	B        string  `json:"b"`
	R        float64 `json:"r"`                 // Pearson's, of the subject in which it is strongest
	Subject  string  `json:"subject,omitempty"` // that subject; "" where subjects are simulated
	Strong   int     `json:"strong"`            // subjects in which it is strong
	Subjects int     `json:"subjects"`          // of so many
}

// StrongCorrelation is the absolute value from which a posterior correlation counts as strong: two thirds of the variance
// of either parameter are the other's.
const StrongCorrelation = 0.8

// An Identifiability says what responses to a battery tell, over subjects. Parameters whose prior has no finite variance
// are left out. Strong are the strong correlations, those of most subjects first.
type Identifiability struct {
	Parameters []Identification       `json:"parameters"`
	Strong     []PosteriorCorrelation `json:"strong,omitempty"`
}

// moments are the second moments of a subject's posterior. Those of a subject without a posterior, whose chains disagree,
// are nil.
type moments struct {
	subject  string
	variance []float64
	r        [][]float64 // correlations, below the diagonal
	miss     []float64   // posterior mean − truth; nil where the truth is not known
}

// momentsOf takes draws, [chain][draw][parameter]; nil where there are none.
func momentsOf(subject string, draws [][][]float64) *moments {
	if len(draws) == 0 {
		return nil
	}
	t := &moments{subject: subject}
	columns := make([][]float64, len(draws[0][0]))
	for k := range columns {
		for _, chain := range draws {
			for _, x := range chain {
				columns[k] = append(columns[k], x[k])
			}
		}
		var row []float64
		for _, other := range columns[:k] {
			row = append(row, chargrid.Pearson(columns[k], other, nil))
		}
		sd := diag.SD([][]float64{columns[k]})
		t.variance, t.r = append(t.variance, float64(sd*sd)), append(t.r, row)
	}
	return t
}

// identifiability sums up what posteriors tell of subjects.
func identifiability(design *layout.Design, all []*moments) *Identifiability {
	resolved := slices.DeleteFunc(slices.Clone(all), func(t *moments) bool { return t == nil })
	out := &Identifiability{Strong: strong(names(design), all)}
	parameters := design.Parameters()
	for k, prior := range design.PriorSD() {
		if math.IsInf(prior, 0) || math.IsNaN(prior) || len(resolved) == 0 {
			continue
		}
		x := Identification{Parameter: parameters[k].Name, Prior: parameters[k].Prior, PriorSD: prior, Subjects: len(all)}
		n := float64(len(resolved))
		var left, miss float64
		for _, t := range resolved {
			left += t.variance[k] / n
			if contraction(t.variance[k], prior) >= IdentifiedFrom {
				x.Identified++
			}
			if t.miss != nil {
				miss += float64(t.miss[k]*t.miss[k]) / n
			}
		}
		x.PosteriorSD, x.Contraction, x.RMSE = math.Sqrt(left), contraction(left, prior), math.Sqrt(miss)
		out.Parameters = append(out.Parameters, x)
	}
	return out
}

func contraction(variance, priorSD float64) float64 {
	return 1 - variance/float64(priorSD*priorSD)
}

// strong lists the pairs whose correlation is strong in a subject.
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
