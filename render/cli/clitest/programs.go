package clitest

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"achilles/render/cli"
)

// Program returns the path of this test, which can stand for the programs of docs/examples, so that nothing else need be
// on the machine: started with the name of one as its only argument, it acts, or observes, in place of the tests. The
// tests of the package must be run by Main.
func Program(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.ToSlash(path)
}

// Main runs the tests of a package, unless the test is started as a program.
func Main(m *testing.M) {
	if filepath.Base(os.Args[0]) == Witness && len(os.Args) == 2 && !strings.HasPrefix(os.Args[1], "confinement-") { // not as a launcher
		testify()
	}
	cli.Launch(os.Args[1:])
	if len(os.Args) == 2 {
		if dir, ok := strings.CutPrefix(os.Args[1], thief); ok {
			steal(dir)
			os.Args[1] = "agent.py"
			if strings.HasSuffix(dir, watched) {
				os.Args[1] = "observer.py"
			}
		}
	}
	if len(os.Args) == 2 && os.Args[1] == listener {
		listen()
	}
	answers := map[string]func(line []byte) any{"agent.py": walk(), "observer.py": watch, "reader.py": readAll}
	if len(os.Args) != 2 || answers[filepath.Base(os.Args[1])] == nil {
		os.Exit(m.Run())
	}
	answer := answers[filepath.Base(os.Args[1])]
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		if said := answer(lines.Bytes()); said != nil {
			b, err := json.Marshal(said)
			if err != nil {
				panic(err)
			}
			fmt.Println(string(b))
		}
	}
}

// A thief is a program that ends with Stole if it can read what is sealed in a results directory, or who started it. Otherwise it
// acts, or observes if the name of the directory ends in watched.
const (
	thief   = "thief="
	watched = "watched"
	Stole   = "it stole"
)

// Thief returns the command of a thief in a results directory.
func Thief(t *testing.T, dir string) []string {
	t.Helper()
	return []string{Program(t), thief + filepath.ToSlash(dir)}
}

func steal(dir string) {
	for _, path := range []string{filepath.Join(dir, ".drawn"), filepath.Join(dir, "sealed", "truth.json"), fmt.Sprintf("/proc/%d/cmdline", os.Getppid())} {
		if _, err := os.ReadFile(path); err == nil {
			fmt.Fprintln(os.Stderr, Stole, path)
			os.Exit(1)
		}
	}
}

// Witness is the name of a launcher that stands in for the process which infers, and ends with an error that has all that it could
// observe, as a map from what it is to what was seen.
const Witness = "witness"

// testify does the work of the witness in place of a process that infers.
func testify() {
	seen := map[string]string{"arguments": strings.Join(os.Args[1:], " ")}
	folder, _ := os.Getwd() // in vain: then it is seen
	hidden := strings.NewReplacer(folder, "FOLDER")
	for _, v := range os.Environ() {
		name, value, _ := strings.Cut(v, "=")
		seen["variable "+name] = hidden.Replace(value)
	}
	line, _ := bufio.NewReader(os.Stdin).ReadString('\n')
	var as struct{ Public, Pieces, Out string }
	if err := json.Unmarshal([]byte(line), &as); err != nil {
		panic(err)
	}
	dir := filepath.Dir(as.Public)
	seen["told"] = strings.ReplaceAll(line, filepath.Dir(dir), "RESULTS")
	for _, root := range []string{dir, filepath.Join(dir, "sealed"), filepath.Join(dir, ".played"), filepath.Dir(dir), as.Public, as.Pieces, as.Out, folder, fmt.Sprintf("/proc/%d/", os.Getppid())} {
		_ = filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
			name := strings.Replace(hidden.Replace(path), dir, "DIR", 1)
			if err != nil || path == root {
				return nil // what cannot be read is not seen
			}
			seen[name] = e.Type().String()
			if b, err := os.ReadFile(path); err == nil {
				info, _ := e.Info()
				seen[name] += fmt.Sprint(" ", info.Mode(), info.ModTime().UTC(), " ", string(b))
			}
			return nil
		})
	}
	for _, path := range []string{filepath.Join(dir, "sealed", "truth.json"), filepath.Join(dir, "ledger.json"), filepath.Join(dir, ".drawn")} {
		if b, err := os.ReadFile(path); err == nil {
			seen["secret "+filepath.Base(path)] = string(b)
		}
	}
	all, err := json.Marshal(seen)
	if err != nil {
		panic(err)
	}
	notice, err := json.Marshal(map[string]string{"Error": "witness: " + string(all)})
	if err != nil {
		panic(err)
	}
	fmt.Println(string(notice))
	os.Exit(0)
}

// A listener is a program that ends at the first observation. The last line of what it complains of has a digest of all that it was
// shown before: its arguments, variables, folder and lines.
const listener = "listener"

// Listener returns the command of a listener.
func Listener(t *testing.T) []string {
	t.Helper()
	return []string{Program(t), listener}
}

func listen() {
	folder, _ := os.Getwd() // in vain: then it differs between runs, which a test sees
	var seen []string
	entries, err := os.ReadDir(folder)
	seen = append(seen, fmt.Sprint(os.Args, entries, err))
	for _, v := range os.Environ() {
		seen = append(seen, strings.ReplaceAll(v, folder, "FOLDER"))
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		seen = append(seen, lines.Text())
		if !strings.Contains(lines.Text(), `"reset"`) {
			break
		}
	}
	fmt.Fprintf(os.Stderr, "heard %x\n", sha256.Sum256([]byte(strings.Join(seen, "\n"))))
	os.Exit(1)
}

// walk returns an agent that goes ahead, and turns where it gets no further.
func walk() func(line []byte) any {
	var last [2]int
	return func(line []byte) any {
		var m struct {
			Type     string
			Position [2]int
		}
		if err := json.Unmarshal(line, &m); err != nil {
			panic(err)
		}
		if m.Type != "observation" {
			return nil
		}
		action := "forward"
		if m.Position == last {
			action = "left"
		}
		last = m.Position
		return map[string]string{"action": action}
	}
}

// watch is an observer that is the more surprised the longer an actor moves, as the observer called duration.
func watch(line []byte) any {
	var m struct {
		Video string
		Test  struct{ Path [][2]int }
	}
	if err := json.Unmarshal(line, &m); err != nil {
		panic(err)
	}
	first, last := 0, 0
	for i := 1; i < len(m.Test.Path); i++ {
		if m.Test.Path[i] != m.Test.Path[i-1] {
			if last = i; first == 0 {
				first = i
			}
		}
	}
	return map[string]any{"video": m.Video, "surprise": last - first}
}

var theLast = regexp.MustCompile(`frame (\d+), the last`)

// readAll is an observer that reads, and is the more surprised the longer a video is.
func readAll(line []byte) any {
	var m struct{ Video, Test string }
	if err := json.Unmarshal(line, &m); err != nil {
		panic(err)
	}
	frames, err := strconv.Atoi(theLast.FindStringSubmatch(m.Test)[1])
	if err != nil {
		panic(err)
	}
	return map[string]any{"video": m.Video, "surprise": frames}
}
