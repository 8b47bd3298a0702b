package compare

import (
	"fmt"
	"strings"
)

// words returns the verdict in a few sentences.
func (v *Verdict) words() string {
	var b strings.Builder
	if v.Family == Unclassified {
		fmt.Fprintf(&b, "Unclassified: %s.", v.Unclassified)
	} else {
		fmt.Fprintf(&b, "%s (%.2f).", strings.ToUpper(v.Family[:1])+v.Family[1:], v.Weight)
	}
	if !v.noneFits() {
		fmt.Fprintf(&b, " Has object permanence with probability %.2f", v.HasOP)
		if k := v.Knowing; k != nil {
			fmt.Fprintf(&b, ": knows %.2f (%.2f–%.2f) of the hidden places", k.Mean, k.Q5, k.Q95)
		}
		b.WriteString(".")
	}
	list := func(kind string, of []Weakness) {
		for _, w := range of {
			if w.Probability >= 0.5 {
				fmt.Fprintf(&b, " %s: %s (%.2f)", kind, w.Name, w.Probability)
				if w.Statement != "" {
					b.WriteString("; " + w.Statement)
				}
				b.WriteString(".")
			}
		}
	}
	list("Weakness", v.Weaknesses)
	list("Minor weakness", v.Mild)
	if v.Noise != nil {
		fmt.Fprintf(&b, " Noise %.2f (%.2f–%.2f).", v.Noise.Mean, v.Noise.Q5, v.Noise.Q95)
	}
	if len(v.Misfit) > 0 && !strings.Contains(v.Unclassified, v.Misfit[0].Statement) {
		fmt.Fprintf(&b, " Failed fit check (%s): %s.", v.Misfit[0].Check, v.Misfit[0].Statement)
	}
	if v.runnerUp() > 0.05 && !v.noneFits() {
		if len(v.Ties) == 0 {
			fmt.Fprintf(&b, " No item of this battery distinguishes it from %s (%.2f).", v.Families[1].Name, v.Families[1].Weight)
		} else {
			fmt.Fprintf(&b, " %s (%.2f) is not ruled out; the most informative item is %s.", strings.ToUpper(v.Families[1].Name[:1])+v.Families[1].Name[1:], v.Families[1].Weight, v.Ties[0].Item)
		}
	}
	if v.Unvisited > 0.05 && !v.noneFits() {
		fmt.Fprintf(&b, " Candidate models screened out before fitting may have posterior probability %.2f.", v.Unvisited)
	}
	return b.String()
}
