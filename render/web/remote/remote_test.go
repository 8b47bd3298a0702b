package remote_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"testing"
	"testing/fstest"

	"achilles/render/web/remote"
)

func TestFS(t *testing.T) {
	content := map[string]string{"ledger.json": "{}", "public/manifest.json": "abc", "public/worlds/000000.txt": "", "public/worlds/000001.txt": "w"}
	var files []remote.File
	for name, text := range content {
		files = append(files, remote.File{Path: name, Size: int64(len(text))})
	}
	asked := map[string]int{}
	f := remote.New(append(files, remote.File{Path: "../outside"}), func(path string) ([]byte, error) {
		asked[path]++
		return []byte(content[path]), nil
	})
	if err := fstest.TestFS(f, "ledger.json", "public/manifest.json", "public/worlds/000001.txt"); err != nil {
		t.Error(err)
	}
	for name := range content {
		if asked[name] != 1 {
			t.Errorf("%s was asked for %d times", name, asked[name])
		}
	}
	if len(asked) != len(content) {
		t.Errorf("other files were asked for: %v", asked)
	}
	o, err := f.Open("public/manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := o.(io.ReaderAt); !ok {
		t.Error("a file cannot be read anywhere")
	}
	for _, name := range []string{"sealed/truth.json", "../outside", "/etc/passwd"} {
		if _, err := f.Open(name); err == nil {
			t.Errorf("%s can be opened", name)
		}
	}
}

func TestFetchFails(t *testing.T) {
	gone := errors.New("the server is gone")
	f := remote.New([]remote.File{{Path: "a", Size: 1}}, func(string) ([]byte, error) { return nil, fmt.Errorf("get: %w", gone) })
	if _, err := fs.ReadFile(f, "a"); !errors.Is(err, gone) {
		t.Errorf("error %v", err)
	}
}
