package embodied

// Draw sets what capabilities amount to in the episode that a has begun.
func (a *Actor) Draw(memory, op, visual, endurance float64) {
	a.luck.memory, a.luck.op, a.luck.visual, a.luck.endurance = memory, op, visual, endurance
}
