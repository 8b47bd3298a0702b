package figure

import (
	"math"

	"achilles/infer"
	"achilles/render/figure/chart"
)

// chains returns the entries of a trace, a rank plot and a pair plot for every subject. The report shows only the trace
// and the rank plot of the fit with the largest R-hat, and the pair plot of the subject with the strongest correlation.
func chains(m *Material) (out []Entry) {
	names := map[string]string{} // opaque id → name
	for _, p := range m.Scores.Profiles {
		names[p.Subject] = p.Name
	}
	worst, tied := worstFit(m), mostCorrelated(m)
	for _, id := range chained(m) {
		name, section := names[id], ""
		if name == "" {
			name = id
		}
		if id == worst {
			section = SectionDiagnostics
		}
		pairs := ""
		if id == tied {
			pairs = SectionDiagnostics
		}
		out = append(out,
			Entry{Name: "trace-" + name, Title: "Trace of the chains of " + name, Section: section, Each: "SUBJECT", Make: func() chart.Figure { return chart.Traces(draws(m, id)) },
				Caption: "Draws of every chain in their order, at most 150 of each. Chains that agree overlap."},
			Entry{Name: "ranks-" + name, Title: "Ranks of the chains of " + name, Section: section, Each: "SUBJECT", Make: func() chart.Figure { return chart.Ranks(draws(m, id)) },
				Caption: "How the draws of each chain rank among those of all chains, in twenty bins: level lines where chains agree (Vehtari et al. 2021)."},
			Entry{Name: "pairs-" + name, Title: "Posterior draws of " + name + " in pairs", Section: pairs, Each: "SUBJECT", Make: func() chart.Figure { return m.pairs(id) },
				Caption: "Draws of the (at most five) most strongly correlated parameters, which the responses constrain only jointly. Above the diagonal: Pearson correlation; crosses: divergent transitions."})
	}
	return out
}

// worstFit returns the subject whose fit of all responses has the largest R-hat. It returns "" if no R-hat is known.
func worstFit(m *Material) string {
	id, worst := "", math.Inf(-1)
	for _, f := range m.Result.Diagnostics.Fits {
		if f.Rows == infer.AllRows && f.WorstRHat != nil && *f.WorstRHat > worst {
			id, worst = f.Subject, *f.WorstRHat
		}
	}
	return id
}

// chained returns the ids of the subjects that have draws, which are those that have a profile, in the order of the draws.
func chained(m *Material) (ids []string) {
	if m.Result.Draws == nil {
		return nil
	}
	for _, p := range m.Result.Profiles {
		if n := len(ids); n == 0 || ids[n-1] != p.Subject {
			ids = append(ids, p.Subject)
		}
	}
	return ids
}

// draws returns the draws of a subject by parameter and chain. If they cannot be read, it returns none, and Err has the error.
func draws(m *Material, id string) []chart.ParameterDraws {
	d, err := m.Result.Draws.Of(id)
	fail(m, err)
	if d == nil {
		return nil
	}
	out := make([]chart.ParameterDraws, len(d.Values))
	for k, name := range m.Result.Draws.Parameters() {
		out[k].Name = name
		for i, x := range d.Values[k] {
			for int(d.Chain[i]) >= len(out[k].Draws) {
				out[k].Draws = append(out[k].Draws, nil)
			}
			c := &out[k].Draws[d.Chain[i]]
			*c = append(*c, x)
		}
	}
	return out
}
