package external

import (
	"context"
	"time"
)

// SetClock replaces context.WithTimeout, also for the program that runs.
func (p *Player) SetClock(w func(context.Context, time.Duration) (context.Context, context.CancelFunc)) {
	p.within, p.program.within = w, w
}
