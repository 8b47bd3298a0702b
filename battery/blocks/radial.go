package blocks

// radialMaze is a radial maze that the subject walks itself (Olton and Samuelson 1976; Packard and White 1990). In every round some arms are
// open one after the other, and the subject takes the reward that is in each; then all arms are open, and the reward is in the one arm with
// rewards to which it has not been. Some arms never have one. Working memory of the round keeps it from arms where it has been, reference
// memory of the block from arms that never have a reward.
func radialMaze() paradigm {
	return paradigm{"own-radial-maze", func(b *block) {
		visits, unbaited := b.whole("visits"), b.whole("unbaited")
		n := visits + 1 + unbaited
		b.maze(n)
		baited := b.Perm(n)[:visits+1]
		for round := range b.whole("rounds") {
			order := b.Perm(len(baited))
			for i, k := range order[:visits] {
				b.trials = append(b.trials, trial{kind: "own-radial-maze-visit", open: []int{baited[k]}, right: baited[k], round: round, delay: shortly, visited: i})
			}
			b.trials = append(b.trials, trial{
				kind: "own-radial-maze-test", open: upTo(n), right: baited[order[visits]], round: round, delay: shortly, test: true, visited: visits, unbaited: unbaited,
			})
		}
	}}
}
