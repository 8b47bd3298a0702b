package blocks

// matching is delayed matching to sample, the sample being a place (Mishkin and Delacour 1975; Steele and Morris 1999): in every round one well
// is open, the sample, and the subject takes the reward that is in it; then, after a delay, several are open, and the reward is where it was. With
// interference the subject is sent to other wells between the two, with a reward each: to go to where the last one was is wrong then.
func matching() paradigm {
	return paradigm{"matching", func(b *block) {
		n := b.whole("others") + 1
		b.row(n)
		for round := range b.whole("rounds") {
			sample := b.IntN(n)
			b.trials = append(b.trials, trial{kind: "matching-sample", open: []int{sample}, right: sample, round: round, delay: shortly})
			between := int(b.pick("interference"))
			for i := range between {
				other := (sample + 1 + i%(n-1)) % n
				b.trials = append(b.trials, trial{kind: "matching-between", open: []int{other}, right: other, round: round, delay: shortly, visited: i + 1})
			}
			b.trials = append(b.trials, trial{kind: "matching-test", open: upTo(n), right: sample, round: round, delay: b.pick("delay"), test: true, visited: 1 + between})
		}
	}}
}
