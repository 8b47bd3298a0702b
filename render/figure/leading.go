package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"achilles/infer"
	"achilles/sim/expr"
)

// leading lists the figures that summarise a result, the most important first. Of more than mostSubjects, histograms and both ends stand for
// the profiles of each.
var (
	leading        = []string{"observers", "classifications", "recovery", "profiles", "surprises", "grids", "models"}
	leadingOfCrowd = []string{"confusion", "recovery", "histograms", "posteriors"}
)

// Leading returns the two most important of the figures that summarise a result, or fewer if the material has fewer of
// them.
func (m *Material) Leading() []Entry {
	leading := leading
	if m.crowd() {
		leading = leadingOfCrowd
	}
	out := slices.DeleteFunc(m.Entries(), func(e Entry) bool { return !slices.Contains(leading, e.Name) })
	slices.SortStableFunc(out, func(a, b Entry) int { return slices.Index(leading, a.Name) - slices.Index(leading, b.Name) })
	return out[:min(2, len(out))]
}

// Watch returns, by subject name, the command that shows the subject's worst predicted episode. This is the held-out
// episode whose actual outcome had the least predicted probability. Watch returns nil if there are no scores, or if the
// data cannot be replayed.
func (m *Material) Watch() map[string]string {
	if m.Public == nil || m.Scores == nil || !m.Public.Manifest.Watchable() {
		return nil
	}
	item, least := map[string]string{}, map[string]float64{}
	if m.Result != nil {
		outcomes(m, func(q *infer.Prediction, outcome float64) {
			p := math.Abs(1 - outcome - q.P)
			if have, ok := least[q.Subject]; !ok || p < have {
				item[q.Subject], least[q.Subject] = q.Item, p
			}
		})
	}
	out := map[string]string{}
	for _, p := range m.Scores.Profiles {
		out[p.Name] = fmt.Sprintf("achilles view %s --subject %s", expr.Quote(m.Dir), expr.Quote(p.Name))
		if i, ok := item[p.Subject]; ok {
			out[p.Name] += " --item " + expr.Quote(i)
		}
	}
	return out
}

// WatchParadigms returns, by paradigm, the command that shows the held-out episode whose path was predicted worst. It
// returns nil if there are no scores or predicted paths, or if the data cannot be replayed.
func (m *Material) WatchParadigms() map[string]string {
	if m.Public == nil || m.Result == nil || m.Scores == nil || !m.Public.Manifest.Watchable() || len(m.Result.Paths) == 0 {
		return nil
	}
	names := map[string]string{}
	for _, p := range m.Scores.Profiles {
		names[p.Subject] = p.Name
	}
	worst, out := map[string]float64{}, map[string]string{}
	for _, p := range m.Result.Paths {
		i, ok := slices.BinarySearch(m.Public.Items.ID, p.Item)
		if !ok {
			continue
		}
		paradigm := m.Public.Items.Paradigm[i]
		if have, ok := worst[paradigm]; p.RMSE > have || !ok && p.RMSE >= 0 {
			worst[paradigm] = p.RMSE
			out[paradigm] = fmt.Sprintf("achilles view %s --subject %s --item %s", expr.Quote(m.Dir), expr.Quote(cmp.Or(names[p.Subject], p.Subject)), expr.Quote(p.Item))
		}
	}
	return out
}

// WatchTasks returns, by task, the command that shows the first of the episodes about which the observer achilles was
// least right: wrong if there is such an episode, otherwise undecided or right. It returns nil if there are no scores,
// or if the data cannot be replayed.
func (m *Material) WatchTasks() map[string]string {
	if m.Public == nil || m.Scores == nil || !m.Public.Manifest.Watchable() {
		return nil
	}
	right, out := map[string]float64{}, map[string]string{}
	for i := range m.Scores.Seen {
		x := &m.Scores.Seen[i]
		r, ok := x.Right["achilles"]
		if !ok {
			continue
		}
		if have, known := right[string(x.Task)]; !known || r < have {
			right[string(x.Task)] = r
			out[string(x.Task)] = fmt.Sprintf("achilles view %s --item %s", expr.Quote(m.Dir), expr.Quote(x.Item))
		}
	}
	return out
}
