package power

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"achilles/infer/compare"
	"achilles/infer/layout"
	"achilles/scenarios/generate"
	"achilles/scenarios/score"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// A Classifier classifies simulated responses to the items of a battery, as an inference with a candidate set does.
type Classifier struct {
	Items  *record.Items  // as they are published
	At     []int          // index in the battery of each of Items
	Bank   *compare.Bound // bound to Items
	Report *layout.Design // the layout of the profile, bound to Items
}

// NewClassifier returns a Classifier for the items of a session. The error says that the candidate set or the layout does not fit them,
// or that a candidate model names the position of a response, which simulated runs do not have.
func NewClassifier(s *generate.Session, bank *compare.Bank, report *layout.Layout) (*Classifier, error) {
	candidates, err := s.Candidates()
	if err != nil {
		return nil, err
	}
	items, measures := &candidates.Public.Items, candidates.Public.Manifest.Measures
	if bank.ByPosition(items) || report.ByPosition(items) {
		return nil, errors.New("the layout or a candidate model names the position of a response")
	}
	c := &Classifier{Items: items, At: candidates.ItemAt}
	if c.Bank, err = bank.Bind(items, measures); err == nil {
		c.Report, err = report.Bind(items, measures)
	}
	return c, err
}

// A Predicted has the classifications of a subject in simulated runs.
type Predicted struct {
	Subject
	Correct int            // number of runs in which the agent type is correct (score.Correct)
	Runs    int            // number of runs
	Weight  float64        // mean posterior probability of the agent type
	Wrong   map[string]int // classification → number of runs in which it is wrong
}

// Predict simulates runs of each subject that has an agent type, and classifies each: in a run the subject takes n items, drawn
// without replacement, once each. It leaves out subjects without an agent type. root is the root of the random streams; the result does not
// depend on jobs, the number of goroutines. progress may be nil. The error is that of the context or of a fit.
func (c *Classifier) Predict(ctx context.Context, subjects []Subject, n, runs int, root uint64, jobs int, progress func(done, total int)) ([]Predicted, error) {
	var out []Predicted
	for _, x := range subjects {
		if x.Family != "" {
			out = append(out, Predicted{Subject: x, Runs: runs, Wrong: map[string]int{}})
		}
	}
	verdicts, fails := make([]*compare.Verdict, len(out)*runs), make([]error, len(out)*runs)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var group sync.WaitGroup
	var mu sync.Mutex
	next, done := 0, 0
	for range max(jobs, 1) {
		group.Go(func() {
			for {
				mu.Lock()
				k := next
				next++
				mu.Unlock()
				if k >= len(verdicts) {
					return
				}
				if verdicts[k], fails[k] = c.run(ctx, &out[k/runs].Subject, n, root, strconv.Itoa(k%runs)); fails[k] != nil {
					cancel()
				}
				mu.Lock()
				if done++; progress != nil {
					progress(done, len(verdicts))
				}
				mu.Unlock()
			}
		})
	}
	group.Wait()
	for _, err := range fails {
		if err != nil {
			return nil, fmt.Errorf("power: %w", err)
		}
	}
	for i := range out {
		out[i].add(verdicts[i*runs:][:runs])
	}
	return out, nil
}

// run returns the verdict on one simulated run of a subject.
func (c *Classifier) run(ctx context.Context, x *Subject, n int, root uint64, run string) (*compare.Verdict, error) {
	r := rng.Stream(root, "power", "responses", x.Name, run)
	var responses []record.Response
	for _, i := range r.Perm(c.Items.Len())[:n] {
		a := record.Response{Item: int32(i)}
		if r.Bernoulli(x.P[c.At[i]]) {
			a.Value = 1
		}
		responses = append(responses, a)
	}
	fits, unvisited, err := c.Bank.Fit(ctx, responses, compare.Default(), root, "power", x.Name, run)
	if err != nil {
		return nil, err
	}
	r = rng.Stream(root, "power", "verdict", x.Name, run)
	v, _ := (&compare.Case{Subject: x.Name, Items: c.Items, Responses: responses, Bank: c.Bank, Fits: fits, Unvisited: unvisited, Report: c.Report}).Judge(&r)
	return v, nil
}

// add counts verdicts on the subject.
func (p *Predicted) add(verdicts []*compare.Verdict) {
	for _, v := range verdicts {
		if score.Correct(p.Family, v) {
			p.Correct++
		} else {
			p.Wrong[v.Family]++
		}
		for _, f := range v.Families {
			if f.Name == p.Family {
				p.Weight += f.Weight / float64(len(verdicts))
			}
		}
	}
}
