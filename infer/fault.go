package infer

import (
	"strings"

	"achilles/infer/layout"
	"achilles/sim/record"
)

// A fault is an error to plant in the likelihood of a fit or in its draws (Calibrate).
type fault struct {
	name   string
	design *layout.Design                              // the layout with a wrong likelihood; nil: the likelihood is right
	draws  func(d [][]float64, prior func() []float64) // changes d in place; prior draws from the prior; nil: no change
}

// weaker returns the text of a layout with the success probability of every response, in lines p = "…", multiplied by 0.98.
func weaker(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		key, value, _ := strings.Cut(line, "=")
		first, last := strings.Index(value, `"`), strings.LastIndex(value, `"`)
		if strings.TrimSpace(key) == "p" && strings.TrimSpace(value[:max(first, 0)]) == "" && last > first {
			lines[i] = key + "=" + value[:first+1] + "0.98*(" + value[first+1:last] + ")" + value[last:]
		}
	}
	return strings.Join(lines, "\n")
}

// faults returns the errors to plant. An error of the likelihood is left out if it does not change the text of the layout.
func (c *Job) faults(data *record.Dataset) (out []fault, err error) {
	for _, f := range []struct{ name, text string }{
		{"success × 0.98", weaker(c.Layout.Text)},
		{"slopes × 1.2", steeper(c.Layout.Text)},
	} {
		if f.text == c.Layout.Text {
			continue
		}
		l, err := layout.Parse(c.Layout.File+" with "+f.name, f.text)
		if err != nil {
			return nil, err
		}
		d, err := l.Bind(&data.Items, data.Manifest.Measures)
		if err != nil {
			return nil, err
		}
		out = append(out, fault{name: f.name, design: d})
	}
	return append(out, drawFaults()...), nil
}

// drawFaults returns the errors to plant in draws.
func drawFaults() []fault {
	return []fault{
		{name: "posteriors a tenth too narrow", draws: narrow},
		{name: "responses ignored", draws: func(d [][]float64, prior func() []float64) {
			for i := range d {
				d[i] = prior()
			}
		}},
	}
}

// steeper returns the text of a layout with the argument of every logistic link multiplied by 1.2. A link without its closing
// bracket stays as it is.
func steeper(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "logistic(")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		depth, end := 1, 0
		for end < len(rest) && depth > 0 {
			switch rest[end] {
			case '(':
				depth++
			case ')':
				depth--
			}
			end++
		}
		if depth > 0 {
			return b.String() + "logistic(" + rest
		}
		b.WriteString("logistic(1.2*(" + steeper(rest[:end-1]) + "))")
		text = rest[end:]
	}
}

// narrow moves draws a tenth of the way to their mean.
func narrow(d [][]float64, _ func() []float64) {
	mean := make([]float64, len(d[0]))
	for _, x := range d {
		for k := range mean {
			mean[k] += x[k] / float64(len(d))
		}
	}
	for _, x := range d {
		for k := range x {
			x[k] += 0.1 * (mean[k] - x[k])
		}
	}
}
