package layout

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"achilles/sim/expr"
	"achilles/sim/record"
)

// chooseChance finds the expression of the chance rate, and returns the column that it is of.
func (w *sketcher) chooseChance() (column string, err error) {
	w.chance = "0"
	if x, err := strconv.ParseFloat(w.Chance, 64); err == nil {
		if !(x >= 0 && x < 1) {
			return "", fmt.Errorf("chance = %s: want a probability from 0 to below 1", w.Chance)
		}
		w.setConstantChance(x)
		return "", nil
	}
	for _, c := range w.data.Items.Columns {
		lower := strings.ToLower(c.Name)
		known := slices.Contains(namesOfChances, lower) || slices.Contains(namesOfOptions, lower) || slices.Contains(namesOfFormats, lower)
		if w.Chance != c.Name && (w.Chance != "" || !known) {
			continue
		}
		col, _ := w.data.Items.Column(c.Name)
		return c.Name, w.chanceOf(col)
	}
	if w.Chance != "" {
		return "", fmt.Errorf("chance = %s: no number, and no column of the items%s", w.Chance, expr.Hint(w.Chance, namesOf(w.data.Items.Columns, true)))
	}
	return "", nil
}

func (w *sketcher) setConstantChance(x float64) {
	if x > 0 {
		w.chance = w.name("chance")
		w.add("constant", "%s = %s", w.chance, number(x))
	}
}

// chanceOf writes the chance rate by a column: a probability, a number of options, or an answer format.
func (w *sketcher) chanceOf(c record.Column) error {
	low, high, missing := rangeOf(c)
	switch {
	case c.Kind == record.Text:
		return w.chanceOfFormats(c)
	case missing > 0 || low < 0:
		return fmt.Errorf("chance = %s: %d items have no value of it, and its lowest is %g", c.Name, missing, low)
	case high <= 1:
		w.chance = w.name("chance")
		w.add("metafeature", "%s = { column = %q, range = [0, 1] }", w.chance, c.Name)
		w.because("column %s is the probability of a success by chance", c.Name)
	case low >= 1:
		name := w.name("options")
		w.chance = "1/" + name
		w.add("metafeature", "%s = { column = %q, range = [%s, %s] }", name, c.Name, number(low), number(high))
		w.because("column %s is a number of options: chance is 1 in as many", c.Name)
	default:
		return fmt.Errorf("chance = %s: its values lie between %g and %g, neither probabilities nor numbers of options", c.Name, low, high)
	}
	return nil
}

// chanceOfFormats writes a chance rate for each answer format: 1 in the number that its name has.
func (w *sketcher) chanceOfFormats(c record.Column) error {
	levels := levelsOf(c)
	if len(levels) > 20 || slices.Contains(c.Missing, true) {
		return fmt.Errorf("chance = %s: want a column without gaps and with at most 20 answer formats, and it has %d", c.Name, len(levels))
	}
	name := w.name(c.Name)
	var terms, said []string
	for _, level := range levels {
		k := w.name("chance " + level)
		digits := strings.TrimFunc(level, func(r rune) bool { return !unicode.IsDigit(r) })
		x := 0.0
		if n, err := strconv.Atoi(digits); err == nil && n > 1 {
			x = 1 / float64(n)
		}
		w.add("constant", "%s = %s", k, number(x))
		terms, said = append(terms, fmt.Sprintf("(%s == %q)*%s", name, level, k)), append(said, fmt.Sprintf("%s %.3g", level, x))
	}
	w.add("metafeature", "%s = { column = %q, levels = [%s] }", name, c.Name, quoted(levels))
	w.chance = w.name("chance")
	w.add("performance", "%s = %s", w.chance, strconv.Quote(strings.Join(terms, " + ")))
	w.because("chance by column %s: %s; edit [constant] where that is wrong", c.Name, strings.Join(said, ", "))
	return nil
}
