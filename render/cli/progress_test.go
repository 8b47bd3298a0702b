package cli

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"
)

// TestProgress checks what is said of a work that has parts, of one without pieces, and of one that another work replaces.
func TestProgress(t *testing.T) {
	a := &console{status: &status{}}
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

// TestNamedProgress checks that a line names the piece that is running, else the one that was done last, and that other work does not.
func TestNamedProgress(t *testing.T) {
	a := &console{status: &status{}}
	analyse := a.named("analyse")
	a.running("mf on split 1")
	if got, want := a.status.String(), "working, running: mf on split 1"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	analyse(1, 3, "mf on split 1")
	a.running("irt on split 2")
	if got, want := a.status.String(), "analyse: 1 of 3, running: irt on split 2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	a.running("")
	analyse(1, 3, "irt on split 2")
	if got, want := a.status.String(), "analyse: 1 of 3, last: irt on split 2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	analyse(3, 3, "mf on split 2")
	a.progress("infer")(0, 2)
	if got, want := a.status.String(), "infer: 0 of 2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestTell checks that a line says, at every interval and no other time, how far the work is and whom it waits for, and
// that no line does where there is no work.
func TestTell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said bytes.Buffer
		a := &console{status: &status{}, stderr: &locked{w: &said}}
		stop := a.tell(time.Second)
		time.Sleep(1500 * time.Millisecond) // nothing is done at 1 s
		work := a.progress("generate")
		work(1, 3)
		time.Sleep(time.Second)
		over := a.waiting("slow")
		other := a.waiting("other")
		time.Sleep(time.Second)
		over()
		time.Sleep(time.Second)
		other()
		work(3, 3)
		time.Sleep(2 * time.Second)
		stop()
		time.Sleep(2 * time.Second)
		if want := "achilles: generate: 1 of 3\nachilles: generate: 1 of 3, waiting for slow\nachilles: generate: 1 of 3, waiting for other\n"; said.String() != want {
			t.Errorf("said\n%s, want\n%s", &said, want)
		}
	})
}
