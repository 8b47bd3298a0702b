package rendertest

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"testing"
	"time"
)

// A Chrome is a headless browser with one page that a test drives over a debugging pipe. Messages are JSON, each followed by a zero
// byte; the browser reads them from its file 3 and writes answers to its file 4 (the Chrome DevTools protocol, option
// --remote-debugging-pipe). A method that fails ends the test.
type Chrome struct {
	t       *testing.T
	cmd     *exec.Cmd
	in      *os.File
	out     *bufio.Reader
	session string
	last    int
	Logs    []string // messages that pages wrote to the console
}

// Browse starts the browser at a path, as Browser returns it, and opens an address in a page of 1280 × 720 pixels.
func Browse(t *testing.T, path, address string) *Chrome {
	t.Helper()
	theirIn, ourIn, err1 := os.Pipe()
	ourOut, theirOut, err2 := os.Pipe()
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	profile, err := os.MkdirTemp("", "achilles-browser-")
	if err != nil {
		t.Fatal(err)
	}
	c := &Chrome{t: t, in: ourIn, out: bufio.NewReaderSize(ourOut, 1<<20)}
	c.cmd = exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--remote-debugging-pipe",
		"--window-size=1280,720", "--user-data-dir="+profile, "about:blank")
	c.cmd.ExtraFiles = []*os.File{theirIn, theirOut}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.end(profile)
		for _, f := range []*os.File{theirIn, ourIn, ourOut, theirOut} {
			_ = f.Close()
		}
	})
	deadline := time.Now().Add(4 * time.Minute)
	if err := errors.Join(ourOut.SetReadDeadline(deadline)); err != nil && !errors.Is(err, os.ErrNoDeadline) {
		t.Fatal(err)
	}
	var target struct{ TargetID string }
	c.Call(&target, "Target.createTarget", map[string]any{"url": "about:blank"})
	var attached struct{ SessionID string }
	c.Call(&attached, "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true})
	c.session = attached.SessionID
	c.Call(nil, "Runtime.enable", nil)
	c.Call(nil, "Page.enable", nil)
	c.Resize(1280, 720, 1)
	c.Call(nil, "Page.navigate", map[string]any{"url": address})
	return c
}

// end closes the browser, kills it if it has not ended after ten seconds, and removes its profile directory.
func (c *Chrome) end(profile string) {
	late := time.AfterFunc(10*time.Second, func() { _ = c.cmd.Process.Kill() }) // an error means that the browser has ended
	_, _ = c.in.Write([]byte("{\"id\":0,\"method\":\"Browser.close\"}\x00"))    // an error means that the browser is gone
	_ = c.cmd.Wait()
	late.Stop()
	for range 50 {
		if os.RemoveAll(profile) == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// Resize sets the size of the page in pixels of style sheets, and how many pixels of the screen each is wide.
func (c *Chrome) Resize(width, height int, ratio float64) {
	c.t.Helper()
	c.Call(nil, "Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": ratio, "mobile": false})
}

// answerTime is the longest time that the browser has for an answer. Then it is killed.
const answerTime = time.Minute

// Call calls a method of the browser and decodes the answer into result, if result is not nil.
func (c *Chrome) Call(result any, method string, params map[string]any) {
	c.t.Helper()
	c.last++
	message := map[string]any{"id": c.last, "method": method}
	if params != nil {
		message["params"] = params
	}
	if c.session != "" {
		message["sessionId"] = c.session
	}
	text, err := json.Marshal(message)
	if err == nil {
		_, err = c.in.Write(append(text, 0))
	}
	if err != nil {
		c.t.Fatal(err)
	}
	late := time.AfterFunc(answerTime, func() { _ = c.cmd.Process.Kill() }) // an error means that the browser has ended
	defer late.Stop()
	for {
		text, err := c.out.ReadBytes(0)
		if err != nil {
			c.t.Fatalf("the browser says nothing more: %v; the page said %q", err, c.Logs)
		}
		var answer struct {
			ID     int
			Method string
			Result json.RawMessage
			Params json.RawMessage
			Error  *struct{ Message string }
		}
		if err := json.Unmarshal(bytes.TrimSuffix(text, []byte{0}), &answer); err != nil {
			c.t.Fatal(err)
		}
		if answer.Method == "Runtime.consoleAPICalled" || answer.Method == "Runtime.exceptionThrown" {
			c.Logs = append(c.Logs, string(answer.Params))
		}
		if answer.ID != c.last {
			continue
		}
		if answer.Error != nil {
			c.t.Fatalf("%s: %s", method, answer.Error.Message)
		}
		if result != nil {
			if err := json.Unmarshal(answer.Result, result); err != nil {
				c.t.Fatal(err)
			}
		}
		return
	}
}

// Eval returns the value of an expression in the page, as text.
func (c *Chrome) Eval(expression string) string {
	c.t.Helper()
	return c.evaluate("String("+expression+")", false)
}

// evaluate returns the value of an expression that is a text, or a promise of one.
func (c *Chrome) evaluate(expression string, promise bool) string {
	c.t.Helper()
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails *struct{ Exception struct{ Description string } }
	}
	c.Call(&r, "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": promise})
	if r.ExceptionDetails != nil {
		c.t.Fatalf("%s: %s", expression, r.ExceptionDetails.Exception.Description)
	}
	return fmt.Sprint(r.Result.Value)
}

// Until waits until an expression in the page is true. The test fails if the expression is still false after 90
// seconds.
func (c *Chrome) Until(why, expression string) {
	c.t.Helper()
	for end := time.Now().Add(90 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if c.Eval(expression) == "true" {
			return
		}
	}
	c.t.Fatalf("waited in vain: %s; the page says %q, its console %q", why, c.Eval("document.body.innerText"), c.Logs)
}

// Press presses a key and releases it after 150 ms, which is a few frames.
func (c *Chrome) Press(key, code, text string) {
	c.t.Helper()
	down := map[string]any{"type": "keyDown", "key": key, "code": code}
	if text != "" {
		down["text"] = text
	}
	c.Call(nil, "Input.dispatchKeyEvent", down)
	time.Sleep(150 * time.Millisecond)
	c.Call(nil, "Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key, "code": code})
}

// Screenshot returns a picture of the page.
func (c *Chrome) Screenshot() image.Image {
	c.t.Helper()
	var shot struct{ Data string }
	c.Call(&shot, "Page.captureScreenshot", map[string]any{"format": "png"})
	data, err := base64.StdEncoding.DecodeString(shot.Data)
	if err != nil {
		c.t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		c.t.Fatal(err)
	}
	return img
}

// Axe fails the test for each rule of axe-core (its default ones) that the page breaks. axe.min.js of its npm package is the file that the
// environment variable ACHILLES_AXE names: without it, Axe logs that it looked at nothing.
func (c *Chrome) Axe(name string) {
	c.t.Helper()
	file := os.Getenv("ACHILLES_AXE")
	if file == "" {
		c.t.Logf("%s: not looked at by axe-core: ACHILLES_AXE does not name axe.min.js", name)
		return
	}
	script, err := os.ReadFile(file)
	if err != nil {
		c.t.Fatal(err)
	}
	c.Call(nil, "Runtime.evaluate", map[string]any{"expression": string(script)})
	found := c.evaluate(`axe.run(document, {resultTypes: ["violations"]}).then(r => r.violations.map(v => v.id + " (" + v.impact + "): " + v.nodes.map(n => n.html.slice(0, 120)).join("; ")).join("\n"))`, true)
	if found != "" {
		c.t.Errorf("%s: axe-core finds\n%s", name, found)
	}
}
