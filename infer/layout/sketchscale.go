package layout

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"achilles/sim/record"
)

// values returns the numbers of a column that has them.
func values(c record.Column) (out []float64) {
	for i, x := range c.Number {
		if c.Missing == nil || !c.Missing[i] {
			out = append(out, x)
		}
	}
	return out
}

// doublings is over how many doublings a demand must spread before its logarithm is taken: as many as levels go from nearly always to never.
const doublings = usualLevels

// inDoublings reports whether the logarithm of a demand is the better scale: of times, lengths and costs that are all above 0, spread over many
// doublings, and have most items far below the mean, which their logarithms have not.
func inDoublings(c record.Column) bool {
	all := values(c)
	if low := slices.Min(all); !(low > 0) || math.Log2(slices.Max(all)/low) < doublings {
		return false
	}
	logs := make([]float64, len(all))
	for i, x := range all {
		logs[i] = math.Log2(x)
	}
	raw, log := stat.Skew(all, nil), stat.Skew(logs, nil)
	return raw > 1 && math.Abs(log) < raw
}

// inLogarithms takes the logarithm of a demand to base 2.
func (w *sketcher) inLogarithms(d *demandColumn) {
	d.log = true
	w.because("column %s goes from %s to %s, with most items far below the mean: the demand is its logarithm to base 2, in which an ability of 5 meets %s = 32 half of the time",
		d.column, number(rounded(d.low)), number(rounded(d.high)), d.column)
}

// sameDemand is the correlation over items from which two demands are one to every response.
const sameDemand = 0.99

// distinct leaves out demands that go with one before them in all items, because no response can say which of the two abilities it took. Where the
// one rises as the other falls and level 0 means that an item does not ask for it, as of two kinds of items, responses do.
func (w *sketcher) distinct() {
	kept := w.demands[:0]
	for _, d := range w.demands {
		before := slices.IndexFunc(kept, func(e demandColumn) bool {
			r := correlationOver(w.data.Items, d, e)
			return r >= sameDemand || !w.whole && r <= -sameDemand
		})
		if before < 0 {
			kept = append(kept, d)
			continue
		}
		w.because("column %s goes with %s (correlation %.3f over items): left out, because no response distinguishes their abilities; --demands %s uses it instead",
			d.column, kept[before].column, correlationOver(w.data.Items, d, kept[before]), d.column)
	}
	w.demands = kept
}

// correlationOver returns the correlation of two demands over the items that have both; 0: fewer than three have.
func correlationOver(items record.Items, a, b demandColumn) float64 {
	var x, y []float64
	ca, _ := items.Column(a.column)
	cb, _ := items.Column(b.column)
	for i := range ca.Number {
		if ca.Missing != nil && ca.Missing[i] || cb.Missing != nil && cb.Missing[i] {
			continue
		}
		x, y = append(x, a.scaled(ca.Number[i])), append(y, b.scaled(cb.Number[i]))
	}
	if r := stat.Correlation(x, y, nil); len(x) > 2 && !math.IsNaN(r) {
		return r
	}
	return 0
}

// scaled returns a value of the column on the scale of the demand.
func (d demandColumn) scaled(x float64) float64 {
	if d.log {
		return math.Log2(x)
	}
	return x
}

// term is the demand as a layout writes it.
func (d demandColumn) term() string {
	if d.log {
		return "log(" + d.name + ")/log(2)"
	}
	return d.name
}

// unit is that of the ability that meets the demand.
func (d demandColumn) unit() string {
	if d.log {
		return "log2 " + d.column
	}
	return d.column
}

// steep returns the margin of the only demand, with how fast success falls as it grows as a parameter of the subject: of several demands, and of
// subjects whose abilities have a model, responses say too little of it.
func (w *sketcher) steep(ability string, d demandColumn, low, high float64) string {
	slope := w.name("steepness")
	usual := number(rounded(math.Log(usualLevels / (high - low))))
	w.add("robustness", `%s = { prior = "lognormal(%s, %s)", unit = %q, doc = "how fast success falls as the demand grows" }`, slope, usual, number(steepnessSpread), "log odds per "+d.unit())
	return fmt.Sprintf("%s*(%s - %s)", slope, ability, d.term())
}

// steepnessSpread is the prior standard deviation of the logarithm of a steepness: from a quarter to four times the usual one, in 19 of 20.
const steepnessSpread = 0.7
