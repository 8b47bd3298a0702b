package replay

import (
	"errors"
	"math"
	"slices"
	"strings"

	"achilles/sim/expr"
	"achilles/sim/record"
)

// Outcomes of rows.
const (
	OutcomePassed  = "passed"
	OutcomeFailed  = "failed"
	OutcomeWatched = "watched" // no subject acts
)

// list makes the rows: one for every trajectory, then one for every item without a trajectory.
func (a *Archive) list() {
	if n := a.acts.Len(); n > 0 {
		a.listActed(n)
	}
	if len(a.scenes.shards) > 0 {
		a.listScenes()
	}
}

func (a *Archive) listActed(n int) {
	binary := slices.IndexFunc(a.data.Manifest.Measures, func(m record.Measure) bool { return m.Family == record.Binary })
	held, predictions := a.heldOuts()
	at := finder{subjects: a.data.Subjects, items: a.data.Items.ID}
	for i := range n {
		key, steps := a.acts.Key(i)
		subject, item := at.find(key)
		row := a.row(item)
		row.Trial, row.Repetition, row.Steps = key.Trial, key.Repetition, steps
		row.Subject = a.sealed.subject(key.Subject)
		row.Outcome = OutcomeWatched
		if r, ok := a.response(subject, item, &key, binary); ok {
			row.Outcome = outcome(&r, a.data.Reasons)
		}
		row.Cause = a.sealed.cause(i, key)
		row.HeldOut = held[key]
		row.HeldOut.against(row.Outcome)
		a.Rows, a.keys = append(a.Rows, row), append(a.keys, key)
	}
	a.mostWrong(predictions)
}

// response returns the response of a subject on a trial to a measure: to the first binary one, which says whether the trial was
// passed.
func (a *Archive) response(subject, item int, k *record.Key, measure int) (r record.Response, ok bool) {
	for _, r := range a.data.Responses.To(subject, item) {
		if int(r.Trial) == k.Trial && int(r.Repetition) == k.Repetition && int(r.Measure) == measure {
			return r, true
		}
	}
	return r, false
}

// outcome says how a response ended; reasons are those of its dataset.
func outcome(r *record.Response, reasons []string) string {
	switch {
	case r.Unscored > 0:
		return reasons[r.Unscored]
	case r.Value == 1:
		return OutcomePassed
	}
	return OutcomeFailed
}

// row returns a row with the columns that the table of items has for an item.
func (a *Archive) row(item int) Row {
	it := &a.data.Items
	return Row{
		Suite: it.Suite[item], Paradigm: it.Paradigm[item], Task: it.Task[item], Item: a.sealed.item(it.ID[item]), Surprise: math.NaN(),
	}
}

// A finder finds the indices of subjects and items by id. It tries the item that it found last first, because keys are
// sorted by item.
type finder struct {
	subjects, items []string
	item            int // index of the last item that was found
}

func (f *finder) find(key record.Key) (subject, item int) {
	if f.items[f.item] != key.Item {
		f.item, _ = slices.BinarySearch(f.items, key.Item)
		f.item = min(f.item, len(f.items)-1)
	}
	subject, ok := slices.BinarySearch(f.subjects, key.Subject)
	if !ok {
		subject = -1
	}
	return subject, f.item
}

// listScenes adds a row for every item without a trajectory.
func (a *Archive) listScenes() {
	acted := map[string]bool{}
	for i := range a.keys {
		acted[a.keys[i].Item] = true
	}
	for i, id := range a.data.Items.ID {
		if acted[id] {
			continue
		}
		row := a.row(i)
		row.Outcome = OutcomeWatched
		row.Surprise = a.surprises.most(a.Observer, id)
		if task := a.sealed.task(id); task != "" {
			row.Task = task // the public task of every item is "watch"
		}
		a.Rows, a.keys = append(a.Rows, row), append(a.keys, record.Key{Item: id})
	}
}

// Key returns the key of a row's episode in the public directory. Its subject is empty if observers watch the
// episode.
func (a *Archive) Key(row int) record.Key { return a.keys[row] }

// isScene says whether the row is an item of scenes, which observers watch. Otherwise, a subject acts in it.
func (a *Archive) isScene(row int) bool { return row >= a.acts.Len() }

// An unknownError says that a directory has no such subject or item.
type unknownError struct {
	What, Name string
	Near       []string // up to three similar names
	Some       []string // up to three of the names that the directory has
}

func (u *unknownError) Error() string {
	text := "no " + u.What + " " + u.Name
	switch {
	case len(u.Near) > 0:
		text += ": did you mean " + strings.Join(u.Near, " or ") + "?"
	case len(u.Some) > 0:
		text += "; there is " + strings.Join(u.Some, ", ") + ", …"
	}
	return text
}

// errNoSubjects says that a subject was asked for, but only observers watch these episodes.
var errNoSubjects = errors.New("no subjects: these episodes are watched")

// subjectless says whether no subject acts in any of the episodes.
func subjectless(rows []Row) bool {
	return !slices.ContainsFunc(rows, func(r Row) bool { return r.Subject != "" })
}

// Find returns the first row with a subject and an item, by names or ids. An empty name matches all. If there is no
// such subject or item, the error is an *unknownError, or errNoSubjects if no episode has a subject.
func (a *Archive) Find(subject, item string) (row int, err error) {
	haveSubject, haveItem := subject == "", item == ""
	for i := range a.Rows {
		s := subject == "" || a.Rows[i].Subject == subject || a.keys[i].Subject == subject
		t := item == "" || a.Rows[i].Item == item || a.keys[i].Item == item
		if s && t {
			return i, nil
		}
		haveSubject, haveItem = haveSubject || s, haveItem || t
	}
	switch {
	case !haveItem:
		return 0, unknown("item", item, len(a.Rows), func(i int) [2]string { return [2]string{a.Rows[i].Item, a.keys[i].Item} })
	case !haveSubject && subjectless(a.Rows):
		return 0, errNoSubjects
	case !haveSubject:
		return 0, unknown("subject", subject, len(a.Rows), func(i int) [2]string { return [2]string{a.Rows[i].Subject, a.keys[i].Subject} })
	}
	return 0, &unknownError{What: "episode of subject " + subject + " on item", Name: item}
}

// fewNames is the number of names that an error lists.
const fewNames = 3

// unknown returns the error for a name that none of so many rows has. what is "subject" or "item". asked is the unknown name. names
// returns the name and the id of the subject or item of a row.
func unknown(what, asked string, rows int, names func(row int) [2]string) *unknownError {
	var all, ids []string
	for i := range rows {
		n := names(i)
		all, ids = append(all, n[0]), append(ids, n[1])
	}
	all, ids = distinct(all), distinct(ids)
	near := expr.Nearest(asked, all)
	if near == nil {
		near = expr.Nearest(asked, ids)
	}
	return &unknownError{What: what, Name: asked, Near: near[:min(fewNames, len(near))], Some: all[:min(fewNames, len(all))]}
}

// distinct sorts names and removes duplicates and the empty name.
func distinct(names []string) []string {
	slices.Sort(names)
	names = slices.Compact(names)
	return slices.DeleteFunc(names, func(n string) bool { return n == "" })
}
