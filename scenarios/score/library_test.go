package score_test

import (
	"testing"

	"achilles/infer"
	"achilles/infer/layout"
	"achilles/scenarios/score"
)

// TestLayoutOf checks that the layout of a result is found by its digest alone: a shipped one, or the text that the result keeps; not a text
// with another digest.
func TestLayoutOf(t *testing.T) {
	text := string(shippedFile(t, "layouts/op.toml"))
	for _, c := range []struct{ name, of, kept, want string }{
		{"shipped", text, "", text}, {"shipped and kept", text, text, text}, {"kept", text + "\n", text + "\n", text + "\n"},
		{"not kept", text + "\n", "", ""}, {"another text", text + "\n", text + "\n\n", ""},
	} {
		made, err := layout.Parse("l.toml", c.of)
		if err != nil {
			t.Fatal(err)
		}
		r := &infer.Result{LayoutText: c.kept}
		r.Settings.Layout = infer.DigestOf(made)
		switch l, err := score.LayoutOf(&layout.Library{}, r); {
		case err != nil:
			t.Errorf("%s: %v", c.name, err)
		case (l == nil) != (c.want == "") || l != nil && l.Text != c.want:
			t.Errorf("%s: %v", c.name, l)
		}
	}
}
