package adaptive

import (
	"context"
	"math"
	"slices"
	"sort"
	"strconv"
	"sync"

	"achilles/infer/layout"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// A Study simulates subjects of whom nothing is known: how well their capabilities would be known after how many items. The first of Models draws
// and has them; Settings.Items is the number of items that each takes.
type Study struct {
	Models     []Model
	Candidates *record.Items
	Settings   Settings
	Form       []int // candidates that all subjects take in this order
	Subjects   int
	Root       uint64
	Jobs       int                   // goroutines; nothing depends on it
	Progress   func(done, total int) // may be nil
}

// A Course is how well capabilities are known after each number of items of one order.
type Course struct {
	Order        string // Chosen, OfForm or AtRandom
	Capabilities []Capability
	Items        int
}

// The orders of a Course beside AtRandom.
const (
	Chosen = "chosen" // items are chosen for each subject
	OfForm = "form"   // all subjects take one form
)

// A Capability is how well one is known.
type Capability struct {
	Name  string
	Width float64   // of its range, or else its prior SD
	Most  float64   // greatest difference there can be, as a share of Width: 1, or else what 99 % of pairs of subjects have less than
	Prior float64   // SD before any response
	SD    []float64 // after 1, 2 … items: mean of the simulated subjects' posterior SD, as a share of Width
	Error []float64 // standard error of that mean
}

// Run simulates. The error is that of Check, of a fit, or of ctx.
func (s *Study) Run(ctx context.Context) ([]Course, error) {
	if err := Check(s.Models, s.Settings); err != nil {
		return nil, err
	}
	orders := []string{Chosen, OfForm, AtRandom}
	sds := make([][][][]float64, len(orders)) // [order][subject][items − 1][capability]
	for o := range sds {
		sds[o] = make([][][]float64, s.Subjects)
	}
	fails := make([]error, s.Subjects)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var group sync.WaitGroup
	var mu sync.Mutex
	next, done := 0, 0
	for range max(1, s.Jobs) {
		group.Go(func() {
			for {
				mu.Lock()
				k := next
				next++
				mu.Unlock()
				if k >= s.Subjects {
					return
				}
				for o, order := range orders {
					if fails[k] == nil {
						sds[o][k], fails[k] = s.follow(ctx, k, order)
					}
				}
				if fails[k] != nil {
					cancel()
				}
				mu.Lock()
				if done++; s.Progress != nil {
					s.Progress(done, s.Subjects)
				}
				mu.Unlock()
			}
		})
	}
	group.Wait()
	for _, err := range fails {
		if err != nil {
			return nil, err
		}
	}
	c, err := s.chooser(s.Models, "prior")
	if err != nil {
		return nil, err
	}
	q := c.models[0]
	var out []Course
	for o, order := range orders {
		course := Course{Order: order, Items: len(sds[o][0])}
		for k, j := range q.capabilities() {
			p := q.parameters()[j]
			x := Capability{Name: p.Name, Width: q.widths[j], Most: 1, Prior: spread(q.draws, q.at(j))}
			if math.IsInf(p.Range[1]-p.Range[0], 0) {
				x.Most = math.Sqrt2 * num.NormalQuantile(0.995)
			}
			for n := range course.Items {
				values := make([]float64, s.Subjects)
				for i := range values {
					values[i] = sds[o][i][n][k]
				}
				mean, v := num.Moments(values)
				x.SD, x.Error = append(x.SD, mean), append(x.Error, math.Sqrt(v/float64(len(values))))
			}
			course.Capabilities = append(course.Capabilities, x)
		}
		out = append(out, course)
	}
	return out, nil
}

func (s *Study) chooser(models []Model, subject string) (*Chooser, error) {
	settings := s.Settings
	settings.SD = 0
	return New(models, s.Candidates, settings, subject)
}

// follow lets one simulated subject take items in an order, and returns the SDs of the capabilities after each.
func (s *Study) follow(ctx context.Context, subject int, order string) (out [][]float64, err error) {
	value, err := s.responses(subject)
	if err != nil {
		return nil, err
	}
	n := s.Candidates.Len()
	of := rng.Stream(s.Root, "design", "order", strconv.Itoa(subject))
	list, models := s.Form, s.Models
	if order == AtRandom {
		list = of.Perm(n)
	}
	if first := s.Models[0]; order != Chosen && first.Fitted != nil { // all others of the list are never asked about
		first.Fitted = first.Fitted.of(list[:min(len(list), s.Settings.Items)])
		models = append([]Model{first}, s.Models[1:]...)
	}
	c, err := s.chooser(models, "simulated "+strconv.Itoa(subject))
	if err != nil {
		return nil, err
	}
	q := c.models[0]
	for k := range min(s.Settings.Items, n) {
		item, ok := 0, true
		if order == Chosen {
			item, ok = c.Next()
		} else if ok = k < len(list); ok {
			item = list[k]
		}
		if !ok {
			break
		}
		var responses []record.Response
		for m := range q.measures() {
			responses = append(responses, record.Response{Item: int32(item), Measure: layout.Recorded(q.joint(), m), Value: value[m*n+item]})
		}
		if err := c.Record(ctx, item, responses); err != nil {
			return nil, err
		}
		var now []float64
		sd := c.SD()
		for _, j := range q.capabilities() {
			now = append(now, sd[j]/q.widths[j])
		}
		out = append(out, now)
	}
	return out, nil
}

// responses draws a subject and its responses, by measure and item, the same in every order.
func (s *Study) responses(subject int) ([]float64, error) {
	r := rng.Stream(s.Root, "design", "subject", strconv.Itoa(subject))
	m := s.Models[0]
	q := &particles{items: s.Candidates, design: m.Design, fitted: m.Fitted, outcomes: m.outcomes(s.Candidates)}
	if q.byPosition() {
		return nil, ErrPosition(q.joint().Layout())
	}
	theta := make([]float64, q.joint().Len())
	if m.Fitted != nil {
		copy(theta, m.Fitted.Draws[r.IntN(len(m.Fitted.Draws))])
		layout.DrawSubjects(m.Fitted.Joint, &r, theta)
	} else {
		m.Design.DrawPrior(&r, theta)
	}
	predict, err := q.predictor()
	if err != nil {
		return nil, err
	}
	p := make([]float64, q.len())
	predict(theta, p)
	of := rng.Stream(s.Root, "design", "responses", strconv.Itoa(subject))
	var out []float64
	for m := range q.measures() {
		for i := range s.Candidates.Len() {
			out = append(out, q.draw(p, m, q.row(i), &of))
		}
	}
	return out, nil
}

// Reached returns the least number of items after which the mean SD of every capability is at most sd; 0: none.
func (c *Course) Reached(sd float64) int {
	for n := range c.Items {
		if !slices.ContainsFunc(c.Capabilities, func(x Capability) bool { return x.SD[n] > sd }) {
			return n + 1
		}
	}
	return 0
}

// Findable returns the difference between two subjects, as a share of the width, that is found with probability 0.8 after n items of each: that the
// posterior has P(A > B) ≥ 0.975. Posterior means are taken as shrunk by r = 1 − (SD/prior SD)², and errors as normal. It is +Inf if nothing is known.
func (x *Capability) Findable(n int) float64 { return x.findable(x.SD[n-1]) }

func (x *Capability) findable(sd float64) float64 {
	r := x.known(sd)
	if !(r > 0) {
		return math.Inf(1)
	}
	return float64(math.Sqrt2*sd*(num.NormalQuantile(0.975)+float64(num.NormalQuantile(0.8)*math.Sqrt(r)))) / r
}

// known returns the share of the variance of subjects that their posterior means have where the posterior SD is sd: the reliability.
func (x *Capability) known(sd float64) float64 {
	share := sd * x.Width / x.Prior
	return 1 - float64(share*share)
}

// PerGroup returns the number of subjects in each of two groups, all of whom take n items, with which a difference of the groups' means, as a share
// of the width, is found at level 0.05 with probability 0.8: a t test of the subjects' estimates, which vary by themselves and by their error. 0: not known.
func (x *Capability) PerGroup(n int, difference float64) int {
	r := x.known(x.SD[n-1])
	if !(r > 0) {
		return 0
	}
	between := x.Prior / x.Width
	z := num.NormalQuantile(0.975) + num.NormalQuantile(0.8)
	return max(2, int(math.Ceil(2*float64(z*z)*float64(between*between)/r/float64(difference*difference))))
}

// mostLike is the largest number of items that Like returns.
const mostLike = 10_000

// Like returns about how many items, which are like those of the course on average, it takes until every capability's posterior SD is enough: of k times
// as many, information is k times as much (Spearman 1910 and Brown 1910, British Journal of Psychology 3). It returns 0 where these say nothing of a
// capability, or where it would be more than 10,000.
func (c *Course) Like(enough func(x *Capability, sd float64) bool) int {
	n := 1 + sort.Search(mostLike, func(k int) bool {
		for i := range c.Capabilities {
			x := &c.Capabilities[i]
			prior, sd := x.Prior/x.Width, x.SD[c.Items-1]
			before := 1 / float64(prior*prior)
			gain := 1/float64(sd*sd) - before
			if !(gain > 0) || !enough(x, 1/math.Sqrt(before+float64(gain*float64(k+1)/float64(c.Items)))) {
				return false
			}
		}
		return true
	})
	if n > mostLike {
		return 0
	}
	return n
}
