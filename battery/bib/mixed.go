package bib

import "slices"

// mix makes choices of the familiar actor weaker evidence of its preference: in each familiarisation trial it goes to the other object
// with probability Mixed, so that most of its choices may mislead. A trial whose walk a test repeats is kept. Other tasks, which
// do not need to know the preference, stay as they are, and without Mixed nothing is drawn. mix returns false if a walk fails.
func (d *draft) mix(p *outline) bool {
	if d.design.Mixed == 0 || !slices.Contains([]Task{Preference, MultiAgent}, d.task) {
		return true
	}
	for k := range p.familiar {
		t := p.familiar[k]
		if !d.Bernoulli(d.design.Mixed) || same(t.walk.Track, p.unexpected.walk.Track) {
			continue
		}
		if !d.act(&t, other) {
			return false
		}
		p.familiar[k] = t
	}
	return true
}
