package record

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// checkResponses returns an error for the first fault of the subjects, reasons and responses of d; its items must have
// been checked.
func (d *Dataset) checkResponses() error {
	c, err := newChecker(d)
	if err != nil {
		return err
	}
	for block := range d.Responses.blocks() {
		if err := c.responses(block); err != nil {
			return err
		}
	}
	return c.end()
}

func (d *Dataset) checkNames() error {
	for i, s := range d.Subjects {
		if err := CheckName(s); err != nil {
			return fmt.Errorf("subject %q: %w", s, err)
		}
		if i > 0 && d.Subjects[i-1] >= s {
			return fmt.Errorf("subject %s: subjects are not sorted, or one is listed twice", s)
		}
	}
	if len(d.Reasons) == 0 || d.Reasons[0] != "" || len(d.Reasons) > math.MaxUint8+1 {
		return fmt.Errorf("reasons must be the empty string and up to %d others", math.MaxUint8)
	}
	for i, s := range d.Reasons[1:] {
		if err := CheckName(s); err != nil {
			return fmt.Errorf("reason %q: %w", s, err)
		}
		if d.Reasons[i] >= s {
			return fmt.Errorf("reason %q: reasons are not sorted, or one is listed twice", s)
		}
	}
	return nil
}

// maxPosition is the largest position of a trial in a subject's sequence.
const maxPosition = 1 << 24

// A trialKey identifies a trial of an item or, as a key of checker.pairs, a pair of trials of an item.
type trialKey struct{ item, trial int32 }

// A trialKind has what all responses to a trial of an item must share.
type trialKind struct {
	seen  bool
	phase Phase
	pair  int32
}

// A checker checks the responses one by one, in their order.
type checker struct {
	d       *Dataset
	rows    int // number of responses so far
	prev    Response
	subject int32
	used    []bool                 // by reason: a response has this reason
	first   []trialKind            // trial 0 of every item, by item; most batteries have no other
	more    map[trialKey]trialKind // all trials but trial 0
	pairs   map[trialKey]int       // by item and pair: number of trials
	taken   []int32                // by position: index of the last subject with a trial at that position, plus 1
}

// newChecker returns a checker for the responses of d. The error is the first fault of the subjects and reasons of d.
func newChecker(d *Dataset) (*checker, error) {
	return &checker{
		d: d, subject: -1, used: make([]bool, len(d.Reasons)), first: make([]trialKind, d.Items.Len()), more: map[trialKey]trialKind{}, pairs: map[trialKey]int{},
	}, d.checkNames()
}

// responses checks the next responses.
func (c *checker) responses(list []Response) error {
	for i := range list {
		c.rows++
		if err := c.response(&list[i]); err != nil {
			return fmt.Errorf("row %d: %w", c.rows, err)
		}
	}
	return nil
}

// end checks what is known only after the last response.
func (c *checker) end() error {
	d := c.d
	if err := checkVisits(d.Visits); err != nil {
		return err
	}
	if c.rows == 0 {
		return errors.New("the table is empty: there must be at least one response")
	}
	if int(c.subject) != len(d.Subjects)-1 {
		return fmt.Errorf("subject %s has no response", d.Subjects[c.subject+1])
	}
	if i := slices.Index(c.used, false); i > 0 {
		return fmt.Errorf("reason %q is never used", d.Reasons[i])
	}
	return nil
}

func (c *checker) response(r *Response) error {
	if err := c.bounds(r); err != nil {
		return err
	}
	if err := c.order(r); err != nil {
		return err
	}
	if err := c.trial(r); err != nil {
		return err
	}
	if err := c.position(r); err != nil {
		return err
	}
	if err := c.trials(r); err != nil {
		return err
	}
	if err := c.choice(r); err != nil {
		return err
	}
	c.prev, c.subject = *r, r.Subject
	c.used[r.Unscored] = true
	if r.Unscored != 0 {
		if r.Value != 0 {
			return errors.New("an unscored response has a value")
		}
		return nil
	}
	m := &c.d.Manifest.Measures[r.Measure]
	if why := m.Family.refuse(r.Value); why != "" {
		return fmt.Errorf("subject %s, item %s: %s is %v: %s", c.d.Subjects[r.Subject], c.d.Items.ID[r.Item], m.Name, r.Value, why)
	}
	return nil
}

func (c *checker) bounds(r *Response) error {
	d := c.d
	switch {
	case r.Subject < 0 || int(r.Subject) >= len(d.Subjects):
		return errors.New("subject outside the list of subjects")
	case r.Item < 0 || int(r.Item) >= d.Items.Len():
		return errors.New("item outside the table of items")
	case int(r.Measure) >= len(d.Manifest.Measures):
		return errors.New("measure outside the list of measures")
	case int(r.Unscored) >= len(d.Reasons):
		return errors.New("reason outside the list of reasons")
	case r.Trial < 0 || r.Repetition < 0 || r.Pair < 0:
		return errors.New("negative trial, repetition or pair")
	case r.Position < 0 || r.Position > maxPosition:
		return fmt.Errorf("position %d: not in 0 … %d", r.Position, maxPosition)
	case int(r.Phase) >= len(phases) || int(r.Split) >= len(splits):
		return errors.New("unknown phase or split")
	}
	return nil
}

// order checks that rows are sorted by subject, item, trial, repetition and measure, that none occurs twice and no
// subject is skipped, and that all responses of a subject to an item are on the same side of the split.
func (c *checker) order(r *Response) error {
	p := &c.prev
	if r.Subject != c.subject {
		if r.Subject != c.subject+1 {
			return errors.New("rows are not sorted by subject, or a subject has no response")
		}
		return nil
	}
	o := compareResponses(p, r)
	name := func() string {
		return fmt.Sprintf("subject %s, item %s, trial %d, repetition %d, %s", c.d.Subjects[r.Subject], c.d.Items.ID[r.Item], r.Trial, r.Repetition, c.d.Manifest.Measures[r.Measure].Name)
	}
	if o == 0 {
		return fmt.Errorf("%s is listed twice", name())
	}
	if o > 0 {
		return fmt.Errorf("%s: rows are not sorted", name())
	}
	if p.Item == r.Item && p.Split != r.Split {
		return fmt.Errorf("%s: a subject's responses to one item are all fitted or all held out", name())
	}
	return nil
}

// compareResponses compares responses by the order of the table.
func compareResponses(a, b *Response) int {
	switch {
	case a.Subject != b.Subject:
		return int(a.Subject) - int(b.Subject)
	case a.Item != b.Item:
		return int(a.Item) - int(b.Item)
	case a.Trial != b.Trial:
		return int(a.Trial) - int(b.Trial)
	case a.Repetition != b.Repetition:
		return int(a.Repetition) - int(b.Repetition)
	}
	return int(a.Measure) - int(b.Measure)
}

// Sort sorts responses in the order of the table: by subject, item, trial, repetition, measure.
func Sort(r []Response) {
	slices.SortFunc(r, func(a, b Response) int { return compareResponses(&a, &b) })
}

// trial checks that all responses to a trial of an item agree on its phase and pair, and that a pair has at most two
// trials.
func (c *checker) trial(r *Response) error {
	key := trialKey{r.Item, int32(r.Trial)}
	k := c.first[r.Item]
	if r.Trial != 0 {
		k = c.more[key]
	}
	if k.seen {
		if k.phase != r.Phase || k.pair != r.Pair {
			return fmt.Errorf("item %s, trial %d: its phase or pair differs from another subject's", c.d.Items.ID[r.Item], r.Trial)
		}
		return nil
	}
	k = trialKind{true, r.Phase, r.Pair}
	if r.Trial != 0 {
		c.more[key] = k
	} else {
		c.first[r.Item] = k
	}
	if r.Pair > 0 {
		p := trialKey{r.Item, r.Pair}
		if c.pairs[p]++; c.pairs[p] > 2 {
			return fmt.Errorf("item %s: pair %d has more than two trials", c.d.Items.ID[r.Item], r.Pair)
		}
	}
	return nil
}

// position checks that all responses of a subject to a trial have the same position, and that different trials of the
// subject have different positions.
func (c *checker) position(r *Response) error {
	p := &c.prev
	if r.Subject == c.subject && p.Item == r.Item && p.Trial == r.Trial && p.Repetition == r.Repetition {
		if p.Position != r.Position {
			return fmt.Errorf("subject %s, item %s, trial %d, repetition %d: two positions", c.d.Subjects[r.Subject], c.d.Items.ID[r.Item], r.Trial, r.Repetition)
		}
		return nil
	}
	if r.Position == 0 {
		return nil
	}
	if n := int(r.Position) + 1 - len(c.taken); n > 0 {
		c.taken = append(c.taken, make([]int32, n)...)
	}
	if c.taken[r.Position] == r.Subject+1 {
		return fmt.Errorf("subject %s, item %s, trial %d, repetition %d: another trial of the subject has position %d", c.d.Subjects[r.Subject], c.d.Items.ID[r.Item], r.Trial, r.Repetition, r.Position)
	}
	c.taken[r.Position] = r.Subject + 1
	return nil
}

// choice checks where the subject went, which is the same for all measures of a trial.
func (c *checker) choice(r *Response) error {
	what := func() string {
		return fmt.Sprintf("subject %s, item %s, trial %d, repetition %d", c.d.Subjects[r.Subject], c.d.Items.ID[r.Item], r.Trial, r.Repetition)
	}
	if err := r.Chosen.check(r.Unscored != 0, max(1, len(c.d.Visits))); err != nil {
		return fmt.Errorf("%s: %w", what(), err)
	}
	p := &c.prev
	if r.Subject == c.subject && p.Item == r.Item && p.Trial == r.Trial && p.Repetition == r.Repetition && p.Chosen != r.Chosen && p.Unscored == 0 && r.Unscored == 0 {
		return fmt.Errorf("%s: two choices", what())
	}
	return nil
}

// trials checks that a number of trials belongs to a count that is not above it.
func (c *checker) trials(r *Response) error {
	m := &c.d.Manifest.Measures[r.Measure]
	what := func() string {
		return fmt.Sprintf("subject %s, item %s: %s", c.d.Subjects[r.Subject], c.d.Items.ID[r.Item], m.Name)
	}
	switch {
	case r.Trials == 0:
		return nil
	case r.Trials < 0:
		return fmt.Errorf("%s counts the successes of %d trials", what(), r.Trials)
	case m.Family != Count:
		return fmt.Errorf("%s is %s, and has a number of trials: only a count has one", what(), m.Family)
	case r.Value > float64(r.Trials):
		return fmt.Errorf("%s is %g, more than its %d trials", what(), r.Value, r.Trials)
	}
	return nil
}

// refuse returns why x is not a value of f, or "" if it is one.
func (f Family) refuse(x float64) string {
	if !finite(x) {
		return "not a finite number"
	}
	switch f {
	case Binary:
		if x != 0 && x != 1 {
			return "a binary measure is 0 or 1"
		}
	case Unit:
		if x < 0 || x > 1 {
			return "a unit measure lies between 0 and 1"
		}
	case Count, Choice:
		if x < 0 || x != math.Trunc(x) || x > 1<<53 {
			return "a count or choice is a whole number from 0"
		}
	}
	return ""
}
