package nuts

// A Stat describes the trajectory of one draw.
type Stat struct {
	LogDensity float64 // log density of the target at the draw
	Energy     float64 // Hamiltonian of the draw: −LogDensity + ½|momentum|²
	Accept     float64 // mean acceptance probability of the new states of the trajectory, in [0, 1]
	Depth      int     // number of doublings
	Leapfrogs  int     // number of steps, each with one call of LogDensity
	Divergent  bool    // the trajectory ended because its energy error was too large
	Saturated  bool    // the trajectory reached Config.MaxDepth without a U-turn
}

// A Chain has the draws of a Sampler.
type Chain struct {
	Draws           [][]float64 // [draw][coordinate]
	Stats           []Stat      // one for every draw
	Step            float64     // step size after warm-up
	Gradients       int         // number of calls of LogDensity after warm-up
	WarmupGradients int         // number of calls of LogDensity until the end of warm-up
	WarmupDivergent int         // number of divergent trajectories in warm-up
}

// Energies returns the energy of every draw, for diag.EBFMI.
func (c *Chain) Energies() []float64 {
	e := make([]float64, len(c.Stats))
	for i, s := range c.Stats {
		e[i] = s.Energy
	}
	return e
}

// Divergent returns the indices of the draws whose trajectory diverged, in ascending order.
func (c *Chain) Divergent() (draws []int) {
	for i, s := range c.Stats {
		if s.Divergent {
			draws = append(draws, i)
		}
	}
	return draws
}
