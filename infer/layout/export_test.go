package layout

// Image writes the image of q to to.
func (m *Mirror) Image(j *Joint, q, to []float64) { m.image(j, q, to, nil) }
