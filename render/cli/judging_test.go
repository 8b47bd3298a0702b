package cli_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"achilles/infer/table"
	"achilles/render/cli/clitest"
	"achilles/sim/num"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// planted returns a matrix of a Rasch model as CSV, with what change makes of each response; a space is none.
func planted(seed uint64, subjects, items int, change func(s, i int, v byte) byte) string {
	r := rng.Stream(seed, "planted")
	var b strings.Builder
	b.WriteString("subject")
	ease := make([]float64, items)
	for i := range ease {
		ease[i] = r.Norm()
		fmt.Fprintf(&b, ",q%d", i+1)
	}
	for s := range subjects {
		able := r.Norm()
		fmt.Fprintf(&b, "\ns%d", s+1)
		for i := range items {
			v := byte('0')
			if r.Float64() < num.Logistic(able+ease[i]) {
				v = '1'
			}
			b.WriteByte(',')
			if c := change(s, i, v); c != ' ' {
				b.WriteByte(c)
			}
		}
	}
	b.WriteByte('\n')
	return b.String()
}

// chosen returns the answers to a test of multiple choice, coded 1 to 4.
func chosen(seed uint64, subjects, items int) string {
	r := rng.Stream(seed, "chosen")
	return planted(seed, subjects, items, func(_, i int, v byte) byte {
		if key := byte(i*7%4) + '1'; v == '1' {
			return key
		}
		return '1' + byte(r.IntN(4))
	})
}

// TestRemediesOfImport plants what import warns of, and checks that it is named, with its remedy, and that the remedy as printed makes the warning go.
func TestRemediesOfImport(t *testing.T) {
	dir := t.TempDir()
	answers := planted(531, 1, 40, func(_, _ int, v byte) byte { return v })
	copied := strings.Split(strings.Split(answers, "\n")[1], ",")[1:]
	for _, c := range []struct {
		name, text, says string
	}{
		{"reversed", planted(532, 120, 20, func(_, i int, v byte) byte {
			if i == 6 {
				return '0' + '1' - v
			}
			return v
		}), "items with negative discrimination: q7"},
		{"constant", planted(533, 60, 16, func(_, i int, v byte) byte {
			if i < 2 {
				return '1'
			}
			return v
		}), "items with a pass in every response: q1, q2"},
		{"blank", planted(534, 60, 16, func(s, _ int, v byte) byte {
			if s%3 == 0 {
				return '0'
			}
			return v
		}), "subjects with a failure in every response: s1, s4, s7"},
		{"stopped", planted(535, 120, 20, func(s, i int, v byte) byte {
			if s%4 == 0 && i > 9 {
				return '0'
			}
			return v
		}), "subjects with runs of failures that look like blanks"},
		{"parts", planted(536, 40, 20, func(s, i int, v byte) byte {
			if (s < 20) != (i < 10) {
				return ' '
			}
			return v
		}), "parts that nothing connects: part 1: 20 subjects, 10 items, part 2: 20 subjects, 10 items"},
		{"copied", planted(537, 60, 40, func(s, i int, v byte) byte {
			if s < 2 {
				return copied[i][0]
			}
			return v
		}), "subjects whose responses agree beyond chance: s1, s2"},
	} {
		file := filepath.Join(dir, c.name+".csv")
		clitest.Write(t, file, []byte(c.text))
		imported := func(args ...string) (string, *table.Judgement) {
			out := filepath.Join(dir, c.name)
			said := clitest.Must(t, append([]string{"import", file, "--out", out, "--force"}, args...)...)
			d, err := record.Read(os.DirFS(filepath.Join(out, "public")))
			if err != nil {
				t.Fatal(err)
			}
			j, err := table.Judge(d, "success")
			if err != nil {
				t.Fatal(err)
			}
			return said, j
		}
		said, j := imported()
		at := slices.IndexFunc(j.Findings, func(f table.Finding) bool { return strings.HasPrefix(f.Statement(), c.says) })
		if at < 0 || !strings.Contains(said, "What the table cannot tell") {
			t.Errorf("%s: found %v; import says\n%s", c.name, j.Findings, said)
			continue
		}
		f := j.Findings[at]
		if !strings.HasSuffix(f.Advice(), ": import again with "+f.Remedy) {
			t.Errorf("%s: remedy %q, advice %q", c.name, f.Remedy, f.Advice())
		}
		for _, args := range [][]string{strings.Fields(f.Remedy), {"--mapping", filepath.Join(dir, c.name, "mapping.toml")}} { // the mapping has the remedy too
			said, j := imported(args...)
			if slices.ContainsFunc(j.Findings, func(g table.Finding) bool { return g.Kind == f.Kind && g.What == f.What }) {
				t.Errorf("%s: after %v import says\n%s", c.name, args, said)
			}
		}
	}
}

// TestEveryFindingIsListed makes every kind of finding that infer/table declares: import goes on with exit code 0, says how many of how many,
// and docs/guide/warnings.md has the kind, with a star if it is grave.
func TestEveryFindingIsListed(t *testing.T) {
	dir := t.TempDir()
	items := filepath.Join(dir, "items.csv")
	clitest.Write(t, items, []byte("item,length\nq1,1\nq2,2\nq3,3\n"))
	runs, coins := "subject,item,run,score\n", rng.Stream(538, "coins")
	for i := range 40 {
		for s := range 4 {
			v := int(coins.Uint64() & 1)
			runs += fmt.Sprintf("s%d,q%d,1,%d\ns%d,q%d,2,%d\ns%d,q%d,3,%d\n", s, i, v, s, i, v, s, i, v)
		}
	}
	apart := func(s, i int, v byte) byte {
		if (s < 20) != (i < 10) && (s > 0 || i > 10) {
			return ' '
		}
		return v
	}
	blank := func(s, _ int, v byte) byte {
		if s%3 == 0 {
			return '0'
		}
		return v
	}
	seen := map[string]bool{} // kind: whether it is grave
	for k, c := range []struct {
		text string
		args []string
	}{
		{"subject,q1,q2\na,1,0\nb,0,1\n", []string{"--items", items}},
		{"subject,q1,q2\na,1,1\nb,1,1\n", nil},
		{planted(540, 40, 20, apart), nil},
		{planted(541, 40, 20, func(s, i int, v byte) byte {
			if s == 0 && i == 10 {
				return ' '
			}
			return apart(s, i, v)
		}), nil},
		{planted(542, 60, 16, blank), nil},
		{planted(535, 120, 20, func(s, i int, v byte) byte {
			if s%4 == 0 && i > 9 {
				return '0'
			}
			return v
		}), nil},
		{planted(532, 120, 20, func(_, i int, v byte) byte {
			if i == 6 {
				return '0' + '1' - v
			}
			return v
		}), nil},
		{planted(543, 60, 40, func(s, i int, v byte) byte {
			if s < 2 {
				return '0' + byte(i*i/3%2)
			}
			return v
		}), nil},
		{planted(546, 20, 12, func(s, i int, _ byte) byte { return map[bool]byte{true: '1', false: '0'}[2*s > 3*i] }), nil},
		{runs, nil},
		{"subject,q1,q2\na,1,0\nb,0,1\nOverall,1,0\n", nil},
		{chosen(539, 300, 30), nil},
		{strings.NewReplacer("0", "0.33", "1", "0.67").Replace(planted(545, 60, 16, func(_, _ int, v byte) byte { return v })), nil},
		{planted(544, 60, 5, func(int, int, byte) byte { return '0' + byte(coins.Uint64()&1) }), nil},
	} {
		file, out := filepath.Join(dir, fmt.Sprint(k, ".csv")), filepath.Join(dir, fmt.Sprint(k))
		clitest.Write(t, file, []byte(c.text))
		said := clitest.Must(t, append([]string{"import", file, "--out", out}, c.args...)...)
		d, err := record.Read(os.DirFS(filepath.Join(out, "public")))
		if err != nil {
			t.Fatal(err)
		}
		j, err := table.Judge(d, "success")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range j.Findings {
			seen[f.Kind] = seen[f.Kind] || f.Grave
			if f.Count < 1 || f.Of < f.Count || f.Meaning == "" || !strings.Contains(said, "What the table cannot tell") {
				t.Errorf("table %d: %+v; import says\n%s", k, f, said)
			}
		}
	}
	delete(seen, "")
	seen[table.Clustered] = false // infer widens intervals instead of warning
	root := clitest.Repository(t)
	declared := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\t\w+ += "([a-z-]+)" +//`).FindAllStringSubmatch(string(clitest.Read(t, filepath.Join(root, "infer", "table", "judge.go"))), -1) {
		declared[m[1]] = true
	}
	_, list, _ := strings.Cut(string(clitest.Read(t, filepath.Join(root, "docs", "guide", "warnings.md"))), "## What a table cannot tell")
	list, _, _ = strings.Cut(list, "\n## ")
	listed := map[string]bool{}
	for _, m := range regexp.MustCompile("`([a-z-]+)`(\\\\\\*)?").FindAllStringSubmatch(list, -1) {
		if declared[m[1]] {
			listed[m[1]] = m[2] != ""
		}
	}
	if !maps.Equal(seen, listed) || len(declared) != len(seen) {
		t.Errorf("made (true: grave) %v\nlisted (true: with a star) %v\ndeclared %v", seen, listed, slices.Sorted(maps.Keys(declared)))
	}
}
