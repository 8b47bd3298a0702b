//go:build js && wasm

package main

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"achilles/render/play"
	"achilles/render/web/remote"
)

// lines are those of a relay behind the page's server.
type lines struct {
	mu   sync.Mutex
	here [][]byte
	out  chan remote.Saying
}

// listen asks the server for lines, and tells it what the seat says.
func listen() *lines {
	l := &lines{out: make(chan remote.Saying, 8)}
	go l.hear()
	go func() {
		for s := range l.out {
			text, err := json.Marshal(s)
			if err == nil {
				_ = post(remote.SayName, string(text)) // the server is gone, or had an answer already
			}
		}
	}()
	return l
}

// patience is how many times in a row, a second apart, a server may fail to answer before it is taken to have ended.
const patience = 3

func (l *lines) hear() {
	for failures := 0; failures < patience; {
		text, err := get(fmt.Sprintf("%s?after=%d", remote.LinesName, len(l.Lines(0))))
		var more []string
		if err != nil || json.Unmarshal(text, &more) != nil {
			failures++
			time.Sleep(time.Second)
			continue
		}
		failures = 0
		for _, m := range more {
			l.add([]byte(m))
		}
	}
	l.add(play.End())
}

func (l *lines) add(text []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.here = append(l.here, text)
}

// Lines implements seat.Lines.
func (l *lines) Lines(n int) [][]byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.here[min(n, len(l.here)):len(l.here):len(l.here)]
}

// Say implements seat.Lines.
func (l *lines) Say(n int, r play.Reply) {
	l.out <- remote.Saying{Heard: n, Answer: string(r.Answer), Leave: r.Leave}
}
