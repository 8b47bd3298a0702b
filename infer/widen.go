package infer

import (
	"fmt"
	"math"
	"strings"

	"achilles/infer/diag"
	"achilles/infer/posterior"
	"achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/record"
)

// A Widening says that the posterior of a fit is wider than the layout has it, because responses are alike within clusters that the layout takes
// for independent: which clusters, and by what each standard deviation was multiplied.
type Widening struct {
	By      []AlikeWithin `json:"by"`
	Factors []Factor      `json:"factors"` // of the values that were widened
}

// AlikeWithin is how much is alike, within the clusters of one kind, of what the layout leaves of responses.
type AlikeWithin struct {
	Name        string  `json:"name"`        // item, repetition, or a text column of the items
	Correlation float64 `json:"correlation"` // of two responses of a cluster, beyond the layout
	Clusters    int     `json:"clusters"`    // with several responses
	P           float64 `json:"p"`           // probability of as much if responses are independent
}

// A Factor is what the standard deviation of one value was multiplied by.
type Factor struct {
	Parameter string  `json:"parameter"`
	Unit      string  `json:"unit,omitempty"` // in a joint fit: the subject, item or group; "" of a shared parameter
	Times     float64 `json:"times"`
}

const (
	// fewestWide is the number of clusters of a subject from which they widen its posterior. Repetitions are drawn at random, the values
	// of a column may be all that there are.
	fewestWide, fewestRepeated = 5, 3
	mostWays                   = 5       // kinds of clusters whose crossings are counted
	mostWidened                = 1 << 20 // responses
)

// The probabilities that responses which are not alike widen the posterior: those to one item that was taken several times; those of one
// repetition; and, all together, those with one value of a text column of the items. A likeness that is missed makes intervals too narrow, and a small one too
// many hardly widens them. Repetitions are few and large, so that one too many does.
const (
	itemLevel       = 0.1
	repetitionLevel = 0.01
	columnsLevel    = 0.1
)

// widen widens the posterior by what it is too narrow for responses that are alike within clusters, about its mean, on the scale
// without bounds. It returns nil, and leaves the posterior as it is, where they are not.
func (c *clustered) widen(items *record.Items, post *posterior.Posterior) *Widening {
	if len(c.responses) > mostWidened {
		return nil
	}
	ways := table.Clusterings(items, c.responses)
	if len(ways) == 0 {
		return nil
	}
	c.draws = thin(post.Draws, checkDraws)
	out := &Widening{}
	d := &diag.Clusters{Bears: c.bears}
	levels := map[string]float64{table.Item: itemLevel, table.Repetition: repetitionLevel}
	columns := 0
	for _, w := range ways {
		if levels[w.Name] == 0 {
			columns++
		}
	}
	for i, l := range c.likeness(ways) {
		level, ok := levels[ways[i].Name]
		if !ok {
			level = columnsLevel / float64(columns)
		}
		if ways[i].Name == table.Repetition && c.repetitions != nil {
			l.P = *c.repetitions
		}
		if !(l.P <= level) || len(d.Ways) == mostWays {
			continue
		}
		l.Name = ways[i].Name
		out.By = append(out.By, l)
		d.Ways, d.Fewest = append(d.Ways, ways[i].Of), append(d.Fewest, fewestWide)
		if l.Name == table.Repetition {
			d.Fewest[len(d.Fewest)-1] = fewestRepeated
		}
	}
	if len(d.Ways) == 0 {
		return nil
	}
	for _, x := range c.draws {
		q := make([]float64, len(x))
		c.target.Unconstrain(x, q)
		d.Draws = append(d.Draws, q)
	}
	d.LogLik = func(draw int, to []float64) { c.logLik(c.draws[draw], to) }
	factors := d.Widen(len(c.responses))
	for k, times := range factors {
		if !(times > 1) || c.binary[k] || math.IsInf(times, 0) || !varies(d.Draws, k) {
			factors[k] = 1
			continue
		}
		f := c.name(k)
		f.Times = times
		out.Factors = append(out.Factors, f)
	}
	if len(out.Factors) == 0 {
		return nil
	}
	c.stretch(post, factors)
	return out
}

// varies reports whether a value differs between draws by more than errors of rounding: what maximum likelihood does not estimate does not.
func varies(draws [][]float64, k int) bool {
	low, high := math.Inf(1), math.Inf(-1)
	for _, q := range draws {
		low, high = min(low, q[k]), max(high, q[k])
	}
	return high-low > 1e-9*(1+math.Abs(low))
}

// wideningOf returns how the profile of a subject, or the fit of everybody, was widened; nil: not.
func (d *Diagnostics) wideningOf(subject string) *Widening {
	for i := range d.Fits {
		if f := &d.Fits[i]; f.Subject == subject && f.Rows == AllRows {
			return f.Widening
		}
	}
	return nil
}

// WidenedBy returns what is alike within clusters in the fit of all subjects together, so that its posterior was widened; nil: nothing.
func (d *Diagnostics) WidenedBy() []AlikeWithin {
	if w := d.wideningOf(Everybody); w != nil {
		return w.By
	}
	return nil
}

// Widened says by what the standard deviation of a parameter of a subject was multiplied, because responses are alike within clusters, and which; "" if by
// nothing.
func (d *Diagnostics) Widened(subject, parameter string) string {
	w, unit := d.wideningOf(subject), ""
	if w == nil {
		w, unit = d.wideningOf(Everybody), subject
	}
	times := w.TimesOf(parameter, unit)
	if times == nil {
		return ""
	}
	var by []string
	for _, l := range w.By {
		by = append(by, l.Name)
	}
	return fmt.Sprintf("SD × %.1f: responses are alike within %s", *times, strings.Join(by, " and "))
}

// warning returns what a reader of the intervals is told.
func (w *Widening) warning() posterior.Warning {
	var by []string
	for _, l := range w.By {
		by = append(by, fmt.Sprintf("%s (correlation %.2f, %d clusters)", l.Name, l.Correlation, l.Clusters))
	}
	low, high := math.Inf(1), 1.0
	for _, f := range w.Factors {
		low, high = min(low, f.Times), max(high, f.Times)
	}
	times := fmt.Sprintf("%.1f", high)
	if t := fmt.Sprintf("%.1f", low); t != times {
		times = t + " to " + times
	}
	return posterior.Warning{Kind: posterior.Widened, Message: fmt.Sprintf("SDs and intervals are %s times those of independent responses, because responses are alike within %s beyond the layout", times, strings.Join(by, " and within "))}
}

// widened notes that the posterior of the fit was widened; nil: it was not.
func (f *Fit) widened(w *Widening) {
	if f.Widening = w; w != nil {
		f.Warnings = append(f.Warnings, w.warning())
	}
}

// TimesOf returns by what the standard deviation of a value was multiplied; nil if by nothing.
func (w *Widening) TimesOf(parameter, unit string) *float64 {
	if w == nil {
		return nil
	}
	for i, f := range w.Factors {
		if f.Parameter == parameter && f.Unit == unit {
			return num.Finite(w.Factors[i].Times)
		}
	}
	return nil
}
