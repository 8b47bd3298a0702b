package compare

import (
	"fmt"
	"strings"
)

// WordsFile is the name of the written verdicts in an inferred directory.
const WordsFile = "classifications.md"

// Markdown returns all verdicts in words: one section for every subject, with the items and checks that support it.
func (v *Verdicts) Markdown() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# Classifications\n\nBy the candidate set %s.\n", v.Bank)
	for _, s := range v.Subjects {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", s.Subject, s.Words)
		for _, w := range s.Weaknesses {
			if len(w.Items) > 0 {
				fmt.Fprintf(&b, "\n- %s (%.2f), by the candidate model %s; most informative items %s", w.Name, w.Probability, w.Rival, strings.Join(w.Items, ", "))
			}
		}
		for _, m := range s.Misfit {
			fmt.Fprintf(&b, "\n- failed fit check, by %s (p = %.1g): %s", m.Check, m.P, m.Statement)
		}
		for _, t := range s.Ties {
			fmt.Fprintf(&b, "\n- item %s: expected information %.2f bits, mainly between %s", t.Item, t.Information, strings.Join(t.Between, " and "))
		}
		b.WriteString("\n")
	}
	return []byte(b.String())
}
