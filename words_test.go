package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// rivals are words that people do not read, because the field has another (docs/reference/glossary.md), or because they have to be
// read twice. What is asked for matches first; a match that begins with one of the words in but is right.
var rivals = []struct {
	pattern *regexp.Regexp
	instead string
	but     []string
}{
	{regexp.MustCompile(`(?i)\btold (from|apart)\b`), "distinguished from", nil},
	{regexp.MustCompile(`(?i)(^|\w+ )told\b`), "classified correctly, distinguished, identified", []string{"is told", "are told", "was told", "were told", "be told"}}, // instructed
	{regexp.MustCompile(`(?i)\btells?( \w+){0,3} apart\b`), "distinguish", nil},
	{regexp.MustCompile(`(?i)\bbanks?\b`), "candidate set", nil},
	{regexp.MustCompile(`(?i)\bstacked\b`), "model-averaged", nil},
	{regexp.MustCompile(`(?i)\bverdicts?\b`), "classification", nil},
	{regexp.MustCompile(`(?i)\brivals?\b`), "candidate model", nil},
	{regexp.MustCompile(`(?i)\bheaviest\b`), "most probable", nil},
	{regexp.MustCompile(`(?i)\bmode-moving\b|\bmoves between modes\b`), "tempered sampler", nil},
	{regexp.MustCompile(`(?i)#?[a-z-]*\bcannot-tell\b`), "unclassified", []string{"#what-a-table-cannot-tell"}},
	{regexp.MustCompile(`(?i)\b(worst|greatest) R-hat\b`), "maximum R-hat", nil},
	{regexp.MustCompile(`(?i)\b(least|smallest) (bulk|tail) ESS\b`), "minimum ESS", nil},
	{regexp.MustCompile(`(?i)\b(chains|draws|columns|rows|items|responses|trials|steps|requests|evaluations|gradients) an? (subject|item|chain|draw|task|shard|response|split|run)\b`), "per", []string{"items a subject takes"}},
	{regexp.MustCompile(`(?i)(\b(it|this|that|which|who)|%[sqv]) is no [a-z]`), "is not a", nil},
	{regexp.MustCompile(`(?i)\b(that|they|which|who) are no [a-z]`), "are not", []string{"they are no more"}},
	{regexp.MustCompile(`(?i)\banew\b`), "again, or re-", nil},
	{regexp.MustCompile(`(?i)\btaken for\b`), "read as", nil},
	{regexp.MustCompile(`(?i)\bseen to lie\b`), "may lie anywhere from", nil},
	{regexp.MustCompile(`(?i)\bas they stand\b|\bas it stands\b`), "in file order, as it is", nil},
	{regexp.MustCompile(`(?i)\bthere twice\b`), "appears twice", nil},
	{regexp.MustCompile(`(?i): known are\b`), "want one of", nil},
	{regexp.MustCompile(`\bsay --`), "use --", nil},
	{regexp.MustCompile(`\bby --[a-z]`), "with --", nil},
	{regexp.MustCompile(`(?i)\bwhat is there\b`), "existing output", nil},
	{regexp.MustCompile(`(?i)\bnot at hand\b`), "not available", nil},
	{regexp.MustCompile(`± %[^ ]+ \(standard error\)|(?i)± (is |its )?standard errors?`), "(SE …): ± is for standard deviations", nil},
}

// was is the former name of a setting in its tag.
var was = regexp.MustCompile(`was:"[^"]*"`)

// wordFaults lists the words of a text that people do not read.
func wordFaults(where, text string) (faults []string) {
	for _, r := range rivals {
	next:
		for _, at := range r.pattern.FindAllStringIndex(text, -1) {
			for _, b := range r.but {
				if strings.HasPrefix(text[at[0]:], b) {
					continue next
				}
			}
			faults = append(faults, fmt.Sprintf("%s: %q in %q: write %s", where, text[at[0]:at[1]], strings.TrimSpace(text[max(0, at[0]-40):min(len(text), at[1]+40)]), r.instead))
		}
	}
	return faults
}

// textFaults lists the words in the texts of a Go file that people do not read. A text has two words or more: others are keys. What
// panics say, and tests, is for whoever programs.
func textFaults(file string, src []byte) (faults []string) {
	if isTest(file) {
		return nil
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, 0)
	if err != nil {
		return []string{err.Error()}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.CallExpr:
			if name, ok := x.Fun.(*ast.Ident); ok && name.Name == "panic" {
				return false
			}
		case *ast.BasicLit:
			if x.Kind != token.STRING {
				break
			}
			if text, err := strconv.Unquote(x.Value); err == nil && len(strings.Fields(text)) > 1 {
				faults = append(faults, wordFaults(fmt.Sprint(file, ":", fset.Position(x.Pos()).Line), was.ReplaceAllString(text, ""))...)
			}
		}
		return true
	})
	return faults
}

// code is what a document quotes of programs.
var code = regexp.MustCompile("(?s)```.*?```|`[^`]*`")

// TestGlossary checks that the texts of the program, the docs of settings and shipped files, the manual and the pages speak of one thing by
// one word.
func TestGlossary(t *testing.T) {
	eachFile(t, func(file string, src []byte) {
		for _, why := range textFaults(file, src) {
			t.Error(why)
		}
	})
	n := 0
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if err == nil && (d.Name() == ".git" || d.Name() == "testdata") {
				return fs.SkipDir
			}
			return err
		}
		file = filepath.ToSlash(file)
		if ext := path.Ext(file); file == "CHANGELOG.md" || file == "CONTRIBUTING.md" || ext != ".md" && ext != ".html" && !(ext == ".toml" && path.Dir(file) == "scenarios") {
			return nil
		}
		text, err := os.ReadFile(file) // layouts and candidates are known by their digests, and keep their words
		if err != nil {
			return err
		}
		n++
		for i, line := range strings.Split(code.ReplaceAllStringFunc(string(text), func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) }), "\n") {
			for _, why := range wordFaults(fmt.Sprint(file, ":", i+1), line) {
				t.Error(why)
			}
		}
		return nil
	})
	if err != nil || n < 60 {
		t.Fatalf("%d documents and shipped files, %v", n, err)
	}
}

// TestGlossaryHolds checks textFaults on sources that exist only in this test.
func TestGlossaryHolds(t *testing.T) {
	for _, c := range []struct{ why, file, src, want string }{
		{"a word of ours in an error", "infer/x.go", `errors.New("9 of 9 subjects told")`, "write classified correctly"},
		{"in a tag", "infer/x.go", "struct{ X int `doc:\"models of the bank\"` }", "write candidate set"},
		{"a standard error behind ±", "infer/x.go", `"it is %.2f ± %.2f (standard error)"`, "± is for standard deviations"},
		{"per", "infer/x.go", `"four chains a subject"`, "write per"},
		{"a riddle", "infer/x.go", `"%s is no number"`, "write is not a"},
		{"a key", "infer/x.go", `"bank"`, ""},
		{"a panic", "infer/x.go", `func() { panic("infer: the bank is empty") }`, ""},
		{"a test", "infer/x_test.go", `"the bank is empty"`, ""},
		{"another meaning", "infer/x.go", `"they are no more alike than others"`, ""},
	} {
		src := "package p\nvar x = " + c.src + "\n"
		if strings.HasPrefix(c.src, "struct") {
			src = "package p\ntype x " + c.src + "\n"
		}
		complain(t, c.why, textFaults(c.file, []byte(src)), c.want)
	}
}
