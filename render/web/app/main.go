//go:build js && wasm

// Command app is the viewer in a browser. It shows the same pictures as the viewer in a window, either of a results
// directory or of a session of play. The page's server has the directory or the session. Package web builds this
// command.
package main

import (
	"encoding/json"
	"fmt"
	"syscall/js"

	"achilles/render/canvas"
	"achilles/render/play"
	"achilles/render/replay"
	"achilles/render/viewer"
	"achilles/render/viewer/window"
	"achilles/render/web/remote"
)

func main() {
	if err := run(); err != nil {
		js.Global().Call("failed", err.Error())
	}
}

func run() error {
	text, err := get(remote.ConfigName)
	if err != nil {
		return err
	}
	var c remote.Start
	if err := json.Unmarshal(text, &c); err != nil {
		return err
	}
	var v canvas.View
	o := window.Options{Title: c.Title, MinWidth: viewer.LeastWidth, MinHeight: viewer.LeastHeight}
	if c.Play {
		o.MinWidth, o.MinHeight = 0, 0
		v = play.NewView(connect())
	} else {
		dir := remote.New(c.Files, func(path string) ([]byte, error) { return get(remote.DataPrefix + path) })
		first := viewer.Options{Title: c.Title, Subject: c.Subject, Item: c.Item}.At(location().Get("hash").String())
		shown := viewer.Open(first, func() (*replay.Archive, error) { return replay.Open(dir) })
		v = &remembering{Viewer: shown}
	}
	js.Global().Get("document").Set("title", c.Title)
	return window.Run(reporting{v}, o)
}

func location() js.Value { return js.Global().Get("location") }

// A remembering is a viewer that writes its place into the address of the page, so that the viewer shows the same place
// when the page is loaded again.
type remembering struct {
	*viewer.Viewer
	written string  // fragment of the address that was written last
	since   float64 // number of seconds since then
	said    string  // what the page says in words
}

// rest is the least number of seconds between two changes of the address, because browsers refuse more than about ten
// in a second.
const rest = 0.5

// Update implements canvas.View.
func (r *remembering) Update(in canvas.Input) (uint64, bool) {
	revision, done := r.Viewer.Update(in)
	r.since += in.Seconds
	if words := r.Words(); words != r.said {
		js.Global().Get("document").Call("getElementById", "words").Set("textContent", words)
		r.said = words
	}
	if at := r.Fragment(); at != "" && at != r.written && r.since >= rest {
		js.Global().Get("history").Call("replaceState", js.Null(), "", "#"+at)
		r.written, r.since = at, 0
	}
	return revision, done
}

// A reporting is a view that sets the page's variable revision, which tests read.
type reporting struct{ canvas.View }

func (r reporting) Update(in canvas.Input) (uint64, bool) {
	revision, done := r.View.Update(in)
	js.Global().Set("revision", fmt.Sprint(revision))
	return revision, done
}
