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
	var c remote.Config
	if err := json.Unmarshal(text, &c); err != nil {
		return err
	}
	var v canvas.View
	o := window.Options{Title: c.Title, MinWidth: viewer.MinWidth, MinHeight: viewer.MinHeight}
	if c.Play {
		o.MinWidth, o.MinHeight = 0, 0
		v = play.NewView(connect())
	} else {
		dir := remote.New(c.Files, func(path string) ([]byte, error) { return get(remote.DataPrefix + path) })
		v = viewer.Open(viewer.Options{Title: c.Title, Subject: c.Subject, Item: c.Item}, func() (*replay.Archive, error) { return replay.Open(dir) })
	}
	js.Global().Get("document").Set("title", c.Title)
	return window.Run(reporting{v}, o)
}

// A reporting is a view that sets the page's variable revision, which tests read.
type reporting struct{ canvas.View }

func (r reporting) Update(in canvas.Input) (uint64, bool) {
	revision, done := r.View.Update(in)
	js.Global().Set("revision", fmt.Sprint(revision))
	return revision, done
}
