package tables

import (
	"math"
	"slices"
	"strings"
)

// A summary is a row below or above those of subjects that sums them up, as spreadsheets have it.
type summary struct{ name, is string }

// summaryNames are what people call such rows.
func summaryNames() []string {
	return []string{"total", "totals", "sum", "sums", "mean", "means", "average", "averages", "avg", "overall", "all", "correct", "ncorrect", "percent", "percentage", "percentcorrect", "accuracy", "rate", "n", "count", "sd", "std", "stdev", "stddev", "summe", "gesamt", "mittel", "mittelwert", "durchschnitt", "moyenne", "somme", "promedio", "suma", "media", "totale", "gemiddelde", "totaal", "大計", "合計", "平均"}
}

// A tally sums up the numbers of a column.
type tally struct{ n, sum, square float64 }

func (t *tally) add(x float64) { t.n, t.sum, t.square = t.n+1, t.sum+x, t.square+float64(x*x) }

// A statistic is a way in which rows are summed up.
type statistic struct {
	is  string
	out func(t tally) float64
}

func statistics() []statistic {
	return []statistic{
		{"the sum", func(t tally) float64 { return t.sum }},
		{"the mean", func(t tally) float64 { return t.sum / t.n }},
		{"the mean, in per cent,", func(t tally) float64 { return 100 * t.sum / t.n }},
		{"the number", func(t tally) float64 { return t.n }},
		{"the standard deviation", func(t tally) float64 { return math.Sqrt((t.square - float64(t.sum*t.sum)/t.n) / (t.n - 1)) }},
		{"the standard deviation", func(t tally) float64 { return math.Sqrt((t.square - float64(t.sum*t.sum)/t.n) / t.n) }},
	}
}

// mostNameless is the largest number of rows without a name that may be sums.
const mostNameless = 2

// summaries returns the rows that are called like a sum, or have no name, and are one: whose numbers are, in every column, one statistic of
// the other rows, to the digits that they have. Names stand in the first two columns.
func summaries(s *Source) (out []summary, err error) {
	type candidate struct {
		name  string
		cells []string
	}
	var rows []candidate
	columns, apart := make([]tally, len(s.Header)), make([]tally, len(s.Header)) // of rows with a name, and without
	nameless := 0
	for row, err := range s.Each {
		if err != nil {
			return nil, err
		}
		of := columns
		if isNameless(row.Cells) {
			nameless++
			of = apart
		}
		if name := summaryName(row.Cells); name != "" || nameless > 0 && nameless <= mostNameless && isNameless(row.Cells) {
			if rows = append(rows, candidate{strings.Clone(name), nil}); len(rows) > 2*len(summaryNames()) {
				return nil, nil // a table of sums
			}
			for _, cell := range row.Cells {
				rows[len(rows)-1].cells = append(rows[len(rows)-1].cells, strings.Clone(strings.TrimSpace(cell)))
			}
			if name != "" {
				continue
			}
		}
		for i, cell := range row.Cells {
			if x, _, ok := s.figure(cell); ok {
				of[i].add(x)
			}
		}
	}
	if nameless > mostNameless {
		for i, t := range apart {
			columns[i] = tally{columns[i].n + t.n, columns[i].sum + t.sum, columns[i].square + t.square}
		}
		rows = slices.DeleteFunc(rows, func(c candidate) bool { return c.name == "" })
	}
	for _, c := range rows {
		for _, x := range statistics() {
			if s.holds(c.cells, columns, x.out) {
				out = append(out, summary{c.name, x.is})
				break
			}
		}
	}
	return out, nil
}

// summaryName returns the name of a row that is called like a sum; "": it is not.
func summaryName(cells []string) string {
	for _, cell := range cells[:min(2, len(cells))] {
		if slices.Contains(summaryNames(), plain(cell)) {
			return strings.TrimSpace(cell)
		}
	}
	return ""
}

// isNameless reports whether a row has nothing where names stand, and something behind.
func isNameless(cells []string) bool {
	return len(cells) > 2 && strings.TrimSpace(cells[0]) == "" && !blank(cells[:len(cells)-1])
}

// holds reports whether a row has a statistic of the others in at least two columns, and in no column another number.
func (s *Source) holds(cells []string, columns []tally, of func(t tally) float64) bool {
	found, different := 0, false
	for i, cell := range cells {
		x, digits, ok := s.figure(cell)
		t := columns[i]
		if !ok || t.n < 2 || s.Header[i] == fileColumn {
			continue
		}
		want := of(t)
		within := 1e-9 * math.Abs(want)
		if digits > 0 || math.Abs(want) > 1 { // 1 and 0 are no rounded mean: a subject may be called so
			within += 0.5000001 * math.Pow(10, -float64(digits))
		}
		if math.Abs(x-want) > within {
			return false
		}
		found++
		different = different || t.square*t.n != t.sum*t.sum
	}
	return found > 1 && different
}

// figure returns the number in a cell, 1 and 0 for words of success and failure, and how many decimals it has.
func (s *Source) figure(cell string) (x float64, digits int, ok bool) {
	cell = strings.TrimSuffix(strings.TrimSpace(cell), "%")
	if missing(cell) {
		return 0, 0, false
	}
	if isComma(cell) && s.Read.Decimal != "." {
		cell = strings.Replace(cell, ",", ".", 1)
	}
	if x, ok = number(cell); !ok {
		var b builder
		x, ok = b.word(cell)
		return x, 0, ok
	}
	_, after, _ := strings.Cut(cell, ".")
	return x, len(after), true
}

// without returns the table without the rows that have one of the names and are called like a sum, or have no name.
func (s *Source) without(names []string) *Source {
	if len(names) == 0 {
		return s
	}
	out := *s
	out.Each = func(yield func(Row, error) bool) {
		for row, err := range s.Each {
			if name := ""; err == nil {
				if name = summaryName(row.Cells); (name != "" || isNameless(row.Cells)) && slices.Contains(names, name) {
					continue
				}
			}
			if !yield(row, err) {
				return
			}
		}
	}
	return &out
}
