package bib

// SetTries sets the number of layouts that are drawn for an episode.
func (g *Generator) SetTries(n int) { g.tries = n }
