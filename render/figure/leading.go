package figure

import (
	"fmt"
	"math"
	"slices"

	"achilles/infer"
)

// leading are the figures that show a result at a glance, the most telling first.
var leading = []string{"observers", "verdicts", "recovery", "profiles", "surprises", "grids", "models"}

// Leading are the two figures that show the result at a glance, or as many as there are.
func (m *Material) Leading() []Entry {
	out := slices.DeleteFunc(m.Entries(), func(e Entry) bool { return !slices.Contains(leading, e.Name) })
	slices.SortStableFunc(out, func(a, b Entry) int { return slices.Index(leading, a.Name) - slices.Index(leading, b.Name) })
	return out[:min(2, len(out))]
}

// Watch are the commands that show the episode of each subject that was predicted worst, by the subject's name: that with the
// least probability of what happened, of those held out. It is nil where there is nothing to watch.
func (m *Material) Watch() map[string]string {
	if m.Public == nil || m.Scores == nil || !m.Public.Manifest.Watchable() {
		return nil
	}
	item, least := map[string]string{}, map[string]float64{}
	if m.Result != nil {
		m.outcomes(func(q *infer.Prediction, outcome float64) {
			p := math.Abs(1 - outcome - q.P)
			if have, ok := least[q.Subject]; !ok || p < have {
				item[q.Subject], least[q.Subject] = q.Item, p
			}
		})
	}
	out := map[string]string{}
	for _, p := range m.Scores.Profiles {
		out[p.Name] = fmt.Sprintf("achilles view %s --subject %s", Quote(m.Dir), Quote(p.Name))
		if i, ok := item[p.Subject]; ok {
			out[p.Name] += " --item " + Quote(i)
		}
	}
	return out
}
