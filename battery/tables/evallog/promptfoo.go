package evallog

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"achilles/battery/tables"
)

// promptfooFormat reads what promptfoo eval writes: results.json, whose results are each of one test, prompt and provider.
func promptfooFormat() tables.Format {
	return tables.Format{Name: "promptfoo results", Sniff: isPromptfoo, Read: readPromptfoo}
}

func isPromptfoo(f *tables.File) (is bool) {
	headKeys(f, func(s *scanner, key string) bool {
		if c, err := s.peek(); err != nil || key != "results" || c != '{' {
			return err == nil && s.skip() == nil
		}
		_ = s.object(func(key string) error {
			is = is || key == "prompts" || key == "results" || key == "version"
			return s.skip()
		})
		return false
	})
	return is && (has(f, "evalId") || has(f, "version", "results") || strings.Contains(string(f.Head), `"promptIdx"`) || strings.Contains(string(f.Head), `"gradingResult"`))
}

// A promptfooLog numbers tests by what they ask, because files of several runs may have them in another order.
type promptfooLog struct {
	*collection
	tests  map[string]int
	scores bool // whether some score is not its success, so that both are metrics
	times  map[string]int
}

func newPromptfooLog(format string) *promptfooLog {
	return &promptfooLog{
		collection: newCollection(words{format: format, subject: []string{"provider", "prompt"}, item: "test", repeat: "repetition", metric: "metric", feature: "vars"}),
		tests:      map[string]int{},
	}
}

func readPromptfoo(files []*tables.File, _ tables.Reading) (*tables.Source, error) {
	l := newPromptfooLog("promptfoo results")
	for _, add := range []bool{false, true} { // first to see whether scores say more than successes
		for _, f := range files {
			runs := map[[2]string]int32{}
			l.times = map[string]int{}
			err := stream(f, func(s *scanner) error {
				return s.object(func(key string) error {
					if key != "results" {
						return s.skip()
					}
					return s.object(func(key string) error {
						if c, err := s.peek(); err != nil || key != "results" || c != '[' {
							return s.skip()
						}
						n := 0
						return s.array(func() error {
							n++
							t, err := l.test(s)
							if err == nil && !add {
								l.scores = l.scores || t.score.kind == '0' && t.success.kind == 'b' && t.score.num != t.success.num
							} else if err == nil {
								t.line = n
								err = l.put(t, f.Name, runs)
							}
							return err
						})
					})
				})
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return l.source(files)
}

// A promptfooTest is one result.
type promptfooTest struct {
	entry
	provider, label, prompt, asks, index string
	long                                 bool // what it asks is too long to be kept, so that its number tells it apart
	success, score                       value
	failed                               bool // it has no output to be graded
}

func (l *promptfooLog) test(s *scanner) (*promptfooTest, error) {
	t := &promptfooTest{}
	graded, reason, fault := false, "", false
	err := s.object(func(key string) (err error) {
		switch key {
		case "provider":
			return names(s, map[string]*string{"": &t.provider, "id": &t.provider, "label": &t.label})
		case "prompt":
			return names(s, map[string]*string{"": &t.prompt, "label": &t.prompt})
		case "testIdx":
			return s.text(&t.index)
		case "failureReason":
			return s.text(&reason)
		case "vars":
			return l.vars(s, t)
		case "success":
			t.success, err = s.value()
		case "score":
			t.score, err = s.value()
		case "gradingResult", "error":
			var v value
			v, err = s.value()
			graded = graded || key == "gradingResult" && v.kind == '{'
			fault = fault || key == "error" && (v.text != "" || v.long)
		default:
			return s.skip()
		}
		return err
	})
	t.failed = reason == "2" || reason == "" && fault && !graded
	return t, err
}

// names reads texts of an object, or a text alone, called "". What is too long is no name.
func names(s *scanner, to map[string]*string) error {
	read := func(key string) error {
		v, err := s.value()
		if p := to[key]; err == nil && p != nil && v.text != "" {
			*p = v.text
		}
		return err
	}
	if c, err := s.peek(); err != nil || c != '{' {
		return read("")
	}
	return s.object(read)
}

// vars reads what the test puts into the prompt.
func (l *promptfooLog) vars(s *scanner, t *promptfooTest) error {
	if c, err := s.peek(); err != nil || c != '{' {
		return s.skip()
	}
	return s.object(func(key string) error {
		v, err := s.value()
		t.long = t.long || v.long || v.kind == '{' || v.kind == '['
		t.asks += fmt.Sprintf("%q=%q ", key, v.text)
		if len(t.asks) > maxText {
			t.asks, t.long = t.asks[:maxText], true
		}
		if (v.kind == '"' || v.kind == '0') && v.text != "" {
			t.features = append(t.features, feature{name: key, text: v.text})
		}
		return err
	})
}

// put adds a result to the run of its provider and prompt.
func (l *promptfooLog) put(t *promptfooTest, file string, runs map[[2]string]int32) error {
	if t.asks == "" || t.long {
		t.asks += "\x00" + t.index
	}
	if _, ok := l.tests[t.asks]; !ok {
		if len(l.tests) == maxNames {
			return fmt.Errorf("more than %d tests", maxNames)
		}
		l.tests[t.asks] = len(l.tests) + 1
	}
	t.item = strconv.Itoa(l.tests[t.asks])
	key := [2]string{cmp.Or(t.label, t.provider, "provider"), short(t.prompt)}
	if _, ok := runs[key]; !ok {
		if len(runs) == maxMetrics {
			return fmt.Errorf("more than %d providers and prompts", maxMetrics)
		}
		runs[key] = l.start(&run{file: file, subject: key[:]})
	}
	if t.failed {
		l.note("result", "that is an error of the provider (no value)", t.item)
	} else {
		if t.success.kind != 0 {
			if sc, ok := l.readScore("success", t.success); ok {
				t.entry.scores = append(t.entry.scores, sc)
			}
		}
		if l.scores && t.score.kind != 0 {
			if sc, ok := l.readScore("score", t.score); ok {
				t.entry.scores = append(t.entry.scores, sc)
			}
		}
		if len(t.entry.scores) == 0 {
			l.note("result", "without success or score (no value)", t.item)
		}
	}
	again := fmt.Sprint(runs[key], " ", t.item)
	t.repetition = l.times[again]
	l.times[again]++
	return l.add(runs[key], &t.entry)
}
