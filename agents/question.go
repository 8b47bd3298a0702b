package agents

// A Question asks a subject to choose one of its options. Answering takes one action, without a world.
type Question struct {
	Brief   string   // one line that the subject is told
	Text    string   // the question itself
	Options []string // two or more, all different
	Seed    uint32   // for subjects that need random numbers

	Number, Of int // number of the question, from 0, and how many there are
}
