package battery

import (
	"slices"

	"achilles/sim/rng"
)

// MaxItems is the largest number of items of a battery.
const MaxItems = 1_000_000

// A Request has the choices from which a designed battery is made. Jobs changes no item.
type Request struct {
	Levels   []Factor // levels that replace the default levels of the factors with these names
	Items    int      // number of items of a balanced design; 0: one item per combination of levels
	Root     uint64   // root seed of the random streams of the design
	Training bool     // the items are for training: their streams have other names, so that no root makes a battery of them
	Jobs     int      // goroutines that make items; 0 means one
}

// Stream returns the random stream of the design that is named by path.
func (r Request) Stream(path ...string) rng.Rand {
	if r.Training {
		path = slices.Concat([]string{"training"}, path)
	}
	return rng.Stream(r.Root, path...)
}
