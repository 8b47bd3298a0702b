package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"achilles/sim/longtest"
)

// required returns the modules that go.mod requires, path → version, those for tests and tools alone left out.
func required(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^\t(\S+) (v\S+)( // indirect)?$`).FindAllStringSubmatch(string(text), -1) {
		if m[3] == "" && m[1] != "github.com/google/go-cmp" {
			list[m[1]] = m[2]
		}
	}
	if len(list) < 10 {
		t.Fatalf("go.mod requires %v", list)
	}
	return list
}

// TestNotice checks that the lists of a release have every module, with its licence and version.
func TestNotice(t *testing.T) {
	longtest.Only(t, "runs a script")
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	dir := t.TempDir()
	if said, err := exec.Command(bash, ".ci/release.sh", dir, "notice").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	notice, err := os.ReadFile(filepath.Join(dir, "NOTICE"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "sbom.cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	var bom struct {
		Components []struct{ Name, Version, Purl string }
	}
	if err := json.Unmarshal(text, &bom); err != nil {
		t.Fatal(err)
	}
	versions := map[string]string{}
	for _, c := range bom.Components {
		versions[c.Name] = c.Version
		_, licence, found := strings.Cut(string(notice), "\n== "+c.Name+" "+c.Version+"\n")
		licence, _, _ = strings.Cut(licence, "\n== ")
		if !found || len(licence) < 500 {
			t.Errorf("NOTICE has %d bytes of the licence of %s %s", len(licence), c.Name, c.Version)
		}
		if c.Purl != "pkg:golang/"+c.Name+"@"+c.Version {
			t.Errorf("%s has the address %s", c.Name, c.Purl)
		}
	}
	for path, version := range required(t) {
		if versions[path] != version {
			t.Errorf("the list of modules has %s in version %q, want %s", path, versions[path], version)
		}
	}
	if !strings.Contains(string(notice), "standard library") {
		t.Error("NOTICE does not have the licence of Go")
	}
}

// TestArchives packs programs that are none: each platform's archive has its program, which may be executed once it is unpacked, and
// what must go with it, and the same files give the same bytes.
func TestArchives(t *testing.T) {
	longtest.Only(t, "starts Python")
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	archives := []string{"achilles-linux-amd64.tar.gz", "achilles-windows-amd64.zip"}
	var before [2][]byte
	for i, dir := range []string{t.TempDir(), t.TempDir()} {
		for _, name := range []string{"achilles-linux-amd64", "achilles-windows-amd64.exe", "LICENSE", "NOTICE", "sbom.cdx.json"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 { // the second time with the archives there
			if said, err := exec.Command(python, "-B", ".ci/archive.py", dir).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, said)
			}
		}
		for k, name := range archives {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if i == 1 && !bytes.Equal(text, before[k]) {
				t.Errorf("%s has other bytes the second time", name)
			}
			before[k] = text
		}
	}
	want := func(folder, program, content string) string {
		return folder + "/" + program + " -rwxr-xr-x " + content + "\n" + folder + "/LICENSE -rw-r--r-- LICENSE\n" + folder + "/NOTICE -rw-r--r-- NOTICE\n" + folder + "/sbom.cdx.json -rw-r--r-- sbom.cdx.json\n"
	}
	var has strings.Builder
	add := func(name string, mode fs.FileMode, r io.Reader) {
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&has, "%s %v %s\n", name, mode, text)
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(before[0]))
	if err != nil {
		t.Fatal(err)
	}
	for files := tar.NewReader(unzipped); ; {
		h, err := files.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		add(h.Name, h.FileInfo().Mode(), files)
	}
	if want := want("achilles-linux-amd64", "achilles", "achilles-linux-amd64"); has.String() != want {
		t.Errorf("the archive for Linux has\n%swant\n%s", has.String(), want)
	}
	has.Reset()
	z, err := zip.NewReader(bytes.NewReader(before[1]), int64(len(before[1])))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		add(f.Name, f.Mode(), r)
	}
	if want := want("achilles-windows-amd64", "achilles.exe", "achilles-windows-amd64.exe"); has.String() != want {
		t.Errorf("the archive for Windows has\n%swant\n%s", has.String(), want)
	}
}

// TestUnreleased checks that docs/reference/dependencies.md names every linked module that is an alpha, or has no release.
func TestUnreleased(t *testing.T) {
	gomod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("docs/reference/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, m := range regexp.MustCompile(`(?m)^\t(\S+) v\S+-\S+`).FindAllStringSubmatch(string(gomod), -1) {
		name := regexp.MustCompile(`/v[0-9]+$`).ReplaceAllString(m[1], "")
		name = strings.TrimPrefix(name, "github.com/")
		if n++; !strings.Contains(string(page), name) && !strings.HasPrefix(name, "golang.org/x/") {
			t.Errorf("docs/reference/dependencies.md does not say what becomes of %s", m[1])
		}
	}
	if n < 4 {
		t.Errorf("%d modules are alphas or without a release", n)
	}
}
