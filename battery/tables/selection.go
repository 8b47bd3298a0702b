package tables

import (
	"cmp"
	"fmt"
	"slices"

	"achilles/sim/expr"
	"achilles/sim/record"
)

// A Selection says which of the responses of a table are taken, and which are turned around. The zero Selection takes all as they are.
type Selection struct {
	LeaveOut []string // names of subjects and items
	Reverse  []string // names of items whose highest response means the lowest
	Blanks   string   // what is taken for no response: BlankSubjects or BlankEnds; "": nothing
	Part     int      // of the parts that no response connects, the one to take, from 1 (record.Dataset.Parts); 0: all
}

// What can be taken for no response.
const (
	BlankSubjects = "subjects" // all responses of a subject that has failures only
	BlankEnds     = "ends"     // these, and the failures at the end of a subject's responses, if there are leastEnd or more
)

const leastEnd = 3

// Over returns the selection with what other says besides.
func (s Selection) Over(other Selection) Selection {
	s.LeaveOut, s.Reverse = slices.Concat(s.LeaveOut, other.LeaveOut), slices.Concat(s.Reverse, other.Reverse)
	s.Blanks, s.Part = cmp.Or(other.Blanks, s.Blanks), cmp.Or(other.Part, s.Part)
	return s
}

// of returns the data that are selected, and notes.
func (s Selection) of(d *record.Dataset) (*record.Dataset, []string, error) {
	var notes []string
	say := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	subjects, items := whole(len(d.Subjects)), whole(d.Items.Len())
	unknown := func(key, name string, known []string) error {
		return fmt.Errorf("%s: there is no %q%s", key, name, expr.DidYouMean(name, known))
	}
	left := map[string]bool{}
	for _, name := range s.LeaveOut {
		_, subject := slices.BinarySearch(d.Subjects, name)
		if left[name] = true; !subject && !slices.Contains(d.Items.ID, name) {
			return nil, nil, unknown("leave_out", name, slices.Concat(d.Subjects, d.Items.ID))
		}
	}
	if len(left) > 0 {
		subjects = slices.DeleteFunc(subjects, func(i int) bool { return left[d.Subjects[i]] })
		items = slices.DeleteFunc(items, func(i int) bool { return left[d.Items.ID[i]] })
		say("%s and %s left out by leave_out", count(len(d.Subjects)-len(subjects), "subject"), count(d.Items.Len()-len(items), "item"))
		d = d.Only(subjects, items, func(record.Response) bool { return true })
	}
	if len(s.Reverse) > 0 {
		for _, name := range s.Reverse {
			if !slices.Contains(d.Items.ID, name) {
				return nil, nil, unknown("reverse", name, d.Items.ID)
			}
		}
		if err := reverse(d, s.Reverse); err != nil {
			return nil, nil, err
		}
		say("%s reversed", count(len(s.Reverse), "item"))
	}
	if s.Blanks != "" {
		blank, none := blanks(d, s.Blanks == BlankEnds)
		n := -1
		d = d.Only(whole(len(d.Subjects)), whole(d.Items.Len()), func(record.Response) bool { n++; return !blank[n] })
		say("%s read as blanks; %s with nothing else left out", count(len(slices.DeleteFunc(blank, func(b bool) bool { return !b })), "failure"), count(none, "subject"))
	}
	if s.Part > 0 {
		part, n := d.Parts(func(record.Response) bool { return true })
		if s.Part > n {
			return nil, nil, fmt.Errorf("part = %d: the table has %s", s.Part, count(n, "part"))
		}
		of := func(from int) func(i int) bool { return func(i int) bool { return part[from+i] != s.Part } }
		subjects, items := slices.DeleteFunc(whole(len(d.Subjects)), of(0)), slices.DeleteFunc(whole(d.Items.Len()), of(len(d.Subjects)))
		say("part %d of %d taken", s.Part, n)
		d = d.Only(subjects, items, func(record.Response) bool { return true })
	}
	if d.Responses.Len() == 0 {
		return nil, nil, fmt.Errorf("leave_out, blanks and part leave no response")
	}
	return d, notes, nil
}

func whole(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// reverse turns the responses to items around: between 0 and 1, or the number of trials, or the lowest and the highest category.
func reverse(d *record.Dataset, names []string) error {
	family := d.Manifest.Measures[0].Family
	list := d.Responses.List()
	low, high := 0.0, 1.0
	if family == record.Choice || family == record.Count {
		low, high = list[0].Value, list[0].Value
		for _, r := range list {
			low, high = min(low, r.Value), max(high, r.Value)
		}
	}
	for i := range list {
		r := &list[i]
		if !slices.Contains(names, d.Items.ID[r.Item]) {
			continue
		}
		switch {
		case r.Trials > 0:
			r.Value = float64(r.Trials) - r.Value
		case family == record.Real:
			return fmt.Errorf("reverse: a real measure has no highest value to count from: change the numbers in the file")
		default:
			r.Value = low + high - r.Value
		}
	}
	d.Responses = record.PackResponses(list)
	return nil
}

// blanks returns which responses count as none, in their order, and of how many subjects these are all.
func blanks(d *record.Dataset, ends bool) (blank []bool, none int) {
	list := d.Responses.List()
	low := 0.0
	if f := d.Manifest.Measures[0].Family; f == record.Choice || f == record.Real {
		low = list[0].Value
		for _, r := range list {
			low = min(low, r.Value)
		}
	}
	known := !slices.ContainsFunc(list, func(r record.Response) bool { return r.Position == 0 })
	blank = make([]bool, len(list))
	for from := 0; from < len(list); {
		to := from
		for to < len(list) && list[to].Subject == list[from].Subject {
			to++
		}
		order := whole(to - from)
		slices.SortStableFunc(order, func(a, b int) int {
			x, y := &list[from+a], &list[from+b]
			if known {
				return cmp.Compare(x.Position, y.Position)
			}
			return cmp.Or(record.CompareNames(d.Items.ID[x.Item], d.Items.ID[y.Item]), cmp.Compare(x.Repetition, y.Repetition))
		})
		end := 0
		for end < len(order) && list[from+order[len(order)-1-end]].Value == low {
			end++
		}
		if end == len(order) {
			none++
		}
		if end == len(order) || ends && end >= leastEnd {
			for _, k := range order[len(order)-end:] {
				blank[from+k] = true
			}
		}
		from = to
	}
	return blank, none
}
