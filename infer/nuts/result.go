package nuts

// Stat tells how one draw came about.
type Stat struct {
	LogDensity float64 // at the draw
	Energy     float64 // Hamiltonian of the draw: −LogDensity + ½|momentum|²
	Accept     float64 // mean acceptance of the states of its trajectory, in [0, 1]
	Depth      int     // completed doublings
	Leapfrogs  int     // gradients
	Divergent  bool    // the trajectory ended because the integration lost the energy
	Saturated  bool    // the trajectory was still moving on at the largest depth allowed
}

// Chain is what one call of Sample made.
type Chain struct {
	Draws           [][]float64 // [draw][coordinate]
	Stats           []Stat      // one a draw
	Step            float64     // step size after warm-up
	Gradients       int         // calls of LogDensity while sampling
	WarmupGradients int         // calls before
	WarmupDivergent int         // divergent trajectories before
}

// Energies returns the energy of every draw, for diag.EBFMI.
func (c *Chain) Energies() []float64 {
	e := make([]float64, len(c.Stats))
	for i, s := range c.Stats {
		e[i] = s.Energy
	}
	return e
}

// Divergences returns the number of divergent trajectories after warm-up.
func (c *Chain) Divergences() int {
	n := 0
	for _, s := range c.Stats {
		if s.Divergent {
			n++
		}
	}
	return n
}
