package replay

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"achilles/infer"
	"achilles/infer/layout"
	"achilles/infer/trajectory"
)

// A Profile is the posterior of one subject's parameters, given all its responses.
type Profile struct {
	Subject    string // name of the subject, or its id if names are sealed
	Layout     string
	Parameters []Parameter
	Warnings   []string // warnings about the fit to all responses

	paths *trajectory.Profile // nil if the profile predicts no paths
}

// A Parameter is a capability, bias or robustness of a profile.
type Parameter struct {
	infer.Profile
	Draws []float64
	Unit  string   // unit that the layout states; may be empty
	Scale float64  // maximum of the parameter; 0 if it is unknown or sealed
	Truth *float64 // true value in the parameter's unit; nil if it is sealed or undefined
}

// RMSE returns the root mean square of draw − truth, in the parameter's unit. ok is false if there is no truth or no
// draw.
func (p *Parameter) RMSE() (rmse float64, ok bool) {
	if p.Truth == nil || len(p.Draws) == 0 {
		return 0, false
	}
	sum := 0.0
	for _, x := range p.Draws {
		sum += (x - *p.Truth) * (x - *p.Truth)
	}
	return math.Sqrt(sum / float64(len(p.Draws))), true
}

// RMSE returns the root mean square of (posterior mean − truth) / maximum over the parameters with a truth. ok is false
// if no parameter has one.
func (p *Profile) RMSE() (rmse float64, ok bool) {
	sum, n := 0.0, 0
	for i := range p.Parameters {
		if x := &p.Parameters[i]; x.Truth != nil && x.Scale > 0 {
			d := (x.Mean - *x.Truth) / x.Scale
			sum += d * d
			n++
		}
	}
	if n == 0 {
		return 0, false
	}
	return math.Sqrt(sum / float64(n)), true
}

var errNoProfile = errors.New("nothing was inferred about this subject")

// profile reads the posterior of a subject. subject is the public id. The error wraps errNoProfile if nothing was
// inferred about the subject.
func (a *Archive) profile(subject string) (*Profile, error) {
	r, err := a.inferred()
	if err != nil {
		return nil, err
	}
	p := &Profile{Subject: a.subjectName(subject), Layout: r.Settings.Layout.Name}
	var draws *infer.SubjectDraws
	if r.Draws != nil {
		if draws, err = r.Draws.Of(subject); err != nil {
			return nil, err
		}
	}
	for _, row := range r.Profiles {
		if row.Subject != subject {
			continue
		}
		x := Parameter{Profile: row}
		if draws != nil {
			if k := slices.Index(r.Draws.Parameters(), row.Parameter); k >= 0 {
				x.Draws = draws.Values[k]
			}
		}
		x.Unit = unit(a.layout(), row.Parameter)
		x.Scale, x.Truth = a.truthOf(subject, row.Parameter)
		p.Parameters = append(p.Parameters, x)
	}
	if len(p.Parameters) == 0 {
		return nil, fmt.Errorf("subject %s: %w", subject, errNoProfile)
	}
	for _, f := range r.Diagnostics.Fits {
		if f.Subject == subject && f.Rows == infer.AllRows {
			for _, w := range f.Warnings {
				p.Warnings = append(p.Warnings, w.Message)
			}
		}
	}
	p.paths = pathProfile(r, p, a.failure(subject))
	return p, nil
}

// unit returns the unit that a layout states for a parameter. It returns "" if the layout is nil or states none.
func unit(l *layout.Layout, parameter string) string {
	if l != nil {
		for _, p := range l.Parameters {
			if p.Name == parameter {
				return p.Unit
			}
		}
	}
	return ""
}

// truthOf returns the maximum of a parameter, which is 0 if unknown, and the parameter's true value for a subject,
// which is nil if unknown.
func (a *Archive) truthOf(subject, parameter string) (scale float64, truth *float64) {
	if a.truth == nil {
		return 0, nil
	}
	scale = a.truth.Scale[parameter]
	if f, ok := a.truth.Subjects[subject].Truth.Capability[parameter]; ok {
		x := f * scale
		truth = &x
	}
	return scale, truth
}

// inferred returns the inferred part. The first call reads it. The error is errNoProfile if there is no posterior of
// any subject.
func (a *Archive) inferred() (*infer.Result, error) {
	if a.result != nil {
		return a.result, nil
	}
	if a.asked {
		return nil, errNoProfile
	}
	a.asked = true
	sub, err := fs.Sub(a.dir, inferredPart)
	if err != nil {
		return nil, err
	}
	if _, err := fs.Stat(sub, "diagnostics.json"); errors.Is(err, fs.ErrNotExist) {
		return nil, errNoProfile
	}
	r, err := infer.Open(sub)
	if err != nil {
		a.note("profiles are not shown: %v", err)
		return nil, err
	}
	a.result = r
	return r, nil
}

// keptDraws is the number of posterior draws from which paths are sampled; the inference uses the same number.
const keptDraws = 400

// pathProfile returns the part of a profile that predicts paths. It returns nil if the layout says nothing about
// walking, or if there are no draws. failure is the subject's rate of failure.
func pathProfile(r *infer.Result, p *Profile, failure float64) *trajectory.Profile {
	reading := r.Settings.Layout.Walking
	if reading == nil {
		return nil
	}
	q := &trajectory.Profile{Place: reading.Place, Chance: failure}
	if reading.Chance != nil {
		q.Chance = *reading.Chance
	}
	n := 0
	for i := range p.Parameters {
		q.Parameters = append(q.Parameters, p.Parameters[i].Parameter)
		n = len(p.Parameters[i].Draws)
	}
	if n == 0 {
		return nil
	}
	kept := min(n, keptDraws)
	for k := range kept {
		draw := make([]float64, len(p.Parameters))
		for i := range draw {
			draw[i] = p.Parameters[i].Draws[(2*k+1)*n/(2*kept)]
		}
		q.Draws = append(q.Draws, draw)
	}
	return q
}

// A PathError says how far predicted paths are from the actual paths in the held-out episodes of a paradigm. Each error
// is a mean of RMSEs in cells. A path is predicted from the subject's other responses.
type PathError struct {
	Paradigm string
	N        int     // number of episodes
	RMSE     float64 // of paths predicted from the subject's profile
	Direct   float64 // of the shortest path to the reward
	Still    float64 // of standing still
	Pooled   float64 // of paths predicted from one profile for all subjects
}

// PathErrors returns the errors of each paradigm, and last those of all held-out episodes under the name "all". It
// returns nil if no paths were predicted.
func (a *Archive) PathErrors() []PathError {
	r, err := a.inferred()
	if err != nil || len(r.Paths) == 0 {
		return nil
	}
	sums := map[string]*PathError{}
	all := &PathError{Paradigm: "all"}
	for _, p := range r.Paths {
		i, ok := slices.BinarySearch(a.data.Items.ID, p.Item)
		if !ok {
			continue
		}
		name := a.data.Items.Paradigm[i]
		if sums[name] == nil {
			sums[name] = &PathError{Paradigm: name}
		}
		for _, s := range []*PathError{sums[name], all} {
			s.N++
			s.RMSE, s.Direct, s.Still, s.Pooled = s.RMSE+p.RMSE, s.Direct+p.Direct, s.Still+p.Still, s.Pooled+p.Pooled
		}
	}
	var list []PathError
	for _, s := range sums {
		list = append(list, *s)
	}
	slices.SortFunc(list, func(a, b PathError) int { return cmp.Compare(a.Paradigm, b.Paradigm) })
	list = append(list, *all)
	for i := range list {
		s, n := &list[i], float64(max(list[i].N, 1))
		s.RMSE, s.Direct, s.Still, s.Pooled = s.RMSE/n, s.Direct/n, s.Still/n, s.Pooled/n
	}
	return list
}
