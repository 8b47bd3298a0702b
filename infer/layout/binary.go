package layout

// mostBinary is the largest number of binary parameters of a subject: 256 patterns.
const mostBinary = 8

// firstBinary returns the first binary parameter, or nil if there is none.
func (l *Layout) firstBinary() *Parameter {
	for i := range l.Parameters {
		if l.Parameters[i].family.Binary() {
			return &l.Parameters[i]
		}
	}
	return nil
}

// Binary reports whether the only values of the parameter are 0 and 1.
func (p *Parameter) Binary() bool { return p.family.Binary() }

// CheckMovable returns nil if a sampler can move all parameters of the layout: none is binary. Otherwise the error says so.
func (l *Layout) CheckMovable() error {
	if p := l.firstBinary(); p != nil {
		return p.at.Errorf("%s is binary, and no step leads from 0 to 1: engine marginal sums over both, and is the only one for this layout", p.Name)
	}
	return nil
}

// checkBinary returns an error for binary parameters that no engine can sum over.
func (c *checker) checkBinary() error {
	for i := range c.Parameters {
		if p := &c.Parameters[i]; p.Binary() && !p.OfSubjects() {
			return p.at.Errorf("%s is binary and belongs to %s: only what each subject has can be binary, under [capability], [bias] or [robustness] without per", p.Name, p.unit())
		}
	}
	if c.firstBinary() == nil {
		return nil
	}
	_, err := c.Summable()
	return err
}
