package nuts

import "fmt"

// Metric says how the covariance of the target is modelled.
type Metric uint8

const (
	// Auto is Dense up to DenseLimit dimensions and Diagonal above.
	Auto Metric = iota
	// Diagonal learns one variance a coordinate.
	Diagonal
	// Dense learns the full covariance.
	Dense
)

// String returns the name in lower case.
func (m Metric) String() string {
	switch m {
	case Auto:
		return "auto"
	case Diagonal:
		return "diagonal"
	case Dense:
		return "dense"
	}
	return fmt.Sprintf("Metric(%d)", uint8(m))
}

// DenseLimit is the largest dimension for which Auto learns a full covariance: its cost a leapfrog is below that of
// any likelihood, and windows of a hundred draws determine it.
const DenseLimit = 30

// Config are the settings of a chain. Default gives good ones.
type Config struct {
	Warmup   int         // draws at the start that adapt step size and metric and are not kept; 0 keeps both as they begin
	Draws    int         // draws kept, at least 1
	Accept   float64     // mean acceptance that the step size aims at, in (0, 1); higher means smaller steps
	MaxDepth int         // doublings of a trajectory, 1 … 20: at most 2^MaxDepth − 1 gradients a draw
	Metric   Metric      // how the covariance is modelled
	Guess    [][]float64 // positions roughly distributed as the target, from which the first metric is made; none: the identity
	// KeepMetric holds on to the metric made from Guess, so that warm-up, of which 100 draws are then enough, adapts the
	// step size alone. It pays where Guess has more independent positions than warm-up would give.
	KeepMetric bool
	Hooks      Hooks
}

// Default returns 400 warm-up draws (half the cost of the customary 1000, and enough; 200 are not), 1000 draws,
// acceptance 0.8, depth 10 and the metric chosen by dimension.
func Default() Config {
	return Config{Warmup: 400, Draws: 1000, Accept: 0.8, MaxDepth: 10}
}

func (c *Config) check() {
	switch {
	case c.Warmup < 0:
		panic("nuts: negative warm-up")
	case c.Draws < 1:
		panic("nuts: no draws asked for")
	case !(c.Accept > 0 && c.Accept < 1):
		panic("nuts: acceptance outside (0, 1)")
	case c.MaxDepth < 1 || c.MaxDepth > 20:
		panic("nuts: tree depth outside 1 … 20")
	case c.Metric > Dense:
		panic("nuts: unknown metric")
	}
}

func (c *Config) full(dim int) bool {
	return c.Metric == Dense || c.Metric == Auto && dim <= DenseLimit
}

// Hooks let statistics and progress watch a chain; nil means not interested. They are called in the chain's
// goroutine and must keep no slice.
type Hooks struct {
	// Draw is called after every draw of warm-up and sampling with its position and how it came about.
	Draw func(warmup bool, q []float64, s Stat)
	// Adapted is called at the end of each window with the new step size, and once more when warm-up ends.
	Adapted func(draw int, step float64)
}
