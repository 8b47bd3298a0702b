package blocks

// reversal is learning and reversal learning (Harlow 1949; Izquierdo and others 2017): the reward is out of sight in one of two wells. After
// a run of trials it is in the other, and with more than one reversal (serial reversal) it changes again. Nothing but what the subject found
// tells where it is. Trials of several pairs of wells alternate at random (concurrent discrimination), so that who goes to where the
// reward was in the trial before, whichever wells are open, fails half of them. The length of each run is drawn, so that neither the trial nor a
// reversal of another pair tells when the reward moves.
func reversal() paradigm {
	return paradigm{"reversal", func(b *block) {
		pairs := b.whole("pairs")
		b.row(2 * pairs)
		wells := b.Perm(2 * pairs) // those of a pair one after the other, that of the first reward first
		var turns []int            // the pairs of all trials
		phases := make([][]int, pairs)
		for pair := range pairs {
			for phase := range b.whole("reversals") + 1 {
				for range int(b.pick("run")) {
					turns, phases[pair] = append(turns, pair), append(phases[pair], phase)
				}
			}
		}
		for _, k := range b.Perm(len(turns)) {
			pair := turns[k]
			phase := phases[pair][0]
			phases[pair] = phases[pair][1:]
			open := []int{min(wells[2*pair], wells[2*pair+1]), max(wells[2*pair], wells[2*pair+1])}
			b.trials = append(b.trials, trial{
				kind: "reversal-trial", open: open, right: wells[2*pair+phase%2], round: len(b.trials), phase: phase, pair: pair, delay: shortly, test: true,
			})
		}
	}}
}
