package rivals

// NewLeftOut has these leave-one-out log densities, one a response.
func NewLeftOut(each ...float64) *LeftOut { return &LeftOut{each: each} }
