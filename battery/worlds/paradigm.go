package worlds

import (
	"cmp"
	"slices"

	"achilles/battery"
	"achilles/battery/measure"
	"achilles/gridworld/policy"
)

// A paradigm is one kind of task. Its file has all that is its own; a coding lists it.
type paradigm struct {
	name, level string                                    // level names it in designs; empty: name
	plan        func(*draft) bool                         // draws what stands where and, in wells, what happens; false: the attempt failed
	happens     func(*draft)                              // draws what happens within the margins of the plan; nil: plan does
	stand       func(*draft)                              // builds what stands in the world; nil: wells in a row
	asks        []ability                                 // what its tests ask for
	may         string                                    // an ability of another paradigm that some of its tests ask for too; empty: none
	shortcuts   []string                                  // of shortcut.Further: those that can do without its abilities
	narrow      func(levels) error                        // leaves out levels that its items cannot have; nil: it has items of all
	never       func(*point) bool                         // says which combinations of levels its items cannot have; nil: they have all
	why         string                                    // why they cannot, in words
	agrees      func(*draft, *measure.Measurement) string // returns why a candidate is not as it should be, or fits; nil: it is
	files       string                                    // what the paper of O-PIAAGETS files its items under; empty in other codings
	task        func(*draft, *measure.Measurement) string // names the kind of item; nil: its name and whether it is a test
}

// family returns the name of p in designs.
func (p *paradigm) family() string { return cmp.Or(p.level, p.name) }

// An ability is what tests of some paradigms ask for, besides sight, memory and a choice of place. How much of it an item
// asks for is a feature.
type ability struct {
	name, unit, doc string                            // of the feature
	most            float64                           // its largest value; if that is 1, a subject has the ability or not
	factor          factor                            // says how much of it an item asks for; the zero factor: all or nothing
	always          bool                              // controls ask for it too
	inSight         bool                              // controls ask for it, and no others
	drawn           bool                              // who lacks it goes to one of several places
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

// flag returns a factor with the levels 0 and 1.
func flag(name, doc string, levels ...float64) factor {
	return numbers(name, doc, battery.Grain{0, 1, 1}, levels...)
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
