package misfit

// expectations has the expected response of every class in every posterior draw. Draws that take too much memory together are
// computed again whenever one is wanted.
type expectations struct {
	data *Data
	held [][]float64 // [draw][class]; nil: computed when wanted
	one  []float64   // [class] the draw that was wanted last, if none are held
}

// newExpectations returns the expectations, and the averages over draws of the means and variances of each class. It holds draws only
// if they have at most most numbers.
func newExpectations(d *Data, most int) (e *expectations, mean, variance []float64) {
	e = &expectations{data: d, one: make([]float64, d.Classes)}
	mean, variance = make([]float64, d.Classes), make([]float64, d.Classes)
	v := make([]float64, d.Classes)
	hold := d.Draws*d.Classes <= most
	for m := range d.Draws {
		if hold {
			e.one = make([]float64, d.Classes)
			e.held = append(e.held, e.one)
		}
		d.Moments(m, e.one, v)
		for c, x := range e.one {
			mean[c] += x / float64(d.Draws)
			variance[c] += v[c] / float64(d.Draws)
		}
	}
	return e, mean, variance
}

// draw returns the expected response of each class in a draw. It is valid until the next call, and must not be changed.
func (e *expectations) draw(m int) []float64 {
	if e.held != nil {
		return e.held[m]
	}
	e.data.Moments(m, e.one, nil)
	return e.one
}
