package misfit

import "slices"

// A pooling puts responses together between which most checks make no difference, such as those to items with the same features. In
// the simulation a check then sums the residuals of pools, of which there are at most half as many.
type pooling struct {
	of    []int32 // [response] its pool
	first []int   // [pool] its first response

	next      []int32 // room for what of and first become
	nextFirst []int

	singles map[*single]*single // groupings of responses that do not divide pools → the same of pools
	values  map[*values]*values
}

// mostPoolCells limits the memory in which pools are divided.
const mostPoolCells = 1 << 18

// newPooling returns the pools of the checks of some responses. A feature by which there would be more than half as many pools as
// responses, such as the position, divides none.
func newPooling(checks []check, responses int) *pooling {
	p := &pooling{of: make([]int32, responses), first: []int{0}, singles: map[*single]*single{}, values: map[*values]*values{}}
	for i := range checks {
		if g := checks[i].groups; g != nil {
			for _, s := range g.parts {
				if _, known := p.singles[s]; !known && p.divide(len(s.names), func(i int) int { return int(s.of[i]) }) {
					p.singles[s] = &single{name: s.name, names: s.names}
				}
			}
		}
		for k := range checks[i].contrast {
			w := &checks[i].contrast[k].w
			for _, v := range []*values{w.a, w.b} {
				if v == nil || p.values[v] != nil {
					continue
				}
				if p.divide(len(v.list), v.at) {
					p.values[v] = &values{}
				}
			}
		}
	}
	p.next, p.nextFirst = nil, nil
	for s, to := range p.singles {
		for _, i := range p.first {
			to.of = append(to.of, s.of[i])
		}
	}
	for v, to := range p.values {
		*to = newValues(v.list, len(p.first))
		for k, i := range p.first {
			to.set(k, v.at(i))
		}
	}
	return p
}

// at returns the index in the list of the value of a response.
func (v *values) at(response int) int {
	if v.few != nil {
		return int(v.few[response])
	}
	return int(v.index[response])
}

// divide divides the pools by a feature with this number of levels. It returns false, and divides none, if there would be too many.
func (p *pooling) divide(levels int, level func(response int) int) bool {
	if len(p.first)*levels > mostPoolCells {
		return false
	}
	number := make([]int32, len(p.first)*levels) // 1 + the number of a new pool
	of, first := slices.Grow(p.next[:0], len(p.of))[:len(p.of)], slices.Grow(p.nextFirst[:0], len(p.of)/2)
	for i, old := range p.of {
		n := &number[int(old)*levels+level(i)]
		if *n == 0 {
			if 2*(len(first)+1) > len(of) {
				p.next, p.nextFirst = of, first
				return false
			}
			first = append(first, i)
			*n = int32(len(first))
		}
		of[i] = *n - 1
	}
	p.of, p.next, p.first, p.nextFirst = of, p.of, first, p.first
	return true
}

// pooled returns the check of the residuals of pools, or false if it divides them.
func (p *pooling) pooled(c check) (check, bool) {
	if c.clusters != nil {
		return c, false
	}
	if c.groups != nil {
		g := *c.groups
		g.parts = nil
		for _, s := range c.groups.parts {
			if p.singles[s] == nil {
				return c, false
			}
			g.parts = append(g.parts, p.singles[s])
		}
		c.groups = &g
		return c, true
	}
	contrasts := c.contrast
	c.contrast = nil
	for _, k := range contrasts {
		a, b := p.values[k.w.a], p.values[k.w.b]
		if a == nil || b == nil && k.w.b != nil {
			return check{contrast: contrasts}, false
		}
		k.w = weights{a, b}
		c.contrast = append(c.contrast, k)
	}
	return c, true
}

// sums writes the sums of residuals in pools to out.
func (p *pooling) sums(out, residual []float64) {
	clear(out)
	for i, x := range residual {
		out[p.of[i]] += x
	}
}
