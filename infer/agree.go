package infer

import (
	"fmt"
	"maps"
	"slices"

	"achilles/infer/diag"
)

// Disagreements returns an error for each parameter of a subject whose mean, standard deviation or quantiles are not those of its
// draws, and for each subject that has draws or profiles alone.
func (r *Result) Disagreements() (faults []error) {
	bySubject := map[string]map[string]Profile{}
	for _, p := range r.Profiles {
		if bySubject[p.Subject] == nil {
			bySubject[p.Subject] = map[string]Profile{}
		}
		bySubject[p.Subject][p.Parameter] = p
	}
	if r.Draws != nil {
		for d, err := range r.Draws.All() {
			if err != nil {
				return append(faults, err)
			}
			of := bySubject[d.Subject]
			delete(bySubject, d.Subject)
			for k, parameter := range r.Draws.Parameters() {
				p, ok := of[parameter]
				s := diag.Describe([][]float64{d.Values[k]})
				switch {
				case !ok:
					faults = append(faults, fmt.Errorf("inferred/profiles.parquet: no row of subject %s, parameter %s, which has draws", d.Subject, parameter))
				case !alike([]float64{s.Mean, s.SD, s.Q5, s.Q25, s.Q50, s.Q75, s.Q95}, p.moments()):
					faults = append(faults, fmt.Errorf("inferred/profiles.parquet: subject %s, parameter %s: another mean, spread or quantile than that of the draws", d.Subject, parameter))
				}
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(bySubject)) {
		faults = append(faults, fmt.Errorf("inferred/profiles.parquet: subject %s has no draws", id))
	}
	return faults
}
