package cli_test

import (
	"strings"
	"testing"

	"achilles/render/cli/clitest"
)

// TestPredict predicts new items and a grid from a run, and tries what is wrong. That the numbers are right is tested where they
// are computed.
func TestPredict(t *testing.T) {
	t.Chdir(t.TempDir())
	clitest.Graded(t, "r")
	subjects := strings.Count(must(t, "show", "r", "inferred/profiles", "--where", `parameter == "op"`, "--format", "csv"), "\n") - 1
	columns := "timeUnderOcclusion,numPositions,occluder,goalSize,goalDistance,rightLeft,lava,ramp,platform"
	write(t, "new.csv", []byte("item,"+columns+",colour\nfar,4,11,1,4,50,0,0,0,0,red\nnear,0,0,0,4,1,0,0,0,0,red\n"))
	code, out, said := achilles(t, "predict", "r", "--items", "new.csv", "--format", "csv")
	if code != 0 || strings.Count(out, "\n") != 2*subjects+1 || !strings.HasPrefix(out, "subject,item,expected,low,high\n") || !strings.Contains(said, "columns of new.csv that the items of these results do not have are ignored: colour") {
		t.Errorf("exit %d, %s%s", code, said, out)
	}
	code, out, said = achilles(t, "predict", "r", "--grid", "timeUnderOcclusion=0:4:3", "--grid", "numPositions=0,11", "--at", "occluder=1", "--safe", "0.5", "--sort", "expected")
	if code != 0 || strings.Count(out, "\n") < 6*subjects+2 || !strings.Contains(out, "timeUnderOcclusion") || !strings.Contains(out, "P(≥ 0.5)") || !strings.Contains(said, "held fixed: occluder = 1, goalSize = ") {
		t.Errorf("exit %d, %s%s", code, said, out)
	}
	if out := must(t, "predict", "r", "--weights", "lava=0:1,1:3", "--safe", "0.8", "--format", "csv"); strings.Count(out, "\n") != subjects+1 || !strings.HasPrefix(out, "subject,expected,low,high,safe,judgement,observed,unweighted,responses\n") {
		t.Errorf("weights: %s", out)
	}
	if out := must(t, "predict", "r", "--items", "new.csv", "--weights", "numPositions=0:1,11:1", "--format", "csv"); strings.Count(out, "\n") != subjects+1 {
		t.Errorf("weights of new items: %s", out)
	}
	if out := must(t, "predict", "r", "--within", "op", "--format", "csv"); strings.Count(out, "\n") != subjects+1 || !strings.HasPrefix(out, "subject,items,responses,observed,expected,low,high,with_all\n") {
		t.Errorf("within: %s", out)
	}
	write(t, "mine.toml", []byte(must(t, "layouts", "show", "op", "--toml")+"\n"))
	must(t, "infer", "r", "--as", "own", "--layout", "mine.toml", "--draws", "100")
	if out := must(t, "predict", "r", "--as", "own", "--items", "new.csv", "--format", "csv"); strings.Count(out, "\n") != 2*subjects+1 { // the result keeps its layout
		t.Errorf("a layout of one's own: %s", out)
	}
	write(t, "beyond.csv", []byte(columns+"\n4,11,1,4,70,0,0,0,0\n"))
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{}, 1, "every subject has taken every item: name other items"},
		{[]string{"--items", "new.csv", "--grid", "lava=0,1"}, 2, "--items and --grid both name items: omit one"},
		{[]string{"--items", "new.csv", "--at", "lava=1"}, 2, "--at is for a --grid"},
		{[]string{"--items", "new.csv", "--level", "1"}, 2, "--level must be above 0 and below 1"},
		{[]string{"--items", "new.csv", "--safe", "-1"}, 2, "--safe must be above 0"},
		{[]string{"--items", "new.csv", "--decimal", ";"}, 2, "--decimal must be . or ,"},
		{[]string{"--items", "new.csv", "--layout", "mine.toml"}, 1, "--layout mine.toml is not the layout of the result, which is called "},
		{[]string{"--items", "none.csv"}, 1, "none.csv"},
		{[]string{"--items", "beyond.csv"}, 1, "item 1 has goalDistance = 70, outside the declared range 0 to 56"},
		{[]string{"--weights", "lava=0:1", "--grid", "lava=0,1"}, 2, "--weights is for items: omit --grid"},
		{[]string{"--within", "op", "--items", "new.csv"}, 2, "--within is for the items of DIR: omit --items, --grid and --weights"},
		{[]string{"--within", "noise"}, 1, "noise is not a capability of the layout: it has op, memory"},
		{[]string{"--weights", "lava"}, 2, "--weights lava: a column, = and its groups are needed"},
		{[]string{"--weights", "lava=0:1,1"}, 2, "\"1\": want a group and its weight"},
		{[]string{"--weights", "lava=0:1,1:0"}, 2, "the weight of 1 must be a number above 0"},
		{[]string{"--weights", "lava=0:1,0:2"}, 2, "group 0 is given twice"},
		{[]string{"--weights", "lava=0:1,2:2"}, 1, "no item has lava = 2"},
		{[]string{"--grid", "lava"}, 2, "--grid lava: a column, = and its values are needed"},
		{[]string{"--grid", "lava=0:1:1"}, 2, "--grid lava=0:1:1: FROM:TO:NUMBER are two numbers and how many"},
		{[]string{"--grid", "lawa=0,1"}, 2, "layout op does not depend on a column lawa: did you mean lava?"},
		{[]string{"--grid", "lava=0,1", "--at", "lava=1"}, 2, "column lava is given twice"},
	} {
		if code, _, said := achilles(t, append([]string{"predict", "r"}, c.args...)...); code != c.code || !strings.Contains(said, c.want) {
			t.Errorf("%q: exit %d, %s", c.args, code, said)
		}
	}
}
