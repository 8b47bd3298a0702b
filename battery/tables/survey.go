package tables

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
)

// A profile says what the cells of a column are.
type profile struct {
	name   string
	gone   int      // cells that mean no value
	signs  []string // how these are written, at most maxValues
	worded bool     // whether a person's words for no value are among them
	number int      // cells with a number
	comma  int      // of these, with a decimal comma
	triple int      // of these, with three digits after it, which it may separate from thousands
	point  int      // of the numbers, with a decimal point
	word   int      // cells with another text
	shares int      // of these, those with successes of trials, such as 7/10
	broken int      // of the numbers, those that are not whole
	lo, hi float64
	values []string // the distinct cells with a value, at most maxValues, in order of appearance
	many   bool     // whether there are more
	index  bool     // whether the cells are 0, 1, 2 …, as pandas numbers rows

	inStep     bool // whether every number is by step more than the last
	last, step float64
}

// maxValues is how many distinct cells of a column a survey keeps.
const maxValues = 64

// survey reads a table once. It returns what each column has, and the number of rows. words mean that there is no value, beside the usual
// ones; values are what is one although it looks so.
func survey(s *Source, words []string, values ...string) (columns []*profile, rows int, err error) {
	for _, name := range s.Header {
		columns = append(columns, &profile{name: name, lo: math.Inf(1), hi: math.Inf(-1), index: true})
	}
	for row, err := range s.Each {
		if err != nil {
			return nil, 0, err
		}
		for i, cell := range row.Cells {
			switch c := columns[i]; {
			case slices.Contains(words, cell):
				c.worded = true
				c.none(cell)
			case slices.Contains(values, cell):
				c.letter(cell)
			default:
				c.add(strings.TrimSpace(cell), rows)
			}
		}
		rows++
	}
	if rows == 0 {
		return nil, 0, fmt.Errorf("%s: the table has no rows", s.Name)
	}
	return columns, rows, nil
}

func (p *profile) add(cell string, row int) {
	if missing(cell) {
		p.none(cell)
		return
	}
	x, ok := number(cell)
	if !ok && strings.ContainsRune(cell, ',') && isComma(cell) {
		x, _ = number(strings.Replace(cell, ",", ".", 1))
		p.comma++
		if before, after, _ := strings.Cut(bare(cell), ","); len(after) == 3 && strings.Trim(before, "-+ ") != "0" {
			p.triple++
		}
		ok = true
	}
	switch {
	case !ok:
		p.word++
		if _, _, share := ofTrials(cell); share {
			p.shares++
		}
	default:
		p.number++
		if strings.ContainsRune(cell, '.') {
			p.point++
		}
		if x != math.Trunc(x) {
			p.broken++
		}
		p.lo, p.hi = min(p.lo, x), max(p.hi, x)
		p.follow(x)
	}
	p.index = p.index && ok && x == float64(row)
	if !p.many && !slices.Contains(p.values, cell) {
		if p.many = len(p.values) == maxValues; !p.many {
			p.values = append(p.values, strings.Clone(cell))
		}
	}
}

// fewestInSequence is how many rows a column must number to be a sequence: shorter ones occur by chance.
const fewestInSequence = 8

// sequence reports whether a column counts rows, or years: its whole numbers go up or down by one in every row, from 0, from 1 or from a year.
func (p *profile) sequence() bool {
	counts := p.lo == 0 || p.lo == 1 || p.lo >= 1800 && p.lo <= 2100
	return p.inStep && p.number >= fewestInSequence && p.step*p.step == 1 && counts
}

// follow keeps whether numbers follow one another by one step.
func (p *profile) follow(x float64) {
	switch p.number {
	case 1:
		p.inStep = true
	case 2:
		p.step = x - p.last
	default:
		p.inStep = p.inStep && x-p.last == p.step
	}
	p.last = x
}

// letter counts a cell with a text, whatever it looks like.
func (p *profile) letter(cell string) {
	p.word++
	p.index = false
	if !p.many && !slices.Contains(p.values, cell) {
		if p.many = len(p.values) == maxValues; !p.many {
			p.values = append(p.values, strings.Clone(cell))
		}
	}
}

// none counts a cell without a value.
func (p *profile) none(cell string) {
	p.gone++
	p.index = false
	if !slices.Contains(p.signs, cell) && len(p.signs) < maxValues {
		p.signs = append(p.signs, strings.Clone(cell))
	}
}

// there returns the number of cells with a value.
func (p *profile) there() int { return p.number + p.word }

// constant reports whether a column has the same value everywhere.
func (p *profile) constant() bool { return !p.many && len(p.values) <= 1 }

// numeric reports whether every value is a number.
func (p *profile) numeric() bool { return p.number > 0 && p.word == 0 }

// letters reports whether every value is a word or letter for a success or failure.
func (p *profile) letters() bool {
	var b builder
	if p.many || len(p.values) == 0 {
		return false
	}
	for _, v := range p.values {
		if _, ok := b.word(v); !ok {
			return false
		}
	}
	return true
}

// scores reports whether the values can be scores: numbers, or words for a success or failure.
func (p *profile) scores() bool {
	if p.ofTrials() {
		return true
	}
	if p.many || p.word == 0 {
		return p.numeric()
	}
	var b builder
	for _, v := range p.values {
		if _, ok := number(v); ok || isComma(v) {
			continue
		}
		if _, ok := b.word(v); !ok {
			return false
		}
	}
	return len(p.values) > 0
}

// decimal returns the decimal sign of a table's numbers. It returns an error if columns differ.
func decimal(columns []*profile) (string, error) {
	var comma, point *profile
	for _, p := range columns {
		switch {
		case !p.numeric():
		case p.comma > 0 && p.point > 0:
			return "", fmt.Errorf("column %q has decimal commas and decimal points: choose with --decimal", p.name)
		case p.comma > 0 && p.comma == p.triple:
			return "", fmt.Errorf("column %q has numbers such as %q: use --decimal , if that is between one and two, and write thousands without a sign otherwise", p.name, p.values[slices.IndexFunc(p.values, isComma)])
		case p.comma > 0:
			comma = p
		case p.point > 0:
			point = p
		}
	}
	switch {
	case comma != nil && point != nil:
		return "", fmt.Errorf("column %q has decimal commas, and %q decimal points: choose with --decimal", comma.name, point.name)
	case comma != nil:
		return ",", nil
	}
	return ".", nil
}

// plain returns a column's name in small letters, without anything but letters and digits: "Sample ID" and sample_id are the same.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// identifier returns a name for a column that expressions can use.
func identifier(name string, taken map[string]bool) string {
	id := strings.Map(func(r rune) rune {
		if r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '_'
	}, strings.TrimSpace(name))
	if id == "" || unicode.IsDigit([]rune(id)[0]) {
		id = "x" + id
	}
	for base, k := id, 2; taken[id]; k++ {
		id = fmt.Sprint(base, "_", k)
	}
	taken[id] = true
	return id
}
