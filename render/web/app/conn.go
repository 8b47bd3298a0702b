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

// A conn is the person's side of a play.Pipe. The pipe itself is in the page's server. conn implements play.Conn.
type conn struct {
	mu       sync.Mutex
	received [][]byte
	replies  chan remote.Reply
}

// connect returns a conn. It starts to receive lines from the server and to send the person's replies.
func connect() *conn {
	c := &conn{replies: make(chan remote.Reply, 8)}
	go c.poll()
	go func() {
		for s := range c.replies {
			text, err := json.Marshal(s)
			if err == nil {
				_ = post(remote.ReplyName, string(text)) // an error means that the server has ended, or that the question was already answered
			}
		}
	}()
	return c
}

// mostFailures is the number of failed requests in a row, a second apart, after which the server is assumed to have
// ended.
const mostFailures = 3

// poll requests lines for the person from the server, one request after another, until the server ends.
func (c *conn) poll() {
	for failures := 0; failures < mostFailures; {
		text, err := get(fmt.Sprintf("%s?after=%d", remote.LinesName, len(c.Lines(0))))
		var more []string
		if err != nil || json.Unmarshal(text, &more) != nil {
			failures++
			time.Sleep(time.Second)
			continue
		}
		failures = 0
		for _, m := range more {
			c.add([]byte(m))
		}
	}
	c.add(play.End())
}

func (c *conn) add(text []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.received = append(c.received, text)
}

// Lines implements play.Conn.
func (c *conn) Lines(n int) [][]byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.received[min(n, len(c.received)):len(c.received):len(c.received)]
}

// Reply implements play.Conn.
func (c *conn) Reply(n int, r play.Reply) error {
	c.replies <- remote.Reply{Received: n, Answer: string(r.Answer), Leave: r.Leave}
	return nil
}
