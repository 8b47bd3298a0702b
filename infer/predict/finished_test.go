package predict

import (
	"errors"
	"math"
	"strings"
	"sync"
	"testing"

	"achilles/sim/part"
)

// A shelf keeps finished fits in memory.
type shelf struct {
	mu     sync.Mutex
	pieces map[string][]byte
}

func newShelf() *shelf { return &shelf{pieces: map[string][]byte{}} }

func (s *shelf) Put(name string, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pieces[name] = data
	return nil
}

func (s *shelf) Get(name string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pieces[name], nil
}

// TestOnce checks that a fit is done once for a key and a name, that its grade is what was kept, NaN too, and that what was changed
// is reported and done again.
func TestOnce(t *testing.T) {
	kept, done, doubts := newShelf(), 0, []string(nil)
	step := func(key, of string) Grade {
		t.Helper()
		f := Finished{Sink: kept, Key: key, Doubt: func(text string) { doubts = append(doubts, text) }}
		g, err := f.once(of, func() (Grade, error) {
			done++
			return Grade{N: done, gradeNumbers: gradeNumbers{AUC: math.NaN(), RMSE: 0.1}, Each: []SubjectLoss{{3, 0.2}, {0, math.NaN()}}}, nil
		})
		if err != nil || !math.IsNaN(g.AUC) || g.RMSE != 0.1 || len(g.Each) != 2 || g.Each[0] != (SubjectLoss{3, 0.2}) || !math.IsNaN(g.Each[1].MSE) {
			t.Fatal(g, err)
		}
		return g
	}
	for _, c := range []struct {
		key, of string
		n       int
	}{{"k", "a", 1}, {"k", "a", 1}, {"k", "b", 2}, {"k", "a", 1}, {"other", "a", 3}, {"other", "a", 3}, {"k", "b", 2}} {
		if g := step(c.key, c.of); g.N != c.n {
			t.Errorf("%s %s: result of step %d, want %d", c.key, c.of, g.N, c.n)
		}
	}
	if len(doubts) > 0 {
		t.Errorf("doubts: %q", doubts)
	}
	name := part.PieceName("b")
	b := kept.pieces[name]
	kept.pieces[name] = append(b[:len(b)-1:len(b)-1], b[len(b)-1]^1)
	if g := step("k", "b"); g.N != 4 || len(doubts) != 1 || !strings.Contains(doubts[0], "it was changed since it was written") {
		t.Errorf("a changed piece: step %d, %q", g.N, doubts)
	}
	kept.pieces[name] = part.NewPiece("k", "b", []byte("no grade")).Encode()
	if g := step("k", "b"); g.N != 5 || len(doubts) != 2 {
		t.Errorf("a piece of something else: step %d, %q", g.N, doubts)
	}
	bad := errors.New("bad")
	if _, err := (Finished{Sink: kept, Key: "k"}).once("c", func() (Grade, error) { return Grade{}, bad }); err != bad || kept.pieces[part.PieceName("c")] != nil {
		t.Errorf("a failed step: %v", err)
	}
}
