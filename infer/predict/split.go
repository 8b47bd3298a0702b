package predict

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"achilles/infer/table"
	"achilles/sim/rng"
)

// A Split has the rows of a table for training and the rows for testing, in ascending order. Check has rows by which a
// predictor that is trained step by step may choose when to stop. A row may be in none of the three.
type Split struct {
	Name        string
	Train, Test []int32
	Check       []int32 // nil: there are none
}

// A Unit is the unit that random splits assign to training or testing: a single response, all responses to an item, or
// all responses of a subject. With Both, subjects and items are assigned: training responses are those of training subjects to
// training items, test responses those of test subjects to test items, and the others are in neither part.
type Unit string

// The units of a random split.
const (
	Response Unit = "response"
	Item     Unit = "item"
	Person   Unit = "subject"
	Both     Unit = "both"
)

// Random draws count random splits. In each, the given share of the units, rounded down, is for training, and the other
// units are for testing.
func Random(t *table.Table, unit Unit, count int, share float64, root uint64) []Split {
	units, of := unitsOf(t, unit)
	splits := make([]Split, count)
	for k := range splits {
		name := strconv.Itoa(k + 1)
		r := rng.Stream(root, "split", string(unit), name)
		train := draw(units, share, &r)
		if unit != Both {
			splits[k] = By(t, name, func(i int) (bool, bool) { return train[of(i)], !train[of(i)] })
			continue
		}
		known := draw(len(t.Subjects), share, &r)
		splits[k] = By(t, name, func(i int) (bool, bool) {
			s, j := known[t.Subject[i]], train[of(i)]
			return s && j, !s && !j
		})
	}
	return splits
}

// unitsOf returns the number of units, and the unit of a row: with Both, its item.
func unitsOf(t *table.Table, unit Unit) (units int, of func(row int) int) {
	switch unit {
	case Response:
		return t.Rows(), func(i int) int { return i }
	case Item, Both:
		return len(t.Items), func(i int) int { return int(t.Item[i]) }
	case Person:
		return len(t.Subjects), func(i int) int { return int(t.Subject[i]) }
	}
	panic("predict: unknown unit of a split")
}

// draw marks the given share of n units, rounded down, at random.
func draw(n int, share float64, r *rng.Rand) []bool {
	marked := make([]bool, n)
	for _, u := range r.Perm(n)[:int(share*float64(n))] {
		marked[u] = true
	}
	return marked
}

// By returns the split that part describes: part says whether a row is for training, for testing, or for neither.
func By(t *table.Table, name string, part func(row int) (train, test bool)) Split {
	s := Split{Name: name}
	for i := range t.Rows() {
		train, test := part(i)
		if train {
			s.Train = append(s.Train, int32(i))
		}
		if test {
			s.Test = append(s.Test, int32(i))
		}
	}
	return s
}

// checking is the mark, in a table of splits, of a response by which a predictor chooses when to stop.
const checking = "check"

// ParseSplits reads splits from CSV text. The columns are subject, item, and one for every split, with 1 for training,
// 0 for testing and check for the choice of when to stop. A row of the table without a line is in no part. A split must
// have rows for training and for testing. An error names the file and, for a wrong line, the line.
func ParseSplits(file string, text []byte, t *table.Table) ([]Split, error) {
	r := csv.NewReader(bytes.NewReader(text))
	head, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	subject, item := slices.Index(head, "subject"), slices.Index(head, "item")
	if subject < 0 || item < 0 || len(head) < 3 {
		return nil, fmt.Errorf("%s: line 1: the columns subject and item and at least one split are needed", file)
	}
	for k, name := range head {
		if name == "" || slices.Index(head, name) < k {
			return nil, fmt.Errorf("%s: line 1: column %d has the name %q, which is empty or taken", file, k+1, name)
		}
	}
	p := splitParser{index(t.Subjects), index(t.Items), map[[2]int32][]string{}}
	for {
		line, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err) // a csv.ParseError names its line
		}
		if err := p.add(line, subject, item); err != nil {
			n, _ := r.FieldPos(0)
			return nil, fmt.Errorf("%s: line %d: %w", file, n, err)
		}
	}
	var splits []Split
	for k, name := range head {
		if k == subject || k == item {
			continue
		}
		s := By(t, name, func(i int) (bool, bool) {
			line, ok := p.lines[[2]int32{t.Subject[i], t.Item[i]}]
			return ok && line[k] == "1", ok && line[k] == "0"
		})
		for i := range t.Rows() {
			if line, ok := p.lines[[2]int32{t.Subject[i], t.Item[i]}]; ok && line[k] == checking {
				s.Check = append(s.Check, int32(i))
			}
		}
		if len(s.Train) == 0 || len(s.Test) == 0 {
			return nil, fmt.Errorf("%s: split %q has %d training and %d test responses: both parts need some", file, name, len(s.Train), len(s.Test))
		}
		splits = append(splits, s)
	}
	return splits, nil
}

type splitParser struct {
	subjects, items map[string]int32
	lines           map[[2]int32][]string
}

func index(ids []string) map[string]int32 {
	m := map[string]int32{}
	for i, id := range ids {
		m[id] = int32(i)
	}
	return m
}

func (p *splitParser) add(line []string, subject, item int) error {
	s, ok := p.subjects[line[subject]]
	if !ok {
		return fmt.Errorf("subject %q is not in the data", line[subject])
	}
	j, ok := p.items[line[item]]
	if !ok {
		return fmt.Errorf("item %q is not in the data", line[item])
	}
	if p.lines[[2]int32{s, j}] != nil {
		return fmt.Errorf("subject %q and item %q occur twice", line[subject], line[item])
	}
	for k, v := range line {
		if k != subject && k != item && v != "0" && v != "1" && v != checking {
			return fmt.Errorf("%q is neither 1 (training) nor 0 (test), nor check (to choose when to stop)", v)
		}
	}
	p.lines[[2]int32{s, j}] = line
	return nil
}
