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

// longestAsked is the longest time that an address may ask to wait. Limits per minute ask for less; limits per day end the run, which can resume.
const longestAsked = 10 * time.Minute

// A failure is a reply that is no answer.
type failure struct {
	text  string
	again bool          // whether the same request may do better
	wait  time.Duration // that the address asks for; 0: none
}

func (f *failure) Error() string { return f.text }

// wants reports whether a request was refused because of a parameter.
func (f *failure) wants(parameter string) bool {
	return strings.HasPrefix(f.text, "HTTP 400") && strings.Contains(f.text, parameter)
}

// send sends a request, and repeats it as often as it may after a failure of the address or of the way to it.
func (c *Client) send(ctx context.Context, q request) (Reply, error) {
	wait := firstWait
	for tries := 0; ; tries++ {
		newer := c.newer.Load()
		if newer {
			q.Tokens, q.Completion = 0, c.Tokens
		}
		body, err := json.Marshal(q)
		if err != nil {
			return Reply{}, err
		}
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
		if !newer && c.Tokens > 0 && f.wants("max_completion_tokens") {
			c.newer.Store(true)
			tries--
			continue
		}
		if f.wait > longestAsked {
			return r, fmt.Errorf("%s: %w; it asks to wait for %v: answers are saved, rerun the command then", c.Address, f, f.wait.Round(time.Second))
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

// An apology is what an address says instead of an answer.
type apology struct {
	Message string          `json:"message"`
	Code    json.RawMessage `json:"code"` // a status, of addresses that pass on what others said, or a word
}

// rejected returns the failure of a reply with another status than 200.
func rejected(answer *http.Response, data []byte) *failure {
	var said struct {
		Error apology `json:"error"`
	}
	why := strings.TrimSpace(string(data))
	if json.Unmarshal(data, &said) == nil && said.Error.Message != "" {
		why = said.Error.Message
	}
	f := refused(answer.StatusCode, answer.Status, why)
	if wait := answer.Header.Get("Retry-After"); wait != "" {
		s, err := strconv.ParseFloat(wait, 64)
		if at, e := http.ParseTime(wait); err != nil && e == nil {
			s, err = time.Until(at).Seconds(), nil
		}
		if err == nil && s > 0 {
			f.wait = time.Duration(min(s, 1e8) * float64(time.Second)) // three years; more may be no Duration
		}
	}
	return f
}

// refused returns the failure of a status. Timeouts, too many requests and faults of the server may pass.
func refused(code int, status, why string) *failure {
	f := &failure{text: "HTTP " + status + ": " + clip(why)}
	switch {
	case code == http.StatusRequestTimeout, code == http.StatusConflict, code == http.StatusTooEarly, code == http.StatusTooManyRequests, code >= 500:
		f.again = true
	}
	if f.wants("temperature") {
		f.text += " (temperature = -1 sends none)"
	}
	return f
}

// A content is the text of a message: one text, or parts of which those of type text count.
type content string

func (c *content) UnmarshalJSON(data []byte) error {
	var one *string
	if err := json.Unmarshal(data, &one); err == nil {
		if one != nil {
			*c = content(*one)
		}
		return nil
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	for _, p := range parts {
		if p.Type == "text" {
			*c += content(p.Text)
		}
	}
	return nil
}

// parse reads a chat completion.
func parse(data []byte) (Reply, error) {
	var x struct {
		Choices []struct {
			Message struct {
				Content content `json:"content"`
				Refusal string  `json:"refusal"`
			} `json:"message"`
			Finish string `json:"finish_reason"`
		} `json:"choices"`
		Usage struct {
			Input  int `json:"prompt_tokens"`
			Output int `json:"completion_tokens"`
		} `json:"usage"`
		Error *apology `json:"error"`
	}
	if err := json.Unmarshal(data, &x); err != nil {
		return Reply{}, &failure{text: fmt.Sprintf("not a chat completion: %s", clip(string(data))), again: true}
	}
	if x.Error != nil && len(x.Choices) == 0 { // an error behind a status that is none, as brokers send it
		code, err := strconv.Atoi(strings.Trim(string(x.Error.Code), `"`))
		if err != nil {
			code = http.StatusBadGateway
		}
		return Reply{}, refused(code, strings.TrimSpace(strconv.Itoa(code)+" "+http.StatusText(code)), x.Error.Message)
	}
	if len(x.Choices) == 0 {
		return Reply{}, &failure{text: fmt.Sprintf("a chat completion without choices: %s", clip(string(data))), again: true}
	}
	m := x.Choices[0]
	return Reply{Content: answerOf(string(m.Message.Content)), Refusal: m.Message.Refusal, Finish: m.Finish, Input: x.Usage.Input, Output: x.Usage.Output}, nil
}

// answerOf returns an answer without the thoughts before it, which some servers leave in the text of a model that reasons.
func answerOf(text string) string {
	if thought, answer, ok := strings.Cut(text, "</think>"); ok && strings.HasPrefix(strings.TrimSpace(thought), "<think>") {
		return strings.TrimSpace(answer)
	}
	return text
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
