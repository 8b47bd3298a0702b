// Package evallog reads the logs of programs that evaluate language models: Inspect, Every Eval Ever, lm-evaluation-harness, HELM, lighteval
// and others, a file of this package each. Each becomes a table with a row for each sample, as tables.Propose takes it: the model, the task and the sample, the score or a
// column for each of several metrics, and what the log says of the sample (its metadata), by which tasks may be told apart.
//
// Logs are read as a stream: memory goes with the number of samples and scores, not with the messages in them.
package evallog

import (
	"fmt"
	"io"
	"path"
	"strings"

	"achilles/battery/tables"
)

// Formats returns all formats of this package.
func Formats() []tables.Format {
	return []tables.Format{
		inspectFormat(), everyFormat(), terminalFormat(), promptfooFormat(), promptfooCSVFormat(), harnessFormat(), helmFormat(), lightevalFormat(), // the harness takes any results
		alpacaFormat(), evalplusFormat(), judgedFormat(), livecodebenchFormat(), openaiFormat(), taubenchFormat(), swebenchFormat(), opencompassFormat(), mmluproFormat(),
	}
}

// with opens a file for f, and adds its name to an error.
func with(file *tables.File, f func(in io.ReaderAt) error) error {
	h, err := file.Open()
	if err != nil {
		return err
	}
	defer h.Close()
	if err := f(h); err != nil {
		return fmt.Errorf("%s: %w", file.Name, err)
	}
	return nil
}

// stream opens a file of JSON for f.
func stream(file *tables.File, f func(s *scanner) error) error {
	return with(file, func(in io.ReaderAt) error { return f(newScanner(io.NewSectionReader(in, 0, file.Size))) })
}

// headKeys calls key with the keys of the object with which a file begins, as far as its head goes, until key returns false. Key may read
// the value.
func headKeys(file *tables.File, key func(s *scanner, key string) bool) {
	s := newScanner(strings.NewReader(string(file.Head)))
	_ = s.object(func(k string) error { // an error is the end of the head, or of what is JSON
		if c, err := s.peek(); err != nil || !key(s, k) {
			return fmt.Errorf("%q: enough", c)
		}
		return nil
	})
}

// has reports whether the object with which a file begins has all of these keys in its head.
func has(file *tables.File, keys ...string) bool {
	found := 0
	headKeys(file, func(s *scanner, key string) bool {
		for _, k := range keys {
			if k == key {
				found++
			}
		}
		return found < len(keys) && s.skip() == nil
	})
	return found == len(keys)
}

// deepest is how many objects within each other are read in what a log says of an item.
const deepest = 8

// readFeatures reads an object of what a log says of an item, and appends what is not a list. A key of an object within it is called by the
// keys above and its own, with dots between.
func (c *collection) readFeatures(s *scanner, to []feature) ([]feature, error) {
	return c.featuresBelow(s, to, "", 0)
}

func (c *collection) featuresBelow(s *scanner, to []feature, above string, depth int) ([]feature, error) {
	if k, err := s.peek(); err != nil {
		return to, err
	} else if k != '{' {
		return to, s.skip()
	}
	err := s.object(func(key string) (err error) {
		key = above + key
		if k, err := s.peek(); err != nil {
			return err
		} else if k == '{' && depth < deepest && len(key) < maxKey {
			to, err = c.featuresBelow(s, to, key+".", depth+1)
			return err
		}
		v, err := s.value()
		if err != nil {
			return err
		}
		f := feature{name: key, nested: depth > 0}
		switch {
		case v.kind == '{':
			c.note("value", fmt.Sprintf("of %s more than %d objects deep, left out", c.feature, deepest), key)
			return nil
		case v.kind == '[':
			c.note("value", fmt.Sprintf("of %s that is a list, left out", c.feature), key)
			return nil
		case v.kind == 'n':
			return nil
		case v.kind == 'b':
			f.text = map[float64]string{0: "false", 1: "true"}[v.num]
		case v.long:
			f.text = strings.Repeat("x", maxFeature+1)
		default:
			f.text = v.text
		}
		to = append(to, f)
		return nil
	})
	return to, err
}

// addScore reads the value of a metric, and adds it to the scores of an entry if it is a score.
func (c *collection) addScore(s *scanner, metric string, e *entry) error {
	v, err := s.value()
	if err != nil {
		return err
	}
	if sc, ok := c.readScore(metric, v); ok {
		e.scores = append(e.scores, sc)
	}
	if len(e.scores) > maxMetrics {
		return fmt.Errorf("more than %d scores of one sample", maxMetrics)
	}
	return nil
}

// readScore returns the score that a value is. It notes a value that is none.
func (c *collection) readScore(metric string, v value) (named, bool) {
	out := named{metric: metric}
	switch v.kind {
	case 'b', '0':
		out.value = v.num
	case '"':
		switch v.text {
		case "C", "I", "N", "P":
			out.letter = v.text[0]
			out.value = map[string]float64{"C": 1, "P": 0.5}[v.text]
			return out, true
		}
		switch strings.ToLower(v.text) {
		case "yes", "true":
			out.value = 1
			return out, true
		case "no", "false":
			return out, true
		}
		x, ok := meaning(v.text, false)
		if !ok || x.kind != '0' {
			c.note("score", fmt.Sprintf("by %s that is a text and neither a number nor C, I, P or N (no value)", metric), v.text)
			return out, false
		}
		out.value = x.num
	case 'n':
		return out, false
	default:
		c.note("score", fmt.Sprintf("by %s that is a list or an object (no value)", metric), "")
		return out, false
	}
	if out.value != out.value {
		c.note("score", fmt.Sprintf("by %s that is NaN (no value)", metric), "")
		return out, false
	}
	return out, true
}

// beside returns the files in the same folder as a file.
func beside(files []*tables.File, f *tables.File) (out []*tables.File) {
	for _, g := range files {
		if path.Dir(g.Name) == path.Dir(f.Name) {
			out = append(out, g)
		}
	}
	return out
}
