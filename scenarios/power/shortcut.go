package power

import "achilles/battery"

// permanent is the rate at which a subject with object permanence is taken to pass: it lapses one time in twenty.
const permanent = 0.95

// Against returns the evidence, in nats, that the items of a battery which test object permanence are expected to give
// for a subject that has it and against whoever passes where a shortcut does, at the rates of a fraudster. The shortcut is
// named by its feature.
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
	p := make([]float64, len(tests.Items))
	for i := range p {
		p[i] = permanent
	}
	return m.shapes[0].nearest(p).Evidence, nil
}

// fraudster adds whoever passes mostly where a shortcut does, which a feature says, and seldom where it does not.
func (m *maker) fraudster(name, shortcut string) {
	m.fixed("fraudster", name, [][2]float64{{0.85, 1}, {0, 0.4}}, shortcut+" == 0")
}
