package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"achilles/scenarios/scenario"
	"achilles/scenarios/score"
	"achilles/sim/store"
)

func (a *app) scoreCommand() *cobra.Command {
	var force bool
	var published string
	c := &cobra.Command{
		Use:   "score DIR",
		Short: "Open the seal and grade what was inferred",
		Long: `Score verifies that public/, sealed/ and inferred/ belong together, opens the seal, grades recovery, coverage and
prediction, or observers, prints the tables and writes DIR/scores. Published values stand beside ours where the scenario has them.
A result inferred after the seal was opened is marked unblinded.`,
		Example: `  achilles score results/quickstart
  achilles score results/aaio --published aaio`,
		Args: cobra.ExactArgs(1),
	}
	c.Flags().BoolVar(&force, "force", false, "overwrite the grades of an earlier result")
	c.Flags().StringVar(&published, "published", "", "values to print beside ours, of imported data: a shipped set's name or a TOML file")
	c.RunE = a.do(func(_ context.Context, args []string) error {
		d, err := openResults(args[0])
		if err != nil {
			return err
		}
		defer d.close()
		beside, err := readPublished(published)
		if err != nil {
			return err
		}
		return writing(d.dir, func() error { return a.score(d, beside, force) })
	})
	return c
}

// readPublished reads a set of published values, with the keys that a scenario has under [published].
func readPublished(ref string) (*score.Published, error) {
	if ref == "" {
		return nil, nil
	}
	file, text, err := shipped("published set", ref, "published")
	if err != nil {
		return nil, err
	}
	values, err := scenario.ParsePublished(file, text)
	if err != nil {
		return nil, err
	}
	return score.ParsePublished(values)
}

// score grades a results directory, prints the tables and writes scores/. Published values are printed beside ours
// where the sealed part has none; they may be nil.
func (a *app) score(d *results, published *score.Published, force bool) error {
	in, err := d.scoreInput()
	if err != nil {
		return err
	}
	in.Published = published
	s, err := score.Run(*in)
	if err != nil {
		return err
	}
	if s.Unblinded, err = d.unblinded(in.Inferred); err != nil {
		return err
	}
	files, err := s.Files()
	if err != nil {
		return err
	}
	if !store.Same(d.path("scores"), files) {
		if err := a.replaceScores(d, files, in, force); err != nil {
			return err
		}
	}
	_, err = a.stdout.Write(s.Tables())
	if err == nil {
		fmt.Fprintf(a.stdout, "\nall tables in %s\n", d.path("scores"))
	}
	return err
}

// scoreInput reads and verifies what is there, and opens the seal where there is one.
func (d *results) scoreInput() (*score.Input, error) {
	public, err := d.public()
	if err != nil {
		return nil, err
	}
	inferred, err := d.inferred()
	if err != nil {
		return nil, err
	}
	in, err := score.Open(public, inferred)
	if err != nil {
		return nil, err
	}
	if !d.has("sealed") {
		return &in, nil
	}
	sealed, err := d.root("sealed")
	if err != nil {
		return nil, err
	}
	return &in, in.Unseal(sealed)
}
