package layout

import (
	"slices"

	"achilles/infer/prior"
)

// Centre says for each value, and no longer for each parameter, where its coordinate lies between the score (0) and the value itself (1);
// it is ignored unless HasScores.
func (t *JointTarget) Centre(shares []float64) {
	for i := range t.joint.priors {
		for at := t.joint.first[i]; at < t.joint.first[i+1]; at++ {
			t.centring[at] = 1
			if t.joint.HasScores(i) {
				t.centring[at] = shares[at]
			}
		}
	}
}

// In writes to out the coordinates in which u, a target of the same layout, has the values that t has at q.
func (t *JointTarget) In(u *JointTarget, q, out []float64) {
	t.Constrain(q, t.theta)
	var scratch [prior.MaxArgs]float64
	for i := range t.joint.priors {
		for unit := range t.joint.Units(i) {
			at := t.joint.first[i] + unit
			args := t.priors.at(i, unit, t.theta, &scratch)
			from, to := t.centring[at], u.centring[at]
			out[at] = q[at]
			if from == to {
				continue
			}
			if from < 1 {
				out[at] = prior.Whole(out[at], from, args)
			}
			if to < 1 {
				out[at] = prior.Part(out[at], to, args)
			}
		}
	}
}

// A Tangent is the matrix of the derivatives of the coordinates of a target by those in which all is centred, at a point. A coordinate
// depends on the value itself and on those that the prior of the value mentions.
type Tangent struct {
	own   []float64 // value → derivative by the value
	other []slope
}

type slope struct {
	of, by int // index of the coordinate, and of the value
	is     float64
}

// Tangent returns the derivatives of the coordinates of t where those of a target in which all is centred are q.
func (t *JointTarget) Tangent(q []float64) *Tangent {
	j := t.joint
	centred := t.cells.NewTarget(slices.Repeat([]bool{true}, len(j.priors)), 1)
	centred.Constrain(q, centred.theta)
	theta := centred.theta
	out := &Tangent{own: make([]float64, len(q))}
	var scratch [prior.MaxArgs]float64
	for i := range j.priors {
		centred.priors.evaluate(i, theta)
		for u := range j.Units(i) {
			at := j.first[i] + u
			out.own[at] = 1
			if share := t.centring[at]; share < 1 {
				args := centred.priors.at(i, u, theta, &scratch)
				out.own[at] = prior.Part(1, share, []float64{0, args[1]})
			}
		}
		if !j.HasScores(i) {
			continue
		}
		for _, by := range mentioned(j.layout, i) {
			sides := [2][]float64{}
			for k, h := range []float64{curvatureStep, -curvatureStep} {
				moved := slices.Clone(theta)
				for v := j.first[by]; v < j.first[by+1]; v++ {
					moved[v] += float64(h * centred.points[v].ThetaQ)
				}
				centred.priors.evaluate(i, moved)
				for u := range j.Units(i) {
					at := j.first[i] + u
					args := centred.priors.at(i, u, theta, &scratch)
					sides[k] = append(sides[k], prior.Part(q[at], t.centring[at], args))
				}
			}
			for u := range j.Units(i) {
				if is := (sides[0][u] - sides[1][u]) / (2 * curvatureStep); is != 0 {
					out.other = append(out.other, slope{j.first[i] + u, j.first[by] + j.unitSeen(i, by, u), is})
				}
			}
		}
		for u, begins := range j.starts[i] { // a walk depends on the unit before
			if at := j.first[i] + u; !begins {
				out.other = append(out.other, slope{at, at - 1, float64((t.centring[at] - out.own[at]) * centred.points[at-1].ThetaQ)})
			}
		}
	}
	return out
}

// Apply writes the derivatives of the coordinates in the direction x to out.
func (t *Tangent) Apply(x, out []float64) {
	for i, s := range t.own {
		out[i] = float64(s * x[i])
	}
	for _, s := range t.other {
		out[s.of] += float64(s.is * x[s.by])
	}
}

// Alone reports whether the coordinates of some values depend on no other.
func (t *Tangent) Alone(values []int) bool {
	return !slices.ContainsFunc(t.other, func(s slope) bool { return slices.Contains(values, s.of) })
}

// Undo replaces the derivatives that Apply writes by the direction x.
func (t *Tangent) Undo(out []float64) {
	x, by := slices.Clone(out), make([]float64, len(out))
	for range out { // a value is right after those on which its coordinate depends
		last := slices.Clone(x)
		clear(by)
		for _, s := range t.other {
			by[s.of] += float64(s.is * x[s.by])
		}
		for i, s := range t.own {
			x[i] = (out[i] - by[i]) / s
		}
		if slices.Equal(x, last) {
			break
		}
	}
	copy(out, x)
}

// Transposed writes to out what derivatives by the coordinates are by the values.
func (t *Tangent) Transposed(grad, out []float64) {
	for i, s := range t.own {
		out[i] = float64(s * grad[i])
	}
	for _, s := range t.other {
		out[s.by] += float64(s.is * grad[s.of])
	}
}

// Scale multiplies every element of scale by the derivative of the coordinate by the value itself.
func (t *Tangent) Scale(scale []float64) {
	for i, s := range t.own {
		scale[i] *= s
	}
}

// wholly reports whether all units of parameter i are centred.
func (t *JointTarget) wholly(i int) bool {
	return !slices.ContainsFunc(t.centring[t.joint.first[i]:t.joint.first[i+1]], func(share float64) bool { return share < 1 })
}
