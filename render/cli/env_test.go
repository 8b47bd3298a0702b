package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

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

// TestPythonOfDocuments runs the Python of docs/guide/train.md.
func TestPythonOfDocuments(t *testing.T) {
	blocks := regexp.MustCompile("(?s)```python\n(.*?)```").FindAllStringSubmatch(string(clitest.Read(t, filepath.Join(repository(t), "docs/guide/train.md"))), -1)
	if len(blocks) != 4 {
		t.Fatalf("%d blocks of Python", len(blocks))
	}
	run := python(t, "gymnasium", "numpy", "dm_env", "pettingzoo")
	for _, b := range blocks {
		if out, err := run("-c", b[1]).CombinedOutput(); err != nil {
			t.Errorf("%v\n%s\n%s", err, b[1], out)
		}
	}
}
