package opiaagets_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"achilles/battery"
	"achilles/battery/batterytest"
	"achilles/battery/opiaagets"
	"achilles/sim/record"
)

// releasedColumns maps every column of the reference table with values of the released coding to the feature that has these
// values here.
var releasedColumns = map[string]string{
	"paper_family": "family", "requires_op": "requiresOP",
	"paper_goal_distance": "goalDistance", "paper_goal_size": "goalSize", "paper_right_left": "rightLeft",
	"paper_num_other_positions": "numPositions", "paper_occluder_present": "occluder",
	"paper_time_under_occlusion": "timeUnderOcclusion", "paper_lava": "lava", "paper_platform": "platform",
	"paper_ramp": "ramp", "paper_transparent_walls": "transparent", "paper_lights_out": "lightsOut",
	"paper_goal_visible_at_choice": "goalVisible", "paper_forced_choice": "forcedChoice", "paper_row": "row",
	"paper_column": "column", "paper_occluder_colour": "occluderColour", "paper_occ_r": "occluderRed",
	"paper_occ_g": "occluderGreen", "paper_occ_b": "occluderBlue", "task": "task",
}

// correctedColumns does the same for the corrected coding. The column blackouts holds the values of two features.
var correctedColumns = map[string]string{
	"paper_family": "family", "requires_op": "requiresOP", "forced_choice": "forcedChoice", "task": "task",
	"goal_size": "goalSize", "goal_colour": "goalColour", "goal_moving": "bounce", "goal_euclid": "goalEuclid",
	"goal_manhattan": "goalManhattan", "goal_final_euclid": "goalFinalEuclid", "goal_final_manhattan": "goalDistance",
	"right_left": "rightLeft", "right_left_start_heading": "headingSide", "num_positions": "places",
	"num_other_positions_op": "numPositions", "occluder_present": "occluder", "time_under_occlusion": "timeUnderOcclusion",
	"lights_out": "lightsOut", "frozen_agent_delay": "frozenDelay", "lava": "lava", "platform": "platform",
	"ramp_any": "rampAny", "ramp_task_critical": "ramp", "transparent_walls": "transparent", "occ_r": "occluderRed",
	"occ_g": "occluderGreen", "occ_b": "occluderBlue", "t": "timeLimit", "pass_mark": "passMark",
}

func TestReleasedAgainstTable(t *testing.T) {
	b := opiaagets.Released()
	cells := compare(t, b, releasedColumns)
	t.Logf("%d instances, %d values compared", b.Items.Len(), cells)
}

func TestCorrectedAgainstTable(t *testing.T) {
	b := opiaagets.Corrected()
	cells := compare(t, b, correctedColumns)
	from, _ := b.Column("blackoutFrom")
	to, _ := b.Column("blackoutTo")
	for i, row := range batterytest.Table(t, "opiaagets", "opiaagets_paper_subset.csv") {
		ours := ""
		if !from.Missing[i] {
			ours = fmt.Sprint(from.Number[i], " ", to.Number[i])
		}
		if ours != row["blackouts"] {
			t.Errorf("%s: blackouts %q, the table has %q", row["instance_name"], ours, row["blackouts"])
		}
	}
	t.Logf("%d instances, %d values compared", b.Items.Len(), cells)
}

// compare checks that the battery has the items of the reference table in the same order, with the values of the given
// columns; if the table has an empty cell, the value must be missing or "none". It returns the number of cells
// compared.
func compare(t *testing.T, b battery.Battery, columns map[string]string) (cells int) {
	t.Helper()
	table := batterytest.Table(t, "opiaagets", "opiaagets_paper_subset.csv")
	if len(table) != b.Items.Len() {
		t.Fatalf("%d items, the table has %d", b.Items.Len(), len(table))
	}
	wrong := 0
	for i, row := range table {
		if b.Items.Name(i) != row["instance_name"] {
			t.Fatalf("item %d is %s, the table has %s", i, b.Items.Name(i), row["instance_name"])
		}
		for theirs, ours := range columns {
			cells++
			if got := written(b, i, ours); !same(got, row[theirs]) {
				wrong++
				if wrong <= 20 {
					t.Errorf("%s: %s is %q, the table's %s is %q", row["instance_name"], ours, got, theirs, row[theirs])
				}
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d values differ", wrong, cells)
	}
	return cells
}

// written returns the value of a feature as the table writes it, except for trailing zeros.
func written(b battery.Battery, item int, feature string) string {
	if feature == "task" {
		return b.Items.At(item).Task
	}
	f, ok := b.Feature(feature)
	if !ok {
		return "no such feature"
	}
	v := b.Items.Values(item).At(f)
	switch {
	case v.Missing || v.Text == "none":
		return ""
	case b.Schema[f].Kind == record.Text:
		return v.Text
	}
	return strconv.FormatFloat(v.Number, 'f', -1, 64)
}

// same reports whether two texts are equal or, if both are numbers, equal to the four decimals that the table has.
func same(ours, theirs string) bool {
	a, errA := strconv.ParseFloat(ours, 64)
	b, errB := strconv.ParseFloat(theirs, 64)
	if errA != nil || errB != nil {
		return ours == theirs
	}
	return math.Abs(a-b) <= 0.5001e-4
}

// TestCountsByFamily checks the numbers of items by family and requiresOP against the released table. The paper's text has
// other numbers.
func TestCountsByFamily(t *testing.T) {
	want := map[string]int{
		"cup 1": 360, "cup 0": 240, "grid 1": 192, "grid 0": 240, "cv 1": 36, "cv 0": 598, "basic 0": 522,
	}
	got := map[string]int{}
	b := opiaagets.Released()
	for i := range b.Items.Len() {
		got[written(b, i, "family")+" "+written(b, i, "requiresOP")]++
	}
	for k, n := range want {
		if got[k] != n {
			t.Errorf("family and requiresOP %s: %d items, want %d", k, got[k], n)
		}
	}
	if b.Items.Len() != 2188 || len(got) != len(want) {
		t.Errorf("%d items in %d groups", b.Items.Len(), len(got))
	}
}

// layoutFeatures lists the features of the paper's measurement layout.
var layoutFeatures = strings.Fields("family requiresOP ramp lava platform goalDistance goalSize rightLeft occluder timeUnderOcclusion numPositions")

func layoutRows(b battery.Battery) map[string]int {
	rows := map[string]int{}
	for i := range b.Items.Len() {
		var row []string
		for _, f := range layoutFeatures {
			row = append(row, written(b, i, f))
		}
		rows[strings.Join(row, ",")]++
	}
	return rows
}

// TestDistinctLayoutRows checks the number of distinct rows of the layout's features. Sampling is fast because there are so
// few.
func TestDistinctLayoutRows(t *testing.T) {
	rows := layoutRows(opiaagets.Released())
	if len(rows) != 447 {
		t.Fatalf("%d distinct rows, want 447", len(rows))
	}
	for _, want := range batterytest.Table(t, "opiaagets", "unique_layout_rows.csv") {
		size, _ := strconv.ParseFloat(want["goal_size"], 64)
		key := strings.Join([]string{
			want["family"], want["requires_op"], want["ramp"], want["lava"], want["platform"], want["goal_distance"],
			strconv.FormatFloat(size, 'f', -1, 64), want["right_left"], want["occluder"], want["time_under_occ"], want["num_other_positions"],
		}, ",")
		if n, _ := strconv.Atoi(want["n_instances"]); rows[key] != n {
			t.Errorf("row %s: %d items, want %d", key, rows[key], n)
		}
	}
}

// TestLastSeen checks that going to where the reward was last seen fails on the 24 dark chick items only.
func TestLastSeen(t *testing.T) {
	for _, b := range []battery.Battery{opiaagets.Released(), opiaagets.Corrected()} {
		fails := 0
		for i, it := range b.Items.All() {
			if written(b, i, "lastSeenPasses") == "1" {
				continue
			}
			fails++
			if it.Task == "2Occluder" || !strings.HasPrefix(it.Name, "OP-STC-Allo-CVChick") {
				t.Errorf("%s should be passed by going to where the reward was last seen", it.Name)
			}
		}
		if fails != 24 {
			t.Errorf("going to where the reward was last seen fails %d items, want 24", fails)
		}
	}
}
