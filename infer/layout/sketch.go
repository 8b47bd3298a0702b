package layout

import (
	"cmp"
	"fmt"
	"go/token"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"achilles/sim/expr"
	"achilles/sim/num"
	"achilles/sim/record"
)

// A Sketch says what layout to write from the columns of data. The zero value chooses by the data.
type Sketch struct {
	Measure string   `setting:"measure,flag" doc:"which measure, where there are several"`
	Pool    string   `setting:"pool,flag" choices:"product, softmin, geometric, additive, none" doc:"how demands are met together: each alone, the worst of them, their geometric mean, or more of one for less of another; none: items have difficulties instead (default: product where items have demands)"`
	Demands []string `setting:"demands,flag" doc:"columns of the items that are demands (default: all numbers with the role of a demand)"`
	Chance  string   `setting:"chance,flag" doc:"probability of a success by chance: a number, or a column of the items with it or with the number of options (default: by names of columns)"`
	Model   string   `setting:"model,flag" choices:"rasch, 2pl, 2pl-signed, pcm, gpcm, grm" doc:"how items differ where they have no demands, or categories are ordered (default: by the number of subjects)"`
}

// The pools of demands.
const (
	Product   = "product"
	Softmin   = "softmin"
	Geometric = "geometric"
	Additive  = "additive"
	NoPool    = "none"
)

// A Sketched is a layout that was written, with the reasons for what is in it, each a sentence.
type Sketched struct {
	Layout  *Layout
	Reasons []string
	Demands int // number of demands that are pooled
}

// enoughSubjects is the number of responses to an item from which its discrimination is inferred by default: with fewer, its prior
// says more of it than they do.
const enoughSubjects = 100

// Write writes a layout for data. It returns an error if a column or measure is unknown, or if there is none to write for.
func (s Sketch) Write(d *record.Dataset) (*Sketched, error) {
	w := &sketcher{Sketch: s, data: d, namer: namer{map[string]bool{}}}
	for _, choose := range []func() error{w.chooseMeasure, w.chooseColumns, w.chooseModel} {
		if err := choose(); err != nil {
			return nil, err
		}
	}
	w.write()
	text := w.text()
	l, err := Parse("sketch", text)
	if err != nil {
		return nil, fmt.Errorf("the layout written from the columns has a fault, which is a bug of this program: %w", err)
	}
	return &Sketched{Layout: l, Reasons: w.reasons, Demands: len(w.demands)}, nil
}

// A sketcher writes one layout.
type sketcher struct {
	Sketch
	page
	namer
	data       *record.Dataset
	measure    record.Measure
	values     []float64 // of the measure, over all scored responses
	categories int       // of a choice
	demands    []demandColumn
	covariates []covariateColumn
	chance     string // expression; "0": none
	whole      bool   // whether 0, of every demand, means that it is not asked for
}

// A page is the lines of a layout that is being written, by section, and the reasons for them.
type page struct {
	lines   map[string][]string
	reasons []string
}

// A namer makes identifiers that are not taken.
type namer struct{ taken map[string]bool }

type demandColumn struct {
	name, column string
	low, high    float64
	log          bool // whether the demand is the logarithm of the column to base 2
	missing      int  // items without a value
}

type covariateColumn struct {
	name, column string
	low, high    float64
	mean, sd     float64
	levels       []string
}

func (p *page) because(format string, args ...any) {
	p.reasons = append(p.reasons, fmt.Sprintf(format, args...))
}

func (p *page) add(section, format string, args ...any) {
	if p.lines == nil {
		p.lines = map[string][]string{}
	}
	line := fmt.Sprintf(format, args...)
	key, rest, _ := strings.Cut(line, " = ")
	if strings.ContainsFunc(key, func(r rune) bool { return r > unicode.MaxASCII }) { // TOML has bare keys in ASCII alone
		line = strconv.Quote(key) + " = " + rest
	}
	p.lines[section] = append(p.lines[section], line)
}

// chooseMeasure finds the measure and looks at its values.
func (w *sketcher) chooseMeasure() error {
	var names []string
	for _, m := range w.data.Manifest.Measures {
		names = append(names, m.Name)
	}
	switch {
	case len(names) == 0:
		return fmt.Errorf("the data have no measure")
	case w.Measure == "" && len(names) > 1 && slices.Contains(names, "success"):
		w.Measure = "success"
	case w.Measure == "" && len(names) > 1:
		return fmt.Errorf("the data have the measures %s: choose one with --measure", strings.Join(names, ", "))
	case w.Measure == "":
		w.Measure = names[0]
	}
	i, ok := w.data.Measure(w.Measure)
	if !ok {
		return fmt.Errorf("the data have no measure %s%s", w.Measure, expr.Hint(w.Measure, names))
	}
	w.measure = w.data.Manifest.Measures[i]
	trials := false
	for _, r := range w.data.Responses.All() {
		if r.Measure == i && r.Unscored == 0 {
			w.values = append(w.values, r.Value)
			trials = trials || r.Trials > 0
		}
	}
	if len(w.values) == 0 {
		return fmt.Errorf("no response to %s has a value", w.Measure)
	}
	switch w.measure.Family {
	case record.Real:
		w.because("responses are treated as normal around a mean, and larger ones as better: convert times to minus their logarithm first, and errors to their negative")
	case record.Count:
		if !trials {
			return fmt.Errorf("%s counts successes, and no response says among how many trials: import with --trials and their number or, of counts without end, with --family real", w.Measure)
		}
	case record.Choice:
		w.categories = int(slices.Max(w.values)) + 1
		if w.categories < 2 || w.categories > mostCategories {
			return fmt.Errorf("%s has categories 0 to %d: a layout is written for 2 to %d", w.Measure, w.categories-1, mostCategories)
		}
	}
	return nil
}

// mostCategories is the largest number of ordered categories for which a layout is written.
const mostCategories = 12

// namesOfChances and others are names under which tables have the chance rate of an item, its number of options, or its answer format.
var (
	namesOfChances = []string{"chance", "guess", "guessing", "chance_rate", "guess_rate"}
	namesOfOptions = []string{"options", "n_options", "num_options", "choices", "n_choices", "num_choices", "alternatives"}
	namesOfFormats = []string{"format", "answer_format", "response_format", "answer_type", "question_type"}
)

// chooseColumns finds the demands, the chance rate and the covariates.
func (w *sketcher) chooseColumns() error {
	for _, m := range w.data.Manifest.Measures {
		w.taken[m.Name] = true
	}
	chance, err := w.chooseChance()
	if err != nil {
		return err
	}
	if w.Pool != NoPool {
		if err := w.chooseDemands(chance); err != nil {
			return err
		}
	}
	for _, c := range w.data.Covariates {
		w.chooseCovariate(c)
	}
	return nil
}

// chooseDemands finds the columns that are demands.
func (w *sketcher) chooseDemands(chance string) error {
	known := namesOf(w.data.Items.Columns, true)
	for _, name := range w.Demands {
		if !slices.Contains(known, name) {
			return fmt.Errorf("demands: the items have no column %s%s", name, expr.Hint(name, known))
		}
	}
	w.whole = true
	levels := true // whether all demands are levels of one scale
	for _, c := range w.data.Items.Columns {
		switch asked := slices.Contains(w.Demands, c.Name); {
		case w.Demands != nil && !asked, w.Demands == nil && c.Role != record.Demand, c.Name == chance:
			continue
		case c.Kind == record.Text && asked:
			return fmt.Errorf("demands: column %s has texts, and demands are numbers", c.Name)
		case c.Kind == record.Text:
			w.because("column %s has texts: left out", c.Name)
			continue
		}
		col, _ := w.data.Items.Column(c.Name)
		low, high, missing := rangeOf(col)
		if !(high > low) {
			w.because("column %s is the same for all items: left out", c.Name)
			continue
		}
		zero := low == 0 && slices.Contains(col.Number, 0)
		w.whole = w.whole && zero
		levels = levels && low >= 0 && high <= mostLevel && !slices.ContainsFunc(col.Number, func(x float64) bool { return x != math.Trunc(x) })
		if c.Range != nil {
			low, high = c.Range[0], c.Range[1]
		}
		w.demands = append(w.demands, demandColumn{column: c.Name, low: low, high: high, missing: missing})
	}
	if len(w.demands) > mostNamed && levels {
		w.oneScale()
	} else {
		for i := range w.demands {
			if col, _ := w.data.Items.Column(w.demands[i].column); w.demands[i].low > 0 && inDoublings(col) {
				w.inLogarithms(&w.demands[i])
			}
		}
	}
	if w.Demands == nil {
		w.distinct()
	}
	for i := range w.demands {
		w.demands[i].name = w.name(w.demands[i].column)
	}
	switch {
	case len(w.demands) == 0 && w.Pool != "":
		return fmt.Errorf("pool = %s: no column of the items is a demand", w.Pool)
	case len(w.demands) > mostParts:
		return fmt.Errorf("the items have %d demands, more than %d: choose some with --demands", len(w.demands), mostParts)
	}
	return nil
}

// mostNamed is the largest number of demands of which each has lines of its own, and mostLevel the largest level of a scale of levels.
const (
	mostNamed = 4
	mostLevel = 10
)

// oneScale gives demands that are levels the range of them all, so that they are one vector. Not every demand has every level.
func (w *sketcher) oneScale() {
	low, high := math.Inf(1), math.Inf(-1)
	for _, d := range w.demands {
		low, high = min(low, d.low), max(high, d.high)
	}
	for i := range w.demands {
		w.demands[i].low, w.demands[i].high = low, high
	}
	w.whole = low == 0
}

func (w *sketcher) chooseCovariate(c record.Column) {
	if c.Kind == record.Text {
		levels := levelsOf(c)
		if len(levels) < 2 || len(levels) > 12 || len(levels)*3 > len(w.data.Subjects) || slices.Contains(c.Missing, true) {
			w.because("covariate %s: left out, with %d values for %d subjects", c.Name, len(levels), len(w.data.Subjects))
			return
		}
		w.covariates = append(w.covariates, covariateColumn{name: w.name(c.Name), column: c.Name, levels: levels})
		w.because("covariate %s (%s): the mean ability differs between them", c.Name, strings.Join(levels, ", "))
		return
	}
	low, high, missing := rangeOf(c)
	if !(high > low) || missing > 0 {
		w.because("covariate %s: left out, as %s", c.Name, map[bool]string{true: num.Counted(missing, "subject") + map[bool]string{true: " has", false: " have"}[missing == 1] + " no value", false: "it is the same for all"}[missing > 0])
		return
	}
	w.because("covariate %s: the mean ability changes in proportion to it", c.Name)
	mean, squares := num.Mean(c.Number), 0.0
	for _, x := range c.Number {
		squares += float64((x - mean) * (x - mean))
	}
	w.covariates = append(w.covariates, covariateColumn{name: w.name(c.Name), column: c.Name, low: low, high: high, mean: rounded(mean), sd: rounded(math.Sqrt(squares / float64(len(c.Number))))})
}

// chooseModel settles pool and model, and says why.
func (w *sketcher) chooseModel() error {
	ordered := w.measure.Family == record.Choice
	each := float64(len(w.values)) / float64(max(w.data.Items.Len(), 1))
	polytomous := slices.Contains([]string{"pcm", "gpcm", "grm"}, w.Model)
	switch {
	case ordered && w.Pool != "" && w.Pool != NoPool:
		return fmt.Errorf("pool = %s: no layout is written for demands and ordered categories together; use --pool none", w.Pool)
	case ordered && w.Model != "" && !polytomous || !ordered && polytomous:
		return fmt.Errorf("model = %s does not fit %s, a %s measure: want one of %s", w.Model, w.Measure, w.measure.Family, map[bool]string{true: "pcm, gpcm, grm", false: "rasch, 2pl, 2pl-signed"}[ordered])
	case ordered:
		if len(w.demands) > 0 {
			w.because("demands are left out: no layout is written for them and ordered categories together")
			w.demands = nil
		}
		w.Pool, w.Model = NoPool, cmp.Or(w.Model, map[bool]string{true: "gpcm", false: "pcm"}[each >= enoughSubjects])
		w.because("%s has %d categories, treated as ordered, 0 the lowest: %s", w.Measure, w.categories, w.Model)
		if least := slices.Min(w.values); least > 0 {
			w.because("no response is in a category below %g: import the table again to number categories from 0", least)
		}
		return nil
	case len(w.demands) > 0 && w.Model != "":
		return fmt.Errorf("model = %s is for items without demands: add --pool none", w.Model)
	case len(w.demands) > 0:
		w.becausePool()
		return nil
	}
	w.Pool = NoPool
	if w.Model == "" {
		w.Model = map[bool]string{true: "2pl", false: "rasch"}[each >= enoughSubjects && w.measure.Family != record.Real]
		w.because("items have no demands, and %.3g responses each: difficulties are inferred%s", each, map[string]string{"2pl": ", and discriminations (100 responses or more)", "rasch": "; discriminations would need 100 responses"}[w.Model])
	}
	return nil
}

func (w *sketcher) becausePool() {
	named := make([]string, 0, 4)
	missing := 0
	for i, d := range w.demands {
		if i < 4 {
			named = append(named, d.column)
		}
		missing += d.missing
	}
	if len(w.demands) > len(named) {
		named = append(named, "…")
	}
	if w.Pool == "" {
		w.Pool = Product
	}
	w.because("%s (%s): an ability for each", num.Counted(len(w.demands), "demand"), strings.Join(named, ", "))
	w.because("%s", map[string]string{
		Product:   "pool product: each demand must be met, and more of one ability does not make up for less of another",
		Softmin:   "pool softmin: the demand that exceeds its ability most decides",
		Geometric: "pool geometric: as product, but the number of demands does not count",
		Additive:  "pool additive: more of one ability makes up for less of another",
	}[w.Pool])
	if w.whole {
		w.because("level 0 means that an item does not ask for it: the ability then has no part in the response")
	}
	if missing > 0 {
		w.because("demands of items without a value (%d) count as the lowest level: edit missing, or give the values", missing)
	}
}

// name returns an identifier for a column that is not taken.
func (n *namer) name(column string) string {
	var b strings.Builder
	upper := false
	for _, r := range column {
		switch {
		case (unicode.IsLetter(r) || unicode.IsDigit(r)) && r < 0x250:
			if b.Len() == 0 && unicode.IsDigit(r) {
				b.WriteString("x")
			}
			if upper && b.Len() > 0 {
				r = unicode.ToUpper(r)
			}
			b.WriteRune(r)
			upper = false
		default:
			upper = true
		}
	}
	base := cmp.Or(b.String(), "x")
	name := base
	for k := 2; !n.free(name); k++ {
		name = base + strconv.Itoa(k)
	}
	n.taken[name] = true
	return name
}

// reserved are names that every layout that is written uses for itself.
var reserved = strings.Fields("ability demand level spread mu sigma difficulty discrimination slope easiness lapse met threshold precision inflation noise margin Inf true false mean")

func (n *namer) free(name string) bool {
	_, function := expr.FunctionNamed(name)
	return !n.taken[name] && !function && vectorFunctions[name] == 0 && !slices.Contains(reserved, name) && token.IsIdentifier(name) && name != "_"
}

// rangeOf returns the least and largest value of a column of numbers, and how many have none.
func rangeOf(c record.Column) (low, high float64, missing int) {
	low, high = math.Inf(1), math.Inf(-1)
	for i, x := range c.Number {
		if c.Missing != nil && c.Missing[i] {
			missing++
			continue
		}
		low, high = min(low, x), max(high, x)
	}
	return low, high, missing
}

// levelsOf returns the distinct texts of a column, sorted.
func levelsOf(c record.Column) []string { return slices.Compact(slices.Sorted(slices.Values(c.Text))) }

func quoted(texts []string) string {
	var out []string
	for _, t := range texts {
		out = append(out, strconv.Quote(t))
	}
	return strings.Join(out, ", ")
}

// rounded returns a number with three significant digits.
func rounded(x float64) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	return y
}
