package study

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"

	"achilles/render/study/trial"
	"achilles/sim/num"
)

// A Grading checks the rows of a study and gives questions their success.
type Grading struct {
	log   *Log
	site  fs.FS
	key   map[string]string // item → right answer; nil: the items are worlds
	taken map[[2]string]bool

	participants map[string]*tally
	order        []string
	again, rows  int
	watch        bool // whether the items are films
}

// A tally is what a participant did.
type tally struct{ items, passed, checks, attentive int }

// NewGrading returns a grading of the rows of a study.
func NewGrading(c Page, site fs.FS, key map[string]string) *Grading {
	l := &Log{study: c.Study, items: map[string]bool{}, rows: map[rowKey]bool{}, done: map[string]*Done{}}
	for _, id := range c.Order {
		l.items[id] = true
	}
	return &Grading{watch: c.Watch, log: l, site: site, key: key, taken: map[[2]string]bool{}, participants: map[string]*tally{}}
}

// Add reads rows and writes them, each once. Of an item that a participant took twice, the first is kept. The error names the
// line that is no row of the study, or whose steps do not give what it says.
func (g *Grading) Add(out io.Writer, in io.Reader) error {
	lines := bufio.NewReader(in)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			if err := g.add(out, text); err != nil {
				return fmt.Errorf("line %d: %w", n, err)
			}
		}
		if err != nil {
			return nil
		}
	}
}

func (g *Grading) add(out io.Writer, text []byte) error {
	r, err := g.log.check(text)
	if err != nil {
		return err
	}
	if g.log.rows[rowKey{r.Participant, r.Session, r.Row}] {
		return nil
	}
	g.log.keep(r)
	t := g.participants[r.Participant]
	if t == nil {
		t = &tally{}
		g.participants[r.Participant] = t
		g.order = append(g.order, r.Participant)
	}
	switch r.Kind {
	case "item":
		if g.taken[[2]string{r.Participant, r.Item}] {
			g.again++
			return nil
		}
		g.taken[[2]string{r.Participant, r.Item}] = true
		passed, graded, err := g.grade(r.Item, text)
		if err != nil {
			return fmt.Errorf("item %s of participant %s: %w", r.Item, r.Participant, err)
		}
		text = graded
		t.items++
		if passed {
			t.passed++
		}
	case "attention":
		var x struct{ Success float64 }
		if err := json.Unmarshal(text, &x); err != nil {
			return err
		}
		t.checks++
		if x.Success == 1 {
			t.attentive++
		}
	}
	g.rows++
	_, err = out.Write(append(bytes.Clone(text), '\n'))
	return err
}

// grade returns whether an item was passed, and its row with the success.
func (g *Grading) grade(item string, text []byte) (passed bool, graded []byte, err error) {
	var x struct {
		Answer  *string
		Success *float64
		Actions string
	}
	if err := json.Unmarshal(text, &x); err != nil {
		return false, nil, err
	}
	if g.key != nil {
		if x.Answer == nil {
			return false, nil, fmt.Errorf("a question without an answer")
		}
		success := 0
		if passed = *x.Answer == g.key[item]; passed {
			success = 1
		}
		if x.Success != nil {
			return false, nil, fmt.Errorf("a question is graded here, not in the page")
		}
		return passed, fmt.Appendf(nil, `{"success":%d,%s`, success, text[1:]), nil
	}
	b, err := fs.ReadFile(g.site, path.Join(itemFolder, item+".json"))
	if err != nil {
		return false, nil, err
	}
	var w trial.World
	if err := json.Unmarshal(b, &w); err != nil {
		return false, nil, err
	}
	if w.World == "" {
		return true, text, nil // who has watched has passed
	}
	if passed, err = trial.Replay(w, x.Actions); err != nil {
		return false, nil, err
	}
	if x.Success == nil || (*x.Success == 1) != passed {
		return false, nil, fmt.Errorf("its success is not what its steps give")
	}
	return passed, text, nil
}

// Summary returns what was read: a line for each participant, and one for all.
func (g *Grading) Summary() (list []string) {
	for _, name := range g.order {
		t := g.participants[name]
		line := fmt.Sprintf("%s: %d of %d items passed", name, t.passed, t.items)
		if g.watch {
			line = fmt.Sprintf("%s: %d videos watched", name, t.items)
		}
		if t.checks > 0 {
			line += fmt.Sprintf(", %d of %d attention checks", t.attentive, t.checks)
		}
		switch d := g.log.Done(name); {
		case d.Practised == "failed":
			line += ", practice not passed"
		case !d.Ended:
			line += ", not to the end"
		}
		list = append(list, line)
	}
	again := ""
	if g.again > 0 {
		again = "; " + num.Counted(g.again, "item") + " taken twice, counted once"
	}
	return append(list, fmt.Sprintf("%s, %s%s", num.Counted(len(g.order), "participant"), num.Counted(g.rows, "row"), again))
}
