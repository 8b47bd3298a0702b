package battery

import "slices"

// A keeper says which exchanges of levels between points without faults leave them without. Points are of one kind if a rule finds their
// levels alike. What is true of two points is true of any others of their kinds, so that most need not be looked at.
type keeper struct {
	faults func(point []int) int
	alike  [][]int // [factor][level]: Rule.Alike; nil if it is the same for all levels of the factor
	points [][]int

	kinds    []uint8                          // [point]; nil if there are too many kinds
	stride   []uint8                          // [factor]: by how much kinds differ if numbers in alike differ by 1
	verdicts []*[mostKinds][mostKinds]verdict // [factor][kind][kind]
}

const mostKinds = 64

// A verdict says whether an exchange leaves points without faults.
type verdict uint8

const (
	unknown verdict = iota
	allowed
	forbidden
)

func newKeeper(rule Rule, alike, points [][]int) *keeper {
	k := &keeper{faults: rule.Faults, alike: alike, points: points}
	many := 1
	for _, numbers := range alike {
		k.stride, k.verdicts = append(k.stride, uint8(many)), append(k.verdicts, nil)
		if numbers == nil {
			continue
		}
		if many *= slices.Max(numbers) + 1; many > mostKinds {
			return k
		}
		k.verdicts[len(k.verdicts)-1] = new([mostKinds][mostKinds]verdict)
	}
	k.kinds = make([]uint8, len(points))
	for i, levels := range points {
		for f, numbers := range alike {
			if numbers != nil {
				k.kinds[i] += k.stride[f] * uint8(numbers[levels[f]])
			}
		}
	}
	return k
}

// allows says whether points p and q, which are without faults, would both remain so after exchanging their levels of factor f.
func (k *keeper) allows(f, p, q int) bool {
	switch {
	case k == nil || k.alike[f] == nil:
		return true
	case k.kinds == nil:
		return k.tries(f, p, q)
	}
	v := &k.verdicts[f][k.kinds[p]%mostKinds][k.kinds[q]%mostKinds]
	if *v == unknown {
		if *v = forbidden; k.tries(f, p, q) {
			*v = allowed
		}
	}
	return *v == allowed
}

// tries does what allows does, from the points themselves.
func (k *keeper) tries(f, p, q int) bool {
	x, y := k.points[p], k.points[q]
	if k.alike[f][x[f]] == k.alike[f][y[f]] {
		return true
	}
	x[f], y[f] = y[f], x[f]
	ok := k.faults(x) == 0 && k.faults(y) == 0
	x[f], y[f] = y[f], x[f]
	return ok
}

// exchanges tells the keeper that points p and q are about to exchange their levels of factor f.
func (k *keeper) exchanges(f, p, q int) {
	if k == nil || k.kinds == nil || k.alike[f] == nil {
		return
	}
	by := k.stride[f] * uint8(k.alike[f][k.points[p][f]]-k.alike[f][k.points[q][f]])
	k.kinds[p] -= by
	k.kinds[q] += by
}
