package blocks

// reversal is learning and reversal learning (Harlow 1949; Izquierdo and others 2017): the reward is out of sight in one of two wells. After
// a run of trials it is in the other, and with more than one reversal (serial reversal) it changes again. Nothing but what the subject found
// tells where it is.
func reversal() paradigm {
	return paradigm{"reversal", func(b *block) {
		b.row(2)
		first := b.IntN(2)
		for phase := range b.whole("reversals") + 1 {
			for range b.whole("run") {
				b.trials = append(b.trials, trial{
					kind: "reversal-trial", open: []int{0, 1}, right: (first + phase) % 2, round: len(b.trials), phase: phase, delay: shortly, test: true,
				})
			}
		}
	}}
}
