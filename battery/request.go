package battery

// MaxItems is the largest number of items of a battery.
const MaxItems = 1_000_000

// A Request has the choices from which a designed battery is made. Jobs changes no item.
type Request struct {
	Levels []Factor // levels that replace the default levels of the factors with these names
	Items  int      // number of items of a balanced design; 0: one item per combination of levels
	Root   uint64   // root seed of the random streams of the design
	Jobs   int      // goroutines that make items; 0 means one
}
