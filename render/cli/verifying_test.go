package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"achilles/infer"
	"achilles/infer/compare"
	"achilles/render/cli/clitest"
	"achilles/sim/part"
	"achilles/sim/record"
)

// found checks that verify finds faults in a directory, and that it names a text, if one is given.
func found(t *testing.T, why, dir, text string, more ...string) {
	t.Helper()
	code, out, stderr := achilles(t, append([]string{"verify", dir}, more...)...)
	if code != 1 || !strings.Contains(out+stderr, text) {
		t.Errorf("%s: exit %d, want 1 and %q\n%s%s", why, code, text, out, stderr)
	}
}

// kinds makes a directory of each kind that verify knows, and returns their paths.
func kinds(t *testing.T, dir string) []string {
	t.Helper()
	in := func(name string) string { return filepath.Join(dir, name) }
	actedRun(t, in("acted")) // with trajectories
	must(t, "run", "bib", "--set", "episodes=1", "--set", `bib.tasks=["preference"]`, "--out", in("watched"))
	for i := range 2 {
		shard(t, in("merged"), i, 2)
	}
	must(t, "merge", in("merged"))
	must(t, "run", trio(t), "--out", in("merged"))
	write(t, in("table.csv"), []byte("subject,item,success\na,x,1\na,y,0\nb,x,1\nb,y,1\n"))
	must(t, "import", in("table.csv"), "--out", in("imported"))
	must(t, "infer", in("imported"), "--layout", "constant", "--draws", "100", "--warmup", "50")
	write(t, in("few.toml"), []byte(clitest.Few))
	must(t, "analyse", in("merged"), "--config", in("few.toml"), "--out", in("analysis"))
	return []string{in("acted"), in("watched"), in("merged"), in("imported"), in("analysis")}
}

// TestVerifyEveryFile checks that verify finds nothing in directories as they were made, also where they were copied, and that it names
// each file that is changed, cut, lengthened, removed or added.
func TestVerifyEveryFile(t *testing.T) {
	dir := t.TempDir()
	for _, made := range kinds(t, dir) {
		copied := filepath.Join(dir, "copied", filepath.Base(made))
		copyDir(t, made, copied)
		if code, out, stderr := achilles(t, "verify", copied); code != 0 || strings.Contains(out, "Faults") {
			t.Fatalf("%s: exit %d\n%s%s", made, code, out, stderr)
		}
		before := tree(t, copied)
		folders := map[string]bool{}
		for name, b := range before {
			file, inShard := filepath.Join(copied, name), strings.HasPrefix(name, "shards/")
			flipped := bytes.Clone(b)
			for i := range flipped { // a hexadecimal digit in the middle, where there are digests: spaces of a ledger mean nothing
				if i >= len(flipped)/2 && flipped[i] >= '1' && flipped[i] <= '9' || i == len(flipped)-1 {
					flipped[i] ^= 1
					break
				}
			}
			named := name
			switch folder := path.Dir(name); {
			case name == "mapping.toml":
				continue // is in no part
			case name == "ledger.json":
				named = "ledger"
			case inShard:
				named = strings.Join(strings.Split(name, "/")[:2], "/")
			case path.Base(name) == part.ManifestFile && folder != ".": // the part, at least
				named = folder
			case folder == "report":
				named = folder
			}
			for why, put := range map[string]func(){
				"changed": func() { write(t, file, flipped) }, "cut": func() { write(t, file, b[:len(b)/2]) },
				"longer": func() { write(t, file, append(bytes.Clone(b), '}')) }, "removed": func() { _ = os.Remove(file) },
			} {
				if strings.HasSuffix(name, "ledger.json") && why == "removed" || inShard && path.Dir(path.Dir(name)) == "shards" && why == "removed" {
					continue // said, but no fault: an incomplete shard is made again
				}
				put()
				found(t, name+" "+why, copied, named)
				write(t, file, b)
			}
			folders[path.Dir(name)] = true
		}
		for folder := range folders {
			if folder == "." && filepath.Base(made) != "analysis" || strings.HasPrefix(folder, "shards") {
				continue
			}
			added := filepath.Join(copied, folder, "added.txt")
			write(t, added, []byte("x"))
			found(t, folder+" added", copied, map[bool]string{true: "report", false: path.Join(folder, "added.txt")}[folder == "report"])
			if err := os.Remove(added); err != nil {
				t.Fatal(err)
			}
		}
		if after := tree(t, copied); !equal(before, after) {
			t.Fatalf("%s: %v differ after the test", made, differing(before, after))
		}
	}
}

// TestVerifySwapped checks that verify names a part that is that of another run.
func TestVerifySwapped(t *testing.T) {
	dir := t.TempDir()
	one, other := filepath.Join(dir, "one"), filepath.Join(dir, "other")
	smallRun(t, one)
	must(t, "run", trio(t), "--seed", "5", "--out", other)
	for _, c := range []struct{ part, want string }{
		{"public", "inferred/manifest.json: made from another public part"},
		{"sealed", "sealed: manifest.json was changed after it was committed to, or belongs to another run"},
		{"inferred", "inferred/manifest.json: made from another public part"},
		{"scores", "scores/manifest.json: made from another inferred part"},
		{"report", "report: differs from the record in the ledger"},
	} {
		mixed := filepath.Join(dir, "mixed "+c.part)
		copyDir(t, one, mixed)
		if err := os.RemoveAll(filepath.Join(mixed, c.part)); err != nil {
			t.Fatal(err)
		}
		copyDir(t, filepath.Join(other, c.part), filepath.Join(mixed, c.part))
		found(t, c.part, mixed, c.want)
	}
}

// TestVerifyMissing checks that verify says what is not there, and that this is no fault.
func TestVerifyMissing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "r")
	smallRun(t, dir)
	for _, c := range []struct{ remove, want string }{
		{"scores", "scores: is missing, although the ledger says that it was made"},
		{"sealed", "sealed: is missing; the public part commits to "},
		{"ledger.json", "order of events: there is no ledger.json"},
		{"inferred", "public"},
	} {
		if err := os.RemoveAll(filepath.Join(dir, c.remove)); err != nil {
			t.Fatal(err)
		}
		if out := must(t, "verify", dir); !strings.Contains(out, c.want) {
			t.Errorf("without %s: %s", c.remove, out)
		}
	}
	if err := os.RemoveAll(filepath.Join(dir, "public")); err != nil {
		t.Fatal(err)
	}
	found(t, "no public part", dir, "no public/manifest.json")
}

// A forger changes an inferred part and makes everything that states digests fit it.
func forged(t *testing.T, made, dir string, change func(inferred string)) {
	t.Helper()
	copyDir(t, made, dir)
	for _, name := range []string{"scores", "report", "ledger.json"} {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	inferred := filepath.Join(dir, "inferred")
	change(inferred)
	m, err := part.ReadManifest(os.DirFS(inferred), part.Inferred)
	if err != nil {
		t.Fatal(err)
	}
	again := func(f *part.File) { *f = part.NewFile(f.Path, read(t, filepath.Join(inferred, f.Path))) }
	for i := range m.Files {
		again(&m.Files[i])
	}
	for i := range m.Tables {
		for k := range m.Tables[i].Files {
			again(&m.Tables[i].Files[k])
		}
	}
	write(t, filepath.Join(inferred, part.ManifestFile), m.Encode())
}

// rows reads the rows of a file, lets change change them, and writes them.
func rows[T any](t *testing.T, file string, change func(rows []T)) {
	t.Helper()
	list, err := record.DecodeRows[T](read(t, file))
	if err != nil {
		t.Fatal(err)
	}
	change(list)
	b, err := record.EncodeRows(list)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, b)
}

// TestVerifyForged checks what verify finds in a result whose digests all fit: a CSV file that differs from its table, profiles that differ
// from the draws, and, inferring subjects again, any row of theirs.
func TestVerifyForged(t *testing.T) {
	dir := t.TempDir()
	made := filepath.Join(dir, "made")
	must(t, "run", trio(t), "--candidates", filepath.Join(clitest.Repository(t), "scenarios", "candidates", "permanence.toml"), "--out", made)
	subject := ""
	for i, c := range []struct {
		why    string
		change func(inferred string)
		want   string
		refit  bool
	}{
		{"a CSV file", func(in string) {
			file := filepath.Join(in, "profiles.csv")
			write(t, file, bytes.Replace(read(t, file), []byte(",0."), []byte(",0.9"), 1))
		}, "inferred/profiles.csv: line 2 is ", false},
		{"a mean", func(in string) {
			rows(t, filepath.Join(in, "profiles.parquet"), func(p []infer.Profile) { p[1].Mean += 0.01 })
		}, "mean, SD or quantile differs from that of the draws", false},
		{"a profile too few", func(in string) {
			rows(t, filepath.Join(in, "profiles.parquet"), func(p []infer.Profile) { p[0].Parameter = "other" })
		}, "which has draws", false},
		{"evidence", func(in string) {
			rows(t, filepath.Join(in, "profiles.parquet"), func(p []infer.Profile) {
				subject = p[0].Subject
				was := fmt.Sprint(*p[0].LogEvidence)
				*p[0].LogEvidence += 1e-9
				file := filepath.Join(in, "profiles.csv")
				write(t, file, bytes.Replace(read(t, file), []byte(was), fmt.Append(nil, *p[0].LogEvidence), 1))
			})
		}, "inferred/profiles: subject SUBJECT, parameter rate: log_evidence is ", true},
		{"a prediction", func(in string) {
			rows(t, filepath.Join(in, "predictions.parquet"), func(p []infer.Prediction) {
				p[0].P /= 2
				subject = p[0].Subject
			})
		}, "inferred/predictions: subject SUBJECT, item ", true},
		{"a prediction too many", func(in string) {
			rows(t, filepath.Join(in, "predictions.parquet"), func(p []infer.Prediction) { p[len(p)-1].Subject = p[0].Subject; subject = p[0].Subject })
		}, " when they are inferred again", true},
		{"a warning", func(in string) {
			file := filepath.Join(in, "diagnostics.json")
			b := read(t, file)
			i := bytes.Index(b, []byte(`"subject": "`))
			subject = string(b[i+12 : i+22])
			write(t, file, bytes.Replace(b, []byte(`"gradients": `), []byte(`"gradients": 1`), 1))
		}, "inferred/diagnostics.json: the fit of SUBJECT", true},
		{"a classification", func(in string) {
			file := filepath.Join(in, compare.VerdictsFile)
			v, err := compare.Decode(read(t, file))
			if err != nil {
				t.Fatal(err)
			}
			v.Subjects[0].Family, subject = "forged", v.Subjects[0].Subject
			b, err := v.Encode()
			if err != nil {
				t.Fatal(err)
			}
			write(t, file, b)
		}, "the classification of SUBJECT differs", true},
	} {
		copied := filepath.Join(dir, fmt.Sprint(i))
		forged(t, made, copied, c.change)
		var more []string
		if c.refit {
			if code, _, stderr := achilles(t, "verify", copied); code != 0 {
				t.Errorf("%s: found without a fit: %s", c.why, stderr)
			}
			more = []string{"--subjects", subject}
		}
		found(t, c.why, copied, strings.Replace(c.want, "SUBJECT", subject, 1), more...)
	}
}

// TestVerifyForgedDraws checks that a bit of a draw, whose digests all fit, is found by inferring its subject again, and not by inferring
// another.
func TestVerifyForgedDraws(t *testing.T) {
	dir := t.TempDir()
	made, copied := filepath.Join(dir, "made"), filepath.Join(dir, "copied")
	smallRun(t, made)
	type draw struct {
		Subject string  `parquet:"subject,plain"`
		Chain   int32   `parquet:"chain"`
		Draw    int32   `parquet:"draw"`
		Rate    float64 `parquet:"rate"`
	}
	var subject, other string
	forged(t, made, copied, func(in string) {
		rows(t, filepath.Join(in, "draws.parquet"), func(d []draw) {
			d[7].Rate += 1e-14
			subject, other = d[7].Subject, d[len(d)-1].Subject
		})
	})
	must(t, "verify", copied)
	must(t, "verify", copied, "--subjects", other)
	found(t, "a bit of a draw", copied, "inferred/draws: subject "+subject+", chain 0, draw 7: rate is ", "--subjects", subject)
	found(t, "all", copied, "inferred/draws", "--refit", "3")
}

// TestRefit checks that every kind of result is inferred again with the same rows, that the seed says which subjects, and that nothing is
// changed or left behind.
func TestRefit(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", filepath.Join(dir, "temporary"))
	if err := os.Mkdir(filepath.Join(dir, "temporary"), 0o755); err != nil {
		t.Fatal(err)
	}
	together := filepath.Join(dir, "together")
	must(t, "generate", trio(t), "--out", together)
	must(t, "infer", together, "--layout", "rasch", "--draws", "100", "--warmup", "50")
	all := append(kinds(t, dir), together)
	for _, made := range slices.DeleteFunc(all, func(s string) bool { return strings.HasSuffix(s, "analysis") }) {
		before := tree(t, made)
		out := must(t, "verify", made, "--refit", "1")
		want := "1 of "
		if made == together {
			want = "All subjects inferred again, because the layout measures them together"
		}
		if !strings.Contains(out, want) || !strings.Contains(strings.Join(strings.Fields(out), " "), ": every row is the same") {
			t.Errorf("%s: %s", made, out)
		}
		if after := tree(t, made); !equal(before, after) {
			t.Errorf("%s: verify changes %v", made, differing(before, after))
		}
	}
	if left := tree(t, filepath.Join(dir, "temporary")); len(left) > 0 {
		t.Errorf("left behind: %d files", len(left))
	}
	merged := filepath.Join(dir, "merged")
	drawn := map[string]bool{}
	for seed := range 6 {
		args := []string{"verify", merged, "--refit", "1", "--seed", fmt.Sprint(seed)}
		out := must(t, args...)
		if out != must(t, args...) {
			t.Error("one seed draws two subjects")
		}
		drawn[out] = true
	}
	if len(drawn) < 2 {
		t.Error("six seeds draw one subject")
	}
}

// TestRefitRefuses checks that what is missing for an inference is an error that says how to give it.
func TestRefitRefuses(t *testing.T) {
	dir := t.TempDir()
	own, r := filepath.Join(dir, "own.toml"), filepath.Join(dir, "r")
	must(t, "generate", trio(t), "--out", r)
	write(t, own, append(read(t, filepath.Join(clitest.Repository(t), "scenarios", "layouts", "constant.toml")), "# mine\n"...))
	must(t, "infer", r, "--layout", own, "--draws", "100", "--warmup", "50")
	must(t, "verify", r, "--refit", "1") // the result keeps a layout of the user's own
	must(t, "verify", r, "--refit", "1", "--layout", own)
	found(t, "another layout", r, "is not the layout of the result", "--refit", "1", "--layout", "op")
	code, _, stderr := achilles(t, "verify", r, "--subjects", "s-none", "--layout", own)
	if code != 2 || !strings.Contains(stderr, `"s-none" is not an opaque id`) {
		t.Errorf("exit %d, %s", code, stderr)
	}
	old := filepath.Join(dir, "old")
	copyDir(t, filepath.Join("testdata", "old", "answered"), old)
	found(t, "an older version", old, "scores/manifest.json is missing")
	if err := os.RemoveAll(filepath.Join(old, "scores")); err != nil {
		t.Fatal(err)
	}
	must(t, "verify", old)
	found(t, "an older version", old, "--force regenerates it", "--refit", "1", "--layout", "constant")
}

// TestVerifySubmission checks that verify looks at a result that was handed in, and says that it cannot infer it again.
func TestVerifySubmission(t *testing.T) {
	dir := t.TempDir()
	r, file := filepath.Join(dir, "r"), filepath.Join(dir, "mine.csv")
	must(t, "generate", trio(t), "--out", r)
	data, err := record.Read(os.DirFS(filepath.Join(r, "public")))
	if err != nil {
		t.Fatal(err)
	}
	text := "subject,parameter,mean,sd,q5,q95\n"
	for _, id := range data.Subjects {
		text += id + ",op,1,0.5,0.2,1.9\n"
	}
	write(t, file, []byte(text))
	must(t, "infer", r, "--submission", file)
	if out := must(t, "verify", r, "--refit", "1"); !strings.Contains(out, "inferred: it is a submission") {
		t.Error(out)
	}
	profiles := filepath.Join(r, "inferred", "profiles.csv")
	write(t, profiles, append(read(t, profiles), '\n'))
	found(t, "an edited submission", r, "inferred/profiles.csv: longer than")
}
