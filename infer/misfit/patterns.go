package misfit

import (
	"encoding/binary"

	"achilles/sim/num"
)

// Patterns find subjects who responded alike to the same items. Where the linear predictor has no rest, one fit of such subjects is that of
// each, and a table of few items and many subjects has few patterns (Bock and Aitkin 1981, Psychometrika 46, sum over patterns).
type patterns struct {
	first []int   // [subject] its first response, and behind them the number of all
	kind  []int32 // [subject] equal of subjects with the same items, who are in the same groups
	of    []int32 // [subject] pattern in the last table
	whose []int32 // [pattern] its first subject
	count []float64

	index    map[string]int32
	key      []byte
	ability  []float64 // scratch [subject]
	ofMember []float64 // scratch [pattern]
}

// newPatterns returns the patterns of a table of responses that are 0 or 1; nil: most subjects have their own.
func newPatterns(w *whole) *patterns {
	p := &patterns{index: map[string]int32{}, of: make([]int32, len(w.Subjects)), ability: w.ability.of}
	for i, s := range w.Subject {
		for len(p.first) <= int(s) { // who comes later, and whoever has no responses
			p.first = append(p.first, i)
		}
	}
	for len(p.first) <= len(w.Subjects) {
		p.first = append(p.first, len(w.Subject))
	}
	kinds := num.Numbering[string]{}
	for s := range w.Subjects {
		p.key = p.key[:0]
		for k := range w.Labels {
			if l := &w.Labels[k]; !l.OfItems {
				p.key = binary.LittleEndian.AppendUint32(p.key, uint32(l.Of[s]))
			}
		}
		for _, item := range w.Item[p.first[s]:p.first[s+1]] {
			p.key = binary.LittleEndian.AppendUint32(p.key, uint32(item))
		}
		p.kind = append(p.kind, int32(kinds.Of(string(p.key))))
	}
	if p.find(w.Value); 2*len(p.whose) > len(w.Subjects) {
		return nil
	}
	return p
}

// find finds the patterns of a table.
func (p *patterns) find(value []float64) {
	clear(p.index)
	p.whose, p.count = p.whose[:0], p.count[:0]
	for s := range p.of {
		p.key = binary.LittleEndian.AppendUint32(p.key[:0], uint32(p.kind[s]))
		for _, y := range value[p.first[s]:p.first[s+1]] {
			p.key = append(p.key, byte(y))
		}
		k, ok := p.index[string(p.key)]
		if !ok {
			k = int32(len(p.whose))
			p.index[string(p.key)] = k
			p.whose, p.count = append(p.whose, int32(s)), append(p.count, 0)
		}
		p.of[s] = k
		p.count[k]++
	}
}

// collapse makes the patterns of a table the rows that are fitted.
func (w *whole) collapse(value []float64) {
	p := w.patterns
	p.find(value)
	w.subject, w.item, w.times, w.value = w.subject[:0:0], w.item[:0:0], w.times[:0:0], nil
	for k, s := range p.whose {
		from, to := p.first[s], p.first[s+1]
		w.item, w.value = append(w.item, w.Item[from:to]...), append(w.value, value[from:to]...)
		for range to - from {
			w.subject, w.times = append(w.subject, int32(k)), append(w.times, p.count[k])
		}
	}
	n := len(w.item)
	w.rest, w.now, w.residual, w.scaled = w.rest[:n], w.now[:n], w.residual[:n], w.scaled[:n]
	w.ability.of, w.ability.unit = p.ability[:len(p.whose)], w.subject
	w.ability.times = w.ability.times[:n]
	w.ease.unit, w.ease.times, w.slope.unit, w.slope.times = w.item, w.times, w.item, w.times
}

// member returns a subject of which a row with this subject or pattern is.
func (w *whole) member(s int32) int32 {
	if w.patterns == nil {
		return s
	}
	return w.patterns.whose[s]
}

// ofSubjects returns what writes a statistic of every subject, if sums writes those of subjects or of patterns.
func (w *whole) ofSubjects(sums func(out []float64)) func(out []float64) {
	if w.patterns == nil {
		return sums
	}
	return func(out []float64) {
		p := w.patterns
		p.ofMember = resized(p.ofMember, len(p.whose))
		sums(p.ofMember)
		for s, k := range p.of {
			out[s] = p.ofMember[k]
		}
	}
}
