package seal_test

import (
	"bytes"
	"strings"
	"testing"

	"achilles/scenarios/seal"
)

type parts = map[string]string

// ledger returns the ledger after some stages, separated by "; ": generate S, import, infer R, score S (which reads the
// seal), where S and R are digests.
func ledger(t *testing.T, play string) *seal.Ledger {
	t.Helper()
	l, err := seal.ParseLedger(nil)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(play, "; ") {
		stage, digest, _ := strings.Cut(line, " ")
		switch stage {
		case "generate":
			l.Append(seal.Entry{Stage: stage, Wrote: parts{seal.PublicPart: "p" + digest, seal.SealedPart: digest}})
		case "import":
			l.Append(seal.Entry{Stage: stage, Wrote: parts{seal.PublicPart: "p"}})
		case "infer":
			l.Append(seal.Entry{Stage: stage, Read: parts{seal.PublicPart: "p"}, Wrote: parts{seal.InferredPart: digest}})
		case "score":
			l.Append(seal.Entry{Stage: stage, Read: parts{seal.PublicPart: "p", seal.SealedPart: digest}, Wrote: parts{seal.ScoresPart: "x"}})
		case "regrade":
			l.Append(seal.Entry{Stage: "score", Read: parts{seal.PublicPart: "p"}, Wrote: parts{seal.ScoresPart: "x"}})
		default:
			t.Fatalf("no stage %q", stage)
		}
	}
	return l
}

func TestUnblinded(t *testing.T) {
	for _, c := range []struct {
		why, play           string
		unblinded, recorded bool
	}{
		{"the usual order", "generate A; infer R; score A", false, true},
		{"inferred again after the seal was opened", "generate A; infer Q; score A; infer R", true, true},
		{"the same result inferred blind before", "generate A; infer R; score A; infer R", false, true},
		{"new data after the seal of the old was opened", "generate A; infer Q; score A; generate B; infer R", false, true},
		{"the old data again", "generate A; score A; generate B; generate A; infer R", true, true},
		{"somebody else's directory, inferred first", "infer R; score A", false, true},
		{"somebody else's directory, opened first", "score A; infer R", true, true},
		{"imported data have no seal", "import; infer Q; regrade; infer R", false, true},
		{"imported over opened data", "generate A; score A; import; infer R", false, true},
		{"a result from nowhere, sealed data", "generate A; infer Q", false, false},
		{"a result from nowhere, opened data", "generate A; infer Q; score A", true, false},
	} {
		unblinded, recorded := ledger(t, c.play).Unblinded("R")
		if unblinded != c.unblinded || recorded != c.recorded {
			t.Errorf("%s (%s): unblinded %t, recorded %t", c.why, c.play, unblinded, recorded)
		}
	}
}

func TestLedgerRoundTrip(t *testing.T) {
	l := ledger(t, "generate A; infer R; score A")
	text := l.Encode()
	again, err := seal.ParseLedger(text)
	if err != nil {
		t.Fatal(err)
	}
	again.Append(seal.Entry{Stage: "report", NotConfined: true})
	l.Append(seal.Entry{Stage: "report", NotConfined: true})
	if !bytes.Equal(again.Encode(), l.Encode()) {
		t.Error("a ledger that was read goes on differently")
	}
}

// TestEditedLedger checks that every change of an entry breaks the chain.
func TestEditedLedger(t *testing.T) {
	good := string(ledger(t, "generate A; infer R; score A; infer Q").Encode())
	for _, c := range []struct{ why, old, new string }{
		{"a digest", `"inferred": "R"`, `"inferred": "Z"`},
		{"a stage", `"stage": "score"`, `"stage": "report"`},
		{"a part", `"sealed": "A"`, `"scores": "A"`},
		{"a hash", `"hash": "`, `"hash": "0`},
		{"a later version", `"version": 1`, `"version": 2`},
		{"an unknown key", `"version": 1`, `"version": 1, "clock": 3`},
		{"trailing text", "}\n", "}\n{}"},
	} {
		bad := strings.Replace(good, c.old, c.new, 1)
		if c.why == "trailing text" {
			bad = good + "{}"
		}
		if bad == good {
			t.Fatalf("%s: nothing to change in %s", c.why, good)
		}
		if _, err := seal.ParseLedger([]byte(bad)); err == nil {
			t.Errorf("%s changed: not noticed", c.why)
		}
	}
	for i := range 3 { // remove one entry, or swap two
		l := ledger(t, "generate A; infer R; score A; infer Q")
		l.Entries = append(l.Entries[:i], l.Entries[i+1:]...)
		if _, err := seal.ParseLedger(l.Encode()); err == nil {
			t.Errorf("entry %d removed: not noticed", i+1)
		}
		l = ledger(t, "generate A; infer R; score A; infer Q")
		l.Entries[i], l.Entries[i+1] = l.Entries[i+1], l.Entries[i]
		if _, err := seal.ParseLedger(l.Encode()); err == nil {
			t.Errorf("entries %d and %d swapped: not noticed", i+1, i+2)
		}
	}
}

func FuzzLedger(f *testing.F) {
	f.Add([]byte(`{"format":"achilles-ledger","version":1,"entries":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := seal.ParseLedger(data)
		if err != nil {
			return
		}
		if _, err := seal.ParseLedger(l.Encode()); err != nil {
			t.Errorf("what was read does not read again: %v", err)
		}
	})
}
