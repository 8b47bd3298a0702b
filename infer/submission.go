package infer

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"achilles/infer/compare"
	"achilles/sim/num"
	"achilles/sim/part"
	"achilles/sim/record"
	"achilles/sim/table"
)

// A Submission is what somebody else inferred about the subjects of a public directory, by any means, to be graded like an inference of
// ours (docs/reference/format.md). Read fills it from tables.
type Submission struct {
	Name string // what made it

	profiles    []Profile
	draws       map[string]map[string][]float64 // subject → parameter → draws, in the order of the table
	predictions []Prediction
	verdicts    []compare.Verdict
	digests     []string // of the tables
	rows        []row
	seen        map[[2]string]bool // subject and parameter of posteriors; subject and "" of classifications
}

// A row is the place of a row of a submission, and what it is about.
type row struct {
	place         string // file and line
	subject, item string
}

// A sheet is a table of a submission while it is read.
type sheet struct {
	name   string
	column map[string]int
	cells  []string
	line   int
}

// Read adds a CSV table. Its columns say what it has, each row for a subject by its public id:
//
//   - parameter, mean, sd and, unless the posterior is normal, q5, q25, q50, q75, q95;
//   - parameter, draw, value and perhaps chain: posterior draws, 100 or more;
//   - item, p: the probability of success at a held-out response;
//   - family and, if they are known, weight, has_op (a probability, yes or no) and weakness, names with + between them.
//
// Posteriors may have a column group (capability, bias or robustness; default: capability), predictions measure (success), trial and
// repetition (0). A wrong cell is an error with file, line and column.
func (s *Submission) Read(name string, text []byte) error {
	s.digests = append(s.digests, part.Digest(text))
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))
	header, err := r.Read()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	sh := &sheet{name: name, column: map[string]int{}}
	for i, h := range header {
		if _, twice := sh.column[h]; twice {
			return fmt.Errorf("%s:1: column %s appears twice", name, h)
		}
		sh.column[h] = i
	}
	read, known := s.kind(sh)
	if read == nil {
		return fmt.Errorf("%s:1: columns %s are not those of a submission: want subject with parameter, mean, sd; with parameter, draw, value; with item, p; or with family", name, strings.Join(header, ", "))
	}
	for _, h := range header {
		if !slices.Contains(known, h) {
			return fmt.Errorf("%s:1: column %s is not known beside the others; there are %s", name, h, strings.Join(known, ", "))
		}
	}
	for n := 0; ; n++ {
		sh.cells, err = r.Read()
		if errors.Is(err, io.EOF) {
			if n == 0 {
				return fmt.Errorf("%s: the table has no rows", name)
			}
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		sh.line, _ = r.FieldPos(0)
		s.rows = append(s.rows, row{fmt.Sprintf("%s:%d", sh.name, sh.line), sh.text("subject"), sh.text("item")})
		if err := read(sh); err != nil {
			return err
		}
	}
}

// kind returns what reads a row of a table, and the columns that it may have.
func (s *Submission) kind(sh *sheet) (read func(*sheet) error, known []string) {
	switch {
	case !sh.has("subject"):
		return nil, nil
	case sh.has("parameter", "mean", "sd"):
		return s.profile, []string{"subject", "parameter", "group", "mean", "sd", "q5", "q25", "q50", "q75", "q95"}
	case sh.has("parameter", "draw", "value"):
		return s.draw, []string{"subject", "parameter", "chain", "draw", "value"}
	case sh.has("item", "p"):
		return s.prediction, []string{"subject", "item", "trial", "repetition", "measure", "p"}
	case sh.has("family"):
		return s.verdict, []string{"subject", "family", "weight", "has_op", "weakness"}
	}
	return nil, nil
}

func (s *Submission) profile(sh *sheet) error {
	p := Profile{Subject: sh.text("subject"), Parameter: sh.text("parameter"), Group: cmp.Or(sh.text("group"), "capability")}
	var err error
	if p.Mean, err = sh.number("mean"); err != nil {
		return err
	}
	if p.SD, err = sh.number("sd"); err != nil {
		return err
	}
	if p.SD < 0 {
		return sh.errorf("sd", "is %g, below 0", p.SD)
	}
	last := math.Inf(-1)
	for _, q := range []struct {
		name string
		at   float64
		to   *float64
	}{{"q5", 0.05, &p.Q5}, {"q25", 0.25, &p.Q25}, {"q50", 0.5, &p.Q50}, {"q75", 0.75, &p.Q75}, {"q95", 0.95, &p.Q95}} {
		*q.to = p.Mean + float64(p.SD*num.NormalQuantile(q.at))
		if sh.has(q.name) {
			if *q.to, err = sh.number(q.name); err != nil {
				return err
			}
		}
		if *q.to < last {
			return sh.errorf(q.name, "is %g, below the quantile before it", *q.to)
		}
		last = *q.to
	}
	s.profiles = append(s.profiles, p)
	return s.once(sh, p.Parameter, "parameter", "another row has "+p.Parameter)
}

// once notes that a table has a row of a subject's parameter, or its classification, and returns an error if another row has it too.
func (s *Submission) once(sh *sheet, parameter, column, twice string) error {
	cell := [2]string{sh.text("subject"), parameter}
	if s.seen[cell] {
		return sh.errorf(column, "is of subject %s, of which %s", cell[0], twice)
	}
	if s.seen == nil {
		s.seen = map[[2]string]bool{}
	}
	s.seen[cell] = true
	return nil
}

func (s *Submission) draw(sh *sheet) error {
	x, err := sh.number("value")
	if err != nil {
		return err
	}
	if s.draws == nil {
		s.draws = map[string]map[string][]float64{}
	}
	of := s.draws[sh.text("subject")]
	if of == nil {
		of = map[string][]float64{}
		s.draws[sh.text("subject")] = of
	}
	of[sh.text("parameter")] = append(of[sh.text("parameter")], x)
	return nil
}

func (s *Submission) prediction(sh *sheet) error {
	p := Prediction{Subject: sh.text("subject"), Item: sh.text("item"), Measure: cmp.Or(sh.text("measure"), "success")}
	var err error
	if p.P, err = sh.number("p"); err != nil {
		return err
	}
	if p.P < 0 || p.P > 1 {
		return sh.errorf("p", "is %g, not a probability", p.P)
	}
	for name, to := range map[string]*int32{"trial": &p.Trial, "repetition": &p.Repetition} {
		if !sh.has(name) {
			continue
		}
		n, err := strconv.ParseInt(sh.text(name), 10, 32)
		if err != nil || n < 0 {
			return sh.errorf(name, "is %q, not a whole number from 0", sh.text(name))
		}
		*to = int32(n)
	}
	s.predictions = append(s.predictions, p)
	return nil
}

func (s *Submission) verdict(sh *sheet) error {
	v := compare.Verdict{Subject: sh.text("subject"), Family: sh.text("family"), Leading: sh.text("family"), Weight: 1, HasOP: 0.5}
	if all := compare.Families(); !slices.Contains(all, v.Family) {
		return sh.errorf("family", "is %q; there are %s", v.Family, strings.Join(all, ", "))
	}
	var err error
	probability := func(name string, to *float64) {
		if err != nil || !sh.has(name) || sh.text(name) == "" {
			return
		}
		if *to, err = sh.number(name); err == nil && (*to < 0 || *to > 1) {
			err = sh.errorf(name, "is %g, not a probability", *to)
		}
	}
	probability("weight", &v.Weight)
	switch sh.text("has_op") {
	case "yes":
		v.HasOP = 1
	case "no":
		v.HasOP = 0
	default:
		if _, no := strconv.ParseFloat(sh.text("has_op"), 64); no != nil && sh.text("has_op") != "" {
			return sh.errorf("has_op", "is %q: want a probability, yes or no", sh.text("has_op"))
		}
		probability("has_op", &v.HasOP)
	}
	if err != nil {
		return err
	}
	for _, w := range strings.Split(sh.text("weakness"), "+") {
		if w = strings.TrimSpace(w); w != "" {
			v.Weaknesses = append(v.Weaknesses, compare.Weakness{Name: w, Probability: 1, Statement: "Weakness: " + w})
		}
	}
	v.Words = "Submitted: " + v.Family
	v.Families = []compare.FamilyWeight{{Name: v.Family, Weight: v.Weight}}
	s.verdicts = append(s.verdicts, v)
	return s.once(sh, "", "family", "another row has a family")
}

func (sh *sheet) has(columns ...string) bool {
	for _, c := range columns {
		if _, ok := sh.column[c]; !ok {
			return false
		}
	}
	return true
}

// text returns the cell of a column; "" if there is none.
func (sh *sheet) text(column string) string {
	i, ok := sh.column[column]
	if !ok {
		return ""
	}
	return strings.TrimSpace(sh.cells[i])
}

// number returns the finite number in the cell of a column.
func (sh *sheet) number(column string) (float64, error) {
	x, err := strconv.ParseFloat(sh.text(column), 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, sh.errorf(column, "is %q, not a finite number", sh.text(column))
	}
	return x, nil
}

func (sh *sheet) errorf(column, format string, args ...any) error {
	return fmt.Errorf("%s:%d: column %s "+format, append([]any{sh.name, sh.line, column}, args...)...)
}

// complete checks a submission against the public data, and derives profiles from draws.
func (s *Submission) complete(data *record.Dataset) error {
	items := map[string]bool{"": true} // a row about no item
	for _, id := range data.Items.ID {
		items[id] = true
	}
	for _, r := range s.rows {
		if _, ok := slices.BinarySearch(data.Subjects, r.subject); !ok {
			return fmt.Errorf("%s: column subject is %q, whom the public data do not have; %s is one", r.place, r.subject, data.Subjects[0])
		}
		if !items[r.item] {
			return fmt.Errorf("%s: column item is %q, which the public data do not have; %s is one", r.place, r.item, data.Items.ID[0])
		}
	}
	for _, subject := range slices.Sorted(maps.Keys(s.draws)) {
		n := -1
		for _, parameter := range slices.Sorted(maps.Keys(s.draws[subject])) {
			x := s.draws[subject][parameter]
			if n >= 0 && n != len(x) {
				return fmt.Errorf("%s: subject %s has %d draws of %s and %d of another parameter", s.Name, subject, len(x), parameter, n)
			}
			if n = len(x); n < 100 {
				return fmt.Errorf("%s: subject %s has %d draws of %s; at least 100 are needed", s.Name, subject, n, parameter)
			}
			if !slices.ContainsFunc(s.profiles, func(p Profile) bool { return p.Subject == subject && p.Parameter == parameter }) {
				s.profiles = append(s.profiles, profileOf(subject, parameter, x))
			}
		}
	}
	slices.SortStableFunc(s.profiles, func(a, b Profile) int { return cmp.Compare(a.Subject, b.Subject) })
	slices.SortStableFunc(s.predictions, func(a, b Prediction) int {
		return cmp.Or(cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Item, b.Item), cmp.Compare(a.Trial, b.Trial), cmp.Compare(a.Repetition, b.Repetition))
	})
	slices.SortStableFunc(s.verdicts, func(a, b compare.Verdict) int { return cmp.Compare(a.Subject, b.Subject) })
	if s.profiles == nil && s.verdicts == nil && s.predictions == nil {
		return fmt.Errorf("%s: nothing is submitted", s.Name)
	}
	return nil
}

// profileOf describes draws of a parameter.
func profileOf(subject, parameter string, draws []float64) Profile {
	sorted := slices.Sorted(slices.Values(draws))
	mean, variance := num.Moments(draws)
	q := func(p float64) float64 { return num.SortedQuantile(sorted, p) }
	return Profile{Subject: subject, Parameter: parameter, Group: "capability", Mean: mean, SD: math.Sqrt(variance),
		Q5: q(0.05), Q25: q(0.25), Q50: q(0.5), Q75: q(0.75), Q95: q(0.95)}
}

// Submit puts the files of an inferred directory with a submission into out, as Run does with what it infers. Nothing is fitted.
func Submit(public fs.FS, s *Submission, csv func(*table.Table) []byte, out Out) (*Result, error) {
	data, err := record.Read(public)
	if err != nil {
		return nil, err
	}
	if len(data.Subjects) == 0 {
		return nil, fmt.Errorf("%s: the data have no subjects, whose answers could be submitted", s.Name)
	}
	if err := s.complete(data); err != nil {
		return nil, err
	}
	raw, err := fs.ReadFile(public, part.ManifestFile)
	if err != nil {
		return nil, fmt.Errorf("public: %w", err)
	}
	res := &Result{Profiles: s.profiles}
	res.Settings = Settings{Submitted: true, Layout: LayoutDigest{Name: s.Name, SHA256: part.Digest([]byte(strings.Join(s.digests, "\n")))}}
	res.Diagnostics.Layout = s.Name
	if s.verdicts != nil {
		res.Verdicts = &compare.Verdicts{Bank: s.Name, Subjects: s.verdicts}
	}
	list := &listing{Out: out, tables: declared(nil), manifest: res.Settings.manifest(part.Digest(raw))}
	if s.predictions != nil {
		b, err := record.EncodeRows(s.predictions)
		if err == nil {
			err = list.Put(predictionsFile, b)
		}
		if err != nil {
			return nil, err
		}
	}
	return res, res.put(list, csv)
}
