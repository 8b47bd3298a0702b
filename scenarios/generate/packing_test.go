package generate_test

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"achilles/scenarios/generate"
)

// TestPacking checks that packed episodes and recorded responses are published like lists of the same, in whatever order,
// also those of one subject alone.
func TestPacking(t *testing.T) {
	for _, alone := range []string{"", "stroller"} {
		s := run(t, acting(t, "battery.items=6", "population[0].count=2"), generate.Config{Seed: 3, Jobs: 2})
		if alone != "" {
			s = s.Alone(alone)
		}
		want := publishTo(t, s, 2)
		plain := *s
		generate.Unpack(t, &plain)
		slices.Reverse(plain.Episodes)
		slices.Reverse(plain.Responses)
		if n := 6 * 2 * len(s.Subjects); alone == "" && len(plain.Episodes) != n-6*2 || alone != "" && len(plain.Episodes) != n {
			t.Errorf("%d subjects: %d episodes", len(s.Subjects), len(plain.Episodes))
		}
		if got := publishTo(t, &plain, 2); !maps.EqualFunc(got, want, bytes.Equal) {
			t.Errorf("%d subjects: lists of episodes and responses are published otherwise", len(s.Subjects))
		}
	}
}

// TestPackingIsSmall limits the memory of an episode and of a response that wait for publication.
func TestPackingIsSmall(t *testing.T) {
	s := run(t, acting(t, "battery.items=20"), generate.Config{Seed: 3, Jobs: 2})
	if each := generate.Packed(s) / len(generate.Acted(t, s)); each > 30 {
		t.Errorf("%d bytes an episode", each)
	}
	if each := generate.Recorded(s); each > 1 {
		t.Errorf("%d bytes a response", each)
	}
}

// TestPackingWithoutFile checks that a run can say why what waits for publication is in memory.
func TestPackingWithoutFile(t *testing.T) {
	if err := generate.InMemory(); err != nil {
		t.Error(err)
	}
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "absent"))
	if err := generate.InMemory(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a temporary directory: %v", err)
	}
}

func TestPackingCutShort(t *testing.T) {
	for _, compressed := range []bool{false, true} {
		if err := generate.CutShort(generate.Episode{Moves: "f3 l f", Cause: "time-out"}, compressed); err == nil {
			t.Errorf("episodes that are cut short are unpacked, compressed %v", compressed)
		}
	}
}
