package layout

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"achilles/sim/num"
	"achilles/sim/record"
)

// write writes the lines of all sections.
func (w *sketcher) write() {
	switch {
	case len(w.demands) > 0:
		w.writeDemands()
	case w.measure.Family == record.Choice:
		w.writeCategories()
	default:
		w.writeItems()
	}
}

// text returns the file.
func (w *sketcher) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "name = %q\n", w.title())
	fmt.Fprintf(&b, "doc = %q\n", "Written by achilles layouts new from the columns of the data.")
	if w.Pool == Softmin && !w.vectors() {
		fmt.Fprintf(&b, "temperature = %s\n", number(softness))
	}
	for i, r := range w.reasons {
		b.WriteString(strings.Repeat("\n", max(0, 1-i)) + "# " + r + "\n")
	}
	for _, section := range []string{"constant", "metafeature", "covariate", "capability", "robustness", "item", "shared", "performance", "response." + w.Measure} {
		if len(w.lines[section]) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n[%s]\n", section)
		for _, line := range w.lines[section] {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

func (w *sketcher) title() string {
	title := w.Model
	if len(w.demands) > 0 {
		title = w.Pool
	}
	if len(w.covariates) > 0 {
		title += "-growth"
	}
	return title
}

// vectors reports whether the demands are written as one vector: many, with one range.
func (w *sketcher) vectors() bool {
	first := w.demands[0]
	return len(w.demands) > mostNamed && !slices.ContainsFunc(w.demands, func(d demandColumn) bool { return d.low != first.low || d.high != first.high || d.log })
}

// usualLevels is the number of levels of a demand over which the probability that it is met goes from nearly 0 to nearly 1.
const usualLevels = 5

// writeDemands writes an ability for each demand and the pool of the demands.
func (w *sketcher) writeDemands() {
	lapse := "lapse"
	w.add("robustness", `%s = { prior = "beta(1, 9)", doc = "proportion of responses that are chance" }`, lapse)
	var met string
	if w.vectors() {
		met = w.writeVector()
	} else {
		met = w.writeEach()
	}
	if w.chance != "0" {
		met = fmt.Sprintf("mix(%s, %s, 1)", met, w.chance)
	}
	w.writeMeasure(fmt.Sprintf("mix(%s, %s, %s)", lapse, met, w.chance))
}

// margin returns the difference of an ability and a demand, in units of which five are the demand's range.
func margin(ability, demand string, low, high float64) string {
	m := ability + " - " + demand
	if k := rounded(usualLevels / (high - low)); k != 1 {
		m = fmt.Sprintf("%s*(%s)", number(k), m)
	}
	return m
}

// softness is the temperature of soft minima of margins.
const softness = 0.5

// offset returns what a smooth minimum of all margins is above minus the temperature times the logarithm of their sum of e^(−x/temperature),
// so that the difference is no larger than the smallest margin, however many others are far above it.
func (w *sketcher) offset() string {
	return number(rounded(softness * math.Log(float64(len(w.demands)))))
}

// writeVector writes the demands as one vector, and returns the name of the performance.
func (w *sketcher) writeVector() string {
	d := w.demands[0]
	var columns []string
	for _, d := range w.demands {
		columns = append(columns, d.column)
	}
	missing := ""
	if slices.ContainsFunc(w.demands, func(d demandColumn) bool { return d.missing > 0 }) {
		missing = ", missing = " + number(d.low)
	}
	w.add("metafeature", "demand = { columns = [%s], range = [%s, %s]%s }", quoted(columns), number(d.low), number(d.high), missing)
	w.writeAbility("ability", d.low, d.high, `, size = "demand"`, `, unit = "level", doc = "level of a demand that is met half of the time"`)
	m := margin("ability", "demand", d.low, d.high)
	active, logit := "1", fmt.Sprintf("logistic(%s)", m)
	if w.whole {
		active, logit = "demand > 0", fmt.Sprintf("present(logistic(%s), demand > 0)", m)
	}
	switch w.Pool {
	case Product:
		w.add("performance", `met = "prod(%s)"`, logit)
	case Softmin:
		if w.whole { // a demand that is not asked for has a margin that is never the worst
			m += fmt.Sprintf(" + %d*(demand == 0)", 4*usualLevels)
		}
		w.add("performance", `met = "logistic(softmin(%s, %s) - %s)"`, m, number(softness), w.offset())
	case Geometric:
		count := strconv.Itoa(len(w.demands))
		if w.whole {
			count = "max(sum(demand > 0), 1)"
		}
		w.add("performance", `met = "pow(prod(%s), 1/%s)"`, logit, count)
	case Additive:
		if w.whole {
			w.add("performance", `met = "present(logistic(sum((%s)*(%s))/max(sum(%s), 1)), sum(%s) > 0)"`, active, m, active, active)
		} else {
			w.add("performance", `met = "logistic(sum(%s)/%d)"`, m, len(w.demands))
		}
	}
	return "met"
}

// writeAbility writes a capability, whose mean depends on the covariates if there are any.
func (w *sketcher) writeAbility(name string, low, high float64, size, rest string) {
	mean, sd := number(rounded((low+high)/2)), number(rounded(0.6*(high-low)))
	if len(w.covariates) == 0 {
		w.add("capability", `%s = { prior = "normal(%s, %s)"%s%s }`, name, mean, sd, size, rest)
		return
	}
	suffix := ""
	if name != "ability" {
		suffix = " " + name
	}
	level, spread := w.nameOr("level", suffix), w.nameOr("spread", suffix)
	w.add("shared", `%s = { prior = "normal(%s, %s)"%s, doc = "mean ability" }`, level, mean, sd, size)
	w.add("shared", `%s = { prior = "halfnormal(%s)"%s, doc = "standard deviation of abilities, other things equal" }`, spread, number(rounded((high-low)/2)), size)
	w.add("capability", `%s = { prior = %q%s%s }`, name, fmt.Sprintf("normal(%s%s, %s)", level, w.regression(suffix, number(rounded((high-low)/4)), size), spread), size, rest)
}

// nameOr returns the reserved name itself, or one for a demand of its own.
func (w *sketcher) nameOr(name, suffix string) string {
	if suffix == "" {
		return name
	}
	return w.name(name + suffix)
}

// regression returns the terms of the covariates in the mean of an ability, and writes their slopes.
func (w *sketcher) regression(suffix, sd, size string) string {
	out := ""
	for _, c := range w.covariates {
		if !strings.Contains(strings.Join(w.lines["covariate"], "\n"), c.name+" = ") {
			if c.levels != nil {
				w.add("covariate", "%s = { column = %q, levels = [%s] }", c.name, c.column, quoted(c.levels))
			} else {
				w.add("covariate", "%s = { column = %q, range = [%s, %s] }", c.name, c.column, number(c.low), number(c.high))
			}
		}
		if c.levels == nil {
			slope := w.name("per " + c.name + suffix)
			w.add("shared", `%s = { prior = "normal(0, %s)"%s, doc = "difference in ability for a standard deviation (%s) of %s" }`, slope, sd, size, number(c.sd), c.column)
			out += fmt.Sprintf(" + %s*(%s - %s)/%s", slope, c.name, number(c.mean), number(c.sd))
			continue
		}
		for _, level := range c.levels[1:] {
			k := w.name("of " + c.name + " " + level + suffix)
			w.add("shared", `%s = { prior = "normal(0, %s)"%s, doc = "difference in ability to %s %s" }`, k, sd, size, c.column, strings.ReplaceAll(c.levels[0], `"`, "'"))
			out += fmt.Sprintf(" + %s*(%s == %q)", k, c.name, level)
		}
	}
	return out
}

// writeEach writes a line for each demand, and returns the pool of them.
func (w *sketcher) writeEach() string {
	var margins, factors, active []string
	for _, d := range w.demands {
		missing := ""
		if d.missing > 0 {
			missing = ", missing = " + number(d.low)
		}
		w.add("metafeature", "%s = { column = %q, range = [%s, %s]%s }", d.name, d.column, number(d.low), number(d.high), missing)
		low, high := d.scaled(d.low), d.scaled(d.high)
		ability := w.name("ability " + d.name)
		w.writeAbility(ability, low, high, "", fmt.Sprintf(", unit = %q, doc = \"demand that is met half of the time\"", d.unit()))
		m := margin(ability, d.term(), low, high)
		if len(w.demands) == 1 && len(w.covariates) == 0 {
			m = w.steep(ability, d, low, high)
		}
		factor := fmt.Sprintf("logistic(%s)", m)
		if w.whole {
			factor = fmt.Sprintf("present(%s, %s > 0)", factor, d.name)
		}
		if w.Pool == Product || w.Pool == Geometric {
			f := w.name("met " + d.name)
			w.add("performance", "%s = %q", f, factor)
			factors = append(factors, f)
		}
		if w.Pool == Softmin && w.whole {
			m += fmt.Sprintf(" + %d*(%s == 0)", 4*usualLevels, d.name)
		}
		margins, active = append(margins, m), append(active, fmt.Sprintf("(%s > 0)", d.name))
	}
	count := strconv.Itoa(len(w.demands))
	if w.whole {
		count = "max(" + strings.Join(active, " + ") + ", 1)"
	}
	switch w.Pool {
	case Softmin:
		return fmt.Sprintf("logistic(min(%s) - %s)", strings.Join(margins, ", "), w.offset())
	case Geometric:
		return fmt.Sprintf("pow(%s, 1/%s)", strings.Join(factors, "*"), count)
	case Additive:
		for i := range margins {
			if w.whole {
				margins[i] = fmt.Sprintf("%s*(%s)", active[i], margins[i])
			}
		}
		return fmt.Sprintf("logistic((%s)/%s)", strings.Join(margins, " + "), count)
	}
	return strings.Join(factors, "*")
}

// writeItems writes one ability against the difficulty of each item.
func (w *sketcher) writeItems() {
	real := w.measure.Family == record.Real
	unit := map[bool]string{true: w.measure.Name, false: "log odds"}[real]
	scale := 1.0
	if real {
		_, variance := num.Moments(w.values)
		scale = max(rounded(math.Sqrt(variance)), 1e-6)
	}
	s := func(x float64) string { return number(rounded(x * scale)) }
	free := w.Model == "2pl" || w.Model == "2pl-signed"
	switch {
	case len(w.covariates) > 0:
		w.add("shared", `spread = { prior = "halfnormal(%s)", doc = "standard deviation of abilities, other things equal" }`, s(2))
		w.add("capability", `ability = { prior = %q, unit = %q }`, "normal("+strings.TrimPrefix(w.regression("", s(1), ""), " + ")+", spread)", unit)
	case free:
		w.add("capability", `ability = { prior = "normal(0, 1)", unit = "sd of abilities" }`)
	default:
		w.add("shared", `spread = { prior = "halfnormal(%s)", doc = "standard deviation of abilities" }`, s(2))
		w.add("capability", `ability = { prior = "normal(0, spread)", unit = %q }`, unit)
	}
	mean := 0.0
	if real {
		mean = num.Mean(w.values)
	}
	x := "ability - difficulty"
	switch w.Model {
	case "2pl":
		w.add("item", `difficulty = { prior = "normal(mu, sigma)", unit = "sd of abilities" }`)
		w.add("item", `discrimination = { prior = "lognormal(0, slopes)", unit = "log odds per sd of abilities" }`)
		w.add("shared", `slopes = { prior = "halfnormal(1)", doc = "standard deviation of log discriminations" }`)
		x = "discrimination*(ability - difficulty)"
	case "2pl-signed":
		w.add("item", `easiness = { prior = "normal(mu, sigma)", unit = "log odds" }`)
		w.add("item", `slope = { prior = "normal(level, slopes)", unit = "log odds per sd of abilities" }`)
		w.add("shared", `level = { prior = "halfnormal(2)", doc = "mean slope: positive, which fixes the sign of abilities" }`)
		w.add("shared", `slopes = { prior = "halfnormal(1)", doc = "standard deviation of slopes" }`)
		x = "slope*ability + easiness"
	default:
		w.add("item", `difficulty = { prior = "normal(mu, sigma)", unit = %q }`, unit)
	}
	w.add("shared", `mu = { prior = "normal(%s, %s)", doc = "mean over items" }`, number(0-rounded(mean)), s(2))
	w.add("shared", `sigma = { prior = "halfnormal(%s)", doc = "standard deviation over items" }`, s(2))
	switch {
	case real:
		w.writeMeasure(x)
	case w.chance != "0":
		w.writeMeasure(fmt.Sprintf("mix(%s, logistic(%s), 1)", w.chance, x))
	default:
		w.writeMeasure(fmt.Sprintf("logistic(%s)", x))
	}
}

// writeMeasure writes the response by an expression of its probability, or of its mean.
func (w *sketcher) writeMeasure(p string) {
	section := "response." + w.Measure
	switch w.measure.Family {
	case record.Binary:
		w.add(section, "p = %q", p)
	case record.Count:
		w.add(section, "family = \"binomial\"    # of as many trials as each response says")
		w.add(section, "p = %q", p)
	case record.Unit:
		w.add("shared", `precision = { prior = "lognormal(1, 1)", doc = "of scores other than 0 and 1" }`)
		w.add("shared", `inflation = { prior = "beta(1, 1)", doc = "proportion of scores that are 0 or 1" }`)
		w.add("performance", "expected = %q", p)
		w.add(section, "family = \"zero_one_inflated_beta\"")
		w.add(section, `mean = "expected"`)
		w.add(section, `precision = "precision"`)
		w.add(section, `inflation = "inflation"`)
		w.add(section, `ones = "expected"`)
	case record.Real:
		_, variance := num.Moments(w.values)
		w.add("shared", `noise = { prior = "halfnormal(%s)", doc = "standard deviation of a response around its mean" }`, number(rounded(max(math.Sqrt(variance), 1e-6))))
		w.add(section, "family = \"normal\"")
		w.add(section, "mean = %q", p)
		w.add(section, `sd = "noise"`)
	}
}

// writeCategories writes a model of ordered categories.
func (w *sketcher) writeCategories() {
	free := w.Model != "pcm"
	unit := map[bool]string{true: "sd of abilities", false: "log odds"}[free]
	switch {
	case len(w.covariates) > 0:
		w.add("shared", `spread = { prior = "halfnormal(2)", doc = "standard deviation of abilities, other things equal" }`)
		w.add("capability", `ability = { prior = %q, unit = %q }`, "normal("+strings.TrimPrefix(w.regression("", "1", ""), " + ")+", spread)", unit)
	case free:
		w.add("capability", `ability = { prior = "normal(0, 1)", unit = %q }`, unit)
	default:
		w.add("shared", `spread = { prior = "halfnormal(2)", doc = "standard deviation of abilities" }`)
		w.add("capability", `ability = { prior = "normal(0, spread)", unit = %q }`, unit)
	}
	if free {
		w.add("item", `discrimination = { prior = "lognormal(0, slopes)", unit = "log odds per sd of abilities" }`)
		w.add("shared", `slopes = { prior = "halfnormal(1)", doc = "standard deviation of log discriminations" }`)
	}
	w.add("shared", `mu = { prior = "normal(0, 2)", doc = "mean over items" }`)
	w.add("shared", `sigma = { prior = "halfnormal(2)", doc = "standard deviation over items" }`)
	var utility []string
	if w.Model == "grm" {
		utility = w.writeGraded(unit)
	} else {
		sum := ""
		utility = append(utility, "0")
		for k := 1; k < w.categories; k++ {
			w.add("item", `step%d = { prior = "normal(mu, sigma)", unit = %q }`, k, unit)
			sum += fmt.Sprintf(" - step%d", k)
			u := fmt.Sprintf("%d*ability%s", k, sum)
			if free {
				u = "discrimination*(" + u + ")"
			}
			utility = append(utility, u)
		}
	}
	section := "response." + w.Measure
	w.add(section, `family = "choice"`)
	w.add(section, "utility = [\n  %s,\n]", strings.ReplaceAll(quoted(utility), `", "`, "\",\n  \""))
}

// writeGraded writes the thresholds of the graded response model, and returns the logarithms of the categories' probabilities.
func (w *sketcher) writeGraded(unit string) (utility []string) {
	w.add("item", `threshold = { prior = "normal(mu, sigma)", unit = %q, doc = "of category 1" }`, unit)
	w.add("performance", `margin1 = "discrimination*(ability - threshold)"`)
	utility = append(utility, "log(logistic(-margin1))")
	for k := 2; k < w.categories; k++ {
		w.add("item", `gap%d = { prior = "lognormal(0, 1)", unit = %q, doc = "from the threshold of category %d to that of category %d" }`, k, unit, k-1, k)
		w.add("performance", `margin%d = "margin%d - discrimination*gap%d"`, k, k-1, k)
		utility = append(utility, fmt.Sprintf("log(logistic(margin%d)) + log(logistic(-margin%d)) + log(1 - exp(-discrimination*gap%d))", k-1, k, k))
	}
	return append(utility, fmt.Sprintf("log(logistic(margin%d))", w.categories-1))
}
