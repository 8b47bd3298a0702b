package cli

import (
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"achilles/battery"
	"achilles/render/study"
	"achilles/render/study/trial"
	"achilles/render/web"
	"achilles/scenarios/generate"
	"achilles/scenarios/scenario"
	"achilles/scenarios/seal"
	"achilles/scenarios/setting"
	"achilles/sim/conf"
	"achilles/sim/expr"
	"achilles/sim/record"
	"achilles/sim/store"
)

// A studying has what a person says of a study.
type studying struct {
	Seed    seedFlag `setting:"seed,flag" doc:"seed of the battery (default: the scenario's own)"`
	Out     string   `setting:"out,flag" doc:"directory to write (default: studies/ and the scenario's name)"`
	Changes []string `setting:"set,flag,each" doc:"change a key of the scenario, as KEY=VALUE; may be given several times"`
	Consent string   `setting:"consent" doc:"text file that participants agree to first: paragraphs separated by empty lines"`
	Force   bool     `setting:"force,flag" doc:"overwrite the existing site; answers are kept"`
	study.Settings
	Videos int `setting:"videos,flag" limits:"[0, 1000000]" doc:"of episodes: how many videos the site has, drawn from all; 0: all"`
}

// Parts of a study's directory. Only the site goes to participants.
const (
	studySite    = "site"
	studyItems   = "items.csv"
	studyMapping = "mapping.toml"
	studyKey     = "key.json" // right answers to questions
	studyAnswers = "answers.jsonl"
)

func studyCommand(a *app) *cobra.Command {
	s := &studying{Settings: study.NewSettings(), Videos: 200}
	c := &cobra.Command{
		Use:   "study SCENARIO --out DIR",
		Short: "Make a web site on which people take a battery",
		Long: `Study writes DIR/site, a static site that any web server can show: consent, instructions, practice to a criterion, the items of
the scenario in an order drawn by the participant's code, attention checks, pauses, the end. Participants use keys or touch,
and resume where they were by the same address. DIR/items.csv, DIR/mapping.toml and, for questions, DIR/key.json stay with you.

Each answer is a JSON line with its reaction time and the time of every key. In a laboratory, study serve shows the site and
keeps the answers in DIR/answers.jsonl; elsewhere --endpoint takes them, or participants save a file. study collect checks
and joins them for import. The site does not have the right answers to questions; a world is sent to the page, packed, when its
item begins.`,
		Example: `  achilles study ctest --items 10 --completion C0FFEE --out studies/ctest`,
		Args:    cobra.ExactArgs(1),
	}
	setting.Of(s).Flags(c.Flags())
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		sc, err := loadScenario(args[0], s.Changes, newMeasuring())
		if err != nil {
			return err
		}
		return s.write(ctx, a, sc)
	})
	c.AddCommand(studyServeCommand(a), studyCollectCommand(a))
	return c
}

// write makes the study of a scenario.
func (s *studying) write(ctx context.Context, a *app, sc *scenario.Scenario) error {
	root := sc.Seed
	switch {
	case s.Seed.given && s.Seed.drawn, !s.Seed.given && sc.Drawn:
		root = seal.DrawRoot()
	case s.Seed.given:
		root = s.Seed.value
	}
	s.Title = cmp.Or(s.Title, "Find the ball")
	out := cmp.Or(s.Out, filepath.Join("studies", sc.Name))
	site := &study.Site{Settings: s.Settings}
	if s.Consent != "" {
		text, err := store.ReadFile(s.Consent, 1<<20)
		if err != nil {
			return fmt.Errorf("--consent: %w", err)
		}
		site.Consent = string(text)
	}
	if sc.Bib != nil {
		return s.writeFilms(ctx, a, sc, root, out, site)
	}
	b, err := sc.MakeBattery(ctx, root, 0)
	if err != nil {
		return err
	}
	ids, err := (&generate.Session{Battery: b, Root: root}).ItemIDs()
	if err != nil {
		return err
	}
	key := map[string]string{}
	if site.Items, err = studyItemsOf(&b, ids, key); err != nil {
		return fmt.Errorf("scenario %s: %w", sc.Name, err)
	}
	if site.Items[0].Question != nil && site.Title == "Find the ball" {
		site.Title = "What comes next?"
	}
	var program *web.Program
	if site.Items[0].World != nil {
		if !web.Embedded() {
			a.note("building the program of the page; the first time takes a minute")
		}
		if program, err = web.BuildStudy(ctx); err != nil {
			return err
		}
	}
	d, files, err := makeSite(site, program, out, s.Force)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := s.writeBeside(d, &b, ids, key); err != nil {
		return err
	}
	var bytes int
	for _, f := range files {
		bytes += len(f)
	}
	a.say("%d items of scenario %s, %s per participant; the site of %.0f kB is in %s", len(ids), sc.Name, count(s.Settings.Items, len(ids)), float64(bytes)/1e3, d.Path(studySite))
	a.note("next: achilles study serve %s, or put %s on a web server", expr.Quote(out), d.Path(studySite))
	return nil
}

// count returns how many items a participant takes.
func count(items, all int) string {
	if items == 0 || items > all {
		return "all"
	}
	return fmt.Sprint(items)
}

// studyItemsOf returns the items of a battery as participants take them, and puts the right answers to questions into key.
func studyItemsOf(b *battery.Battery, ids []string, key map[string]string) (list []study.Item, err error) {
	for i, it := range b.Items.All() {
		if text, options, ok := b.Question(i); ok {
			key[ids[i]] = it.Answer
			list = append(list, study.Item{ID: ids[i], Question: &study.Question{Brief: it.Brief, Text: text, Options: options}})
			continue
		}
		if len(it.Trials) != 1 || it.Trials[0].World.Empty() {
			return nil, fmt.Errorf("its items have no worlds and no questions, so that nobody can take them: a battery of the coding worlds has them")
		}
		w, err := it.Trials[0].Open()
		if err != nil {
			return nil, err
		}
		x := trial.Pack(w, it.Trials[0].Places)
		list = append(list, study.Item{ID: ids[i], World: &x})
	}
	if len(key) > 0 && len(key) < len(list) {
		return nil, fmt.Errorf("some of its items are questions and others are not: a study has one kind")
	}
	return list, nil
}

// writeBeside writes what stays with the experimenter: the items with their features, how import reads the answers, and the key.
func (s *studying) writeBeside(d *store.Dir, b *battery.Battery, ids []string, key map[string]string) error {
	var table strings.Builder
	c := csv.NewWriter(&table)
	header := []string{"item", "suite", "paradigm", "task"}
	for _, f := range b.Schema {
		header = append(header, f.Name)
	}
	order := slices.SortedFunc(maps.Keys(indexOf(ids)), strings.Compare)
	at := indexOf(ids)
	err := writeRows(c, header, len(ids), func(i int) []string {
		it := b.Items.At(at[order[i]])
		row := []string{order[i], it.Suite, it.Paradigm, it.Task}
		for k, f := range b.Schema {
			v := it.Values.At(k)
			switch {
			case v.Missing:
				row = append(row, "")
			case f.Kind == record.Number:
				row = append(row, number(v.Number))
			default:
				row = append(row, v.Text)
			}
		}
		return row
	})
	if c.Flush(); err != nil {
		return err
	}
	if err := d.WriteFile(studyItems, []byte(table.String())); err != nil {
		return err
	}
	if err := d.WriteFile(studyMapping, []byte(studyMappingOf(b))); err != nil || len(key) == 0 {
		return err
	}
	text, err := json.MarshalIndent(key, "", " ")
	if err != nil {
		return err
	}
	return d.WritePrivate(studyKey, append(text, '\n'))
}

func indexOf(ids []string) map[string]int {
	at := map[string]int{}
	for i, id := range ids {
		at[id] = i
	}
	return at
}

// studyMappingOf returns the mapping with which import reads the answers of a study.
func studyMappingOf(b *battery.Battery) string {
	var m strings.Builder
	line := func(form string, args ...any) { fmt.Fprintf(&m, form+"\n", args...) }
	line("# How import reads the answers of this study. logRT is the natural logarithm of the reaction time in seconds.")
	line("name = \"study\"\n\n[items]\nid = \"item\"\nsuite = \"suite\"\nparadigm = \"paradigm\"\ntask = \"task\"")
	for _, f := range b.Schema {
		if slices.Contains([]string{"suite", "paradigm", "task", "item"}, f.Name) {
			continue
		}
		line("\n[[feature]]\nname = %s\nrole = %s", conf.Quote(f.Name), conf.Quote(string(f.Role)))
		if f.Unit != "" {
			line("unit = %s", conf.Quote(f.Unit))
		}
		if f.Doc != "" {
			line("doc = %s", conf.Quote(f.Doc))
		}
		if f.Range != nil {
			line("range = [%s, %s]", number(f.Range[0]), number(f.Range[1]))
		}
	}
	line("\n[responses]\nform = \"long\"\nsubject = \"participant\"\nitem = \"item\"\nvalue = \"success\"\nfamily = \"binary\"\nposition = \"position\"\nwhere = 'kind == \"item\"'")
	line("\n[[measure]]\nname = \"logRT\"\nfamily = \"real\"\nvalue = \"log(rt / 1000)\"\ndoc = \"natural logarithm of the reaction time in seconds\"")
	return m.String()
}

// makeSite writes a site into the directory out, and returns the directory and the site's files.
func makeSite(site *study.Site, program *web.Program, out string, force bool) (*store.Dir, map[string][]byte, error) {
	files, err := site.Files(program)
	if err != nil {
		return nil, nil, err
	}
	d, err := store.Make(out)
	if err != nil {
		return nil, nil, err
	}
	if err := d.Write(studySite, files, force); err != nil {
		d.Close()
		return nil, nil, err
	}
	return d, files, nil
}

// openStudy opens the directory of a study and the configuration of its site.
func openStudy(dir string) (*store.Dir, study.Page, error) {
	d, err := store.Open(dir)
	if err != nil {
		return nil, study.Page{}, err
	}
	site, err := d.FS(studySite)
	if err == nil {
		var c study.Page
		if c, err = study.ReadPage(site); err == nil {
			return d, c, nil
		}
	}
	d.Close()
	if os.IsNotExist(err) {
		err = fmt.Errorf("%s holds no study; achilles study SCENARIO --out %s makes one", dir, expr.Quote(dir))
	}
	return nil, study.Page{}, err
}
