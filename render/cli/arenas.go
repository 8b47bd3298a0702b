package cli

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"achilles/battery/animalai"
	"achilles/gridworld"
	"achilles/scenarios/setting"
	"achilles/sim/rng"
	"achilles/sim/store"
	"achilles/sim/table"
)

// An arenasExport has the settings of export arenas.
type arenasExport struct {
	Out   string `setting:"out,flag" doc:"folder to write (required)"`
	Force bool   `setting:"force,flag" doc:"overwrite existing output"`
	animalai.Settings
}

func exportArenasCommand(a *app) *cobra.Command {
	m := &arenasExport{Settings: animalai.Exporting()}
	c := &cobra.Command{
		Use:   "arenas DIR --out FOLDER",
		Short: "Write the worlds of a battery as arenas of Animal-AI, one YAML file per trial",
		Long: `Export arenas writes the world of every trial of DIR/public as an arena of the Animal-AI environment (versions 3 and 4), and prints by
name what the arenas lack: what moves by a script, what opens, ramps that can be walked in one direction only. An arena without such
losses is read as the same world again by achilles import arenas. docs/guide/animal-ai.md describes the conversion.`,
		Example: `  achilles export arenas results/embodied --out arenas`,
		Args:    cobra.ExactArgs(1),
	}
	setting.Of(m).Flags(c.Flags())
	c.RunE = a.do(func(_ context.Context, args []string) error {
		if m.Out == "" {
			return usagef("export arenas needs --out: the folder to write")
		}
		w, err := worldsOf(args[0])
		if err != nil {
			return err
		}
		return m.write(a, w)
	})
	return c
}

func (m *arenasExport) write(a *app, w *worldSet) error {
	out, err := store.Begin(m.Out, m.Force)
	if err != nil {
		return err
	}
	defer out.Abort()
	var all tally
	for k, s := range w.states {
		world, err := gridworld.Parse(s.Text)
		if err != nil {
			return err
		}
		name := w.data.Items.ID[s.Item]
		if k > 0 && w.states[k-1].Item == s.Item || k+1 < len(w.states) && w.states[k+1].Item == s.Item {
			name += "-" + strconv.Itoa(k)
		}
		arena, losses := animalai.Of(world, m.Settings)
		if err := out.Put(name+".yaml", arena.Text(append([]string{name}, lines(losses)...)...)); err != nil {
			return err
		}
		all.add(losses)
	}
	if len(w.states) == 0 {
		return fmt.Errorf("%s: no item has a world", m.Out)
	}
	if err := out.Commit(); err != nil {
		return err
	}
	a.say("%d arenas in %s; %d of them lose nothing", all.n, m.Out, all.whole)
	return all.print(a)
}

// lines returns losses as lines of text.
func lines(losses animalai.Losses) (out []string) {
	for _, l := range losses {
		out = append(out, l.Name+" "+l.Why)
	}
	return out
}

// A tally counts the losses of arenas.
type tally struct {
	n, whole int
	losses   map[[2]string]*lossRow
}

// A lossRow is a loss, with the number of arenas that have it and of all things that do.
type lossRow struct {
	name, why      string
	arenas, things int
}

func (t *tally) add(losses animalai.Losses) {
	t.n++
	if len(losses) == 0 {
		t.whole++
	}
	for _, l := range losses {
		key := [2]string{l.Name, l.Why}
		if t.losses == nil {
			t.losses = map[[2]string]*lossRow{}
		}
		if t.losses[key] == nil {
			t.losses[key] = &lossRow{name: l.Name, why: l.Why}
		}
		t.losses[key].arenas++
		t.losses[key].things += l.Count
	}
}

// mostLosses is the largest number of losses that are printed.
const mostLosses = 15

// print prints the losses, the commonest first.
func (t *tally) print(a *app) error {
	if len(t.losses) == 0 {
		return nil
	}
	rows := make([]*lossRow, 0, len(t.losses))
	for _, r := range t.losses {
		rows = append(rows, r)
	}
	slices.SortFunc(rows, func(x, y *lossRow) int {
		return cmp.Or(y.arenas-x.arenas, strings.Compare(x.name, y.name), strings.Compare(x.why, y.why))
	})
	form := table.Table{Name: "losses", Title: "Lost", Key: []string{"name", "loss"}}
	if more := len(rows) - mostLosses; more > 0 {
		rows = rows[:mostLosses]
		form.Foot = []string{fmt.Sprintf("%d further losses, in fewer arenas: see the comments in the files written.", more)}
	}
	return a.printAs(table.Of(form, rows, []table.Field[*lossRow]{
		table.Col(table.Column{Name: "name", Kind: table.Text}, func(r *lossRow) table.Value { return table.String(r.name) }),
		table.Col(table.Column{Name: "loss", Kind: table.Text, Prose: true}, func(r *lossRow) table.Value { return table.String(r.why) }),
		table.Col(table.Column{Name: "arenas", Kind: table.Count}, func(r *lossRow) table.Value { return table.Int(r.arenas) }),
		table.Col(table.Column{Name: "things", Kind: table.Count, Weight: 2}, func(r *lossRow) table.Value { return table.Int(r.things) }),
	}), "text")
}

// An arenasImport has the settings of import arenas.
type arenasImport struct {
	Out   string `setting:"out,flag" doc:"scenario to write, a file that ends in .toml (required)"`
	Seed  uint64 `setting:"seed,flag" doc:"seed of what an arena leaves to chance"`
	Force bool   `setting:"force,flag" doc:"overwrite existing output"`
	animalai.Settings
}

func importArenasCommand(a *app) *cobra.Command {
	m := &arenasImport{Seed: 1, Settings: animalai.Importing()}
	c := &cobra.Command{
		Use:   "arenas PATH… --out FILE.toml",
		Short: "Make a scenario from Animal-AI arenas, as grid worlds",
		Long: `Import arenas reads YAML files of the Animal-AI environment (versions 2 to 4), or folders of them, and writes a scenario whose battery is
their grid worlds: to run agents in, to play, to view. It prints by name what the worlds lack or change: what has no
counterpart in a grid, what does not lie on its cells, what an arena leaves to chance. The scenario notes it for each world.
An arena that nobody can pass in a grid, and a file that cannot be read, is left out and named. docs/guide/animal-ai.md
describes the conversion.`,
		Example: `  achilles import arenas docs/examples/arena.yaml --out arenas.toml
  achilles run arenas.toml --out results/arenas`,
		Args: cobra.MinimumNArgs(1),
	}
	setting.Of(m).Flags(c.Flags())
	c.RunE = a.do(func(ctx context.Context, args []string) error {
		if !strings.HasSuffix(m.Out, ".toml") {
			return usagef("import arenas needs --out: the scenario to write, a file that ends in .toml")
		}
		return m.read(ctx, a, args)
	})
	return c
}

// A worldRead is the world of an arena.
type worldRead struct {
	name, from string
	text       string
	losses     animalai.Losses
}

func (m *arenasImport) read(ctx context.Context, a *app, paths []string) error {
	var files []string
	for _, p := range paths {
		more, err := arenaFiles(p)
		if err != nil {
			return err
		}
		files = append(files, more...)
	}
	var worlds []worldRead
	var all tally
	out := 0
	leave := func(where string, err error) {
		if out++; out <= 5 {
			a.note("%s is left out: %v", where, err)
		}
	}
	names := map[string]int{}
	for _, path := range files {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		arenas, err := animalai.Read(filepath.ToSlash(path), text)
		if err != nil {
			leave(path, err)
			continue
		}
		for i := range arenas {
			name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
			if len(arenas) > 1 {
				name += "-" + arenas[i].Name
			}
			if names[name]++; names[name] > 1 {
				name += "-" + strconv.Itoa(names[name])
			}
			from := path + ", arena " + arenas[i].Name
			w, losses, err := arenas[i].World(m.Settings, rng.Stream(m.Seed, "arena", name))
			switch {
			case err != nil:
				leave(from, err)
			case losses.Goalless() != "":
				all.add(losses)
				leave(from, fmt.Errorf("goal: %s", losses.Goalless()))
			default:
				all.add(losses)
				worlds = append(worlds, worldRead{name, from, w.String(), losses})
			}
		}
	}
	if out > 5 {
		a.note("%d more are left out", out-5)
	}
	if len(worlds) == 0 {
		return fmt.Errorf("%s: no arena becomes a world that can be passed", strings.Join(paths, ", "))
	}
	if err := store.WriteFile(m.Out, []byte(scenarioOf(m.Out, worlds)), m.Force); err != nil {
		return err
	}
	a.say("%d worlds in %s, of %d files; %d without a loss; %d arenas or files left out", len(worlds), m.Out, len(files), all.whole, out)
	return all.print(a)
}

// arenaFiles returns a file, or the YAML files of a folder in order.
func arenaFiles(root string) (list []string, err error) {
	err = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		ext := strings.ToLower(filepath.Ext(path))
		if e.Type().IsRegular() && (path == root || ext == ".yaml" || ext == ".yml") {
			list = append(list, path)
		}
		return nil
	})
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s has no file that ends in .yaml or .yml", root)
	}
	return list, err
}

// scenarioOf returns a scenario whose battery has these worlds, for a sound body.
func scenarioOf(file string, worlds []worldRead) string {
	var b strings.Builder
	fmt.Fprintf(&b, "name = %q\ndoc = \"Arenas of Animal-AI as grid worlds.\"\n\n[battery]\nsuite = \"own\"\ncoding = \"worlds\"\n\n[battery.levels]\nname = [\n", strings.TrimSuffix(filepath.Base(file), ".toml"))
	for _, w := range worlds {
		fmt.Fprintf(&b, "  %q,\n", w.name)
	}
	b.WriteString("]\nworld = [\n")
	for _, w := range worlds {
		fmt.Fprintf(&b, "# %s\n", printable(w.from))
		for _, l := range w.losses {
			fmt.Fprintf(&b, "#   %s %s (%d)\n", printable(l.Name), printable(l.Why), l.Count)
		}
		fmt.Fprintf(&b, "'''\n%s''',\n", w.text)
	}
	b.WriteString("]\n\n[inference]\nlayout = \"constant\"\n\n[[agent]]\nname = \"sound\"\nbody = [{}]\n")
	return b.String()
}

// printable returns a text without what ends or breaks a comment.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
}
