package agents

// A Question asks a subject for one of its options. Whoever answers it acts once, without a world.
type Question struct {
	Brief   string   // what a subject is told, in one line
	Text    string   // what is asked
	Options []string // to answer with: two or more, all different
	Seed    uint32   // for whoever needs random numbers

	Number, Of int // which question of how many it is, from 0
}
