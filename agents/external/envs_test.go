package external_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"achilles/agents/external"
	"achilles/gridworld"
	"achilles/gridworld/eye"
	"achilles/gridworld/gridtest"
	"achilles/sim/rng"
)

// rooms are the worlds of the tests: small ones with all that frames tell, and random ones.
func rooms(t testing.TB) []external.TrainingWorld {
	var list []external.TrainingWorld
	for _, text := range []string{`world 1
limit 12
legend k floor + key
legend g floor + reward size 2 value -3 colour 1,2,3 final
map
k.B.g
A.X..
`, `world 1
limit 30
legend g hole + reward air value 2
map
A.O.g..
.^.=...
...#..H

cue 4 thing 0 3,1 ground
dark 3 5
freeze 0 2
`} {
		w, err := gridworld.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, external.TrainingWorld{World: w, Places: []gridworld.Pos{{X: 1, Y: 0}, {X: w.Width() - 1, Y: 0}, {X: w.Width() - 1, Y: 1}}})
	}
	r := rng.Stream(11, "rooms")
	for len(list) < 12 {
		w := gridtest.Random(&r, gridworld.Turning, 9, len(list)%2 == 0)
		if w.Inside(w.Actor().Pos) && w.Rules().Limit > 0 && w.Outcome() == gridworld.Running {
			list = append(list, external.TrainingWorld{World: w, Places: []gridworld.Pos{{X: w.Width() / 2, Y: w.Height() / 2}}})
		}
	}
	return list
}

// A header has what a learner must know of the first frame.
type header struct {
	Format                                               string
	Version, Envs, Worlds, Width, Height, Things, Places int
	Actions, Kinds                                       []string
}

// A peer is the learner's side of the frames, read from the description in docs/reference/frames.md.
type peer struct {
	header
	states, maps []byte
}

func (p *peer) begin(t *testing.T, r io.Reader) {
	var n uint32
	if err := binary.Read(r, binary.LittleEndian, &n); err != nil {
		t.Fatal(err)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &p.header); err != nil {
		t.Fatal(err)
	}
}

func (p *peer) read(t *testing.T, r io.Reader) {
	p.states = make([]byte, p.Envs*(24+12*p.Things))
	if _, err := io.ReadFull(r, p.states); err != nil {
		t.Fatal(err)
	}
	follow := 0
	for i := range p.Envs {
		follow += int(p.state(i)[7])
	}
	p.maps = make([]byte, follow*(8+2*p.Places+4*p.Width*p.Height))
	if _, err := io.ReadFull(r, p.maps); err != nil {
		t.Fatal(err)
	}
}

func (p *peer) state(i int) []byte { n := 24 + 12*p.Things; return p.states[i*n : (i+1)*n] }

// TestEnvsTellWhatIsSeen checks every byte of states and maps against worlds that take the same actions.
func TestEnvsTellWhatIsSeen(t *testing.T) {
	const n, steps = 7, 400
	list := rooms(t)
	e, err := external.NewEnvs("test", list, n, 0)
	if err != nil {
		t.Fatal(err)
	}
	r := rng.Stream(12, "actions")
	in := []byte{'r'}
	for i := range n {
		in = binary.LittleEndian.AppendUint64(in, uint64(i))
	}
	var actions [steps][n]byte
	for k := range steps {
		in = append(in, 's')
		for i := range n {
			actions[k][i] = byte(r.IntN(4))
			if r.Bernoulli(0.4) {
				actions[k][i] = 1
			}
		}
		in = append(in, actions[k][:]...)
	}
	var out bytes.Buffer
	if err := e.Serve(bytes.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	p := &peer{}
	p.begin(t, &out)
	if want := []string{"stay", "forward", "left", "right"}; !slices.Equal(p.Actions, want) || p.Envs != n || p.Worlds != len(list) || p.Places != 3 {
		t.Fatalf("header %+v", p.header)
	}
	var own [n]*gridworld.World
	visited, opened, ends := map[uint32]bool{}, 0, map[gridworld.Outcome]int{}
	for k := -1; k < steps; k++ {
		p.read(t, &out)
		for i := range n {
			b := p.state(i)
			at := binary.LittleEndian.Uint32(b[8:])
			begins := own[i] == nil || own[i].Outcome() != gridworld.Running
			unlocked := false
			if begins {
				own[i] = list[at].World.Clone()
				visited[at] = true
			} else {
				for _, x := range own[i].Step(gridworld.Action(actions[k][i])) {
					unlocked = unlocked || x.Kind == gridworld.Unlocked
				}
				if unlocked {
					opened++
				}
			}
			if own[i].Outcome() != gridworld.Running {
				ends[own[i].Outcome()]++
			}
			if (b[5]&16 != 0) != begins || (b[7] != 0) != (begins || unlocked) {
				t.Fatalf("step %d, environment %d: flags %08b, map %d; begins %t, unlocked %t", k, i, b[5], b[7], begins, unlocked)
			}
			if want := told(own[i], list[at].Places, p.Things); !bytes.Equal(b[:5], want[:5]) || b[5]&15 != want[5] || b[6] != want[6] || !bytes.Equal(b[12:], want[12:]) {
				t.Fatalf("step %d, environment %d:\n%v\nwant\n%v", k, i, b, want)
			}
			if b[7] != 0 {
				p.checkMap(t, own[i], list[at].Places)
			}
		}
	}
	if out.Len() > 0 || len(p.maps) > 0 {
		t.Errorf("%d bytes too many", out.Len()+len(p.maps))
	}
	if len(visited) != len(list) || len(ends) != 3 || opened == 0 {
		t.Errorf("the test saw %d of %d worlds, outcomes %v, %d locks", len(visited), len(list), ends, opened)
	}
}

// told returns the state of a world as frames tell it, but for the number of the world and what is new.
func told(w *gridworld.World, places []gridworld.Pos, things int) []byte {
	b := make([]byte, 24+12*things)
	binary.LittleEndian.PutUint16(b, uint16(w.Tick()))
	a := w.Actor()
	b[2], b[3], b[4], b[6] = byte(a.Pos.X), byte(a.Pos.Y), byte(a.Heading), byte(w.Outcome())
	for k, is := range []bool{w.Dark(), w.Frozen(), w.Trapped(), w.Carrying()} {
		if is {
			b[5] |= 1 << k
		}
	}
	binary.LittleEndian.PutUint32(b[12:], uint32(w.Gain()))
	if w.Dark() {
		return b
	}
	open := uint64(0)
	for k, q := range places {
		if gridtest.Sees(w, a.Pos, q) {
			open |= 1 << k
		}
	}
	binary.LittleEndian.PutUint64(b[16:], open)
	for k := range w.Len() {
		x := w.Thing(k)
		if x.State != gridworld.Air && (x.State != gridworld.Ground || !gridtest.Sees(w, a.Pos, x.Pos)) {
			continue
		}
		s := b[24+12*k:]
		s[0], s[1], s[2] = byte(x.Kind)+1, byte(x.Pos.X), byte(x.Pos.Y)
		if x.State == gridworld.Air {
			s[3] = 1
		}
		binary.LittleEndian.PutUint16(s[4:], uint16(x.Size))
		binary.LittleEndian.PutUint16(s[6:], uint16(x.Value))
		if red, green, blue, ok := x.Colour.RGB(); ok {
			s[8], s[9], s[10], s[11] = red, green, blue, 1
		}
	}
	return b
}

// checkMap checks the next map and takes it away.
func (p *peer) checkMap(t *testing.T, w *gridworld.World, places []gridworld.Pos) {
	t.Helper()
	m := p.maps
	if got := int(binary.LittleEndian.Uint16(m)); got != w.Rules().Limit || int(m[2]) != w.Width() || int(m[3]) != w.Height() || int(m[4]) != len(places) {
		t.Fatalf("map begins %v", m[:8])
	}
	m = m[8:]
	for k := range p.Places {
		want := []byte{255, 255}
		if k < len(places) {
			want = []byte{byte(places[k].X), byte(places[k].Y)}
		}
		if !bytes.Equal(m[:2], want) {
			t.Fatalf("place %d is %v, want %v", k, m[:2], want)
		}
		m = m[2:]
	}
	for y := range p.Height {
		for x := range p.Width {
			want := []byte{15, 0, 0, 0}
			if q := (gridworld.Pos{X: x, Y: y}); w.Inside(q) {
				c := w.At(q)
				want[0] = byte(c.Kind) + 16*c.Height + 64*(byte(c.Facing)/2)
				want[1], want[2], want[3], _ = c.Colour.RGB()
			}
			if !bytes.Equal(m[:4], want) {
				t.Fatalf("cell %d, %d is %v, want %v", x, y, m[:4], want)
			}
			m = m[4:]
		}
	}
	p.maps = m
}

// TestEnvsRefuseFrames checks what is said of a frame that is wrong.
func TestEnvsRefuseFrames(t *testing.T) {
	list := rooms(t)
	for _, c := range []struct{ frames, says string }{
		{"s\x00\x00", "before any frame r"},
		{"x", "begins with 'x'"},
		{"r\x01\x02", "ends too early"},
		{"r" + strings.Repeat("\x01", 16) + "s\x00", "ends too early"},
		{"r" + strings.Repeat("\x01", 16) + "s\x00\x04", "action 4 of environment 1: it must be 0 to 3"},
	} {
		e, err := external.NewEnvs("test", list, 2, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Serve(strings.NewReader(c.frames), io.Discard); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want %s", c.frames, err, c.says)
		}
	}
	eight, err := gridworld.Parse("world 1\nmove eight\nlimit 9\nmap\nA.\n")
	if err != nil {
		t.Fatal(err)
	}
	endless, err := gridworld.Parse("world 1\nmap\nA.\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		worlds []external.TrainingWorld
		envs   int
		says   string
	}{
		{nil, 1, "no world"}, {list, 0, "1 to"}, {list, 1 << 20, "1 to"},
		{append(list[:1:1], external.TrainingWorld{World: eight}), 1, "world 1: its actions"},
		{[]external.TrainingWorld{{World: endless}}, 1, "time limit is 0"},
		{[]external.TrainingWorld{{World: eight, Places: make([]gridworld.Pos, 65)}}, 1, "65 places"},
	} {
		if _, err := external.NewEnvs("test", c.worlds, c.envs, 0); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want %s", err, c.says)
		}
	}
}

// TestPictures checks that the pictures of a frame are what each actor sees, between the states and the maps that are there without them.
func TestPictures(t *testing.T) {
	const n, side = 2, 20
	list := rooms(t)
	in := "r" + strings.Repeat("\x01", 8*n) + "s\x01\x01s\x02\x03"
	var outs [2]bytes.Buffer
	for k, pixels := range [...]int{0, side} {
		e, err := external.NewEnvs("test", list, n, pixels)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Serve(strings.NewReader(in), &outs[k]); err != nil {
			t.Fatal(err)
		}
	}
	plain, seeing := &peer{}, &peer{}
	plain.begin(t, &outs[0])
	seeing.begin(t, &outs[1])
	var own [n]*gridworld.World
	want := eye.Picture{Size: side}
	for k, actions := range [][]byte{nil, {1, 1}, {2, 3}} {
		plain.read(t, &outs[0])
		states := make([]byte, len(plain.states))
		pictures := make([]byte, n*side*side*3)
		for _, b := range [][]byte{states, pictures} {
			if _, err := io.ReadFull(&outs[1], b); err != nil {
				t.Fatal(err)
			}
		}
		maps := make([]byte, len(plain.maps))
		if _, err := io.ReadFull(&outs[1], maps); err != nil || !bytes.Equal(states, plain.states) || !bytes.Equal(maps, plain.maps) {
			t.Fatalf("frame %d: states or maps are others with pictures; %v", k, err)
		}
		for i := range n {
			if actions == nil {
				own[i] = list[binary.LittleEndian.Uint32(plain.state(i)[8:])].World.Clone()
			} else {
				own[i].Step(gridworld.Action(actions[i]))
			}
			if want.Draw(own[i], eye.Eyes{}); !bytes.Equal(want.Pix, pictures[i*side*side*3:][:side*side*3]) {
				t.Errorf("frame %d: the picture of environment %d is not what its actor sees", k, i)
			}
		}
	}
	if _, err := external.NewEnvs("test", list, 1<<16, 84); err == nil {
		t.Error("pictures of more than a gigabyte")
	}
}

// FuzzEnvs checks that no frames stop the environments but by an error, and that the same frames have the same answer.
func FuzzEnvs(f *testing.F) {
	f.Add([]byte("r" + strings.Repeat("\x01", 16) + "s\x01\x01s\x02\x03"))
	f.Add([]byte("s"))
	f.Add([]byte{})
	list := rooms(f)
	f.Fuzz(func(t *testing.T, frames []byte) {
		var outs [2]bytes.Buffer
		var errs [2]error
		for k := range outs {
			e, err := external.NewEnvs("test", list, 2, 0)
			if err != nil {
				t.Fatal(err)
			}
			errs[k] = e.Serve(bytes.NewReader(frames), &outs[k])
			if errors.Is(errs[k], io.EOF) {
				t.Fatal("the end of frames is no error of its own")
			}
		}
		if !bytes.Equal(outs[0].Bytes(), outs[1].Bytes()) || (errs[0] == nil) != (errs[1] == nil) {
			t.Fatal("the same frames have two answers")
		}
	})
}
