package generate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"achilles/battery"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// publicResponses gives the responses of one published subject after another, some at a time, sorted as in a record.Dataset. What it
// gives is valid until it gives the next. Up to jobs goroutines prepare it. It calls acted before it reads an outcome.
func (s *Session) publicResponses(ctx context.Context, id *identity, reasons []string, jobs int, acted func() error) iter.Seq2[[]record.Response, error] {
	if len(s.Responses) == 0 && s.taken != nil {
		return s.publicTaken(ctx, id, reasons, jobs, acted)
	}
	bySubject := func(a, b Response) int { return a.Subject - b.Subject }
	all := s.Responses
	if !slices.IsSortedFunc(all, bySubject) {
		all = slices.SortedStableFunc(slices.Values(all), bySubject)
	}
	return func(yield func([]record.Response, error) bool) {
		if err := acted(); err != nil {
			yield(nil, err)
			return
		}
		if n := len(all) - 1; n >= 0 && (all[0].Subject < 0 || all[n].Subject >= len(s.Subjects)) {
			yield(nil, fmt.Errorf("responses name subjects %d … %d: the session has no such", all[0].Subject, all[n].Subject))
			return
		}
		split, visits := newSplitter(s, id), s.visits()
		var out []record.Response
		for _, subject := range id.subjectAt {
			first, _ := slices.BinarySearchFunc(all, subject, func(r Response, subject int) int { return r.Subject - subject })
			last, _ := slices.BinarySearchFunc(all, subject+1, func(r Response, subject int) int { return r.Subject - subject })
			out = out[:0]
			for r := range s.of(subject, all[first:last]) {
				x, err := s.publicResponse(r, id, reasons, visits)
				if err != nil {
					yield(nil, err)
					return
				}
				x.Split = split.of(r.Subject, r.Item)
				out = append(out, x)
			}
			record.Sort(out)
			if !yield(out, nil) {
				return
			}
		}
	}
}

// publicResponse returns what is published of a response, but for its split.
func (s *Session) publicResponse(r Response, id *identity, reasons, visits []string) (x record.Response, err error) {
	if r.Item < 0 || r.Item >= s.Battery.Items.Len() || r.Measure < 0 || r.Measure >= len(s.Battery.Measure) {
		return x, fmt.Errorf("a response names item %d, measure %d: the session has no such", r.Item, r.Measure)
	}
	it := s.Battery.Items.At(r.Item)
	trial, err := trialIn(&it, r.Trial)
	if err != nil {
		return x, err
	}
	public := id.publicTrial(r.Item, r.Trial)
	if err := fits(&it, r.Trial, public, r.Repetition, r.Position, trial.Pair); err != nil {
		return x, err
	}
	return record.Response{
		Subject: id.subjectRow[r.Subject], Item: id.itemRow[r.Item], Trial: int16(public), Repetition: int16(r.Repetition), Position: int32(r.Position),
		Pair: int32(trial.Pair), Measure: uint8(r.Measure), Phase: trial.Phase,
		Unscored: uint8(slices.Index(reasons, r.Unscored)), Value: r.Value, Chosen: r.Chosen.public(visits),
	}, nil
}

// trialIn returns a trial of an item. An item without trials has one test trial.
func trialIn(it *battery.Item, trial int) (battery.Trial, error) {
	if len(it.Trials) == 0 && trial == 0 {
		return battery.Trial{}, nil
	}
	if trial < 0 || trial >= len(it.Trials) {
		return battery.Trial{}, fmt.Errorf("item %q has no trial %d", it.Name, trial)
	}
	return it.Trials[trial], nil
}

// fits returns an error if a number of a response does not fit the format.
func fits(it *battery.Item, trial, public, repetition, position, pair int) error {
	if public > math.MaxInt16 || repetition < 0 || repetition > math.MaxInt16 || position < 0 || position > math.MaxInt32 || pair < 0 || pair > math.MaxInt32 {
		return fmt.Errorf("item %q: trial %d, repetition %d, position %d, pair %d: too large for the format", it.Name, trial, repetition, position, pair)
	}
	return nil
}

// atOnce is the number of responses that publicTaken gives at a time.
const atOnce = 1 << 12

// publicTaken is publicResponses for those that Run has recorded, or will have once acted has returned. What does not depend on outcomes
// is prepared before.
func (s *Session) publicTaken(ctx context.Context, id *identity, reasons []string, jobs int, acted func() error) iter.Seq2[[]record.Response, error] {
	t := s.taken
	return func(yield func([]record.Response, error) bool) {
		lists, err := s.publishedLists(id)
		if err != nil {
			yield(nil, err)
			return
		}
		var outcomes [256]outcome
		var visits []uint32
		block := make([]record.Response, 0, atOnce)
		err = battery.InOrder(ctx, jobs, jobs, len(id.subjectAt), func() *splitter { return newSplitter(s, id) },
			func(split *splitter, row int) *presented { return s.present(id, split, row, lists[row]) },
			func(row int, p *presented) error {
				if row == 0 {
					if err := acted(); err != nil {
						return err
					}
					outcomes, visits = t.outcomes(reasons), t.visitRows(s.visits())
				}
				subject, of, k := id.subjectAt[row], t.trials[id.subjectAt[row]], 0
				for _, x := range lists[row] {
					item := of[x.index].item
					for rep := range t.repetitions {
						i := int(x.index)*t.repetitions + rep
						out, went := outcomes[t.outcome[t.index(subject, i)]], record.Chosen{}
						if t.chosen != nil {
							if went = t.chosen[t.index(subject, i)]; went.Visited > 0 {
								went.Visited = visits[went.Visited]
							}
						}
						block = append(block, record.Response{
							Subject: int32(row), Item: id.itemRow[item], Trial: x.number, Repetition: int16(rep), Position: p.places[i],
							Pair: x.pair, Phase: x.phase, Split: p.split[k], Unscored: out.unscored, Value: out.value, Chosen: went,
						})
						if k++; len(block) < atOnce {
							continue
						}
						if !yield(block, nil) {
							return errEnough
						}
						block = block[:0]
					}
				}
				return nil
			})
		switch {
		case errors.Is(err, errEnough):
		case err != nil:
			yield(nil, err)
		case len(block) > 0:
			yield(block, nil)
		}
	}
}

// errEnough ends a loop over what is published of responses.
var errEnough = errors.New("generate: no more responses are wanted")

// publishedLists returns the trials that each published subject takes, in the order of publication. Subjects share lists.
func (s *Session) publishedLists(id *identity) ([][]publishedTrial, error) {
	lists := make([][]publishedTrial, len(id.subjectAt))
	var first []int // rows of the first subjects of each list
	for row, subject := range id.subjectAt {
		of := s.taken.trials[subject]
		if k := slices.IndexFunc(first, func(r int) bool { return same(of, s.taken.trials[id.subjectAt[r]]) }); k >= 0 {
			lists[row] = lists[first[k]]
			continue
		}
		var err error
		if lists[row], err = s.publishedTrials(id, of); err != nil {
			return nil, err
		}
		first = append(first, row)
	}
	return lists, nil
}

// A presented has what responses of one subject need besides their outcomes: by response the place in the subject's sequence, and in the
// order of publication the split.
type presented struct {
	places []int32
	split  []record.Split
}

// present returns what responses of the subject in a row need besides their outcomes.
func (s *Session) present(id *identity, split *splitter, row int, list []publishedTrial) *presented {
	subject, t := id.subjectAt[row], s.taken
	p := &presented{places: t.placesOf(subject), split: make([]record.Split, 0, len(list)*t.repetitions)}
	for _, x := range list {
		for range t.repetitions {
			p.split = append(p.split, split.of(subject, t.trials[subject][x.index].item))
		}
	}
	return p
}

// same reports whether two lists are one.
func same(a, b []slot) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// A publishedTrial has what all responses to a trial have in common.
type publishedTrial struct {
	index  int32 // in the list of trials of a subject
	pair   int32
	number int16
	phase  record.Phase
}

// publishedTrials returns the trials of a list, which is sorted by item, in the order of publication.
func (s *Session) publishedTrials(id *identity, list []slot) ([]publishedTrial, error) {
	first := make([]int32, s.Battery.Items.Len()+1) // by item: index in the list of its first trial, or of what follows it
	for i, item := 0, 0; item < len(first); item++ {
		for i < len(list) && list[i].item < item {
			i++
		}
		first[item] = int32(i)
	}
	out, it := make([]publishedTrial, 0, len(list)), battery.Item{}
	for _, item := range id.itemAt {
		from, to := first[item], first[item+1]
		if from == to {
			continue
		}
		s.Battery.Items.Read(item, &it)
		for i := from; i < to; i++ {
			trial, err := trialIn(&it, list[i].trial)
			if err != nil {
				return nil, err
			}
			public := id.publicTrial(item, list[i].trial)
			if err := fits(&it, list[i].trial, public, s.taken.repetitions-1, 0, trial.Pair); err != nil {
				return nil, err
			}
			out = append(out, publishedTrial{i, int32(trial.Pair), int16(public), trial.Phase})
		}
		slices.SortFunc(out[len(out)-int(to-from):], func(a, b publishedTrial) int { return cmp.Compare(a.number, b.number) })
	}
	return out, nil
}

// A splitter decides which responses are held out: all responses of a subject to an item, or a block of items, together, with probability
// share. If items is true, an item is held out for all subjects or for none.
type splitter struct {
	id            *identity
	share         float64
	items         bool
	subject, item int
	seed          uint64 // seed for the split of the current subject
	last          record.Split
}

func newSplitter(s *Session, id *identity) *splitter {
	share := s.HoldOut
	if share == 0 {
		share = DefaultHoldOut
	}
	return &splitter{id: id, share: share, items: s.HoldOutItems, subject: -1}
}

func (p *splitter) of(subject, item int) record.Split {
	if p.share < 0 {
		return record.Fit
	}
	if subject != p.subject {
		p.subject, p.item = subject, -1
		if p.items {
			p.seed = p.id.key.Seed("split items")
		} else {
			p.seed = p.id.key.Seed("split", p.id.subject[subject])
		}
	}
	if item != p.item {
		p.item, p.last = item, record.Fit
		if coin := rng.Stream(p.seed, p.id.item[p.id.unit(item)]); coin.Bernoulli(p.share) {
			p.last = record.HeldOut
		}
	}
	return p.last
}
