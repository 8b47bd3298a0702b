package blocks

// durations is what, where and when with durations that are learned over trials (Clayton and Dickinson 1998): in every trial two rewards, one
// better, are shown and hidden in two wells. Rewards of one colour perish after a certain time, which nothing but what the subject finds tells;
// rewards of another colour last. After a time half as long, the better one is still there, whatever its colour; after one half as long again, only if
// it lasts. So a third of the trials each asks to go for the better one because little time has passed, because it lasts, or not to go for it:
// who always goes for it, who goes by colour alone, and who goes by time alone, fails a third. They come in any order: in rounds of three the third would be known from the first two. In blocks in which rewards
// last long, the short time is as long as the long one in others.
func durations() paradigm {
	return paradigm{"own-durations", func(b *block) {
		const wells = 4
		b.row(wells)
		lasts := b.of("lasts")
		times := func(share float64) float64 { return float64(int(lasts*share*TicksPerTime+0.5)) / TicksPerTime } // in whole ticks
		colours := b.Perm(3)[:2]                                                                                  // that of rewards that perish, and of those that last
		for i, k := range b.Perm(3 * b.whole("rounds")) {
			late, perishing := k%3 > 0, k%3 < 2
			better, worse := colours[1], colours[0]
			if perishing {
				better, worse = worse, better
			}
			at := b.Perm(wells)
			t := trial{
				kind: "own-durations-trial", open: []int{min(at[0], at[1]), max(at[0], at[1])}, right: at[0], round: i, delay: times(0.5), shown: true, test: true,
				reward: reward{colour: better, value: 2}, other: &other{reward{worse, 1}, at[1], 0, b.IntN(2) == 0}, perishes: perishing,
			}
			if late {
				t.delay = times(1.5)
			}
			if late && perishing {
				t.reward, t.other.reward, t.other.lasts, t.phase = t.other.reward, t.reward, lasts, 1
			}
			b.trials = append(b.trials, t)
		}
	}}
}
