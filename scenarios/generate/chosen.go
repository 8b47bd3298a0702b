package generate

import (
	"slices"
	"strconv"
	"strings"

	"achilles/battery/measure"
	"achilles/gridworld"
	"achilles/gridworld/policy"
	"achilles/sim/record"
)

// A Choice is where a subject went in a trial with places: the last that it entered. The zero Choice says that nothing is known of it.
type Choice struct {
	Went    record.Went
	Place   int    // number of the place, from 1; 0: none, or beyond record.MostPlaces
	Latency int    // ticks from when the subject could act until it was there; 0: none
	Visited string // numbers of the places that it entered before, in order, such as "3 1"
}

// A visit notes which places an actor enters.
type visit struct {
	witness measure.Witness
	room    *policy.Room
	went    []record.Went // by place: what it stands for; empty: not yet known
	last    gridworld.Pos
	entered []int // numbers of places
	tick    int   // when the last was entered
}

// enter makes v ready for the trials of a room.
func (v *visit) enter(w *gridworld.World, room *policy.Room) {
	v.room = room
	if v.went = v.went[:0]; len(room.Places()) > 0 {
		v.went = v.witness.Went(v.went, w, room)
	}
}

// begin begins an episode.
func (v *visit) begin() {
	v.last, v.entered, v.tick = v.room.Start().Pos, v.entered[:0], 0
}

// at notes where the actor is.
func (v *visit) at(p gridworld.Pos, tick int) {
	if p == v.last {
		return
	}
	v.last = p
	if k := slices.Index(v.room.Places(), p); k >= 0 {
		v.entered, v.tick = append(v.entered, k+1), tick
	}
}

// choice returns the choice of the episode that has ended in w.
func (v *visit) choice(w *gridworld.World) Choice {
	if len(v.went) == 0 {
		return Choice{}
	}
	v.at(w.Actor().Pos, w.Tick())
	if right := v.room.Right() + 1; w.Outcome() == gridworld.Finished {
		if n := len(v.entered); n == 0 || v.entered[n-1] != right { // it was within reach
			v.entered, v.tick = append(v.entered, right), w.Tick()
		}
	}
	n := len(v.entered) - 1
	if n < 0 {
		return Choice{Went: record.ToNone}
	}
	c := Choice{Went: record.ToRight, Place: v.entered[n], Latency: v.tick - v.room.Free(), Visited: listOf(v.entered[:n])}
	if w.Outcome() != gridworld.Finished {
		c.Went = v.went[c.Place-1]
	}
	if c.Place > record.MostPlaces {
		c.Place = 0
	}
	return c
}

// listOf returns numbers as a text.
func listOf(numbers []int) string {
	var b strings.Builder
	for i, n := range numbers {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}

// public returns what is published of a choice. visits has all lists of visited places, sorted.
func (c Choice) public(visits []string) record.Chosen {
	k, _ := slices.BinarySearch(visits, c.Visited)
	return record.Chosen{Went: c.Went, Place: uint8(c.Place), Latency: int32(c.Latency), Visited: uint32(k)}
}
