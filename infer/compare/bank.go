package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"achilles/infer/layout"
	"achilles/sim/expr"
	"achilles/sim/record"
)

// A Text is the text of a file. File is its name, for errors; this package opens no files.
type Text struct{ File, Text string }

// A Source is the texts of a bank and of its rivals, these in the order of List.
type Source struct {
	Text
	Rivals []Text
}

// A Bank is a set of rivals with their prior probabilities and the thresholds of the verdict.
type Bank struct {
	Name, Doc string
	Capable   float64 // a subject that passes all items equally often is capable from this success rate on, nonspecific below it
	Weak      float64 // a weakness leaves less than this share of the successes; a rival under which more is left has none
	Tell      float64 // least posterior probability of a family that is told
	Alarm     float64 // probability that a subject which a rival explains fails any check
	Rivals    []*Rival
}

// bankFile is a bank as it is written.
type bankFile struct {
	Name, Doc string
	Capable   *float64
	Weak      *float64
	Tell      *float64
	Alarm     *float64
	Rival     []struct {
		File  string
		Prior *float64
	}
}

func readBank(t Text) (*bankFile, error) {
	f := &bankFile{}
	meta, err := toml.Decode(t.Text, f)
	if err != nil {
		return nil, fmt.Errorf("bank %s: %w", t.File, err)
	}
	if u := meta.Undecoded(); len(u) > 0 {
		return nil, fmt.Errorf("bank %s: unknown key %s%s", t.File, u[0], expr.DidYouMean(u[0][len(u[0])-1], []string{"name", "doc", "capable", "weak", "tell", "alarm", "rival", "file", "prior"}))
	}
	if f.Name == "" {
		return nil, fmt.Errorf("bank %s: key name: missing: the bank needs a name", t.File)
	}
	if len(f.Rival) < 2 {
		return nil, fmt.Errorf("bank %s: key rival: %d rivals: at least two [[rival]] with a file are needed to compare", t.File, len(f.Rival))
	}
	return f, nil
}

// List returns the names of the rival files of a bank in their order. Parse needs their texts.
func List(t Text) ([]string, error) {
	f, err := readBank(t)
	if err != nil {
		return nil, err
	}
	var out []string
	for i, r := range f.Rival {
		if r.File == "" {
			return nil, fmt.Errorf("bank %s: key rival[%d].file: missing: name a layout file", t.File, i)
		}
		out = append(out, r.File)
	}
	return out, nil
}

// Parse reads a bank with its rivals. Errors name the file and the key. It panics where a rival's text is missing.
func Parse(s Source) (*Bank, error) {
	f, err := readBank(s.Text)
	if err != nil {
		return nil, err
	}
	if len(s.Rivals) != len(f.Rival) {
		panic("compare: not as many texts as the bank has rivals")
	}
	b := &Bank{Name: f.Name, Doc: f.Doc, Capable: 0.7, Weak: 0.8, Tell: 0.6, Alarm: 0.01}
	for _, share := range []struct {
		key  string
		from *float64
		to   *float64
	}{{"capable", f.Capable, &b.Capable}, {"weak", f.Weak, &b.Weak}, {"tell", f.Tell, &b.Tell}, {"alarm", f.Alarm, &b.Alarm}} {
		if share.from == nil {
			continue
		}
		if !(*share.from > 0 && *share.from < 1) {
			return nil, fmt.Errorf("bank %s: key %s: want a share between 0 and 1, not %g", s.File, share.key, *share.from)
		}
		*share.to = *share.from
	}
	for i, t := range s.Rivals {
		r, err := parseRival(t)
		if err != nil {
			return nil, err
		}
		r.Prior = 1
		if p := f.Rival[i].Prior; p != nil {
			r.Prior = *p
		}
		if !(r.Prior > 0) || math.IsInf(r.Prior, 0) {
			return nil, fmt.Errorf("bank %s: key rival[%d].prior: want a positive number, not %g", s.File, i, r.Prior)
		}
		if slices.ContainsFunc(b.Rivals, func(o *Rival) bool { return o.Layout.Name == r.Layout.Name }) {
			return nil, fmt.Errorf("bank %s: key rival[%d]: a second rival is called %s", s.File, i, r.Layout.Name)
		}
		b.Rivals = append(b.Rivals, r)
	}
	return b, nil
}

// A Bound is a bank bound to the items of a battery. It is safe for concurrent use.
type Bound struct {
	*Bank
	Entries []Entry // one for each rival, in the order of the bank
}

// An Entry is a rival bound to the items, or the reason why it is left out.
type Entry struct {
	*Rival
	Design   *layout.Design // nil where it is left out
	Share    float64        // prior probability among the rivals that are not left out
	Observed bool           // the subject's trajectories show the rival's behaviour: Read then trusts it also where all items are passed equally often
	LeftOut  string         // why it is left out
}

// Bind binds every rival to the items. A rival is left out, with the reason, where the items lack one of its columns or
// are all equal to it. An error says that fewer than two rivals remain.
func (b *Bank) Bind(items *record.Items, measures []record.Measure) (*Bound, error) {
	out := &Bound{Bank: b}
	total, left, why := 0.0, 0, ""
	for _, r := range b.Rivals {
		e := Entry{Rival: r}
		d, err := r.Layout.Bind(items, measures)
		switch {
		case err != nil:
			e.LeftOut, _, _ = strings.Cut(err.Error(), ": there are ") // the list of existing columns is not part of the reason
		case r.seesNoDifference(d, items):
			e.LeftOut = "no two items differ in what it is about"
		default:
			e.Design = d
			total += r.Prior
			left++
		}
		if e.LeftOut != "" && why == "" {
			why = r.Layout.Name + ": " + e.LeftOut
		}
		out.Entries = append(out.Entries, e)
	}
	if left < 2 {
		return nil, fmt.Errorf("bank %s: the battery has a place for %d of its %d rivals, and two are needed to compare; %s", b.Name, left, len(b.Rivals), strings.TrimSpace(why))
	}
	for i := range out.Entries {
		if e := &out.Entries[i]; e.Design != nil {
			e.Share = e.Prior / total
		}
	}
	return out, nil
}

// seesNoDifference reports whether all items are equal in the features that the rival uses.
func (r *Rival) seesNoDifference(d *layout.Design, items *record.Items) bool {
	return len(r.Layout.Metafeatures) > 0 && d.Rows() == 1 && items.Len() > 1
}
