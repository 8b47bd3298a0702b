package chat_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"achilles/agents/external/chat"
	"achilles/agents/external/chat/chattest"
)

// direct hands requests to a handler, without a network, so that time is that of the test's bubble.
type direct struct{ http.Handler }

func (d direct) RoundTrip(q *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	d.ServeHTTP(w, q)
	if err := q.Context().Err(); err != nil {
		return nil, err
	}
	return w.Result(), nil
}

// lost is a way to the address on which every request gets lost.
type lost struct{ tries *int }

func (l lost) RoundTrip(*http.Request) (*http.Response, error) {
	*l.tries++
	return nil, errors.New("no route to host")
}

var hello = []chat.Message{{Role: "user", Content: "hello"}}

func ask(t *testing.T, s chat.Settings, transport http.RoundTripper) (chat.Reply, error) {
	t.Helper()
	c, err := chat.New(s, nil, transport)
	if err != nil {
		t.Fatal(err)
	}
	return c.Ask(t.Context(), hello, "")
}

// TestRetries checks which failures are tried again, after how long, and what is said in the end.
func TestRetries(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers []chattest.Answer
		retries int
		took    time.Duration
		asked   int
		err     string
	}{
		{"at once", []chattest.Answer{{Content: "hi"}}, 2, 0, 1, ""},
		{"twice too many", []chattest.Answer{{Status: 429}, {Status: 503}, {Content: "hi"}}, 2, 3 * time.Second, 3, ""},
		{"as the address says", []chattest.Answer{{Status: 429, Wait: "7"}, {Content: "hi"}}, 2, 7 * time.Second, 2, ""},
		{"tomorrow", []chattest.Answer{{Status: 429, Wait: "86400"}, {Content: "hi"}}, 2, 0, 1, "it asks to wait for 24h0m0s"},
		{"too often", []chattest.Answer{{Status: 500, Body: "oh\nno"}}, 1, time.Second, 2, "http://model/v1: HTTP 500 Internal Server Error: oh no"},
		{"for good", []chattest.Answer{{Status: 404, Body: `{"error": {"message": "no such model"}}`}}, 5, 0, 1, "http://model/v1: HTTP 404 Not Found: no such model"},
		{"the key in an error", []chattest.Answer{{Status: 403, Body: strings.Repeat("x", 295) + "sk-secret"}}, 0, 0, 1, "[key]"},
	} {
		synctest.Test(t, func(t *testing.T) {
			s, n := &chattest.Server{}, 0
			begun := time.Now()
			r, err := ask(t, chat.Settings{Address: "http://model/v1", Key: "sk-secret", Retries: c.retries, Timeout: time.Minute}, direct{s.Handler(func(*chattest.Request) chattest.Answer {
				n++
				return c.answers[min(n, len(c.answers))-1]
			})})
			if took := time.Since(begun); took != c.took || n != c.asked {
				t.Errorf("%s: %d requests in %v, want %d in %v", c.name, n, took, c.asked, c.took)
			}
			if c.err == "" && (err != nil || r.Content != "hi" || r.Input != 100 || r.Finish != "stop") || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err) || strings.Contains(err.Error(), "sk-")) {
				t.Errorf("%s: %+v, %v", c.name, r, err)
			}
		})
	}
}

// raw answers with these bodies, one after another, and keeps what it was sent.
type raw struct {
	bodies []string
	sent   []string
}

func (r *raw) RoundTrip(q *http.Request) (*http.Response, error) {
	b, err := io.ReadAll(q.Body)
	r.sent = append(r.sent, string(b))
	body := r.bodies[min(len(r.sent), len(r.bodies))-1]
	status, text, _ := strings.Cut(body, " ")
	w := httptest.NewRecorder()
	if status == "400" {
		w.WriteHeader(http.StatusBadRequest)
	}
	_, _ = io.WriteString(w, text)
	return w.Result(), err
}

// TestServers checks what servers send that is not as OpenAI's first one was: errors behind status 200, text in parts, tools instead of
// text, thoughts within it, and other names for the limit of an answer.
func TestServers(t *testing.T) {
	for _, c := range []struct {
		name, content, finish, err string
		temperature                float64
		bodies                     []string
		last                       string // is in the last request
	}{
		{name: "an error of a broker, once", content: "hi", bodies: []string{`200 {"error": {"message": "Provider returned error", "code": 502}}`, `200 {"choices": [{"message": {"content": "hi"}}]}`}},
		{name: "an error of a broker, for good", err: "HTTP 402 Payment Required: no credits", bodies: []string{`200 {"error": {"message": "no credits", "code": "402"}}`}},
		{name: "an error with a word", err: "HTTP 502 Bad Gateway: busy", bodies: []string{`200 {"error": {"message": "busy", "code": "overloaded"}}`}},
		{name: "parts", content: "hi there", bodies: []string{`200 {"choices": [{"message": {"content": [{"type": "thinking", "text": "no"}, {"type": "text", "text": "hi "}, {"type": "text", "text": "there"}]}}]}`}},
		{name: "tools", content: "", finish: "tool_calls", bodies: []string{`200 {"choices": [{"message": {"content": null, "tool_calls": [{"id": "1", "function": {"name": "go"}}]}, "finish_reason": "tool_calls"}]}`}},
		{name: "thoughts", content: "hi", bodies: []string{`200 {"choices": [{"message": {"content": "<think>\nwell </x>\n</think>\n\nhi"}}]}`}},
		{name: "no choices", err: "a chat completion without choices", bodies: []string{`200 {"choices": []}`}},
		{name: "content of another kind", err: "not a chat completion", bodies: []string{`200 {"choices": [{"message": {"content": 7}}]}`}},
		{name: "newer name", content: "hi", last: `"max_completion_tokens":9}`, bodies: []string{`400 {"error": {"message": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."}}`, `200 {"choices": [{"message": {"content": "hi"}}]}`}},
		{name: "newer name, which is no retry", content: "hi", bodies: []string{`400 {"error": {"message": "use max_completion_tokens"}}`, `200 {"choices": []}`, `200 {"choices": [{"message": {"content": "hi"}}]}`}},
		{name: "newer name that does not help", err: "HTTP 400 Bad Request: max_completion_tokens", bodies: []string{`400 {"error": {"message": "max_completion_tokens"}}`}},
		{name: "a temperature", err: "(temperature = -1 sends none)", last: `"temperature":0`, bodies: []string{`400 {"error": {"message": "Unsupported value: 'temperature' does not support 0"}}`}},
		{name: "no temperature", content: "hi", temperature: -1, last: `"content":"hello"}],"max_tokens":9}`, bodies: []string{`200 {"choices": [{"message": {"content": "hi"}}]}`}},
	} {
		synctest.Test(t, func(t *testing.T) {
			server := &raw{bodies: c.bodies}
			r, err := ask(t, chat.Settings{Address: "http://model/v1", Tokens: 9, Temperature: c.temperature, Retries: 1, Timeout: time.Minute}, server)
			if c.err == "" && (err != nil || r.Content != c.content || r.Finish != c.finish) || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
				t.Errorf("%s: %+v, %v", c.name, r, err)
			}
			if last := server.sent[len(server.sent)-1]; !strings.Contains(last, c.last) {
				t.Errorf("%s: sent %s, want %s", c.name, last, c.last)
			}
		})
	}
	date := time.Date(2000, 1, 1, 0, 0, 9, 0, time.UTC).Format(http.TimeFormat) // a bubble begins at midnight of that day
	synctest.Test(t, func(t *testing.T) {
		s, n, begun := &chattest.Server{}, 0, time.Now()
		if _, err := ask(t, chat.Settings{Address: "http://model/v1", Retries: 1, Timeout: time.Minute}, direct{s.Handler(func(*chattest.Request) chattest.Answer {
			n++
			return []chattest.Answer{{Status: 429, Wait: date}, {Content: "hi"}}[n-1]
		})}); err != nil || time.Since(begun) != 9*time.Second {
			t.Errorf("%v after %v, want 9s", err, time.Since(begun))
		}
	})
}

// TestLost checks what is said of an address that cannot be reached, is late, or answers something else.
func TestLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		_, err := ask(t, chat.Settings{Address: "http://model/v1", Retries: 3, Timeout: time.Minute}, lost{&tries})
		if tries != 4 || err == nil || err.Error() != "http://model/v1: no route to host" {
			t.Errorf("%d tries: %v", tries, err)
		}
		late := direct{http.HandlerFunc(func(http.ResponseWriter, *http.Request) { time.Sleep(time.Hour) })}
		if _, err = ask(t, chat.Settings{Address: "http://model/v1", Timeout: time.Second}, late); err == nil || err.Error() != "http://model/v1: no answer in 1s" {
			t.Error(err)
		}
		other := direct{http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") })}
		if _, err = ask(t, chat.Settings{Address: "http://model/v1", Timeout: time.Second}, other); err == nil || err.Error() != "http://model/v1: not a chat completion: <html>" {
			t.Error(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		c, err := chat.New(chat.Settings{Address: "http://model/v1", Timeout: time.Second}, nil, other)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Ask(ctx, hello, ""); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

// TestRate checks that 30 requests a minute take two seconds each, but for the first.
func TestRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &chattest.Server{}
		c, err := chat.New(chat.Settings{Address: "http://model/v1", Rate: 30, Timeout: time.Minute}, nil, direct{s.Handler(func(*chattest.Request) chattest.Answer { return chattest.Answer{} })})
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		for range 5 {
			if _, err := c.Ask(t.Context(), hello, ""); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(begun); took != 8*time.Second {
			t.Errorf("five requests take %v, want 8s", took)
		}
	})
}
