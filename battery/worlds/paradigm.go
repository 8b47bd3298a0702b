package worlds

import (
	"slices"

	"achilles/battery"
	"achilles/gridworld/policy"
)

// A paradigm is one kind of task. Its file has all that is its own; a suite lists it.
type paradigm struct {
	name      string
	plan      func(*draft) bool              // draws what stands where and what happens; false: the attempt failed
	asks      []ability                      // what its tests ask for
	may       string                         // an ability of another paradigm that some of its tests ask for too; empty: none
	shortcuts []string                       // of shortcut.Further: those that can do without its abilities
	narrow    func(levels) error             // leaves out levels that its items cannot have; nil: it has items of all
	never     func(*point) bool              // says which combinations of levels its items cannot have; nil: they have all
	why       string                         // why they cannot, in words
	agrees    func(d *draft, steps int) bool // says whether the steps of a candidate's way are as they should be; nil: they are
}

// An ability is what tests of some paradigms ask for, besides sight, memory and a choice of place. How much of it an item
// asks for is a feature.
type ability struct {
	name, unit, doc string                            // of the feature
	most            float64                           // its largest value; if that is 1, a subject has the ability or not
	factor          factor                            // says how much of it an item asks for; the zero factor: all or nothing
	always          bool                              // controls ask for it too
	give            func(*policy.Parameters, float64) // makes an agent have this much of it; 0: nothing
}

// graded says whether there is more or less of an ability; otherwise a subject has it or not.
func (a ability) graded() bool { return a.most > 1 }

// A factor is a factor of a design with its default levels, and the numbers that can be levels.
type factor struct {
	battery.Factor
	grain battery.Grain
	doc   string // for the manual
}

func numbers(name, doc string, grain battery.Grain, levels ...float64) factor {
	return factor{battery.Factor{Name: name, Number: levels}, grain, doc}
}

func texts(name string, levels ...string) factor {
	return factor{Factor: battery.Factor{Name: name, Text: levels}}
}

// load returns the index of a factor among those that say how much of its abilities an item of p asks for, or −1.
func (p *paradigm) load(factor string) int {
	k := 0
	for _, a := range p.asks {
		switch a.factor.Name {
		case "":
			continue
		case factor:
			return k
		}
		k++
	}
	return -1
}

// asksFor says whether tests of p ask for an ability.
func (p *paradigm) asksFor(name string) bool {
	return slices.ContainsFunc(p.asks, func(a ability) bool { return a.name == name })
}
