package observer_test

import (
	"encoding/json"
	"strings"
	"testing"

	"achilles/agents/external/observer"
	"achilles/sim/record"

	"github.com/google/go-cmp/cmp"
)

// vault is a trial of eight frames in a scene of four by three cells. The actor takes the key of a barrier, which
// vanishes, and goes on to a cup. The scene also has a bell, which is listed first.
func vault() record.SceneTrial {
	shape := func(name string, x, y, half int16, colour uint8) record.Shape {
		return record.Shape{X: x - half, Y: y - half, Half: half, Icon: "./shapes/" + name + ".png", Colour: [3]uint8{colour, 0, 9}}
	}
	key := func(x, y int16) []record.Shape { return []record.Shape{shape("triangle0", x, y, 8, 1)} }
	scene := record.Scene{
		Width: 80, Height: 60,
		Walls:   []record.Rect{{X: 0, Y: 0, W: 20, H: 20}, {X: 20, Y: 0, W: 60, H: 20}},
		Barrier: []record.Rect{{X: 40, Y: 20, W: 20, H: 20}},
		Keys:    key(30, 30), Locks: []record.Shape{shape("slot0", 50, 50, 10, 1)},
		Objects: []record.Shape{shape("cup", 71, 49, 9, 200), shape("bell", 10, 50, 9, 100)},
		Home:    shape("home", 11, 29, 6, 2), Agent: shape("kite", 11, 29, 6, 3),
	}
	corner := func(x, y int16) record.Point { return record.Point{X: x - 6, Y: y - 6} }
	return record.SceneTrial{Scene: scene,
		Path: []record.Point{corner(11, 29), corner(11, 29), corner(13, 29), corner(21, 29), corner(30, 32), corner(30, 32), corner(52, 32), corner(52, 32)},
		Changes: []record.Change{
			{Frame: 4, Barrier: scene.Barrier, Keys: key(30, 32), Locks: scene.Locks, Objects: scene.Objects},
			{Frame: 5, Objects: scene.Objects},
		}}
}

// vaultText is the trial as text, written by hand.
const vaultText = `80 x 60 pixels in cells of 20; (x, y) is a centre in pixels from the bottom left; 25 frames a second
# wall, + barrier, . free
@ actor: kite, rgb 3 0 9; home at (11, 29)
a object: bell, rgb 100 0 9; at (10, 50)
b object: cup, rgb 200 0 9; at (71, 49)
K key: at (30, 30)
L lock: at (50, 50)

frame 0: @ at (11, 29)
a.Lb
@K+.
####

frame 3: @ at (21, 29)
a.Lb
.@+.
####

frame 5: @ at (30, 32)
a..b
.@..
####

frame 6: @ at (52, 32)
a..b
..@.
####

frame 7, the last: @ at (52, 32)
`

// TestText checks a trial as text against one written by hand: objects have letters in the order of their looks, and
// there is a world for every frame in which a cell differs.
func TestText(t *testing.T) {
	trial := vault()
	trial.Scene.Walls[1] = record.Rect{X: 15, Y: 5, W: 50, H: 10} // covers a part of every cell of the row
	items := []record.Watched{{Item: "i-1", Videos: []record.Video{{Familiarisation: []record.SceneTrial{trial}, Test: trial}}}}
	var said strings.Builder
	if err := observer.Write(&said, items, observer.Text); err != nil {
		t.Fatal(err)
	}
	var q observer.TextQuestion
	if err := json.Unmarshal([]byte(said.String()), &q); err != nil {
		t.Fatal(err)
	}
	if len(q.Familiarisation) != 1 || q.Familiarisation[0] != q.Test || q.Video == "" {
		t.Errorf("%+v", q)
	}
	if d := cmp.Diff(vaultText, q.Test); d != "" {
		t.Error(d)
	}
}

// TestLetters checks that an object has the same letter in all trials of a video, whatever other objects there are, and
// that the twenty-seventh gets a star.
func TestLetters(t *testing.T) {
	first, test := vault(), vault()
	first.Scene.Objects = first.Scene.Objects[:1]
	for i := range 25 {
		s := test.Scene.Objects[0]
		s.Colour[2] = 10 + uint8(i)
		test.Scene.Objects = append(test.Scene.Objects, s)
	}
	items := []record.Watched{{Item: "i-1", Videos: []record.Video{{Familiarisation: []record.SceneTrial{first}, Test: test}}}}
	var said strings.Builder
	if err := observer.Write(&said, items, observer.Text); err != nil {
		t.Fatal(err)
	}
	var q observer.TextQuestion
	if err := json.Unmarshal([]byte(said.String()), &q); err != nil {
		t.Fatal(err)
	}
	const cup = "object: cup, rgb 200 0 9;"
	letter := func(text string) string { i := strings.Index(text, cup); return text[i-2 : i] }
	if letter(q.Familiarisation[0]) != letter(q.Test) || strings.Count(q.Test, "* object: ") != 1 || !strings.Contains(q.Test, "z object: ") {
		t.Errorf("%s\n%s", q.Familiarisation[0], q.Test)
	}
}
