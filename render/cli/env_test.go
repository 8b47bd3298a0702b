package cli_test

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"achilles/battery/catalog"
	"achilles/render/cli/clitest"
	"achilles/sim/longtest"
)

// TestTasksOfPython checks that the Python package registers every task, in the order of the program.
func TestTasksOfPython(t *testing.T) {
	text := string(read(t, filepath.Join(repository(t), "python/achilles/tasks.py")))
	_, list, _ := strings.Cut(text, "TASKS = (")
	list, _, _ = strings.Cut(list, "\n)")
	var python, program []string
	for _, m := range regexp.MustCompile(`"(\w+)"`).FindAllStringSubmatch(list, -1) {
		python = append(python, m[1])
	}
	for _, task := range catalog.Tasks() {
		program = append(program, task.Name)
	}
	if !slices.Equal(python, program) {
		t.Errorf("python/achilles/tasks.py has %v, the program %v", python, program)
	}
}

// python returns a command that runs Python in a folder of its own with the package of the repository and the program, built for the test.
// It skips the test where Python has no packages of these names. $PYTHON names another Python.
func python(t *testing.T, packages ...string) func(arguments ...string) *exec.Cmd {
	t.Helper()
	longtest.Only(t, "starts Python")
	name := "python3"
	if named := os.Getenv("PYTHON"); named != "" {
		name = named
	}
	if out, err := exec.Command(name, "-c", "import "+strings.Join(packages, ", ")).CombinedOutput(); err != nil {
		t.Skipf("%s has not all of %v: %s", name, packages, out)
	}
	program := filepath.Join(t.TempDir(), "achilles")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir = repository(t)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	folder := t.TempDir()
	return func(arguments ...string) *exec.Cmd {
		c := exec.Command(name, arguments...)
		c.Dir = folder
		c.Env = append(os.Environ(), "ACHILLES="+program, "PYTHONDONTWRITEBYTECODE=1", "PYTHONPATH="+filepath.Join(repository(t), "python"))
		return c
	}
}

// TestGymnasium has Gymnasium check every task.
func TestGymnasium(t *testing.T) {
	run := python(t, "gymnasium", "numpy")
	if out, err := run(filepath.Join(repository(t), "python/tests/check.py")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// TestPythonOfDocuments runs the Python of docs/guide/train.md, and the adapters that it names.
func TestPythonOfDocuments(t *testing.T) {
	blocks := regexp.MustCompile("(?s)```python\n(.*?)```").FindAllStringSubmatch(string(clitest.Read(t, filepath.Join(repository(t), "docs/guide/train.md"))), -1)
	if len(blocks) != 3 {
		t.Fatalf("%d blocks of Python", len(blocks))
	}
	for _, name := range []string{"dm_env_adapter.py", "pettingzoo_adapter.py"} {
		blocks = append(blocks, []string{"", string(clitest.Read(t, filepath.Join(repository(t), "python", "examples", name)))})
	}
	run := python(t, "gymnasium", "numpy", "dm_env", "pettingzoo", "polars")
	for _, b := range blocks {
		if out, err := run("-c", b[1]).CombinedOutput(); err != nil {
			t.Errorf("%v\n%s\n%s", err, b[1], out)
		}
	}
}

// TestPythonResults runs a scenario from Python and reads its tables, and its draws where there is ArviZ 1.
func TestPythonResults(t *testing.T) {
	for _, tables := range []string{"polars", "pandas"} {
		t.Run(tables, func(t *testing.T) {
			run := python(t, tables)
			if out, err := run(filepath.Join(repository(t), "python/tests/results.py"), t.TempDir(), tables).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestAbilitiesOfADeLe has the Python package fit abilities as the package adele asks it to.
func TestAbilitiesOfADeLe(t *testing.T) {
	run := python(t, "numpy", "pandas")
	if out, err := run(filepath.Join(repository(t), "python/tests/abilities.py")).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestNotebook executes the notebook of the Python package.
func TestNotebook(t *testing.T) {
	run := python(t, "gymnasium", "numpy", "pandas", "nbclient", "ipykernel")
	out, err := run(filepath.Join(repository(t), "python/tests/notebook.py"), filepath.Join(repository(t), "python/examples/quickstart.ipynb"), t.TempDir()).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "\n3 text/plain image/svg+xml\n") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestLearner trains a policy by stable-baselines3 and measures it blind, whole and forgetful, within ten minutes of processor time. Programs
// that take a battery start without PYTHONPATH: so Python has an environment of its own in which the package is found.
func TestLearner(t *testing.T) {
	run := python(t, "stable_baselines3", "gymnasium", "numpy", "pandas")
	folder := t.TempDir()
	if out, err := run("-m", "venv", "--without-pip", folder).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	installed, err := run("-c", "import sysconfig; print(sysconfig.get_path('purelib'))").Output()
	if err != nil {
		t.Fatal(err)
	}
	sites, err := filepath.Glob(filepath.Join(folder, "lib", "python*", "site-packages"))
	if err != nil || len(sites) != 1 {
		t.Fatalf("%v, %v", sites, err)
	}
	write(t, filepath.Join(sites[0], "achilles.pth"), []byte(filepath.Join(repository(t), "python")+"\n"+string(installed)))
	c := run(filepath.Join(repository(t), "python/examples/learner.py"), filepath.Join(t.TempDir(), "out"))
	c.Path = filepath.Join(folder, "bin", "python")
	c.Args[0] = c.Path // by which Python finds where it is
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	memory := func(subject string) (low, high float64) {
		for line := range strings.Lines(string(out)) {
			if f := strings.Fields(line); len(f) == 9 && f[0] == subject && f[1] == "memory" {
				if _, err := fmt.Sscan(f[6]+" "+f[8], &low, &high); err != nil {
					t.Fatal(err)
				}
				return low, high
			}
		}
		t.Fatalf("no memory of %s:\n%s", subject, out)
		return 0, 0
	}
	_, high := memory("lesioned")
	if low, _ := memory("whole"); high >= low {
		t.Errorf("a policy that forgets after 1.5 is not distinguished from one that does not forget:\n%s", out)
	}
	if used := c.ProcessState.UserTime() + c.ProcessState.SystemTime(); used > 10*time.Minute {
		t.Errorf("it takes %v of processor time", used)
	}
}

// TestWheel packs wheels of programs that are none, and checks their files, what RECORD says of them, and that they are the same twice.
func TestWheel(t *testing.T) {
	run := python(t, "tomllib")
	programs, outs := t.TempDir(), [2]string{t.TempDir(), t.TempDir()}
	for _, name := range []string{"achilles-linux-amd64", "achilles-windows-amd64.exe", "LICENSE", "NOTICE", "sbom.cdx.json"} {
		write(t, filepath.Join(programs, name), []byte(name))
	}
	for _, out := range outs {
		if said, err := run(filepath.Join(repository(t), ".ci/wheel.py"), programs, out).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
	}
	if !equal(tree(t, outs[0]), tree(t, outs[1])) {
		t.Error("the same programs give other wheels the second time")
	}
	wheels, err := filepath.Glob(filepath.Join(outs[0], "achilles-*-py3-none-*.whl"))
	if err != nil || len(wheels) != 2 {
		t.Fatalf("wheels %v, %v", wheels, err)
	}
	for _, wheel := range wheels {
		z, err := zip.OpenReader(wheel)
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		programs, record := 0, ""
		sums := map[string]string{}
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			sum := sha256.Sum256(data)
			sums[f.Name] = fmt.Sprintf("sha256=%s,%d", base64.RawURLEncoding.EncodeToString(sum[:]), len(data))
			if strings.HasPrefix(f.Name, "achilles/bin/") {
				if programs++; f.Mode() != 0o755 {
					t.Errorf("%s has mode %v", f.Name, f.Mode())
				}
			}
			if strings.HasSuffix(f.Name, "/RECORD") {
				record = string(data)
			}
		}
		lines := strings.Split(strings.TrimSpace(record), "\n")
		if programs != 1 || len(lines) != len(sums) {
			t.Errorf("%s has %d programs, %d files and %d lines of RECORD", wheel, programs, len(sums), len(lines))
		}
		for _, line := range lines {
			name, said, _ := strings.Cut(line, ",")
			if said != "," && said != sums[name] {
				t.Errorf("RECORD says %s of %s, which has %s", said, name, sums[name])
			}
		}
	}
}
