package irt

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"achilles/infer/mml"
	judging "achilles/infer/table"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// An input is what a table says, in numbers.
type input struct {
	measure  string
	data     mml.Data
	items    []int // of the data: those that are analysed
	constant []int // those whose responses are all the same
	levels   [][]float64
	counts   []margin    // by item of the data
	mean     [][]float64 // subject × analysed item: mean of the responses, NaN where there is none
	rest     []correlation
	loads    [][]bool
	names    []string // of abilities
	groups   []string
	subjects float64 // with a response
	notes    []Warning
}

func (in *input) note(kind, format string, args ...any) {
	in.notes = append(in.notes, Warning{kind, fmt.Sprintf(format, args...)})
}

type margin struct{ subjects, n, sum float64 }

// A repeat is a further response of a subject to an item, or so many alike.
type repeat struct {
	subject, item int32
	value         float64
	times         int32
}

// A correlation of an item with the mean of the others.
type correlation struct{ r, n float64 }

// without returns the data as of one population.
func (in *input) without() *mml.Data {
	d := in.data
	d.Group = nil
	return &d
}

// estimate fits the model to all as one population: to repeated responses first as if they were alike throughout, then as alike as they
// are found to be.
func (in *input) estimate(s mml.Settings) (f *mml.Fit, alike mml.Likeness, err error) {
	if len(in.data.Again) > 0 {
		in.data.Alike = 1
		for range 2 {
			if f, err = mml.Estimate(in.without(), s); err != nil {
				return nil, alike, err
			}
			alike, in.data.Alike = f.Likeness(), 0
			if alike.There() {
				in.data.Alike = alike.Correlation
			}
		}
	}
	f, err = mml.Estimate(in.without(), s)
	return f, alike, err
}

func read(d *record.Dataset, s *Settings) (*input, error) {
	m, err := judging.Measure(d, s.Measure)
	if err != nil {
		return nil, err
	}
	in := &input{measure: d.Manifest.Measures[m].Name}
	weight, err := in.weights(d, s.Count)
	if err != nil {
		return nil, err
	}
	value := make([][]float64, len(d.Subjects))
	for n := range value {
		value[n] = make([]float64, d.Items.Len())
		for i := range value[n] {
			value[n][i] = math.NaN()
		}
	}
	var again []repeat
	first := rng.Stream(s.Seed, "trials")
	for _, r := range d.Responses.All() {
		if r.Measure != m || r.Phase != record.Test || r.Unscored != 0 {
			continue
		}
		at := &value[r.Subject][r.Item]
		if r.Trials == 0 {
			again = with(again, at, repeat{r.Subject, r.Item, r.Value, 1})
			continue
		}
		// the trials of a count are responses one by one, in an order by chance: tests of fit take the first
		passed, failed := int32(r.Value), r.Trials-int32(r.Value)
		if math.IsNaN(*at) {
			if *at = 0; first.Bernoulli(r.Value / float64(r.Trials)) {
				*at = 1
				passed--
			} else {
				failed--
			}
		}
		again = with(with(again, at, repeat{r.Subject, r.Item, 0, failed}), at, repeat{r.Subject, r.Item, 1, passed})
	}
	if err := in.categories(d, value, again, weight); err != nil {
		return nil, err
	}
	in.data.Weight = weight
	for n, row := range in.data.Responses {
		if slices.ContainsFunc(row, func(y int8) bool { return y >= 0 }) {
			w := 1.0
			if weight != nil {
				w = weight[n]
			}
			in.subjects += w
		}
	}
	in.correlate()
	if err := in.load(d, s.Abilities); err != nil {
		return nil, err
	}
	return in, in.group(d, s.By)
}

// with adds a response: as that of a subject to an item, where there is none yet, else as a further one.
func with(again []repeat, at *float64, r repeat) []repeat {
	switch {
	case r.times == 0:
	case math.IsNaN(*at):
		*at = r.value
	default:
		again = append(again, r)
	}
	return again
}

// manyValues reports whether responses have more values in all than an item can have categories.
func manyValues(value [][]float64) bool {
	known := map[float64]bool{}
	for _, row := range value {
		for _, v := range row {
			if !math.IsNaN(v) {
				known[v] = true
			}
			if len(known) > mostLevels {
				return true
			}
		}
	}
	return false
}

// categories numbers the values of each item from 0, in their order. Items with one value are left out.
func (in *input) categories(d *record.Dataset, value [][]float64, again []repeat, weight []float64) error {
	in.counts = make([]margin, d.Items.Len())
	in.data.Responses, in.mean = make([][]int8, len(value)), make([][]float64, len(value))
	slices.SortStableFunc(again, func(a, b repeat) int { return cmp.Compare(a.item, b.item) })
	at, many := 0, manyValues(value)
	for i := range d.Items.Len() {
		var levels []float64
		refused := func(n int, v float64) error {
			return fmt.Errorf("subject %s, item %s: %g is not a category: irt needs 0 and 1, or up to %d ordered whole numbers%s; achilles infer fits degrees of success and other measures with a layout", d.Subjects[n], d.Items.ID[i], v, mostLevels, steps(value))
		}
		take := func(n int, v, w float64) error {
			if weight != nil {
				w *= weight[n]
			}
			if math.IsNaN(v) || w == 0 {
				return nil
			}
			in.counts[i].n += w
			in.counts[i].sum += float64(w * v)
			if k, ok := slices.BinarySearch(levels, v); !ok {
				levels = slices.Insert(levels, k, v)
			}
			if len(levels) > mostLevels || v != math.Trunc(v) {
				return refused(n, v)
			}
			return nil
		}
		last := 0 // subject
		for n := range value {
			if err := take(n, value[n][i], 1); err != nil {
				return err
			}
			if !math.IsNaN(value[n][i]) {
				last = n
			}
		}
		if many && len(levels) > 2 && float64(2*len(levels)) > in.counts[i].n {
			return refused(last, value[last][i]) // a measure, such as a time, of few subjects: hardly a value occurs twice
		}
		in.counts[i].subjects = in.counts[i].n
		from := at
		for ; at < len(again) && int(again[at].item) == i; at++ {
			if err := take(int(again[at].subject), again[at].value, float64(again[at].times)); err != nil {
				return err
			}
		}
		switch {
		case len(levels) < 2:
			if in.counts[i].n > 0 {
				in.constant = append(in.constant, i)
			}
			continue
		case levels[len(levels)-1]-levels[0] > float64(len(levels)-1):
			in.note(AbsentCategories, "Item %s: some categories between %g and %g do not occur: those that do are numbered in order.", d.Items.ID[i], levels[0], levels[len(levels)-1])
		}
		in.items = append(in.items, i)
		in.levels = append(in.levels, levels)
		in.data.Categories = append(in.data.Categories, len(levels))
		for n := range value {
			y := int8(-1)
			if v := value[n][i]; !math.IsNaN(v) {
				if k, ok := slices.BinarySearch(levels, v); ok {
					y = int8(k)
				}
			}
			in.data.Responses[n] = append(in.data.Responses[n], y)
			in.mean[n] = append(in.mean[n], value[n][i])
		}
		in.add(again[from:at], levels)
	}
	if len(in.items) >= 2 {
		return nil
	}
	if took := in.mostTaken(); took < 2 {
		return errors.New("no item has responses of two subjects: irt compares subjects. For the success rate of one, use achilles infer --layout constant")
	}
	return fmt.Errorf("%s with different responses, of %d with any: irt needs two: an item that everybody passes or fails says nothing about subjects", num.Counted(len(in.items), "item"), len(in.items)+len(in.constant))
}

// add adds the further responses to the last item, whose categories have these values.
func (in *input) add(again []repeat, levels []float64) {
	last := len(in.items) - 1
	times := map[int32]float64{}
	for _, r := range again {
		if k, ok := slices.BinarySearch(levels, r.value); ok && in.data.Responses[r.subject][last] >= 0 {
			in.data.Again = append(in.data.Again, mml.Again{Subject: r.subject, Item: int32(last), Category: int8(k), Times: r.times})
			times[r.subject] += float64(r.times)
			m := &in.mean[r.subject][last]
			*m += (r.value - *m) * float64(r.times) / (times[r.subject] + 1)
		}
	}
}

// mostTaken returns the largest number of subjects who took an item.
func (in *input) mostTaken() (n float64) {
	for _, c := range in.counts {
		n = max(n, c.subjects)
	}
	return n
}

// correlate fills the correlations of items with the mean of the others.
func (in *input) correlate() {
	mean := make([]float64, len(in.items))
	for k, i := range in.items {
		mean[k] = in.counts[i].sum / in.counts[i].n
	}
	in.rest = make([]correlation, len(in.items))
	type sums struct{ n, x, xx, y, yy, xy float64 }
	by := make([]sums, len(in.items))
	for s, row := range in.data.Responses {
		w, total, n := 1.0, 0.0, 0.0
		if in.data.Weight != nil {
			w = in.data.Weight[s]
		}
		for k, y := range row {
			if y >= 0 {
				total, n = total+in.mean[s][k]-mean[k], n+1
			}
		}
		for k, y := range row {
			if y < 0 || n < 2 {
				continue
			}
			v := in.mean[s][k] - mean[k]
			x := (total - v) / (n - 1)
			b := &by[k]
			b.n, b.x, b.xx, b.y, b.yy, b.xy = b.n+w, b.x+float64(w*x), b.xx+float64(w*x*x), b.y+float64(w*v), b.yy+float64(w*v*v), b.xy+float64(w*x*v)
		}
	}
	for k, b := range by {
		vx, vy := b.xx-float64(b.x*b.x)/b.n, b.yy-float64(b.y*b.y)/b.n
		if in.rest[k] = (correlation{math.NaN(), b.n}); vx > 1e-12 && vy > 1e-12 {
			in.rest[k].r = (b.xy - float64(b.x*b.y)/b.n) / math.Sqrt(float64(vx*vy))
		}
	}
}

// load reads which ability each item measures.
func (in *input) load(d *record.Dataset, name string) error {
	if name == "" {
		return nil
	}
	c, ok := d.Items.Column(name)
	if !ok {
		return fmt.Errorf("--abilities %s: items have no such column", name)
	}
	label := func(i int) string {
		if c.Missing != nil && c.Missing[i] {
			return ""
		}
		if c.Kind == record.Text {
			return c.Text[i]
		}
		return strconv.FormatFloat(c.Number[i], 'g', -1, 64)
	}
	for _, i := range in.items {
		l := label(i)
		if l == "" {
			return fmt.Errorf("--abilities %s: item %s has no value there", name, d.Items.ID[i])
		}
		if !slices.Contains(in.names, l) {
			in.names = append(in.names, l)
		}
	}
	slices.Sort(in.names)
	if n := len(in.names); n < 2 || n > 3 {
		return fmt.Errorf("--abilities %s: %d different values: want two or three, one for each ability; of more scales, analyse one at a time, the items of the others in --leave-out", name, n)
	}
	for _, i := range in.items {
		row := make([]bool, len(in.names))
		row[slices.Index(in.names, label(i))] = true
		in.loads = append(in.loads, row)
	}
	return nil
}

// group reads the groups of subjects. Those without a value are left out, and numbers of many values are parted at their median.
func (in *input) group(d *record.Dataset, name string) error {
	if name == "" {
		return nil
	}
	c, err := covariate(d, "by", name)
	if err != nil {
		return err
	}
	if in.loads != nil {
		return errors.New("--by and --abilities: groups are compared on one ability alone")
	}
	there := func(n int) bool { return c.Missing == nil || !c.Missing[n] }
	label := make([]string, len(d.Subjects))
	if c.Kind == record.Text {
		copy(label, c.Text)
	} else {
		var values []float64
		for n, v := range c.Number {
			if there(n) {
				values = append(values, v)
			}
		}
		slices.Sort(values)
		if different := len(slices.Compact(slices.Clone(values))); different > mostGroups {
			median := num.SortedQuantile(values, 0.5)
			in.note(MedianSplit, "%s has %d different values: subjects are compared up to its median, %g, and above it.", name, different, median)
			for n, v := range c.Number {
				label[n] = fmt.Sprintf("≤ %g", median)
				if v > median {
					label[n] = fmt.Sprintf("> %g", median)
				}
			}
		} else {
			for n, v := range c.Number {
				label[n] = strconv.FormatFloat(v, 'g', -1, 64)
			}
		}
	}
	out := 0
	size := map[string]float64{}
	for n := range label {
		if !there(n) {
			out++
			continue
		}
		w := 1.0
		if in.data.Weight != nil {
			w = in.data.Weight[n]
		}
		if size[label[n]] == 0 {
			in.groups = append(in.groups, label[n])
		}
		size[label[n]] += w
	}
	// the largest group first: with it the others are compared
	slices.Sort(in.groups)
	in.groups = slices.Compact(in.groups)
	slices.SortStableFunc(in.groups, func(a, b string) int { return int(size[b] - size[a]) })
	if n := len(in.groups); n < 2 || n > mostGroups {
		return fmt.Errorf("--by %s: %d different values: want two to %d groups", name, n, mostGroups)
	}
	if least := size[in.groups[len(in.groups)-1]]; least < 50 {
		in.note(SmallGroup, "Group %s has %s: differences between groups are poorly estimated.", in.groups[len(in.groups)-1], num.Counted(int(least), "subject"))
	}
	in.data.Group = make([]int, len(label))
	for n := range label {
		if there(n) {
			in.data.Group[n] = slices.Index(in.groups, label[n])
			continue
		}
		for i := range in.data.Responses[n] {
			in.data.Responses[n][i] = -1
		}
		in.data.Again = slices.DeleteFunc(in.data.Again, func(x mml.Again) bool { return int(x.Subject) == n })
	}
	if out > 0 {
		in.note(NoGroup, "%s without a value of %s: left out.", num.Counted(out, "subject"), name)
	}
	return nil
}
