package web_test

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

// A chrome is a headless browser that the test drives over a debugging pipe. Messages are JSON, each followed by a zero
// byte; the browser reads them from its file 3 and writes answers to its file 4 (the Chrome DevTools protocol, option
// --remote-debugging-pipe).
type chrome struct {
	t       *testing.T
	cmd     *exec.Cmd
	in      *os.File
	out     *bufio.Reader
	session string
	last    int
	logs    []string // messages that pages wrote to the console
}

// browse starts the browser at a path and opens an address.
func browse(t *testing.T, path, address string) *chrome {
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
	c := &chrome{t: t, in: ourIn, out: bufio.NewReaderSize(ourOut, 1<<20)}
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
	c.call(&target, "Target.createTarget", map[string]any{"url": "about:blank"})
	var attached struct{ SessionID string }
	c.call(&attached, "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true})
	c.session = attached.SessionID
	c.call(nil, "Runtime.enable", nil)
	c.call(nil, "Page.enable", nil)
	c.call(nil, "Emulation.setDeviceMetricsOverride", map[string]any{"width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": false})
	c.call(nil, "Page.navigate", map[string]any{"url": address})
	return c
}

// end closes the browser, kills it if it has not ended after ten seconds, and removes its profile directory.
func (c *chrome) end(profile string) {
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

// call calls a method of the browser and decodes the answer into result, if result is not nil.
func (c *chrome) call(result any, method string, params map[string]any) {
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
	for {
		text, err := c.out.ReadBytes(0)
		if err != nil {
			c.t.Fatalf("the browser says nothing more: %v; the page said %q", err, c.logs)
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
			c.logs = append(c.logs, string(answer.Params))
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

// eval returns the value of an expression in the page, as text.
func (c *chrome) eval(expression string) string {
	c.t.Helper()
	var r struct{ Result struct{ Value any } }
	c.call(&r, "Runtime.evaluate", map[string]any{"expression": "String(" + expression + ")", "returnByValue": true})
	return fmt.Sprint(r.Result.Value)
}

// until waits until an expression in the page is true. The test fails if the expression is still false after 90
// seconds.
func (c *chrome) until(why, expression string) {
	c.t.Helper()
	for end := time.Now().Add(90 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if c.eval(expression) == "true" {
			return
		}
	}
	c.t.Fatalf("waited in vain: %s; the page says %q, its console %q", why, c.eval("document.body.innerText"), c.logs)
}

// press presses a key and releases it after 150 ms, which is a few frames.
func (c *chrome) press(key, code, text string) {
	c.t.Helper()
	down := map[string]any{"type": "keyDown", "key": key, "code": code}
	if text != "" {
		down["text"] = text
	}
	c.call(nil, "Input.dispatchKeyEvent", down)
	time.Sleep(150 * time.Millisecond)
	c.call(nil, "Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key, "code": code})
}

// screenshot returns a picture of the page.
func (c *chrome) screenshot() image.Image {
	c.t.Helper()
	var shot struct{ Data string }
	c.call(&shot, "Page.captureScreenshot", map[string]any{"format": "png"})
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
