package compare

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"achilles/infer/layout"
	"achilles/infer/trajectory"
	"achilles/sim/conf"
	"achilles/sim/record"
)

// A Text is the text of a file. File is the name of the file, for errors: this package opens no files.
type Text struct{ File, Text string }

// A Source has the text of a bank, and the texts of its rivals in the order of the names that List returns.
type Source struct {
	Text
	Rivals []Text
}

// A Bank is a set of rivals with their prior probabilities and the thresholds of the verdict.
type Bank struct {
	Name, Doc string
	Capable   float64 // a subject that passes all items about equally often is capable if its highest success probability is at least this, else nonspecific
	Weak      float64 // items count as passed about equally often if the lowest success probability is at least this share of the highest
	Tell      float64 // the verdict names a family if its posterior probability is at least this, and otherwise says unclassified
	Alarm     float64 // probability that a subject which the rivals explain fails any of the checks
	Most      int     // largest number of components in an explanation; 1: rivals are not composed
	Knowing   string  // name of the rival in which the knowing share is free (key knows); empty: in none
	Least     float64 // a subject has object permanence if its knowing share is above this
	Rivals    []*Rival
}

// readBank reads a bank without its rivals, of which it returns the file names and the relative prior probabilities.
func readBank(root *conf.Table) (b *Bank, files []string, priors []float64) {
	b = &Bank{Name: root.NeedText("name", "what the candidate set is called"), Doc: root.Text("doc")}
	share := func(key string, otherwise float64) float64 {
		return root.Number(key, otherwise, "a fraction between 0 and 1", func(x float64) bool { return x > 0 && x < 1 })
	}
	b.Capable, b.Weak, b.Tell, b.Alarm = share("capable", 0.7), share("weak", 0.8), share("tell", 0.6), share("alarm", 0.01)
	b.Most = root.Whole("components", 1, 1, 3)
	knowing := root.Table("knowing")
	b.Least = knowing.Number("least", 0.5, "a fraction between 0 and 1", func(x float64) bool { return x > 0 && x < 1 })
	if knowing.There() {
		b.Knowing = knowing.NeedText("candidate", "name of the candidate model in which the knowing share is free")
	}
	rivals := root.Tables(candidatesIn(root))
	if len(rivals) < 2 {
		root.Reportf(candidatesIn(root), "%d candidate models: at least two [[candidate]] with a file are needed to compare", len(rivals))
	}
	for _, r := range rivals {
		files = append(files, r.NeedText("file", "a layout file"))
		priors = append(priors, r.Number("prior", 1, "a number above 0", func(x float64) bool { return x > 0 }))
	}
	return b, files, priors
}

// candidatesIn returns the name under which a bank has its rivals; [[rival]] is the former one.
func candidatesIn(root *conf.Table) string { return root.Renamed("candidate", "rival") }

// List returns the file names of the rivals of a bank. Parse needs their texts in this order. The error is a *conf.Error.
func List(t Text) ([]string, error) {
	root, err := conf.Parse(t.File, t.Text)
	if err != nil {
		return nil, err
	}
	_, files, _ := readBank(root)
	if err := root.Err(); err != nil {
		return nil, err
	}
	return files, nil
}

// Parse reads a bank with its rivals. The error is a *conf.Error. It panics unless s has one text for every rival.
func Parse(s Source) (*Bank, error) {
	root, err := conf.Parse(s.File, s.Text.Text)
	if err != nil {
		return nil, err
	}
	b, files, priors := readBank(root)
	if err := root.Err(); err != nil {
		return nil, err
	}
	if len(s.Rivals) != len(files) {
		panic("compare: not as many texts as the bank has rivals")
	}
	for i, t := range s.Rivals {
		r, err := parseRival(t)
		if err != nil {
			return nil, err
		}
		r.Prior = priors[i]
		if slices.ContainsFunc(b.Rivals, func(o *Rival) bool { return o.Layout.Name == r.Layout.Name }) {
			return nil, root.At(fmt.Sprintf("%s[%d]", candidatesIn(root), i)).Errorf("a second candidate model is called %s", r.Layout.Name)
		}
		b.Rivals = append(b.Rivals, r)
	}
	if err := b.checkKnowing(root); err != nil {
		return nil, err
	}
	return b, nil
}

// checkKnowing checks that the rival in which the knowing share is free is a component with this share as its only parameter
// beside strong.
func (b *Bank) checkKnowing(root *conf.Table) error {
	if b.Knowing == "" {
		return nil
	}
	i := slices.IndexFunc(b.Rivals, func(r *Rival) bool { return r.Layout.Name == b.Knowing })
	if i < 0 {
		return root.At("knowing.candidate").Errorf("no candidate model of this set is called %s", b.Knowing)
	}
	if r := b.Rivals[i]; !r.component() || len(r.Layout.Parameters) != 2 || r.share() < 0 {
		return root.At("knowing.candidate").Errorf("%s: want a candidate model that composes, with strong and one more parameter, which its key knows names", b.Knowing)
	}
	return nil
}

// A Bound is a bank whose layouts are bound to the items of a battery. It is safe for concurrent use.
type Bound struct {
	*Bank
	Entries  []Entry // one for each rival, in the order of the bank
	Composed float64 // prior probability of all composed explanations together
	items    *record.Items
	measures []record.Measure
	sizes    []float64                            // [number of components] log of the prior probability of an explanation with so many components; of one, for a Rival.Prior of 1 (setShares)
	given    func(b trajectory.Behaviour) float64 // log evidence of the subject's trajectories; nil: it has none
	direct   float64                              // log evidence of the subject's trajectories for the best behaviour that is no shortcut
	composed *sync.Map                            // name of an explanation → *boundRival
}

// An Entry is a rival bound to the items, or the reason why it is left out.
type Entry struct {
	*Rival
	Design   *layout.Design // nil if the rival is left out
	Share    float64        // prior probability among all explanations that are not left out
	Observed bool           // whether the subject's trajectories show the rival's behaviour; Read then uses the rival's family in every draw
	LeftOut  string         // why the rival is left out; empty if it is not
	parts    []*Entry       // the components of a composed explanation; nil for a rival of the bank
	partRows [][]int        // [component][row of Design] row of the same items in the design of the component
}

// Bind binds every rival to the items. It leaves a rival out, with the reason, if the items lack one of its columns or do
// not differ in the features that it uses. It fails if fewer than two rivals remain.
func (b *Bank) Bind(items *record.Items, measures []record.Measure) (*Bound, error) {
	for _, r := range b.Rivals {
		if first := b.Rivals[0]; first.Layout.ExplainsErrors() != r.Layout.ExplainsErrors() {
			return nil, fmt.Errorf("candidate set %s: one of %s and %s explains where subjects go wrong ([response.error]), and the other pass and fail alone: all models of a set explain the same", b.Name, first.Layout.Name, r.Layout.Name)
		}
	}
	out := &Bound{Bank: b, items: items, measures: measures, composed: &sync.Map{}}
	left, why := 0, ""
	for _, r := range b.Rivals {
		e := Entry{Rival: r}
		d, err := r.Layout.Bind(items, measures)
		switch {
		case err != nil:
			e.LeftOut, _, _ = strings.Cut(err.Error(), ": there are ") // the list of existing columns is not part of the reason
		case r.seesNoDifference(d, items):
			e.LeftOut = "no two items differ in the features it uses"
		default:
			e.Design = d
			left++
		}
		if e.LeftOut != "" && why == "" {
			why = r.Layout.Name + ": " + e.LeftOut
		}
		out.Entries = append(out.Entries, e)
	}
	if left < 2 {
		return nil, fmt.Errorf("candidate set %s: the items have what %d of its %d models need, and a comparison needs two; %s", b.Name, left, len(b.Rivals), strings.TrimSpace(why))
	}
	out.setShares()
	return out, nil
}

// ByPosition reports whether a rival names the position of a response (layout.Layout.ByPosition). A bank with such a rival
// is bound to trials in place of items.
func (b *Bank) ByPosition(items *record.Items) bool {
	return slices.ContainsFunc(b.Rivals, func(r *Rival) bool { return r.Layout.ByPosition(items) })
}

// seesNoDifference reports whether all items are equal in the features that the rival uses. Trials at different positions are not,
// even if the items are bound at one position, as for a choice.
func (r *Rival) seesNoDifference(d *layout.Design, items *record.Items) bool {
	return len(r.Layout.Metafeatures) > 0 && d.Rows() == 1 && items.Len() > 1 && !r.Layout.NamesPosition()
}
