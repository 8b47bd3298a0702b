package accuracy

import (
	"math"

	"achilles/sim/num"
)

// A Task is a question with one right answer.
type Task struct {
	Difficulty float64   // in bits, at least 0
	Answers    int       // number of answers, at least 2
	Guess      *float64  // chance that a blind guess is right, at least 0, below 1; nil: 1/Answers
	Weights    []float64 // weights of the components of an ability (Ability.For); nil: there is one component
	Sum        bool      // abilities count by their weighted sum, as Chmait et al. print it, and not by their weighted mean
}

// at returns the task with another difficulty.
func (t Task) at(difficulty float64) Task {
	t.Difficulty = difficulty
	return t
}

// guess returns the probability that a blind guess is right.
func (t Task) guess() float64 {
	if t.Guess != nil {
		return *t.Guess
	}
	return 1 / float64(t.Answers)
}

// counts returns the ability that counts in the task.
func (t Task) counts(a Ability) float64 {
	x := a.For(t.Weights)
	if t.Sum && t.Weights != nil {
		total := 0.0
		for _, w := range t.Weights {
			total += w
		}
		x *= total
	}
	return x
}

// Chance returns the probability that an agent of ability α answers a task right (Chmait et al. 2017, equation 1):
//
//	P(D, α, m) = 1/m + e^(−D/α) (1 − 1/m),
//
// where D is the difficulty and m the number of answers; the task's own Guess stands for 1/m if it has one. P is 1 at difficulty 0. If α
// is 0, P is that of a guess at every difficulty above 0.
func Chance(t Task, ability float64) float64 {
	if ability <= 0 {
		if t.Difficulty == 0 {
			return 1
		}
		return t.guess()
	}
	return t.guess() + float64(num.Exp(-t.Difficulty/ability)*(1-t.guess()))
}

// logit returns ln((p − g)/(1 − g)), which is −D/α for p = P(D, α) with guesses right with probability g: 0 at p = 1 and −Inf for p ≤ g.
func logit(p, g float64) float64 {
	// p − g = (1 − g) − (1 − p), which loses no digits near p = 1.
	x := (1 - p) / (1 - g)
	if !(x < 1) {
		return math.Inf(-1)
	}
	return num.Log1p(-x)
}

// Hardest returns the largest difficulty at which an agent answers right with probability p or more:
// D = −α ln((m p − 1)/(m − 1)). It is +Inf for p ≤ 1/m, which guessing reaches, and NaN for p above 1.
func Hardest(p float64, ability float64, answers int) float64 {
	g := 1 / float64(answers)
	switch {
	case !(p <= 1):
		return math.NaN()
	case p <= g:
		return math.Inf(1)
	case p == 1:
		return 0
	}
	return -ability * logit(p, g)
}

// Needed returns the least ability that answers a task right with probability p or more: −D / ln((m p − 1)/(m − 1)). It
// is 0 if guessing reaches p or the difficulty is 0, +Inf for p = 1 at a difficulty above 0, and NaN for p above 1.
func Needed(p float64, t Task) float64 {
	switch {
	case !(p <= 1):
		return math.NaN()
	case t.Difficulty == 0 || p <= t.guess():
		return 0
	}
	return -t.Difficulty / logit(p, t.guess())
}

// Mean returns the probability that an agent answers right, averaged over the difficulties from low to high, on tasks that otherwise equal t.
func Mean(low, high float64, ability float64, t Task) float64 {
	if low == high {
		return Chance(t.at(low), ability)
	}
	g := t.guess()
	area := ability * (num.Exp(-low/ability) - num.Exp(-high/ability))
	return g + float64((1-g)*area)/(high-low)
}

// Ability is a vector of abilities, in bits. What counts in a task is their mean with the task's weights (For).
type Ability []float64

// For returns the ability that counts in a task: the mean with the weights of the task, which must not be negative nor
// all 0. Without weights the ability must have one component. It panics if weights and abilities differ in number.
func (a Ability) For(weights []float64) float64 {
	if len(weights) == 0 && len(a) == 1 {
		return a[0]
	}
	if len(weights) != len(a) {
		panic("accuracy: as many weights as abilities")
	}
	sum, total := 0.0, 0.0
	for i, w := range weights {
		sum += float64(w * a[i])
		total += w
	}
	return sum / total
}
