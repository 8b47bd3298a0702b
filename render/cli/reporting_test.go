package cli_test

import (
	"bytes"
	"encoding/json"
	"html"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"achilles/render/cli/clitest"
)

// TestReport checks that a run ends with a report, that the report does not depend on where the directory lies, that
// the command report makes the same one again, and that a new inference removes it.
func TestReport(t *testing.T) {
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "elsewhere", "two")
	graded(t, one)
	page := read(t, filepath.Join(one, "report", "index.html"))
	for _, part := range []string{"<title>trio</title>", `id="recovery"`, `id="prediction"`, `id="diagnostics"`, "achilles export figure recovery . --out recovery.svg"} {
		if !bytes.Contains(page, []byte(part)) {
			t.Errorf("the report lacks %s", part)
		}
	}
	if len(page) > 2<<20 {
		t.Errorf("the report has %d bytes", len(page))
	}
	copyDir(t, one, two)
	if err := os.RemoveAll(filepath.Join(two, "report")); err != nil {
		t.Fatal(err)
	}
	must(t, "report", two)
	if !bytes.Equal(page, read(t, filepath.Join(two, "report", "index.html"))) {
		t.Error("the report depends on where the results lie")
	}
	if !bytes.Equal(read(t, filepath.Join(one, "ledger.json")), read(t, filepath.Join(two, "ledger.json"))) {
		t.Error("the same report was entered in the ledger again")
	}
	var ledger struct{ Entries []struct{ Stage string } }
	if err := json.Unmarshal(read(t, filepath.Join(one, "ledger.json")), &ledger); err != nil || ledger.Entries[len(ledger.Entries)-1].Stage != "report" {
		t.Errorf("the ledger does not end with the report: %v", err)
	}
	write(t, filepath.Join(two, "report", "index.html"), []byte("mine"))
	if code, _, stderr := achilles(t, "report", two); code != 1 || !strings.HasSuffix(stderr, "hint: --force overwrites it\n") {
		t.Errorf("another report was overwritten: exit %d, %s", code, stderr)
	}
	must(t, "report", two, "--force")
	must(t, "infer", two, "--layout", "constant", "--draws", "100", "--warmup", "50", "--force")
	if _, err := os.Stat(filepath.Join(two, "report")); err == nil {
		t.Error("the report of an earlier result is still there")
	}
}

// TestReportKeepsTheSeal checks that a report has no sealed name before the seal is opened, neither before nor after
// the inference.
func TestReportKeepsTheSeal(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "r")
	must(t, "generate", trio(t), "--out", dir)
	page := func() string {
		must(t, "report", dir, "--force")
		return string(read(t, filepath.Join(dir, "report", "index.html")))
	}
	names := regexp.MustCompile(`burnt|perfect|trio`)
	if p := page(); !strings.Contains(p, "not scored yet") || names.MatchString(p) {
		t.Error("the report of what was generated says too much, or too little")
	}
	must(t, "infer", dir, "--layout", "op", "--draws", "100", "--warmup", "50")
	p := page()
	if names.MatchString(p) || !strings.Contains(p, "not scored yet") || !strings.Contains(p, "achilles score .") {
		t.Error("the report of what was inferred says too much, or too little")
	}
	if ledger := string(read(t, filepath.Join(dir, "ledger.json"))); strings.Count(ledger, `"sealed"`) != 1 {
		t.Errorf("the seal was opened:\n%s", ledger)
	}
	must(t, "score", dir)
	if unblinded(t, dir) {
		t.Error("a report has unblinded the result")
	}
	if p := page(); len(names.FindAllString(p, -1)) < 10 {
		t.Error("the report of what was scored has no names")
	}
}

// TestFigures checks that figures are written as PNG and SVG, one by one and all together, and that the errors for
// figures that cannot be drawn say why.
func TestFigures(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	graded(t, "small")
	must(t, "run", trio(t), "--layout", "op", "--set", "battery.sample=60", "--out", "large")
	must(t, "analyse", "small", "--out", "analysis", "--layout", "constant", "--config", fewFile(t))
	for _, line := range []string{
		"export figure recovery small --out recovery.svg", "export figure trace-coin small --out trace.png", "export figure size small large --out size.png",
		"export figure models analysis --out models.svg", "export figures small --out all", "export figures analysis --out grids --format png", "report analysis",
	} {
		must(t, strings.Fields(line)...)
	}
	for _, name := range []string{"trace.png", "size.png", "grids/grids.png"} {
		if img, err := png.Decode(bytes.NewReader(read(t, name))); err != nil || img.Bounds().Dx() < 300 {
			t.Errorf("%s is no picture: %v", name, err)
		}
	}
	for _, name := range []string{"recovery.svg", "models.svg", "all/profiles.svg", "all/posteriors.svg", "all/reliability.svg"} {
		if b := read(t, name); !bytes.HasPrefix(b, []byte("<svg ")) {
			t.Errorf("%s is no picture", name)
		}
	}
	if !strings.Contains(string(read(t, "models.svg")), ">constant<") {
		t.Error("the layout is not among the models")
	}
	for _, c := range []struct {
		line, want string
		code       int
	}{
		{"export figure recovery small --out recovery.svg", "hint: --force overwrites it; --out writes elsewhere", 1},
		{"export figure recovery small --out recovery.jpg", "ends in .png or .svg", 2},
		{"export figure nonsense small --out n.svg", `no figure "nonsense"; it has profiles, posteriors`, 1},
		{"export figure recovery small large --out r.svg", "only the figures size and orders take several", 2},
		{"export figure size analysis --out s.svg", "no recovery", 1},
		{"export figures small", "needs --out", 2},
		{"export figures small --out f --format gif", `format "gif"`, 2},
		{"report nowhere", "there is no directory", 1},
		{"analyse small --layout aaio --out other", "the items have no column rewardSize", 1},
		{"analyse small --layout nonsense --out other", "nonsense", 1},
	} {
		if code, _, stderr := achilles(t, strings.Fields(c.line)...); code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit %d, %s", c.line, code, stderr)
		}
	}
}

// TestReportCommands checks that the command below each figure of a report makes a figure with the same title.
func TestReportCommands(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "r")
	graded(t, dir)
	page := string(read(t, filepath.Join(dir, "report", "index.html")))
	t.Chdir(dir)
	commands := regexp.MustCompile(`<code>achilles (export figure .*?)</code>`).FindAllStringSubmatch(page, -1)
	if figures := strings.Count(page, "<figure "); len(commands) < 7 || len(commands) != figures {
		t.Errorf("%d commands below %d figures", len(commands), figures)
	}
	for _, c := range commands {
		args := strings.Fields(html.UnescapeString(c[1]))
		must(t, args...)
		title := regexp.MustCompile(`font-weight='bold'[^>]*>([^<]*)<`).FindSubmatch(read(t, args[len(args)-1]))
		if title == nil || !strings.Contains(page, "<b>"+strings.TrimSuffix(string(title[1]), "…")) {
			t.Errorf("%s makes another figure: %s", c[1], title)
		}
	}
}

// TestPicturesOfTheOlympics checks that the pictures of docs/guide/not-a-number.md are those that the command line
// draws from the public tables.
func TestPicturesOfTheOlympics(t *testing.T) {
	tables := map[string][]byte{"task_codes.csv": nil, "scores_all.csv": nil}
	for name := range tables {
		tables[name] = dataFile(t, "aaio/"+name)
	}
	conf := append(read(t, filepath.Join(repository(t), "scenarios", "analyses", "not-a-number.toml")), "models = [\"subject\"]\nsplits = 1\n"...)
	pictures := filepath.Join(repository(t), "docs", "figures")
	t.Chdir(t.TempDir())
	for name, b := range tables {
		write(t, name, b)
	}
	write(t, "conf.toml", conf)
	must(t, "import", "--items", "task_codes.csv", "--responses", "scores_all.csv", "--mapping", "aaio-99", "--out", "results")
	must(t, "analyse", "results", "--config", "conf.toml", "--out", "analysis")
	for _, name := range []string{"grids-pair", "curves"} {
		must(t, "export", "figure", name, "analysis", "--out", name+".svg")
		holdPicture(t, filepath.Join(pictures, "olympics-"+name+".svg"), read(t, name+".svg"), bytes.Equal)
	}
}

// holdPicture compares a picture of the documents with got, by the function same. With -update, it rewrites the picture
// instead.
func holdPicture(t *testing.T, path string, got []byte, same func(a, b []byte) bool) {
	t.Helper()
	if !filepath.IsAbs(path) {
		path = filepath.Join(repository(t), "docs", "figures", path)
	}
	if *update {
		write(t, path, got)
		return
	}
	if !same(got, read(t, path)) {
		t.Errorf("%s shows something else than is drawn; -update rewrites it", path)
	}
}

// sameLabels reports whether two SVG pictures have the same words. It ignores numbers, because another setting of the
// engine draws other ones.
func sameLabels(a, b []byte) bool {
	words := func(svg []byte) (out []string) {
		for _, m := range regexp.MustCompile(`>([^<]*[A-Za-z][^<]*)</text>`).FindAllSubmatch(svg, -1) {
			out = append(out, string(m[1]))
		}
		return out
	}
	return len(words(a)) > 15 && slices.Equal(words(a), words(b))
}

// fewFile writes the configuration of a quick analysis into a file and returns its path.
func fewFile(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "few.toml")
	write(t, path, []byte(clitest.Few+"splits = 1\n[[prediction.shift]]\nname = \"far\"\nfeatures = [\"goalDistance\"]\n"))
	return path
}
