package report_test

import (
	"context"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"achilles/render/rendertest"
)

// A site serves a page and a script that drives it, and records the paths that are requested.
type site struct {
	page, drive []byte
	mu          sync.Mutex
	asked       []string
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked = append(s.asked, r.URL.Path)
	s.mu.Unlock()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	switch r.URL.Path {
	case "/drive":
		_, _ = w.Write(s.drive)
	case "/page":
		_, _ = w.Write(s.page)
	default:
		http.NotFound(w, r)
	}
}

// dump returns the text of a page after its script has run in the browser.
func dump(t *testing.T, url string, flags ...string) string {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	c := exec.CommandContext(ctx, rendertest.Browser(t), append(flags, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update",
		"--disable-sync", "--hide-scrollbars", "--user-data-dir="+t.TempDir(), "--window-size=1800,1000", "--virtual-time-budget=20000", "--dump-dom", url)...)
	c.WaitDelay = 5 * time.Second
	out, err := c.Output()
	if err != nil {
		t.Fatalf("chromium: %v", err)
	}
	pre := regexp.MustCompile(`(?s)<pre>(.*)</pre>`).FindSubmatch(out)
	if pre == nil || !strings.HasSuffix(string(pre[1]), "\nend") {
		t.Fatalf("the script did not come to its end:\n%s", out)
	}
	return html.UnescapeString(string(pre[1]))
}

// driven returns the lines that the script reports about a page in the browser. The test fails if the page requests
// another address.
func driven(t *testing.T, page []byte, flags ...string) []string {
	t.Helper()
	drive, err := os.ReadFile("testdata/drive.html")
	if err != nil {
		t.Fatal(err)
	}
	s := &site{page: page, drive: drive}
	server := httptest.NewServer(s)
	defer server.Close()
	saw := strings.Split(strings.TrimSuffix(dump(t, server.URL+"/drive", flags...), "\nend"), "\n")
	for _, path := range s.asked {
		if path != "/drive" && path != "/page" {
			t.Errorf("the page asked for %s", path)
		}
	}
	return saw
}

// still has the lines that the script reports if the page fits the widths of a desktop and a phone, in pixels, has
// enough contrast and requests nothing.
var still = []string{"1280 overflow 0", "1280 outside 0", "1280 pale 0", "1280 requests 0", "390 overflow 0", "390 outside 0", "390 pale 0", "390 requests 0"}

// dark is the flag with which the browser asks for dark pages.
const dark = "--blink-settings=preferredColorScheme=0"

// TestDark checks that the text of a dark page has enough contrast.
func TestDark(t *testing.T) {
	rendertest.Browser(t)
	page := pages(t)["results"]
	if saw := driven(t, page, dark); !slices.Contains(saw, "1280 pale 0") {
		t.Errorf("in the dark the browser saw\n%s", strings.Join(saw, "\n"))
	}
}

// TestBrowser drives reports in headless Chromium. At the widths of a desktop and of a phone, nothing may overflow and
// no text may leave its figure. A click on the head of a column must sort the table. Nothing except the page may be
// requested.
func TestBrowser(t *testing.T) {
	rendertest.Browser(t)
	for name, page := range pages(t) {
		t.Run(name, func(t *testing.T) {
			want := slices.Clone(still)
			if name == "results" {
				want = append(want,
					"sorted prediction success rate ascending agent-1 < agent-2 < <b>agent-10</b> < all",
					"sorted prediction success rate descending <b>agent-10</b> < agent-2 < agent-1 < all",
					"sorted prediction success rate  <b>agent-10</b> < agent-1 < agent-2 < all",
					"sorted profiles subject ascending <b>agent-10</b> < agent-1 < agent-2",
					"sorted profiles visual ascending agent-1 < agent-2 < <b>agent-10</b>",
					"heads 84")
			}
			if got := driven(t, page); !slices.Equal(got, want) {
				t.Errorf("the browser saw\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// TestPrinted checks that a result is printed on three sheets, as it is not if what the page folds is printed too.
func TestPrinted(t *testing.T) {
	browser := rendertest.Browser(t)
	for name, c := range map[string]struct{ open, atMost int }{"as it is": {0, 3}, "all opened": {1, 99}} {
		page := string(pages(t)["results"])
		if c.open > 0 {
			page = strings.ReplaceAll(page, `<details class="more">`, `<details class="more" open="">`)
		}
		dir := t.TempDir()
		if err := os.WriteFile(dir+"/page.html", []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
		out, err := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+dir+"/data", "--no-pdf-header-footer", "--print-to-pdf="+dir+"/page.pdf", "file://"+dir+"/page.html").CombinedOutput()
		stop()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		pdf, err := os.ReadFile(dir + "/page.pdf")
		if err != nil {
			t.Fatal(err)
		}
		n := len(regexp.MustCompile(`/Type\s*/Page[^s]`).FindAll(pdf, -1))
		if n < 1 || n > c.atMost || c.open > 0 && n <= 3 {
			t.Errorf("%s: printed on %d sheets", name, n)
		}
	}
}

// TestAccessible looks at every kind of report by the rules of axe-core, light and dark, as wide as a desk and as a telephone, with all that is
// folded opened.
func TestAccessible(t *testing.T) {
	browser := rendertest.Browser(t)
	for name, page := range pages(t) {
		s := &site{page: []byte(strings.ReplaceAll(string(page), `<details`, `<details open=""`))}
		server := httptest.NewServer(s)
		c := rendertest.Browse(t, browser, server.URL+"/page")
		c.Until("the page is there", "document.querySelector('main') !== null")
		for _, width := range []int{1280, 400} {
			for _, scheme := range []string{"light", "dark"} {
				c.Resize(width, 800, 1)
				c.Call(nil, "Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}})
				c.Axe(fmt.Sprintf("%s, %s, %d pixels wide", name, scheme, width))
			}
		}
		server.Close()
	}
}
