package blocks

// aNotB is A not B with reaches of its own (Piaget 1954; Diamond 1985): in full view the reward is hidden in well A, and the subject fetches it
// there, several times; then it is hidden in B. The habit is what the subject has found in A itself, and the longer the reward is out of sight,
// the more the habit weighs (Munakata 1998). All trials of a block have one delay, as in Diamond's tests, so that it does not tell that this is B.
func aNotB() paradigm {
	return paradigm{"own-a-not-b", func(b *block) {
		n := b.whole("others") + 1
		b.row(n)
		wells := b.Perm(n)
		all := upTo(n)
		for i := range b.whole("reaches") {
			b.trials = append(b.trials, trial{kind: "own-a-not-b-reach", open: all, right: wells[0], round: i, delay: b.of("delay"), shown: true})
		}
		b.trials = append(b.trials, trial{kind: "own-a-not-b-test", open: all, right: wells[1], round: len(b.trials), phase: 1, delay: b.of("delay"), shown: true, test: true})
	}}
}

// upTo returns 0, 1 … n−1.
func upTo(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}
