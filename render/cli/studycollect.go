package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"achilles/render/study"
	"achilles/sim/expr"
)

// studyCollected is the name of the file that collect writes.
const studyCollected = "collected.jsonl"

func studyCollectCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "collect DIR [FILE…]",
		Short: "Check and join the answers of a study, for import",
		Long: `Collect joins DIR/answers.jsonl and the files that participants saved or an endpoint kept, and writes DIR/collected.jsonl: each
row once, the first where somebody took an item twice. Questions are graded by DIR/key.json. Steps in a world are replayed:
a success that the replay does not confirm is an error.`,
		Example: `  achilles study collect studies/ctest`,
		Args:    cobra.MinimumNArgs(1),
	}
	c.RunE = a.do(func(_ context.Context, args []string) error { return collectStudy(a, args[0], args[1:]) })
	return c
}

// collectStudy writes the rows of a study's answers, and of files.
func collectStudy(a *app, dir string, paths []string) error {
	d, c, err := openStudy(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	site, err := d.FS(studySite)
	if err != nil {
		return err
	}
	var key map[string]string
	if text, err := d.ReadFile(studyKey); err == nil {
		if err := json.Unmarshal(text, &key); err != nil {
			return fmt.Errorf("%s: %w", d.Path(studyKey), err)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	g := study.NewGrading(c, site, key)
	if d.Has(studyAnswers) {
		paths = append([]string{d.Path(studyAnswers)}, paths...)
	}
	if len(paths) == 0 {
		return fmt.Errorf("there are no answers: %s does not exist, and no FILE is named", d.Path(studyAnswers))
	}
	var out bytes.Buffer
	for _, p := range paths {
		f, err := os.Open(p)
		if err != nil {
			return err
		}
		err = g.Add(&out, f)
		f.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
	}
	if err := d.WriteFile(studyCollected, out.Bytes()); err != nil {
		return err
	}
	a.say("%s", strings.Join(g.Summary(), "\n"))
	q := expr.Quote
	items := ""
	if d.Has(studyItems) {
		items = " --items " + q(d.Path(studyItems))
	}
	a.note("next: achilles import %s%s --mapping %s --out results/study", q(d.Path(studyCollected)), items, q(d.Path(studyMapping)))
	return nil
}
