package battery

// The names of features by which trials of a battery belong together. Items that follow each other and have the same BlockFeature are the
// trials of a block: every subject takes them in this order, and what it did in one can matter in those after it. RoundFeature is the round
// of the block, PhaseFeature how often what is right has changed in the block, PairFeature the number of
// a pair of places of which one is right (optional), and WellFeature the number of the right place, which is the same for all trials of the block.
const (
	BlockFeature = "block"
	RoundFeature = "round"
	PhaseFeature = "phase"
	PairFeature  = "pair"
	WellFeature  = "well"
)

// Blocks says which trials of a battery belong together.
type Blocks struct {
	First []int32 // by item: index of the first item of its block
	Round []int32 // by item: round of the block
}

// Blocks returns the blocks of the battery; nil if it has none.
func (b *Battery) Blocks() *Blocks {
	block, ok := b.Feature(BlockFeature)
	round, has := b.Feature(RoundFeature)
	if !ok || !has {
		return nil
	}
	n := b.Items.Len()
	out := &Blocks{make([]int32, n), make([]int32, n)}
	last := 0.0
	for i := range n {
		values := b.Items.Values(i)
		out.First[i], out.Round[i] = int32(i), int32(values.At(round).Number)
		now := values.At(block).Number
		if i > 0 && now == last {
			out.First[i] = out.First[i-1]
		}
		last = now
	}
	return out
}
