package tables

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"achilles/sim/record"
)

// choiceKeys are the keys of the mapping that name columns of a long table which say where a subject went, as record.Chosen has it.
var choiceKeys = [...]string{"choice", "place", "latency", "visited"}

// chosenIn names those columns, in the order of choiceKeys; "" is none.
type chosenIn [len(choiceKeys)]string

// read reads the keys of a mapping.
func (c *chosenIn) read(text func(key string) string, refuse func(key, format string, args ...any), f form) {
	for k, key := range choiceKeys {
		c[k] = text(key)
		switch {
		case c[k] != "" && f != long:
			refuse(key, "where a subject went is given for each response: set form = %q", long)
		case c[k] != "" && c[0] == "":
			refuse(key, "it belongs to a choice: set choice, with one of %s in each row", strings.Join(record.Wents(), ", "))
		}
	}
}

// A wentTo is where the subject of a row went.
type wentTo struct {
	record.Chosen        // but for Visited
	visited       string // numbers of places, in order
}

// note reads the cells of row number `row`. columns are in the order of choiceKeys; an empty one is not there.
func (b *builder) note(row int64, cells []string, columns *[len(choiceKeys)][]int) error {
	cell := func(k int) string {
		if len(columns[k]) == 0 {
			return ""
		}
		return strings.TrimSpace(cells[columns[k][0]])
	}
	whole := func(k int, most float64) (float64, error) {
		s := cell(k)
		if missing(s) {
			return 0, nil
		}
		x, ok := b.m.Read.number(s)
		if !ok || x < 0 || x != math.Trunc(x) || x > most {
			return 0, fmt.Errorf("%s %q is not a whole number from 0 to %.0f", choiceKeys[k], s, most)
		}
		return x, nil
	}
	word := cell(0)
	if missing(word) {
		return nil
	}
	k := slices.Index(record.Wents(), word)
	if k < 0 {
		return fmt.Errorf("choice %q is not one of %s", word, strings.Join(record.Wents(), ", "))
	}
	x := wentTo{Chosen: record.Chosen{Went: record.Went(k + 1)}}
	place, err := whole(1, record.MostPlaces)
	if err != nil {
		return err
	}
	latency, err := whole(2, math.MaxInt32)
	if err != nil {
		return err
	}
	x.Place, x.Latency = uint8(place), int32(latency)
	if x.visited = cell(3); missing(x.visited) {
		x.visited = ""
	}
	if x.visited != "" {
		if err := record.CheckName(x.visited); err != nil {
			return fmt.Errorf("visited %q: %w", x.visited, err)
		}
	}
	if x.Went == record.ToNone && (x.Chosen != record.Chosen{Went: record.ToNone} || x.visited != "") {
		return fmt.Errorf("choice %q has no place, latency or visited", word)
	}
	for int64(len(b.went)) <= row {
		b.went = append(b.went, wentTo{})
	}
	b.went[row] = x
	return nil
}

// choose sets where subjects went in responses, which are those of the answers.
func (b *builder) choose(list []record.Response) {
	visits := []string{""}
	for i := range b.went {
		visits = append(visits, b.went[i].visited)
	}
	slices.Sort(visits)
	if visits = slices.Compact(visits); len(visits) > 1 {
		b.d.Visits = visits
	}
	for i := range list {
		if place := b.answers[i].place; place < int64(len(b.went)) {
			x := b.went[place]
			k, _ := slices.BinarySearch(visits, x.visited)
			x.Visited = uint32(k)
			list[i].Chosen = x.Chosen
		}
	}
}

// goes finds the columns that say where a subject went: those with the names of the public format, if all choices are words of it.
func (p *proposer) goes() {
	c := p.column(choiceKeys[0])
	if p.form != long || c == nil || p.used[c.name] != "" || c.many {
		return
	}
	for _, v := range c.values {
		if !slices.Contains(record.Wents(), v) && !missing(v) {
			return
		}
	}
	for k, key := range choiceKeys {
		if p.column(key) != nil && p.used[key] == "" {
			p.went[k] = key
			p.take("choice", key)
		}
	}
}
