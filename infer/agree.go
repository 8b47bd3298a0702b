package infer

import (
	"fmt"
	"maps"
	"slices"

	"achilles/infer/diag"
)

// Disagreements returns an error for each parameter of a subject whose mean, standard deviation or quantiles are not those of its
// draws, for each subject that has draws or profiles alone, and for each other parameter as for those of subjects.
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
					faults = append(faults, fmt.Errorf("inferred/profiles.parquet: subject %s, parameter %s: mean, SD or quantile differs from that of the draws", d.Subject, parameter))
				}
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(bySubject)) {
		faults = append(faults, fmt.Errorf("inferred/profiles.parquet: subject %s has no draws", id))
	}
	return append(faults, r.unitDisagreements()...)
}

// unitDisagreements returns an error for each parameter of an item, of a group or of everybody whose mean, standard deviation or quantiles
// are not those of its draws. It cannot say where not every draw is kept.
func (r *Result) unitDisagreements() (faults []error) {
	d := r.UnitDraws
	if d == nil || len(d.Draws()) > 1 && d.Draws()[1] != 1 {
		return nil
	}
	i := 0
	for draws, err := range d.All() {
		if err != nil {
			return append(faults, err)
		}
		u, s := r.Units[i], diag.Describe([][]float64{slices.Concat(draws...)})
		is := Unit{Q5: s.Q5, Q25: s.Q25, Q50: s.Q50, Q75: s.Q75, Q95: s.Q95}
		if u.Mean != nil {
			is.Mean, is.SD = &s.Mean, &s.SD
		}
		if !alike(is.moments(), u.moments()) {
			faults = append(faults, fmt.Errorf("inferred/%s: %s: mean, SD or quantile differs from that of the draws", unitsFile, u.Name()))
		}
		i++
	}
	return faults
}
