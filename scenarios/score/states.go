package score

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"achilles/sim/record"
)

// A State is the beginning of a trial, described by its world and schedule alone, for judges of its demands.
type State struct {
	ID   string // says nothing: a hash of the public manifest's digest, the item and the trial
	Item int    // row of the item
	Text string // text form of the world with its schedule, as subjects that act are put into it
}

// A JudgedDemand is a feature of items that judges can label: a number of role demand that is measured on the built world.
type JudgedDemand struct {
	record.Feature
	Values []float64 // by item; NaN where an item has none
}

// States returns the states of a public part, sorted by id, so that neither the id nor the order says anything. manifest is the digest
// of its manifest. The error says that there is no world, or which file is damaged.
func States(public fs.FS, d *record.Dataset, manifest string) ([]State, error) {
	worlds, err := record.Worlds(public, &d.Manifest)
	if err != nil {
		return nil, err
	}
	if len(worlds) == 0 {
		return nil, fmt.Errorf("the items have no worlds: want a battery of worlds, such as coding = \"worlds\"")
	}
	list := make([]State, 0, len(worlds))
	for _, w := range worlds {
		item, ok := slices.BinarySearch(d.Items.ID, w.Item)
		if !ok {
			return nil, fmt.Errorf("a world belongs to item %s, which does not exist", w.Item)
		}
		sum := sha256.Sum256(fmt.Appendf(nil, "achilles state\x00%s\x00%s\x00%d", manifest, w.Item, w.Trial))
		list = append(list, State{hex.EncodeToString(sum[:8]), item, w.Text})
	}
	slices.SortFunc(list, func(a, b State) int { return cmp.Compare(a.ID, b.ID) })
	return list, nil
}

// Demands returns the demands of the items that judges can label: those that are not the same for all.
func Demands(items *record.Items) (list []JudgedDemand) {
	for k, c := range items.Columns {
		if c.Role != record.Demand || c.Kind == record.Text {
			continue
		}
		values := items.Values(k)
		x := JudgedDemand{Feature: c.Feature, Values: slices.Clone(values.Number)}
		for i, gone := range values.Missing {
			if gone {
				x.Values[i] = math.NaN()
			}
		}
		if i := slices.IndexFunc(x.Values, isNumber); i >= 0 && slices.ContainsFunc(x.Values, func(v float64) bool { return isNumber(v) && v != x.Values[i] }) {
			list = append(list, x)
		}
	}
	return list
}

// isNumber reports whether x is neither NaN nor infinite.
func isNumber(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
