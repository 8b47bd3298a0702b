package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/spf13/cobra"

	"achilles/scenarios/results"
	"achilles/scenarios/score"
	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/store"
)

// The files of an export of states.
const (
	statesFile  = "states.jsonl"
	demandsFile = "demands.json"
)

func exportStatesCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "states DIR --out FOLDER",
		Short: "Write the worlds of a battery for judges to label, without their demands",
		Long: `Export states writes FOLDER/states.jsonl, a line {"state": "…", "world": "…"} for the beginning of every trial, in an order
and under names without meaning, and FOLDER/demands.json, which defines the demands and their ranges.
docs/reference/gridworld.md has the text of worlds. achilles score labels grades what a judge says of them.`,
		Example: `  achilles export states results/embodied --out states`,
		Args:    cobra.ExactArgs(1),
	}
	return a.writes(c, "folder", "", func(_ context.Context, args []string, to destination) error {
		w, err := worldsOf(args[0])
		if err != nil {
			return err
		}
		var b bytes.Buffer
		lines := json.NewEncoder(&b)
		lines.SetEscapeHTML(false)
		for _, s := range w.states {
			if err := lines.Encode(struct {
				State string `json:"state"`
				World string `json:"world"`
			}{s.ID, s.Text}); err != nil {
				return err
			}
		}
		var are []record.Feature // without the values
		for _, x := range w.demands {
			are = append(are, x.Feature)
		}
		demands, err := json.MarshalIndent(are, "", "  ")
		if err != nil {
			return err
		}
		draft, err := store.Begin(to.out, to.force)
		if err != nil {
			return err
		}
		defer draft.Abort()
		if err := errors.Join(draft.Put(statesFile, b.Bytes()), draft.Put(demandsFile, append(demands, '\n'))); err != nil {
			return err
		}
		if err := draft.Commit(); err != nil {
			return err
		}
		a.say("%d states and %d demands in %s", len(w.states), len(w.demands), to.out)
		return nil
	})
}

// A worldSet has the states of a results directory, and their demands.
type worldSet struct {
	data    *record.Dataset
	states  []score.State
	demands []score.JudgedDemand
}

// worldsOf reads the states of a results directory. It opens no seal.
func worldsOf(dir string) (*worldSet, error) {
	d, err := openChecked(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	public, err := d.Public()
	if err != nil {
		return nil, err
	}
	w := &worldSet{}
	if w.data, err = record.Read(public); err != nil {
		return nil, err
	}
	digest, err := manifestDigest(d)
	if err != nil {
		return nil, err
	}
	if w.states, err = score.States(public, w.data, digest); err != nil {
		return nil, err
	}
	w.demands = score.Demands(&w.data.Items)
	return w, nil
}

// manifestDigest returns the digest of the manifest of the public part.
func manifestDigest(d *results.Dir) (string, error) {
	b, err := d.ReadFile("public/" + part.ManifestFile)
	return part.Digest(b), err
}
