package record

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// decodeResponses reads the subjects, reasons and responses of d, whose manifest and items must have been read before.
func decodeResponses(in io.ReaderAt, size int64, d *Dataset) (err error) {
	defer RecoverCorrupt(&err)
	t, err := openTable(in, size, d.Manifest.responseFields(), positionColumn, trialsColumn, choiceColumn, placeColumn, latencyColumn, visitedColumn)
	if err != nil {
		return err
	}
	dec := newResponseDecoder(d)
	for _, g := range t.groups() {
		if err := dec.group(t, g); err != nil {
			return err
		}
	}
	dec.packer.end()
	d.Responses = dec.packer.packed
	dec.sortTexts()
	return d.checkResponses()
}

// A responseDecoder turns columns of names into responses, which have indices instead of names.
type responseDecoder struct {
	d                         *Dataset
	packer                    packer
	rows                      int // number of responses of earlier row groups
	measure, reason, visit    map[string]int32
	phase, split              map[string]int32
	subject, measures, phases texts // buffers of one row group
	splits, reasons           texts
	choices, visits           texts
	item                      []int32
	foreign                   string // the first text of item that is no item
	trial, pair, repetition   []int32
	position, trials          []int32
	place, latency            []int32
	value                     []float64
	missing                   []bool
}

func newResponseDecoder(d *Dataset) *responseDecoder {
	dec := &responseDecoder{d: d, phase: number(phases[:]), split: number(splits[:]),
		measure: map[string]int32{}, reason: map[string]int32{}, visit: map[string]int32{}}
	for i, m := range d.Manifest.Measures {
		dec.measure[m.Name] = int32(i)
	}
	d.Subjects, d.Reasons, d.Visits = nil, []string{""}, []string{""}
	return dec
}

func number(names []string) map[string]int32 {
	m := make(map[string]int32, len(names))
	for i, s := range names {
		m[s] = int32(i)
	}
	return m
}

// group appends the responses of one row group.
func (dec *responseDecoder) group(t *tableReader, g parquet.RowGroup) (err error) {
	if err := dec.read(t, g); err != nil {
		return err
	}
	n := len(dec.subject.index)
	for _, l := range []int{len(dec.item), len(dec.position), len(dec.trials), len(dec.trial), len(dec.phases.index), len(dec.pair), len(dec.repetition),
		len(dec.measures.index), len(dec.value), len(dec.splits.index), len(dec.reasons.index),
		len(dec.choices.index), len(dec.place), len(dec.latency), len(dec.visits.index)} {
		if l != n {
			return errors.New("corrupt: columns differ in length")
		}
	}
	names := []struct {
		what  string
		x     *texts
		known map[string]int32
		table []int32
	}{{"phase", &dec.phases, dec.phase, nil}, {"measure", &dec.measures, dec.measure, nil}, {"split", &dec.splits, dec.split, nil}}
	for k := range names {
		names[k].table = translate(names[k].x.value, names[k].known)
	}
	for i := range n {
		row := dec.rows + i + 1
		switch dec.item[i] {
		case -1:
			return fmt.Errorf("row %d: item is null", row)
		case noWhere:
			return fmt.Errorf("row %d: unknown item %q", row, dec.foreign)
		}
		var at [3]int32
		for k, c := range names {
			j := c.x.index[i]
			if j < 0 {
				return fmt.Errorf("row %d: %s is null", row, c.what)
			}
			if at[k] = c.table[j]; at[k] < 0 {
				return fmt.Errorf("row %d: unknown %s %q", row, c.what, c.x.value[j])
			}
		}
		r := Response{Item: dec.item[i], Phase: Phase(at[0]), Measure: uint8(at[1]), Split: Split(at[2]), Pair: dec.pair[i], Position: dec.position[i], Trials: dec.trials[i]}
		if r.Subject, err = dec.subjectOf(i, row); err != nil {
			return err
		}
		if err := dec.numbers(i, row, &r); err != nil {
			return err
		}
		if err := dec.chosen(i, row, &r.Chosen); err != nil {
			return err
		}
		dec.packer.add(r)
	}
	dec.rows += n
	return nil
}

// read decodes the columns of one row group into the buffers.
func (dec *responseDecoder) read(t *tableReader, g parquet.RowGroup) (err error) {
	for _, c := range []struct {
		name string
		x    *texts
	}{{"subject", &dec.subject}, {"phase", &dec.phases}, {"measure", &dec.measures},
		{"split", &dec.splits}, {"unscored", &dec.reasons}} {
		if err := t.text(g, c.name, c.x); err != nil {
			return err
		}
	}
	if dec.item, dec.foreign, err = t.places(g, "item", dec.d.Items.ID, dec.item); err != nil {
		return err
	}
	if dec.trial, err = t.integers(g, "trial", dec.trial[:0]); err != nil {
		return err
	}
	if dec.pair, err = t.integers(g, "pair", dec.pair[:0]); err != nil {
		return err
	}
	if dec.repetition, err = t.integers(g, "repetition", dec.repetition[:0]); err != nil {
		return err
	}
	for _, c := range []struct {
		name string
		x    *[]int32
	}{{positionColumn, &dec.position}, {trialsColumn, &dec.trials}, {placeColumn, &dec.place}, {latencyColumn, &dec.latency}} {
		if !t.has(c.name) {
			*c.x = slices.Grow((*c.x)[:0], len(dec.trial))[:len(dec.trial)]
			clear(*c.x)
		} else if *c.x, err = t.integers(g, c.name, (*c.x)[:0]); err != nil {
			return err
		}
	}
	for _, c := range []struct {
		name string
		x    *texts
	}{{choiceColumn, &dec.choices}, {visitedColumn, &dec.visits}} {
		if !t.has(c.name) {
			c.x.none(len(dec.trial))
		} else if err := t.text(g, c.name, c.x); err != nil {
			return err
		}
	}
	dec.value, dec.missing, err = t.numbers(g, "value", dec.value[:0], dec.missing[:0])
	return err
}

// translate returns the known number of each value of a text column, or −1 if it has none.
func translate(value []string, known map[string]int32) []int32 {
	table := make([]int32, len(value))
	for i, s := range value {
		k, ok := known[s]
		if !ok {
			k = -1
		}
		table[i] = k
	}
	return table
}

// subjectOf returns the index of the subject of row i. It adds a new subject; subjects must appear in sorted order.
func (dec *responseDecoder) subjectOf(i, row int) (int32, error) {
	s, ok := dec.subject.at(i)
	if !ok {
		return 0, fmt.Errorf("row %d: subject is null", row)
	}
	d := dec.d
	last := len(d.Subjects) - 1
	if last >= 0 && d.Subjects[last] == s {
		return int32(last), nil
	}
	if last >= 0 && d.Subjects[last] > s {
		return 0, fmt.Errorf("row %d: subject %s after %s: rows are not sorted", row, s, d.Subjects[last])
	}
	d.Subjects = append(d.Subjects, s)
	return int32(last + 1), nil
}

// numbers sets the value, trial, repetition and reason of r from row i of the buffers.
func (dec *responseDecoder) numbers(i, row int, r *Response) error {
	trial, repetition := dec.trial[i], dec.repetition[i]
	if trial < 0 || trial > maxTrial || repetition < 0 || repetition > maxTrial {
		return fmt.Errorf("row %d: trial %d, repetition %d: not in 0 … %d", row, trial, repetition, maxTrial)
	}
	r.Trial, r.Repetition = int16(trial), int16(repetition)
	reason, unscored := dec.reasons.at(i)
	if unscored != dec.missing[i] {
		return fmt.Errorf("row %d: a response has either a value or the reason why it is unscored", row)
	}
	if !unscored {
		r.Value = dec.value[i]
		return nil
	}
	k, ok := dec.reason[reason]
	if !ok {
		k = int32(len(dec.d.Reasons))
		if k > math.MaxUint8 {
			return fmt.Errorf("row %d: more than %d different reasons", row, math.MaxUint8)
		}
		dec.reason[reason] = k
		dec.d.Reasons = append(dec.d.Reasons, reason)
	}
	r.Unscored = uint8(k)
	return nil
}

// chosen sets the choice of row i of the buffers.
func (dec *responseDecoder) chosen(i, row int, c *Chosen) error {
	if word, ok := dec.choices.at(i); ok {
		k := slices.Index(wents[1:], word)
		if k < 0 {
			return fmt.Errorf("row %d: choice %q is not one of %s", row, word, strings.Join(wents[1:], ", "))
		}
		c.Went = Went(k + 1)
	}
	if dec.place[i] < 0 || dec.place[i] > MostPlaces {
		return fmt.Errorf("row %d: place %d: not in 0 … %d", row, dec.place[i], MostPlaces)
	}
	c.Place, c.Latency = uint8(dec.place[i]), dec.latency[i]
	list, ok := dec.visits.at(i)
	if !ok {
		return nil
	}
	k, known := dec.visit[list]
	if !known {
		k = int32(len(dec.d.Visits))
		dec.visit[list], dec.d.Visits = k, append(dec.d.Visits, list)
	}
	c.Visited = uint32(k)
	return nil
}

// sortTexts sorts the reasons and the lists of visited places, which were read in order of appearance, and renumbers them in the responses.
func (dec *responseDecoder) sortTexts() {
	d := dec.d
	if len(d.Reasons) > 1 {
		d.Responses.renumber(unscoredField, sorted(d.Reasons))
	}
	if len(d.Visits) > 1 {
		d.Responses.renumber(visitedField, sorted(d.Visits))
	} else {
		d.Visits = nil
	}
}
