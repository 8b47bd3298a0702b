package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"achilles/render/cli"
	"achilles/render/cli/clitest"
	"achilles/sim/longtest"
	"achilles/sim/record"
)

// A studyFile has what the test reads of study.json.
type studyFile struct {
	Study string
	Order []string
}

func readStudy(t *testing.T, dir string) (c studyFile) {
	t.Helper()
	if err := json.Unmarshal(clitest.Read(t, filepath.Join(dir, "site", "study.json")), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// answered returns the row of a participant's answer to an item.
func (c studyFile) answered(who string, i int, answer string, rt int) string {
	return fmt.Sprintf("{\"study\":%q,\"participant\":%q,\"session\":\"s\",\"row\":%d,\"kind\":\"item\",\"item\":%q,\"position\":%d,\"answer\":%q,\"rt\":%d}\n", c.Study, who, i+1, c.Order[i], i+1, answer, rt)
}

// TestStudy leads a study from its site to profiles: the right answers are beside the site and not in it, the answers of a file are
// graded by them, and reaction times reach responses and a layout.
func TestStudy(t *testing.T) {
	dir, results := filepath.Join(t.TempDir(), "study"), filepath.Join(t.TempDir(), "people")
	consent := filepath.Join(t.TempDir(), "consent.txt")
	write(t, consent, []byte("We keep your answers.\n"))
	if out := must(t, "study", "ctest", "--items", "6", "--consent", consent, "--completion", "C0FFEE", "--out", dir); !strings.Contains(out, "21 items of scenario ctest, 6 per participant") {
		t.Errorf("it says %s", out)
	}
	var key map[string]string
	if err := json.Unmarshal(clitest.Read(t, filepath.Join(dir, "key.json")), &key); err != nil || len(key) != 21 {
		t.Fatalf("%d right answers (%v)", len(key), err)
	}
	for name, b := range clitest.Tree(t, filepath.Join(dir, "site")) {
		if strings.HasPrefix(name, "items") && bytes.Contains(b, []byte("answer")) {
			t.Errorf("%s has an answer: %s", name, b)
		}
	}
	c := readStudy(t, dir)
	file := filepath.Join(t.TempDir(), "answers-P1.jsonl")
	var rows strings.Builder
	for p, who := range []string{"P1", "P2", "P3"} {
		for i := range 6 {
			answer := key[c.Order[i]]
			if i < p {
				answer = "?"
			}
			rows.WriteString(c.answered(who, i, answer, 500*(p+1)))
		}
	}
	write(t, file, []byte(rows.String()))
	if out := must(t, "study", "collect", dir, file, file); !strings.Contains(out, "P1: 6 of 6 items passed, not to the end\nP2: 5 of 6 items passed, not to the end\nP3: 4 of 6") || !strings.Contains(out, "3 participants, 18 rows") {
		t.Errorf("it says\n%s", out)
	}
	must(t, "import", filepath.Join(dir, "collected.jsonl"), "--items", filepath.Join(dir, "items.csv"), "--mapping", filepath.Join(dir, "mapping.toml"), "--out", results)
	d, err := record.Read(os.DirFS(filepath.Join(results, "public")))
	if err != nil {
		t.Fatal(err)
	}
	passed, slow, n := map[string]float64{}, map[string]float64{}, 0
	for _, r := range d.Responses.All() {
		who := d.Subjects[r.Subject]
		if r.Position == 0 {
			t.Fatal("a response without its place")
		}
		if d.Manifest.Measures[r.Measure].Name == "logRT" {
			slow[who] += r.Value / 6
			n++
		} else {
			passed[who] += r.Value
		}
	}
	if passed["P1"] != 6 || passed["P3"] != 4 || n != 18 || slow["P2"] != 0 || slow["P1"] >= 0 || slow["P3"] <= 0.4 {
		t.Errorf("passed %v, slowness %v, %d times", passed, slow, n)
	}
	layout := filepath.Join(t.TempDir(), "timed.toml")
	write(t, layout, []byte("name = \"timed\"\n[capability]\nability = { prior = \"normal(0, 1)\" }\nslowness = { prior = \"normal(0, 1)\" }\ns = { prior = \"halfnormal(1)\" }\n[response.success]\np = \"logistic(ability)\"\n[response.logRT]\nfamily = \"normal\"\nmean = \"slowness\"\nsd = \"s\"\n"))
	must(t, "infer", results, "--layout", layout, "--draws", "200", "--warmup", "100", "--no-predict")
	profiles := must(t, "show", results, "profiles", "--format", "csv")
	if !strings.Contains(profiles, "slowness") {
		t.Errorf("the profiles have no slowness:\n%s", profiles)
	}

	for _, x := range []struct {
		args []string
		want string
	}{
		{[]string{"study", "quickstart", "--out", dir}, "no worlds and no questions"},
		{[]string{"study", "ctest", "--out", dir}, "exists already"},
		{[]string{"study", "serve", results}, "holds no study; achilles study SCENARIO"},
		{[]string{"study", "collect", dir, consent}, "consent.txt: line 1: not a JSON object"},
		{[]string{"study", "ctest", "--consent", "nowhere.txt", "--out", dir}, "--consent: nowhere.txt: no such file"},
	} {
		if code, _, errs := achilles(t, x.args...); code != 1 || !strings.Contains(strings.Join(strings.Fields(errs), " "), x.want) {
			t.Errorf("%v: exit %d\n%s", x.args, code, errs)
		}
	}
	write(t, filepath.Join(dir, "answers.jsonl"), []byte(`{"study":"another","participant":"P1","session":"s","row":1,"kind":"event","event":"began"}`+"\n"))
	if code, _, errs := achilles(t, "study", "serve", dir); code != 1 || !strings.Contains(strings.Join(strings.Fields(errs), " "), "move the file away to start over") {
		t.Errorf("answers of another site: exit %d\n%s", code, errs)
	}
}

// TestStudyFilms leads a study of episodes from its site to responses: films tell nothing, what is expected stays sealed and outside of the
// site, and every trial of a person has its row.
func TestStudyFilms(t *testing.T) {
	dir, results := filepath.Join(t.TempDir(), "study"), filepath.Join(t.TempDir(), "people")
	if out := must(t, "study", "bib", "--set", "episodes=1", "--set", `bib.tasks=["preference"]`, "--answer", "look", "--out", dir); !strings.Contains(out, "2 videos of scenario bib, all per participant") {
		t.Errorf("it says %s", out)
	}
	var films struct {
		Films []struct {
			Film string
			MS   int
		}
	}
	c := readStudy(t, dir)
	if len(c.Order) != 2 {
		t.Fatalf("items %q", c.Order)
	}
	for name, b := range clitest.Tree(t, filepath.Join(dir, "site")) {
		if !strings.HasSuffix(name, ".js") && (bytes.Contains(b, []byte("expected")) || bytes.Contains(b, []byte("preference"))) {
			t.Errorf("%s tells what is expected", name)
		}
	}
	if err := json.Unmarshal(clitest.Read(t, filepath.Join(dir, "site", "items", c.Order[0]+".json")), &films); err != nil || len(films.Films) != 9 {
		t.Fatalf("%d films (%v)", len(films.Films), err)
	}
	for _, f := range films.Films {
		if b := clitest.Read(t, filepath.Join(dir, "site", filepath.FromSlash(f.Film))); !bytes.HasPrefix(b, []byte("GIF89a")) || f.MS < 1000 || f.MS%40 != 0 {
			t.Errorf("%s takes %d ms", f.Film, f.MS)
		}
	}
	var rows strings.Builder
	for p := range 2 {
		n := 0
		for _, item := range c.Order {
			for trial := 1; trial <= 9; trial++ {
				kind := "trial"
				if trial == 9 {
					kind = "item"
				}
				n++
				fmt.Fprintf(&rows, "{\"study\":%q,\"participant\":\"P%d\",\"session\":\"s\",\"row\":%d,\"kind\":%q,\"item\":%q,\"trial\":%d,\"position\":%d,\"looking\":%d}\n", c.Study, p, n, kind, item, trial, (n+8)/9, 1000*(10-trial)+p)
			}
		}
	}
	write(t, filepath.Join(dir, "answers.jsonl"), []byte(rows.String()))
	if out := must(t, "study", "collect", dir); !strings.Contains(out, "P0: 2 videos watched") || !strings.Contains(out, "2 participants, 36 rows") {
		t.Errorf("it says\n%s", out)
	}
	must(t, "import", filepath.Join(dir, "collected.jsonl"), "--mapping", filepath.Join(dir, "mapping.toml"), "--out", results)
	d, err := record.Read(os.DirFS(filepath.Join(results, "public")))
	if err != nil {
		t.Fatal(err)
	}
	if d.Responses.Len() != 4 || d.Responses.At(0).Value != 1000 || d.Responses.At(3).Value != 1001 {
		t.Errorf("responses %+v", d.Responses.List())
	}
	if code, _, errs := achilles(t, "play", "bib", "--answer", "smell", "--out", dir); code != 2 || !strings.Contains(errs, "want rate or look") {
		t.Errorf("exit %d, %s", code, errs)
	}
}

// TestPlayFilms checks that films are drawn only of the videos that the person is to watch.
func TestPlayFilms(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "films")
	ctx, cancel := context.WithCancel(t.Context())
	var out bytes.Buffer
	errs := clitest.Writer(func(p []byte) (int, error) {
		if strings.Contains(string(p), "http://") {
			cancel()
		}
		return len(p), nil
	})
	if code := cli.Run(ctx, cli.Host{}, []string{"play", "bib", "--set", "episodes=12", "--set", `bib.tasks=["preference"]`, "--items", "3", "--out", dir}, &out, errs); code != 0 {
		t.Errorf("exit %d", code)
	}
	folders, err := os.ReadDir(filepath.Join(dir, "site", "films"))
	if c := readStudy(t, dir); err != nil || len(c.Order) != 3 || len(folders) > 3 {
		t.Errorf("items %q, films of %d episodes, %v", c.Order, len(folders), err)
	}
}

// TestStudyVideos checks that a site has as many videos as are asked for, and all without a number.
func TestStudyVideos(t *testing.T) {
	for n, want := range map[string]int{"5": 5, "0": 24} {
		dir := filepath.Join(t.TempDir(), "films")
		must(t, "study", "bib", "--set", "episodes=12", "--set", `bib.tasks=["preference"]`, "--videos", n, "--items", "0", "--out", dir)
		if c := readStudy(t, dir); len(c.Order) != want {
			t.Errorf("--videos %s: %d videos, want %d", n, len(c.Order), want)
		}
	}
}

// TestStudyServer checks that the server says where it is, keeps answers, and ends well.
func TestStudyServer(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "study")
	must(t, "study", "ctest", "--out", dir)
	c := readStudy(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	address := make(chan string, 1)
	var said bytes.Buffer
	go func() {
		defer close(address)
		var out bytes.Buffer
		errs := clitest.Writer(func(p []byte) (int, error) {
			if at := strings.Index(string(p), "http://"); at >= 0 {
				where, _, _ := strings.Cut(string(p[at:]), "?")
				address <- where
			}
			return len(p), nil
		})
		if code := cli.Run(ctx, cli.Host{}, []string{"study", "serve", dir, "--address", "127.0.0.1:0"}, &out, errs); code != 0 {
			t.Errorf("exit %d", code)
		}
		said = out
	}()
	at, ok := <-address
	if !ok {
		t.Fatal("it does not say where it is")
	}
	r, err := http.Post(at+"answers", "text/plain", strings.NewReader(c.answered("P1", 0, "a", 700)))
	if err != nil || r.StatusCode != 200 {
		t.Fatalf("%v, %v", r, err)
	}
	r.Body.Close()
	if code, _, errs := achilles(t, "study", "serve", dir); code != 1 || !strings.Contains(errs, "another achilles process is writing there") {
		t.Errorf("a second server: exit %d, %s", code, errs)
	}
	cancel()
	<-address
	if !strings.Contains(said.String(), "1 participant, 0 of them to the end; 1 item taken") {
		t.Errorf("it says %s", said.String())
	}
	if got := string(clitest.Read(t, filepath.Join(dir, "answers.jsonl"))); got != c.answered("P1", 0, "a", 700) {
		t.Errorf("kept %q", got)
	}
}

// TestStudyKilled lets 200 participants answer at once while the server is killed without a warning, again and again. Whatever a
// browser was told to be kept must be there, once.
func TestStudyKilled(t *testing.T) {
	longtest.Only(t, "starts and kills servers")
	program := filepath.Join(t.TempDir(), "achilles")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir = clitest.Repository(t)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dir := filepath.Join(t.TempDir(), "study")
	must(t, "study", "ctest", "--items", "0", "--out", dir)
	c := readStudy(t, dir)
	const people, rows, kills = 200, 20, 6
	var mu sync.Mutex
	at := ""
	var kept atomic.Int64
	over := make(chan struct{})
	go func() {
		defer close(over)
		for {
			server := exec.Command(program, "study", "serve", dir, "--address", "127.0.0.1:0")
			said, err := server.StderrPipe()
			if err != nil || server.Start() != nil {
				t.Error("the server does not start")
				return
			}
			b := make([]byte, 1024)
			n, _ := said.Read(b)
			_, text, _ := strings.Cut(string(b[:n]), "http://")
			where, _, _ := strings.Cut(text, "?")
			mu.Lock()
			at = "http://" + where
			mu.Unlock()
			from := kept.Load()
			for kept.Load() < people*rows && kept.Load() < from+people*rows/kills {
				time.Sleep(time.Millisecond)
			}
			_ = server.Process.Kill() // SIGKILL
			_ = server.Wait()
			if kept.Load() == people*rows {
				return
			}
		}
	}()
	var all sync.WaitGroup
	client := &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: people}}
	for p := range people {
		all.Go(func() {
			for i := range rows {
				for {
					mu.Lock()
					where := at
					mu.Unlock()
					r, err := client.Post(where+"answers", "text/plain", strings.NewReader(c.answered(fmt.Sprint("P", p), i, "a", 500+i)))
					if err == nil {
						r.Body.Close()
						if r.StatusCode == 200 {
							kept.Add(1)
							break
						}
					}
					time.Sleep(5 * time.Millisecond)
				}
			}
		})
	}
	all.Wait()
	<-over
	seen := map[string]int{}
	for line := range bytes.Lines(clitest.Read(t, filepath.Join(dir, "answers.jsonl"))) {
		if bytes.HasSuffix(line, []byte("\n")) {
			seen[string(line)]++
		}
	}
	for p := range people {
		for i := range rows {
			if n := seen[c.answered(fmt.Sprint("P", p), i, "a", 500+i)]; n != 1 {
				t.Fatalf("answer %d of participant %d, which was kept, is there %d times", i, p, n)
			}
		}
	}
	if out := must(t, "study", "collect", dir); !strings.Contains(out, fmt.Sprintf("%d participants, %d rows", people, people*rows)) {
		t.Errorf("collected: %s", out)
	}
}
