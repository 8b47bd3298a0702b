package power

import "achilles/battery"

// permanent is the pass rate that is assumed for a subject with object permanence: it fails one time in twenty.
const permanent = 0.95

// Against returns the expected log Bayes factor, in nats, of a subject with object permanence against a fraudster who
// uses a shortcut, from the items of b that test object permanence. shortcut is the name of the feature that is 1 on
// items which the shortcut passes.
func Against(b *battery.Battery, shortcut string) (float64, error) {
	tests, err := b.Where(battery.HiddenFeature + " == 1")
	if err != nil {
		return 0, err
	}
	m := &maker{b: &tests}
	m.fraudster(shortcut, shortcut)
	if m.err != nil {
		return 0, m.err
	}
	p := make([]float64, tests.Items.Len())
	for i := range p {
		p[i] = permanent
	}
	return m.shapes[0].nearest(p).Evidence, nil
}

// fraudster adds a subject that passes most items on which the feature shortcut is 1, and few others.
func (m *maker) fraudster(name, shortcut string) {
	m.fixed("fraudster", name, [][2]float64{{0.85, 1}, {0, 0.4}}, shortcut+" == 0")
}
