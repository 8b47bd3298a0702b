package cli

import "testing"

// TestProgress checks what is said of a work that has parts, of one without pieces, and of one that another work replaces.
func TestProgress(t *testing.T) {
	a := &app{status: &status{}}
	generate, infer := a.progress("generate"), a.progress("infer")
	for i, c := range []struct {
		of          func(done, total int)
		done, total int
		want        string
	}{
		{generate, 0, 0, ""},
		{generate, 1, 10, "generate: 1 of 10"},
		{generate, 10, 10, ""},
		{generate, 3, 7, "generate: 3 of 7"},
		{infer, 0, 5, "infer: 0 of 5"},
		{generate, 4, 7, "infer: 0 of 5"},
		{infer, 5, 5, ""},
	} {
		if c.of(c.done, c.total); a.status.String() != c.want {
			t.Errorf("call %d: %q, want %q", i, a.status.String(), c.want)
		}
	}
}
