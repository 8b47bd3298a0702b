// Package chat asks a language model, behind any address that speaks as OpenAI's chat completions do (POST
// ADDRESS/chat/completions). It keeps every answer, so that no question is asked twice: after a stop a run goes on with the kept
// answers.
//
// The key of the address is sent and nothing else is done with it: where an answer or an error repeats it, it is struck out before
// anything is kept.
package chat

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// Settings say whom a Client asks, and how.
type Settings struct {
	Address     string  // base of the address, such as https://api.openai.com/v1
	Model       string  // name of the model
	Key         string  // sent as bearer; empty: none
	Temperature float64 // 0 to 2; below 0: none is sent
	Tokens      int     // limit of an answer; 0: none
	Retries     int     // how often a request is repeated that failed
	Timeout     time.Duration
	Rate        float64 // requests per minute; 0: no limit
	Requests    int     // of this client; 0: no limit
}

// A Kept has answers by name. Get returns nil if there is none.
type Kept interface {
	Get(name string) ([]byte, error)
	Put(name string, data []byte) error
}

// A Message is one of a conversation. Role is system, user or assistant.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// A Reply is an answer of the model. Its JSON is kept.
type Reply struct {
	Content string  `json:"content"`
	Refusal string  `json:"refusal,omitempty"` // why it refuses, where the address says so
	Finish  string  `json:"finish,omitempty"`  // why it ends: stop, length or content_filter
	Input   int     `json:"input,omitempty"`   // tokens
	Output  int     `json:"output,omitempty"`
	Seconds float64 `json:"seconds"` // until it was there, without what was waited before the request, in milliseconds
}

// A Client asks one model. Many goroutines may use it.
type Client struct {
	Settings
	to    string // where requests go
	kept  Kept   // nil: nothing is kept
	http  *http.Client
	limit *rate.Limiter
	asked atomic.Int64
	newer atomic.Bool // whether the address wants the limit of an answer by its newer name
}

// New returns a client. The error says what is wrong with the address. transport may be nil: the usual one.
func New(s Settings, kept Kept, transport http.RoundTripper) (*Client, error) {
	base, err := url.Parse(s.Address)
	if err != nil {
		return nil, fmt.Errorf("chat: %w", err)
	}
	c := &Client{Settings: s, to: base.JoinPath("chat/completions").String(), kept: kept, http: &http.Client{Transport: transport}, limit: rate.NewLimiter(rate.Inf, 1)}
	if s.Rate > 0 {
		c.limit = rate.NewLimiter(rate.Limit(s.Rate/60), 1)
	}
	return c, nil
}

// A request is what is sent. Its hash is part of the name of the answer that is kept.
type request struct {
	Model       string    `json:"model"`
	Messages    []Message `json:"messages"`
	Temperature *float64  `json:"temperature,omitempty"`
	Tokens      int       `json:"max_tokens,omitempty"`
	Completion  int       `json:"max_completion_tokens,omitempty"` // what newer models call the same
}

// ErrEnough says that a client may send no further request.
var ErrEnough = errors.New("the largest number of requests of a run is reached; rerun the command to resume")

// answers begins the names under which answers are kept.
const answers = "call-"

// IsAnswer reports whether what is kept under a name is the answer of an address.
func IsAnswer(name string) bool { return strings.HasPrefix(name, answers) }

// Ask sends messages and returns the answer, or returns the answer that was kept to the same messages and draw. draw tells apart
// questions that are alike, each of which wants an answer of its own. The error is that of the context, ErrEnough, of Kept, or says
// what the address replied.
func (c *Client) Ask(ctx context.Context, messages []Message, draw string) (Reply, error) {
	q := request{Model: c.Model, Messages: messages, Tokens: c.Tokens}
	if c.Temperature >= 0 {
		q.Temperature = &c.Temperature
	}
	body, err := json.Marshal(q)
	if err != nil {
		return Reply{}, err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s", c.Address, draw, body))
	name := answers + hex.EncodeToString(sum[:16]) + ".json"
	if c.kept != nil {
		var r Reply
		data, err := c.kept.Get(name)
		if err == nil && data != nil {
			err = json.Unmarshal(data, &r)
		}
		if err != nil || data != nil {
			return r, err
		}
	}
	r, err := c.send(ctx, q)
	if err != nil {
		return r, c.struck(err)
	}
	r.Content, r.Refusal = c.strike(r.Content), c.strike(r.Refusal)
	if c.kept == nil {
		return r, nil
	}
	data, err := json.Marshal(r)
	if err != nil {
		return r, err
	}
	return r, c.kept.Put(name, data)
}

// strike returns a text without the key.
func (c *Client) strike(text string) string {
	if c.Key == "" {
		return text
	}
	return strings.ReplaceAll(text, c.Key, "[key]")
}

// struck returns an error without the key in its text.
func (c *Client) struck(err error) error {
	if text := c.strike(err.Error()); text != err.Error() {
		return errors.New(text)
	}
	return err
}
