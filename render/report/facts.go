package report

import (
	"fmt"
	"slices"
	"strings"

	"achilles/render/figure"
	"achilles/render/format"
	"achilles/sim/num"
	"achilles/sim/record"
)

func lead(m *figure.Material) string {
	var parts []string
	if d := m.Public; d != nil {
		if len(d.Subjects) > 0 {
			parts = append(parts, num.Counted(len(d.Subjects), "subject")+" took "+num.Counted(d.Items.Len(), "item"))
		} else {
			parts = append(parts, num.Counted(d.Items.Len(), "item")+" to be watched")
		}
	}
	s := m.Scores
	switch {
	case s == nil:
		parts = append(parts, "not scored yet")
	case s.Sealed == "":
		parts = append(parts, "there is no sealed truth, or it was not opened")
	case s.Unblinded:
		parts = append(parts, "the result was inferred after the seal had been opened")
	case m.Public != nil && len(m.Public.Subjects) == 0:
		parts = append(parts, "observers watched them blind to the sealed truth and were then scored against it")
	default:
		parts = append(parts, "profiles were inferred blind to the sealed truth and then scored against it")
	}
	return strings.Join(parts, "; ") + "."
}

// facts lists what was run, with which data and settings, and how it was graded.
func facts(m *figure.Material) (out []fact) {
	if m.Public != nil {
		out = dataFacts(m.Public)
	}
	if r := m.Result; r != nil && len(r.Diagnostics.Fits) > 0 {
		c := r.Settings
		out = append(out, fact{"Layout", c.Layout.Name, false}, fact{"Digest of the layout", short(c.Layout.SHA256), true},
			fact{"Inference", fmt.Sprintf("method %s, %d chains of %d draws after %d warm-up draws, seed %d", c.Engine, c.Chains, c.Draws, c.Warmup, c.Seed), false})
	}
	if m.Scores != nil {
		out = append(out, gradeFacts(m)...)
	}
	return out
}

func dataFacts(d *record.Dataset) (out []fact) {
	if len(d.Subjects) == 0 {
		out = append(out, fact{"Data", num.Counted(d.Items.Len(), "item") + " to be watched", false})
	} else {
		out = append(out, fact{"Data", fmt.Sprintf("%s × %s, %s; suites: %s; paradigms: %s",
			num.Counted(len(d.Subjects), "subject"), num.Counted(d.Items.Len(), "item"), num.Counted(d.Responses.Len(), "response"), listed(d.Items.Suite), listed(d.Items.Paradigm)), false})
	}
	scored, held, sum := make([]int, len(d.Manifest.Measures)), make([]int, len(d.Manifest.Measures)), make([]float64, len(d.Manifest.Measures))
	for _, r := range d.Responses.All() {
		if r.Unscored == 0 {
			scored[r.Measure]++
			sum[r.Measure] += r.Value
			if r.Split == record.HeldOut {
				held[r.Measure]++
			}
		}
	}
	for i, x := range d.Manifest.Measures {
		if scored[i] > 0 {
			out = append(out, fact{"Measure " + x.Name, fmt.Sprintf("%s; %s scored, %s of them held out; mean %s", x.Family, num.Count(scored[i]), num.Count(held[i]), format.Number(sum[i]/float64(scored[i]), 3)), false})
		}
	}
	var columns []string
	for _, c := range d.Items.Columns {
		columns = append(columns, c.Name)
	}
	if len(columns) > 0 {
		out = append(out, fact{"Features of the items", strings.Join(columns, ", "), true})
	}
	return out
}

func gradeFacts(m *figure.Material) (out []fact) {
	s := m.Scores
	if names := s.ObserverNames(); len(names) > 0 {
		out = append(out, fact{"Observers", strings.Join(names, ", "), false})
	}
	digests := "public " + short(s.Public) + ", inferred " + short(s.Inferred)
	if s.Sealed != "" {
		digests += ", sealed " + short(s.Sealed)
	}
	out = append(out, fact{"Digests", digests, true})
	if s.Source != "" {
		out = append(out, fact{"Published values", s.Source, false})
	}
	return out
}

func short(digest string) string { return digest[:min(12, len(digest))] }

// listed returns the distinct texts of a column, or their number if there are more than twelve.
func listed(s []string) string {
	t := slices.Clone(s)
	slices.Sort(t)
	if t = slices.Compact(t); len(t) > 12 {
		return fmt.Sprint(len(t))
	}
	return strings.Join(t, ", ")
}
