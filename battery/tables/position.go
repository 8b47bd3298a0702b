package tables

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"achilles/sim/record"
)

// positions has what the rows of a long table say of the place of each response in its subject's sequence.
type positions struct {
	of    []float64 // by number of the row, from 1; NaN: the row has no response
	whole int       // rows whose number is whole and no larger than mostPlaces
	least float64
	n     int
}

// mostPlaces is the largest position that is taken as it is.
const mostPlaces = 1 << 24

// note reads the cell of a row.
func (p *positions) note(row int64, read Reading, cell string) error {
	cell = strings.TrimSpace(cell)
	x, ok := read.number(cell)
	if !ok {
		x, ok = seconds(cell)
	}
	if !ok {
		return fmt.Errorf("position %q is neither a finite number nor a time such as 2026-01-31 14:05:09; it says when the subject took the item", cell)
	}
	for int64(len(p.of)) <= row {
		p.of = append(p.of, math.NaN())
	}
	p.of[row] = x
	if p.n++; p.n == 1 || x < p.least {
		p.least = x
	}
	if x == math.Trunc(x) && x >= 0 && x < mostPlaces {
		p.whole++
	}
	return nil
}

// seconds returns a date with a time, as ISO 8601 and spreadsheets write it, as a number of seconds.
func seconds(cell string) (float64, bool) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04", "2006-01-02 15:04", "2006/01/02 15:04:05"} {
		if t, err := time.Parse(layout, cell); err == nil {
			return float64(t.Unix()) + float64(t.Nanosecond())/1e9, true
		}
	}
	return 0, false
}

// placed sets the positions of responses, if the mapping says where they are. list has those of the answers, sorted by subject. Whole numbers
// are taken as they are, from 1, so that places without a response stay free; other numbers, such as times, are ranked within the subject.
func (b *builder) placed(list []record.Response) error {
	m := &b.m.Responses
	if m.Position == "" {
		return nil
	}
	of := func(i int) float64 { return float64(b.answers[i].place) }
	asIs := false
	switch {
	case m.Position == inOrder && m.Form == wide:
		column := map[string]int{}
		for i, name := range b.src.Header {
			column[name] = i
		}
		of = func(i int) float64 { return float64(column[b.d.Items.ID[b.answers[i].item]]) }
	case m.Position != inOrder:
		of = func(i int) float64 {
			if place := b.answers[i].place; place < int64(len(b.positions.of)) {
				return b.positions.of[place]
			}
			return math.NaN() // a response that absent has filled in
		}
		asIs = b.positions.whole == b.positions.n
	}
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && list[to].Subject == list[from].Subject {
			to++
		}
		var order []int
		for i := from; i < to; i++ {
			if !math.IsNaN(of(i)) {
				order = append(order, i)
			}
		}
		slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(of(i), of(k)) })
		for rank, i := range order {
			if rank > 0 && of(order[rank-1]) == of(i) {
				k := order[rank-1]
				return fmt.Errorf("%s: subject %s has position %g twice in column %s, for items %s and %s: each response needs a place of its own; leave position out if their order is not known",
					b.src.Name, b.d.Subjects[list[i].Subject], of(i), m.Position, b.d.Items.ID[list[k].Item], b.d.Items.ID[list[i].Item])
			}
			list[i].Position = int32(rank + 1)
			if asIs {
				list[i].Position = int32(of(i))
				if b.positions.least == 0 {
					list[i].Position++
				}
			}
		}
		from = to
	}
	return nil
}

// mostPlaced is the largest number of rows that are looked through for positions, if nobody says which column has them.
const mostPlaced = 1 << 22

// isPlace reports whether a column that is called the number of a trial says when each subject took the items, not how often: subjects took each item once, in
// orders of their own.
func isPlace(p *proposer, c *profile) bool {
	return p.form == long && slices.Contains([]string{"trial", "trialnumber", "trialno", "trialnum", "trialid"}, plain(c.name)) && c.gone == 0 &&
		!p.conditions && !slices.Contains(slices.Concat(p.subject, p.item), c.name) &&
		!p.again(slices.Concat(p.subject, p.item)) && p.places(c.name)
}

// places reports whether each row has a number in a column that no other row of its subject has, and they differ between subjects.
func (p *proposer) places(name string) bool {
	if p.rows > mostPlaced {
		return false
	}
	at := p.src.column(name)
	var subject, item []int
	for _, s := range p.subject {
		subject = append(subject, p.src.column(s))
	}
	for _, s := range p.item {
		item = append(item, p.src.column(s))
	}
	seen, of, differ := map[string]bool{}, map[string]string{}, false
	for row, err := range p.src.Each {
		if err != nil {
			return false
		}
		cell := strings.TrimSpace(row.Cells[at])
		x, ok := p.read.number(cell)
		key := joined(row.Cells, subject) + "\x00" + cell
		if !ok || x < 0 || seen[key] {
			return false
		}
		seen[strings.Clone(key)] = true
		id := joined(row.Cells, item)
		if before, ok := of[id]; ok && before != cell {
			differ = true
		} else if !ok {
			of[strings.Clone(id)] = strings.Clone(cell)
		}
	}
	return differ
}
