package cli_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"achilles/render/cli"
	"achilles/render/cli/clitest"
	"achilles/scenarios/seal"
	"achilles/sim/part"
)

// The tests in this file look for channels from the sealed side to the public one, and to the inference, through the whole program.

// truths are true minds of agents, which a scenario states: nothing computes them from what the agents do.
var truths = []string{
	"family = \"capable\"\nhas_op = \"yes\"\nweakness = \"none\"\nreason = \"a\"\n",
	"family = \"fraudster\"\nhas_op = \"no\"\nweakness = \"object permanence\"\nreason = \"it never looks\"\n",
	"family = \"nonspecific\"\nhas_op = \"unknown\"\nweakness = \"nonspecific\"\nreason = \"c\"\n",
}

// stated returns a scenario whose agents behave as always and have these truths, in this order. The last agent is a program.
func stated(t *testing.T, truth ...int) []byte {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("name = \"stated\"\nseed = 321\n[battery]\nsuite = \"opiaagets\"\ncoding = \"worlds\"\nitems = 5\n[responses]\nheld_out = 0.3\n" +
		"[inference]\nlayout = \"constant\"\nchains = 4\ndraws = 100\nwarmup = 50\n")
	for i, k := range truth {
		fmt.Fprintf(&b, "[[agent]]\nname = \"agent %d\"\n", i)
		if i < len(truth)-1 {
			fmt.Fprintf(&b, "rule = [{ p = 0.%d }]\n", 3+2*i)
		} else {
			command := clitest.Listener(t)
			fmt.Fprintf(&b, "command = [%q, %q]\n", command[0], command[1])
		}
		b.WriteString("[agent.truth]\n" + truths[k])
	}
	return b.Bytes()
}

var digests = regexp.MustCompile(`"(sealed|public)": "[0-9a-f]{64}"`)

// observable returns what can be observed below a directory, by path: what kind of file it is, its permissions, time and links, and its bytes,
// but for the digests by which parts commit to others.
func observable(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := os.Lstat(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		out[name] = fmt.Sprint(info.Mode(), info.ModTime().UTC(), linked(info))
		if info.Mode().IsRegular() {
			out[name] += part.Digest(digests.ReplaceAll(read(t, path), nil))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// contents returns the contents of all files in a directory, sorted: their names are secret.
func contents(t *testing.T, dir string) (list []string) {
	t.Helper()
	for _, b := range tree(t, dir) {
		list = append(list, string(b))
	}
	slices.Sort(list)
	return list
}

// TestTruthReachesNothing runs a scenario with its truths and with others, while all agents behave as before. What is published, what
// programs are shown, and what is inferred must not differ in anything that can be observed, but for the digests of the commitment.
func TestTruthReachesNothing(t *testing.T) {
	dir := t.TempDir()
	var public, inferred map[string]string
	var heard []string
	var sealed []byte
	for i, truth := range [][]int{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 1, 1}, {0, 0, 0}} {
		file, r := filepath.Join(dir, "stated.toml"), filepath.Join(dir, fmt.Sprint(i))
		write(t, file, stated(t, truth...))
		must(t, "run", file, "--out", r)
		files := tree(t, filepath.Join(r, "inferred"))
		got, played := observable(t, filepath.Join(r, "public")), contents(t, filepath.Join(r, ".played"))
		fits := map[string]string{}
		for name, b := range files { // its times are those of the run
			fits[name] = string(digests.ReplaceAll(b, nil))
		}
		if i == 0 {
			public, inferred, heard = got, fits, played
			if len(public) < 4 || len(fits) < 4 || !strings.Contains(fmt.Sprint(played), "heard ") {
				t.Fatalf("public %v; %d files inferred; programs %v", public, len(fits), played)
			}
		}
		if !maps.Equal(public, got) {
			t.Errorf("truths %v: public differs: %v and %v", truth, public, got)
		}
		if !maps.Equal(inferred, fits) {
			t.Errorf("truths %v: inferred differs", truth)
		}
		if !slices.Equal(heard, played) {
			t.Errorf("truths %v: programs are shown something else: %v and %v", truth, heard, played)
		}
		if truth := read(t, filepath.Join(r, "sealed", "truth.json")); bytes.Equal(truth, sealed) {
			t.Error("the truths are the same")
		} else {
			sealed = truth
		}
	}
}

// observed returns what the process that infers could observe in a run of a scenario, by a witness that stands in for it.
func observed(t *testing.T, file, r string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	witness := filepath.Join(dir, clitest.Witness)
	if err := os.Symlink(clitest.Program(t), witness); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	code := cli.Run(t.Context(), cli.Host{Launcher: witness}, []string{"run", file, "--out", r}, &out, &errs)
	_, text, found := strings.Cut(errs.String(), "witness: ")
	if code != 1 || !found {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	seen := map[string]string{}
	if err := json.Unmarshal([]byte(strings.Split(text, "\n")[0]), &seen); err != nil {
		t.Fatal(err)
	}
	return seen
}

// TestInferenceObservesNoTruth lets a witness stand in for the process that infers: it tells its arguments, variables and assignment,
// and whatever it can list or read. Nothing of that may depend on the truth, but for the commitment, and the seal is out of its reach.
func TestInferenceObservesNoTruth(t *testing.T) {
	confinable(t)
	dir := t.TempDir()
	var first map[string]string
	for i, truth := range [][]int{{0, 1, 2}, {1, 2, 0}, {1, 1, 1}} {
		file, r := filepath.Join(dir, "stated.toml"), filepath.Join(dir, fmt.Sprint(i), "r")
		write(t, file, stated(t, truth...))
		seen := observed(t, file, r)
		for name, text := range seen {
			seen[name] = digests.ReplaceAllString(strings.ReplaceAll(text, filepath.Dir(r), "RESULTS"), "")
			if strings.HasPrefix(name, "secret ") || strings.Contains(text, "fraudster") || strings.HasPrefix(name, "DIR/sealed") || strings.HasPrefix(name, "DIR/.played") || strings.HasPrefix(name, "/proc") {
				t.Errorf("truths %v: %s is seen: %.80s", truth, name, text)
			}
		}
		if i == 0 {
			first = seen
			if len(seen) < 10 || seen["DIR/public/manifest.json"] == "" || seen["told"] == "" || seen["variable PATH"] == "" {
				t.Fatalf("the witness is blind: %v", seen)
			}
		}
		for name := range seen {
			if first[name] != seen[name] {
				t.Errorf("truths %v: %s was %.300q, is %.300q", truth, name, first[name], seen[name])
			}
		}
		if len(first) != len(seen) {
			t.Errorf("truths %v: %d things were seen, %d are", truth, len(first), len(seen))
		}
	}
}

// TestApart checks that a process of its own infers the same bytes as this one: a profile, shares of it, and what observers watch.
func TestApart(t *testing.T) {
	confinable(t)
	dir := t.TempDir()
	apart := func(args ...string) {
		t.Helper()
		var out, errs bytes.Buffer
		if code := cli.Run(t.Context(), cli.Host{Launcher: clitest.Program(t)}, args, &out, &errs); code != 0 {
			t.Fatalf("%v: exit %d: %s", args, code, errs.String())
		}
	}
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	for _, args := range [][]string{{"run", trio(t), "--layout", "op", "--candidates", "op"}, {"run", "bib", "--set", "episodes=1"}} {
		must(t, append(args, "--force", "--out", one)...)
		apart(append(args, "--force", "--out", two)...)
		if a, b := tree(t, one), tree(t, two); !equal(a, b) {
			t.Errorf("%v: %v differ", args, differing(a, b))
		}
	}
	for _, shard := range []string{"0/2", "1/2"} {
		must(t, "run", trio(t), "--force", "--out", one, "--shard", shard)
		apart("run", trio(t), "--force", "--out", two, "--shard", shard)
	}
	if a, b := tree(t, filepath.Join(one, "shards")), tree(t, filepath.Join(two, "shards")); !equal(a, b) || len(a) < 10 {
		t.Errorf("shards: %v differ", differing(a, b))
	}
}

// without returns files but one.
func without(files map[string][]byte, name string) map[string][]byte {
	files = maps.Clone(files)
	delete(files, name)
	return files
}

// keyed is HMAC-SHA-256 over texts, each after its length, as docs/reference/blindness.md says, written anew.
func keyed(key []byte, texts ...string) []byte {
	h := hmac.New(sha256.New, key)
	for _, s := range texts {
		h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(s))))
		h.Write([]byte(s))
	}
	return h.Sum(nil)
}

// TestNothingIsLeftToChoose checks that the sealed part, to which the public part commits, is a function of the scenario and its root seed:
// nobody can try texts until the digest of one says something. The salt is derived, truth.json and the manifest are written in the one way, and no
// other file is sealed. The seed of the inference is derived from the salt alone.
func TestNothingIsLeftToChoose(t *testing.T) {
	dir := t.TempDir()
	file, r := filepath.Join(dir, "stated.toml"), filepath.Join(dir, "r")
	write(t, file, stated(t, 0, 1, 2))
	for _, root := range []uint64{321, 5} {
		must(t, "run", file, "--seed", fmt.Sprint(root), "--out", r, "--force")
		text := read(t, filepath.Join(r, "sealed", seal.TruthFile))
		sealed := os.DirFS(filepath.Join(r, "sealed"))
		var m part.Manifest
		if err := json.Unmarshal(read(t, filepath.Join(r, "public", "manifest.json")), &m); err != nil {
			t.Fatal(err)
		}
		truth, err := seal.Open(sealed, m.Parents[part.Sealed])
		if err != nil {
			t.Fatal(err)
		}
		salt := keyed(binary.LittleEndian.AppendUint64(nil, root), "salt")
		if truth.Root != fmt.Sprint(root) || truth.Salt != hex.EncodeToString(salt) || truth.Scenario != string(read(t, file)) {
			t.Errorf("root %s, salt %s", truth.Root, truth.Salt)
		}
		again, err := truth.Encode()
		if err != nil || !bytes.Equal(text, again) {
			t.Errorf("truth.json is written in another way (%v)", err)
		}
		list := part.New(part.Sealed, nil, nil)
		list.Files = append(truth.EpisodeShards(), part.NewFile(seal.TruthFile, text))
		manifest := list.Encode()
		if got := len(tree(t, filepath.Join(r, "sealed"))); got != len(list.Files)+1 || !bytes.Equal(manifest, read(t, filepath.Join(r, "sealed", "manifest.json"))) {
			t.Errorf("%d sealed files, %d of truth and episodes, or a manifest that is written in another way", got, len(list.Files))
		}
		moves := map[string][]byte{}
		w := seal.NewEpisodeWriter(func(path string, data []byte) error {
			moves[path] = bytes.Clone(data)
			return nil
		})
		for _, f := range truth.EpisodeShards() {
			episodes, err := seal.EpisodeShard(sealed, f)
			if err != nil {
				t.Fatal(err)
			}
			for i := range episodes {
				if err := w.Write(&episodes[i]); err != nil {
					t.Fatal(err)
				}
			}
		}
		if _, err := w.Close(); err != nil || len(moves) != 1 || !equal(moves, without(without(tree(t, filepath.Join(r, "sealed")), seal.TruthFile), "manifest.json")) {
			t.Errorf("the episodes are written in another way (%v)", err)
		}
		if m.Parents[part.Sealed] != part.Digest(manifest) {
			t.Errorf("the commitment is %s", m.Parents[part.Sealed])
		}
		if got, want := inferredSeed(t, r), strconv.FormatUint(binary.LittleEndian.Uint64(keyed(salt, "infer")), 10); got != want {
			t.Errorf("inferred with seed %s, want %s", got, want)
		}
	}
}
