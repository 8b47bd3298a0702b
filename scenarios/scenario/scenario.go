// Package scenario reads scenario files. A scenario file is strict TOML. It says which subjects take which battery how
// often, what is true of the subjects, and which layout measures them; or else which episodes are made for observers to
// watch.
//
// A scenario contains the truth. Inference gets the section [inference] and nothing else, and this package does not know its
// keys: who infers reads them.
package scenario

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unicode"

	"achilles/agents"
	"achilles/sim/conf"
)

// A Scenario is a valid scenario file. Its expressions are parsed, but only MakeBattery and Subjects show whether
// they fit the battery.
type Scenario struct {
	Name, Doc string
	Text      string // the whole file
	Seed      uint64 // root seed, unless the command line gives another; 1 if Drawn, so that Check has one
	Drawn     bool   // a root seed is drawn for each results directory, and sealed

	Bib      *Episodes     // episodes that observers watch; nil if subjects take a battery, which the fields from Battery on describe
	Watchers []agents.Spec // language models that watch the episodes

	Battery      Battery
	Repetitions  int     // number of times that each subject takes each item
	HeldOut      float64 // share of subject × item cells that are held out to grade predictions, in [0, 1)
	HeldOutItems bool    // the same items are held out for all subjects

	Adaptive *Adaptive // how items are chosen for each subject; nil if every subject takes all items

	Trajectories bool // publish what could be seen in the episodes

	Agents      []agents.Spec
	Populations []agents.Population
	Collectives []agents.Spec      // subjects that consist of other subjects
	Scale       map[string]float64 // capability → its maximum, in the unit of its demand

	Inference *conf.Table     // section [inference], undecoded; empty if there is none
	Published json.RawMessage // published values to print beside ours; nil if there are none

	root *conf.Table
}

// defaultHeldOut is the value of HeldOut if the scenario gives none.
const defaultHeldOut = 0.2

// maxResponses is the largest number of responses of a designed battery: they are in memory at once, 5 to 80 bytes each.
const maxResponses = 1_000_000_000

// maxRepetitions is the largest number of repetitions that a response record (16 bits) can count.
const maxRepetitions = math.MaxInt16

// A Reader reads the section [inference] of a scenario, and reports its faults to the table. watched says whether observers
// watch the scenario's episodes; otherwise subjects take its battery.
type Reader func(t *conf.Table, watched bool)

// Parse reads a scenario. file names it in errors. The section [inference] is read by readers; without them nothing in it is
// judged. The error is a *conf.Error: the first fault in the file.
func Parse(file, text string, readers ...Reader) (*Scenario, error) {
	s, err := parse(file, text, readers)
	if err != nil {
		return nil, err
	}
	if err := s.root.Err(); err != nil {
		return nil, err
	}
	return s, nil
}

// Check returns everything that is wrong with a scenario: all faults that Parse finds or, if there are none, everything
// that does not fit together when the battery and the subjects are built with the scenario's own seed.
func Check(ctx context.Context, file, text string, readers ...Reader) []error {
	s, err := parse(file, text, readers)
	if err != nil {
		return []error{err}
	}
	var all []error
	for _, fault := range s.root.Faults() {
		all = append(all, fault)
	}
	if len(all) > 0 {
		return all
	}
	return s.checkFit(ctx, s.Seed)
}

// parse reads the whole file. It reports faults to the root table.
func parse(file, text string, readers []Reader) (*Scenario, error) {
	root, err := conf.Parse(file, text)
	if err != nil {
		return nil, err
	}
	s := &Scenario{Text: text, root: root}
	s.Name = root.NeedText("name", "what the scenario is called")
	checkName(root, s.Name)
	if strings.ContainsAny(s.Name, `/\:`) || strings.HasPrefix(s.Name, ".") {
		root.Reportf("name", "%q cannot name a folder: want a name without / \\ : and without a dot at its beginning", s.Name)
	}
	s.Doc = root.Text("doc")
	s.Seed, s.Drawn = readSeed(root)
	if root.Has("bib") {
		s.Bib = readEpisodes(root.Table("bib"))
		watchedOnly(root)
		s.readWatchers(root)
	} else {
		s.readTaking(root)
	}
	s.Inference = root.Table("inference")
	for _, read := range readers {
		read(s.Inference, s.Bib != nil)
	}
	if readers == nil {
		s.Inference.Skip(s.Inference.Keys()...)
	}
	if layout, _ := s.Inference.Value("layout").(string); s.Adaptive != nil && layout == "" {
		root.Report(root.At("adaptive").Errorf("items are chosen by a layout: [inference] must name one"))
	}
	s.Published = s.readPublished(root.Table("published"))
	return s, nil
}

// DrawnSeed is the value of the key seed that asks for a root seed to be drawn.
const DrawnSeed = "drawn"

func readSeed(root *conf.Table) (seed uint64, drawn bool) {
	switch v := root.Value("seed").(type) {
	case nil:
		return 1, false
	case string:
		if v == DrawnSeed {
			return 1, true
		}
	case int64:
		if v >= 0 {
			return uint64(v), false
		}
	}
	root.Wrong("seed", fmt.Sprintf("a whole number from 0, or %q", DrawnSeed))
	return 1, false
}

// readTaking reads the battery and the subjects that take it.
func (s *Scenario) readTaking(root *conf.Table) {
	s.Battery = readBattery(root.Table("battery"))
	s.readResponses(root.Table("responses"))
	s.readScale(root.Table("scale"))
	for _, t := range root.Tables("agent") {
		s.Agents = append(s.Agents, readAgent(t, s.Scale))
	}
	for _, t := range root.Tables("population") {
		s.Populations = append(s.Populations, readPopulation(t, s.Scale))
	}
	for _, t := range root.Tables("collective") {
		s.Collectives = append(s.Collectives, s.readCollective(t))
	}
	if root.Has("adaptive") {
		s.Adaptive = s.readAdaptive(root.Table("adaptive"))
	}
	s.checkSubjects()
}

func (s *Scenario) readResponses(t *conf.Table) {
	s.Repetitions = t.Whole("repetitions", 1, 1, maxRepetitions)
	s.HeldOut = t.Number("held_out", defaultHeldOut, "a fraction from 0 to below 1", func(x float64) bool { return x >= 0 && x < 1 })
	s.HeldOutItems = t.Word("held_out_by", "cell", "item") == "item"
	s.Trajectories = t.Flag("trajectories", true)
}

func (s *Scenario) readScale(t *conf.Table) {
	s.Scale = map[string]float64{}
	for _, name := range t.Keys() {
		s.Scale[name] = t.Number(name, 1, "the capability's maximum, a number above 0", func(x float64) bool { return x > 0 })
	}
}

// checkSubjects reports a scenario without subjects or with too many, and subjects with the same name.
func (s *Scenario) checkSubjects() {
	total := len(s.Agents) + len(s.Collectives)
	for i, p := range s.Populations {
		if total += p.Count; total > maxCount {
			s.root.Report(s.root.At(pathOf("population", i)+".count").Errorf("more than %d subjects in all", maxCount))
			break
		}
	}
	if n := max(s.Battery.Subjects, total) * s.Battery.Items * s.Repetitions; n > maxResponses {
		s.root.Report(s.root.At("battery.items").Errorf("%d items for each of %d subjects are %d responses: want at most %d", s.Battery.Items, max(s.Battery.Subjects, total), n, maxResponses))
	}
	if s.Battery.Subjects > 0 {
		s.drawnOnly()
		return
	}
	switch {
	case len(s.Agents)+len(s.Populations) == 0:
		s.root.Reportf("", "has no subject: add an [[agent]] or a [[population]], or [bib] for episodes to watch")
	case total == 0:
		s.root.Report(s.root.At(pathOf("population", 0) + ".count").Errorf("no population has a subject: want a count of at least 1"))
	}
	first := map[string]string{}
	claim := func(name, path string) {
		if other, taken := first[name]; taken && name != "" {
			s.root.Report(s.root.At(path+".name").Errorf("%q is the name of %s too", name, other))
		}
		first[name] = path
	}
	for i, a := range s.Agents {
		claim(a.Name, pathOf("agent", i))
	}
	for i, p := range s.Populations {
		claim(p.Name, pathOf("population", i))
	}
	for i, c := range s.Collectives {
		claim(c.Name, pathOf("collective", i))
	}
}

// drawnOnly reports tables about subjects that are not drawn from the layout of the battery.
func (s *Scenario) drawnOnly() {
	for _, key := range []string{"agent", "population", "collective", "scale"} {
		if s.root.Has(key) {
			s.root.Reportf(key, "the subjects are drawn from layout %s: remove it, or layout under [battery]", s.Battery.Layout)
		}
	}
}

// checkName reports a name that cannot stand in a line of a table or a message: it must be one line of at most 80
// printable bytes, without leading or trailing spaces.
func checkName(t *conf.Table, name string) {
	if name != strings.TrimSpace(name) || len(name) > 80 || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		t.Reportf("name", "%q is not a name: want one line of at most 80 printable characters without spaces around it", name)
	}
}
