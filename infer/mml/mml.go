// Package mml fits models of item response theory by marginal maximum likelihood: abilities are integrated out over their normal
// distribution, and item parameters are those under which the responses are most probable (Bock and Aitkin 1981). It takes numbers
// and returns numbers, and tests how well the model fits items, subjects, pairs of items and the whole.
package mml

import (
	"errors"
	"fmt"
	"slices"
)

// A Model says how the probability of a response follows from a subject's ability θ, which is standard normal in the first group.
// F is the logistic function, a a slope, d an intercept.
type Model string

// The models. Binary items are coded 0 and 1, ordered ones 0, 1, 2 …
const (
	Rasch Model = "rasch" // F(a·θ + d), one slope for all items: a is the standard deviation of abilities in log odds (Rasch 1960)
	TwoPL Model = "2pl"   // F(a·θ + d) (Birnbaum 1968)
	// ThreePL has c + (1 − c)·F(a·θ + d), with a guessing parameter c.
	ThreePL Model = "3pl"
	Graded  Model = "grm"  // P(category ≥ k) = F(a·θ + d_k) (Samejima 1969)
	Partial Model = "pcm"  // log odds of category k against k−1 are a·θ + d_k, one slope for all items (Masters 1982)
	General Model = "gpcm" // the same, and each item has its slope (Muraki 1992)
)

// Models lists the models.
func Models() []Model { return []Model{Rasch, TwoPL, ThreePL, Graded, Partial, General} }

// OneSlope reports whether all items of a model have one slope.
func (m Model) OneSlope() bool { return m == Rasch || m == Partial }

// Ordered reports whether items of a model may have more than two categories.
func (m Model) Ordered() bool { return m == Graded || m == Partial || m == General }

// Data are the responses of subjects to items.
type Data struct {
	Categories []int    // of each item, from 2; each category occurs
	Responses  [][]int8 // subject × item: a category, or −1 if there is no response
	Again      []Again  // further responses of subjects to items
	// Alike is the correlation, beyond ability, of responses of a subject to one item: n of them count as n/(1 + (n−1)·Alike) in the
	// likelihood, 0 as n, 1 as one (quasi-likelihood; Williams 1982, Applied Statistics 31).
	Alike  float64
	Group  []int     // of each subject, from 0; nil: all are of one group
	Weight []float64 // how many subjects have these responses; nil: one
}

// An Again is a further response of a subject to an item, or so many alike. In tests of items, of pairs and of subjects the one in Responses stands
// for all.
type Again struct {
	Subject, Item int32
	Category      int8
	Times         int32 // 0 is 1
}

func (x Again) times() int32 { return max(1, x.Times) }

// Settings say what is fitted.
type Settings struct {
	Model Model
	// Loads says which abilities an item has a slope on: item × ability, at most three. Abilities correlate freely if each item has one
	// alone, and are independent otherwise. nil: one ability.
	Loads [][]bool
	// Guess and GuessWeight are the prior of guessing parameters, Beta(1 + Guess·GuessWeight, 1 + (1−Guess)·GuessWeight), whose mode is
	// Guess. A weight of 0 is no prior. It counts for 3pl alone.
	Guess, GuessWeight float64
	// Known has items whose parameters are not estimated, nil where they are. If there is one, ability has a mean and a standard deviation
	// of its own in every group, the first included.
	Known []*Item
	// Start is a fit with the same items, from which the climb begins; nil: from the responses.
	Start *Fit
}

// An Item has the parameters of an item, with the standard errors of those that were estimated (0: none).
type Item struct {
	Slope     []float64 // a, one for each ability; 0 where the item has none
	Intercept []float64 // d, one for each category but the first
	Guess     float64   // c
	SlopeSE   []float64
	// Difficulty has −d/a where there is one ability, in its standard deviations; of one slope for all, −d, in log odds.
	Difficulty   []float64
	InterceptSE  []float64
	DifficultySE []float64
	GuessSE      float64
	Bound        string // why an estimate lies at a bound, where it says nothing more; "": none does
}

// A Group is the distribution of ability in a group of subjects. The first has mean 0 and standard deviation 1, without errors, unless
// items are known.
type Group struct{ Mean, SD, MeanSE, SDSE float64 }

// A Fit is what was estimated.
type Fit struct {
	Model        Model
	Items        []Item
	Groups       []Group
	Correlations [][]float64 // of abilities
	Spread       float64     // of abilities in log odds, where all items have one slope and one ability; otherwise 0
	SpreadSE     float64
	LogLik       float64 // of the responses, without priors
	AIC, BIC     float64
	Parameters   int     // that were estimated
	Subjects     float64 // with a response
	Patterns     int     // different ones
	Nodes        int     // of the integration, for each ability
	Steps        int     // of the climb
	Gain         float64 // what a further step of Newton's method would add to the log likelihood
	Converged    bool
	Blocks       bool // whether errors of an item allow for no error of others, because there are too many parameters

	e     *engine
	rough bool                   // whether its log likelihood alone is wanted, near that of another fit
	cov   func(a, b int) float64 // covariance of estimates, by their index in the parameters
}

// mostAbilities is the largest number of abilities of a subject.
const mostAbilities = 3

// check returns an error if data and settings do not go together.
func (d *Data) check(s *Settings) error {
	if len(d.Categories) == 0 || len(d.Responses) == 0 {
		return errors.New("there must be an item and a subject")
	}
	if !slices.Contains(Models(), s.Model) {
		return fmt.Errorf("model %q is not one of %v", s.Model, Models())
	}
	for i, k := range d.Categories {
		if k < 2 || k > 2 && !s.Model.Ordered() {
			return fmt.Errorf("item %d has %d categories, which %s has no model for", i+1, k, s.Model)
		}
	}
	if d.Group != nil && len(d.Group) != len(d.Responses) || d.Weight != nil && len(d.Weight) != len(d.Responses) {
		return errors.New("there must be a group and a weight for each subject")
	}
	for n, row := range d.Responses {
		if len(row) != len(d.Categories) {
			return fmt.Errorf("subject %d has %d responses for %d items", n+1, len(row), len(d.Categories))
		}
		for i, y := range row {
			if int(y) < -1 || int(y) >= d.Categories[i] {
				return fmt.Errorf("subject %d, item %d: category %d of %d", n+1, i+1, y, d.Categories[i])
			}
		}
	}
	for _, x := range d.Again {
		if x.Category < 0 || int(x.Category) >= d.Categories[x.Item] || d.Responses[x.Subject][x.Item] < 0 || x.Times < 0 {
			return fmt.Errorf("subject %d, item %d: a further response of category %d of %d", x.Subject+1, x.Item+1, x.Category, d.Categories[x.Item])
		}
	}
	for i, l := range s.Loads {
		if len(l) != len(s.Loads[0]) || len(l) > mostAbilities || !slices.Contains(l, true) {
			return fmt.Errorf("item %d: it must have one to %d abilities", i+1, mostAbilities)
		}
	}
	switch {
	case s.Loads != nil && len(s.Loads) != len(d.Categories), s.Known != nil && len(s.Known) != len(d.Categories):
		return errors.New("abilities and known parameters must be said of each item")
	case s.Loads != nil && len(s.Loads[0]) > 1 && (slices.ContainsFunc(d.Group, func(g int) bool { return g > 0 }) || s.Known != nil):
		return errors.New("several abilities have one group and no known items")
	}
	return nil
}

// count returns the number of groups.
func (d *Data) groups() int {
	if d.Group == nil {
		return 1
	}
	return slices.Max(d.Group) + 1
}
