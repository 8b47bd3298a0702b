package generate

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"sync"

	"achilles/battery"
	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// PublishTo makes the files of a public and of a sealed directory from a session. No other function makes data for
// inference from a session: subjects and items get opaque ids and are sorted by them, and fields tagged sealed are left
// out. The public manifest is written last and commits to the sealed files by their Merkle digest.
//
// Up to jobs goroutines let bodies act, replay the episodes and make the scenes; no byte depends on their number, and few episodes are
// in memory at a time. progress is called with the number of finished shards of scenes, or of finished items if bodies have not acted
// before; it may be nil.
func PublishTo(ctx context.Context, s *Session, jobs int, progress func(done, total int), create results.Create) error {
	if err := publish(ctx, s, jobs, progress, untilCancelled(ctx, create)); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	return nil
}

func publish(ctx context.Context, s *Session, jobs int, progress func(done, total int), create results.Create) error {
	id, err := s.identify()
	if err != nil {
		return err
	}
	shards, labels, err := publishScenes(ctx, s, id, jobs, progress, create)
	if err != nil {
		return err
	}
	acts, err := s.history(id)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	create = oneByOne(create)
	late := s.acting != nil && s.acting.told != nil
	if !late {
		progress = nil
	}
	trials := sync.OnceValues(func() (trialFiles, error) { return acts.publishTrials(ctx, jobs, progress, create) })
	truth := sync.OnceValues(func() (record.File, error) {
		return s.seal(id, labels, func() ([]record.File, error) {
			files, err := trials()
			return files.sealed, err
		}, create)
	})
	if jobs > 1 { // beside the tables
		go trials()
		go truth()
	}
	acted := func() error { return nil }
	if late {
		acted = func() error {
			_, err := trials()
			return err
		}
	}
	err = publishTables(s, id, create, shards, acted, func(d *record.Dataset) ([]record.File, error) {
		files, err := trials()
		if err != nil {
			return nil, err
		}
		sealed, err := truth()
		d.Manifest.Sealed = seal.Merkle(append(files.sealed, sealed))
		return files.public, err
	})
	cancel()
	if jobs > 1 { // leaves no goroutine after an error
		_, _ = trials()
		_, _ = truth()
	}
	return err
}

// publishTables writes the tables and then the manifest. It calls acted before it writes responses, and late between the tables and the
// manifest, for files that are not in others and to seal.
func publishTables(s *Session, id *identity, create results.Create, others []record.File, acted func() error, late func(*record.Dataset) ([]record.File, error)) error {
	d := redact(s, id)
	var rows *record.Rows
	if s.responses() > 0 {
		rows = &record.Rows{Each: after(acted, s.publicResponses(id, d.Reasons))}
	}
	public := func(path string) (io.WriteCloser, error) { return create(seal.PublicPart, path) }
	return record.WriteBeside(d, rows, public, others, func() ([]record.File, error) {
		d.Items = record.Items{} // is written
		return late(d)
	})
}

// after gives what each gives, once first has returned, or its error.
func after(first func() error, each iter.Seq2[[]record.Response, error]) iter.Seq2[[]record.Response, error] {
	return func(yield func([]record.Response, error) bool) {
		if err := first(); err != nil {
			yield(nil, err)
			return
		}
		each(yield)
	}
}

// redact returns the public data set. It copies, field by field, what may be public. Of the items it has the ids, and makes the rest
// when it is written.
func redact(s *Session, id *identity) *record.Dataset {
	d := &record.Dataset{Items: record.Items{ID: make([]string, 0, len(id.itemAt))}}
	d.Manifest.Features, d.Manifest.Measures = s.Battery.Schema, s.Battery.Measure
	for _, i := range id.itemAt {
		d.Items.ID = append(d.Items.ID, id.item[i])
	}
	d.Items.Make = (&transposer{&s.Battery, id.itemAt, d.Items.ID}).rows
	for _, i := range id.subjectAt {
		d.Subjects = append(d.Subjects, id.subject[i])
	}
	d.Reasons = s.reasons()
	return d
}

// reasons returns why responses are not scored: an empty text for those that are, then every reason that occurs, sorted.
func (s *Session) reasons() []string {
	list := []string{""}
	for _, r := range s.Responses {
		if !slices.Contains(list, r.Unscored) {
			list = append(list, r.Unscored)
		}
	}
	if s.taken != nil {
		list = append(list, s.taken.given()...)
	}
	slices.Sort(list[1:])
	return slices.Compact(list)
}

// publicResponses gives the responses of one published subject after another, some at a time, sorted as in a record.Dataset. What it
// gives is valid until it gives the next.
func (s *Session) publicResponses(id *identity, reasons []string) iter.Seq2[[]record.Response, error] {
	if len(s.Responses) == 0 && s.taken != nil {
		return s.publicTaken(id, reasons)
	}
	bySubject := func(a, b Response) int { return a.Subject - b.Subject }
	all := s.Responses
	if !slices.IsSortedFunc(all, bySubject) {
		all = slices.SortedStableFunc(slices.Values(all), bySubject)
	}
	return func(yield func([]record.Response, error) bool) {
		if n := len(all) - 1; n >= 0 && (all[0].Subject < 0 || all[n].Subject >= len(s.Subjects)) {
			yield(nil, fmt.Errorf("responses name subjects %d … %d: the session has no such", all[0].Subject, all[n].Subject))
			return
		}
		split := newSplitter(s, id)
		var out []record.Response
		for _, subject := range id.subjectAt {
			first, _ := slices.BinarySearchFunc(all, subject, func(r Response, subject int) int { return r.Subject - subject })
			last, _ := slices.BinarySearchFunc(all, subject+1, func(r Response, subject int) int { return r.Subject - subject })
			out = out[:0]
			for r := range s.of(subject, all[first:last]) {
				x, err := s.publicResponse(r, id, reasons)
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
func (s *Session) publicResponse(r Response, id *identity, reasons []string) (x record.Response, err error) {
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
		Unscored: uint8(slices.Index(reasons, r.Unscored)), Value: r.Value,
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

// publicTaken is publicResponses for those that Run has recorded.
func (s *Session) publicTaken(id *identity, reasons []string) iter.Seq2[[]record.Response, error] {
	t := s.taken
	return func(yield func([]record.Response, error) bool) {
		split, outcomes := newSplitter(s, id), t.outcomes(reasons)
		var trials []publishedTrial
		var of []slot // of which trials are
		block := make([]record.Response, 0, atOnce)
		for _, subject := range id.subjectAt {
			if x := t.trials[subject]; trials == nil || !same(x, of) {
				var err error
				if trials, err = s.publishedTrials(id, x); err != nil {
					yield(nil, err)
					return
				}
				of = x
			}
			places := t.placesOf(subject)
			for _, x := range trials {
				item := of[x.index].item
				for rep := range t.repetitions {
					k := int(x.index)*t.repetitions + rep
					out := outcomes[t.outcome[t.index(subject, k)]]
					block = append(block, record.Response{
						Subject: id.subjectRow[subject], Item: id.itemRow[item], Trial: x.number, Repetition: int16(rep), Position: places[k],
						Pair: x.pair, Phase: x.phase, Split: split.of(subject, item), Unscored: out.unscored, Value: out.value,
					})
					if len(block) < atOnce {
						continue
					}
					if !yield(block, nil) {
						return
					}
					block = block[:0]
				}
			}
		}
		if len(block) > 0 {
			yield(block, nil)
		}
	}
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

// publishedTrials returns the trials of a list in the order of publication.
func (s *Session) publishedTrials(id *identity, list []slot) ([]publishedTrial, error) {
	out := make([]publishedTrial, len(list))
	last, it := -1, battery.Item{}
	for i, at := range list {
		if at.item != last {
			last = at.item
			s.Battery.Items.Read(last, &it)
		}
		trial, err := trialIn(&it, at.trial)
		if err != nil {
			return nil, err
		}
		public := id.publicTrial(at.item, at.trial)
		if err := fits(&it, at.trial, public, s.taken.repetitions-1, 0, trial.Pair); err != nil {
			return nil, err
		}
		out[i] = publishedTrial{int32(i), int32(trial.Pair), int16(public), trial.Phase}
	}
	slices.SortFunc(out, func(a, b publishedTrial) int {
		return cmp.Or(cmp.Compare(id.itemRow[list[a.index].item], id.itemRow[list[b.index].item]), cmp.Compare(a.number, b.number))
	})
	return out, nil
}

// A splitter decides which responses are held out: all responses of a subject to an item together, with probability
// share.
type splitter struct {
	id            *identity
	share         float64
	subject, item int
	seed          uint64 // seed for the split of the current subject
	last          record.Split
}

func newSplitter(s *Session, id *identity) *splitter {
	share := s.HoldOut
	if share == 0 {
		share = DefaultHoldOut
	}
	return &splitter{id: id, share: share, subject: -1}
}

func (p *splitter) of(subject, item int) record.Split {
	if p.share < 0 {
		return record.Fit
	}
	if subject != p.subject {
		p.subject, p.item = subject, -1
		p.seed = p.id.key.Seed("split", p.id.subject[subject])
	}
	if item != p.item {
		p.item, p.last = item, record.Fit
		if coin := rng.Stream(p.seed, p.id.item[item]); coin.Bernoulli(p.share) {
			p.last = record.HeldOut
		}
	}
	return p.last
}
