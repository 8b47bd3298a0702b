package layout

import "achilles/sim/record"

// Responses returns the responses that were given to the cells.
func (c *Cells) Responses() []record.Response { return c.given }
