// Package chattest has a language model for tests: a server on this machine that speaks as OpenAI's chat completions do.
package chattest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"achilles/agents/external/chat"
)

// A Request is what a Server was sent.
type Request struct {
	Key         string         // header Authorization
	Model       string         `json:"model"`
	Messages    []chat.Message `json:"messages"`
	Temperature float64        `json:"temperature"`
	Tokens      int            `json:"max_tokens"`
}

// Last returns the text of the last message.
func (r *Request) Last() string { return r.Messages[len(r.Messages)-1].Content }

// An Answer is what a Server answers.
type Answer struct {
	Content, Refusal, Finish string

	Status int    // of HTTP; 0: 200
	Body   string // where Status is another
	Wait   string // header Retry-After
}

// A Server answers requests until the test ends.
type Server struct {
	Address string // base of its address

	mu    sync.Mutex
	asked []Request
}

// NewServer returns a server that answers what a function says. A request has 100 tokens, and an answer 10.
func NewServer(t testing.TB, answer func(*Request) Answer) *Server {
	s := &Server{}
	h := httptest.NewServer(s.Handler(answer))
	t.Cleanup(h.Close)
	s.Address = h.URL + "/v1"
	return s
}

// Handler returns what answers requests.
func (s *Server) Handler(answer func(*Request) Answer) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, q *http.Request) {
		r := Request{Key: q.Header.Get("Authorization")}
		if err := json.NewDecoder(q.Body).Decode(&r); err != nil || len(r.Messages) == 0 {
			http.Error(w, "no request", http.StatusBadRequest)
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.asked = append(s.asked, r)
		a := answer(&r)
		if a.Wait != "" {
			w.Header().Set("Retry-After", a.Wait)
		}
		if a.Status != 0 && a.Status != http.StatusOK {
			w.WriteHeader(a.Status)
			_, _ = w.Write([]byte(a.Body))
			return
		}
		if a.Finish == "" {
			a.Finish = "stop"
		}
		_ = json.NewEncoder(w).Encode(map[string]any{
			"choices": []any{map[string]any{"message": map[string]any{"role": "assistant", "content": a.Content, "refusal": a.Refusal}, "finish_reason": a.Finish}},
			"usage":   map[string]any{"prompt_tokens": 100, "completion_tokens": 10},
		})
	})
	return mux
}

// Asked returns the requests so far.
func (s *Server) Asked() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.asked...)
}
