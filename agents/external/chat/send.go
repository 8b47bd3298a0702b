package chat

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// maxReply is the largest size of an answer, in bytes.
const maxReply = 1 << 22

// Times to wait before a request is repeated: at first, and at most.
const (
	firstWait = time.Second
	maxWait   = time.Minute
)

// A failure is a reply that is no answer.
type failure struct {
	text  string
	again bool          // whether the same request may do better
	wait  time.Duration // that the address asks for; 0: none
}

func (f *failure) Error() string { return f.text }

// send sends a request, and repeats it as often as it may after a failure of the address or of the way to it.
func (c *Client) send(ctx context.Context, body []byte) (Reply, error) {
	wait := firstWait
	for tries := 0; ; tries++ {
		if c.Requests > 0 && c.asked.Load() >= int64(c.Requests) {
			return Reply{}, ErrEnough
		}
		if err := c.limit.Wait(ctx); err != nil {
			return Reply{}, err
		}
		c.asked.Add(1)
		r, err := c.once(ctx, body)
		var f *failure
		if err == nil || ctx.Err() != nil || !errors.As(err, &f) {
			return r, errors.Join(ctx.Err(), err)
		}
		if !f.again || tries == c.Retries {
			return r, fmt.Errorf("%s: %w", c.Address, f)
		}
		if err := pause(ctx, max(wait, f.wait)); err != nil {
			return r, err
		}
		wait = min(2*wait, maxWait)
	}
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// once sends a request once.
func (c *Client) once(ctx context.Context, body []byte) (Reply, error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, c.to, bytes.NewReader(body))
	if err != nil {
		return Reply{}, err
	}
	q.Header.Set("Content-Type", "application/json")
	if c.Key != "" {
		q.Header.Set("Authorization", "Bearer "+c.Key)
	}
	begun := time.Now()
	answer, err := c.http.Do(q)
	if err != nil {
		return Reply{}, c.lost(ctx, err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(io.LimitReader(answer.Body, maxReply))
	if err != nil {
		return Reply{}, c.lost(ctx, err)
	}
	data = []byte(c.strike(string(data)))
	if answer.StatusCode != http.StatusOK {
		return Reply{}, rejected(answer, data)
	}
	r, err := parse(data)
	r.Seconds = math.Round(time.Since(begun).Seconds()*1e3) / 1e3
	return r, err
}

// lost returns the failure of a request to which no answer came.
func (c *Client) lost(ctx context.Context, err error) *failure {
	if ctx.Err() != nil {
		return &failure{text: fmt.Sprintf("no answer in %v", c.Timeout), again: true}
	}
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // without the address, which is said anyway
	}
	return &failure{text: err.Error(), again: true}
}

// rejected returns the failure of a reply with another status than 200. Timeouts, too many requests and faults of the server may pass.
func rejected(answer *http.Response, data []byte) *failure {
	var said struct {
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	why := strings.TrimSpace(string(data))
	if json.Unmarshal(data, &said) == nil && said.Error.Message != "" {
		why = said.Error.Message
	}
	f := &failure{text: "HTTP " + answer.Status + ": " + clip(why)}
	switch code := answer.StatusCode; {
	case code == http.StatusRequestTimeout, code == http.StatusConflict, code == http.StatusTooEarly, code == http.StatusTooManyRequests, code >= 500:
		f.again = true
	}
	if s, err := strconv.ParseFloat(answer.Header.Get("Retry-After"), 64); err == nil && s > 0 {
		f.wait = min(time.Duration(s*float64(time.Second)), 10*maxWait)
	}
	return f
}

// parse reads a chat completion.
func parse(data []byte) (Reply, error) {
	var x struct {
		Choices []struct {
			Message struct {
				Content string `json:"content"`
				Refusal string `json:"refusal"`
			} `json:"message"`
			Finish string `json:"finish_reason"`
		} `json:"choices"`
		Usage struct {
			Input  int `json:"prompt_tokens"`
			Output int `json:"completion_tokens"`
		} `json:"usage"`
	}
	if err := json.Unmarshal(data, &x); err != nil {
		return Reply{}, &failure{text: fmt.Sprintf("not a chat completion: %s", clip(string(data))), again: true}
	}
	if len(x.Choices) == 0 {
		return Reply{}, &failure{text: fmt.Sprintf("a chat completion without choices: %s", clip(string(data))), again: true}
	}
	m := x.Choices[0]
	return Reply{Content: m.Message.Content, Refusal: m.Message.Refusal, Finish: m.Finish, Input: x.Usage.Input, Output: x.Usage.Output}, nil
}

// clip returns the beginning of a text, on one line.
func clip(text string) string {
	const most = 300
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
