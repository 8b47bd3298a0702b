package nuts

// A Metric says how the covariance of the target is modelled.
type Metric uint8

const (
	// Auto stands for Dense up to 30 dimensions and for Diagonal above.
	Auto Metric = iota
	// Diagonal learns one variance for every coordinate.
	Diagonal
	// Dense learns the full covariance.
	Dense
)

// denseLimit is the largest dimension for which Auto learns a full covariance. Up to this dimension, a product with the
// covariance costs less than a likelihood, and a window of a hundred draws is enough to estimate the covariance.
const denseLimit = 30

// Config has the settings of a chain.
type Config struct {
	Warmup   int         // number of first draws, not kept, that adapt step size and metric; 400 are enough, 200 are not
	Accept   float64     // mean acceptance probability to which the step size is adapted, in (0, 1)
	MaxDepth int         // largest number of doublings of a trajectory, 1 to 20: at most 2^MaxDepth − 1 gradients for a draw
	Metric   Metric      // how the covariance is modelled
	Guess    [][]float64 // positions roughly distributed as the target; their covariance is the first metric; nil: identity
	// KeepMetric keeps the metric made from Guess: warm-up then adapts only the step size, for which 100 draws are enough.
	// It is useful if Guess has more independent positions than the warm-up would give. In up to TurnLimit dimensions trajectories then turn
	// around the mean of Guess, so that a target that is nearly normal takes few steps.
	KeepMetric bool
	// Refine is the largest change of the energy over a step: where it would be larger, the step is divided into equal parts. 0: no step is divided. A
	// trajectory that turns around the mean of Guess does not divide steps.
	Refine   float64
	Progress func() // called after every trajectory, of the warm-up too; may be nil
	hooks    hooks
}

func (c *Config) check() {
	switch {
	case c.Warmup < 0:
		panic("nuts: negative warm-up")
	case !(c.Accept > 0 && c.Accept < 1):
		panic("nuts: acceptance outside (0, 1)")
	case c.MaxDepth < 1 || c.MaxDepth > 20:
		panic("nuts: tree depth outside 1 … 20")
	case !(c.Refine >= 0):
		panic("nuts: refinement below 0")
	case c.Metric > Dense:
		panic("nuts: unknown metric")
	}
}

// full reports whether the chain learns a full covariance.
func (c *Config) full(dim int) bool {
	return c.Metric == Dense || c.Metric == Auto && dim <= denseLimit
}

// hooks let tests observe a chain; a nil hook is not called. A hook must not keep the slices that it gets.
type hooks struct {
	// Draw is called after every draw of warm-up and sampling, with its position and statistics.
	Draw func(warmup bool, q []float64, s Stat)
	// Adapted is called at the end of each window with the new step size, and once more when warm-up ends.
	Adapted func(draw int, step float64)
}
