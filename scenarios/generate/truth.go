package generate

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"slices"

	"achilles/battery"
	"achilles/battery/bib"
	"achilles/scenarios/results"
	"achilles/scenarios/seal"
	"achilles/sim/part"
)

// seal writes truth.json, and returns its description. watched has the labels of items that observers watch, by opaque id.
func (s *Session) seal(id *identity, watched map[string]*bib.Label, create results.Create) (part.File, error) {
	t := seal.New(s.Root)
	t.Drawn, t.Scenario, t.Scale, t.Published = s.Drawn, s.Scenario, s.Scale, s.Published
	t.Parameters, t.Layout = s.Parameters, s.Layout
	t.Calls = s.sealedCalls(id)
	for i, x := range s.Subjects {
		t.Subjects[id.subject[i]] = x
	}
	out, err := create(seal.SealedPart, seal.TruthFile)
	if err != nil {
		return part.File{}, err
	}
	sum := sha256.New()
	w := bufio.NewWriter(io.MultiWriter(out, sum))
	n := &counter{w: w}
	err = t.Write(n, func(yield func(string, seal.Item) bool) {
		var x battery.Item
		for _, i := range id.itemAt {
			s.Battery.Items.Read(i, &x)
			if !yield(id.item[i], seal.Item{Name: x.Name, Labels: id.labels(i, &x), Episode: watched[id.item[i]], Answer: x.Answer}) {
				return
			}
		}
	})
	err = errors.Join(err, w.Flush(), out.Close())
	return part.File{Path: seal.TruthFile, Bytes: n.bytes, SHA256: hex.EncodeToString(sum.Sum(nil))}, err
}

// sealedCalls returns what language models were asked, sorted by subject, item, trial and repetition.
func (s *Session) sealedCalls(id *identity) (list []seal.Calls) {
	for _, c := range s.Calls {
		list = append(list, seal.Calls{Subject: id.subject[c.Subject], Item: id.item[c.Item], Trial: id.publicTrial(c.Item, c.Trial), Repetition: c.Repetition, Calls: c.Calls})
	}
	slices.SortFunc(list, func(a, b seal.Calls) int {
		return cmp.Or(cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Item, b.Item), a.Trial-b.Trial, a.Repetition-b.Repetition)
	})
	return list
}

// A counter counts what is written.
type counter struct {
	w     io.Writer
	bytes int64
}

// Write writes p.
func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.bytes += int64(n)
	return n, err
}

// labels returns the labels of an item's outcomes, sorted by public trial.
func (id *identity) labels(item int, it *battery.Item) []seal.Label {
	var labels []seal.Label
	for t, trial := range it.Trials {
		if trial.Outcome != battery.NoOutcome {
			labels = append(labels, seal.Label{Pair: trial.Pair, Trial: id.publicTrial(item, t), Outcome: trial.Outcome.String()})
		}
	}
	slices.SortFunc(labels, func(a, b seal.Label) int { return a.Trial - b.Trial })
	if len(labels) == 0 {
		return nil
	}
	seen := map[int]bool{}
	for i := range labels {
		labels[i].Name = "a"
		if p := labels[i].Pair; p > 0 && seen[p] {
			labels[i].Name = "b"
		}
		seen[labels[i].Pair] = true
	}
	return labels
}
