package layout

import (
	"slices"

	"achilles/sim/record"
)

// A SubjectCells has the responses of one subject, compiled apart from those of all others.
type SubjectCells struct {
	cells   *Cells // of a Joint that has this subject alone
	whole   *Joint
	subject int
	at      []int // parameters of subjects, in the order of the layout
	order   []int // the same, each after those on which its prior depends
}

// BySubject returns the responses of every subject apart. It panics if a parameter belongs to groups of subjects.
func (c *Cells) BySubject() ([]*SubjectCells, error) {
	if c.joint.GroupsSubjects() {
		panic("layout: subjects of groups are not apart")
	}
	var out []*SubjectCells
	left := c.given
	for s := range c.joint.subjects {
		n := 0
		for n < len(left) && int(left[n].Subject) == s {
			n++
		}
		cells, err := c.ofSubject(s, slices.Clone(left[:n]))
		if err != nil {
			return nil, err
		}
		out, left = append(out, cells), left[n:]
	}
	return out, nil
}

// ofSubject compiles the responses of one subject, and changes them.
func (c *Cells) ofSubject(s int, responses []record.Response) (*SubjectCells, error) {
	j := c.joint
	var covariates []record.Column
	for _, col := range j.covariates {
		covariates = append(covariates, col.Rows([]int{s}))
	}
	one, err := j.layout.BindJoint(j.items, j.subjects[s:s+1], covariates, j.measures)
	if err != nil {
		return nil, err
	}
	for i := range responses {
		responses[i].Subject = 0
	}
	var means [][]float64
	for _, m := range c.means {
		means = append(means, m[s:s+1])
	}
	cells, err := one.NewCells(responses, means)
	if err != nil {
		return nil, err
	}
	out := &SubjectCells{cells: cells, whole: j, subject: s}
	for i, p := range j.layout.Parameters {
		if p.OfSubjects() {
			out.at = append(out.at, i)
		}
	}
	for _, i := range one.order {
		if slices.Contains(out.at, i) {
			out.order = append(out.order, i)
		}
	}
	return out, nil
}

// Index returns the index of each value of the subject in a vector of all values.
func (c *SubjectCells) Index() (out []int) {
	for _, i := range c.at {
		out = append(out, c.whole.first[i]+c.subject)
	}
	return out
}

// NewTarget returns the posterior of the subject's values given all others.
func (c *SubjectCells) NewTarget() *SubjectTarget {
	n := c.cells.joint.Len()
	centred := slices.Repeat([]bool{true}, len(c.whole.priors))
	return &SubjectTarget{SubjectCells: c, t: c.cells.NewTarget(centred, 1), q: make([]float64, n), grad: make([]float64, n)}
}

// A SubjectTarget is the posterior of the values of one subject, in the order of the layout, given those of all items, groups and
// everybody. Its coordinates are those of a JointTarget whose parameters of subjects are centred. It is not safe for concurrent use.
type SubjectTarget struct {
	*SubjectCells
	t       *JointTarget
	q, grad []float64 // of t
}

// Dim returns the number of values of a subject.
func (t *SubjectTarget) Dim() int { return len(t.at) }

// Given takes the values of all others from theta, a vector of all parameters themselves.
func (t *SubjectTarget) Given(theta []float64) {
	one := t.t.joint
	for i := range one.priors {
		if !slices.Contains(t.at, i) {
			copy(t.t.theta[one.first[i]:one.first[i+1]], theta[t.whole.first[i]:])
		}
	}
}

// LogDensity returns the log density of the subject's values q given the others, up to a constant, and writes its gradient to grad.
func (t *SubjectTarget) LogDensity(q, grad []float64) float64 {
	first := t.t.joint.first
	for k, i := range t.at {
		t.q[first[i]] = q[k]
	}
	l := 0.0
	for _, i := range t.order {
		l += t.t.forwardPrior(i, t.q)
	}
	l += t.t.LogLikelihood(t.t.theta, t.t.dtheta)
	for k := len(t.order) - 1; k >= 0; k-- {
		l += t.t.reversePrior(t.order[k], t.grad)
	}
	for k, i := range t.at {
		grad[k] = t.grad[first[i]]
	}
	return orImpossible(l)
}
