package generate_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"achilles/agents"
	"achilles/gridworld"
	"achilles/scenarios/generate"
	"achilles/scenarios/seal"
	"achilles/sim/record"
	"achilles/sim/rng"
)

// The tests in this file do what an attacker could do to find the root seed: run the streams of sim/rng backwards, and
// try root seeds.

// purposes returns the purposes for which a value that is derived from the key is used outside the sealed part. A
// purpose is the first name of the path by which the value is derived.
func purposes() []string {
	return []string{"id", "split", "outcome", "order", "act", "person", "infer", "journal", "salt"}
}

// unmix inverts the finisher of SplitMix64: it returns the number that the finisher maps to z.
func unmix(z uint64) uint64 {
	z ^= z>>31 ^ z>>62
	z *= 0x319642b2d24d8ec3 // inverse of 0x94d049bb133111eb
	z ^= z>>27 ^ z>>54
	z *= 0x96de1b173f119089 // inverse of 0xbf58476d1ce4e5b9
	return z ^ z>>30 ^ z>>60
}

// unseed returns the root seed from which rng.Derive makes `seed` by a path.
func unseed(seed uint64, path ...string) uint64 {
	var words []uint64
	for _, p := range path {
		words = append(words, uint64(len(p)))
		for len(p) > 0 {
			var w uint64
			n := min(8, len(p))
			for i := range n {
				w |= uint64(p[i]) << (8 * i)
			}
			words, p = append(words, w), p[n:]
		}
	}
	for _, w := range slices.Backward(words) {
		seed = unmix(seed) ^ w*0x9e3779b97f4a7c15
	}
	return unmix(seed) - 0x9e3779b97f4a7c15
}

// A seeded is an agent from outside that notes the seeds that it gets with episodes and with questions.
type seeded struct{ got, asked *[]uint64 }

func (s seeded) Reset(_ context.Context, first gridworld.Observation) error {
	*s.got = append(*s.got, first.Key().Seed())
	return nil
}

func (s seeded) Act(context.Context, gridworld.Observation) (gridworld.Action, error) {
	return gridworld.TurnLeft, nil
}

// Answer implements the part of a player that answers questions.
func (s seeded) Answer(_ context.Context, q agents.Question) (int, error) {
	*s.asked = append(*s.asked, uint64(q.Seed))
	return 0, nil
}
func (seeded) Close() error { return nil }

// TestSeedsDoNotTellTheRoot checks that a program cannot compute the root seed from the seeds of its episodes, whatever
// names it tries. With the seeds of an earlier version it could, by running the derivation backwards.
func TestSeedsDoNotTellTheRoot(t *testing.T) {
	const root = 0x9d2c5680fedcba98
	s := acting(t)
	s.Agents = append(s.Agents, agents.Spec{Name: "spy", Command: []string{"spy"}})
	var got []uint64
	session := run(t, s, generate.Config{Seed: root, Outside: func(*agents.Spec, generate.Journal) (generate.Player, error) { return seeded{&got, nil}, nil }})
	if len(got) < 3 {
		t.Fatalf("%d episodes", len(got))
	}
	paths := map[uint64][]string{} // root → the names with which the program would compute this root
	control := 0
	for _, it := range session.Battery.Items.All() {
		path := []string{"spy", it.Name, "0", "0"}
		if unseed(rng.Derive(root, append([]string{"outside"}, path...)...), append([]string{"outside"}, path...)...) == root {
			control++
		}
		for _, seed := range got {
			for _, purpose := range append(purposes(), "outside", "episode", "") {
				for _, full := range [][]string{{purpose}, append([]string{purpose}, path...), path, {}} {
					paths[unseed(seed, full...)] = full
				}
			}
		}
	}
	if control != session.Battery.Items.Len() {
		t.Fatalf("the attack works on %d of %d seeds as they were derived before", control, session.Battery.Items.Len())
	}
	if path, found := paths[root]; found {
		t.Errorf("a seed gives the root away by the path %q", path)
	}
}

// keyedSeed is the seed for a purpose and a path by what docs/reference/blindness.md says, written anew: HMAC-SHA-256 under a salt,
// which is HMAC-SHA-256 under the root seed, each text after its length.
func keyedSeed(root uint64, path ...string) uint64 {
	sum := func(key []byte, texts ...string) []byte {
		h := hmac.New(sha256.New, key)
		for _, s := range texts {
			h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(s))))
			h.Write([]byte(s))
		}
		return h.Sum(nil)
	}
	salt := sum(binary.LittleEndian.AppendUint64(nil, root), "salt")
	return binary.LittleEndian.Uint64(sum(salt, path...))
}

// TestSeedsAreKeyedHashes checks that the seeds which programs get are what they are said to be, bit by bit: they have no room for
// bits of the root seed or of the truth.
func TestSeedsAreKeyedHashes(t *testing.T) {
	const root = 0x9d2c5680fedcba98
	for _, name := range []string{"embodied", "ctest"} {
		s := acting(t)
		if name == "ctest" {
			s = open(t, name, "battery.coding=published-options")
		}
		s.Agents = append(s.Agents, agents.Spec{Name: "spy", Command: []string{"spy"}})
		var acted, asked []uint64
		session := run(t, s, generate.Config{Seed: root, Outside: func(*agents.Spec, generate.Journal) (generate.Player, error) { return seeded{&acted, &asked}, nil }})
		if len(acted)+len(asked) < 20 {
			t.Fatalf("%s: %d episodes, %d questions", name, len(acted), len(asked))
		}
		wanted := map[uint64]bool{}
		for _, it := range session.Battery.Items.All() {
			for trial := range max(len(it.Trials), 1) {
				for rep := range s.Repetitions {
					wanted[rng.NewKey(keyedSeed(root, "act", "spy", it.Name, strconv.Itoa(trial), strconv.Itoa(rep))).Seed()] = true
				}
			}
			for rep := range s.Repetitions {
				wanted[uint64(uint32(keyedSeed(root, "ask", "spy", it.Name, "answer", strconv.Itoa(rep))))] = true
			}
		}
		for _, seed := range append(acted, asked...) {
			if !wanted[seed] {
				t.Fatalf("%s: a program gets the seed %#x", name, seed)
			}
		}
	}
}

// oldSplit returns the split of an earlier version, which drew it by a stream of the root seed.
func oldSplit(root uint64, subject, item string) record.Split {
	coin := rng.Stream(root, "split", subject, item)
	if coin.Bernoulli(generate.DefaultHoldOut) {
		return record.HeldOut
	}
	return record.Fit
}

// TestSplitDoesNotTellTheRoot checks that trying root seeds does not reveal the right one, by the public split or by
// the ids of subjects and items.
func TestSplitDoesNotTellTheRoot(t *testing.T) {
	const root, tried = 321, 1000
	public, _ := publish(t, session(root, 12, 60))
	d := read(t, public)
	list := d.Responses.List()
	found := func(of func(r *record.Response) record.Split) (roots []int) {
		for guess := range tried {
			fits := true
			for i := 0; fits && i < len(list); i++ {
				r := &list[i]
				fits = of(r) == oldSplit(uint64(guess), d.Subjects[r.Subject], d.Items.ID[r.Item])
			}
			if fits {
				roots = append(roots, guess)
			}
		}
		return roots
	}
	if got := found(func(r *record.Response) record.Split { return r.Split }); got != nil {
		t.Errorf("the public split is that of root %v", got)
	}
	if got := found(func(r *record.Response) record.Split {
		return oldSplit(root, d.Subjects[r.Subject], d.Items.ID[r.Item])
	}); !slices.Equal(got, []int{root}) {
		t.Fatalf("of a split as it was before the attack finds %v", got)
	}
}

// TestKeyIsNoStreamOfTheRoot checks that no value that is derived from the key is the first number of a random stream
// of the root seed, or a seed derived from it, under any of many names.
func TestKeyIsNoStreamOfTheRoot(t *testing.T) {
	for root := range uint64(50) {
		key := seal.NewKey(root)
		streams := map[uint64]string{}
		for _, purpose := range append(purposes(), "outside", "seal", "episode", "response") {
			for _, path := range [][]string{{purpose}, {purpose, "x"}, {purpose, "x", "y"}} {
				r := rng.Stream(root, path...)
				streams[r.Uint64()] = strings.Join(path, " ")
				streams[rng.Derive(root, path...)] = strings.Join(path, " ")
			}
		}
		for _, purpose := range purposes() {
			for _, path := range [][]string{nil, {"x"}, {"x", "y"}} {
				r := key.Rand(purpose, path...)
				for _, x := range []uint64{key.Seed(purpose, path...), r.Uint64()} {
					if name, same := streams[x]; same {
						t.Fatalf("root %d: what is handed out for %s %v is the stream %s", root, purpose, path, name)
					}
				}
			}
		}
	}
}

// TestKeySeparates checks that keys of different roots, purposes and paths differ, and that joining names does not give
// another path's key.
func TestKeySeparates(t *testing.T) {
	seen := map[[32]byte]string{}
	for root := range uint64(3) {
		for _, path := range [][]string{{"a"}, {"b"}, {"a", ""}, {"", "a"}, {"a", "b"}, {"ab"}, {"a", "b", ""}, {"b", "a"}} {
			sum, name := seal.NewKey(root).Sum(path[0], path[1:]...), fmt.Sprint(root, " ", strings.Join(path, "|"))
			if other, twice := seen[sum]; twice {
				t.Errorf("%s is %s", name, other)
			}
			seen[sum] = name
		}
	}
}

// TestOrderOfPresentation checks that every subject takes its trials in an order of its own, which is not that of the
// battery, and that programs see the trials in this order.
func TestOrderOfPresentation(t *testing.T) {
	s := acting(t)
	s.Agents = append(s.Agents, agents.Spec{Name: "spy", Command: []string{"spy"}})
	var order []string
	session := run(t, s, generate.Config{Seed: 5, Outside: func(*agents.Spec, generate.Journal) (generate.Player, error) { return noting{&order}, nil }})
	positions := map[int][]int{} // subject → its items, in the order in which it takes them
	for r := range session.All() {
		if positions[r.Subject] == nil {
			positions[r.Subject] = make([]int, 0)
		}
		for len(positions[r.Subject]) < r.Position {
			positions[r.Subject] = append(positions[r.Subject], -1)
		}
		if r.Position < 1 || positions[r.Subject][r.Position-1] != -1 {
			t.Fatalf("subject %d, item %d: position %d", r.Subject, r.Item, r.Position)
		}
		positions[r.Subject][r.Position-1] = r.Item
	}
	seen := map[string]int{}
	for subject, items := range positions {
		if slices.Contains(items, -1) {
			t.Errorf("subject %d has gaps in its positions: %v", subject, items)
		}
		seen[fmt.Sprint(items)]++
		if slices.IsSorted(items) {
			t.Errorf("subject %d takes the items in the order of the battery", subject)
		}
	}
	if len(seen) != len(session.Subjects) {
		t.Errorf("%d subjects share %d orders", len(session.Subjects), len(seen))
	}
	spy := slices.IndexFunc(session.Subjects, func(x agents.Spec) bool { return x.Name == "spy" })
	for k, world := range order {
		it := session.Battery.Items.At(positions[spy][k])
		w, err := it.Trials[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		var layout gridworld.World
		if layout.CopyLayout(w); layout.String() != world {
			t.Fatalf("trial %d is not in the world of its position, item %s", k+1, it.Name)
		}
	}
	if len(order) != len(positions[spy]) {
		t.Errorf("%d trials shown, %d responses", len(order), len(positions[spy]))
	}
	// A removed item does not change the order of the others.
	more := namesInOrder(run(t, acting(t, "battery.sample=40"), generate.Config{Seed: 5}), 0)
	fewer := namesInOrder(run(t, acting(t, "battery.sample=39"), generate.Config{Seed: 5}), 0)
	more = slices.DeleteFunc(more, func(name string) bool { return !slices.Contains(fewer, name) })
	if len(fewer) != 2*39 || !slices.Equal(more, fewer) {
		t.Errorf("with an item less the order is another one:\n%v\n%v", more, fewer)
	}
}

// namesInOrder returns the names of the items that a subject takes, by position.
func namesInOrder(s *generate.Session, subject int) []string {
	names := map[int]string{}
	for r := range s.All() {
		if r.Subject == subject {
			names[r.Position] = s.Battery.Items.Name(r.Item)
		}
	}
	out := make([]string, len(names))
	for p, n := range names {
		out[p-1] = n
	}
	return out
}

// A noting is an agent from outside that notes the worlds that it sees.
type noting struct{ worlds *[]string }

func (n noting) Reset(_ context.Context, first gridworld.Observation) error {
	var w gridworld.World
	first.Layout(&w)
	*n.worlds = append(*n.worlds, w.String())
	return nil
}

func (noting) Act(context.Context, gridworld.Observation) (gridworld.Action, error) {
	return gridworld.TurnLeft, nil
}
func (noting) Close() error { return nil }

// BenchmarkGuess times one guess of somebody who tries root seeds (docs/reference/blindness.md). A guess is compared
// either with the published worlds, where the first draw of the first random stream is enough to refuse most guesses,
// or with the ids.
func BenchmarkGuess(b *testing.B) {
	b.Run("by a draw", func(b *testing.B) {
		for i := range b.N {
			r := rng.Stream(uint64(i), "battery", "cup", "000001")
			if r.Uint64() == 1 {
				b.Fatal("found by luck")
			}
		}
	})
	b.Run("by an id", func(b *testing.B) {
		for i := range b.N {
			if s := seal.NewKey(uint64(i)).Sum("id", "subject", "one", "1", "0"); s == [32]byte{} {
				b.Fatal("found by luck")
			}
		}
	})
}
