package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"achilles/infer/chargrid"
)

// headed is the number of features that the headline names.
const headed = 3

// Headline says what success depends on in a few sentences: the model with the least mean squared error beside the success rate of each
// subject as every prediction, the features whose rank correlations with success are the largest, those along which success turns, and
// the labels by which it differs most. It is empty if none is known.
func (d *Document) Headline() string {
	var said []string
	if best, ok := d.best(); ok {
		l := d.Prediction[best]
		s := fmt.Sprintf("Best predicted by %s: MSE %s", best, within(*l.MSE, l.MSEInt))
		if b := d.Prediction["subject"]; b.MSE != nil && best != "subject" {
			s += fmt.Sprintf("; baseline (each subject's success rate) %s", within(*b.MSE, b.MSEInt))
		}
		said = append(said, s+".")
	}
	var names []string
	for name, c := range d.Correlations {
		if c.Spearman != nil {
			names = append(names, name)
		}
	}
	size := func(name string) float64 { return math.Abs(*d.Correlations[name].Spearman) }
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(size(b), size(a)), cmp.Compare(a, b)) })
	for i, name := range names[:min(headed, len(names))] {
		names[i] = fmt.Sprintf("%s (%s)", name, minus(fmt.Sprintf("%.2f", *d.Correlations[name].Spearman)))
	}
	if len(names) > 0 {
		said = append(said, "Success correlates most with "+strings.Join(names[:min(headed, len(names))], ", ")+".")
	}
	return strings.Join(append(said, d.unordered()...), " ")
}

// unordered returns a sentence for the first features along which success turns, whose rank correlations say little, and one for the labels by
// which it differs most. Labels of which most have one item alone are names, whose differences are those of the items.
func (d *Document) unordered() (said []string) {
	turns, label, eta := 0, "", 0.0
	for _, f := range d.Features {
		c := d.Correlations[f.Name]
		if c.Turn != nil && turns < headed {
			turns++
			most := "highest"
			if c.Shape == string(chargrid.Valley) {
				most = "lowest"
			}
			said = append(said, fmt.Sprintf("Success is %s where %s is near %s (%s).", most, f.Name, minus(fmt.Sprintf("%.3g", *c.Turn)), c.Shape))
		}
		if f.Kind == "text" && c.Eta != nil && *c.Eta > eta && 2*c.Values <= d.Items {
			label, eta = f.Name, *c.Eta
		}
	}
	if label != "" {
		said = append(said, fmt.Sprintf("Of labels, success differs most by %s (η %.2f).", label, eta))
	}
	return said
}

// best returns the graded model with the least mean squared error.
func (d *Document) best() (best string, ok bool) {
	for _, name := range d.Models() {
		if l := d.Prediction[name]; l.MSE != nil && (!ok || *l.MSE < *d.Prediction[best].MSE) {
			best, ok = name, true
		}
	}
	return best, ok
}

func within(x float64, i interval) string {
	if i == nil {
		return fmt.Sprintf("%.3f", x)
	}
	return minus(fmt.Sprintf("%.3f [%.3f, %.3f]", x, i[0], i[1]))
}

// minus returns the text of numbers with minus signs in the place of hyphens.
func minus(s string) string { return strings.ReplaceAll(s, "-", "−") }
