package layout

// MostSummed is the largest number of parameters of a subject that can be summed out on a grid (SummableTogether).
const MostSummed = 3

// SummableTogether is as Summable, but that subjects may have up to MostSummed parameters, none of which is binary.
func SummableTogether(l *Layout) (parameters []int, err error) {
	if first := l.firstBinary(); first != nil {
		return nil, first.at.Errorf("%s is binary: its patterns are not a grid", first.Name)
	}
	return summable(l, MostSummed)
}

// PriorAlone reports for every parameter whether the responses depend on it through the priors of what is inferred of items alone, such as the
// mean and the standard deviation of difficulties: where these priors do not count, nothing is known of it.
func PriorAlone(l *Layout) []bool {
	matters := make([]bool, len(l.Parameters))
	mark := func(s *symbol) {
		if s.kind == aParameter {
			matters[s.index] = true
		}
	}
	for _, r := range l.Responses {
		l.mentions(mark, r.nodes...)
	}
	for i := range l.Parameters {
		if p := &l.Parameters[i]; p.of() == ofSubjects && matters[i] {
			l.mentions(mark, p.args...)
		}
	}
	out := make([]bool, len(matters))
	for i := range matters {
		out[i] = !matters[i] && l.Parameters[i].of() == nil
	}
	return out
}

// Flatten says for each value of a target whether its prior does not count; nil: all count.
func Flatten(t *JointTarget, values []bool) { t.flat = values }

// flatten takes the priors of parameter i that do not count out of what forwardPrior computed, and returns the log prior density of the others.
func flatten(t *JointTarget, i int) float64 {
	l := 0.0
	for at := t.joint.first[i]; at < t.joint.first[i+1]; at++ {
		d := &t.points[at]
		if t.flat[at] {
			d.LogP, d.LogPQ, d.LogPA = 0, 0, [2]float64{}
		}
		l += d.LogP
	}
	return l
}

// CheckFixed returns an error if items cannot be estimated without the priors of their parameters: where the columns of items are in these alone,
// they say what the layout is about.
func CheckFixed(l *Layout) error {
	for i := range l.Parameters {
		p := &l.Parameters[i]
		if p.of() != ofItems {
			continue
		}
		for _, name := range p.names() {
			if l.symbols[name].kind == aMetafeature {
				return p.at.Errorf("the prior of %s depends on %s, and maximum likelihood estimates items without such a prior", p.Name, name)
			}
		}
	}
	return nil
}
